/* Memory for megabytes: it can be used, grown and freed as any other. */
#include "util/largemem.h"

#include "tests/support/suite.h"
#include "util/array.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* in glibc's headers since 2.35 */
#endif

enum { MB = 1 << 20 };

/* Smaller than a large page, one, and more. */
static const size_t sizes[] = {1, 4096, 2 * MB - 1, 2 * MB, 5 * MB + 3};

START_TEST(all_of_it_can_be_written)
{
	const size_t size = sizes[_i];
	uint8_t *bytes = largemem_get(size);

	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)i;
	bytes = realloc(bytes, 2 * size);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(bytes[size - 1], (uint8_t)(size - 1));
	free(bytes);
}
END_TEST

START_TEST(an_array_begins_with_room)
{
	uint64_t *items = NULL;
	size_t room = 0;

	ck_assert(largemem_array(items, room, 0));
	ck_assert_ptr_null(items);
	ck_assert(largemem_array(items, room, MB));
	ck_assert_uint_eq(room, MB);
	items[MB - 1] = 7;
	/* it has some now */
	ck_assert(largemem_array(items, room, 2 * MB));
	ck_assert_uint_eq(room, MB);
	ck_assert(array_grow(items, room, MB + 1));
	ck_assert_uint_eq(items[MB - 1], 7);
	free(items);
}
END_TEST

START_TEST(too_much_is_refused)
{
	uint64_t *items = NULL;
	size_t room = 0;

	ck_assert(!largemem_array(items, room, SIZE_MAX / sizeof(*items) + 1));
	ck_assert_ptr_null(items);
	ck_assert_uint_eq(room, 0);
}
END_TEST

START_TEST(an_array_grows_from_line_to_line)
{
	enum { LINE = 64 };
	uint64_t *items = NULL;
	size_t room = 0;

	for (size_t nr = 0; nr < MB; nr++) {
		ck_assert(largemem_grow(items, room, nr + 1));
		ck_assert_uint_eq((uintptr_t)items % LINE, 0);
		ck_assert_uint_gt(room, nr);
		items[nr] = nr;
	}
	for (size_t i = 0; i < MB; i++)
		ck_assert_uint_eq(items[i], i);
	ck_assert(!largemem_grow(items, room, SIZE_MAX / sizeof(*items) + 1));
	ck_assert(!largemem_grow(items, room, SIZE_MAX));
	ck_assert_uint_eq(items[MB - 1], MB - 1);
	free(items);
}
END_TEST

/* Whole pages of what will be written are there; the content is nobody's. */
START_TEST(what_will_be_written_is_there)
{
	enum { PAGE = 4096, NR = 300, WRITTEN = NR * PAGE - 5 };
	uint8_t *bytes = largemem_get_all(2 * MB - PAGE, WRITTEN), *first, states[NR] = {0};
	/* From Linux 5.14 on, where pages are that small. */
	const bool can_tell =
		sysconf(_SC_PAGESIZE) == PAGE && madvise(NULL, 0, MADV_POPULATE_WRITE) == 0;

	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq((uintptr_t)bytes % LARGEMEM_PAGE, 0); /* it may be a large page */
	first = bytes + -(uintptr_t)bytes % PAGE;
	if (can_tell)
		ck_assert_int_eq(mincore(first, (NR - 2) * PAGE, states), 0);
	for (size_t i = 0; i < NR - 2 && can_tell; i++)
		ck_assert_uint_eq(states[i] & 1, 1);
	memset(bytes, 0xa5, 2 * MB - PAGE);
	free(bytes);
	free(largemem_get_all(0, 0));
	bytes = largemem_get_all(10, 10);
	ck_assert_ptr_nonnull(bytes);
	free(bytes);
}
END_TEST

/* A file may announce more than it has. A sanitizer writes the first bytes of all memory. */
START_TEST(much_comes_when_it_is_written)
{
	enum { PAGE = 4096, MANY = 64 * MB, REST = MANY - LARGEMEM_PAGE };
	uint8_t *bytes = largemem_get_all(MANY, MANY), *states = malloc(REST / PAGE);

	ck_assert_ptr_nonnull(bytes);
	ck_assert_ptr_nonnull(states);
	memset(states, 0, REST / PAGE);
	if (sysconf(_SC_PAGESIZE) == PAGE)
		ck_assert_int_eq(mincore(bytes + LARGEMEM_PAGE, REST, states), 0);
	for (size_t i = 0; i < REST / PAGE; i++)
		ck_assert_uint_eq(states[i] & 1, 0);
	bytes[MANY - 1] = 1;
	free(states);
	free(bytes);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("largemem");
	TCase *tc = tcase_create("largemem");

	tcase_add_loop_test(tc, all_of_it_can_be_written, 0, sizeof(sizes) / sizeof(sizes[0]));
	tcase_add_test(tc, an_array_begins_with_room);
	tcase_add_test(tc, too_much_is_refused);
	tcase_add_test(tc, an_array_grows_from_line_to_line);
	tcase_add_test(tc, what_will_be_written_is_there);
	tcase_add_test(tc, much_comes_when_it_is_written);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
