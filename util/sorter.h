/*
 * Sorts more rows than fit in memory.
 *
 *	sorter = sorter_create(sizeof(struct row), compare, budget);
 *	sorter_add(sorter, &row, &err);              any number of times
 *	sorter_start(sorter, &err);
 *	while (sorter_next(sorter, &row, &err) > 0)  in order; more may be added afterwards
 *	sorter_free(sorter);
 *
 * Rows are kept in memory. When they exceed the budget, they are sorted and appended to a nameless
 * temporary file as a run. Reading merges the runs and the rows in memory. If all rows fit in the
 * budget, there is no file.
 */
#ifndef READPERF_UTIL_SORTER_H
#define READPERF_UTIL_SORTER_H

#include "util/error.h"

#include <stddef.h>

struct sorter;

/**
 * Returns an empty sorter, for sorter_free(), of rows of @size bytes in the order of @compare, as
 * for qsort(). @budget is the maximum of bytes of rows in memory (at least one row is kept);
 * reading takes as much again. NULL if memory is out.
 */
struct sorter *sorter_create(size_t size, int (*compare)(const void *, const void *),
			     size_t budget);

/** Adds a copy of @row and ends a reading in progress. Returns 0, or -1 with @err set. */
int sorter_add(struct sorter *sorter, const void *row, struct error *err);

/** Starts reading at the first row. Returns 0, or -1 with @err set. */
int sorter_start(struct sorter *sorter, struct error *err);

/**
 * Reads the next row after sorter_start(). *@row is valid until the next call; equal rows come in
 * any order. Returns 1, 0 if there is none, -1 with @err set.
 */
int sorter_next(struct sorter *sorter, const void **row, struct error *err);

/** Frees @sorter, which may be NULL. */
void sorter_free(struct sorter *sorter);

#endif
