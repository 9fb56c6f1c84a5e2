/*
 * Rows of comma-separated values (RFC 4180) from a file, one at a time.
 *
 *	reader = csvread_open("results.csv", &err);
 *	while ((rc = csvread_row(reader, &err)) > 0)
 *		... csvread_cell(reader, 0) ...
 *	csvread_close(reader);
 *
 * Cells may stand in quotes, with commas, doubled quotes and line breaks in them; lines end in LF
 * or CRLF, the last one also without. A byte order mark is stepped over, and so are empty lines.
 * Whatever else a file may hold, reading it takes CSVREAD_ROW_MAX bytes at most.
 *
 * Our own, so that the memory is bounded and each message can name the line that is wrong.
 */
#ifndef READPERF_UTIL_CSVREAD_H
#define READPERF_UTIL_CSVREAD_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** What a row may have at most, in bytes of its cells and in cells. */
enum { CSVREAD_ROW_MAX = 16 << 20, CSVREAD_CELLS_MAX = 4096 };

struct csvread;

/** Opens the regular file at @path, which is borrowed. NULL with @err filled. */
struct csvread *csvread_open(const char *path, struct error *err);

/**
 * Reads the next row. Its cells are borrowed until the next call.
 *
 * @return 1, 0 at the end, -1 with @err filled: the message has the number of the line.
 */
int csvread_row(struct csvread *reader, struct error *err);

/** How many cells the row has. */
size_t csvread_nr_cells(const struct csvread *reader);

/** The text of the cell with @number, which is below csvread_nr_cells(); no NUL is inside. */
const char *csvread_cell(const struct csvread *reader, size_t number);

/** The line that the row begins in, from 1 on. */
uint64_t csvread_line(const struct csvread *reader);

/** Frees; NULL is fine. */
void csvread_close(struct csvread *reader);

#endif
