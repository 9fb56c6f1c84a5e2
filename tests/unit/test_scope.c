/* Whose samples depend on a record of another kind. */
#include "perffile/record/scope.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <string.h>

/* A record whose body starts with @words, in either byte order. */
struct made {
	uint8_t bytes[256];
	struct raw_record raw;
};

static void put(uint8_t *to, uint32_t word, bool swap)
{
	word = swap ? __builtin_bswap32(word) : word;
	memcpy(to, &word, sizeof(word));
}

static void make(struct made *made, uint32_t type, uint16_t misc, uint16_t size, bool swap)
{
	static const uint32_t words[] = {10, 20, 30, 40};

	*made = (struct made){.raw = {.type = type, .misc = misc, .size = size}};
	made->raw.bytes = made->bytes;
	for (size_t i = 0; i < 4; i++)
		put(made->bytes + 8 + 4 * i, words[i], swap);
}

static void check(const struct record_scope *scope, size_t nr, const uint32_t *pids)
{
	ck_assert(!scope->all);
	ck_assert_uint_eq(scope->nr, nr);
	for (size_t i = 0; i < nr; i++)
		ck_assert_uint_eq(scope->pids[i], pids[i]);
}

START_TEST(of_each_type)
{
	static const struct {
		uint32_t type;
		uint16_t misc;
		size_t nr;
	} some[] = {
		{PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, 1},
		{PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 1},
		{PERF_RECORD_COMM, 0, 1},
		{PERF_RECORD_EXIT, 0, 1},
		{PERF_RECORD_FORK, 0, 3},
		{PERF_RECORD_LOST, 0, 0},
		{PERF_RECORD_LOST_SAMPLES, 0, 0},
		{PERF_RECORD_THROTTLE, 0, 0},
		{PERF_RECORD_UNTHROTTLE, 0, 0},
	};
	static const uint32_t pids[] = {10, 20, 30};

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		struct record_scope scope;
		struct made made;

		make(&made, some[i].type, some[i].misc, 80, _i);
		scope = record_scope(&made.raw, _i);
		check(&scope, some[i].nr, pids);
	}
}
END_TEST

START_TEST(of_all)
{
	static const struct {
		uint32_t type;
		uint16_t misc, size;
	} some[] = {
		{PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 80},
		{PERF_RECORD_MMAP2, PERF_RECORD_MISC_GUEST_KERNEL, 80},
		{PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 11}, /* cut */
		{PERF_RECORD_COMM, 0, 8},
		{PERF_RECORD_FORK, 0, 19},
		{PERF_RECORD_KSYMBOL, 0, 80},
		{PERF_RECORD_TEXT_POKE, 0, 80},
		{PERF_RECORD_NAMESPACES, 0, 80},
		{PERF_RECORD_CGROUP, 0, 80},
		{PERF_RECORD_SWITCH, 0, 80},
		{PERF_RECORD_AUX, 0, 80},
		{63, 0, 80},
	};

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		struct made made;

		make(&made, some[i].type, some[i].misc, some[i].size, false);
		ck_assert(record_scope(&made.raw, false).all);
	}
}
END_TEST

START_TEST(of_no_process_is_of_all)
{
	struct made made;

	make(&made, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 80, false);
	put(made.bytes + 8, UINT32_MAX, false);
	ck_assert(record_scope(&made.raw, false).all);
}
END_TEST

/* The file of a JIT compiler's code, whether its name is whole or not. */
START_TEST(lasting)
{
	static const struct {
		uint32_t type;
		size_t name_at;
	} types[] = {{PERF_RECORD_MMAP, 8 + 32}, {PERF_RECORD_MMAP2, 8 + 64}};
	static const char dump[] = "/tmp/jit-10.dump", library[] = "/lib/libjit-1.so";

	for (size_t i = 0; i < 2; i++) {
		struct made made;

		make(&made, types[i].type, PERF_RECORD_MISC_USER, 120, false);
		memcpy(made.bytes + types[i].name_at, dump, sizeof(dump));
		ck_assert(record_scope_lasts(&made.raw, false));
		made.raw.size = (uint16_t)(types[i].name_at + 8);
		ck_assert(!record_scope_lasts(&made.raw, false));
		made.raw.size = 12;
		ck_assert(!record_scope_lasts(&made.raw, false));
		made.raw.size = 120;
		made.raw.type = PERF_RECORD_COMM;
		ck_assert(!record_scope_lasts(&made.raw, false));
		made.raw.type = types[i].type;
		memcpy(made.bytes + types[i].name_at, library, sizeof(library));
		ck_assert(!record_scope_lasts(&made.raw, false));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scope");
	TCase *tcase = tcase_create("scope");

	tcase_add_loop_test(tcase, of_each_type, 0, 2);
	tcase_add_test(tcase, of_all);
	tcase_add_test(tcase, of_no_process_is_of_all);
	tcase_add_test(tcase, lasting);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
