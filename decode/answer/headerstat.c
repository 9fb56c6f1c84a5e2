/* What the recording says of itself: the rows of header.csv. */
#include "decode/answer/aggregate.h"

#include <stdlib.h>

static void *start(const struct aggregate_view *view, unsigned wanted)
{
	(void)view;
	(void)wanted;
	return calloc(1, sizeof(struct facts));
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct facts *facts = state;

	(void)results;
	facts_free(facts);
	return perffile_describe(view->file, facts, err);
}

static struct rows rows(void *state, unsigned number)
{
	const struct facts *facts = state;

	(void)number;
	return (struct rows){.first = facts->rows, .nr = facts->nr_rows};
}

static void end(void *state)
{
	facts_free(state);
	free(state);
}

static const struct aggregate aggregate = {
	.start = start,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer headerstat_facts = {&aggregate, 0};
