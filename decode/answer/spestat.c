/*
 * Statistics of operations that the processor has sampled itself (Arm SPE): what those of each
 * process did, by function.
 */
#include "decode/answer/aggregate.h"
#include "decode/answer/ownplaces.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/intern.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 1 << 20 };

/* Operations of one place in one process. */
struct spe_cell {
	uint64_t place;
	uint32_t dso, pid, comm;
	uint64_t records[NR_SPE_EVENTS];
	uint64_t latency[NR_SPE_EVENTS][NR_SPE_LATENCIES], known[NR_SPE_EVENTS][NR_SPE_LATENCIES];
};

/* The key of a row: numbers of strings, but for event, pid and reason. */
struct spe_key {
	uint32_t event, pid, comm, binary, build_id, function, filename, reason;
};

enum { KEY_WORDS = sizeof(struct spe_key) / sizeof(uint32_t) };

/* All zero is empty. */
struct spestat {
	struct spe_cell *cells;
	size_t cells_room;
	struct index by_place;
	uint64_t beyond;
	const struct event *events; /* NR_SPE_EVENTS; NULL: nothing came */
	/* Made by finish. */
	struct address_table addresses;
	struct spe_stat *rows;
	struct spe_key *keys;
	size_t rows_room, keys_room;
	struct index by_key;
	struct intern strings;
};

/* ---- counting -------------------------------------------------------------------------------- */

/* The cell of @operation, made if it is new. Returns false if memory is out; *@found is NULL if
 * there are too many. */
static bool get_cell(struct spestat *stat, const struct spe_operation *operation,
		     struct spe_cell **found)
{
	const struct spe_cell cell = {
		.place = operation->at.place,
		.dso = operation->at.dso->number,
		.pid = operation->process.pid,
		.comm = operation->comm,
	};
	uint64_t hash = hash_add(hash_u64(cell.place), (uint64_t)cell.pid << 32 | cell.comm);
	struct index *ix = &stat->by_place;
	uint32_t number;

	hash = hash_add(hash, cell.dso);
	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		*found = &stat->cells[number];
		if ((*found)->place == cell.place && (*found)->dso == cell.dso &&
		    (*found)->pid == cell.pid && (*found)->comm == cell.comm)
			return true;
	}
	*found = NULL;
	if (ix->nr == CELLS_MAX)
		return true;
	if (!array_grow(stat->cells, stat->cells_room, ix->nr + 1) || !index_add(ix, hash))
		return false;
	*found = &stat->cells[ix->nr - 1];
	**found = cell;
	return true;
}

static void add_operation(struct spe_cell *cell, unsigned event, const struct sperecord *record)
{
	cell->records[event]++;
	for (unsigned i = 0; i < NR_SPE_LATENCIES; i++) {
		cell->latency[event][i] += record->latency[i];
		cell->known[event][i] += record->has_latency >> i & 1;
	}
}

