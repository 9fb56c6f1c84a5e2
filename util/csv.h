/*
 * Rows of comma-separated values (RFC 4180) into an output file.
 *
 * Cells are appended one after the other and csv_end_row() ends the row with LF. Numbers are
 * formatted here, without the locale. Text is quoted where it needs to be and is UTF-8 afterwards:
 * bytes that are none become U+FFFD.
 */
#ifndef READPERF_UTIL_CSV_H
#define READPERF_UTIL_CSV_H

#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * A table being written to @out, which is borrowed. Unless @raw, a text cell that a spreadsheet
 * would take for a formula (first character = + - @ tab CR) gets a leading '.
 */
struct csv {
	struct outfile *out;
	bool raw;
};

/** An upper bound of what csv_encode() makes of @len bytes of text. */
#define CSV_ENCODED_MAX(len) (3 * (len) + 3)

/**
 * Writes the text cell of the @len bytes at @text to @to, which has room for CSV_ENCODED_MAX(len):
 * guarded unless @raw, repaired, quoted if it must be. No NUL is added.
 *
 * @return its length in bytes.
 */
size_t csv_encode(char *to, const char *text, size_t len, bool raw);

/** A text cell of @len bytes. */
void csv_text(struct csv *csv, const char *text, size_t len);

/** A text cell of the C string @text. */
static inline void csv_string(struct csv *csv, const char *text)
{
	csv_text(csv, text, strlen(text));
}

/** A cell of @len bytes that are right as they are: a number, or a result of csv_encode(). */
void csv_ready(struct csv *csv, const char *bytes, size_t len);

static inline void csv_empty(struct csv *csv)
{
	*outfile_reserve(csv->out, 1) = ',';
	csv->out->pos++;
}

/** A number in decimal. */
void csv_u64(struct csv *csv, uint64_t value);
void csv_i64(struct csv *csv, int64_t value);

/** An address: lower-case hexadecimal with 0x, without leading zeros. */
void csv_hex(struct csv *csv, uint64_t value);

/** The percentage that @part is of @total, with 4 decimals, half rounded up; 0.0000 of nothing. */
void csv_percent(struct csv *csv, uint64_t part, uint64_t total);

/**
 * A number with @decimals (0 to 9) decimals, halves rounded to even; nothing if it is not finite.
 * One that is rounded to zero has no sign.
 */
void csv_decimal(struct csv *csv, double value, unsigned decimals);

/** Ends the row, which must have a cell. */
static inline void csv_end_row(struct csv *csv)
{
	csv->out->pos[-1] = '\n';
}

#endif
