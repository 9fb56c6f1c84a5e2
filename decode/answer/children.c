#include "decode/answer/children.h"

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

	if (children->ends && visit->path->caller < CHAIN_END_NR)
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
