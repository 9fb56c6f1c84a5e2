/* Names of compilers back into names of people. */
#include "decode/symbol/demangle.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *full, *brief; /* NULL: stays as it is */
} names[] = {
	{"main", NULL, NULL},
	{"", NULL, NULL},
	{"_", NULL, NULL},
	{"_Z", NULL, NULL},
	{"_ZN", NULL, NULL},
	{"Zebra", NULL, NULL},
	{"foo.cold", NULL, NULL},
	{"puts@@GLIBC_2.2.5", NULL, NULL},
	{"memcpy@plt", NULL, NULL},
	{"_ZN2ns1fEi", "ns::f(int)", "ns::f"},
	{"_ZN1AC2Ev", "A::A()", "A::A"},
	{"_Z3addIiET_S0_S0_", "int add<int>(int, int)", "add<int>"},
	{"_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size() const",
	 "std::vector<int, std::allocator<int> >::size"},
	{"_Z3fooi.cold", "foo(int) [clone .cold]", "foo"},
	{"_Z3fooi.isra.0.cold", "foo(int) [clone .isra.0] [clone .cold]", "foo"},
	{"_Z3fooi.part.1", "foo(int) [clone .part.1]", "foo"},
	{"_Z3fooi.constprop.0", "foo(int) [clone .constprop.0]", "foo"},
	{"_Z1fv.llvm.123", "f() [clone .llvm.123]", "f"},
	{"_Znwm@plt", "operator new(unsigned long)@plt", "operator new@plt"},
	{"_Znwm@@GLIBCXX_3.4", "operator new(unsigned long)@@GLIBCXX_3.4",
	 "operator new@@GLIBCXX_3.4"},
	{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write", "core::fmt::write"},
	{"_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo"},
	{"_RINvNtC3std3mem8align_ofjE", "std::mem::align_of::<usize>",
	 "std::mem::align_of::<usize>"},
	{"_RNvNtCs1234_7mycrate3foo3bar.llvm.123", "mycrate::foo::bar", "mycrate::foo::bar"},
	{"_ZN4core3ptr13drop_in_place17h0123456789abcdefE.llvm.9", "core::ptr::drop_in_place",
	 "core::ptr::drop_in_place"},
	{"_D3foo3barFiZv", "foo.bar(int)", "foo.bar"},
	{"_Dmain", "D main", "D main"},
};

static void check_name(const char *name, enum demangle style, const char *expected)
{
	char *plain = demangle(name, style);

	if (expected)
		ck_assert_pstr_eq(plain, expected);
	else
		ck_assert_msg(!plain, "%s became %s", name, plain);
	free(plain);
}

START_TEST(names_of_all_languages)
{
	check_name(names[_i].name, DEMANGLE_FULL, names[_i].full);
	check_name(names[_i].name, DEMANGLE_SHORT, names[_i].brief);
	check_name(names[_i].name, DEMANGLE_NONE, NULL);
}
END_TEST

/* "_Z1f" and @count times @part, and "i": a parameter nested that deep. */
static char *nested(const char *part, size_t count)
{
	size_t len = strlen(part);
	char *name = malloc(4 + count * len + 2);

	ck_assert_ptr_nonnull(name);
	strcpy(name, "_Z1f");
	for (size_t i = 0; i < count; i++)
		memcpy(name + 4 + i * len, part, len);
	strcpy(name + 4 + count * len, "i");
	return name;
}

START_TEST(monstrous_names_stay_as_they_are)
{
	char *name = nested("P", 3);

	check_name(name, DEMANGLE_FULL, "f(int***)");
	free(name);
	name = nested("P", 60000); /* too deep */
	check_name(name, DEMANGLE_FULL, NULL);
	free(name);
	name = nested("P", 70000); /* too long */
	check_name(name, DEMANGLE_FULL, NULL);
	free(name);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("demangle");
	TCase *tc = tcase_create("demangle");

	tcase_add_loop_test(tc, names_of_all_languages, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_test(tc, monstrous_names_stay_as_they_are);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	SRunner *sr = srunner_create(suite());
	int failed;

	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
