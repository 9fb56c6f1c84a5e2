/* Units, abbreviations and entries of DWARF, byte for byte: what hostile ones may cost. */
#include "decode/symbol/dwarf/die.h"

#include "decode/symbol/elf/strtab.h"
#include "tests/support/suite.h"

#include <check.h>
#include <dwarf.h>
#include <string.h>

enum { ROOM = 64 * 1024, UNIT_BYTES = 12 };

static uint8_t info[ROOM], abbrevs[ROOM];
static size_t info_len, abbrevs_len;
static struct unit_set set;

static void setup(void)
{
	info_len = abbrevs_len = 0;
	set = (struct unit_set){0};
}

static void teardown(void)
{
	unit_set_free(&set);
}

static void put_u32(uint32_t value)
{
	memcpy(info + info_len, &value, sizeof(value));
	info_len += sizeof(value);
}

/* A unit of DWARF 4 with one entry of one byte, whose abbreviations are at @offset. */
static void put_unit(size_t offset, uint8_t code)
{
	put_u32(UNIT_BYTES - 4);
	info[info_len++] = 4; /* the version */
	info[info_len++] = 0;
	put_u32((uint32_t)offset);
	info[info_len++] = 8; /* bytes of an address */
	info[info_len++] = code;
}

static void put_abbrevs(const void *bytes, size_t len)
{
	ck_assert_uint_le(abbrevs_len + len, ROOM);
	memcpy(abbrevs + abbrevs_len, bytes, len);
	abbrevs_len += len;
}

/* An abbreviation of 5 + 2 * @nr bytes with @nr attributes of no bytes. */
static void put_abbrev(uint8_t code, size_t nr)
{
	const uint8_t head[] = {code, DW_TAG_compile_unit, 0};

	put_abbrevs(head, sizeof(head));
	for (size_t i = 0; i < nr; i++)
		put_abbrevs((const uint8_t[]){DW_AT_external, DW_FORM_flag_present}, 2);
	put_abbrevs("\0", 2);
}

static void read_units(void)
{
	set.sections.info = span_make(info, info_len, false);
	set.sections.abbrevs = span_make(abbrevs, abbrevs_len, false);
	set.sections.info_size = info_len;
	set.sections.abbrevs_size = abbrevs_len;
	ck_assert_int_eq(unit_set_read(&set), 0);
}

/* How many units have an entry of their own that can be read. */
static size_t count_first(void)
{
	size_t nr = 0;
	struct die die;

	for (size_t i = 0; i < set.info.nr; i++)
		nr += die_first(&set.info.list[i], &die);
	return nr;
}

START_TEST(units_with_tables_of_their_own)
{
	for (size_t i = 0; i < 100; i++) {
		put_unit(abbrevs_len, 1);
		put_abbrev(1, 30);
		put_abbrevs("", 1);
	}
	read_units();
	ck_assert_uint_eq(set.info.nr, 100);
	ck_assert_uint_eq(count_first(), 100);
	for (size_t i = 0; i < 100; i++) {
		struct die die;

		ck_assert_uint_eq(set.info.list[i].offset, i * UNIT_BYTES);
		ck_assert_ptr_eq(unit_set_at(&set, i * UNIT_BYTES + 11), &set.info.list[i]);
		ck_assert(die_at(&set.info.list[i], 0, &die));
		ck_assert_uint_eq(die_value(&die, DW_AT_external).form, DW_FORM_flag_present);
		ck_assert_uint_eq(die_value(&die, DW_AT_name).form, 0);
		ck_assert(!die_at(&set.info.list[i], 1, &die));
		ck_assert(!die_at(&set.info.list[i], UINT64_MAX, &die));
	}
	ck_assert_ptr_null(unit_set_at(&set, info_len));
	ck_assert_ptr_null(unit_set_type(&set, 0));
	ck_assert(!set.nomem);
}
END_TEST

START_TEST(units_that_nobody_can_read)
{
	put_unit(0, 1);
	put_unit(0, 1);
	put_unit(0, 1);
	info[UNIT_BYTES + 4] = 6; /* the version, of the second one */
	info_len -= 3;
	put_abbrev(1, 1);
	read_units();
	ck_assert_uint_eq(set.info.nr, 1); /* the third one has half a header */
	ck_assert_ptr_null(unit_set_at(&set, UNIT_BYTES));
}
END_TEST

