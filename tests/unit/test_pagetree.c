/* The tree of the page: its columns, frames of what is cut, and folding to a size with exact sums.
 */
#include "report/export/pagetree.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAIN, WORK, LOOP, SPIN, NR_FUNCTIONS, NODES_MAX = 60000, BYTES_MAX = 1 << 20 };

static const struct event cycles = {.name = "cycles", .chains = true};
static const struct function_stat functions[NR_FUNCTIONS] = {
	[MAIN] = {.event = &cycles, .function = "main"},
	[WORK] = {.event = &cycles, .function = "work"},
	[LOOP] = {.event = &cycles, .function = "loop"},
	[SPIN] = {.event = &cycles, .function = "spin"},
};

/* A tree as the page reads it. */
struct decoded {
	size_t nr_frames, nr;
	uint64_t keys[64], frame[NODES_MAX], up[NODES_MAX], samples[NODES_MAX], period[NODES_MAX];
};

static uint64_t take_number(const uint8_t **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		const uint8_t byte = *(*at)++;

		value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return value;
	}
}

static void take_column(const uint8_t **at, uint64_t *column, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		column[i] = take_number(at);
}

/* Frames are told as numbers of callees, in the order of their first time; the new ones follow. */
static void take_frames(const uint8_t **at, struct decoded *read)
{
	static uint64_t known[65][64];
	size_t nr_known[65] = {0};
	uint64_t open[256];
	size_t depth = 0; /* of the node before, plus 1 */
	const uint8_t *added = *at;

	for (size_t i = 0; i < read->nr; i++)
		take_number(&added);
	for (size_t i = 0; i < read->nr; i++) {
		uint64_t caller, callee;

		depth -= read->up[i];
		caller = depth ? open[depth - 1] : read->nr_frames;
		callee = take_number(at);
		ck_assert_uint_le(callee, nr_known[caller]);
		if (callee == nr_known[caller])
			known[caller][nr_known[caller]++] = take_number(&added);
		open[depth++] = read->frame[i] = known[caller][callee];
	}
	*at = added;
}

/* Sets the periods of nodes with samples: their lowest bits, the next ones, the others. */
static void take_periods(const uint8_t **at, struct decoded *read)
{
	size_t nr = 0, leaf = 0;
	const uint8_t *low = *at;

	for (size_t i = 0; i < read->nr; i++)
		nr += read->samples[i] > 0;
	*at += 2 * nr;
	for (size_t i = 0; i < read->nr; i++) {
		if (!read->samples[i])
			continue;
		read->period[i] = take_number(at) << 16 | (uint64_t)low[nr + leaf] << 8 | low[leaf];
		leaf++;
	}
}

/* The caller frees the result. */
static struct decoded *decode(const struct pagetree *tree)
{
	struct decoded *read = calloc(1, sizeof(*read));
	uint8_t *bytes = malloc(BYTES_MAX);
	const uint8_t *at = bytes;
	z_stream stream = {.next_in = tree->packed.pack->bytes,
			   .avail_in = (uInt)tree->packed.pack->kept,
			   .next_out = bytes,
			   .avail_out = BYTES_MAX};

