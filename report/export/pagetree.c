#include "report/export/pagetree.h"

#include "report/export/pagecalls.h"
#include "report/export/pagecolumns.h"
#include "report/export/pagefold.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* A path without a caller, with all that continues it: a range of the paths. */
struct page_root {
	size_t first, end;
	size_t word; /* why it was cut; 0: it was not */
};

/* What is folded into one [rest]: its sum, and the last of its paths. Those are a list: each one's
 * node_of is the number of the one before, plus 1. */
struct page_rest {
	struct tally self;
	size_t paths;
};

/* A walk over the nodes that are kept. Calls are numbered: those on paths, then those of [rest] by
 * the key of the caller, then those of words, which are roots. Roots are below the key nr_keys. */
struct page_walk {
	const struct pagetree_input *input;
	struct pagetree *tree;
	const struct page_root *roots;
	size_t nr_roots;
	size_t nr_keys;
	struct pagefold fold;
	uint32_t *call_of; /* by path */
	size_t nr_calls;   /* on paths */
	struct pagecolumns columns;
	uint32_t *open; /* by depth: the key there */
	size_t open_room;
	uint64_t levels;	 /* depth of the node before, plus 1 */
	uint32_t nr_put;	 /* nodes so far */
	struct page_rest *rests; /* by depth: nodes that are folded */
	size_t rests_room;
	size_t deepest; /* of @rests with samples, plus 1 */
	bool failed;
};

static size_t key_of_word(const struct page_walk *walk, size_t word)
{
	return 2 * walk->input->nr_functions + word;
}

static uint32_t key_of_path(const struct page_walk *walk, const struct path_stat *path)
{
	const struct pagetree_input *input = walk->input;
	const size_t function = (size_t)(path->function - input->functions);

	return 2 * (input->places ? input->places[function] : (uint32_t)function) + path->inlined;
}

/* The key of the node above @depth. */
static uint32_t caller_at(const struct page_walk *walk, size_t depth)
{
	return depth ? walk->open[depth - 1] : (uint32_t)walk->nr_keys;
}

