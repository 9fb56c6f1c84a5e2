/* A hand that can't go on: what waited then is not touched again, and it says why. */
#include "decode/replay/hand.h"
#include "perffile/context.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

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
	for (int i = 1; i < 2 * PENDING_MAX; i++)
		ck_assert(hand_count_plain(hand, maps, &sample, 1, false));
	ck_assert(!hand_count_plain(hand, maps, &sample, 1, false));
	/* Its batch and its maps go. */
	free(words);
	free(maps);
	ck_assert(!hand_flush(hand, false));
	ck_assert(!hand_count_plain(hand, NULL, &sample, 1, false));
	ck_assert(!hand_count(hand, NULL, &(struct stack_sample){0}));
	ck_assert(!hand_make_room(hand));
	ck_assert_str_eq(hand->err.text, "out of memory while counting samples");
	ck_assert(!hand_move_addresses(hand, &sums, NULL));
	ck_assert_uint_eq(address_count(&sums), 0);
	hand_free(hand);
	free(hand);
}
END_TEST

/* Many paths go to a file, which cannot be made. */
START_TEST(no_room_for_paths)
{
	struct addrspaces spaces = {
		.unmapped = &unmapped, .guest = &unmapped, .vsyscall = &unmapped};
	const struct stack_settings settings = {.mode = USER_PART_AUTO, .paths_max = 2};
	struct hand *hand = calloc(1, sizeof(*hand));
	struct map_set *maps = calloc(1, sizeof(*maps));
	const uint64_t words[NR_WORDS] = {3, CONTEXT_USER, 0x1000, 0x2000};
	struct plain_sample sample = {.event = &chained,
				      .bytes = (const uint8_t *)words,
				      .nr_ips = 3,
				      .ip = 0x1000,
				      .cpumode = CPUMODE_USER};

	ck_assert(hand && maps);
	ck_assert_int_eq(setenv("TMPDIR", "/no/such/directory", 1), 0);
	hand_init(hand, &spaces, &settings);
	ck_assert(hand_make_room(hand));
	ck_assert(hand_count_plain(hand, maps, &sample, 1, false));
	ck_assert(hand_flush(hand, false));
	ck_assert_uint_eq(callpath_count(&hand->stacks.paths.now), 3);
	ck_assert(!hand_make_room(hand));
	ck_assert_int_eq(hand->err.kind, ERROR_IO);
	ck_assert_ptr_nonnull(strstr(hand->err.text, "/no/such/directory"));
	ck_assert(!hand_count_plain(hand, maps, &sample, 1, false));
	ck_assert(!hand_flush(hand, false));
	ck_assert_int_eq(hand->err.kind, ERROR_IO);
	unsetenv("TMPDIR");
	free(maps);
	hand_free(hand);
	free(hand);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hand");
	TCase *tc = tcase_create("hand");

	tcase_add_test(tc, memory_is_out);
	tcase_add_test(tc, no_room_for_paths);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
