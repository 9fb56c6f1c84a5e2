/* The AVL tree against a naive model: an array that is kept sorted by moving its tail. */
#include "util/tree.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 300, NR_SEEDS = 12 };

struct item {
	struct tree_node node;
	int key;
};

struct model {
	struct tree tree;
	struct item *sorted[ITEMS_MAX]; /* equal keys in the order of their insertion */
	size_t nr_items;
	struct item items[ITEMS_MAX];
	struct item *free[ITEMS_MAX];
	size_t nr_free;
	uint64_t random;
};

static size_t comparisons;

static struct item *item_of(const struct tree_node *node)
{
	return node ? tree_entry(node, struct item, node) : NULL;
}

static int compare(const struct tree_node *a, const struct tree_node *b)
{
	int x = item_of(a)->key, y = item_of(b)->key;

	comparisons++;
	return x < y ? -1 : x > y;
}

static struct model *model_create(uint64_t seed)
{
	struct model *model = calloc(1, sizeof(*model));

	ck_assert_ptr_nonnull(model);
	model->random = seed * 2 + 1;
	for (size_t i = 0; i < ITEMS_MAX; i++)
		model->free[model->nr_free++] = &model->items[i];
	return model;
}

/* 0 <= result < bound; xorshift, so the same on every machine. */
static unsigned pick(struct model *model, unsigned bound)
{
	model->random ^= model->random << 13;
	model->random ^= model->random >> 7;
	model->random ^= model->random << 17;
	return (unsigned)((model->random >> 32) % bound);
}

/* The first place in the array whose key is greater than @key. */
static size_t upper_bound(const struct model *model, int key)
{
	size_t at = 0;

	while (at < model->nr_items && model->sorted[at]->key <= key)
		at++;
	return at;
}

static void model_insert(struct model *model, int key, bool hinted)
{
	struct item *item = model->free[--model->nr_free];
	size_t at = upper_bound(model, key);

	item->key = key;
	memmove(&model->sorted[at + 1], &model->sorted[at],
		(model->nr_items - at) * sizeof(model->sorted[0]));
	model->sorted[at] = item;
	model->nr_items++;
	if (hinted)
		tree_insert_near(&model->tree, &item->node, compare);
	else
		tree_insert(&model->tree, &item->node, compare);
}

static void model_remove(struct model *model, size_t at)
{
	struct item *item = model->sorted[at];

	memmove(&model->sorted[at], &model->sorted[at + 1],
		(model->nr_items - at - 1) * sizeof(model->sorted[0]));
	model->nr_items--;
	model->free[model->nr_free++] = item;
	tree_remove(&model->tree, &item->node);
}

/*
 * The checks that run after each step gather what they find and assert once: an assertion of Check
 * costs a write to a file.
 */

/* The height below @node; -1 if a balance or a parent link is wrong. */
static int check_subtree(const struct tree_node *node, const struct tree_node *parent)
{
	int left, right;

	if (!node)
		return 0;
	left = check_subtree(node->left, node);
	right = check_subtree(node->right, node);
	if (left < 0 || right < 0 || node->parent != parent || node->balance != right - left ||
	    node->balance < -1 || node->balance > 1)
		return -1;
	return 1 + (left > right ? left : right);
}

static bool same_order(const struct model *model)
{
	const struct tree_node *node = tree_first(&model->tree);

	for (size_t i = 0; i < model->nr_items; i++, node = tree_next(node)) {
		if (item_of(node) != model->sorted[i])
			return false;
	}
	return !node && tree_empty(&model->tree) == (model->nr_items == 0);
}

static void check_shape(const struct model *model)
{
	ck_assert_int_ge(check_subtree(model->tree.root, NULL), 0);
	ck_assert(same_order(model));
}

/* One random step; the mix of steps makes the tree grow to @size and shrink again. */
static void step(struct model *model, int keys, bool growing)
{
	unsigned what = pick(model, 8);
	size_t last = model->nr_items - 1;

	if (model->nr_free && (model->nr_items == 0 || (what < 5) == growing))
		model_insert(model, (int)pick(model, (unsigned)keys), pick(model, 2));
	else if (what & 1)
		model_remove(model, pick(model, (unsigned)last + 1));
	else
		model_remove(model, pick(model, 4) ? 0 : last);
}

