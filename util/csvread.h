/*
 * Reads rows of comma-separated values (RFC 4180) from a file, one at a time.
 *
 *	reader = csvread_open(fd, "results.csv", &err);
 *	while ((rc = csvread_row(reader, &err)) > 0)
 *		... csvread_cell(reader, 0) ...
 *	csvread_close(reader);
 *
 * Cells may be quoted, with commas, doubled quotes and line breaks inside; lines end in LF or CRLF,
 * which the last one may lack. A byte order mark and empty lines are skipped. Whatever the file
 * contains, the reader needs at most CSVREAD_ROW_MAX bytes for a row.
 *
 * No library is used, so that memory is bounded and each message has the line number.
 */
#ifndef READPERF_UTIL_CSVREAD_H
#define READPERF_UTIL_CSVREAD_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** Limits of a row: bytes of its cells, and number of cells. */
enum { CSVREAD_ROW_MAX = 16 << 20, CSVREAD_CELLS_MAX = 4096 };

struct csvread;

/**
 * Starts to read the file @fd from its current place, and closes it, also on error. @path, which is
 * borrowed, is its name in messages. NULL with @err set on error.
 */
struct csvread *csvread_open(int fd, const char *path, struct error *err);

/**
 * Reads the next row. Its cells are valid until the next call.
 *
 * @return 1, 0 at the end, -1 with @err set; the message has the line number.
 */
int csvread_row(struct csvread *reader, struct error *err);

/** Returns the number of cells in the row. */
size_t csvread_nr_cells(const struct csvread *reader);

/** Returns the C string of cell @number, which is below csvread_nr_cells(). */
const char *csvread_cell(const struct csvread *reader, size_t number);

/** Returns the number of the row's first line, from 1. */
uint64_t csvread_line(const struct csvread *reader);

/** Closes and frees @reader, which may be NULL. */
void csvread_close(struct csvread *reader);

#endif
