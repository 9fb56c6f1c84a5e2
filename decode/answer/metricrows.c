#include "decode/answer/metricrows.h"

#include "perffile/event.h"
#include "util/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_functions(const void *left, const void *right)
{
	const struct function_stat *a = *(const struct function_stat *const *)left;
	const struct function_stat *b = *(const struct function_stat *const *)right;
	int order = strcmp(a->binary, b->binary);

	if (order == 0)
		order = strcmp(a->function, b->function);
	if (order == 0)
		order = strcmp(a->filename, b->filename);
	if (order == 0)
		order = strcmp(a->build_id, b->build_id);
	if (order == 0)
		order = strcmp(a->reason, b->reason);
	if (order == 0)
		order = a->line < b->line ? -1 : a->line > b->line;
	return order;
}

void metric_rows_start(struct metric_rows *rows, const struct results *results)
{
	rows->results = results;
	rows->nr = rows->nr_numbers = 0;
}

/* Gives rows of one function under several events the same number. Returns false if memory is out.
 */
static bool number_functions(struct metric_rows *rows)
{
	const struct results *results = rows->results;
	const size_t nr = results->nr_functions;
	const struct function_stat **sorted = calloc(nr + 1, sizeof(*sorted));

	rows->numbers = calloc(nr + 1, sizeof(*rows->numbers));
	rows->of = calloc(nr + 1, sizeof(*rows->of));
	if (sorted && rows->numbers && rows->of) {
		for (size_t i = 0; i < nr; i++)
			sorted[i] = &results->functions[i];
		qsort(sorted, nr, sizeof(*sorted), compare_functions);
		for (size_t i = 0; i < nr; i++) {
			if (i == 0 || compare_functions(&sorted[i - 1], &sorted[i]) != 0)
				rows->nr_numbers++;
			rows->numbers[sorted[i] - results->functions] =
				(uint32_t)rows->nr_numbers - 1;
		}
	}
	free(sorted);
	return sorted && rows->numbers && rows->of;
}

/* The first row of @event among the functions, which are sorted by event. */
static size_t first_of(const struct results *results, const struct event *event)
{
	size_t low = 0, high = results->nr_functions;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (results->functions[middle].event->number < event->number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool metric_rows_spread(struct metric_rows *rows, const struct event *const *events, size_t nr)
{
	const struct results *results = rows->results;

	if (!rows->numbers && !number_functions(rows))
		return false;
	memset(rows->of, 0, rows->nr_numbers * sizeof(*rows->of));
	for (size_t e = 0; e < nr; e++)
		for (size_t i = events[e] ? first_of(results, events[e]) : results->nr_functions;
		     i < results->nr_functions && results->functions[i].event == events[e]; i++)
			rows->of[rows->numbers[i]][e] = &results->functions[i];
	return true;
}

struct tally metric_rows_self(const struct function_stat *function)
{
	return function ? function->self : (struct tally){0};
}

void metric_rows_interval(struct metric_stat *row, uint64_t above, uint64_t below)
{
	const double deviation = sqrt(1 / (double)above + 1 / (double)below);

	row->has_interval = above > 0 && below > 0;
	if (!row->has_interval)
		return;
	row->low = row->value * exp(-1.96 * deviation);
	row->high = row->value * exp(1.96 * deviation);
}

bool metric_rows_add(struct metric_rows *rows, const struct metric_stat *row)
{
	if (!array_grow(rows->list, rows->room, rows->nr + 1))
		return false;
	rows->list[rows->nr++] = *row;
	return true;
}

static int compare_rows(const void *left, const void *right)
{
	const struct metric_stat *a = left, *b = right;

	if (a->denominator != b->denominator)
		return a->denominator > b->denominator ? -1 : 1;
	if (a->numerator != b->numerator)
		return a->numerator > b->numerator ? -1 : 1;
	return compare_functions(&a->function, &b->function);
}

void metric_rows_sort(struct metric_rows *rows, size_t first)
{
	if (rows->nr > first)
		qsort(rows->list + first, rows->nr - first, sizeof(*rows->list), compare_rows);
}

void metric_rows_finish(struct metric_rows *rows)
{
	free(rows->numbers);
	free(rows->of);
	rows->results = NULL;
	rows->numbers = NULL;
	rows->of = NULL;
}

void metric_rows_free(struct metric_rows *rows)
{
	metric_rows_finish(rows);
	free(rows->list);
	*rows = (struct metric_rows){0};
}
