#include "util/csv.h"

#include "util/digits.h"
#include "util/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Room for the longest number cell, with its comma. */
enum { NUMBER_ROOM = 24, TEXT_CHUNK = 64 * 1024 };

enum cell_class {
	CELL_QUOTED = 1, /* the cell must be quoted */
	CELL_HIGH = 2,	 /* not ASCII: must be checked */
};

/* Sixteen bytes that are compared at once, by vector instructions where there are any. */
typedef uint8_t byte_vector __attribute__((vector_size(16)));

/* Sixteen bytes or less: @len. */
static byte_vector load(const char *text, size_t len)
{
	byte_vector bytes = {0};

	memcpy(&bytes, text, len);
	return bytes;
}

static bool has_high_bit(byte_vector bytes)
{
	uint64_t halves[2];

	memcpy(halves, &bytes, sizeof(bytes));
	return (halves[0] | halves[1]) & 0x8080808080808080;
}

static unsigned classify(const char *text, size_t len)
{
	byte_vector all = {0}, special = {0};

	for (size_t at = 0; at < len; at += sizeof(all)) {
		const size_t left = len - at;
		/* a size that is known makes one instruction of it */
		const byte_vector bytes =
			left >= sizeof(all) ? load(text + at, sizeof(all)) : load(text + at, left);

		all |= bytes;
		special |= (byte_vector)((bytes == ',') | (bytes == '"') | (bytes == '\n') |
					 (bytes == '\r'));
	}
	return (has_high_bit(all) ? CELL_HIGH : 0) | (has_high_bit(special) ? CELL_QUOTED : 0);
}

/* Spreadsheets evaluate cells with these first characters, and a process can choose its name. */
static bool looks_like_formula(const char *text, size_t len)
{
	if (!len)
		return false;
	switch (text[0]) {
	case '=':
	case '+':
	case '-':
	case '@':
	case '\t':
	case '\r':
		return true;
	default:
		return false;
	}
}

/* Encodes the inside of a cell of ASCII: doubles quotes. */
static char *encode_ascii(char *to, const char *text, size_t len)
{
	const char *quote;

	while ((quote = memchr(text, '"', len))) {
		const size_t part = (size_t)(quote + 1 - text);

		to = mempcpy(to, text, part);
		*to++ = '"';
		text += part;
		len -= part;
	}
	return mempcpy(to, text, len);
}

/* Encodes the inside of a text cell: doubles quotes, replaces invalid UTF-8. */
static char *encode_inside(char *to, const char *text, size_t len, unsigned classes)
{
	if (!(classes & CELL_HIGH))
		return encode_ascii(to, text, len);
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

	pos = encode_inside(pos, text, len, classes);
	pos = encode_end(pos, classes);
	return (size_t)(pos - to);
}

/* Returns the largest part of @len that TEXT_CHUNK holds without splitting a character. */
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

		csv->out->pos = encode_inside(to, text, part, classes);
		text += part;
		len -= part;
	}
	csv->out->pos = encode_end(outfile_reserve(csv->out, 1), classes);
	csv_empty(csv);
}

/*
 * True if classify() certainly returns 0 for the eight @bytes: none has its high bit set, and none
 * is below '-', as are all characters that classify() looks for. A borrow may make this false,
 * never true.
 */
static bool are_plain(uint64_t bytes)
{
	const uint64_t ones = 0x0101010101010101, high = ones << 7;

	return !((bytes | (bytes - ones * '-')) & high);
}

/*
 * Appends a text of 4 to 16 bytes if it needs no encoding, as most names of types and events. It is
 * read and written as two ends of fixed size, which may overlap.
 */
static bool short_text(struct csv *csv, const char *text, size_t len)
{
	char *to = outfile_reserve(csv->out, NUMBER_ROOM);
	const size_t half = len < 8 ? 4 : 8;
	uint64_t first = 0, last = 0;

	if (half == 4) {
		memcpy(&first, text, 4);
		memcpy((char *)&first + 4, text + len - 4, 4);
		memcpy(to, &first, 4);
		memcpy(to + len - 4, (char *)&first + 4, 4);
	} else {
		memcpy(&first, text, 8);
		memcpy(&last, text + len - 8, 8);
		memcpy(to, &first, 8);
		memcpy(to + len - 8, &last, 8);
	}
	to[len] = ',';
	if (!are_plain(first) || (half == 8 && !are_plain(last)))
		return false;
	csv->out->pos = to + len + 1;
	return true;
}

void csv_text(struct csv *csv, const char *text, size_t len)
{
	bool guard = !csv->raw && looks_like_formula(text, len);
	unsigned classes;

	if (len >= 4 && len <= 16 && !guard && short_text(csv, text, len))
		return;
	classes = classify(text, len);
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

void csv_u64(struct csv *csv, uint64_t value)
{
	char *end = digits_u64(outfile_reserve(csv->out, NUMBER_ROOM), value);

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
	char *to = outfile_reserve(csv->out, NUMBER_ROOM);

	memcpy(to, "0x", 2);
	to = digits_hex(to + 2, value);
	*to = ',';
	csv->out->pos = to + 1;
}

void csv_percent(struct csv *csv, uint64_t part, uint64_t total)
{
	char cell[DIGITS_PERCENT_MAX];
	size_t len = digits_percent(cell, part, total, 4);

	csv_ready(csv, cell, len);
}

/* Numbers are formatted here if number * 10^decimals is below this. */
static const double small_end = 0x1p62;

/*
 * Returns @value, which is at least 0, times @scale: computed exactly, halves rounded to even. The
 * product must be below small_end.
 */
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
	end = digits_fixed(text + 1, units / scale, units % scale, decimals);
	if (value < 0 && units)
		csv_ready(csv, text, (size_t)(end - text));
	else
		csv_ready(csv, text + 1, (size_t)(end - text - 1));
}

/* Whether put_small() has room for @value with @decimals decimals. */
static bool is_small(double value, unsigned decimals)
{
	return decimals <= 9 && fabs(value) < small_end / (double)digits_power_of_10(decimals);
}

/*
 * Other numbers use the C library, which is slower. The program never sets a locale, so the decimal
 * point is a period.
 */
void csv_decimal(struct csv *csv, double value, unsigned decimals)
{
	char text[DBL_MAX_10_EXP + CSV_DECIMALS_MAX + 16];

	if (!isfinite(value)) {
		csv_empty(csv);
	} else if (is_small(value, decimals)) {
		put_small(csv, value, digits_power_of_10(decimals), decimals);
	} else {
		snprintf(text, sizeof(text), "%.*f", (int)decimals, value);
		csv_ready(csv, text, strlen(text));
	}
}
