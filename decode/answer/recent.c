#include "decode/answer/recent.h"

#include "decode/answer/children.h"

#include <stdlib.h>
#include <string.h>

/* Copies the rows, with all counts 0. */
static bool copy_rows(struct recent *recent, const struct recent_input *input)
{
	recent->events = calloc(input->nr_events + 1, sizeof(*recent->events));
	recent->functions = calloc(input->nr_rows + 1, sizeof(*recent->functions));
	if (!recent->events || !recent->functions)
		return false;
	for (size_t i = 0; i < input->nr_rows; i++) {
		recent->functions[i] = input->rows[i];
		recent->functions[i].self = (struct tally){0};
	}
	return true;
}

/* Adds up events, and the self counts of functions. */
static void count_self(struct recent *recent, const struct recent_input *input,
		       const struct recentcount_counts *sum)
{
	for (size_t i = 0; i < sum->index.nr; i++) {
		const struct recentcount_count *count = &sum->list[i];
		const struct tally tally = count->tally;
		uint32_t event = count->number;

		if (count->kind == RECENT_ADDRESS) {
			const uint32_t row =
				address_rows_innermost(input->of_addresses, count->number);

			event = input->addresses->addresses[count->number].event;
			tally_add(&recent->functions[row].self, tally.samples, tally.period);
			tally_add(&recent->events[event].total, tally.samples, tally.period);
		} else if (count->kind != RECENT_LEFT_OUT) {
			continue;
		}
		tally_add(&recent->events[event].taken, tally.samples, tally.period);
	}
}

/* Replaces the counts of the @nr @paths of @table by what they counted in the window. */
static void recount(void *arg, size_t table, struct callpath *paths, size_t nr)
{
	const struct recentcount_counts *sum = arg;
	const size_t kind = table == PATHSTORE_WAITING ? RECENT_WAITING : RECENT_PATH + table;

	for (size_t i = 0; i < nr; i++)
		paths[i].here = (struct tally){0};
	for (size_t i = 0; i < sum->index.nr; i++) {
		const size_t at = (size_t)sum->list[i].number - CHAIN_END_NR;

		if (sum->list[i].kind == kind && at < nr)
			tally_add(&paths[at].here, sum->list[i].tally.samples,
				  sum->list[i].tally.period);
	}
}

/* Sets the children counts; without call chains they equal self. */
static int count_children(struct recent *recent, const struct recent_input *input,
			  struct recentcount_counts *sum, struct error *err)
{
	const struct path_recount counts = {recount, sum};
	struct tally *totals = calloc(input->nr_rows + 1, sizeof(*totals));
	int rc;

	if (!totals)
		return error_nomem(err, "adding up the window");
	rc = children_sum(input->paths, &counts, NULL, input->of_addresses, NULL, totals, NULL, err);
	for (size_t i = 0; rc == 0 && i < input->nr_rows; i++) {
		struct function_stat *row = &recent->functions[i];

		row->children = row->event->chains ? totals[i] : row->self;
	}
	free(totals);
	return rc;
}

/* Removes the rows without samples. Returns the number of rows left. */
static size_t keep_counted(struct function_stat *rows, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (rows[i].self.samples)
			rows[kept++] = rows[i];
	}
	return kept;
}

int recent_make(struct recent *recent, const struct recent_input *input, struct error *err)
{
	struct recentcount_counts sum = {0};
	int rc = -1;

	if (!copy_rows(recent, input) || !recentcount_sum(input->window, &sum)) {
		error_nomem(err, "adding up the window");
	} else {
		count_self(recent, input, &sum);
		rc = count_children(recent, input, &sum, err);
	}
	recentcount_counts_free(&sum);
	if (rc < 0)
		return -1;
	recent->stat = (struct window_stat){
		.length = input->window->length,
		.events = recent->events,
		.functions = recent->functions,
		.nr_functions = keep_counted(recent->functions, input->nr_rows),
	};
	return 0;
}

void recent_free(struct recent *recent)
{
	free(recent->events);
	free(recent->functions);
	*recent = (struct recent){0};
}
