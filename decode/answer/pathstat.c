/*
 * Statistics of call chains: the paths of functions and the calls on them.
 */
#include "decode/answer/aggregate.h"
#include "decode/answer/calllist.h"
#include "decode/answer/pathlist.h"

enum { PATHS, CALLS, CELLS, SLICES }; /* numbers of the answers */

/* All zero is an empty one. */
struct pathstat {
	unsigned wanted;	       /* bits by number of the answers */
	const struct path_list *paths; /* both borrowed */
	const struct path_cells *cells;
	struct call_list calls;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct pathstat *stat = state;

	(void)view;
	stat->wanted = wanted;
	return true;
}

static void end(void *state)
{
	struct pathstat *stat = state;

	calllist_free(&stat->calls);
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct pathstat *stat = state;

	(void)results;
	end(stat);
	stat->paths = view->path_list;
	stat->cells = view->path_cells;
	if (stat->wanted & 1 << CALLS && !calllist_make(&stat->calls, stat->paths))
		return error_nomem(err, "adding up calls");
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct pathstat *stat = state;

	if (number == PATHS)
		return (struct rows){.first = stat->paths->rows, .nr = stat->paths->nr};
	if (number == CELLS)
		return (struct rows){.first = stat->cells->list, .nr = stat->cells->nr};
	if (number == SLICES)
		return (struct rows){.first = &stat->cells->slices, .nr = 1};
	return (struct rows){.first = stat->calls.rows, .nr = stat->calls.nr};
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct pathstat),
	.start = start,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer pathstat_paths = {&aggregate, PATHS};
const struct answer pathstat_calls = {&aggregate, CALLS};
const struct answer pathstat_cells = {&aggregate, CELLS};
const struct answer pathstat_slices = {&aggregate, SLICES};
