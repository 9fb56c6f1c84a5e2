/* Counting by address: many at once are what they are one by one. */
#include "decode/count/address.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { ROUNDS = 200, NR_PLACES = 300 };

static struct address_key any_key(void)
{
	return (struct address_key){.place = (uint64_t)rand() % NR_PLACES,
				    .dso = (uint32_t)rand() % 3,
				    .event = (uint32_t)rand() % 2};
}

START_TEST(many_at_once)
{
	struct address_table table = {0}, one_by_one = {0};
	struct address_key keys[ADDRESS_ALL_MAX];
	uint32_t numbers[ADDRESS_ALL_MAX];

	for (int round = 0; round < ROUNDS; round++) {
		const size_t nr = (size_t)rand() % (ADDRESS_ALL_MAX + 1);

		for (size_t i = 0; i < nr; i++)
			keys[i] = any_key();
		ck_assert(address_get_all(&table, keys, nr, numbers));
		for (size_t i = 0; i < nr; i++) {
			const struct address *address = &table.addresses[numbers[i]];

			ck_assert_uint_eq(numbers[i], address_get(&one_by_one, keys[i].event,
								  keys[i].dso, keys[i].place));
			ck_assert(address->place == keys[i].place && address->dso == keys[i].dso &&
				  address->event == keys[i].event);
		}
	}
	ck_assert_uint_eq(address_count(&table), address_count(&one_by_one));
	ck_assert_uint_gt(address_count(&table), NR_PLACES);
	address_table_free(&table);
	address_table_free(&one_by_one);
}
END_TEST

/* The sums of samples that are counted in batches. */
START_TEST(sums)
{
	struct address_table table = {0};
	uint64_t samples = 0, period = 0;

	for (uint64_t i = 0; i < 1000; i++)
		ck_assert(address_add(&table, 0, (uint32_t)(i % 2), i % 10, i));
	ck_assert(address_flush(&table));
	ck_assert_uint_eq(address_count(&table), 10);
	for (size_t i = 0; i < address_count(&table); i++) {
		ck_assert_uint_eq(table.addresses[i].self.samples, 100);
		samples += table.addresses[i].self.samples;
		period += table.addresses[i].self.period;
	}
	ck_assert_uint_eq(samples, 1000);
	ck_assert_uint_eq(period, 499500);
	address_table_free(&table);
}
END_TEST

struct told {
	uint64_t samples, tags, period; /* sums */
};

static bool note_told(void *arg, uint32_t number, uint32_t tag, uint64_t period)
{
	struct told *told = arg;

	told->samples++;
	told->tags += tag;
	told->period += period;
	return number < 3;
}

/* Each is counted once, with its tag, and soon; at the fourth address it is refused. */
START_TEST(told_when_counted)
{
	enum { NR = 10 * PENDING_MAX };
	struct told told = {0};
	struct address_table table = {.counted = note_told, .counted_arg = &told};

	for (uint64_t i = 0; i < NR; i++) {
		table.tag = (uint32_t)(i & 7);
		ck_assert(address_add(&table, 0, 0, i % 3, 10));
		ck_assert_uint_lt(i + 1 - told.samples, 2 * PENDING_MAX);
	}
	ck_assert(address_flush(&table) && address_flush(&table));
	ck_assert_uint_eq(told.samples, NR);
	ck_assert_uint_eq(told.tags, NR / 8 * 28);
	ck_assert_uint_eq(told.period, NR * 10);
	for (uint64_t i = 1; i < 2 * PENDING_MAX; i++)
		ck_assert(address_add(&table, 0, 0, 3, 10));
	ck_assert(!address_add(&table, 0, 0, 3, 10));
	ck_assert_uint_eq(told.samples, NR + 1);
	ck_assert(address_add(&table, 0, 0, 0, 10)); /* there is room again */
	ck_assert(address_flush(&table));
	ck_assert_uint_eq(told.samples, NR + 2);
	address_table_free(&table);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("address");
	TCase *tc = tcase_create("address");

	tcase_add_test(tc, many_at_once);
	tcase_add_test(tc, sums);
	tcase_add_test(tc, told_when_counted);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
