#include "decode/answer/binarystat.h"

#include "decode/answer/aggregate.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 20 }; /* unnamed samples are reported if they are more than one in MANY */

static int compare_pointers(const char *a, const char *b)
{
	return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

/*
 * Rows with equal function names share one string, so comparing pointers is enough to group them.
 */
static int compare_binary(const struct function_stat *x, const struct function_stat *y)
{
	int order;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	order = compare_pointers(x->binary, y->binary);
	return order ? order : compare_pointers(x->build_id, y->build_id);
}

/* By binary; within a binary, functions of the first dso come first. */
static int compare_functions(const void *a, const void *b)
{
	const struct function_stat *x = *(const struct function_stat *const *)a;
	const struct function_stat *y = *(const struct function_stat *const *)b;
	int order = compare_binary(x, y);

	return order ? order : x->dso < y->dso ? -1 : x->dso > y->dso;
}

/* The row order of binaries.csv. */
static int compare_rows(const void *a, const void *b)
{
	const struct binary_stat *x = a, *y = b;
	int order;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	if (x->total.period != y->total.period)
		return x->total.period > y->total.period ? -1 : 1;
	order = strcmp(x->binary, y->binary);
	return order ? order : strcmp(x->build_id, y->build_id);
}

/* Code made at run time has no debugging information, so there is no advice for it. */
static const char *debug_advice(const struct dso *dso, const struct symbol_origin *origin)
{
	if (!origin->lacks_debug_info)
		return NULL;
	switch ((int)dso->kind) {
	case DSO_USER:
		return origin->symbols_advice ? origin->symbols_advice
					      : reason_advice(REASON_NO_SYMBOLS);
	case DSO_KERNEL:
		return "pass a vmlinux with debugging information to --vmlinux";
	default:
		return NULL;
	}
}

/* Says in @row where the names of @dso came from. */
static void describe(struct binary_stat *row, const struct dso *dso,
		     const struct symbol_origin *origin)
{
	row->file = origin->file;
	row->found_by = origin->found_by;
	row->debug_file = origin->debug_file;
	row->debug_found_by = origin->debug_found_by;
	row->refused = origin->refused;
	row->debug_advice = debug_advice(dso, origin);
	row->dso = dso->number;
}

/* The functions of one dso in one row, to which they are added. */
struct binary_part {
	struct binary_stat *row;
	const struct dso *dso;
	struct symbol_origin origin; /* of the dso */
};

static struct binary_stat start_row(const struct function_stat *function,
				    const struct binary_part *part)
{
	struct binary_stat row = {
		.event = function->event,
		.binary = function->binary,
		.build_id = function->build_id,
		.reason = "",
		.doubt = "",
		.advice = "",
		.unwound_by = "",
	};

	describe(&row, part->dso, &part->origin);
	return row;
}

/*
 * Adds to the row what is known of the dso. Several files of one path share a row, and mostly one
 * of them was there to be read.
 */
static void add_origin(const struct binary_part *part)
{
	struct binary_stat *row = part->row;

	if (!row->file[0] && part->origin.file[0])
		describe(row, part->dso, &part->origin);
	if (!row->doubt[0]) {
		row->doubt = part->origin.doubt.word;
		row->doubt_why = part->origin.doubt.why;
	}
}

static enum reason reason_of(const char *name)
{
	for (int i = 0; i < REASON_NR; i++)
		if (strcmp(reason_name((enum reason)i), name) == 0)
			return (enum reason)i;
	return REASON_NONE;
}

/* Code made at run time has no debug symbols: only its compiler can write the names. */
static const char *advice_on_jit(const struct dso *dso)
{
	if (dso->kind == DSO_JITDUMP)
		return "";
	return dso->dump ? "its dump was still being written: record to a file, and run readperf "
			   "after the program has ended"
			 : "its perf map does not cover that code; a jitdump may: see JIT CODE in "
			   "readperf(1)";
}

/* What to do about @reason in the dso of @part. A file that may be another one is the cause. */
static const char *advice_on(const struct binary_part *part, enum reason reason)
{
	const struct symbol_origin *origin = &part->origin;
	const struct dso *dso = part->dso;
	const bool lacks_symbols = reason == REASON_OUTSIDE_SYMBOLS || reason == REASON_NO_SYMBOLS;
	const bool lacks_file = reason == REASON_FILE_MISSING || reason == REASON_FILE_UNREADABLE ||
				reason == REASON_JIT_MAP_MISSING ||
				reason == REASON_JIT_MAP_REFUSED;

	if (dso->kind == DSO_KERNEL && origin->file_advice)
		return origin->file_advice;
	if (lacks_symbols && origin->doubt.word[0])
		return origin->doubt.why;
	if (lacks_symbols && (dso->kind == DSO_JIT || dso->kind == DSO_JITDUMP))
		return advice_on_jit(dso);
	if (reason == REASON_BUILD_ID_MISMATCH && dso->kind == DSO_VDSO)
		return "it belongs to another kernel: run readperf under the recorded one, or "
		       "point --buildid-dir at the cache that perf record filled (~/.debug)";
	if (lacks_symbols && origin->symbols_advice)
		return origin->symbols_advice;
	if (lacks_file && origin->file_advice)
		return origin->file_advice;
	return reason_advice(reason);
}

/* Adds @function to its binary's row. Samples without a name have one row for each reason. */
static void add_function(const struct binary_part *part, const struct function_stat *function)
{
	struct binary_stat *row = part->row;

	tally_add(&row->total, function->self.samples, function->self.period);
	if (!function->reason[0])
		return;
	row->unnamed += function->self.samples;
	if (!row->reason[0] || function->self.samples > row->reason_samples ||
	    (function->self.samples == row->reason_samples &&
	     strcmp(function->reason, row->reason) < 0)) {
		row->reason = function->reason;
		row->reason_samples = function->self.samples;
		row->advice = advice_on(part, reason_of(function->reason));
	}
}

/* Whether @event has enough such samples to report, and more than @found has. */
static bool is_worse(const struct unnamed_stat *event, const struct unnamed_stat *found)
{
	return event->samples > event->total / MANY && event->samples > found->samples;
}

/* Whether the samples of both lack names for the same cause, which is told of once. */
static bool are_alike(const struct unnamed_stat *x, const struct unnamed_stat *y)
{
	return strcmp(x->binary->binary, y->binary->binary) == 0 &&
	       strcmp(x->binary->reason, y->binary->reason) == 0 &&
	       strcmp(x->advice, y->advice) == 0;
}

/* Lists @event among the worst, in its place. */
static void list_unnamed(struct binarystat *stat, const struct unnamed_stat *event)
{
	size_t at = 0, end = 0;

	while (at < stat->nr_unnamed && stat->unnamed[at].samples >= event->samples)
		if (are_alike(&stat->unnamed[at++], event))
			return;
	/* one that is less bad gives way: the last one, or that of the same cause */
	for (end = at; end < stat->nr_unnamed && !are_alike(&stat->unnamed[end], event);)
		end++;
	if (end == stat->nr_unnamed && end < UNNAMED_MAX)
		stat->nr_unnamed++;
	end = end < UNNAMED_MAX ? end : UNNAMED_MAX - 1;
	if (at > end)
		return;
	memmove(&stat->unnamed[at + 1], &stat->unnamed[at], (end - at) * sizeof(*event));
	stat->unnamed[at] = *event;
}

/* Sums the rows [@row, @end) of one event; lists it if many samples have no name. */
static void count_unnamed(struct binarystat *stat, const struct binary_stat *row,
			  const struct binary_stat *end)
{
	struct unnamed_stat event = {.binary = row};

	for (; row < end; row++) {
		event.samples += row->unnamed;
		event.total += row->total.samples;
		if (row->reason_samples > event.binary->reason_samples)
			event.binary = row;
	}
	event.advice = event.binary->advice;
	if (event.samples > event.total / MANY)
		list_unnamed(stat, &event);
}

static const char *debug_advice_of(const struct binary_stat *row)
{
	return row->debug_advice;
}

static const char *doubt_of(const struct binary_stat *row)
{
	return row->doubt[0] ? row->doubt_why : NULL;
}

/* Sums the named samples of one event over the rows for which @advice returns non-NULL. */
static struct unnamed_stat sum_named(const struct binary_stat *row, const struct binary_stat *end,
				     const char *(*advice)(const struct binary_stat *row))
{
	struct unnamed_stat event = {.advice = ""};
	uint64_t most = 0;

	for (; row < end; row++) {
		uint64_t named = row->total.samples - row->unnamed;

		event.total += row->total.samples;
		if (!advice(row))
			continue;
		event.samples += named;
		if (named <= most)
			continue;
		most = named;
		event.binary = row;
		event.advice = advice(row);
	}
	return event;
}

/* Counts the samples of one event in binaries without debugging information. */
static void count_unlined(struct binarystat *stat, const struct binary_stat *row,
			  const struct binary_stat *end)
{
	const struct unnamed_stat event = sum_named(row, end, debug_advice_of);

	if (!is_worse(&event, &stat->unlined))
		return;
	stat->unlined = event;
	stat->has_unlined = true;
}

/* Counts the samples of one event whose names may be wrong. */
static void count_doubted(struct binarystat *stat, const struct binary_stat *row,
			  const struct binary_stat *end)
{
	const struct unnamed_stat event = sum_named(row, end, doubt_of);

	if (event.samples <= stat->doubted.samples)
		return;
	stat->doubted = event;
	stat->has_doubted = true;
}

static void find_missing(struct binarystat *stat)
{
	const struct binary_stat *rows = stat->rows, *end = rows + stat->nr_rows;

	while (rows < end) {
		const struct binary_stat *next = rows;

		while (next < end && next->event == rows->event)
			next++;
		count_unnamed(stat, rows, next);
		count_unlined(stat, rows, next);
		count_doubted(stat, rows, next);
		rows = next;
	}
}

/*
 * Makes the rows of @sorted, which has the functions of a binary in a row, and those of each of its
 * dsos. Returns false if memory is out.
 */
static bool add_up(struct binarystat *stat, const struct function_stat **sorted, size_t nr,
		   const struct dso_table *dsos, const struct symbolizer *symbolizer)
{
	struct binary_part part = {0};
	size_t room = 0;

	if (!array_grow(stat->rows, room, 1)) /* a block even for no functions */
		return false;
	for (size_t i = 0; i < nr; i++) {
		const bool starts = i == 0 || compare_binary(sorted[i - 1], sorted[i]) != 0;
		const bool is_next = starts || sorted[i - 1]->dso != sorted[i]->dso;

		if (is_next) {
			part.dso = dsos->dsos[sorted[i]->dso];
			part.origin = symbolizer_origin(symbolizer, part.dso);
		}
		if (starts) {
			if (!array_grow(stat->rows, room, stat->nr_rows + 1))
				return false;
			part.row = &stat->rows[stat->nr_rows++];
			*part.row = start_row(sorted[i], &part);
		}
		if (is_next)
			add_origin(&part);
		add_function(&part, sorted[i]);
	}
	return true;
}

bool binarystat_make(struct binarystat *stat, const struct function_stat *functions,
		     size_t nr_functions, const struct dso_table *dsos,
		     const struct symbolizer *symbolizer)
{
	const struct function_stat **sorted = calloc(nr_functions + 1, sizeof(*sorted));
	size_t nr = 0;
	bool ok;

	binarystat_free(stat);
	if (!sorted)
		return false;
	for (size_t i = 0; i < nr_functions; i++)
		if (!results_is_uncounted(&functions[i]))
			sorted[nr++] = &functions[i];
	qsort(sorted, nr, sizeof(*sorted), compare_functions);
	ok = add_up(stat, sorted, nr, dsos, symbolizer);
	free(sorted);
	if (!ok)
		return false;
	qsort(stat->rows, stat->nr_rows, sizeof(*stat->rows), compare_rows);
	find_missing(stat);
	return true;
}

void binarystat_free(struct binarystat *stat)
{
	free(stat->rows);
	*stat = (struct binarystat){0};
}

/* ---- the aggregate --------------------------------------------------------------------------- */

/*
 * Stacks are unwound as they come. Only later may the recording show that the file that is there
 * was not the mapped one: at the end of a stream, or when that file is mapped, too.
 */
static void tell_unwinding(struct binary_stat *row, const struct unwinder *unwinder)
{
	const enum reason reason = reason_of(row->reason);

	row->unwound_by = unwinder_word(unwinder, row->dso);
	row->unwound_amiss = unwinder_read_file(unwinder, row->dso) &&
			     (reason == REASON_FILE_REPLACED || reason == REASON_BUILD_ID_MISMATCH);
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct binarystat *stat = state;

	if (!binarystat_make(stat, results->functions, results->nr_functions, view->dsos,
			     view->symbolizer))
		return error_nomem(err, "adding up binaries");
	for (size_t i = 0; i < stat->nr_rows; i++)
		tell_unwinding(&stat->rows[i], view->unwinder);
	results->unnamed = stat->unnamed;
	results->nr_unnamed = stat->nr_unnamed;
	results->unlined = view->wants_debug_info && stat->has_unlined ? &stat->unlined : NULL;
	results->doubted = stat->has_doubted ? &stat->doubted : NULL;
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct binarystat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	binarystat_free(state);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct binarystat),
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer binarystat_binaries = {&aggregate, 0};
