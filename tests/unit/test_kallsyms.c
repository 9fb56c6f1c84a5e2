/* The kernel's list of symbols, from text written here. */
#include "decode/symbol/kernel/kallsyms.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kallsyms parse(const char *text)
{
	struct kallsyms kallsyms;
	char *copy = strdup(text);

	ck_assert_ptr_nonnull(copy);
	ck_assert_int_eq(kallsyms_parse(&kallsyms, copy, strlen(copy)), 0);
	return kallsyms;
}

static void check_symbol(const struct kallsyms *kallsyms, size_t number, uint64_t address,
			 char type, const char *name, const char *module)
{
	const struct kallsyms_symbol *symbol = &kallsyms->symbols[number];

	ck_assert_uint_eq(symbol->address, address);
	ck_assert_int_eq(kallsyms_type(kallsyms, symbol), type);
	ck_assert_str_eq(kallsyms_name(kallsyms, symbol), name);
	ck_assert_str_eq(kallsyms_module(kallsyms, symbol), module);
}

START_TEST(lines_become_symbols)
{
	struct kallsyms kallsyms = parse("ffffffff81000000 T _text\n"
					 "ffffffff81000040 t do_one_initcall\n"
					 "ffffffffc0001000 t ext4_read\t[ext4]\n"
					 "ffffffffc0002000 T ext4_write [ext4]\r\n"
					 "ffffffffc0003000 w weak\t[nf-tables]\n"
					 "FFFFFFFFC0004000 D data");

	ck_assert_uint_eq(kallsyms.nr, 6);
	ck_assert(!kallsyms.hidden);
	check_symbol(&kallsyms, 0, 0xffffffff81000000, 'T', "_text", "");
	check_symbol(&kallsyms, 1, 0xffffffff81000040, 't', "do_one_initcall", "");
	check_symbol(&kallsyms, 2, 0xffffffffc0001000, 't', "ext4_read", "ext4");
	check_symbol(&kallsyms, 3, 0xffffffffc0002000, 'T', "ext4_write", "ext4");
	check_symbol(&kallsyms, 4, 0xffffffffc0003000, 'w', "weak", "nf-tables");
	check_symbol(&kallsyms, 5, 0xffffffffc0004000, 'D', "data", "");
	kallsyms_free(&kallsyms);
}
END_TEST

START_TEST(what_is_no_symbol_is_skipped)
{
	struct kallsyms kallsyms = parse("\n"
					 "garbage\n"
					 "1000\n"
					 "1000 \n"
					 "1000 T\n"
					 "1000 T \n"
					 "1000 T  \t[module]\n"
					 "1000 T\tname\n"
					 "1000 A absolute\n"
					 "1000 r rodata\n"
					 "1000 t $x\n"
					 "11112222333344445 T too_long\n"
					 " T no_address\n"
					 "1000 \n T name\n"
					 "2000 T good\t[unclosed\n"
					 "3000 t without\t[]\n");

	ck_assert_uint_eq(kallsyms.nr, 2);
	check_symbol(&kallsyms, 0, 0x2000, 'T', "good", "unclosed");
	check_symbol(&kallsyms, 1, 0x3000, 't', "without", "");
	kallsyms_free(&kallsyms);
	kallsyms = parse("");
	ck_assert_uint_eq(kallsyms.nr, 0);
	ck_assert(!kallsyms.hidden);
	kallsyms_free(&kallsyms);
}
END_TEST

/* Addresses of any length, and names of any length up to where eight bytes are not left. */
START_TEST(of_any_length)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz";
	char text[120];

	for (int digits = 1; digits <= 16; digits++)
		for (int len = 1; len <= 26; len++) {
			struct kallsyms kallsyms;

			snprintf(text, sizeof(text), "%.*s t %.*s\n%.*s T %.*s", digits,
				 "1234567890abcDEF", len, name, digits, "FEDCBA9876543210", len,
				 name + 26 - len);
			kallsyms = parse(text);
			ck_assert_uint_eq(kallsyms.nr, 2);
			snprintf(text, sizeof(text), "%.*s", len, name);
			check_symbol(&kallsyms, 0, 0x1234567890abcdef >> 4 * (16 - digits), 't',
				     text, "");
			check_symbol(&kallsyms, 1, 0xfedcba9876543210 >> 4 * (16 - digits), 'T',
				     name + 26 - len, "");
			kallsyms_free(&kallsyms);
		}
}
END_TEST

