#include "decode/symbol/shownname.h"

#include "util/cutstring.h"

#include <stdlib.h>

const char *shown_name_keep(struct intern *strings, const char *name, enum demangle style)
{
	char *plain = demangle(name, style);
	const char *kept = cutstring_keep(strings, plain ? plain : name);

	free(plain);
	return kept;
}
