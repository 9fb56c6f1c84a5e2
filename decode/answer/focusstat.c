/*
 * Statistics around functions: who called them, and what they called.
 */
#include "decode/answer/aggregate.h"
#include "decode/answer/focuslist.h"
#include "decode/answer/pathlist.h"

enum { CALLERS, CALLEES, NR_TREES }; /* numbers of the answers */

/* All zero is an empty one. */
struct focusstat {
	unsigned wanted; /* bits by number of the answers */
	struct focus_list trees[NR_TREES];
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct focusstat *stat = state;

	(void)view;
	stat->wanted = wanted;
	return true;
}

static void end(void *state)
{
	struct focusstat *stat = state;

	for (size_t i = 0; i < NR_TREES; i++)
		focuslist_free(&stat->trees[i]);
}

static bool make_trees(struct focusstat *stat, const struct aggregate_view *view,
		       const struct results *results, const struct path_list *paths)
{
	struct focus_input input = {.paths = paths, .events = results->events};

	for (unsigned i = 0; i < NR_TREES; i++) {
		input.callers = i == CALLERS;
		input.patterns = i == CALLERS ? view->callers_of : view->callees_of;
		if (stat->wanted & 1u << i && input.patterns &&
		    !focuslist_make(&stat->trees[i], &input))
			return false;
	}
	return true;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct focusstat *stat = state;
	struct path_list paths;
	int rc;

	end(stat);
	rc = pathlist_make(&paths, view->paths, view->of_addresses, results->functions,
			   results->nr_functions, err);
	if (rc == 0 && !make_trees(stat, view, results, &paths))
		rc = error_nomem(err, "adding up calls");
	pathlist_free(&paths);
	return rc;
}

static struct rows rows(void *state, unsigned number)
{
	const struct focusstat *stat = state;

	return (struct rows){.first = stat->trees[number].rows, .nr = stat->trees[number].nr};
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct focusstat),
	.start = start,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer focusstat_callers = {&aggregate, CALLERS};
const struct answer focusstat_callees = {&aggregate, CALLEES};
