/*
 * Source texts: the lines of functions that have many of the samples, and some around them; for
 * views of the source beside what its lines count.
 */
#include "decode/answer/aggregate.h"
#include "util/array.h"
#include "util/intern.h"

#include <stdlib.h>
#include <string.h>

enum {
	BEFORE = 3,	   /* lines shown above a line with samples, and above a function */
	AFTER = 5,	   /* lines shown below one */
	LINES_WHOLE = 400, /* what lies between the lines of a larger function is left out */
	PARTS = 200,	   /* a function with a smaller part of the event's period is not shown */
};

/* Lines [first, last] of a file that are to be shown. */
struct source_wish {
	const char *filename;
	const struct dso *dso;
	uint32_t first, last;
	double share; /* of the event's period, of the function */
};

/* A line of a function that has samples. */
struct source_spot {
	uint32_t function;
	const char *filename;
	uint32_t line;
	const struct dso *dso;
};

/* All zero is empty. */
struct sourcestat {
	struct source_spot *spots; /* only while rows are made, as the wishes */
	size_t nr_spots, spots_room;
	struct source_wish *wishes;
	size_t nr_wishes, wishes_room;
	struct source_stat *rows;
	size_t nr_rows, rows_room;
	const char **lines; /* of all rows */
	size_t nr_lines, lines_room;
	struct intern strings;
};

/* ---- what is to be shown --------------------------------------------------------------------- */

static bool is_hot(const struct results *results, const struct function_stat *function)
{
	const struct tally *total = &results->events[function->event->number].total;

	return function->self.period >= total->period / PARTS && function->self.samples;
}

static int collect_spots(struct sourcestat *stat, const struct aggregate_view *view,
			 const struct results *results)
{
	const struct place_set *set = view->places;

	for (size_t i = 0; i < set->nr_sorted; i++) {
		const uint32_t number = set->sorted[i].number;
		const struct address *address = &view->addresses->addresses[number];
		const struct place_detail *detail = &set->details[set->sorted[i].place];
		const uint32_t row = address_rows_innermost(view->of_addresses, number);

		if (!address->self.samples || !detail->line ||
		    !is_hot(results, &results->functions[row]))
			continue;
		if (!array_grow(stat->spots, stat->spots_room, stat->nr_spots + 1))
			return -1;
		stat->spots[stat->nr_spots++] = (struct source_spot){
			row, detail->filename, detail->line, view->dsos->dsos[address->dso]};
	}
	return 0;
}

static int compare_spots(const void *a, const void *b)
{
	const struct source_spot *x = a, *y = b;
	int order;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if ((order = strcmp(x->filename, y->filename)) != 0)
		return order;
	return (x->line > y->line) - (x->line < y->line);
}

static int add_wish(struct sourcestat *stat, const struct source_spot *spot, uint32_t first,
		    uint32_t last, double share)
{
	if (!array_grow(stat->wishes, stat->wishes_room, stat->nr_wishes + 1))
		return -1;
	stat->wishes[stat->nr_wishes++] =
		(struct source_wish){spot->filename, spot->dso, first > BEFORE ? first - BEFORE : 1,
				     last < UINT32_MAX - AFTER ? last + AFTER : last, share};
	return 0;
}

/* Adds what is to be shown for the @nr spots of one function in one file. */
static int add_wishes(struct sourcestat *stat, const struct source_spot *spots, size_t nr,
		      const struct function_stat *function, double share)
{
	const uint32_t last = spots[nr - 1].line;
	uint32_t first = spots[0].line;

	if (function->line && function->line < first &&
	    strcmp(function->filename, spots[0].filename) == 0)
		first = function->line;
	if (last - first <= LINES_WHOLE)
		return add_wish(stat, spots, first, last, share);
	if (first < spots[0].line && add_wish(stat, spots, first, first, share) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++)
		if (add_wish(stat, &spots[i], spots[i].line, spots[i].line, share) < 0)
			return -1;
	return 0;
}

static int choose_lines(struct sourcestat *stat, const struct results *results)
{
	const struct source_spot *spots = stat->spots;
	size_t end;

	if (stat->nr_spots)
		qsort(stat->spots, stat->nr_spots, sizeof(*stat->spots), compare_spots);
	for (size_t first = 0; first < stat->nr_spots; first = end) {
		const struct function_stat *function = &results->functions[spots[first].function];
		const uint64_t total = results->events[function->event->number].total.period;

		end = first + 1;
		while (end < stat->nr_spots && spots[end].function == spots[first].function &&
		       strcmp(spots[end].filename, spots[first].filename) == 0)
			end++;
		if (add_wishes(stat, &spots[first], end - first, function,
			       total ? (double)function->self.period / (double)total : 0) < 0)
			return -1;
	}
	return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int compare_wishes(const void *a, const void *b)
{
	const struct source_wish *x = a, *y = b;
	const int order = strcmp(x->filename, y->filename);

	if (order)
		return order;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->last > y->last) - (x->last < y->last);
}

