#include "report/export/pagetree.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A path without a caller, with all that continues it: a range of the paths. */
struct page_root {
	size_t first, end;
	size_t word; /* why it was cut; 0: it was not */
};

/* Which nodes are kept: those above @bucket, and those in it down to @depth. */
struct page_limit {
	unsigned bucket, depth;
};

enum page_column { COLUMN_COUNT, COLUMN_UP, COLUMN_FRAME, COLUMN_SAMPLES };

/* That one frame is below another somewhere, and how many such callees that caller had before. */
struct page_call {
	uint32_t caller, callee, number;
};

/* The calls so far, and where the walk is. A frame costs little if it is told as a known callee. */
struct page_calls {
	struct page_call *calls;
	size_t room;
	struct index index;   /* of @calls */
	uint32_t *nr_callees; /* by frame; the last one is the caller of roots */
	uint32_t *open;	      /* by depth: the frame there */
	size_t open_room;
};

/* What is folded into one [rest]: its sum, and the last of its paths. Those are a list: each one's
 * node_of is the number of the one before, plus 1. */
struct page_rest {
	struct tally self;
	size_t paths;
};

/* A walk over the nodes that are kept, to fill one column. */
struct page_walk {
	const struct pagetree_input *input;
	struct pagetree *tree;
	const struct page_root *roots;
	size_t nr_roots;
	struct page_limit limit;
	uint32_t *frames; /* by key: number of nodes while these are counted, then of the frame */
	struct page_calls calls;
	enum page_column column;
	uint64_t levels;	 /* depth of the node before, plus 1 */
	uint32_t nr_put;	 /* nodes in the column so far */
	uint64_t last_samples;	 /* of the node before */
	struct page_rest *rests; /* by depth: nodes that are folded */
	size_t rests_room;
	size_t deepest;	  /* of @rests with samples, plus 1 */
	int64_t *periods; /* of nodes with samples, see add_period() */
	size_t nr_periods, periods_room;
	bool failed;
};

/* ---- what is kept ---------------------------------------------------------------------------- */

enum { BUCKETS_OF_DOUBLE = 16, BUCKETS = 65 * BUCKETS_OF_DOUBLE, DEPTHS = 4096 };

/* Larger for larger shares of the samples or the period, on a scale of 16 steps for each doubling.
 */
static unsigned bucket_of(const struct tally *part, const struct tally *total)
{
	const double samples = total->samples ? (double)part->samples / (double)total->samples : 0;
	const double period = total->period ? (double)part->period / (double)total->period : 0;
	const double share = samples > period ? samples : period;
	int exponent;
	double mantissa;

	if (share <= 0)
		return 0;
	mantissa = frexp(share < 1 ? share : 1, &exponent); /* from 0.5 up to 1 */
	if (exponent < -62)
		return 0;
	return (unsigned)(exponent + 63) * BUCKETS_OF_DOUBLE +
	       (unsigned)((mantissa - 0.5) * 2 * BUCKETS_OF_DOUBLE);
}

static unsigned depth_of(const struct path_stat *path)
{
	return path->depth < DEPTHS ? path->depth : DEPTHS - 1;
}

/* A parent is kept where its child is: it is at least as large, and above. */
static bool is_kept(const struct page_walk *walk, const struct path_stat *path)
{
	unsigned bucket;

	if (path->depth >= PAGETREE_DEPTH_MAX)
		return false;
	if (walk->limit.bucket == 0)
		return true;
	bucket = bucket_of(&path->total, &walk->input->total);
	return bucket > walk->limit.bucket ||
	       (bucket == walk->limit.bucket && depth_of(path) < walk->limit.depth);
}

/* Counts the depths of nodes in @bucket, and sets the limit to keep at most @room of them. */
static bool choose_depth(struct page_limit *limit, const struct pagetree_input *input,
			 uint64_t room)
{
	uint64_t *nr = calloc(DEPTHS, sizeof(*nr));
	unsigned depth = 0;

	if (!nr)
		return false;
	for (size_t i = 0; i < input->nr_paths; i++)
		if (bucket_of(&input->paths[i].total, &input->total) == limit->bucket)
			nr[depth_of(&input->paths[i])]++;
	while (depth < DEPTHS && nr[depth] <= room)
		room -= nr[depth++];
	limit->depth = depth;
	free(nr);
	return true;
}