/* Many equal keys (7), some (60) and hardly any (5000). */
static const int key_ranges[] = {7, 60, 5000};

START_TEST(random_operations)
{
	int keys = key_ranges[_i % 3];
	struct model *model = model_create((uint64_t)_i + 1);

	for (int i = 0; i < 3000; i++) {
		step(model, keys, i / 400 % 2 == 0);
		check_shape(model);
	}
	while (model->nr_items) {
		model_remove(model, pick(model, (unsigned)model->nr_items));
		check_shape(model);
	}
	free(model);
}
END_TEST

/* As the queue uses it: runs of ascending keys from several buffers, then the first ones leave. */
START_TEST(runs_from_several_buffers)
{
	struct model *model = model_create((uint64_t)_i + 100);
	int base = 0;

	for (int round = 0; round < 60; round++) {
		for (int cpu = 0; cpu < 4; cpu++) {
			int key = base + (int)pick(model, 5);

			for (unsigned n = pick(model, 20); n && model->nr_free; n--) {
				key += (int)pick(model, 4);
				model_insert(model, key, true);
			}
			check_shape(model);
		}
		for (size_t n = model->nr_items * 2 / 3; n; n--)
			model_remove(model, 0);
		check_shape(model);
		base += 20;
	}
	free(model);
}
END_TEST

START_TEST(equal_keys_keep_their_order)
{
	struct model *model = model_create(1);

	for (int i = 0; i < ITEMS_MAX; i++)
		model_insert(model, 5, _i);
	check_shape(model);
	/* Among greater and smaller ones, the hint on either side of them. */
	while (model->nr_items > 100)
		model_remove(model, model->nr_items / 2);
	for (int i = 0; i < 60; i++) {
		model_insert(model, i % 2 ? 3 : 8, _i);
		model_insert(model, 5, _i);
		check_shape(model);
	}
	free(model);
}
END_TEST

/* The hint must be gone with its node: the next insertion starts from the root. */
START_TEST(hint_leaves_with_its_node)
{
	struct model *model = model_create(1);

	for (int i = 0; i < 5; i++)
		model_insert(model, i, true);
	ck_assert_ptr_eq(item_of(model->tree.last_inserted), model->sorted[4]);
	model_remove(model, 4);
	ck_assert_ptr_null(model->tree.last_inserted);
	model_insert(model, 2, true);
	check_shape(model);
	free(model);
}
END_TEST

/* In a sorted stream a hinted insertion takes O(1) comparisons on average, not O(log n). */
START_TEST(sorted_stream_is_cheap)
{
	enum { NR = 100000 };
	struct item *items = calloc(NR, sizeof(*items));
	struct tree tree = {0};

	ck_assert_ptr_nonnull(items);
	comparisons = 0;
	for (int i = 0; i < NR; i++) {
		items[i].key = _i ? NR - i : i;
		tree_insert_near(&tree, &items[i].node, compare);
	}
	ck_assert_uint_le(comparisons, 4 * NR);
	ck_assert_int_eq(check_subtree(tree.root, NULL), 17);
	free(items);
}
END_TEST

START_TEST(empty_tree)
{
	struct tree tree = {0};

	ck_assert(tree_empty(&tree));
	ck_assert_ptr_null(tree_first(&tree));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tree");
	TCase *tcase = tcase_create("tree");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, empty_tree);
	tcase_add_loop_test(tcase, random_operations, 0, NR_SEEDS);
	tcase_add_loop_test(tcase, runs_from_several_buffers, 0, 4);
	tcase_add_loop_test(tcase, equal_keys_keep_their_order, 0, 2);
	tcase_add_test(tcase, hint_leaves_with_its_node);
	tcase_add_loop_test(tcase, sorted_stream_is_cheap, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