/* Bytes beside the digits, and names with what is no letter. */
START_TEST(odd_bytes)
{
	struct kallsyms kallsyms = parse("1234567g T no_digit\n"
					 "1234567/ T no_digit\n"
					 "1234567: T no_digit\n"
					 "1234567@ T no_digit\n"
					 "1234567` T no_digit\n"
					 "1234567\x11 T no_digit\n"
					 "1234567\xb1 T no_digit\n"
					 "00001000 T vertical\vtab_in_name\n"
					 "00002000 T caf\xc3\xa9_name_of_bytes\n"
					 "00003000 T lib\x7f_name\t[m]\n");

	ck_assert_uint_eq(kallsyms.nr, 3);
	check_symbol(&kallsyms, 0, 0x1000, 'T', "vertical\vtab_in_name", "");
	check_symbol(&kallsyms, 1, 0x2000, 'T', "caf\xc3\xa9_name_of_bytes", "");
	check_symbol(&kallsyms, 2, 0x3000, 'T', "lib\x7f_name", "m");
	kallsyms_free(&kallsyms);
}
END_TEST

START_TEST(zeros_everywhere_are_hidden_addresses)
{
	struct kallsyms kallsyms = parse("0000000000000000 T _text\n0000000000000000 t f\n");

	ck_assert(kallsyms.hidden);
	kallsyms_free(&kallsyms);
	kallsyms = parse("0000000000000000 T first\n0000000000001000 t f\n");
	ck_assert(!kallsyms.hidden);
	kallsyms_free(&kallsyms);
}
END_TEST

START_TEST(the_kernels_own_symbol_is_found_by_name)
{
	struct kallsyms kallsyms = parse("1000 T _stext\t[odd]\n2000 T _stext\n");
	uint64_t address = 0;

	ck_assert(kallsyms_address(&kallsyms, "_stext", &address));
	ck_assert_uint_eq(address, 0x2000);
	ck_assert(!kallsyms_address(&kallsyms, "_text", &address));
	kallsyms_free(&kallsyms);
}
END_TEST

static void check_name(struct symtab *table, uint64_t address, const char *name)
{
	size_t cursor = 0;
	const struct range *range = symtab_find(table, address, &cursor);

	if (!name)
		ck_assert_ptr_null(range);
	else
		ck_assert_str_eq(range ? symtab_best(table, range, false)->name : "(none)", name);
}

START_TEST(symbols_reach_to_the_next_one)
{
	struct kallsyms kallsyms = parse("ffffffff81000000 T first\n"
					 "ffffffffc0001000 t in_module\t[m]\n"
					 "ffffffff81000100 t second\n"
					 "ffffffff81000200 D data\n"
					 "ffffffff81003010 t last\n");
	struct symtab table = {0};

	ck_assert_int_eq(kallsyms_read(&kallsyms, "", 0, UINT64_MAX, &table), 0);
	check_name(&table, 0xffffffff80ffffff, NULL);
	check_name(&table, 0xffffffff81000000, "first");
	check_name(&table, 0xffffffff810000ff, "first");
	check_name(&table, 0xffffffff81000100, "second");
	check_name(&table, 0xffffffff81000200, "data");
	check_name(&table, 0xffffffff8100300f, "data");
	check_name(&table, 0xffffffff81003010, "last");
	/* The last one ends a page behind the end of its own. */
	check_name(&table, 0xffffffff81004fff, "last");
	check_name(&table, 0xffffffff81005000, NULL);
	check_name(&table, 0xffffffffc0001000, NULL);
	symtab_free(&table);
	kallsyms_free(&kallsyms);
}
END_TEST

START_TEST(the_last_alias_counts_as_in_perf)
{
	struct kallsyms kallsyms = parse("1000 T srso_alias_untrain_ret\n"
					 "1000 T _stext\n"
					 "1000 T _text\n"
					 "2000 T memcpy\n"
					 "2000 T __memcpy\n"
					 "2000 W __pi_memcpy\n"
					 "3000 t end\n");
	struct symtab table = {0};

	ck_assert_int_eq(kallsyms_read(&kallsyms, "", 0, UINT64_MAX, &table), 0);
	check_name(&table, 0x1000, "_text");
	check_name(&table, 0x2fff, "__pi_memcpy");
	symtab_free(&table);
	kallsyms_free(&kallsyms);
}
END_TEST

START_TEST(a_module_has_its_own_symbols)
{
	struct kallsyms kallsyms = parse("1000 T kernel\n"
					 "c0001000 t f\t[snd_pcm]\n"
					 "c0001100 t g\t[snd_pcm]\n"
					 "c0003000 t other\t[snd]\n"
					 "c0009000 t far\t[snd_pcm]\n");
	struct symtab table = {0};

	ck_assert_int_eq(kallsyms_read(&kallsyms, "snd-pcm", 0xc0001000, 0xc0003000, &table), 0);
	ck_assert_uint_eq(table.nr, 2);
	check_name(&table, 0xc0001000, "f");
	check_name(&table, 0xc00010ff, "f");
	check_name(&table, 0xc0001100, "g");
	check_name(&table, 0xc0002fff, "g");
	check_name(&table, 0xc0003000, NULL);
	symtab_free(&table);
	kallsyms_free(&kallsyms);
}
END_TEST

/* ---- only what is near some places ----------------------------------------------------------- */

