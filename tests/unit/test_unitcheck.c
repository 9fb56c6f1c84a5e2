/* DWARF units that libdw would read for hours, and tables of strings without an end. */
#include "decode/symbol/unitcheck.h"

#include "decode/symbol/strtab.h"
#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 * 1024, UNIT_BYTES = 12 };

static uint8_t info[ROOM], abbrevs[ROOM];
static size_t info_len, abbrevs_len;

static void setup(void)
{
	info_len = abbrevs_len = 0;
}

static void put_u32(uint32_t value)
{
	memcpy(info + info_len, &value, sizeof(value));
	info_len += sizeof(value);
}

/* A unit of DWARF 4 with one entry of one byte, whose abbreviations are at @offset. */
static void put_unit(uint32_t offset)
{
	put_u32(UNIT_BYTES - 4);
	info[info_len++] = 4; /* the version */
	info[info_len++] = 0;
	put_u32(offset);
	info[info_len++] = 8; /* bytes of an address */
	info[info_len++] = 1; /* the entry's abbreviation */
}

/* An abbreviation with @nr attributes of no bytes. */
static void put_abbrev(uint8_t code, size_t nr)
{
	const uint8_t head[] = {code, 0x11, 0}, flag[] = {0x3f, 0x19}, end[] = {0, 0};

	memcpy(abbrevs + abbrevs_len, head, sizeof(head));
	abbrevs_len += sizeof(head);
	for (size_t i = 0; i < nr; i++, abbrevs_len += sizeof(flag))
		memcpy(abbrevs + abbrevs_len, flag, sizeof(flag));
	memcpy(abbrevs + abbrevs_len, end, sizeof(end));
	abbrevs_len += sizeof(end);
}

static bool can_be_read(void)
{
	bool nomem = false;
	bool can = units_can_be_read(span_make(info, info_len, false),
				     span_make(abbrevs, abbrevs_len, false), &nomem);

	ck_assert(!nomem);
	return can;
}

START_TEST(units_with_tables_of_their_own)
{
	ck_assert(can_be_read());
	for (uint32_t i = 0; i < 100; i++) {
		put_unit((uint32_t)abbrevs_len);
		put_abbrev(1, 30);
		abbrevs[abbrevs_len++] = 0;
	}
	ck_assert(can_be_read());
	info_len -= 3; /* the last one is cut */
	ck_assert(can_be_read());
}
END_TEST

/* They may have 16 bytes of abbreviations for each of their own, and all of the section. */
START_TEST(many_units_with_one_long_table)
{
	const size_t nr = 1000, most = (16 * nr * UNIT_BYTES + 400) / nr;

	for (size_t i = 0; i < nr; i++)
		put_unit(0);
	put_abbrev(1, (400 - 6) / 2);
	abbrevs[abbrevs_len++] = 0;
	ck_assert_uint_eq(abbrevs_len, 400);
	ck_assert_uint_lt(most, 400);
	ck_assert(!can_be_read());
	setup();
	for (size_t i = 0; i < nr; i++)
		put_unit(0);
	put_abbrev(1, (192 - 6) / 2);
	abbrevs[abbrevs_len++] = 0;
	ck_assert_uint_eq(abbrevs_len, 192);
	ck_assert(can_be_read());
}
END_TEST

START_TEST(attributes_without_number)
{
	put_unit(0);
	put_abbrev(1, 1024);
	abbrevs[abbrevs_len++] = 0;
	ck_assert(can_be_read());
	abbrevs_len--;
	put_abbrev(2, 1025);
	abbrevs[abbrevs_len++] = 0;
	ck_assert(!can_be_read());
}
END_TEST

START_TEST(a_table_without_an_end)
{
	put_unit(0);
	put_abbrev(1, 3);
	ck_assert(can_be_read()); /* ends with the section */
	put_unit(1 << 20);
	ck_assert(can_be_read()); /* lies outside: has none */
}
END_TEST

START_TEST(strings_up_to_the_last_nul)
{
	static const char bytes[] = {'a', 'b', '\0', 'c', '\0', 'd', 'e'};
	struct span table = strtab_make(span_make(bytes, sizeof(bytes), false));

	ck_assert_uint_eq(span_left(&table), 5);
	ck_assert_str_eq(strtab_at(&table, 0), "ab");
	ck_assert_str_eq(strtab_at(&table, 1), "b");
	ck_assert_str_eq(strtab_at(&table, 4), "");
	ck_assert_ptr_null(strtab_at(&table, 5));
	ck_assert_ptr_null(strtab_at(&table, UINT64_MAX));
	table = strtab_make(span_make(bytes, 2, false));
	ck_assert_ptr_null(strtab_at(&table, 0));
	table = strtab_make(span_make(NULL, 0, false));
	ck_assert_ptr_null(strtab_at(&table, 0));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("unitcheck");
	TCase *tcase = tcase_create("unitcheck");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, units_with_tables_of_their_own);
	tcase_add_test(tcase, many_units_with_one_long_table);
	tcase_add_test(tcase, attributes_without_number);
	tcase_add_test(tcase, a_table_without_an_end);
	tcase_add_test(tcase, strings_up_to_the_last_nul);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
