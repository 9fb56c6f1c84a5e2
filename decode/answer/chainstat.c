/*
 * Call chains by address, as they were counted, and the samples on them: for exports that keep
 * addresses, threads and times.
 *
 * Chains stay where the path store has them. Their rows are numbered through all its tables: those
 * that were put aside, the current one, the one of waiting samples. Then comes a row for each
 * address, with the samples that are on no path.
 */
#include "decode/answer/aggregate.h"
#include "decode/answer/samplelist.h"
#include "util/intern.h"
#include "util/tempfile.h"

#include <stdlib.h>

enum { PLACES, CHAINS, SAMPLES }; /* numbers of the answers */

enum { READ_PATHS = 4096 }; /* at a time, of a table that was put aside */

/* A table of the store, or the addresses. */
struct chain_table {
	const struct callpath *paths; /* NULL: they are put aside, or these are the addresses */
	uint32_t base, nr;
};

/* All zero is empty. */
struct chainstat {
	unsigned wanted;
	const struct function_stat *functions;
	struct intern strings;
	struct place_stat *places;
	struct tally *alone;	    /* by place: what was counted there on no path */
	struct chain_table *tables; /* those of the store, then the addresses */
	size_t nr_tables;	    /* without the addresses */
	size_t nr_places;
	const struct pathstore *store;
	struct sample_list samples;
	/* where the rows of chains are read */
	size_t table;
	uint32_t at;
	struct callpath read[READ_PATHS];
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct chainstat *stat = state;

	(void)view;
	stat->wanted = wanted;
	return true;
}

/* ---- tables and their rows ------------------------------------------------------------------- */

static bool add_table(struct chainstat *stat, const struct callpath *paths, size_t nr)
{
	const struct chain_table *before =
		stat->nr_tables ? &stat->tables[stat->nr_tables - 1] : NULL;
	const uint32_t base = before ? before->base + before->nr : 0;

	stat->tables[stat->nr_tables++] =
		(struct chain_table){.paths = paths, .base = base, .nr = (uint32_t)nr};
	return nr < UINT32_MAX - base;
}

/* False if memory is out, or chains have no more numbers. */
static bool list_tables(struct chainstat *stat, const struct pathstore *store)
{
	const struct callpath_table *now = &store->now, *waiting = &store->waiting;
	bool ok = true;

	stat->store = store;
	stat->tables = calloc(store->nr_aside + 3, sizeof(*stat->tables));
	if (!stat->tables)
		return false;
	for (size_t i = 0; i < store->nr_aside; i++)
		ok = ok && add_table(stat, NULL, store->aside[i].nr);
	ok = ok && add_table(stat, now->paths, callpath_count(now)) &&
	     add_table(stat, waiting->paths, callpath_count(waiting)) &&
	     add_table(stat, NULL, stat->nr_places);
	stat->nr_tables--;
	return ok;
}

/* The path to be read next; NULL with @err filled if it cannot be read. */
static const struct callpath *read_path(struct chainstat *stat, const struct chain_table *table,
					struct error *err)
{
	const uint32_t at = stat->at, left = table->nr - at;

	if (table->paths)
		return &table->paths[at];
	if (at % READ_PATHS == 0 &&
	    pathstore_read_aside(stat->store, stat->table, at, stat->read,
				 left < READ_PATHS ? left : READ_PATHS, err) < 0)
		return NULL;
	return &stat->read[at % READ_PATHS];
}

static struct chain_stat row_of_path(const struct chain_table *table, const struct callpath *path)
{
	struct chain_stat row = {.place = path->address, .base = table->base, .self = path->here};

	if (path->caller < CHAIN_END_NR) {
		row.caller = PATH_NO_PARENT;
		row.end = chain_end_word((enum chain_end)path->caller);
		row.cut = chain_end_is_cut((enum chain_end)path->caller);
	} else {
		row.caller = table->base + (path->caller - CHAIN_END_NR);
	}
	return row;
}

static struct chain_stat row_of_address(const struct chainstat *stat, uint32_t base, uint32_t place)
{
	const uint32_t function = stat->places[place].functions[0];

	return (struct chain_stat){
		.caller = PATH_NO_PARENT,
		.place = place,
		.base = base,
		.self = stat->alone[place],
		.end = chain_end_word(CHAIN_MISSING),
		.cut = stat->functions[function].event->chains,
		.alone = true,
	};
}

static int start_chains(void *arg, struct error *err)
{
	struct chainstat *stat = arg;

	(void)err;
	stat->table = 0;
	stat->at = 0;
	return 0;
}

static int next_chain(void *arg, void *row, struct error *err)
{
	struct chainstat *stat = arg;
	const struct chain_table *table;
	const struct callpath *path;

	while (stat->table <= stat->nr_tables && stat->at == stat->tables[stat->table].nr) {
		stat->table++;
		stat->at = 0;
	}
	if (stat->table > stat->nr_tables)
		return 0;
	table = &stat->tables[stat->table];
	if (stat->table == stat->nr_tables) {
		*(struct chain_stat *)row = row_of_address(stat, table->base, stat->at);
	} else {
		path = read_path(stat, table, err);
		if (!path)
			return -1;
		*(struct chain_stat *)row = row_of_path(table, path);
	}
	stat->at++;
	return 1;
}

/* ---- samples --------------------------------------------------------------------------------- */

