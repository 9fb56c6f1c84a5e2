/*
 * Slices of time: what each event counted in each of them, by process, function or CPU.
 *
 * There is a cell for each slice and what it is of, if it has samples; too many are an error. Cells
 * of functions are of addresses until these have names.
 */
#include "decode/answer/aggregate.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MAX = 10 * 1000 * 1000 };

/* What is counted together. */
struct slice_key {
	uint64_t slice; /* its number: start / length */
	uint32_t event;
	uint32_t of;   /* pid, address, or CPU */
	uint32_t comm; /* a string; by processes only */
	bool has_of;
};

struct slice_cell {
	struct slice_key key;
	struct tally tally;
};

/* All zero is empty. */
struct slicestat {
	const struct intern *strings;
	const struct perffile *file;
	uint64_t length; /* ns */
	enum slice_by by;
	size_t max; /* of cells */
	struct slice_cell *cells;
	size_t room;
	struct index index;
	uint64_t nr_untimed; /* samples without a time */
	struct slice_stat *rows;
	size_t nr_rows;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct slicestat *stat = state;

	(void)wanted;
	stat->file = view->file;
	stat->strings = &view->processes->strings;
	stat->length = view->slice ? view->slice : SLICE_DEFAULT;
	stat->by = view->slice_by;
	stat->max = view->slices_max ? view->slices_max : DEFAULT_MAX;
	return true;
}

/* ---- counting -------------------------------------------------------------------------------- */

static bool same_key(const struct slice_key *a, const struct slice_key *b)
{
	return a->slice == b->slice && a->of == b->of && a->event == b->event &&
	       a->comm == b->comm && a->has_of == b->has_of;
}

static struct slice_key key_of(const struct slicestat *stat, const struct counted_sample *sample)
{
	const struct record *rec = sample->rec;
	struct slice_key key = {.slice = rec->time / stat->length, .event = sample->event->number};

	switch (stat->by) {
	case SLICE_BY_PROCESS:
		key.of = sample->process->pid;
		key.comm = sample->process->comm;
		key.has_of = true;
		break;
	case SLICE_BY_FUNCTION:
		key.of = sample->address;
		key.has_of = true;
		break;
	case SLICE_BY_CPU:
		key.has_of = rec->has & HAS_CPU;
		key.of = key.has_of ? rec->cpu : 0;
		break;
	case SLICE_BY_NONE:
		break;
	}
	return key;
}

static bool add_cell(struct slicestat *stat, const struct slice_key *key, uint64_t hash,
		     uint64_t period, struct error *err)
{
	const size_t nr = stat->index.nr;

	if (nr >= stat->max) {
		error_set(err, ERROR_USAGE,
			  "slices.csv would have more than %zu rows: give it longer slices "
			  "(--slice), fewer kinds of rows (--slice-by), or filters",
			  stat->max);
		return false;
	}
	if (!array_grow(stat->cells, stat->room, nr + 1) || !index_add(&stat->index, hash)) {
		error_nomem(err, "counting slices");
		return false;
	}
	stat->cells[nr] = (struct slice_cell){*key, {1, period}};
	return true;
}

static bool take(void *state, const struct counted_sample *sample, struct error *err)
{
	struct slicestat *stat = state;
	struct slice_key key;
	uint64_t hash;
	uint32_t number;

	if (!(sample->rec->has & HAS_TIME)) {
		stat->nr_untimed++;
		return true;
	}
	key = key_of(stat, sample);
	hash = hash_u64(key.slice ^ (uint64_t)key.event << 48);
	hash = hash_add(hash, (uint64_t)key.of << 32 | key.comm);
	for (size_t at = index_first(&stat->index, hash);
	     index_next(&stat->index, hash, &at, &number);) {
		if (same_key(&stat->cells[number].key, &key)) {
			tally_add(&stat->cells[number].tally, 1, sample->period);
			return true;
		}
	}
	return add_cell(stat, &key, hash, sample->period, err);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int compare_numbers(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int compare_functions(const struct function_stat *f, const struct function_stat *g)
{
	int order;

	if (f == g || !f || !g)
		return compare_numbers(f != NULL, g != NULL);
	if ((order = strcmp(f->binary, g->binary)) != 0 ||
	    (order = strcmp(f->function, g->function)) != 0 ||
	    (order = strcmp(f->filename, g->filename)) != 0)
		return order;
	return compare_numbers(f->number, g->number);
}

static int compare_rows(const void *a, const void *b)
{
	const struct slice_stat *x = a, *y = b;
	int order;

	if (x->event != y->event)
		return compare_numbers(x->event->number, y->event->number);
	if (x->start != y->start)
		return compare_numbers(x->start, y->start);
	if (x->pid != y->pid)
		return (int32_t)x->pid < (int32_t)y->pid ? -1 : 1;
	if ((order = strcmp(x->comm, y->comm)) != 0)
		return order;
	if (x->has_cpu != y->has_cpu)
		return y->has_cpu - x->has_cpu;
	if (x->cpu != y->cpu)
		return compare_numbers(x->cpu, y->cpu);
	return compare_functions(x->function, y->function);
}

static struct slice_stat row_of(const struct slicestat *stat, const struct aggregate_view *view,
				const struct results *results, const struct slice_cell *cell)
{
	const struct slice_key *key = &cell->key;
	struct slice_stat row = {
		.event = perffile_event(stat->file, key->event),
		.start = key->slice * stat->length,
		.length = stat->length,
		.comm = intern_get(stat->strings, key->comm),
		.tally = cell->tally,
	};

	if (stat->by == SLICE_BY_FUNCTION) {
		row.function =
			&results->functions[address_rows_innermost(view->of_addresses, key->of)];
	} else if (stat->by == SLICE_BY_PROCESS) {
		row.has_pid = true;
		row.pid = key->of;
	} else if (stat->by == SLICE_BY_CPU) {
		row.has_cpu = key->has_of;
		row.cpu = key->of;
	}
	return row;
}

/* Addresses of one function are one row, and so are pids of no known process. */
static void merge_rows(struct slicestat *stat)
{
	size_t nr = 0;

	qsort(stat->rows, stat->nr_rows, sizeof(*stat->rows), compare_rows);
	for (size_t i = 0; i < stat->nr_rows; i++) {
		const struct slice_stat *row = &stat->rows[i];

		if (nr > 0 && compare_rows(&stat->rows[nr - 1], row) == 0)
			tally_add(&stat->rows[nr - 1].tally, row->tally.samples, row->tally.period);
		else
			stat->rows[nr++] = *row;
	}
	stat->nr_rows = nr;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct slicestat *stat = state;

	free(stat->rows);
	stat->nr_rows = 0;
	stat->rows = calloc(stat->index.nr + 1, sizeof(*stat->rows));
	if (!stat->rows)
		return error_nomem(err, "adding up slices");
	for (size_t i = 0; i < stat->index.nr; i++)
		stat->rows[stat->nr_rows++] = row_of(stat, view, results, &stat->cells[i]);
	merge_rows(stat);
	results->nr_sliceless = stat->nr_untimed;
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct slicestat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	struct slicestat *stat = state;

	free(stat->cells);
	index_free(&stat->index);
	free(stat->rows);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct slicestat),
	.start = start,
	.sample = take,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer slicestat_slices = {&aggregate, 0};
