/*
 * Sorting of more rows than fit in memory.
 *
 *	sorter = sorter_create(sizeof(struct row), compare, budget);
 *	sorter_add(sorter, &row, &err);              as often as need be
 *	sorter_start(sorter, &err);
 *	while (sorter_next(sorter, &row, &err) > 0)  in order; more may be added afterwards
 *	sorter_free(sorter);
 *
 * Rows gather in memory. When they fill the budget they are sorted and appended to a nameless
 * temporary file as a run; the reading merges the runs and what is in memory. As long as all rows
 * fit in the budget there is no file.
 */
#ifndef READPERF_UTIL_SORTER_H
#define READPERF_UTIL_SORTER_H

#include "util/error.h"

#include <stddef.h>

struct sorter;

/**
 * An empty sorter of rows of @size bytes that @compare puts in order, as for qsort(). @budget:
 * bytes of rows that are kept in memory, at least for one; reading takes as much again. Returns
 * NULL if memory is out.
 */
struct sorter *sorter_create(size_t size, int (*compare)(const void *, const void *),
			     size_t budget);

/** Adds a copy of @row. Ends a reading. Returns 0, or -1 with @err filled. */
int sorter_add(struct sorter *sorter, const void *row, struct error *err);

/** Starts reading at the first row. Returns 0, or -1 with @err filled. */
int sorter_start(struct sorter *sorter, struct error *err);

/**
 * The next row, to be read after sorter_start(); *@row is borrowed until the next call, rows that
 * are equal come in any order. Returns 1, 0 if there is none, -1 with @err filled.
 */
int sorter_next(struct sorter *sorter, const void **row, struct error *err);

/** Frees all; NULL is fine. */
void sorter_free(struct sorter *sorter);

#endif
