#include "decode/stack/pathwalk.h"

#include "util/largemem.h"
#include "util/prefetch.h"
#include "util/zeroed.h"

#include <stdlib.h>

/* ---- the order ------------------------------------------------------------------------------- */

/* Both by the number of a path, with the roots. */
struct arranging {
	uint32_t *sizes; /* paths that begin with it; then its depth */
	uint32_t *next;	 /* where in the order the next path from it comes */
};

/* Adds what is counted on each path to its caller, and counts the paths that begin with it. */
static void add_up(const struct path_walk *walk, const struct arranging *by)
{
	/* A caller's number is less than those of the paths that extend it. */
	for (size_t i = walk->nr; i-- > 0;) {
		const struct callpath *path = &walk->paths[i];

		by->sizes[path->caller] += ++by->sizes[i + CHAIN_END_NR];
		if (path->caller >= CHAIN_END_NR)
			tally_add(&walk->paths[path->caller - CHAIN_END_NR].here,
				  path->here.samples, path->here.period);
	}
}

static void put_in_order(struct path_walk *walk, const struct arranging *by)
{
	uint32_t at = 0;

	for (size_t i = 0; i < CHAIN_END_NR; i++) {
		by->next[i] = at;
		at += by->sizes[i];
		by->sizes[i] = 0;
	}
	for (size_t i = CHAIN_END_NR; i < walk->nr + CHAIN_END_NR; i++) {
		const uint32_t caller = walk->paths[i - CHAIN_END_NR].caller;
		const uint32_t depth = by->sizes[caller] + 1;

		at = by->next[caller];
		by->next[caller] = at + by->sizes[i];
		by->next[i] = at + 1;
		by->sizes[i] = depth;
		walk->steps[at] = (struct path_step){(uint32_t)i, depth};
		if (depth > walk->deepest)
			walk->deepest = depth;
	}
}

bool path_walk_make(struct path_walk *walk, struct callpath *paths, size_t nr)
{
	const size_t nr_numbers = nr + CHAIN_END_NR;
	const size_t bytes = nr_numbers * sizeof(uint32_t), steps = nr * sizeof(*walk->steps);
	struct arranging by = {
		.sizes = zeroed_get(nr_numbers, sizeof(*by.sizes)),
		.next = largemem_get_all(bytes, bytes),
	};
	bool ok;

	*walk = (struct path_walk){
		.paths = paths, .nr = nr, .steps = largemem_get_all(steps, steps)};
	ok = by.sizes && by.next && walk->steps;
	if (ok) {
		add_up(walk, &by);
		put_in_order(walk, &by);
	} else {
		path_walk_free(walk);
	}
	free(by.sizes);
	free(by.next);
	return ok;
}

void path_walk_free(struct path_walk *walk)
{
	free(walk->paths);
	free(walk->steps);
	*walk = (struct path_walk){0};
}

/* ---- a visit --------------------------------------------------------------------------------- */

struct walker {
	const struct path_walk *walk;
	const struct address_rows *rows;
	const struct path_visitor *visitor;
	uint32_t *open; /* by depth less 1: the paths that are entered and not left */
	size_t nr_open;
	enum chain_end end; /* the tree that is walked */
};

static inline struct path_visit visit_of(const struct walker *walker, uint32_t number,
					 bool is_context)
{
	const struct callpath *path = &walker->walk->paths[number - CHAIN_END_NR];

	return (struct path_visit){
		.number = number,
		.caller = path->caller,
		.total = &path->here,
		.functions = address_rows_of(walker->rows, path->address),
		.end = walker->end,
		.is_context = is_context,
	};
}

/* Inlined, as it runs for each path. */
__attribute__((always_inline)) static inline void enter(struct walker *walker, uint32_t number,
							bool is_context)
{
	const uint32_t caller = walker->walk->paths[number - CHAIN_END_NR].caller;
	struct path_visit visit;

	if (caller < CHAIN_END_NR)
		walker->end = (enum chain_end)caller;
	walker->open[walker->nr_open++] = number;
	visit = visit_of(walker, number, is_context);
	walker->visitor->enter(walker->visitor->arg, &visit);
}

/* Leaves all paths that are as deep as @depth or deeper. */
static void leave_to(struct walker *walker, uint32_t depth)
{
	while (walker->nr_open >= depth) {
		const struct path_visit visit =
			visit_of(walker, walker->open[--walker->nr_open], false);

		walker->visitor->leave(walker->visitor->arg, &visit);
	}
}

/* Enters the paths that the one of @step extends. */
static void enter_context(struct walker *walker, const struct path_step *step)
{
	const size_t nr = step->depth - 1;
	uint32_t number = step->path;

	for (size_t i = nr; i-- > 0;) {
		number = walker->walk->paths[number - CHAIN_END_NR].caller;
		walker->open[i] = number;
	}
	for (size_t i = 0; i < nr; i++)
		enter(walker, walker->open[i], true);
}

/* Prefetches what is needed to enter the paths that come after step @i. */
static inline void look_ahead(const struct walker *walker, size_t i)
{
	enum { ROWS_AHEAD = 12, PATHS_AHEAD = 24 };
	const struct path_walk *walk = walker->walk;

	if (i + PATHS_AHEAD >= walk->nr)
		return;
	prefetch_read(&walk->paths[walk->steps[i + PATHS_AHEAD].path - CHAIN_END_NR]);
	address_rows_prefetch(walker->rows,
			      walk->paths[walk->steps[i + ROWS_AHEAD].path - CHAIN_END_NR].address);
}

bool path_walk_visit(const struct path_walk *walk, size_t from, size_t to,
		     const struct address_rows *rows, const struct path_visitor *visitor)
{
	struct walker walker = {
		.walk = walk,
		.rows = rows,
		.visitor = visitor,
		.open = calloc((size_t)walk->deepest + 1, sizeof(*walker.open)),
	};

	if (!walker.open)
		return false;
	if (from < to)
		enter_context(&walker, &walk->steps[from]);
	for (size_t i = from; i < to; i++) {
		look_ahead(&walker, i);
		leave_to(&walker, walk->steps[i].depth);
		enter(&walker, walk->steps[i].path, false);
	}
	leave_to(&walker, 1);
	free(walker.open);
	return true;
}