enum { NEAR_SYMBOLS = 60, NEAR_PLACES = 12, NEAR_SPAN = 0x4000 };

/* Symbols that mostly ascend, of the kernel, of modules and made at run time, some at one address.
 */
static struct kallsyms parse_random(void)
{
	static const char *const modules[] = {"", "", "", "", "", "\t[m]", "\t[bpf]"};
	char text[NEAR_SYMBOLS * 64], *end = text;
	unsigned address = 0;

	for (int i = 0; i < NEAR_SYMBOLS; i++) {
		address = rand() % 9 ? address + (unsigned)rand() % 3 * ((unsigned)rand() % 0x180)
				     : (unsigned)rand() % NEAR_SPAN;
		end += sprintf(end, "%08x %c %ss%d%s\n", address, "TtWdB"[rand() % 5],
			       rand() % 5 ? "" : "_", i, modules[rand() % 7]);
	}
	return parse(text);
}

static int by_address(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* Checks that @near says of @address what @all says. */
static void check_same(struct symtab *near, struct symtab *all, uint64_t address)
{
	size_t near_at = 0, all_at = 0;
	const struct range *found = symtab_find(near, address, &near_at);
	const struct range *expected = symtab_find(all, address, &all_at);

	ck_assert_int_eq(found != NULL, expected != NULL);
	if (!found)
		return;
	ck_assert_str_eq(symtab_best(near, found, false)->name,
			 symtab_best(all, expected, false)->name);
	ck_assert_uint_eq(near->entries[found->item].start, all->entries[expected->item].start);
}

/* The places are 0x1000 lower than the addresses. */
START_TEST(symbols_near_places_suffice_for_them)
{
	size_t nr_near = 0, nr_all = 0;

	srand(1);
	for (int round = 0; round < 3000; round++) {
		struct kallsyms kallsyms = parse_random();
		struct place places[NEAR_PLACES] = {0};
		struct place_list list = {.places = places,
					  .nr_places = 1 + (size_t)rand() % NEAR_PLACES};
		struct symtab near = {0}, all = {0};

		for (size_t i = 0; i < list.nr_places; i++)
			places[i].address = (uint64_t)(rand() % (2 * NEAR_SPAN)) - 0x1000;
		qsort(places, list.nr_places, sizeof(*places), by_address);
		ck_assert_int_eq(kallsyms_read_kernel(&kallsyms, NULL, 0x1000, &all), 0);
		ck_assert_int_eq(kallsyms_read_kernel(&kallsyms, &list, 0x1000, &near), 0);
		for (size_t i = 0; i < list.nr_places; i++)
			check_same(&near, &all, places[i].address + 0x1000);
		nr_near += near.nr;
		nr_all += all.nr;
		symtab_free(&near);
		symtab_free(&all);
		kallsyms_free(&kallsyms);
	}
	ck_assert_uint_lt(nr_near, nr_all * 3 / 4);
}
END_TEST

/* Wishes lead elsewhere, and what does not ascend is not expected. */
START_TEST(all_symbols_are_read_unless_the_places_are_known)
{
	struct kallsyms kallsyms = parse("1000 T a\n2000 T b\n3000 T c\n4000 T d\n5000 T e\n");
	struct place places[] = {{.address = 0x4800}, {.address = 0x4900}};
	struct place_list list = {.places = places, .nr_places = 2};
	struct symtab table = {0};

	ck_assert_int_eq(kallsyms_read_kernel(&kallsyms, &list, 0, &table), 0);
	ck_assert_uint_eq(table.nr, 3); /* a is the first before the places */
	symtab_free(&table);
	list.wishes = WISH_DETAILS;
	ck_assert_int_eq(kallsyms_read_kernel(&kallsyms, &list, 0, &table), 0);
	ck_assert_uint_eq(table.nr, 5);
	symtab_free(&table);
	list.wishes = 0;
	places[1].address = 0x1800;
	ck_assert_int_eq(kallsyms_read_kernel(&kallsyms, &list, 0, &table), 0);
	ck_assert_uint_eq(table.nr, 5);
	symtab_free(&table);
	kallsyms_free(&kallsyms);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("kallsyms");
	TCase *tc = tcase_create("kallsyms");

	tcase_add_test(tc, lines_become_symbols);
	tcase_add_test(tc, what_is_no_symbol_is_skipped);
	tcase_add_test(tc, of_any_length);
	tcase_add_test(tc, odd_bytes);
	tcase_add_test(tc, symbols_near_places_suffice_for_them);
	tcase_add_test(tc, all_symbols_are_read_unless_the_places_are_known);
	tcase_add_test(tc, zeros_everywhere_are_hidden_addresses);
	tcase_add_test(tc, the_kernels_own_symbol_is_found_by_name);
	tcase_add_test(tc, symbols_reach_to_the_next_one);
	tcase_add_test(tc, the_last_alias_counts_as_in_perf);
	tcase_add_test(tc, a_module_has_its_own_symbols);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