	ck_assert_ptr_nonnull(read);
	ck_assert_int_eq(inflateInit2(&stream, -MAX_WBITS), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	inflateEnd(&stream);
	read->nr_frames = tree->nr_frames;
	read->nr = tree->nodes;
	ck_assert_uint_le(read->nr, NODES_MAX);
	take_column(&at, read->keys, read->nr_frames);
	take_column(&at, read->up, read->nr);
	take_frames(&at, read);
	take_column(&at, read->samples, read->nr);
	for (size_t i = 0; i < read->nr; i++)
		read->samples[i] += i + 1 == read->nr || read->up[i + 1] > 0;
	take_periods(&at, read);
	ck_assert_ptr_eq(at, stream.next_out);
	free(bytes);
	for (size_t i = 0; i < read->nr; i++)
		read->period[i] = read->samples[i] * tree->quotient +
				  (read->period[i] >> 1 ^ (0 - (read->period[i] & 1)));
	return read;
}

static void check_column(const uint64_t *is, const uint64_t *expected, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		ck_assert_msg(is[i] == expected[i], "%zu: %llu, not %llu", i,
			      (unsigned long long)is[i], (unsigned long long)expected[i]);
}

START_TEST(paths_become_columns)
{
	static const struct path_stat paths[] = {
		{&functions[WORK], PATH_NO_PARENT, 0, {0, 0}, {1, 70}, "stack-cut", true, false},
		{&functions[LOOP], 0, 1, {1, 70}, {1, 70}, "stack-cut", true, false},
		{&functions[MAIN], PATH_NO_PARENT, 0, {1, 20}, {3, 60}, "complete", false, false},
		{&functions[WORK], 2, 1, {0, 0}, {2, 40}, "complete", false, false},
		{&functions[LOOP], 3, 2, {2, 40}, {2, 40}, "complete", false, true},
		{&functions[MAIN], PATH_NO_PARENT, 0, {1, 10}, {1, 10}, "stack-cut", true, false},
	};
	/* main, work, inlined loop; [stack-cut], work, loop; main */
	static const uint64_t frames[] = {0, 1, 3, 2, 1, 4, 0}, up[] = {0, 0, 0, 3, 0, 0, 2},
			      samples[] = {1, 0, 2, 0, 0, 1, 1},
			      period[] = {20, 0, 40, 0, 0, 70, 10};
	/* those of two nodes first: main, work; then [stack-cut] is the second word */
	static const uint64_t by_number[] = {0, 2, 4, 5, 9};
	const struct pagetree_input input = {paths, 6, functions, NR_FUNCTIONS, {5, 140}, 4096};
	struct pagetree tree;
	struct decoded *read;
	struct error err;
	uint64_t keys[7], expected[7];

	ck_assert_int_eq(pagetree_make(&tree, &input, &err), 0);
	ck_assert_uint_eq(tree.nodes, 7);
	ck_assert_uint_eq(tree.folded, 0);
	ck_assert_uint_eq(tree.nr_words, 2);
	ck_assert_str_eq(tree.words[0], "rest");
	ck_assert_str_eq(tree.words[1], "stack-cut");
	read = decode(&tree);
	ck_assert_uint_eq(read->nr_frames, 5);
	check_column(read->keys, by_number, 5);
	for (size_t i = 0; i < 7; i++) {
		static const uint64_t of_frame[] = {2 * MAIN, 2 * WORK, 2 * NR_FUNCTIONS + 1,
						    2 * LOOP + 1, 2 * LOOP};

		keys[i] = read->keys[read->frame[i]];
		expected[i] = of_frame[frames[i]];
	}
	check_column(keys, expected, 7);
	check_column(read->up, up, 7);
	check_column(read->samples, samples, 7);
	check_column(read->period, period, 7);
	free(read);
	pagetree_free(&tree);
}
END_TEST

/* A tree of @nr paths of one sample each, with periods that nothing foretells. */
static void grow(struct path_stat *paths, size_t nr, struct tally *total)
{
	uint32_t value = 1;

	*total = (struct tally){0};
	for (size_t i = 0; i < nr; i++) {
		uint32_t depth;

		value = value * 1103515245 + 12345;
		depth = i ? (value >> 16) % (paths[i - 1].depth + 2) : 0;
		if (depth > 40)
			depth = 40;
		paths[i] = (struct path_stat){.function = &functions[value >> 30],
					      .depth = depth,
					      .parent = PATH_NO_PARENT,
					      .self = {1, 1000 + (value >> 8) % 1000},
					      .end = "complete"};
		for (size_t j = i; depth > 0 && j-- > 0;)
			if (paths[j].depth < depth) {
				paths[i].parent = (uint32_t)j;
				break;
			}
		tally_add(total, 1, paths[i].self.period);
	}
	for (size_t i = nr; i-- > 0;) {
		tally_add(&paths[i].total, paths[i].self.samples, paths[i].self.period);
		if (paths[i].depth > 0)
			tally_add(&paths[paths[i].parent].total, paths[i].total.samples,
				  paths[i].total.period);
	}
}

static size_t count_rests(const struct decoded *read)
{
	size_t nr = 0;

	for (size_t i = 0; i < read->nr; i++)
		nr += read->keys[read->frame[i]] == 2 * NR_FUNCTIONS;
	return nr;
}

/* Each path counts for its node. */
static void check_nodes(const struct pagetree *tree, const struct pagetree_input *input,
			const struct decoded *read)
{
	uint64_t *samples = calloc(tree->nodes, sizeof(*samples));

	for (size_t i = 0; i < input->nr_paths; i++) {
		ck_assert_uint_lt(tree->node_of[i], tree->nodes);
		samples[tree->node_of[i]] += input->paths[i].self.samples;
	}
	check_column(samples, read->samples, tree->nodes);
	free(samples);
}

/* Sums are those of all paths, and each path is a node or in a [rest], within the limit. */
START_TEST(small_subtrees_are_folded)
{
	enum { NR = 30000 };
	static const uint64_t limits[] = {4096, 10000, 30000, 1 << 20};
	struct path_stat *paths = calloc(NR, sizeof(*paths));
	struct pagetree_input input = {paths, NR, functions, NR_FUNCTIONS, {0}, limits[_i]};
	struct tally sum = {0};
	struct pagetree tree;
	struct decoded *read;
	struct error err;

	ck_assert_ptr_nonnull(paths);
	grow(paths, NR, &input.total);
	ck_assert_int_eq(pagetree_make(&tree, &input, &err), 0);
	ck_assert_uint_le(tree.packed.pack->size, limits[_i]);
	read = decode(&tree);
	for (size_t i = 0; i < read->nr; i++)
		tally_add(&sum, read->samples[i], read->period[i]);
	ck_assert_uint_eq(sum.samples, NR);
	ck_assert_uint_eq(sum.period, input.total.period);
	ck_assert_uint_eq(read->nr - count_rests(read) + tree.folded, NR);
	check_nodes(&tree, &input, read);
	if (_i == 3)
		ck_assert_uint_eq(tree.folded, 0);
	else /* most of the room is used */
		ck_assert_uint_gt(tree.packed.pack->size, limits[_i] / 2);
	free(read);
	pagetree_free(&tree);
	free(paths);
}
END_TEST

START_TEST(no_path_is_no_node)
{
	const struct pagetree_input input = {NULL, 0, functions, NR_FUNCTIONS, {0, 0}, 4096};
	struct pagetree tree;
	struct error err;

	ck_assert_int_eq(pagetree_make(&tree, &input, &err), 0);
	ck_assert_uint_eq(tree.nodes, 0);
	ck_assert_uint_eq(tree.nr_frames, 0);
	pagetree_free(&tree);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pagetree");
	TCase *tc = tcase_create("pagetree");

	tcase_add_test(tc, paths_become_columns);
	tcase_add_loop_test(tc, small_subtrees_are_folded, 0, 4);
	tcase_add_test(tc, no_path_is_no_node);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
