/* Divides a console line between functions and binaries. */
#ifndef READPERF_REPORT_COLUMNS_H
#define READPERF_REPORT_COLUMNS_H

#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static inline size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static inline size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/** @a - @b, but at least 0. */
static inline size_t minus(size_t a, size_t b)
{
	return a > b ? a - b : 0;
}

enum color { COLOR_NONE, COLOR_RED, COLOR_GREEN };

/** Prints the ASCII @text, right-aligned in @columns columns, and the gap to the next cell. */
void columns_put_cell(FILE *out, size_t columns, const char *text, enum color color);

/**
 * Prints, as columns_put_cell(), the share of @whole that @part is; with @color what matters is
 * red, what hardly does is plain.
 */
void columns_put_share(FILE *out, size_t columns, uint64_t part, uint64_t whole, bool color);

/** The digits of @value. */
size_t columns_of_number(uint64_t value);

/** The width of lines in columns; SIZE_MAX: lines are not truncated. */
static inline size_t columns_of_line(const struct console_settings *settings)
{
	return settings->columns ? settings->columns : SIZE_MAX;
}

/**
 * The width of the functions' column. @line: width of a line (SIZE_MAX: not truncated), of which
 * the numbers use the first @numbers columns. @functions and @binaries: widths of the widest
 * function and binary.
 */
size_t columns_of_functions(size_t line, size_t numbers, size_t functions, size_t binaries);

/** Prints @gap spaces and @binary, truncated to @left columns, and ends the line. */
void columns_end_line(FILE *out, size_t gap, size_t left, const char *binary);

#endif
