/* What tells the recorded kernel where no build id does. */
#include "decode/symbol/kernel/samekernel.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

START_TEST(names_of_the_system)
{
	struct symbol_kernel recorded = {0};
	struct utsname own;

	ck_assert_int_eq(uname(&own), 0);
	ck_assert(!samekernel_is_same_system(&recorded));
	ck_assert(!samekernel_is_denied(&recorded));
	recorded = (struct symbol_kernel){
		.hostname = own.nodename, .release = own.release, .machine = own.machine};
	ck_assert(samekernel_is_same_system(&recorded));
	ck_assert(!samekernel_is_denied(&recorded));
	/* Containers have names of their own. */
	recorded.hostname = "none";
	ck_assert(!samekernel_is_same_system(&recorded));
	ck_assert(!samekernel_is_denied(&recorded));
	recorded.release = "none";
	ck_assert(samekernel_is_denied(&recorded));
	recorded.release = NULL;
	ck_assert(!samekernel_is_denied(&recorded));
	recorded.machine = "none";
	ck_assert(samekernel_is_denied(&recorded));
}
END_TEST

static const struct {
	const char *machine;
	uint64_t text;
	bool is;
} places[] = {
	{"x86_64", 0xffffffff81000000, false},
	{"x86_64", 0xffffffff81200000, true},
	{"x86_64", 0xffffffff9e000000, true},
	{"x86_64", 0, false},
	/* 48 and 39 bits of address: linked behind 128 MB or 2 GB for modules */
	{"aarch64", 0xffff800008000000, false},
	{"aarch64", 0xffff800080000000, false},
	{"aarch64", 0xffff000008080000, false},
	{"aarch64", 0xffffffc010080000, false},
	{"aarch64", 0xffffffc080000000, false},
	{"aarch64", 0xffffb4d2a7a10000, true},
	{"aarch64", 0xffffffe5d2a00000, true},
	{"aarch64", 0, false},
	/* Where others are linked is not known. */
	{"s390x", 0x3ffe0000000, false},
	{"riscv64", 0xffffffff80000000, false},
	{"riscv64", 0xffffffff9e000000, false},
};

/* Beginnings of lists, the last line cut; the recorded kernel has _text at 0xffffffff81000000. */
static const struct {
	const char *head;
	bool is_elsewhere;
} heads[] = {
	{"ffffffff81000000 T _text\nffffffff81000100 t a\nfffff", false},
	{"ffffffff9e000000 T _text\nffffffff9e000100 t a\nfffff", true},
	{"ffffffff9e000000 T startup_64\nffffffff9e000000 T _stext\nffffffff9e000000 T _text\n",
	 true},
	{"0000000000000000 A fixed_percpu_data\n0000000000001000 A cpu_debug_store\n"
	 "ffffffff9e000000 T _text\n",
	 true},
	/* hidden */
	{"0000000000000000 A fixed_percpu_data\n0000000000000000 T _text\n0000000000000000 t a\n",
	 false},
	/* It comes later, or is of a module. */
	{"ffffffff9e000000 T _stext\nffffffff9e000100 t a\nffffffff9e", false},
	{"ffffffffc0000000 t _text\t[m]\n", false},
	{"ffffffff9e000000 T _text", false},
	{"", false},
};

START_TEST(beginnings_of_lists)
{
	const char *head = heads[_i].head;
	const struct dso dso = {.reference_symbol = "_text",
				.reference_address = 0xffffffff81000000};

	ck_assert(samekernel_is_elsewhere(&dso, head, strlen(head)) == heads[_i].is_elsewhere);
	ck_assert(!samekernel_is_elsewhere(&(struct dso){0}, head, strlen(head)));
}
END_TEST

START_TEST(moved_at_boot)
{
	ck_assert(samekernel_was_moved(places[_i].machine, places[_i].text) == places[_i].is);
}
END_TEST

static const struct {
	const char *machine;
	int64_t shift;
	bool can;
} shifts[] = {
	{"x86_64", 0, true},	      {"x86_64", 0x200000, true},    {"x86_64", -0x1d000000, true},
	{"x86_64", -0x190, false},    {"x86_64", 0x10000, false},    {"aarch64", 0x10000, true},
	{"aarch64", -0x1000, true},   {"aarch64", 0x800, false},     {"i686", 0x2000, true},
	{NULL, 0x7fff00001000, true}, {NULL, 0x7fff00000190, false},
};

START_TEST(how_far_it_can_be_moved)
{
	ck_assert(samekernel_can_shift(shifts[_i].machine, (uint64_t)shifts[_i].shift) ==
		  shifts[_i].can);
}
END_TEST

static struct kallsyms parse(const char *lines)
{
	struct kallsyms kallsyms = {0};

	ck_assert_int_eq(kallsyms_parse(&kallsyms, strdup(lines), strlen(lines)), 0);
	return kallsyms;
}

#define TEXT  "ffffffff81000000 T _text\n"
#define WORK  "ffffffff81000100 t work\n"
#define DATA  "ffffffff82000000 D data\n"
#define MOVED "ffffffff91000000 T _text\nffffffff91000100 t work\nffffffff92000000 D data\n"

static const struct {
	const char *lines;
	bool are;
} lists[] = {
	{TEXT WORK DATA, true},
	{MOVED, true},
	{TEXT WORK DATA "ffffffffc0000000 t other\t[m]\n", true},
	{TEXT "ffffffffc0000000 t other\t[m]\n" WORK DATA, true},
	{TEXT WORK, false},
	{TEXT WORK DATA DATA, false},
	{TEXT "ffffffff81000110 t work\n" DATA, false},
	{TEXT "ffffffff81000100 t wore\n" DATA, false},
	{"0000000000000000 T _text\n0000000000000000 t work\n0000000000000000 D data\n", false},
};

START_TEST(lists_of_one_kernel)
{
	struct kallsyms one = parse(TEXT WORK DATA "ffffffffc0000100 t read\t[n]\n");
	struct kallsyms other = parse(lists[_i].lines);

	ck_assert(samekernel_are_lists_of_one(&one, &other) == lists[_i].are);
	ck_assert(samekernel_are_lists_of_one(&other, &one) == lists[_i].are);
	kallsyms_free(&one);
	kallsyms_free(&other);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("samekernel");
	TCase *tcase = tcase_create("samekernel");

	tcase_add_test(tcase, names_of_the_system);
	tcase_add_loop_test(tcase, moved_at_boot, 0, sizeof(places) / sizeof(places[0]));
	tcase_add_loop_test(tcase, how_far_it_can_be_moved, 0, sizeof(shifts) / sizeof(shifts[0]));
	tcase_add_loop_test(tcase, beginnings_of_lists, 0, sizeof(heads) / sizeof(heads[0]));
	tcase_add_loop_test(tcase, lists_of_one_kernel, 0, sizeof(lists) / sizeof(lists[0]));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