static int add_line(struct sourcestat *stat, struct source_stat *row, const char *text, size_t len)
{
	const uint32_t number = intern(&stat->strings, text, len);

	if (number == INTERN_NOMEM ||
	    !array_grow(stat->lines, stat->lines_room, stat->nr_lines + 1))
		return -1;
	stat->lines[stat->nr_lines++] = intern_get(&stat->strings, number);
	row->nr++;
	return 0;
}

/* Adds a row of @file with those lines of [first, last] that it has. */
static int add_row(struct sourcestat *stat, const struct sourcefile *file,
		   const struct source_stat *of, uint32_t last)
{
	struct source_stat row = *of;
	const char *text;
	size_t len;

	for (uint32_t line = of->first;
	     line <= last && (text = sourcefile_line(file, line, &len)) != NULL; line++)
		if (add_line(stat, &row, text, len) < 0)
			return -1;
	if ((!row.nr && !row.lack[0]) ||
	    !array_grow(stat->rows, stat->rows_room, stat->nr_rows + 1))
		return row.nr || row.lack[0] ? -1 : 0;
	stat->rows[stat->nr_rows++] = row;
	return 0;
}

/* Adds the rows of the @nr wishes, all of one file. */
static int read_file(struct sourcestat *stat, const struct source_wish *wishes, size_t nr,
		     const struct symbolizer *symbolizer)
{
	struct source_stat row = {.filename = intern_keep(&stat->strings, wishes->filename)};
	struct sourcefile file;
	int rc = symbolizer_read_source(symbolizer, wishes->dso, wishes->filename, &file,
					&row.newer);

	row.lack = file.lack;
	for (size_t i = 0; rc == 0 && row.filename && i < nr;) {
		uint32_t last = wishes[i].last;

		row.first = wishes[i].first;
		row.share = 0;
		for (; i < nr && (row.lack[0] || wishes[i].first <= last + 1); i++) {
			last = wishes[i].last > last ? wishes[i].last : last;
			row.share = wishes[i].share > row.share ? wishes[i].share : row.share;
		}
		rc = add_row(stat, &file, &row, last);
	}
	sourcefile_close(&file);
	return row.filename ? rc : -1;
}

static int read_files(struct sourcestat *stat, const struct symbolizer *symbolizer)
{
	const struct source_wish *wishes = stat->wishes;
	size_t end, used = 0;

	if (stat->nr_wishes)
		qsort(stat->wishes, stat->nr_wishes, sizeof(*stat->wishes), compare_wishes);
	for (size_t first = 0; first < stat->nr_wishes; first = end) {
		end = first + 1;
		while (end < stat->nr_wishes &&
		       strcmp(wishes[end].filename, wishes[first].filename) == 0)
			end++;
		if (read_file(stat, &wishes[first], end - first, symbolizer) < 0)
			return -1;
	}
	/* The array of lines has stopped moving. */
	for (size_t i = 0; i < stat->nr_rows; i++) {
		stat->rows[i].lines = stat->lines ? &stat->lines[used] : NULL;
		used += stat->rows[i].nr;
	}
	return 0;
}

/* ---- the aggregate --------------------------------------------------------------------------- */

static void drop_wishes(struct sourcestat *stat)
{
	free(stat->spots);
	free(stat->wishes);
	stat->spots = NULL;
	stat->wishes = NULL;
	stat->nr_spots = stat->spots_room = stat->nr_wishes = stat->wishes_room = 0;
}

static void end(void *state)
{
	struct sourcestat *stat = state;

	drop_wishes(stat);
	free(stat->rows);
	free(stat->lines);
	intern_free(&stat->strings);
	*stat = (struct sourcestat){0};
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct sourcestat *stat = state;

	end(stat);
	if (collect_spots(stat, view, results) < 0 || choose_lines(stat, results) < 0 ||
	    read_files(stat, view->symbolizer) < 0)
		return error_nomem(err, "reading source files");
	drop_wishes(stat);
	return 0;
}

static unsigned wishes(unsigned wanted)
{
	(void)wanted;
	return WISH_DETAILS;
}

static struct rows rows(void *state, unsigned number)
{
	const struct sourcestat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct sourcestat),
	.wishes = wishes,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer sourcestat_texts = {&aggregate, 0};