/* Sets the limit to keep at most @keep paths, the largest. False: memory is out. */
static bool choose_limit(struct page_limit *limit, const struct pagetree_input *input,
			 uint64_t keep)
{
	uint64_t nr[BUCKETS] = {0};
	unsigned bucket = BUCKETS;

	*limit = (struct page_limit){0};
	if (input->nr_paths <= keep)
		return true;
	for (size_t i = 0; i < input->nr_paths; i++)
		nr[bucket_of(&input->paths[i].total, &input->total)]++;
	while (bucket > 1 && nr[bucket - 1] <= keep)
		keep -= nr[--bucket];
	limit->bucket = bucket - 1 > 0 ? bucket - 1 : 1;
	return choose_depth(limit, input, keep);
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* The number of @callee among those of @caller, in the order of their first time. */
static uint32_t number_of_callee(struct page_walk *walk, uint32_t caller, uint32_t callee)
{
	struct page_calls *calls = &walk->calls;
	const uint64_t hash = hash_u64((uint64_t)caller << 32 | callee);
	const size_t nr = calls->index.nr;
	uint32_t at;

	for (size_t i = index_first(&calls->index, hash); index_next(&calls->index, hash, &i, &at);)
		if (calls->calls[at].caller == caller && calls->calls[at].callee == callee)
			return calls->calls[at].number;
	if (!array_grow(calls->calls, calls->room, nr + 1) || !index_add(&calls->index, hash)) {
		walk->failed = true;
		return 0;
	}
	calls->calls[nr] = (struct page_call){caller, callee, calls->nr_callees[caller]++};
	return calls->calls[nr].number;
}

/* A frame is told by its number among those that were below its caller. */
static void put_frame(struct page_walk *walk, size_t depth, uint32_t frame)
{
	struct page_calls *calls = &walk->calls;
	const uint32_t caller = depth ? calls->open[depth - 1] : (uint32_t)walk->tree->nr_frames;
	uint32_t number;

	if (!array_grow(calls->open, calls->open_room, depth + 1)) {
		walk->failed = true;
		return;
	}
	calls->open[depth] = frame;
	number = number_of_callee(walk, caller, frame);
	pagenumbers_put(&walk->tree->packed, number);
}

/* What each new one was, in the order in which they came. */
static void put_new_frames(struct page_walk *walk)
{
	for (size_t i = 0; i < walk->calls.index.nr; i++)
		pagenumbers_put(&walk->tree->packed, walk->calls.calls[i].callee);
}

/* Keeps how much the period of a node is off what its samples let expect. */
static void add_period(struct page_walk *walk, const struct tally *self)
{
	if (!array_grow(walk->periods, walk->periods_room, walk->nr_periods + 1))
		walk->failed = true;
	else
		walk->periods[walk->nr_periods++] =
			(int64_t)(self->period - self->samples * walk->tree->quotient);
}

/* Puts the samples of the node before, now that it is known whether nodes are below it. */
static void put_samples(struct page_walk *walk, bool is_leaf)
{
	if (walk->column == COLUMN_SAMPLES && walk->nr_put)
		pagenumbers_put(&walk->tree->packed, walk->last_samples - is_leaf);
}

static void put_node(struct page_walk *walk, size_t depth, size_t key, const struct tally *self)
{
	const uint64_t up = walk->levels - depth;

	put_samples(walk, up > 0);
	walk->nr_put++;
	walk->last_samples = self->samples;
	walk->levels = depth + 1;
	switch (walk->column) {
	case COLUMN_COUNT:
		walk->frames[key]++;
		walk->tree->nodes++;
		break;
	case COLUMN_FRAME:
		put_frame(walk, depth, walk->frames[key]);
		break;
	case COLUMN_UP:
		pagenumbers_put(&walk->tree->packed, up);
		break;
	case COLUMN_SAMPLES:
		if (self->samples)
			add_period(walk, self);
		break;
	}
}

static size_t key_of_word(const struct page_walk *walk, size_t word)
{
	return 2 * walk->input->nr_functions + word;
}

/* Puts what was folded at @depth and below, the deepest first: nothing more comes there. */
static void put_rests(struct page_walk *walk, size_t depth)
{
	while (walk->deepest > depth) {
		struct page_rest *rest = &walk->rests[--walk->deepest];

		if (rest->self.samples)
			put_node(walk, walk->deepest, key_of_word(walk, 0), &rest->self);
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
	if (walk->column == COLUMN_COUNT)
		walk->tree->folded += end - first;
	if (walk->column != COLUMN_UP || walk->failed)
		return;
	for (; first < end; first++) {
		walk->tree->node_of[first] = (uint32_t)walk->rests[depth].paths;
		walk->rests[depth].paths = first + 1;
	}
}

static void walk_root(struct page_walk *walk, const struct page_root *root)
{
	const struct pagetree_input *input = walk->input;
	const size_t base = root->word ? 1 : 0;

	for (size_t i = root->first; i < root->end && !walk->failed; i++) {
		const struct path_stat *path = &input->paths[i];
		const size_t depth = path->depth + base;
		size_t end = i + 1;

		if (is_kept(walk, path)) {
			const size_t function = (size_t)(path->function - input->functions);

			put_rests(walk, depth + 1);
			walk->tree->node_of[i] = walk->nr_put;
			put_node(walk, depth, 2 * function + path->inlined, &path->self);
			continue;
		}
		put_rests(walk, depth + 1);
		add_rest(walk, depth, &path->total);
		while (end < root->end && input->paths[end].depth > path->depth)
			end++;
		fold_paths(walk, depth, i, end);
		i = end - 1;
	}
}

static void walk_all(struct page_walk *walk, enum page_column column)
{
	static const struct tally none;

	walk->column = column;
	walk->levels = 0;
	walk->nr_put = 0;
	for (size_t i = 0; i < walk->nr_roots && !walk->failed; i++) {
		const size_t word = walk->roots[i].word;

		if (word && (i == 0 || walk->roots[i - 1].word != word)) {
			put_rests(walk, 1);
			put_node(walk, 0, key_of_word(walk, word), &none);
		}
		walk_root(walk, &walk->roots[i]);
	}
	put_rests(walk, 0);
	put_samples(walk, true);
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

/* ---- frames ---------------------------------------------------------------------------------- */

struct page_frame {
	uint32_t key, nodes;
};

static int compare_frames(const void *a, const void *b)
{
	const struct page_frame *x = a, *y = b;

	if (x->nodes != y->nodes)
		return x->nodes > y->nodes ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/* Numbers the frames, those of many nodes first, and puts their keys. False: memory is out. */
static bool put_keys(struct page_walk *walk)
{
	const size_t nr_keys = key_of_word(walk, walk->tree->nr_words);
	struct page_frame *frames = calloc(nr_keys, sizeof(*frames));
	size_t nr = 0;

	if (!frames)
		return false;
	for (size_t key = 0; key < nr_keys; key++)
		if (walk->frames[key])
			frames[nr++] = (struct page_frame){(uint32_t)key, walk->frames[key]};
	qsort(frames, nr, sizeof(*frames), compare_frames);
	for (size_t i = 0; i < nr; i++) {
		pagenumbers_put(&walk->tree->packed, frames[i].key);
		walk->frames[frames[i].key] = (uint32_t)i;
	}
	walk->tree->nr_frames = nr;
	free(frames);
	return true;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static void free_calls(struct page_calls *calls)
{
	free(calls->calls);
	index_free(&calls->index);
	free(calls->nr_callees);
	free(calls->open);
	*calls = (struct page_calls){0};
}

/* Puts the columns of the nodes. False: memory is out. */
static bool put_columns(struct page_walk *walk)
{
	walk->calls.nr_callees = calloc(walk->tree->nr_frames + 1, sizeof(*walk->calls.nr_callees));
	if (!walk->calls.nr_callees)
		return false;
	walk_all(walk, COLUMN_UP);
	walk_all(walk, COLUMN_FRAME);
	put_new_frames(walk);
	free_calls(&walk->calls);
	walk->nr_periods = 0;
	walk_all(walk, COLUMN_SAMPLES);
	pagenumbers_put_planes(&walk->tree->packed, walk->periods, walk->nr_periods);
	return !walk->failed;
}

/* Packs what the limit keeps. False: memory is out. */
static bool pack_tree(struct page_walk *walk)
{
	struct pagetree *tree = walk->tree;

	pagenumbers_free(&tree->packed);
	tree->nodes = tree->folded = 0;
	memset(walk->frames, 0, key_of_word(walk, tree->nr_words) * sizeof(*walk->frames));
	if (!pagenumbers_start(&tree->packed, walk->input->limit, false))
		return false;
	walk_all(walk, COLUMN_COUNT);
	return !walk->failed && put_keys(walk) && put_columns(walk) &&
	       pagenumbers_end(&tree->packed);
}

/* Packs ever fewer nodes until they fit. What one costs is known from the attempt before. */
static bool fit_tree(struct page_walk *walk)
{
	enum { GUESSES = 6 };
	const struct pagetree_input *input = walk->input;
	/* A node takes 0.6 bytes or more. */
	uint64_t keep = input->limit + input->limit / 2;

	for (int i = 0; i < GUESSES; i++) {
		const struct codec_pack *pack;

		if (!choose_limit(&walk->limit, input, keep) || !pack_tree(walk))
			return false;
		pack = walk->tree->packed.pack;
		if (pack->size <= input->limit)
			return true;
		keep = (uint64_t)((double)(walk->tree->nodes < keep ? walk->tree->nodes : keep) *
				  (double)input->limit / (double)pack->size * 0.97);
	}
	walk->limit = (struct page_limit){.bucket = BUCKETS};
	return pack_tree(walk);
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
	walk.frames = calloc(key_of_word(&walk, tree->nr_words), sizeof(*walk.frames));
	tree->node_of = calloc(input->nr_paths + 1, sizeof(*tree->node_of));
	ok = roots && walk.frames && tree->node_of && fit_tree(&walk);
	free(roots);
	free(walk.frames);
	free(walk.rests);
	free(walk.periods);
	free_calls(&walk.calls);
	return ok ? 0 : error_nomem(err, "making the tree of the page");
}

void pagetree_free(struct pagetree *tree)
{
	pagenumbers_free(&tree->packed);
	free(tree->node_of);
	tree->node_of = NULL;
}
