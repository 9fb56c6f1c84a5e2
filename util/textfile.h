/*
 * Text of any length that is printed into memory.
 *
 *	struct textfile text;
 *
 *	if (textfile_open(&text))
 *		fprintf(text.out, ...);
 *	return textfile_close(&text);
 *
 * open_memstream() does nearly the same, but when memory is out it may cut the text and not say so.
 */
#ifndef READPERF_UTIL_TEXTFILE_H
#define READPERF_UTIL_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct textfile {
	FILE *out; /* what is printed to; NULL if it could not be opened */
	char *text;
	size_t len, room;
};

/** Returns false if memory is out. */
bool textfile_open(struct textfile *text);

/** Closes it, opened or not. Returns the text, to be freed; NULL if memory was out on the way. */
char *textfile_close(struct textfile *text);

#endif
