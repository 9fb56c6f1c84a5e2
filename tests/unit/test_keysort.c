/* Sorting by integers: order, stability, keys that differ anywhere. */
#include "tests/support/suite.h"
#include "util/keysort.h"

#include <check.h>
#include <stdlib.h>

enum { NR = 5000 };

static int compare(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

static const uint64_t masks[] = {
	0,
	1,
	0xff,
	0x700,
	0x8000000000000001,
	0xffffffff00000000,
	UINT64_MAX,
	0xf0000f,
	0xfffff00000,
	0xc00000000000001f,
};

START_TEST(as_qsort)
{
	static struct keyed list[NR], spare[NR], expected[NR];
	uint64_t random = 1;

	for (size_t i = 0; i < NR; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		list[i] = (struct keyed){(random ^ random >> 29) & masks[_i], i};
		expected[i] = list[i];
	}
	qsort(expected, NR, sizeof(*expected), compare);
	keysort(list, spare, NR);
	for (size_t i = 0; i < NR; i++) {
		ck_assert_uint_eq(list[i].key, expected[i].key);
		ck_assert_uint_eq(list[i].value, expected[i].value);
	}
}
END_TEST

struct pair {
	uint32_t key, number;
};

START_TEST(pairs_as_keys)
{
	static struct keyed list[NR], spare[NR];
	static struct pair pairs[NR], spare_pairs[NR];
	uint64_t random = 7;

	for (uint32_t i = 0; i < NR; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		pairs[i] = (struct pair){(uint32_t)(random >> 32 & masks[_i]), i};
		list[i] = (struct keyed){pairs[i].key, i};
	}
	keysort(list, spare, NR);
	keysort_pairs(pairs, spare_pairs, NR);
	for (size_t i = 0; i < NR; i++) {
		ck_assert_uint_eq(pairs[i].key, list[i].key);
		ck_assert_uint_eq(pairs[i].number, list[i].value);
	}
}
END_TEST

START_TEST(few)
{
	struct keyed list[2] = {{9, 1}, {3, 2}}, spare[2];

	keysort(NULL, NULL, 0);
	keysort(list, spare, 1);
	ck_assert_uint_eq(list[0].key, 9);
	keysort(list, spare, 2);
	ck_assert_uint_eq(list[0].key, 3);
	ck_assert_uint_eq(list[0].value, 2);
	ck_assert_uint_eq(list[1].key, 9);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("keysort");
	TCase *keys = tcase_create("keys");

	tcase_add_loop_test(keys, as_qsort, 0, sizeof(masks) / sizeof(masks[0]));
	tcase_add_loop_test(keys, pairs_as_keys, 0, sizeof(masks) / sizeof(masks[0]));
	tcase_add_test(keys, few);
	suite_add_tcase(suite, keys);
	return suite_run(suite);
}