static int add_sample(struct chainstat *stat, const struct chain_table *table,
		      const struct logged_sample *sample, struct error *err)
{
	const uint32_t number = sample->number;

	if (number & SAMPLELOG_ADDRESS)
		return samplelist_add(
			&stat->samples, sample,
			stat->tables[stat->nr_tables].base + (number & ~SAMPLELOG_ADDRESS), err);
	return samplelist_add(&stat->samples, sample, table->base + (number - CHAIN_END_NR), err);
}

/* Adds the samples of the table with @number, a part at a time in @part. */
static int add_samples_of(struct chainstat *stat, const struct sample_log *log, size_t number,
			  struct logged_sample *part, struct error *err)
{
	uint64_t first, end;

	samplelog_range(log, number, &first, &end);
	while (first < end) {
		const size_t nr = end - first < SAMPLELOG_BUFFERED ? (size_t)(end - first)
								   : (size_t)SAMPLELOG_BUFFERED;

		if (samplelog_read(log, first, nr, part, err) < 0)
			return -1;
		for (size_t i = 0; i < nr; i++)
			if (add_sample(stat, &stat->tables[number], &part[i], err) < 0)
				return -1;
		first += nr;
	}
	return 0;
}

/* The last table of the store is that of waiting samples. */
static int list_samples(struct chainstat *stat, const struct sample_log *log, struct error *err)
{
	const size_t last = stat->nr_tables - 1;
	struct logged_sample *part = calloc(SAMPLELOG_BUFFERED, sizeof(*part));
	int rc = 0;

	if (!part || !samplelist_start(&stat->samples)) {
		free(part);
		return error_nomem(err, "listing samples");
	}
	for (size_t i = 0; i < last && rc == 0; i++)
		rc = add_samples_of(stat, log, i, part, err);
	free(part);
	for (size_t i = 0; i < log->nr_waiting && rc == 0; i++)
		rc = add_sample(stat, &stat->tables[last], &log->waiting[i], err);
	return rc;
}

static int start_samples(void *arg, struct error *err)
{
	struct chainstat *stat = arg;

	return samplelist_rewind(&stat->samples, err);
}

static int next_sample(void *arg, void *row, struct error *err)
{
	struct chainstat *stat = arg;

	return samplelist_next(&stat->samples, row, err);
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool list_places(struct chainstat *stat, const struct aggregate_view *view)
{
	const struct place_set *set = view->places;

	stat->nr_places = set->nr_sorted;
	stat->places = calloc(stat->nr_places + 1, sizeof(*stat->places));
	stat->alone = calloc(stat->nr_places + 1, sizeof(*stat->alone));
	if (!stat->places || !stat->alone)
		return false;
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const uint32_t number = set->sorted[i].number;
		const struct place_detail *detail = &set->details[set->sorted[i].place];
		const struct row_list functions = address_rows_of(view->of_addresses, number);

		stat->alone[number] = view->addresses->addresses[number].self;
		stat->places[number] = (struct place_stat){
			.functions = functions.rows,
			.nr_functions = (uint32_t)functions.nr,
			.line = detail->line,
			.filename = intern_keep(&stat->strings, detail->filename),
			.address = detail->address,
		};
		if (!stat->places[number].filename)
			return false;
	}
	return true;
}

/* Leaves what is on no path. */
static int take_paths_off(struct chainstat *stat, struct error *err)
{
	struct chain_stat row;
	int rc = start_chains(stat, err);

	while (rc == 0 && (rc = next_chain(stat, &row, err)) > 0) {
		if (stat->table == stat->nr_tables)
			return 0;
		stat->alone[row.place].samples -= row.self.samples;
		stat->alone[row.place].period -= row.self.period;
		rc = 0;
	}
	return rc;
}

static void drop_rows(struct chainstat *stat)
{
	free(stat->places);
	free(stat->alone);
	free(stat->tables);
	intern_free(&stat->strings);
	stat->places = NULL;
	stat->alone = NULL;
	stat->tables = NULL;
	stat->nr_tables = stat->nr_places = 0;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct chainstat *stat = state;

	drop_rows(stat);
	stat->functions = results->functions;
	if (!list_places(stat, view) || !list_tables(stat, view->paths))
		return error_nomem(err, "listing call chains");
	if (take_paths_off(stat, err) < 0)
		return -1;
	return stat->wanted & 1 << SAMPLES ? list_samples(stat, view->log, err) : 0;
}

static struct rows rows(void *state, unsigned number)
{
	struct chainstat *stat = state;

	if (number == PLACES)
		return (struct rows){.first = stat->places, .nr = stat->nr_places};
	if (number == CHAINS)
		return (struct rows){.source = {stat, start_chains, next_chain}};
	return (struct rows){.source = {stat, start_samples, next_sample}};
}

static void end(void *state)
{
	struct chainstat *stat = state;

	drop_rows(stat);
	samplelist_free(&stat->samples);
}

static unsigned wishes(unsigned wanted)
{
	(void)wanted;
	return WISH_DETAILS | WISH_CALLERS;
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct chainstat),
	.wishes = wishes,
	.start = start,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer chainstat_places = {&aggregate, PLACES};
const struct answer chainstat_chains = {&aggregate, CHAINS};
const struct answer chainstat_samples = {&aggregate, SAMPLES};
