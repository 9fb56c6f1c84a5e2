#include "decode/answer/pathcells.h"

#include "decode/stack/pathstore.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

enum { SLICES = 128, DEFAULT_MAX = 1 << 21 };

/* Slices of equal length hold all times. */
static struct path_slices slice_time(const struct sample_log *log)
{
	struct path_slices slices = {.threads = true};

	if (log->first > log->last)
		return slices;
	slices.start = log->first;
	slices.length = (log->last - log->first) / SLICES + 1;
	slices.nr = (uint32_t)((log->last - log->first) / slices.length + 1);
	return slices;
}

void pathcells_start(struct path_cells *cells, const struct sample_log *log, size_t max)
{
	*cells = (struct path_cells){
		.log = log,
		.slices = slice_time(log),
		.max = max ? max : DEFAULT_MAX,
	};
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_cells(const void *a, const void *b)
{
	const struct path_cell *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->slice > y->slice) - (x->slice < y->slice);
}

/* Adds @from to @to unless they differ, or the sum does not fit. */
static bool merge(struct path_cell *to, const struct path_cell *from)
{
	if (to->path != from->path || compare_cells(to, from) != 0 ||
	    __builtin_add_overflow(to->samples, from->samples, &to->samples))
		return false;
	if (__builtin_add_overflow(to->period, from->period, &to->period))
		to->period = UINT64_MAX;
	return true;
}

/* Moves the cells to @to by path, below @nr; those of a path keep their order. */
static bool sort_by_path(const struct path_cells *cells, struct path_cell *to, size_t nr)
{
	uint32_t *next = calloc(nr + 1, sizeof(*next));

	if (!next)
		return false;
	for (size_t i = 0; i < cells->nr; i++)
		next[cells->list[i].path + 1]++;
	for (size_t i = 1; i < nr; i++)
		next[i] += next[i - 1];
	for (size_t i = 0; i < cells->nr; i++)
		to[next[cells->list[i].path]++] = cells->list[i];
	free(next);
	return true;
}

/* Sorts the cells of the path that begins at @first; returns where the next one does. */
static size_t sort_one_path(struct path_cells *cells, size_t first)
{
	struct path_cell *list = cells->list;
	bool sorted = true;
	size_t end = first + 1;

	for (; end < cells->nr && list[end].path == list[first].path; end++)
		sorted = sorted && compare_cells(&list[end - 1], &list[end]) <= 0;
	if (!sorted)
		qsort(list + first, end - first, sizeof(*list), compare_cells);
	return end;
}

static void merge_neighbours(struct path_cells *cells)
{
	size_t kept = 0;

	for (size_t i = 1; i < cells->nr; i++)
		if (!merge(&cells->list[kept], &cells->list[i]))
			cells->list[++kept] = cells->list[i];
	cells->nr = cells->nr ? kept + 1 : 0;
}

/* Sorts the cells of paths below @nr_paths by path, thread and slice; equal ones become one. */
static bool put_in_order(struct path_cells *cells, size_t nr_paths)
{
	struct path_cell *sorted = calloc(cells->nr + 1, sizeof(*sorted));

	if (!sorted || !sort_by_path(cells, sorted, nr_paths)) {
		free(sorted);
		return false;
	}
	free(cells->list);
	cells->list = sorted;
	cells->room = cells->nr + 1;
	for (size_t at = 0; at < cells->nr;)
		at = sort_one_path(cells, at);
	merge_neighbours(cells);
	return true;
}

/* ---- from samples ---------------------------------------------------------------------------- */

/* Slices become twice as long; where that is the case with all of them, threads become one. */
static void coarsen(struct path_cells *cells)
{
	struct path_slices *slices = &cells->slices;
	const bool join_threads = slices->nr <= 1;

	if (join_threads)
		slices->threads = false;
	slices->length *= 2;
	slices->nr = (slices->nr + 1) / 2;
	for (size_t i = 0; i < cells->nr; i++) {
		cells->list[i].slice /= 2;
		if (join_threads)
			cells->list[i].thread = 0;
	}
}

