#include "util/csv.h"

#include "util/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Room for the longest cell of a number, its comma included. */
enum { NUMBER_ROOM = 24, TEXT_CHUNK = 64 * 1024 };

enum cell_class {
	CELL_QUOTED = 1, /* the cell must stand in quotes */
	CELL_HIGH = 2,	 /* not ASCII: to be checked */
};

static unsigned classify(const char *text, size_t len)
{
	unsigned classes = 0;

	for (size_t i = 0; i < len; i++) {
		uint8_t c = (uint8_t)text[i];

		if (c >= 0x80)
			classes |= CELL_HIGH;
		else if (c == ',' || c == '"' || c == '\n' || c == '\r')
			classes |= CELL_QUOTED;
	}
	return classes;
}

/* Spreadsheets compute a cell that starts so, and a process can name itself as it likes. */
static bool looks_like_formula(const char *text, size_t len)
{
	return len && memchr("=+-@\t\r", text[0], 6);
}

/* The inside of a text cell: quotes doubled, what is no UTF-8 replaced. */
static char *encode_inside(char *to, const char *text, size_t len)
{
	while (len) {
		uint32_t code;
		size_t n = text_decode(text, len, &code);

		if (code == TEXT_INVALID) {
			memcpy(to, TEXT_REPLACEMENT, 3);
			to += 3;
		} else {
			memcpy(to, text, n);
			to += n;
			if (code == '"')
				*to++ = '"';
		}
		text += n;
		len -= n;
	}
	return to;
}

static char *encode_start(char *to, unsigned classes, bool guard)
{
	if (classes & CELL_QUOTED)
		*to++ = '"';
	if (guard)
		*to++ = '\'';
	return to;
}

static char *encode_end(char *to, unsigned classes)
{
	if (classes & CELL_QUOTED)
		*to++ = '"';
	return to;
}

size_t csv_encode(char *to, const char *text, size_t len, bool raw)
{
	unsigned classes = classify(text, len);
	char *pos = encode_start(to, classes, !raw && looks_like_formula(text, len));

	pos = encode_inside(pos, text, len);
	pos = encode_end(pos, classes);
	return (size_t)(pos - to);
}

/* The most of @len that TEXT_CHUNK holds without cutting a character in two. */
static size_t chunk_of(const char *text, size_t len)
{
	if (len <= TEXT_CHUNK)
		return len;
	for (size_t back = 0; back < 4; back++)
		if (((uint8_t)text[TEXT_CHUNK - back] & 0xc0) != 0x80)
			return TEXT_CHUNK - back;
	return TEXT_CHUNK;
}

static void text_with_care(struct csv *csv, const char *text, size_t len, unsigned classes,
			   bool guard)
{
	csv->out->pos = encode_start(outfile_reserve(csv->out, 2), classes, guard);
	while (len) {
		size_t part = chunk_of(text, len);
		char *to = outfile_reserve(csv->out, 3 * part);

		csv->out->pos = encode_inside(to, text, part);
		text += part;
		len -= part;
	}
	csv->out->pos = encode_end(outfile_reserve(csv->out, 1), classes);
	csv_empty(csv);
}

void csv_text(struct csv *csv, const char *text, size_t len)
{
	unsigned classes = classify(text, len);
	bool guard = !csv->raw && looks_like_formula(text, len);

	if (classes || guard)
		text_with_care(csv, text, len, classes, guard);
	else
		csv_ready(csv, text, len);
}

void csv_ready(struct csv *csv, const char *bytes, size_t len)
{
	if (len >= OUTFILE_BUFFER) {
		outfile_append(csv->out, bytes, len);
		csv_empty(csv);
		return;
	}
	char *to = outfile_reserve(csv->out, len + 1);
	memcpy(to, bytes, len);
	to[len] = ',';
	csv->out->pos = to + len + 1;
}

