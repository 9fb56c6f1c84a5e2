/* Header statistics: the rows of header.csv, facts from the recording's header. */
#include "decode/answer/aggregate.h"

#include <stdlib.h>

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
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct facts),
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer headerstat_facts = {&aggregate, 0};