/* Compilers share no table, dwz shares long ones between small units. */
START_TEST(many_units_with_one_long_table)
{
	const size_t nr = 1000;

	for (size_t i = 0; i < nr; i++)
		put_unit(0, i % 2 ? 2 : 1);
	put_abbrev(3, 198);
	put_abbrev(1, 20);
	put_abbrev(2, 22);
	put_abbrevs("", 1);
	ck_assert_uint_eq(abbrevs_len, 401 + 45 + 49 + 1);
	read_units();
	ck_assert_uint_eq(set.first_left, 16 * nr * UNIT_BYTES + abbrevs_len);
	ck_assert_uint_eq(count_first(), 409); /* of 446 and 495 bytes, in turn */
	ck_assert_uint_eq(set.first_left, 0);
}
END_TEST

START_TEST(units_alike_read_their_abbreviation_once)
{
	for (size_t i = 0; i < 1000; i++)
		put_unit(0, 1);
	put_abbrev(3, 198);
	put_abbrev(1, 20);
	read_units();
	ck_assert_uint_eq(count_first(), 1000);
	ck_assert_uint_eq(set.first_left, 16 * info_len);
}
END_TEST

/* Each table begins one abbreviation later in the same bytes. */
START_TEST(tables_that_overlap)
{
	size_t nr = 0;
	struct die die;

	for (size_t i = 0; i < 200; i++) {
		put_unit(abbrevs_len, 1);
		put_abbrev(1, 10);
	}
	read_units();
	ck_assert_uint_eq(set.tables_left, 4 * 200 * UNIT_BYTES + 200 * 25);
	for (size_t i = 0; i < 200; i++)
		nr += die_at(&set.info.list[i], 0, &die);
	ck_assert_uint_eq(set.tables_left, 0);
	ck_assert_uint_eq(nr, 3); /* of 5000, 4975 and 4950 bytes */
}
END_TEST

START_TEST(attributes_without_number)
{
	struct die die;

	put_unit(0, 1);
	put_abbrevs((const uint8_t[]){1, DW_TAG_compile_unit, 0}, 3);
	for (size_t i = 0; i < 510; i++)
		put_abbrevs((const uint8_t[]){DW_AT_external, DW_FORM_flag_present}, 2);
	put_abbrevs((const uint8_t[]){DW_AT_declaration, DW_FORM_flag_present}, 2);
	put_abbrevs((const uint8_t[]){DW_AT_artificial, DW_FORM_flag_present}, 2);
	put_abbrevs((const uint8_t[]){DW_AT_prototyped, DW_FORM_flag_present}, 2);
	put_abbrevs("\0\0", 3);
	read_units();
	ck_assert(die_at(&set.info.list[0], 0, &die));
	ck_assert_uint_eq(span_left(&die.attributes), 1024);
	ck_assert_uint_ne(die_value(&die, DW_AT_declaration).form, 0);
	ck_assert_uint_ne(die_value(&die, DW_AT_artificial).form, 0);
	ck_assert_uint_eq(die_value(&die, DW_AT_prototyped).form, 0);
}
END_TEST

START_TEST(a_table_without_an_end)
{
	struct die die;

	put_unit(0, 1);
	put_unit(1 << 20, 1); /* lies outside: has none */
	put_abbrev(1, 3);     /* ends with the section */
	read_units();
	ck_assert(die_at(&set.info.list[0], 0, &die));
	ck_assert(!die_at(&set.info.list[1], 0, &die));
	ck_assert_uint_eq(count_first(), 1);
}
END_TEST

/* ---- children that may be left out ----------------------------------------------------------- */

/* A unit with a scope that has a function, and one behind it; both functions have an address. */
struct scope {
	uint8_t tag;	       /* of the scope */
	uint8_t attributes[4]; /* names and forms of its two attributes */
	uint32_t sibling;      /* where it says that the entry behind it is */
};

enum { SCOPE_AT = UNIT_BYTES, SCOPE_BYTES = 6, BEHIND_AT = 24 };

