/*
 * Writes rows of comma-separated values (RFC 4180) to an output file.
 *
 * Cells are appended one after the other; csv_end_row() ends the row with LF. Numbers are formatted
 * independently of the locale. Text is quoted if necessary and converted to UTF-8: invalid bytes
 * become U+FFFD.
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
 * would take for a formula (first character = + - @ tab CR) is prefixed with an apostrophe.
 */
struct csv {
	struct outfile *out;
	bool raw;
};

/** An upper limit of the bytes that csv_encode() writes for @len bytes of text. */
#define CSV_ENCODED_MAX(len) (3 * (len) + 3)

/**
 * Encodes the @len bytes at @text as a text cell at @to, which has room for CSV_ENCODED_MAX(len):
 * guarded against formulas unless @raw, invalid UTF-8 replaced, quoted if necessary. No NUL is
 * added.
 *
 * @return its length in bytes.
 */
size_t csv_encode(char *to, const char *text, size_t len, bool raw);

/** Writes a text cell of @len bytes. */
void csv_text(struct csv *csv, const char *text, size_t len);

/** Writes a text cell of the C string @text. */
static inline void csv_string(struct csv *csv, const char *text)
{
	csv_text(csv, text, strlen(text));
}

/** Writes a cell of @len bytes unchanged: a number, or a result of csv_encode(). */
void csv_ready(struct csv *csv, const char *bytes, size_t len);

/** Writes an empty cell. */
static inline void csv_empty(struct csv *csv)
{
	*outfile_reserve(csv->out, 1) = ',';
	csv->out->pos++;
}

/** Writes a number in decimal. */
void csv_u64(struct csv *csv, uint64_t value);
void csv_i64(struct csv *csv, int64_t value);

/** Writes an address: 0x and lower-case hexadecimal digits without leading zeros. */
void csv_hex(struct csv *csv, uint64_t value);

/** Writes @part as a percentage of @total: 4 decimals, half rounded up; 0.0000 if @total is 0. */
void csv_percent(struct csv *csv, uint64_t part, uint64_t total);

enum { CSV_DECIMALS_MAX = 30 };

/**
 * Writes a number with @decimals (0 to CSV_DECIMALS_MAX) decimals, halves rounded to even; an empty
 * cell if it is not finite. A number rounded to zero has no sign.
 */
void csv_decimal(struct csv *csv, double value, unsigned decimals);

/** Ends the row, which must have at least one cell. */
static inline void csv_end_row(struct csv *csv)
{
	csv->out->pos[-1] = '\n';
}

#endif
