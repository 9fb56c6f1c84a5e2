/* Files of Parquet: the bytes of their parts; every byte, 64 KB, the largest numbers, nothing. */
#include "report/export/parquetcolumn.h"

#include "report/export/runforms.h"
#include "report/table.h"
#include "tests/support/hostilerows.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void assert_bytes(const struct thrift *found, const char *expected, size_t len)
{
	ck_assert(!found->failed);
	ck_assert_uint_eq(found->len, len);
	ck_assert_mem_eq(found->bytes, expected, len);
}

#define BYTES(text) text, sizeof(text) - 1

START_TEST(structs_have_these_bytes)
{
	struct thrift to = {0};

	thrift_i32(&to, 1, -1);
	thrift_i64(&to, 3, 300);
	thrift_open(&to, 4);
	thrift_bytes(&to, 20, "ab", 2); /* too far away for a step */
	thrift_close(&to);
	thrift_list(&to, 5, THRIFT_I32, 2);
	thrift_i32(&to, 0, 1);
	thrift_i32(&to, 0, 2);
	thrift_list(&to, 6, THRIFT_STRUCT, 15);
	thrift_close(&to);
	assert_bytes(&to, BYTES("\x15\x01\x26\xd8\x04\x1c\x08\x28\x02"
				"ab\0\x19\x25\x02\x04\x19\xfc\x0f\0"));
	thrift_clear(&to);
	assert_bytes(&to, BYTES(""));
	thrift_free(&to);
}
END_TEST

static void add_text(struct parquetcolumn *column, const char *text)
{
	struct cell cell;

	cell_text(&cell, text);
	parquetcolumn_add(column, &cell);
}

START_TEST(texts_that_repeat_have_a_dictionary)
{
	struct parquetcolumn column = {.type = PARQUET_TEXT};
	struct thrift page = {0};

	add_text(&column, "a");
	add_text(&column, "");
	add_text(&column, "b\xff");
	add_text(&column, "a");
	ck_assert(!parquetcolumn_has_dictionary(&column));
	parquetcolumn_put_cells(&column, &page);
	assert_bytes(&page,
		     BYTES("\x02\0\0\0\x03\x0d\x01\0\0\0a\x04\0\0\0b\xef\xbf\xbd\x01\0\0\0a"));
	add_text(&column, "a");
	ck_assert(parquetcolumn_has_dictionary(&column));
	thrift_clear(&page);
	parquetcolumn_put_dictionary(&column, &page);
	assert_bytes(&page, BYTES("\x01\0\0\0a\x04\0\0\0b\xef\xbf\xbd"));
	thrift_clear(&page);
	parquetcolumn_put_cells(&column, &page);
	assert_bytes(&page, BYTES("\x02\0\0\0\x03\x1d\x01\x03\x02"));
	parquetcolumn_clear(&column);
	ck_assert(!parquetcolumn_has_dictionary(&column));
	add_text(&column, "c");
	thrift_clear(&page);
	parquetcolumn_put_cells(&column, &page);
	assert_bytes(&page, BYTES("\x02\0\0\0\x02\x01\x01\0\0\0c"));
	thrift_free(&page);
	parquetcolumn_free(&column);
}
END_TEST

START_TEST(numbers_are_whole)
{
	struct parquetcolumn periods = {.type = parquetcolumn_type(CELL_U64)};
	struct parquetcolumn percents = {.type = parquetcolumn_type(CELL_PERCENT)};
	struct thrift page = {0};
	struct cell cell;

	cell_u64(&cell, UINT64_MAX);
	parquetcolumn_add(&periods, &cell);
	cell_empty(&cell);
	parquetcolumn_add(&periods, &cell);
	parquetcolumn_put_cells(&periods, &page);
	assert_bytes(&page, BYTES("\x02\0\0\0\x03\x01\xff\xff\xff\xff\xff\xff\xff\xff"));
	thrift_clear(&page);
	cell_percent(&cell, 1, 8);
	parquetcolumn_add(&percents, &cell);
	parquetcolumn_put_cells(&percents, &page);
	assert_bytes(&page, BYTES("\x02\0\0\0\x02\x01\0\0\0\0\0\0\x29\x40")); /* 12.5 */
	thrift_free(&page);
	parquetcolumn_free(&periods);
	parquetcolumn_free(&percents);
}
END_TEST

START_TEST(other_types_are_texts)
{
	struct parquetcolumn column = {.type = parquetcolumn_type(CELL_MIXED)};
	struct thrift page = {0};
	struct cell cell;

	cell_hex(&cell, 0x1e5);
	parquetcolumn_add(&column, &cell);
	cell_i32(&cell, -1);
	parquetcolumn_add(&column, &cell);
	cell_number(&cell, "007");
	parquetcolumn_add(&column, &cell);
	parquetcolumn_put_cells(&column, &page);
	assert_bytes(
		&page,
		BYTES("\x02\0\0\0\x06\x01\x05\0\0\0\x30x1e5\x02\0\0\0-1\x03\0\0\0\x30\x30\x37"));
	thrift_free(&page);
	parquetcolumn_free(&column);
}
END_TEST

/* The end of the file says how long the description before it is. */
static void assert_whole(const char *file, size_t len)
{
	uint32_t end;

	ck_assert_uint_gt(len, 12);
	ck_assert_mem_eq(file, "PAR1", 4);
	ck_assert_mem_eq(file + len - 4, "PAR1", 4);
	memcpy(&end, file + len - 8, sizeof(end));
	ck_assert_uint_le(end, len - 12);
	ck_assert_mem_eq(file + len - 8 - end, "\x15\x02\x19", 3);
}

START_TEST(files_are_whole)
{
	static const int tables[] = {REPORT_NUMBER_results, REPORT_NUMBER_overview};
	const struct results *all[] = {hostilerows_results(), hostilerows_nothing()};

	for (size_t i = 0; i < 4; i++) {
		size_t len, again_len;
		char *file =
			hostilerows_write(all[i / 2], 0, false, parquet_write, tables[i % 2], &len);
		char *again = hostilerows_write(all[i / 2], 0, false, parquet_write, tables[i % 2],
						&again_len);

		assert_whole(file, len);
		ck_assert_uint_eq(len, again_len);
		ck_assert_mem_eq(file, again, len);
		free(file);
		free(again);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("parquet");
	TCase *tc = tcase_create("parquet");

	tcase_add_test(tc, structs_have_these_bytes);
	tcase_add_test(tc, texts_that_repeat_have_a_dictionary);
	tcase_add_test(tc, numbers_are_whole);
	tcase_add_test(tc, other_types_are_texts);
	tcase_add_test(tc, files_are_whole);
	suite_add_tcase(s, tc);
	return suite_run(s);
}
