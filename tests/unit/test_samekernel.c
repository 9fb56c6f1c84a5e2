/* What tells the recorded kernel where no build id does. */
#include "decode/symbol/kernel/samekernel.h"

#include "tests/support/suite.h"

#include <check.h>
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

START_TEST(moved_at_boot)
{
	ck_assert(samekernel_was_moved(places[_i].machine, places[_i].text) == places[_i].is);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("samekernel");
	TCase *tcase = tcase_create("samekernel");

	tcase_add_test(tcase, names_of_the_system);
	tcase_add_loop_test(tcase, moved_at_boot, 0, sizeof(places) / sizeof(places[0]));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
