#include "decode/answer/children.h"

#include "util/array.h"

#include <stdlib.h>

struct children {
	uint32_t *on_path; /* by row: how often it is on the current path */
	struct tally *totals;
	const struct children_ends *ends; /* or NULL */
};

static void count_end(const struct children_ends *ends, const struct path_visit *visit)
{
	const struct event *event = ends->functions[visit->functions.rows[0]].event;

	tally_add(&ends->of_events[event->number].by_end[visit->end], visit->total->samples,
		  visit->total->period);
}

/* Adds the total of the path to each function that is not on it yet. */
static void enter(void *arg, const struct path_visit *visit)
{
	const struct children *children = arg;

	if (children->ends && visit->caller < CHAIN_END_NR)
		count_end(children->ends, visit);
	for (size_t i = 0; i < visit->functions.nr; i++) {
		const uint32_t row = visit->functions.rows[i];

		if (children->on_path[row]++ == 0)
			tally_add(&children->totals[row], visit->total->samples,
				  visit->total->period);
	}
}

static void leave(void *arg, const struct path_visit *visit)
{
	const struct children *children = arg;

	for (size_t i = 0; i < visit->functions.nr; i++)
		children->on_path[visit->functions.rows[i]]--;
}

int children_sum(const struct pathstore *paths, const struct path_recount *recount,
		 const struct address_rows *rows, struct tally *totals,
		 const struct children_ends *ends, struct error *err)
{
	struct children children = {calloc(rows->nr_rows + 1, sizeof(uint32_t)), totals, ends};
	const struct path_visitor visitor = {enter, leave, &children};
	int rc;

	if (!children.on_path)
		return error_nomem(err, "adding up call paths");
	rc = pathstore_visit(paths, recount, rows, &visitor, err);
	free(children.on_path);
	return rc;
}

/* ---- from a list ----------------------------------------------------------------------------- */

struct list_walk {
	uint32_t *on_path; /* by function: how often it is on the current path */
	uint32_t *open;	   /* by depth: the function there */
	size_t room, nr_open;
};

/* Whether @row, now on the path at @depth, is there for the first time. Sets *@first; false: memory
 * is out. */
static bool go_to(struct list_walk *walk, size_t depth, uint32_t row, bool *first)
{
	if (!array_grow(walk->open, walk->room, depth + 1))
		return false;
	while (walk->nr_open > depth)
		walk->on_path[walk->open[--walk->nr_open]]--;
	walk->open[walk->nr_open++] = row;
	*first = walk->on_path[row]++ == 0;
	return true;
}

static void count_root(const struct children_ends *ends, const struct path_stat *path)
{
	enum chain_end end = 0;

	while (chain_end_word(end) != path->end)
		end++;
	tally_add(&ends->of_events[path->function->event->number].by_end[end], path->total.samples,
		  path->total.period);
}

int children_sum_list(const struct path_list *list, const struct function_stat *functions,
		      size_t nr_functions, struct tally *totals, const struct children_ends *ends,
		      struct error *err)
{
	struct list_walk walk = {.on_path = calloc(nr_functions + 1, sizeof(uint32_t))};
	bool ok = walk.on_path != NULL;

	for (size_t i = 0; ok && i < list->nr; i++) {
		const struct path_stat *path = &list->rows[i];
		const uint32_t row = (uint32_t)(path->function - functions);
		bool first;

		ok = go_to(&walk, path->depth, row, &first);
		if (ok && first)
			tally_add(&totals[row], path->total.samples, path->total.period);
		if (path->depth == 0 && path->function->event->chains)
			count_root(ends, path);
	}
	free(walk.on_path);
	free(walk.open);
	return ok ? 0 : error_nomem(err, "adding up call paths");
}
