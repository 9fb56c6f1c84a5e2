/* The tree of the page: its columns, frames of what is cut, and folding to a size with exact sums.
 */
#include "report/export/pagetree.h"

#include "report/export/pagecolumns.h"
#include "tests/support/inflated.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

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

/* The frames below each frame, and in which column nodes below it tell which one they are. */
struct callees {
	uint64_t first[66], nr[66];
	int64_t list[1024];
	const uint8_t *at[PAGECOLUMNS_CLASSES];
	uint64_t
		scale[PAGECOLUMNS_CLASSES]; /* of the next number in the byte there; 0: the first */
};

static void take_keys(const uint8_t **at, struct decoded *read)
{
	inflated_column(at, read->keys, read->nr_frames);
	for (size_t i = 1; i < read->nr_frames; i++)
		read->keys[i] += read->keys[i - 1] + 1;
}

static void take_calls(const uint8_t **at, const struct decoded *read, struct callees *callees)
{
	uint64_t nr = 0;

	inflated_column(at, callees->nr, read->nr_frames + 1);
	for (size_t i = 0; i <= read->nr_frames; i++) {
		callees->first[i] = nr;
		nr += callees->nr[i];
	}
	ck_assert_uint_le(nr, 1024);
	inflated_planes(at, callees->list, nr);
}

static void take_chains(const uint8_t **at, struct decoded *read)
{
	const size_t nr = inflated_number(at);
	const uint8_t *ups = *at;
	size_t node = 0;

	for (size_t i = 0; i < nr; i++)
		inflated_number(&ups);
	for (size_t i = 0; i < nr; i++) {
		const uint64_t length = inflated_number(at) + 1;

		ck_assert_uint_le(node + length, NODES_MAX);
		read->up[node] = i ? inflated_number(&ups) + 1 : 0;
		node += length;
	}
	ck_assert_uint_eq(node, read->nr);
	*at = ups;
}

static size_t column_of(uint64_t nr_callees)
{
	size_t column = 15;

	if (nr_callees <= 16)
		return nr_callees - 2;
	for (uint64_t most = 32; most < nr_callees && most < 512; most *= 2)
		column++;
	return column;
}

/* The next number of a node below a frame with @nr callees. */
static uint64_t next_callee(struct callees *callees, uint64_t nr)
{
	const size_t column = column_of(nr);
	uint64_t *scale = &callees->scale[column], callee;

	if (nr > 256)
		return inflated_number(&callees->at[column]);
	if (nr > 16)
		return *callees->at[column]++;
	if (*scale * nr > 256) {
		*scale = 0;
		callees->at[column]++;
	}
	*scale += *scale == 0;
	callee = *callees->at[column] / *scale % nr;
	*scale *= nr;
	return callee;
}

static void take_frames(const uint8_t **at, struct decoded *read, struct callees *callees)
{
	uint64_t open[256], lengths[PAGECOLUMNS_CLASSES];
	size_t depth = 0; /* of the node before, plus 1 */

	inflated_column(at, lengths, PAGECOLUMNS_CLASSES);
	for (size_t i = 0; i < PAGECOLUMNS_CLASSES; i++) {
		callees->at[i] = *at;
		*at += lengths[i];
	}
	for (size_t i = 0; i < read->nr; i++) {
		uint64_t caller, callee = 0;

		depth -= read->up[i];
		caller = depth ? open[depth - 1] : read->nr_frames;
		if (callees->nr[caller] > 1)
			callee = next_callee(callees, callees->nr[caller]);
		ck_assert_uint_lt(callee, callees->nr[caller]);
		open[depth++] = read->frame[i] =
			(uint64_t)callees->list[callees->first[caller] + callee];
	}
}

static bool is_leaf(const struct decoded *read, size_t node)
{
	return node + 1 == read->nr || read->up[node + 1] > 0;
}

static void take_samples(const uint8_t **at, struct decoded *read)
{
	const uint8_t *samples;
	uint64_t nr, gap;

	for (size_t i = 0; i < read->nr; i++)
		if (is_leaf(read, i))
			read->samples[i] = inflated_number(at) + 1;
	nr = inflated_number(at);
	samples = *at;
	for (uint64_t i = 0; i < nr; i++)
		inflated_number(&samples);
	gap = nr ? inflated_number(at) : 0;
	for (size_t i = 0; i < read->nr && nr; i++) {
		if (is_leaf(read, i) || gap-- > 0)
			continue;
		read->samples[i] = inflated_number(&samples) + 1;
		gap = --nr ? inflated_number(at) : 0;
	}
	*at = samples;
}

/* Sets the periods of nodes with samples. */
static void take_periods(const uint8_t **at, struct decoded *read, uint64_t quotient)
{
	static int64_t off[NODES_MAX];
	size_t nr = 0;

	for (size_t i = 0; i < read->nr; i++)
		nr += read->samples[i] > 0;
	inflated_planes(at, off, nr);
	nr = 0;
	for (size_t i = 0; i < read->nr; i++)
		if (read->samples[i])
			read->period[i] = read->samples[i] * quotient + (uint64_t)off[nr++];
}

/* The caller frees the result. */
static struct decoded *decode(const struct pagetree *tree)
{
	struct decoded *read = calloc(1, sizeof(*read));
	uint8_t *bytes = malloc(BYTES_MAX);
	const uint8_t *at = bytes;
	struct callees callees = {0};
	size_t nr;

	ck_assert_ptr_nonnull(read);
	nr = inflated_bytes(&tree->packed, bytes, BYTES_MAX);
	read->nr_frames = tree->nr_frames;
	read->nr = tree->nodes;
	ck_assert_uint_le(read->nr, NODES_MAX);
	take_keys(&at, read);
	take_calls(&at, read, &callees);
	take_chains(&at, read);
	take_frames(&at, read, &callees);
	take_samples(&at, read);
	take_periods(&at, read, tree->quotient);
	ck_assert_ptr_eq(at, bytes + nr);
	free(bytes);
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
	/* loop, inlined loop, main, work; [stack-cut] is the second word */
	static const uint64_t by_place[] = {0, 1, 2, 6, 9};
	static const uint32_t places[] = {[MAIN] = 1, [WORK] = 3, [LOOP] = 0, [SPIN] = 2};
	const struct pagetree_input input = {paths,    6,    functions, NR_FUNCTIONS,
					     {5, 140}, 4096, places};
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
	check_column(read->keys, by_place, 5);
	for (size_t i = 0; i < 7; i++) {
		static const uint64_t of_frame[] = {2, 6, 2 * NR_FUNCTIONS + 1, 1, 0};

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
	struct pagetree_input input = {paths, NR, functions, NR_FUNCTIONS, {0}, limits[_i], NULL};
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
	const struct pagetree_input input = {NULL, 0, functions, NR_FUNCTIONS, {0, 0}, 4096, NULL};
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