void csv_empty(struct csv *csv)
{
	*outfile_reserve(csv->out, 1) = ',';
	csv->out->pos++;
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				  "25262728293031323334353637383940414243444546474849"
				  "50515253545556575859606162636465666768697071727374"
				  "75767778798081828384858687888990919293949596979899";

static unsigned count_digits(uint64_t value)
{
	/* clang-format off */
	static const uint64_t powers[] = {
		0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
		10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
		1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
		10000000000000000000u,
	};
	/* clang-format on */
	unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
	unsigned guess = bits * 1233 >> 12; /* bits * log10(2), too small by one at most */

	return guess + (value >= powers[guess]);
}

/* Returns the place behind the last digit. */
static char *format_u64(char *to, uint64_t value)
{
	char *end = to + count_digits(value), *pos = end;

	for (; value >= 100; value /= 100) {
		pos -= 2;
		memcpy(pos, digit_pairs + value % 100 * 2, 2);
	}
	if (value >= 10)
		memcpy(to, digit_pairs + value * 2, 2);
	else
		*to = (char)('0' + value);
	return end;
}

void csv_u64(struct csv *csv, uint64_t value)
{
	char *end = format_u64(outfile_reserve(csv->out, NUMBER_ROOM), value);

	*end = ',';
	csv->out->pos = end + 1;
}

void csv_i64(struct csv *csv, int64_t value)
{
	if (value < 0) {
		*outfile_reserve(csv->out, NUMBER_ROOM) = '-';
		csv->out->pos++;
		csv_u64(csv, -(uint64_t)value);
	} else {
		csv_u64(csv, (uint64_t)value);
	}
}

void csv_hex(struct csv *csv, uint64_t value)
{
	unsigned digits = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
	char *to = outfile_reserve(csv->out, NUMBER_ROOM);

	*to++ = '0';
	*to++ = 'x';
	for (unsigned shift = digits * 4; shift; shift -= 4)
		*to++ = "0123456789abcdef"[value >> (shift - 4) & 0xf];
	*to++ = ',';
	csv->out->pos = to;
}

static uint64_t power_of_10(unsigned exponent)
{
	uint64_t power = 1;

	for (unsigned i = 0; i < exponent; i++)
		power *= 10;
	return power;
}

/* Writes @whole, and @fraction with @decimals digits behind a point. Returns the place behind. */
static char *format_fixed(char *to, uint64_t whole, uint64_t fraction, unsigned decimals)
{
	char *pos = format_u64(to, whole);

	if (decimals == 0)
		return pos;
	*pos = '.';
	for (unsigned i = decimals; i; i--) {
		pos[i] = (char)('0' + fraction % 10);
		fraction /= 10;
	}
	return pos + decimals + 1;
}

size_t percent_format(char to[PERCENT_MAX_CHARS], uint64_t part, uint64_t total, unsigned decimals)
{
	const uint64_t scale = power_of_10(decimals);
	char *end;

	/* 64 bits of @part, 7 of 2 * 100 and 30 of the scale stay below 128 */
	unsigned __int128 twice = (unsigned __int128)part * 200 * scale;
	unsigned __int128 units = total ? (twice + total) / ((unsigned __int128)total * 2) : 0;
	end = format_fixed(to, (uint64_t)(units / scale), (uint64_t)(units % scale), decimals);
	*end = '\0';
	return (size_t)(end - to);
}

void csv_percent(struct csv *csv, uint64_t part, uint64_t total)
{
	char cell[PERCENT_MAX_CHARS];
	size_t len = percent_format(cell, part, total, 4);

	csv_ready(csv, cell, len);
}

/* Numbers that are below this with their decimals as whole ones are formatted here. */
static const double small_end = 0x1p62;

/* @value, of 0 or more, times @scale: below small_end, computed exactly, halves rounded to even. */
static uint64_t scale_small(double value, uint64_t scale)
{
	enum { MANTISSA_BITS = 53, PRODUCT_BITS = MANTISSA_BITS + 30 }; /* 10^9 is below 2^30 */
	int exponent;
	uint64_t mantissa = (uint64_t)ldexp(frexp(value, &exponent), MANTISSA_BITS), units;
	unsigned __int128 product = (unsigned __int128)mantissa * scale, half, rest;
	int shift = MANTISSA_BITS - exponent; /* value = mantissa / 2^shift */

	if (shift <= 0)
		return (uint64_t)(product << -shift);
	if (shift > PRODUCT_BITS + 1)
		return 0; /* less than a half */
	half = (unsigned __int128)1 << (shift - 1);
	units = (uint64_t)(product >> shift);
	rest = product & (2 * half - 1);
	return units + (rest > half || (rest == half && units & 1));
}

static void put_small(struct csv *csv, double value, uint64_t scale, unsigned decimals)
{
	uint64_t units = scale_small(fabs(value), scale);
	char text[2 * NUMBER_ROOM], *end;

	*text = '-';
	end = format_fixed(text + 1, units / scale, units % scale, decimals);
	if (value < 0 && units)
		csv_ready(csv, text, (size_t)(end - text));
	else
		csv_ready(csv, text + 1, (size_t)(end - text - 1));
}

/* Large numbers take a library that is slower. The program never sets a locale, so the point is
 * one. */
void csv_decimal(struct csv *csv, double value, unsigned decimals)
{
	const uint64_t scale = power_of_10(decimals);
	char text[DBL_MAX_10_EXP + 16];

	if (!isfinite(value)) {
		csv_empty(csv);
	} else if (fabs(value) < small_end / (double)scale) {
		put_small(csv, value, scale, decimals);
	} else {
		snprintf(text, sizeof(text), "%.*f", (int)decimals, value);
		csv_ready(csv, text, strlen(text));
	}
}
