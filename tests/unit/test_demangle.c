/* Names of compilers back into names of people. */
#include "decode/symbol/demangle.h"
#include "decode/symbol/shownname.h"

#include "tests/support/suite.h"

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
	{"_ZN17hello_worlds_of_a3fooEv", "hello_worlds_of_a::foo()", "hello_worlds_of_a::foo"},
	{"_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo"},
	{"_RINvNtC3std3mem8align_ofjE", "std::mem::align_of::<usize>",
	 "std::mem::align_of::<usize>"},
	{"_RNvC0_3foo", "::foo", "::foo"}, /* the crate has no name */
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

/* Writes @number of base 36, as C++ counts its substitutions, or of base 62, as Rust does. */
static size_t put_number(char *to, unsigned number, unsigned base)
{
	static const char cpp[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char rust[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *digits = base == 36 ? cpp : rust;
	size_t len = number >= base ? put_number(to, number / base, base) : 0;

	to[len] = digits[number % base];
	to[len + 1] = '\0';
	return len + 1;
}

static char *put(char *to, const char *text)
{
	return stpcpy(to, text);
}

/* f(A, P<A, A>, P<it, it>, ...): @steps parameters, each the one before twice. */
static void cpp_bomb(char *to, unsigned steps)
{
	to = put(to, "_Z1f1A1PIS_S_E");
	for (unsigned i = 1; i <= steps; i++) {
		to = put(to, "S0_I");
		for (unsigned k = 0; k < 2; k++) {
			to = put(to, "S");
			to += put_number(to, i, 36);
			to = put(to, "_");
		}
		to = put(to, "E");
	}
}

/* b::<(i32, i32), (it, it), ...>: the same. */
static void rust_bomb(char *to, unsigned steps)
{
	const char *start = to + 2;
	size_t last = 8, at;

	to = put(to, "_RINvC1a1bTllE");
	for (unsigned i = 0; i < steps; i++) {
		at = (size_t)(to - start);
		to = put(to, "T");
		for (unsigned k = 0; k < 2; k++) {
			to = put(to, "B");
			to += put_number(to, (unsigned)last - 1, 62);
			to = put(to, "_");
		}
		to = put(to, "E");
		last = at;
	}
	put(to, "E");
}

/* f(int[int], it[it], ...): the same. */
static void d_bomb(char *to, unsigned steps)
{
	char *last = to + 5, *at;

	to = put(to, "_D1fFHii");
	for (unsigned i = 0; i < steps; i++) {
		at = to;
		to = put(to, "H");
		for (unsigned k = 0; k < 2; k++) {
			*to = 'Q';
			to[1] = (char)('a' + (to - last));
			to += 2;
		}
		last = at;
	}
	put(to, "Zv");
}

static const struct {
	void (*make)(char *to, unsigned steps);
	const char *small; /* with one step */
	const char *brief; /* with 30 steps, in short: NULL: stays as it is */
	size_t larger;	   /* length with seven steps */
} bombs[] = {
	{cpp_bomb, "f(A, P<A, A>, P<P<A, A>, P<A, A> >)", "f", 3287},
	{rust_bomb, "a::b::<(i32, i32), ((i32, i32), (i32, i32))>", NULL, 3560},
	{d_bomb, "f(int[int], int[int][int[int]])", NULL, 2551},
};

/* A name of some 250 bytes can ask for more text than there is memory. */
START_TEST(names_that_grow_without_bound_stay_as_they_are)
{
	char name[1024], *plain;

	bombs[_i].make(name, 1);
	check_name(name, DEMANGLE_FULL, bombs[_i].small);
	bombs[_i].make(name, 7);
	plain = demangle(name, DEMANGLE_FULL);
	ck_assert_ptr_nonnull(plain);
	ck_assert_uint_eq(strlen(plain), bombs[_i].larger);
	free(plain);
	bombs[_i].make(name, 30);
	check_name(name, DEMANGLE_FULL, NULL);
	check_name(name, DEMANGLE_SHORT, bombs[_i].brief);
}
END_TEST

/* Returns @len bytes 'a' that end in @tail, for free(). */
static char *huge_name(size_t len, const char *tail)
{
	char *name = malloc(len + 1);

	ck_assert_ptr_nonnull(name);
	memset(name, 'a', len);
	name[len] = '\0';
	memcpy(name + len - strlen(tail), tail, strlen(tail));
	return name;
}

/* Checks that a name of @len bytes is shown as one of @shown_len bytes that ends in @end. */
static void check_shown(size_t len, const char *tail, size_t shown_len, const char *end)
{
	struct intern strings = {0};
	char *name = huge_name(len, tail);
	const char *shown = shown_name_keep(&strings, name, DEMANGLE_FULL);

	ck_assert_ptr_nonnull(shown);
	ck_assert_uint_eq(strlen(shown), shown_len);
	ck_assert_str_eq(shown + shown_len - strlen(end), end);
	free(name);
	intern_free(&strings);
}

START_TEST(huge_names_are_cut_and_stay_different)
{
	struct intern strings = {0};

	ck_assert_str_eq(shown_name_keep(&strings, "_Z1fi", DEMANGLE_FULL), "f(int)");
	ck_assert_str_eq(shown_name_keep(&strings, "_Z1fi", DEMANGLE_NONE), "_Z1fi");
	intern_free(&strings);
	check_shown(65536, "b", 65536, "aab");
	check_shown(65537, "b", 65536, "aa...988772ba2e90f1a5");
	check_shown(65537, "c", 65536, "aa...988771ba2e90eff2");
	/* The cut leaves no part of a character. */
	check_shown(65537,
		    "\xe2\x82\xac"
		    "aaaaaaaaaaaaaaaaaa",
		    65535, "aa...3240181ba522f989");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("demangle");
	TCase *tc = tcase_create("demangle");

	tcase_add_loop_test(tc, names_of_all_languages, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_test(tc, monstrous_names_stay_as_they_are);
	tcase_add_test(tc, huge_names_are_cut_and_stay_different);
	tcase_add_loop_test(tc, names_that_grow_without_bound_stay_as_they_are, 0,
			    sizeof(bombs) / sizeof(bombs[0]));
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
