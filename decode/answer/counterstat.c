/* Counter statistics: the rows of counters.csv, and the totals for the console. */
#include "decode/answer/aggregate.h"
#include "decode/answer/counterset.h"

/* All zero is empty. */
struct counterstat {
	const struct counterset *set;
	const struct perffile *file;
	size_t at; /* the next row */
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct counterstat *stat = state;

	(void)wanted;
	stat->set = view->counters;
	stat->file = view->file;
	return true;
}

static int first_row(void *arg, struct error *err)
{
	(void)err;
	((struct counterstat *)arg)->at = 0;
	return 0;
}

/* Rows after the last interval, in which nothing was to be counted, are left out. */
static int next_row(void *arg, void *to, struct error *err)
{
	struct counterstat *stat = arg;
	const struct counterset *set = stat->set;
	const struct counter_read *read;
	struct counter_stat *row = to;
	uint64_t before;

	(void)err;
	do {
		if (stat->at >= set->nr_reads)
			return 0;
		read = &set->rows[stat->at++];
	} while (read->round >= set->nr_rounds && read->enabled == 0);
	*row = (struct counter_stat){
		.counter = counterset_counter(set, stat->file, read),
		.has_time = read->round < set->nr_rounds,
		.counted = counterset_count(read->value, read->enabled, read->running),
	};
	if (!row->has_time)
		return 1;
	before = read->round ? set->rounds[read->round - 1] : 0;
	row->time = set->rounds[read->round];
	row->interval = row->time > before ? row->time - before : 0;
	return 1;
}

static struct rows rows(void *state, unsigned number)
{
	struct counterstat *stat = state;
	const struct counterset *set = stat->set;

	if (number == 1)
		return (struct rows){.first = set->totals, .nr = set->nr_totals};
	return (struct rows){.nr = set->rows ? set->nr_reads : 0,
			     .source = {stat, first_row, next_row}};
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct counterstat),
	.start = start,
	.rows = rows,
};

const struct answer counterstat_counts = {&aggregate, 0};
const struct answer counterstat_totals = {&aggregate, 1};
