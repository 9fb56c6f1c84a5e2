/* A hand that memory is out for: what waited then is not touched again. */
#include "decode/replay/hand.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { NR_WORDS = 64 };

static const struct event chained = {.number = 0, .chains = true}, plain = {.number = 1};
static const struct dso unmapped = {.kind = DSO_NONE, .path = ""};

/* As memory that is out when samples are counted. */
static bool refuse(void *arg, uint32_t number, uint32_t tag, uint64_t period)
{
	(void)arg;
	(void)number;
	(void)tag;
	(void)period;
	return false;
}

START_TEST(memory_is_out)
{
	struct addrspaces spaces = {
		.unmapped = &unmapped, .guest = &unmapped, .vsyscall = &unmapped};
	const struct stack_settings settings = {.mode = USER_PART_AUTO};
	struct hand *hand = calloc(1, sizeof(*hand));
	struct map_set *maps = calloc(1, sizeof(*maps));
	uint8_t *words = calloc(NR_WORDS, 8);
	struct plain_sample sample = {.event = &chained,
				      .bytes = words,
				      .nr_ips = 4,
				      .ip = 0x1000,
				      .cpumode = CPUMODE_USER};
	struct address_table sums = {0};

	ck_assert(hand && maps && words);
	hand_init(hand, &spaces, &settings);
	hand->addresses.counted = refuse;
	ck_assert(hand_count_plain(hand, maps, &sample, 1, false));
	ck_assert_uint_eq(hand->nr_plain, 1);
	sample.event = &plain;
	for (int i = 1; i < PENDING_MAX; i++)
		ck_assert(hand_count_plain(hand, maps, &sample, 1, false));
	ck_assert(!hand_count_plain(hand, maps, &sample, 1, false));
	/* Its batch and its maps go. */
	free(words);
	free(maps);
	ck_assert(!hand_flush(hand, false));
	ck_assert(!hand_count_plain(hand, NULL, &sample, 1, false));
	ck_assert(!hand_count(hand, NULL, &(struct stack_sample){0}));
	ck_assert(!hand_move_addresses(hand, &sums));
	ck_assert_uint_eq(address_count(&sums), 0);
	hand_free(hand);
	free(hand);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hand");
	TCase *tc = tcase_create("hand");

	tcase_add_test(tc, memory_is_out);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