static bool open_at(struct page_walk *walk, size_t depth, size_t key)
{
	if (!array_grow(walk->open, walk->open_room, depth + 1))
		return false;
	walk->open[depth] = (uint32_t)key;
	return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool find_calls_of(struct page_walk *walk, struct pagecalls *calls,
			  const struct page_root *root)
{
	const size_t base = root->word ? 1 : 0;

	if (base && !open_at(walk, 0, key_of_word(walk, root->word)))
		return false;
	for (size_t i = root->first; i < root->end; i++) {
		const struct path_stat *path = &walk->input->paths[i];
		const size_t depth = path->depth + base;
		const uint32_t key = key_of_path(walk, path);

		if (!open_at(walk, depth, key) ||
		    !pagecalls_get(calls, caller_at(walk, depth), key, &walk->call_of[i]))
			return false;
	}
	return true;
}

/* Looks up the call of each path, once for all attempts. Returns false if memory is out. */
static bool find_calls(struct page_walk *walk)
{
	struct pagecalls calls = {0};
	bool ok = true;

	for (size_t i = 0; i < walk->nr_roots && ok; i++)
		ok = find_calls_of(walk, &calls, &walk->roots[i]);
	walk->nr_calls = calls.nr;
	pagecalls_free(&calls);
	return ok;
}

static size_t call_of_rest(const struct page_walk *walk, uint32_t caller)
{
	return walk->nr_calls + caller;
}

static size_t call_of_word(const struct page_walk *walk, size_t word)
{
	return walk->nr_calls + walk->nr_keys + 1 + word;
}

static size_t count_all_calls(const struct page_walk *walk)
{
	return call_of_word(walk, walk->tree->nr_words);
}

static void put_node(struct page_walk *walk, size_t depth, size_t call, size_t key,
		     const struct tally *self)
{
	const struct page_node node = {
		.up = walk->levels - (walk->nr_put ? depth : walk->levels),
		.caller = caller_at(walk, depth),
		.callee = (uint32_t)key,
		.call = (uint32_t)call,
		.self = self,
	};

	pagecolumns_add(&walk->columns, &node);
	if (walk->columns.failed || !open_at(walk, depth, key)) {
		walk->failed = true;
		return;
	}
	walk->nr_put++;
	walk->levels = depth + 1;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Puts what was folded at @depth and below, the deepest first: nothing more comes there. */
static void put_rests(struct page_walk *walk, size_t depth)
{
	while (walk->deepest > depth) {
		struct page_rest *rest = &walk->rests[--walk->deepest];

		if (rest->self.samples)
			put_node(walk, walk->deepest,
				 call_of_rest(walk, caller_at(walk, walk->deepest)),
				 key_of_word(walk, 0), &rest->self);
		for (size_t path = rest->paths; path;) {
			const uint32_t before = walk->tree->node_of[path - 1];

			walk->tree->node_of[path - 1] = walk->nr_put - 1;
			path = before;
		}
		*rest = (struct page_rest){0};
	}
}

static void add_rest(struct page_walk *walk, size_t depth, const struct tally *part)
{
	const size_t had = walk->rests_room;

	if (!array_grow(walk->rests, walk->rests_room, depth + 1)) {
		walk->failed = true;
		return;
	}
	if (walk->rests_room > had)
		memset(walk->rests + had, 0, (walk->rests_room - had) * sizeof(*walk->rests));
	tally_add(&walk->rests[depth].self, part->samples, part->period);
	if (walk->deepest <= depth)
		walk->deepest = depth + 1;
}

/* The paths [first, end) are part of the [rest] at @depth. */
static void fold_paths(struct page_walk *walk, size_t depth, size_t first, size_t end)
{
	walk->tree->folded += end - first;
	for (; first < end && !walk->failed; first++) {
		walk->tree->node_of[first] = (uint32_t)walk->rests[depth].paths;
		walk->rests[depth].paths = first + 1;
	}
}

static void walk_root(struct page_walk *walk, const struct page_root *root)
{
	const struct pagetree_input *input = walk->input;
	const size_t base = root->word ? 1 : 0;

	for (size_t i = root->first, end; i < root->end && !walk->failed; i = end) {
		const struct path_stat *path = &input->paths[i];
		const size_t depth = path->depth + base;

		end = i + 1;
		put_rests(walk, depth + 1);
		if (pagefold_keeps(&walk->fold, i)) {
			walk->tree->node_of[i] = walk->nr_put;
			put_node(walk, depth, walk->call_of[i], key_of_path(walk, path),
				 &path->self);
			continue;
		}
		add_rest(walk, depth, &path->total);
		while (end < root->end && input->paths[end].depth > path->depth)
			end++;
		fold_paths(walk, depth, i, end);
	}
}

/* Forgets the attempt before. */
static void start_walk(struct page_walk *walk)
{
	pagecolumns_clear(&walk->columns);
	walk->levels = 0;
	walk->nr_put = 0;
	walk->tree->folded = 0;
}

static void walk_all(struct page_walk *walk)
{
	static const struct tally none;

	start_walk(walk);
	for (size_t i = 0; i < walk->nr_roots && !walk->failed; i++) {
		const size_t word = walk->roots[i].word;

		if (word && (i == 0 || walk->roots[i - 1].word != word)) {
			put_rests(walk, 1);
			put_node(walk, 0, call_of_word(walk, word), key_of_word(walk, word), &none);
		}
		walk_root(walk, &walk->roots[i]);
	}
	put_rests(walk, 0);
	walk->tree->nodes = walk->nr_put;
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* The number of @word among those of @tree, which gets it if it is new. */
static size_t number_of_word(struct pagetree *tree, const char *word)
{
	size_t i = 1;

	while (i < tree->nr_words && strcmp(tree->words[i], word) != 0)
		i++;
	if (i == tree->nr_words && i < PAGETREE_WORDS_MAX)
		tree->words[tree->nr_words++] = word;
	return i < PAGETREE_WORDS_MAX ? i : PAGETREE_WORDS_MAX - 1;
}

/* Those that were cut for one reason stand together, after the others; else they keep their order.
 */
static int compare_roots(const void *a, const void *b)
{
	const struct page_root *x = a, *y = b;

	if (x->word != y->word)
		return x->word < y->word ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* Returns the roots, which the caller frees; NULL if memory is out. */
static struct page_root *list_roots(struct pagetree *tree, const struct pagetree_input *input,
				    size_t *nr)
{
	struct page_root *roots = NULL;
	size_t room = 0;

	*nr = 0;
	if (!array_grow(roots, room, 1))
		return NULL;
	for (size_t i = 0; i < input->nr_paths; i++) {
		const struct path_stat *path = &input->paths[i];

		if (path->depth == 0) {
			if (!array_grow(roots, room, *nr + 1)) {
				free(roots);
				return NULL;
			}
			roots[(*nr)++] = (struct page_root){
				.first = i,
				.word = path->cut ? number_of_word(tree, path->end) : 0};
		}
		if (*nr > 0)
			roots[*nr - 1].end = i + 1;
	}
	qsort(roots, *nr, sizeof(*roots), compare_roots);
	return roots;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static void free_walk(struct page_walk *walk)
{
	pagefold_free(&walk->fold);
	free(walk->call_of);
	pagecolumns_free(&walk->columns);
	free(walk->open);
	free(walk->rests);
}

/* False: memory is out. */
static bool start_tree(struct page_walk *walk)
{
	const struct pagetree_input *input = walk->input;

	walk->nr_keys = key_of_word(walk, walk->tree->nr_words);
	walk->call_of = calloc(input->nr_paths + 1, sizeof(*walk->call_of));
	walk->tree->node_of = calloc(input->nr_paths + 1, sizeof(*walk->tree->node_of));
	if (!walk->call_of || !walk->tree->node_of || !find_calls(walk))
		return false;
	return pagecolumns_start(&walk->columns, count_all_calls(walk), (uint32_t)walk->nr_keys,
				 walk->tree->quotient) &&
	       pagefold_start(&walk->fold, input->paths, input->nr_paths, &input->total);
}

/* Packs what is kept; sets @cost to what that has cost. False: memory is out. */
static bool pack_tree(struct page_walk *walk, struct pagefold_cost *cost)
{
	struct pagenumbers *packed = &walk->tree->packed;
	struct page_packed made;

	pagenumbers_free(packed);
	walk_all(walk);
	if (walk->failed || !pagenumbers_start(packed, walk->input->limit, false) ||
	    !pagecolumns_pack(&walk->columns, packed, &made))
		return false;
	walk->tree->nr_frames = made.nr_frames;
	cost->node = (double)made.of_nodes / (double)(walk->nr_put + 1);
	cost->counted = (double)(packed->pack->size - made.of_nodes) /
			(double)(walk->columns.nr_periods + 1);
	return true;
}

/* Packs ever fewer nodes until they fit. What they cost is known from the attempt before. */
static bool fit_tree(struct page_walk *walk)
{
	enum { GUESSES = 6 };
	const double room = (double)walk->input->limit;
	struct pagefold_cost cost = {.node = 0.6}; /* or more */

	for (int i = 0; i < GUESSES; i++) {
		/* smaller trees have more to tell by node */
		if (!pagefold_choose(&walk->fold, &cost, room * (1 - 0.01 * i)) ||
		    !pack_tree(walk, &cost))
			return false;
		if (walk->tree->packed.pack->size <= walk->input->limit)
			return true;
	}
	pagefold_drop(&walk->fold);
	return pack_tree(walk, &cost);
}

int pagetree_make(struct pagetree *tree, const struct pagetree_input *input, struct error *err)
{
	struct page_walk walk = {.input = input, .tree = tree};
	struct page_root *roots;
	bool ok;

	*tree = (struct pagetree){.words = {"rest"}, .nr_words = 1};
	tree->quotient = input->total.samples ? input->total.period / input->total.samples : 0;
	roots = list_roots(tree, input, &walk.nr_roots);
	walk.roots = roots;
	ok = roots && start_tree(&walk) && fit_tree(&walk);
	free(roots);
	free_walk(&walk);
	return ok ? 0 : error_nomem(err, "making the tree of the page");
}

void pagetree_free(struct pagetree *tree)
{
	pagenumbers_free(&tree->packed);
	free(tree->node_of);
	tree->node_of = NULL;
}