static bool count_operation(void *state, const struct spe_operation *operation)
{
	struct spestat *stat = state;
	struct spe_cell *cell;

	stat->events = operation->events;
	if (!get_cell(stat, operation, &cell))
		return false;
	stat->beyond += !cell;
	for (unsigned i = 0; i < NR_SPE_EVENTS && cell; i++)
		if (operation->counts_for >> i & 1)
			add_operation(cell, i, operation->record);
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The number of the address of @cell; ADDRESS_NONE if memory is out. */
static uint32_t address_of(struct spestat *stat, const struct spe_cell *cell)
{
	const uint32_t number = address_get(&stat->addresses, 0, cell->dso, cell->place);

	if (number != ADDRESS_NONE)
		stat->addresses.addresses[number].self.samples = 1;
	return number;
}

static bool collect_addresses(struct spestat *stat)
{
	for (size_t i = 0; i < stat->by_place.nr; i++)
		if (address_of(stat, &stat->cells[i]) == ADDRESS_NONE)
			return false;
	return true;
}

static const char *comm_of(const struct aggregate_view *view, const struct spe_cell *cell)
{
	if (cell->comm != UINT32_MAX)
		return intern_get(&view->processes->strings, cell->comm);
	return cell->pid == 0 ? "swapper" : "";
}

/* Sets all of @key but the event. Returns false if memory is out. */
static bool make_key(struct spestat *stat, const struct aggregate_view *view,
		     const struct spe_cell *cell, const struct symbol *symbol, struct spe_key *key)
{
	const struct dso *dso = view->dsos->dsos[cell->dso];
	struct intern *strings = &stat->strings;
	char build_id[DSO_BUILD_ID_TEXT];

	dso_format_build_id(dso, build_id);
	*key = (struct spe_key){
		.pid = cell->pid,
		.comm = intern_string(strings, comm_of(view, cell)),
		.binary = intern_string(strings, dso->path),
		.build_id = intern_string(strings, build_id),
		.function = intern_string(strings, symbol->function),
		.filename = intern_string(strings, symbol->filename),
		.reason = (uint32_t)symbol->reason,
	};
	return key->comm != INTERN_NOMEM && key->binary != INTERN_NOMEM &&
	       key->build_id != INTERN_NOMEM && key->function != INTERN_NOMEM &&
	       key->filename != INTERN_NOMEM;
}

static struct spe_stat new_row(const struct spestat *stat, const struct aggregate_view *view,
			       const struct spe_key *key, const struct symbol *symbol)
{
	const struct intern *strings = &stat->strings;

	return (struct spe_stat){
		.event = &stat->events[key->event],
		.pid = key->pid,
		.comm = intern_get(strings, key->comm),
		.binary = intern_get(strings, key->binary),
		.build_id = intern_get(strings, key->build_id),
		.function = intern_get(strings, key->function),
		.filename = intern_get(strings, key->filename),
		.line = symbol->line,
		.reason = reason_name((enum reason)key->reason),
		.interval = view->spe->filters[0] ? 0 : view->spe->interval,
	};
}

/* The row of @key, made if it is new. NULL if memory is out. */
static struct spe_stat *get_row(struct spestat *stat, const struct aggregate_view *view,
				const struct spe_key *key, const struct symbol *symbol)
{
	struct index *ix = &stat->by_key;
	uint32_t words[KEY_WORDS], number;
	uint64_t hash = 0;

	memcpy(words, key, sizeof(words));
	for (size_t i = 0; i < KEY_WORDS; i++)
		hash = hash_add(hash, words[i]);
	hash = hash_u64(hash);
	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (memcmp(&stat->keys[number], key, sizeof(*key)) == 0)
			return &stat->rows[number];
	if (!array_grow(stat->rows, stat->rows_room, ix->nr + 1) ||
	    !array_grow(stat->keys, stat->keys_room, ix->nr + 1) || !index_add(ix, hash))
		return NULL;
	stat->keys[ix->nr - 1] = *key;
	stat->rows[ix->nr - 1] = new_row(stat, view, key, symbol);
	return &stat->rows[ix->nr - 1];
}

/* Adds @cell to the rows of the events that it counts for. Returns false if memory is out. */
static bool add_cell(struct spestat *stat, const struct aggregate_view *view,
		     const struct spe_cell *cell, const struct symbol *symbol)
{
	struct spe_key key;

	if (!make_key(stat, view, cell, symbol, &key))
		return false;
	for (key.event = 0; key.event < NR_SPE_EVENTS; key.event++) {
		struct spe_stat *row;

		if (!cell->records[key.event])
			continue;
		row = get_row(stat, view, &key, symbol);
		if (!row)
			return false;
		row->records += cell->records[key.event];
		for (unsigned i = 0; i < NR_SPE_LATENCIES; i++) {
			row->latency[i] += cell->latency[key.event][i];
			row->known[i] += cell->known[key.event][i];
		}
	}
	return true;
}

static bool make_rows(struct spestat *stat, const struct aggregate_view *view,
		      const struct own_places *own)
{
	uint64_t totals[NR_SPE_EVENTS] = {0};

	for (size_t i = 0; i < stat->by_place.nr; i++) {
		const struct spe_cell *cell = &stat->cells[i];

		if (!add_cell(stat, view, cell, own_places_symbol(own, address_of(stat, cell))))
			return false;
		for (unsigned k = 0; k < NR_SPE_EVENTS; k++)
			totals[k] += cell->records[k];
	}
	for (size_t i = 0; i < stat->by_key.nr; i++)
		stat->rows[i].total = totals[stat->keys[i].event];
	return true;
}

static int compare_rows(const void *a, const void *b)
{
	const struct spe_stat *x = a, *y = b;
	int order;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->records != y->records)
		return x->records > y->records ? -1 : 1;
	if (x->pid != y->pid)
		return (int32_t)x->pid < (int32_t)y->pid ? -1 : 1;
	if ((order = strcmp(x->comm, y->comm)) != 0 ||
	    (order = strcmp(x->function, y->function)) != 0 ||
	    (order = strcmp(x->binary, y->binary)) != 0 ||
	    (order = strcmp(x->filename, y->filename)) != 0 ||
	    (order = strcmp(x->build_id, y->build_id)) != 0)
		return order;
	return strcmp(x->reason, y->reason);
}

/* ---- the aggregate --------------------------------------------------------------------------- */

static void drop_rows(struct spestat *stat)
{
	address_table_free(&stat->addresses);
	free(stat->rows);
	free(stat->keys);
	index_free(&stat->by_key);
	intern_free(&stat->strings);
	stat->rows = NULL;
	stat->keys = NULL;
	stat->rows_room = stat->keys_room = 0;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct spestat *stat = state;
	struct own_places own = {0};
	int rc;

	drop_rows(stat);
	results->spe_beyond = &stat->beyond;
	if (!collect_addresses(stat))
		return error_nomem(err, "adding up operations");
	rc = own_places_resolve(&own, view, &stat->addresses, err);
	if (rc == 0 && !make_rows(stat, view, &own))
		rc = error_nomem(err, "adding up operations");
	own_places_free(&own);
	if (rc == 0 && stat->rows)
		qsort(stat->rows, stat->by_key.nr, sizeof(*stat->rows), compare_rows);
	return rc;
}

static struct rows rows(void *state, unsigned number)
{
	const struct spestat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->by_key.nr};
}

static void end(void *state)
{
	struct spestat *stat = state;

	drop_rows(stat);
	free(stat->cells);
	index_free(&stat->by_place);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct spestat),
	.traces = AGGREGATE_OPERATIONS,
	.operation = count_operation,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer spestat_functions = {&aggregate, 0};
