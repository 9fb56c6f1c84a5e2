/* Lines of a kernel's list that are found by bisection: the same names as from all of them. */
#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/kernel/kallsymsnear.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 300, MAX_TEXT = 1 << 16 };

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Writes up to 400 lines that ascend, many of which perf ignores, and then some of modules. */
static size_t write_list(char *text, uint32_t seed, uint64_t *last)
{
	static const char types[] = "tTwWdDbBrRaAVn?";
	const uint32_t nr = next_random(&seed) % 400, nr_types = 1 + next_random(&seed) % 15;
	uint64_t address = next_random(&seed) % 3 ? 0xffffffff81000000 : 0;
	size_t len = 0;

	for (uint32_t i = 0; i < nr; i++) {
		address += next_random(&seed) % 4 ? 16 * (next_random(&seed) % 9) : 0;
		len += (size_t)sprintf(text + len, "%016" PRIx64 " %c %s%x\n", address,
				       types[next_random(&seed) % nr_types],
				       next_random(&seed) % 8 ? "function_" : "$x.",
				       next_random(&seed) % 50);
	}
	for (uint32_t i = next_random(&seed) % 5; i > 0; i--)
		len += (size_t)sprintf(text + len, "%016" PRIx64 " t in_module_%u\t[%s]\n",
				       (uint64_t)0xffffffffc0000000 - 0x20000000 * (i % 3), i,
				       i % 2 ? "bpf" : "ext4");
	*last = address;
	return len;
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* Parses a copy of @text, and reads what names @places. */
static void read_list(struct kallsyms *kallsyms, const char *text, size_t len,
		      const struct place_list *places, struct symtab *table)
{
	char *copy = malloc(len + 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	*table = (struct symtab){0};
	ck_assert_int_eq(kallsyms_parse(kallsyms, copy, len), 0);
	ck_assert_int_eq(kallsyms_read_kernel(kallsyms, places, 0, table), 0);
}

/* All places have the same symbol in @all and @near. Returns how many have one. */
static size_t check_same(struct symtab *all, struct symtab *near, const struct place_list *places)
{
	size_t cursors[2] = {0}, named = 0;

	for (size_t i = 0; i < places->nr_places; i++) {
		const uint64_t address = places->places[i].address;
		const struct range *a = symtab_find(all, address, &cursors[0]);
		const struct range *b = symtab_find(near, address, &cursors[1]);

		ck_assert(!a == !b);
		if (!a)
			continue;
		named++;
		ck_assert_uint_eq(a->start, b->start);
		ck_assert_uint_eq(a->end, b->end);
		ck_assert_str_eq(symtab_best(all, a, false)->name,
				 symtab_best(near, b, false)->name);
	}
	return named;
}

/* Checks @places in @text. Returns how many have a name; *@size: of the lines that tell them. */
static size_t check_near(const char *text, size_t len, const struct place_list *places,
			 size_t *size)
{
	const struct kallsyms_lines lines = kallsymsnear_lines(text, len);
	struct kallsyms all, few;
	struct symtab of_all, of_few;
	bool nomem;
	char *near = kallsymsnear_copy(&lines, places, size, &nomem);
	size_t named;

	ck_assert_ptr_nonnull(near);
	ck_assert(!nomem);
	ck_assert_uint_eq(strlen(near), *size);
	read_list(&all, text, len, places, &of_all);
	read_list(&few, near, *size, places, &of_few);
	named = check_same(&of_all, &of_few, places);
	symtab_free(&of_all);
	symtab_free(&of_few);
	kallsyms_free(&all);
	kallsyms_free(&few);
	free(near);
	return named;
}

/* Places before the last symbol: the last one ends differently. */
START_TEST(few_lines_tell_what_all_tell)
{
	static char text[MAX_TEXT];
	static struct place places[MAX_PLACES];
	size_t size, named = 0;
	uint64_t last;

	for (uint32_t seed = 1; seed <= 2000; seed++) {
		uint32_t random = seed + 12345;
		const size_t len = write_list(text, seed, &last);
		struct place_list list = {.places = places,
					  .nr_places = next_random(&random) % MAX_PLACES};

		ck_assert_uint_lt(len, MAX_TEXT);
		for (size_t i = 0; i < list.nr_places; i++)
			places[i] = (struct place){.address = last - next_random(&random) % 20000};
		qsort(places, list.nr_places, sizeof(places[0]), compare_places);
		/* What is named by the last symbol that perf takes has no end here. */
		while (list.nr_places > 0 && places[list.nr_places - 1].address + 4096 > last)
			list.nr_places--;
		named += check_near(text, len, &list, &size);
		ck_assert_uint_le(size, len);
	}
	ck_assert_uint_gt(named, 20000);
}
END_TEST

static const char some[] = "0000000000000000 A fixed\n"
			   "ffffffff81000000 T _text\n"
			   "ffffffff81000000 T startup\n"
			   "ffffffff81000100 r ignored\n"
			   "ffffffff81000200 t first\n"
			   "ffffffff81000300 t second_etext\n"
			   "ffffffff81000400 T _etext\n"
			   "ffffffff81000400 t behind\n"
			   "ffffffffc0000000 t x\t[ext4]\n"
			   "ffffffff81000000 t _module\t[ext4]\n";

START_TEST(only_what_is_needed_is_copied)
{
	const struct kallsyms_lines lines = kallsymsnear_lines(some, strlen(some));
	struct place places[] = {{.address = 0xffffffff81000180}, {.address = 0xffffffff810001ff}};
	struct place_list list = {.places = places, .nr_places = 2};
	bool nomem;
	size_t size;
	char *near = kallsymsnear_copy(&lines, &list, &size, &nomem);

	ck_assert_ptr_eq(lines.end, strstr(some, "ffffffffc0000000"));
	ck_assert_str_eq(near, "ffffffff81000000 T _text\nffffffff81000000 T startup\n"
			       "ffffffff81000100 r ignored\nffffffff81000200 t first\n");
	free(near);
	places[1].address = 0xffffffff81000400;
	near = kallsymsnear_copy(&lines, &list, &size, &nomem);
	ck_assert_str_eq(near, "ffffffff81000000 T _text\nffffffff81000000 T startup\n"
			       "ffffffff81000100 r ignored\nffffffff81000200 t first\n"
			       "ffffffff81000400 T _etext\nffffffff81000400 t behind\n");
	free(near);
	list.nr_places = 0;
	near = kallsymsnear_copy(&lines, &list, &size, &nomem);
	ck_assert_str_eq(near, "");
	free(near);
}
END_TEST

START_TEST(names_are_found)
{
	const struct kallsyms_lines lines = kallsymsnear_lines(some, strlen(some));
	uint64_t address;

	ck_assert(kallsymsnear_find(&lines, 0, "_text", &address));
	ck_assert_uint_eq(address, 0xffffffff81000000);
	ck_assert(kallsymsnear_find(&lines, 0xffffffff81000280, "_etext", &address));
	ck_assert_uint_eq(address, 0xffffffff81000400);
	ck_assert(kallsymsnear_find(&lines, UINT64_MAX, "_etext", &address));
	ck_assert(!kallsymsnear_find(&lines, UINT64_MAX, "first", &address));
	ck_assert(!kallsymsnear_find(&lines, 0, "ignored", &address));
	ck_assert(!kallsymsnear_find(&lines, 0, "_module", &address));
	ck_assert(!kallsymsnear_find(&lines, 0, "etext", &address));
}
END_TEST

/* A recording may ask for any name: it is not looked for behind the last line. */
START_TEST(names_with_newlines)
{
	static const char text[] = "ffffffff81000000 T _text\nffffffff81000100 t a\n";
	const size_t size = strlen(text);
	char *exact = malloc(size); /* sanitizers watch its end */
	struct kallsyms_lines lines;
	uint64_t address;

	ck_assert_ptr_nonnull(exact);
	memcpy(exact, text, size);
	lines = kallsymsnear_lines(exact, size);
	ck_assert(kallsymsnear_find(&lines, 0, "a", &address));
	ck_assert(!kallsymsnear_find(&lines, 0, "a\n", &address));
	ck_assert(!kallsymsnear_find(&lines, 0, "_text\nffffffff81000100 t a\n", &address));
	free(exact);
}
END_TEST

/* In no order, nobody knows where a name would be. */
START_TEST(what_does_not_ascend_is_refused)
{
	static const char wild[] = "ffffffff81000000 T a\nffffffff81000200 t b\n"
				   "ffffffff81000100 t c\nffffffff81000300 t d\n";
	static const char *const texts[] = {some, wild, "\n\n\n", "x"};
	struct place places[] = {{.address = 0xffffffff81000250}, {.address = 0xffffffff81000200}};
	struct place_list list = {.places = places, .nr_places = 2};
	bool nomem;
	size_t size;

	for (size_t i = 0; i < 4; i++) {
		const struct kallsyms_lines lines = kallsymsnear_lines(texts[i], strlen(texts[i]));

		ck_assert_ptr_null(kallsymsnear_copy(&lines, &list, &size, &nomem));
		ck_assert(!nomem);
	}
	/* A list that is cut has whole lines only. */
	for (size_t len = 0; len < strlen(some); len++) {
		const struct kallsyms_lines lines = kallsymsnear_lines(some, len);

		ck_assert(lines.end == some || lines.end[-1] == '\n');
	}
}
END_TEST

/* The running kernel's own list, if it shows addresses. */
START_TEST(a_real_list)
{
	static struct place places[MAX_PLACES];
	const struct place_list list = {.places = places, .nr_places = MAX_PLACES};
	struct kallsyms_lines lines;
	uint64_t start = 0, end = 0;
	uint32_t random = 1;
	size_t size, len = 0, room = 64 << 20;
	char *text = malloc(room);
	FILE *in = fopen("/proc/kallsyms", "r");

	ck_assert_ptr_nonnull(text);
	if (in) {
		len = fread(text, 1, room, in);
		fclose(in);
	}
	lines = kallsymsnear_lines(text, len);
	if (!kallsymsnear_find(&lines, 0, "_text", &start) ||
	    !kallsymsnear_find(&lines, start, "_etext", &end) || start == 0) {
		machine_lacks("/proc/kallsyms shows no addresses");
		free(text);
		return;
	}
	for (size_t i = 0; i < MAX_PLACES; i++)
		places[i].address =
			start + ((uint64_t)next_random(&random) << 24 | next_random(&random)) %
					(end - start);
	qsort(places, MAX_PLACES, sizeof(places[0]), compare_places);
	ck_assert_uint_eq(check_near(text, len, &list, &size), MAX_PLACES);
	ck_assert_uint_lt(size, len / 20);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kallsymsnear");
	TCase *tcase = tcase_create("kallsymsnear");

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, few_lines_tell_what_all_tell);
	tcase_add_test(tcase, only_what_is_needed_is_copied);
	tcase_add_test(tcase, names_are_found);
	tcase_add_test(tcase, names_with_newlines);
	tcase_add_test(tcase, what_does_not_ascend_is_refused);
	tcase_add_test(tcase, a_real_list);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
