/* The answers of a run, as arrays and sources of rows. */
#ifndef READPERF_TESTS_SUPPORT_ANSWERS_H
#define READPERF_TESTS_SUPPORT_ANSWERS_H

#include "decode/results.h"

/* The rows of @answer, which are structs @type, and how many there are. */
#define ANSWER_ROWS(results, answer, type) \
	((const struct type *)results_rows(results, &(answer)).first)
#define ANSWER_NR(results, answer) (results_rows(results, &(answer)).nr)

/* Starts the rows of @answer, a source, anew; 0, or -1 with @err filled. */
static inline int answer_start(const struct results *results, const struct answer *answer,
			       struct error *err)
{
	const struct rows rows = results_rows(results, answer);

	return rows.source.start(rows.source.arg, err);
}

/* The next of them to @row: 1, 0 at the end, -1 with @err filled. */
static inline int answer_next(const struct results *results, const struct answer *answer, void *row,
			      struct error *err)
{
	const struct rows rows = results_rows(results, answer);

	return rows.source.next(rows.source.arg, row, err);
}

#endif
