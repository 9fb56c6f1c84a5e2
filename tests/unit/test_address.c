/* Counting by address: many at once are what they are one by one. */
#include "decode/count/address.h"

#include "tests/support/idler.h"
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

static void count_one(struct address_table *table, const struct address_key *key, uint64_t period)
{
	const uint32_t number = address_get(table, key->event, key->dso, key->place);

	ck_assert_uint_ne(number, ADDRESS_NONE);
	tally_add(&table->addresses[number].self, 1, period);
}

static void check_equal(const struct address_table *table, struct address_table *expected)
{
	ck_assert_uint_eq(address_count(table), address_count(expected));
	for (size_t i = 0; i < address_count(table); i++) {
		const struct address *at = &table->addresses[i];
		const uint32_t number = address_get(expected, at->event, at->dso, at->place);

		ck_assert_uint_eq(at->self.samples, expected->addresses[number].self.samples);
		ck_assert_uint_eq(at->self.period, expected->addresses[number].self.period);
	}
	ck_assert_uint_eq(address_count(table), address_count(expected));
}

/* Two others are counted at, and taken from time to time; they have nothing left then. */
static void take_others(struct helpers *helpers)
{
	struct address_table table = {0}, others[2] = {{0}}, expected = {0};
	uint32_t numbers[NR_PLACES * 6];

	for (int i = 0; i < 20 * ROUNDS; i++) {
		struct address_table *other = &others[rand() % 2];
		const struct address_key key = any_key();
		const uint64_t period = (uint64_t)rand();

		count_one(rand() % 3 ? other : &table, &key, period);
		count_one(&expected, &key, period);
		if (rand() % 100 > 0 || address_count(other) == 0)
			continue;
		ck_assert(address_take_others(&table, other->addresses, address_count(other),
					      numbers, helpers));
		for (size_t k = 0; k < address_count(other); k++) {
			const struct address *at = &other->addresses[k];

			ck_assert_uint_eq(at->self.samples + at->self.period, 0);
			ck_assert_uint_eq(numbers[k],
					  address_get(&table, at->event, at->dso, at->place));
		}
	}
	for (int k = 0; k < 2; k++) {
		ck_assert(address_take_others(&table, others[k].addresses,
					      address_count(&others[k]), numbers, helpers));
		address_table_free(&others[k]);
	}
	check_equal(&table, &expected);
	address_table_free(&table);
	address_table_free(&expected);
}

START_TEST(others_are_taken)
{
	take_others(NULL);
}
END_TEST

/* More than are taken in one piece. */
START_TEST(others_are_taken_by_threads)
{
	enum { NR = 20000 };
	struct address_table table = {0}, other = {0};
	uint32_t *numbers = calloc(NR, sizeof(*numbers));
	size_t nr_old;
	struct idler idler;

	ck_assert_ptr_nonnull(numbers);
	for (uint64_t i = 0; i < NR; i += 3)
		ck_assert_uint_ne(address_get(&table, 0, 0, i), ADDRESS_NONE);
	nr_old = address_count(&table);
	for (uint64_t i = 0; i < NR; i++)
		count_one(&other, &(struct address_key){.place = i}, i);
	idler_start(&idler);
	ck_assert(address_take_others(&table, other.addresses, NR, numbers, &idler.helpers));
	take_others(&idler.helpers);
	idler_end(&idler);
	ck_assert_uint_eq(address_count(&table), NR);
	for (uint64_t i = 0; i < NR; i++) {
		const struct address *at = &table.addresses[numbers[i]];

		ck_assert(at->place == i && at->self.samples == 1 && at->self.period == i);
		ck_assert_uint_eq(address_get(&table, 0, 0, i), numbers[i]);
		/* the new ones are in their order, whoever added them */
		ck_assert_uint_eq(numbers[i], i % 3 == 0 ? i / 3 : nr_old + i - i / 3 - 1);
	}
	free(numbers);
	address_table_free(&table);
	address_table_free(&other);
}
END_TEST

/* What is not in the index yet is found, too, and stays one. */
START_TEST(taken_addresses_are_found)
{
	struct address_table table = {0}, other = {0};
	uint32_t numbers[3];

	for (uint64_t place = 1; place <= 3; place++)
		ck_assert_uint_eq(address_get(&other, 0, 0, place), place - 1);
	ck_assert_uint_eq(address_get(&table, 0, 0, 2), 0);
	ck_assert(address_take_others(&table, other.addresses, 3, numbers, NULL));
	ck_assert(numbers[0] == 1 && numbers[1] == 0 && numbers[2] == 2);
	ck_assert_uint_eq(address_count(&table), 3);
	ck_assert(address_add(&table, 0, 0, 3, 10) && address_add(&table, 0, 0, 4, 10));
	ck_assert(address_flush(&table));
	ck_assert_uint_eq(address_count(&table), 4);
	ck_assert_uint_eq(table.addresses[2].self.samples, 1);
	ck_assert(address_take_others(&table, other.addresses, 3, numbers, NULL));
	ck_assert(numbers[0] == 1 && numbers[1] == 0 && numbers[2] == 2);
	address_table_free(&table);
	address_table_free(&other);
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
	tcase_add_test(tc, others_are_taken);
	tcase_add_test(tc, others_are_taken_by_threads);
	tcase_add_test(tc, taken_addresses_are_found);
	tcase_add_test(tc, told_when_counted);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
