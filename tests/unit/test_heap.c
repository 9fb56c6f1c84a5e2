/* util/heap.c: the heap of glibc's malloc() is in large pages. */
#include "util/heap.h"

#include "tests/support/machine.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MB = 1 << 20 };

/* Sanitizers have a malloc() of their own. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static const bool is_glibc = true;
#else
static const bool is_glibc = false;
#endif

/* Returns whether the mapping that @address is in asks for large pages ("hg" in smaps). */
static bool asks_for_large_pages(const void *address)
{
	FILE *file = fopen("/proc/self/smaps", "r");
	const uintptr_t at = (uintptr_t)address;
	bool here = false, asks = false;
	char line[512], *dash;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		const uintptr_t start = strtoul(line, &dash, 16);

		if (*dash == '-')
			here = at >= start && at < strtoul(dash + 1, NULL, 16);
		else if (here && strncmp(line, "VmFlags:", 8) == 0)
			asks = strstr(line, " hg");
	}
	ck_assert_int_eq(fclose(file), 0);
	return asks;
}

/* A large block and many small ones can be written, and come from the heap if they should. */
static void use(const uint8_t *start, bool from_heap)
{
	uint8_t *blocks[100];
	uint8_t *large = malloc(8 * MB);

	ck_assert_ptr_nonnull(large);
	memset(large, 1, 8 * MB);
	/* what was free of the heap comes first */
	ck_assert_int_eq(large >= start - MB && large < start + 64 * MB, from_heap);
	for (size_t i = 0; i < 100; i++) {
		blocks[i] = calloc(1, 1000 * i);
		ck_assert(i == 0 || (blocks[i] && blocks[i][1000 * i - 1] == 0));
	}
	for (size_t i = 0; i < 100; i++)
		free(blocks[i]);
	free(large);
}

START_TEST(it_has_64_mb_in_large_pages)
{
	uint8_t *start = sbrk(0);
	const uint8_t *end;

	if (!machine_has_proc())
		return;
	heap_use_large_pages((size_t)_i);
	end = sbrk(0);
	if (!is_glibc) {
		use(start, false);
		return;
	}
	ck_assert_int_ge(end - start, 64 * MB);
	ck_assert_int_lt(end - start, 65 * MB);
	if (access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0)
		ck_assert(asks_for_large_pages(start + 32 * MB));
	use(start, true);
	/* what is free stays there */
	ck_assert_ptr_eq(sbrk(0), end);
}
END_TEST

START_TEST(without_room_it_is_as_before)
{
	const struct rlimit little = {32 * MB, 32 * MB};
	uint8_t *start = sbrk(0);
	uint8_t *block;

	ck_assert_int_eq(setrlimit(RLIMIT_DATA, &little), 0);
	heap_use_large_pages(1);
	block = malloc(16 * MB);
	ck_assert_ptr_nonnull(block);
	memset(block, 1, 16 * MB);
	free(block);
	ck_assert_int_lt((const uint8_t *)sbrk(0) - start, 64 * MB);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heap");
	TCase *tcase = tcase_create("large pages");

	tcase_add_loop_test(tcase, it_has_64_mb_in_large_pages, 1, 6);
	if (is_glibc) /* a sanitizer dies of such a limit */
		tcase_add_test(tcase, without_room_it_is_as_before);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
