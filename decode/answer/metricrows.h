/* Metric rows: what rows of metrics.csv are made of, functions across events, and the list of them.
 */
#ifndef READPERF_DECODE_ANSWER_METRICROWS_H
#define READPERF_DECODE_ANSWER_METRICROWS_H

#include "decode/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A ratio of fewer samples says nothing. */
enum { METRIC_SAMPLES_MIN = 20 };

/** The note of a row that lacks one of its events. */
#define METRIC_MISSING_EVENT "missing-event"

/** A metric combines no more events. */
enum { METRIC_EVENTS_MAX = 5 };

/** All zero is empty. */
struct metric_rows {
	struct metric_stat *list;
	size_t nr, room;
	/* While rows are made: the numbers of functions without their events, by row of the
	 * results, and for each number its rows of the events at hand, or NULL. */
	const struct results *results;
	uint32_t *numbers;
	const struct function_stat *(*of)[METRIC_EVENTS_MAX];
	size_t nr_numbers;
};

/** Empties the list; @results are borrowed until metric_rows_finish(). */
void metric_rows_start(struct metric_rows *rows, const struct results *results);

/**
 * Sets of[function][i] for each function and each of the @nr @events; NULL among them: none. Rows
 * of one function under several events have the same number, which the first call finds: most
 * recordings have no metrics. Returns false if memory is out.
 */
bool metric_rows_spread(struct metric_rows *rows, const struct event *const *events, size_t nr);

/** What the function counted itself; zeros for NULL. */
struct tally metric_rows_self(const struct function_stat *function);

/**
 * Sets the 95 % interval of @row's value, as if @above and @below samples were independent: that of
 * the ratio of two counts, on a logarithmic scale.
 */
void metric_rows_interval(struct metric_stat *row, uint64_t above, uint64_t below);

/** Adds a copy of @row. Returns false if memory is out. */
bool metric_rows_add(struct metric_rows *rows, const struct metric_stat *row);

/** Sorts the rows from number @first on: the largest denominator first. */
void metric_rows_sort(struct metric_rows *rows, size_t first);

/** Frees what is only needed while rows are made. */
void metric_rows_finish(struct metric_rows *rows);

void metric_rows_free(struct metric_rows *rows);

#endif
