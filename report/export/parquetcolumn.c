#include "report/export/parquetcolumn.h"

#include "report/csvform.h"
#include "util/array.h"
#include "util/text.h"

#include <stdlib.h>
#include <string.h>

enum parquet_type parquetcolumn_type(enum cell_type type)
{
	switch (type) {
	case CELL_U64:
		return PARQUET_INT64;
	case CELL_I32:
		return PARQUET_INT32;
	case CELL_DECIMAL:
	case CELL_PERCENT:
	case CELL_RATIO:
		return PARQUET_DOUBLE;
	default:
		return PARQUET_TEXT;
	}
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void add_number(struct parquetcolumn *column, const void *value, size_t len)
{
	thrift_raw(&column->values, value, len);
	column->failed |= column->values.failed;
	column->bytes += len;
}

/* Invalid bytes become U+FFFD, as in CSV. Returns the length of column->clean. */
static size_t clean_text(struct parquetcolumn *column, const char *text, size_t len)
{
	column->failed |= !array_grow(column->clean, column->clean_room, 3 * len + 1);
	if (column->failed)
		return 0;
	return (size_t)(text_repair(column->clean, text, len) - column->clean);
}

static void add_text(struct parquetcolumn *column, const char *text, size_t len)
{
	const size_t nr = column->nr_known;
	uint32_t number;

	len = clean_text(column, text, strnlen(text, len));
	if (column->failed)
		return;
	number = intern(&column->texts, column->clean, len);
	column->failed |= number == INTERN_NOMEM ||
			  !array_grow(column->numbers, column->numbers_room, nr + 1);
	if (column->failed)
		return;
	column->numbers[nr] = number;
	column->bytes += len + sizeof(uint32_t);
}

static bool is_empty(const struct cell *cell, const char *digits)
{
	return cell->type == CELL_TEXT || cell->type == CELL_NUMBER ? cell->text.len == 0
								    : *digits == '\0';
}

static void add_value(struct parquetcolumn *column, const struct cell *cell, const char *digits)
{
	double decimal;

	switch (column->type) {
	case PARQUET_INT64:
		add_number(column, &cell->u64, sizeof(cell->u64));
		break;
	case PARQUET_INT32:
		add_number(column, &cell->i32, sizeof(cell->i32));
		break;
	case PARQUET_DOUBLE:
		decimal = strtod(digits, NULL);
		add_number(column, &decimal, sizeof(decimal));
		break;
	default:
		if (cell->type == CELL_TEXT || cell->type == CELL_NUMBER)
			add_text(column, cell->text.bytes, cell->text.len);
		else
			add_text(column, digits, strlen(digits));
	}
	column->nr_known++;
}

void parquetcolumn_add(struct parquetcolumn *column, const struct cell *cell)
{
	const uint8_t bit = (uint8_t)(1 << column->nr % 8);
	char digits[CSVFORM_NUMBER_MAX] = "";

	column->failed |= !array_grow(column->known, column->known_room, column->nr / 8 + 1);
	if (column->failed)
		return;
	if (column->nr % 8 == 0)
		column->known[column->nr / 8] = 0;
	/* Numbers of 64 and 32 bits are not needed as digits, unless the column has texts. */
	if (cell->type == CELL_EMPTY)
		digits[0] = '\0';
	else if (column->type == PARQUET_INT64 || column->type == PARQUET_INT32)
		digits[0] = '0';
	else if (cell->type != CELL_TEXT && cell->type != CELL_NUMBER)
		csvform_number(digits, cell);
	if (!is_empty(cell, digits)) {
		column->known[column->nr / 8] |= bit;
		add_value(column, cell, digits);
	}
	column->nr++;
}

/* ---- pages ----------------------------------------------------------------------------------- */

bool parquetcolumn_has_dictionary(const struct parquetcolumn *column)
{
	return column->texts.nr_strings > 0 && column->texts.nr_strings <= column->nr_known / 2;
}

static void put_u32(struct thrift *page, size_t value)
{
	const uint32_t number = (uint32_t)value; /* the machine's order is the file's */

	thrift_raw(page, &number, sizeof(number));
}

static void put_text(struct thrift *page, const char *text)
{
	const size_t len = strlen(text);

	put_u32(page, len);
	thrift_raw(page, text, len);
}

void parquetcolumn_put_dictionary(const struct parquetcolumn *column, struct thrift *page)
{
	for (uint32_t i = 1; i <= column->texts.nr_strings; i++)
		put_text(page, intern_get(&column->texts, i));
}

/* Which cells are known: one run of bits, or of all the same. */
static void put_known(const struct parquetcolumn *column, struct thrift *page)
{
	const size_t groups = (column->nr + 7) / 8, start = page->len;
	size_t len;

	put_u32(page, 0);
	if (column->nr_known == column->nr || column->nr_known == 0) {
		const uint8_t same = column->nr_known > 0;

		thrift_varint(page, (uint64_t)column->nr << 1);
		thrift_raw(page, &same, 1);
	} else {
		thrift_varint(page, (uint64_t)groups << 1 | 1);
		thrift_raw(page, column->known, groups);
	}
	len = page->len - start - sizeof(uint32_t);
	if (!page->failed)
		memcpy(page->bytes + start, &(uint32_t){(uint32_t)len}, sizeof(uint32_t));
}

/* The numbers of texts in the dictionary, all of them with the bits that the last one has. */
static void put_numbers(const struct parquetcolumn *column, struct thrift *page)
{
	const uint32_t last = (uint32_t)column->texts.nr_strings - 1;
	const unsigned width = last ? 32 - (unsigned)__builtin_clz(last) : 1;
	const size_t groups = (column->nr_known + 7) / 8;
	const uint8_t first = (uint8_t)width;
	uint64_t bits = 0;
	unsigned nr_bits = 0;

	thrift_raw(page, &first, 1);
	thrift_varint(page, (uint64_t)groups << 1 | 1);
	for (size_t i = 0; i < groups * 8; i++) {
		if (i < column->nr_known)
			bits |= (uint64_t)(column->numbers[i] - 1) << nr_bits;
		for (nr_bits += width; nr_bits >= 8; nr_bits -= 8, bits >>= 8)
			thrift_raw(page, &(uint8_t){(uint8_t)bits}, 1);
	}
}

void parquetcolumn_put_cells(const struct parquetcolumn *column, struct thrift *page)
{
	put_known(column, page);
	if (column->type != PARQUET_TEXT) {
		thrift_raw(page, column->values.bytes, column->values.len);
	} else if (parquetcolumn_has_dictionary(column)) {
		put_numbers(column, page);
	} else {
		for (size_t i = 0; i < column->nr_known; i++)
			put_text(page, intern_get(&column->texts, column->numbers[i]));
	}
}

void parquetcolumn_clear(struct parquetcolumn *column)
{
	column->nr = column->nr_known = 0;
	column->bytes = 0;
	thrift_clear(&column->values);
	intern_free(&column->texts);
}

void parquetcolumn_free(struct parquetcolumn *column)
{
	free(column->known);
	thrift_free(&column->values);
	intern_free(&column->texts);
	free(column->numbers);
	free(column->clean);
}