/* Makes half of the cells at most, as long as there is something that can be left out. */
static bool make_room(struct path_cells *cells)
{
	uint32_t highest = 0;

	for (size_t i = 0; i < cells->nr; i++)
		if (cells->list[i].path > highest)
			highest = cells->list[i].path;
	if (!put_in_order(cells, (size_t)highest + 1))
		return false;
	while (cells->nr > cells->max / 2 && (cells->slices.nr > 1 || cells->slices.threads)) {
		coarsen(cells);
		if (!put_in_order(cells, (size_t)highest + 1))
			return false;
	}
	if (cells->nr > cells->max / 2)
		cells->max = cells->nr * 2;
	return true;
}

static struct path_cell cell_of(const struct path_cells *cells, const struct logged_sample *sample,
				uint32_t number)
{
	const struct path_slices *slices = &cells->slices;

	return (struct path_cell){
		.path = number,
		.thread = slices->threads ? sample->thread : 0,
		.slice = sample->time == SAMPLELOG_TIMELESS
				 ? 0
				 : (uint32_t)((sample->time - slices->start) / slices->length),
		.samples = 1,
		.period = sample->period,
	};
}

/* A table of paths whose samples are added. */
struct cell_table {
	size_t number;
	const uint32_t *paths; /* of functions, by path */
	const struct path_of_address *of_address;
};

static uint32_t path_of(const struct cell_table *table, const struct logged_sample *sample)
{
	const struct path_of_address *of_address = table->of_address;

	if (sample->number & SAMPLELOG_ADDRESS)
		return of_address->find(of_address->arg, sample->number & ~SAMPLELOG_ADDRESS);
	return table->paths[sample->number - CHAIN_END_NR];
}

static void add_sample(struct path_cells *cells, const struct cell_table *table,
		       const struct logged_sample *sample)
{
	const uint32_t number = path_of(table, sample);
	struct path_cell cell = cell_of(cells, sample, number);

	if (cells->nr && merge(&cells->list[cells->nr - 1], &cell))
		return;
	if (cells->nr >= cells->max && !make_room(cells)) {
		cells->failed = true;
		return;
	}
	/* make_room() may have made the slices longer. */
	cell = cell_of(cells, sample, number);
	if (!array_grow(cells->list, cells->room, cells->nr + 1))
		cells->failed = true;
	else
		cells->list[cells->nr++] = cell;
}

static int add_filed(struct path_cells *cells, const struct cell_table *table,
		     struct logged_sample *samples, struct error *err)
{
	uint64_t first, end;

	samplelog_range(cells->log, table->number, &first, &end);
	while (first < end && !cells->failed) {
		const size_t nr = end - first < SAMPLELOG_BUFFERED ? (size_t)(end - first)
								   : (size_t)SAMPLELOG_BUFFERED;

		if (samplelog_read(cells->log, first, nr, samples, err) < 0)
			return -1;
		for (size_t i = 0; i < nr && !cells->failed; i++)
			add_sample(cells, table, &samples[i]);
		first += nr;
	}
	return cells->failed ? error_nomem(err, "adding up threads and times") : 0;
}

int pathcells_add_table(struct path_cells *cells, size_t number, const uint32_t *paths,
			const struct path_of_address *of_address, struct error *err)
{
	const struct cell_table table = {number, paths, of_address};
	const struct sample_log *log = cells->log;
	struct logged_sample *samples;
	int rc;

	if (number == PATHSTORE_WAITING) {
		for (size_t i = 0; i < log->nr_waiting && !cells->failed; i++)
			add_sample(cells, &table, &log->waiting[i]);
		return cells->failed ? error_nomem(err, "adding up threads and times") : 0;
	}
	samples = calloc(SAMPLELOG_BUFFERED, sizeof(*samples));
	if (!samples)
		return error_nomem(err, "adding up threads and times");
	rc = add_filed(cells, &table, samples, err);
	free(samples);
	return rc;
}

bool pathcells_end(struct path_cells *cells, const uint32_t *places, size_t nr)
{
	for (size_t i = 0; i < cells->nr; i++)
		cells->list[i].path = places[cells->list[i].path];
	return put_in_order(cells, nr);
}

void pathcells_free(struct path_cells *cells)
{
	free(cells->list);
	*cells = (struct path_cells){0};
}
