#include "decode/compare/remarks/remarklist.h"

#include "util/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void remarks_add(struct remarks *remarks, const char *fmt, ...)
{
	va_list args;
	char *line;
	int len;

	if (remarks->nomem)
		return;
	va_start(args, fmt);
	len = vasprintf(&line, fmt, args);
	va_end(args);
	remarks->nomem = len < 0;
	if (remarks->nomem)
		return;
	remarks->nomem = !array_grow(remarks->lines, remarks->room, remarks->nr + 1);
	if (remarks->nomem)
		free(line);
	else
		remarks->lines[remarks->nr++] = line;
}

void remarks_free(struct remarks *remarks)
{
	for (size_t i = 0; i < remarks->nr; i++)
		free(remarks->lines[i]);
	free(remarks->lines);
	*remarks = (struct remarks){0};
}
