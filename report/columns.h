/*
 * How a console's line is shared between functions and binaries.
 */
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

/** @a less @b, not below 0. */
static inline size_t minus(size_t a, size_t b)
{
	return a > b ? a - b : 0;
}

enum color { COLOR_NONE, COLOR_RED, COLOR_GREEN };

/** Prints the ASCII @text at the right of @columns columns, and the gap to the next cell. */
void columns_put_cell(FILE *out, size_t columns, const char *text, enum color color);

/**
 * Prints, as columns_put_cell(), the share of @whole that @part is; with @color what matters is
 * red, what hardly does is plain.
 */
void columns_put_share(FILE *out, size_t columns, uint64_t part, uint64_t whole, bool color);

/** The digits of @value. */
size_t columns_of_number(uint64_t value);

/** How many columns lines have; SIZE_MAX: they are not cut. */
static inline size_t columns_of_line(const struct console_settings *settings)
{
	return settings->columns ? settings->columns : SIZE_MAX;
}

/**
 * How many columns the functions get of lines of @line columns (SIZE_MAX: they are not cut), of
 * which the numbers take the first @numbers; the widest function and binary have @functions and
 * @binaries.
 */
size_t columns_of_functions(size_t line, size_t numbers, size_t functions, size_t binaries);

/** Ends a line with @binary behind @gap spaces, in the last @left columns that those leave. */
void columns_end_line(FILE *out, size_t gap, size_t left, const char *binary);

#endif
