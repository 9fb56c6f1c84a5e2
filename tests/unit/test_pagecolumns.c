/* The columns of the page's tree: chains, frames by callers, samples and periods. */
#include "report/export/pagecolumns.h"

#include "tests/support/inflated.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 300, NR_KEYS = 300, QUOTIENT = 10 };

static void add(struct pagecolumns *columns, uint64_t up, uint32_t call, uint32_t caller,
		uint32_t callee, struct tally self)
{
	pagecolumns_add(columns, &(struct page_node){up, caller, callee, call, &self});
}

static void check_bytes(struct pagecolumns *columns, size_t nr_frames, const uint8_t *expected,
			size_t nr)
{
	struct pagenumbers packed;
	struct page_packed made;
	uint8_t bytes[4096];

	ck_assert(pagenumbers_start(&packed, SIZE_MAX, false));
	ck_assert(pagecolumns_pack(columns, &packed, &made));
	ck_assert_uint_eq(made.nr_frames, nr_frames);
	ck_assert_uint_le(made.of_nodes, packed.pack->size);
	ck_assert_uint_eq(inflated_bytes(&packed, bytes, sizeof(bytes)), nr);
	ck_assert_mem_eq(bytes, expected, nr);
	pagenumbers_free(&packed);
}

/* 7 calls 2, which calls 4 and 9; 7 calls 9 twice: that comes first. */
START_TEST(nodes_become_columns)
{
	static const uint8_t expected[] = {
		/* the keys 2, 4, 7, 9; how many frames are below each, and roots */
		2, 1, 2, 1, 2, 0, 2, 0, 1,
		/* these: 4, 9; 9, 2; 7 */
		1, 3, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		/* chains: 7 2 4, 9, 9, 7 9; how far up */
		4, 2, 0, 0, 1, 0, 1, 1,
		/* all nodes but roots are below frames of two callees: 2, 4, 9, 9, 9 are bits of
		   a byte, 1, 0, 1, 0, 0 */
		1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5,
		/* samples of last nodes; two others have some: the first one, and, after one
		   without, the next */
		0, 1, 0, 2, 2, 0, 1, 0, 4,
		/* periods: 0, 1, 1, -1, 0, 0 */
		0, 1, 1, 255, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 1, 0, 0};
	struct pagecolumns columns;

	ck_assert(pagecolumns_start(&columns, 8, NR_KEYS, QUOTIENT));
	add(&columns, 0, 0, ROOT, 7, (struct tally){1, 10});
	add(&columns, 0, 1, 7, 2, (struct tally){0, 0});
	add(&columns, 0, 2, 2, 4, (struct tally){1, 11});
	add(&columns, 1, 3, 2, 9, (struct tally){2, 21});
	add(&columns, 2, 5, 7, 9, (struct tally){1, 9});
	add(&columns, 2, 0, ROOT, 7, (struct tally){5, 50});
	add(&columns, 0, 5, 7, 9, (struct tally){3, 30});
	check_bytes(&columns, 4, expected, sizeof(expected));
	pagecolumns_free(&columns);
}
END_TEST

START_TEST(attempts_forget_the_one_before)
{
	static const uint8_t expected[] = {
		3, 0, 1,						    /* key; callees */
		0, 0, 0,						    /* frame 0 */
		1, 0,							    /* a chain of one */
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* classes */
		4, 0,							    /* samples */
		0, 0, 0,						    /* period */
	};
	struct pagecolumns columns;

	ck_assert(pagecolumns_start(&columns, 2, NR_KEYS, QUOTIENT));
	add(&columns, 0, 1, ROOT, 8, (struct tally){1, 10});
	pagecolumns_clear(&columns);
	add(&columns, 0, 0, ROOT, 3, (struct tally){5, 50});
	check_bytes(&columns, 1, expected, sizeof(expected));
	pagecolumns_free(&columns);
}
END_TEST

/* The column of nodes below a frame with so many callees, one of each, how many bytes it has, and
 * the first of these: up to 16 callees' numbers are digits. */
START_TEST(frames_of_many_callees_have_columns_of_their_own)
{
	static const struct {
		uint32_t nr;
		size_t column, bytes;
		uint8_t first;
	} cases[] = {{2, 0, 1, 2},	{3, 1, 1, 21},	   {6, 4, 2, 78},     {16, 14, 8, 16},
		     {17, 15, 17, 0},	{32, 15, 32, 0},   {33, 16, 33, 0},   {64, 16, 64, 0},
		     {128, 17, 128, 0}, {129, 18, 129, 0}, {256, 18, 256, 0}, {257, 19, 386, 0}};
	struct pagecolumns columns;
	struct pagenumbers packed;
	struct page_packed made;
	static uint8_t bytes[8192];
	const uint8_t *at = bytes;
	uint64_t lengths[PAGECOLUMNS_CLASSES];

	ck_assert(pagecolumns_start(&columns, cases[_i].nr, NR_KEYS, QUOTIENT));
	for (uint32_t i = 0; i < cases[_i].nr; i++)
		add(&columns, i > 0, i, ROOT, i, (struct tally){1, 10});
	ck_assert(pagenumbers_start(&packed, SIZE_MAX, false));
	ck_assert(pagecolumns_pack(&columns, &packed, &made));
	ck_assert_uint_eq(made.nr_frames, cases[_i].nr);
	inflated_bytes(&packed, bytes, sizeof(bytes));
	for (uint32_t i = 0; i < 2 * cases[_i].nr; i++) /* keys, and frames without callees */
		ck_assert_uint_eq(inflated_number(&at), 0);
	ck_assert_uint_eq(inflated_number(&at), cases[_i].nr);
	at += 3 * cases[_i].nr;
	ck_assert_uint_eq(inflated_number(&at), cases[_i].nr); /* chains */
	at += 2 * cases[_i].nr - 1;
	inflated_column(&at, lengths, PAGECOLUMNS_CLASSES);
	for (size_t i = 0; i < PAGECOLUMNS_CLASSES; i++)
		ck_assert_uint_eq(lengths[i], i == cases[_i].column ? cases[_i].bytes : 0);
	ck_assert_uint_eq(at[0], cases[_i].first);
	pagenumbers_free(&packed);
	pagecolumns_free(&columns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pagecolumns");
	TCase *tc = tcase_create("pagecolumns");

	tcase_add_test(tc, nodes_become_columns);
	tcase_add_test(tc, attempts_forget_the_one_before);
	tcase_add_loop_test(tc, frames_of_many_callees_have_columns_of_their_own, 0, 12);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
