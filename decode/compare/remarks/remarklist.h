/*
 * The list of remarks on a comparison: lines of text.
 *
 * Errors are sticky: when memory is out, nothing more is added, so one test at the end is enough.
 */
#ifndef READPERF_DECODE_COMPARE_REMARKS_REMARKLIST_H
#define READPERF_DECODE_COMPARE_REMARKS_REMARKLIST_H

#include <stdbool.h>
#include <stddef.h>

/** All zero is an empty list. */
struct remarks {
	char **lines; /* sentences without a newline; names in them are not escaped */
	size_t nr, room;
	bool nomem;
};

/** Adds a line, formatted as printf() does. */
void remarks_add(struct remarks *remarks, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void remarks_free(struct remarks *remarks);

#endif
