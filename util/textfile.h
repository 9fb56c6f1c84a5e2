/*
 * Prints text of any length into memory.
 *
 *	struct textfile text;
 *
 *	if (textfile_open(&text))
 *		fprintf(text.out, ...);
 *	return textfile_close(&text);
 *
 * open_memstream() is similar, but may silently truncate the text if memory is out.
 */
#ifndef READPERF_UTIL_TEXTFILE_H
#define READPERF_UTIL_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct textfile {
	FILE *out; /* stream to print to; NULL if opening failed */
	char *text;
	size_t len, room;
};

/** Opens @text for printing. Returns false if memory is out. */
bool textfile_open(struct textfile *text);

/**
 * Closes @text, even if opening failed. Returns what was printed, owned by the caller; NULL if
 * memory ran out.
 */
char *textfile_close(struct textfile *text);

#endif