static void put_scope(const struct scope *scope)
{
	const uint8_t *names = scope->attributes;

	put_abbrevs((const uint8_t[]){1, DW_TAG_compile_unit, 1, 0, 0}, 5);
	put_abbrevs(
		(const uint8_t[]){2, scope->tag, 1, names[0], names[1], names[2], names[3], 0, 0},
		9);
	put_abbrevs((const uint8_t[]){3, DW_TAG_subprogram, 0, DW_AT_low_pc, DW_FORM_data4, 0, 0},
		    7);
	put_abbrevs("", 1);
	put_unit(0, 1);
	info[info_len++] = 2;
	if (names[0] != DW_AT_sibling)
		info[info_len++] = 0;
	put_u32(scope->sibling);
	if (names[0] == DW_AT_sibling)
		info[info_len++] = 0;
	ck_assert_uint_eq(info_len, SCOPE_AT + SCOPE_BYTES);
	info[info_len++] = 3;
	put_u32(1);
	info[info_len++] = 0;
	ck_assert_uint_eq(info_len, BEHIND_AT);
	info[info_len++] = 3;
	put_u32(2);
	info[info_len++] = 0;
	info[0] = (uint8_t)(info_len - 4);
	read_units();
}

/* Adds up the addresses of functions, and ten times their depths. */
static int add_function(void *arg, const struct die_entry *entry)
{
	unsigned *sum = arg;

	ck_assert_int_eq(entry->kind, ABBREV_FUNCTION);
	*sum += (unsigned)die_value(&entry->die, DW_AT_low_pc).number + 10 * entry->depth;
	return 0;
}

enum { INNER = 1 + 20, OUTER = 2 + 10 };

#define SIBLING_LAST                                                       \
	{                                                                  \
		DW_AT_external, DW_FORM_data1, DW_AT_sibling, DW_FORM_ref4 \
	}

static const struct {
	struct scope scope;
	bool skips;
} scopes[] = {
	{{DW_TAG_structure_type, SIBLING_LAST, 24}, true},
	{{DW_TAG_subprogram, SIBLING_LAST, 24}, true},
	{{DW_TAG_namespace, SIBLING_LAST, 24}, false},
	{{DW_TAG_module, SIBLING_LAST, 24}, false},
	/* not the last value, or of another form */
	{{DW_TAG_structure_type, {DW_AT_sibling, DW_FORM_ref4, DW_AT_external, DW_FORM_data1}, 24},
	 false},
	{{DW_TAG_structure_type, {DW_AT_external, DW_FORM_data1, DW_AT_sibling, DW_FORM_data4}, 24},
	 false},
	/* not behind the entry, or not in the unit */
	{{DW_TAG_structure_type, SIBLING_LAST, 18}, false},
	{{DW_TAG_structure_type, SIBLING_LAST, 12}, false},
	{{DW_TAG_structure_type, SIBLING_LAST, 0}, false},
	{{DW_TAG_structure_type, SIBLING_LAST, 31}, false},
	{{DW_TAG_structure_type, SIBLING_LAST, UINT32_MAX}, false},
};

START_TEST(children_are_left_out)
{
	unsigned all = 0, some = 0;
	bool skipped = true;

	put_scope(&scopes[_i].scope);
	ck_assert_int_eq(die_scan(&set.info.list[0], NULL, add_function, &all), 0);
	ck_assert_uint_eq(all, INNER + OUTER);
	ck_assert_int_eq(die_scan(&set.info.list[0], &skipped, add_function, &some), 0);
	ck_assert_uint_eq(some, scopes[_i].skips ? OUTER : INNER + OUTER);
	ck_assert(skipped == scopes[_i].skips);
}
END_TEST

/* ---- strings --------------------------------------------------------------------------------- */

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
	Suite *suite = suite_create("die");
	TCase *tcase = tcase_create("die");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, units_with_tables_of_their_own);
	tcase_add_test(tcase, units_that_nobody_can_read);
	tcase_add_test(tcase, many_units_with_one_long_table);
	tcase_add_test(tcase, units_alike_read_their_abbreviation_once);
	tcase_add_test(tcase, tables_that_overlap);
	tcase_add_test(tcase, attributes_without_number);
	tcase_add_test(tcase, a_table_without_an_end);
	tcase_add_loop_test(tcase, children_are_left_out, 0, sizeof(scopes) / sizeof(scopes[0]));
	tcase_add_test(tcase, strings_up_to_the_last_nul);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
