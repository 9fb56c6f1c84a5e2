#include "report/export/framename.h"

#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *framename_of_end(struct framename *name, const char *end)
{
	const size_t len = strlen(end) + sizeof("[]");

	if (!array_grow(name->text, name->room, len))
		return NULL;
	snprintf(name->text, len, "[%s]", end);
	return name->text;
}

const char *framename_of(struct framename *name, const struct function_stat *function)
{
	const char *slash = strrchr(function->binary, '/');
	const char *base = slash ? slash + 1 : function->binary;

	if (!*function->reason && *function->function)
		return function->function;
	if (*base == '[')
		return base;
	return framename_of_end(name, *base ? base : "unknown");
}

void framename_free(struct framename *name)
{
	free(name->text);
	*name = (struct framename){0};
}
