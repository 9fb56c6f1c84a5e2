/* Memory statistics: how long accesses to memory took, by function and where the data was. */
#include "decode/answer/aggregate.h"
#include "decode/answer/memoryaccess.h"
#include "decode/answer/ownplaces.h"
#include "decode/count/latency.h"
#include "decode/count/memorycount.h"
#include "perffile/format.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/intern.h"

#include <stdlib.h>
#include <string.h>

/* The key of a row. Members are string numbers, except event and reason. */
struct memory_row_key {
	uint32_t event, binary, build_id, function, filename, reason;
	uint32_t op, source, snoop, tlb, locked;
};

enum { KEY_WORDS = sizeof(struct memory_row_key) / sizeof(uint32_t) };

/* All zero is empty, but for what is borrowed. */
struct memorystat {
	const struct addrspaces *spaces; /* borrowed */
	const struct event *traced;	 /* of operations of a trace; NULL: none came */
	struct memory_count count;
	struct memory_totals totals;
	/* Made by finish. */
	struct address_table addresses; /* of the code */
	struct memory_stat *rows;
	struct memory_row_key *keys;
	size_t rows_room, keys_room;
	struct index index;
	uint64_t *all_latency; /* by number of the event */
	struct intern strings;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct memorystat *stat = state;

	(void)wanted;
	stat->spaces = view->spaces;
	stat->count.limit = MEMORY_COUNT_MAX;
	return true;
}

/* ---- counting -------------------------------------------------------------------------------- */

static struct memory_cycles cycles_of(uint64_t value)
{
	return (struct memory_cycles){value, value > 0, value, value};
}

/* Latency, and with WEIGHT_STRUCT that of the instruction. */
static void take_weight(struct memory_cell *cell, const struct record *rec)
{
	const uint64_t type = rec->event->attr.sample_type, weight = rec->sample.extra.weight;

	if (type & SAMPLE_WEIGHT_STRUCT) {
		cell->latency = cycles_of(weight & UINT32_MAX);
		cell->instruction = cycles_of(weight >> 32 & UINT16_MAX);
	} else if (type & SAMPLE_WEIGHT) {
		cell->latency = cycles_of(weight);
	}
	cell->key.bucket = latency_bucket(cell->latency.sum);
}

static bool count_sample(void *state, const struct counted_sample *sample, struct error *err)
{
	struct memorystat *stat = state;
	const struct record *rec = sample->rec;
	struct memory_cell cell = {0};
	struct location at;

	if (!rec->event->layout.has_extra || !(rec->event->attr.sample_type & SAMPLE_DATA_SRC))
		return true;
	at = addrspaces_locate(stat->spaces, sample->process, record_cpumode(rec), rec->sample.ip);
	cell.key = (struct memory_key){at.place, rec->sample.extra.data_src, at.dso->number,
				       sample->event->number, 0};
	cell.tally = (struct tally){1, sample->period};
	take_weight(&cell, rec);
	stat->totals.samples++;
	if (!memory_count_add(&stat->count, &cell)) {
		error_nomem(err, "counting accesses to memory");
		return false;
	}
	stat->totals.beyond = stat->count.beyond;
	return true;
}

/* An operation of a trace. A latency of 0 is recorded, and not unknown, but says as little. */
static bool count_operation(void *state, const struct spe_operation *operation)
{
	const struct sperecord *record = operation->record;
	struct memorystat *stat = state;
	struct memory_cell cell = {0};

	if (!(operation->counts_for & 1u << SPE_EVENT_MEMORY))
		return true;
	stat->traced = &operation->events[SPE_EVENT_MEMORY];
	cell.key = (struct memory_key){operation->at.place, operation->data_src,
				       operation->at.dso->number, stat->traced->number, 0};
	cell.tally = (struct tally){1, 1};
	cell.latency = cycles_of(record->latency[SPE_LATENCY_TOTAL]);
	cell.key.bucket = latency_bucket(cell.latency.sum);
	stat->totals.samples++;
	if (!memory_count_add(&stat->count, &cell))
		return false;
	stat->totals.beyond = stat->count.beyond;
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const struct event *event_of(const struct memorystat *stat,
				    const struct aggregate_view *view, uint32_t number)
{
	return stat->traced && number == stat->traced->number ? stat->traced
							      : perffile_event(view->file, number);
}

static bool collect_addresses(struct memorystat *stat)
{
	for (size_t i = 0; i < stat->count.index.nr; i++) {
		const struct memory_key *key = &stat->count.cells[i].key;
		const uint32_t number =
			address_get(&stat->addresses, key->event, key->dso, key->place);

		if (number == ADDRESS_NONE)
			return false;
		stat->addresses.addresses[number].self.samples = 1;
	}
	return true;
}

static bool make_key(struct memorystat *stat, struct memory_row_key *key,
		     const struct memory_key *of, const struct dso *dso,
		     const struct symbol *symbol)
{
	struct intern *strings = &stat->strings;
	char build_id[DSO_BUILD_ID_TEXT];
	struct memory_words words;
	uint32_t numbers[KEY_WORDS];

	dso_format_build_id(dso, build_id);
	memory_access_words(of->data_src, &words);
	*key = (struct memory_row_key){
		.event = of->event,
		.binary = intern_string(strings, dso->path),
		.build_id = intern_string(strings, build_id),
		.function = intern_string(strings, symbol->function),
		.filename = intern_string(strings, symbol->filename),
		.reason = (uint32_t)symbol->reason,
		.op = intern_string(strings, words.op),
		.source = intern_string(strings, words.source),
		.snoop = intern_string(strings, words.snoop),
		.tlb = intern_string(strings, words.tlb),
		.locked = intern_string(strings, words.locked),
	};
	memcpy(numbers, key, sizeof(numbers));
	for (size_t i = 0; i < KEY_WORDS; i++)
		if (numbers[i] == INTERN_NOMEM)
			return false;
	return true;
}

static uint64_t hash_key(const struct memory_row_key *key)
{
	uint32_t numbers[KEY_WORDS];
	uint64_t hash = 0;

	memcpy(numbers, key, sizeof(numbers));
	for (size_t i = 0; i < KEY_WORDS; i++)
		hash = hash_add(hash, numbers[i]);
	return hash_u64(hash);
}

static bool add_row(struct memorystat *stat, const struct memory_row_key *key,
		    const struct event *event)
{
	const struct intern *strings = &stat->strings;
	const size_t nr = stat->index.nr;

	if (!array_grow(stat->rows, stat->rows_room, nr + 1) ||
	    !array_grow(stat->keys, stat->keys_room, nr + 1))
		return false;
	stat->keys[nr] = *key;
	stat->rows[nr] = (struct memory_stat){
		.event = event,
		.binary = intern_get(strings, key->binary),
		.build_id = intern_get(strings, key->build_id),
		.function = intern_get(strings, key->function),
		.filename = intern_get(strings, key->filename),
		.reason = reason_name((enum reason)key->reason),
		.op = intern_get(strings, key->op),
		.source = intern_get(strings, key->source),
		.snoop = intern_get(strings, key->snoop),
		.tlb = intern_get(strings, key->tlb),
		.locked = intern_get(strings, key->locked),
	};
	return index_add(&stat->index, hash_key(key));
}

/* The number of the row with @key, made if it is new; UINT32_MAX if memory is out. */
static uint32_t get_row(struct memorystat *stat, const struct memory_row_key *key,
			const struct event *event)
{
	const struct index *ix = &stat->index;
	const uint64_t hash = hash_key(key);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (memcmp(&stat->keys[number], key, sizeof(*key)) == 0)
			return number;
	return add_row(stat, key, event) ? (uint32_t)ix->nr - 1 : UINT32_MAX;
}

/* A cell, and the row that it belongs to. */
struct placed_cell {
	const struct memory_cell *cell;
	uint32_t row;
};

static void add_cell(struct memory_stat *row, const struct memory_cell *cell)
{
	struct memory_cycles latency = {row->latency.sum, row->latency.known, row->latency.min,
					row->latency.max};
	struct memory_cycles instruction = {row->instruction_sum, row->instruction_known, 0, 0};

	tally_add(&row->tally, cell->tally.samples, cell->tally.period);
	memory_count_add_cycles(&latency, &cell->latency);
	memory_count_add_cycles(&instruction, &cell->instruction);
	row->latency.sum = latency.sum;
	row->latency.known = latency.known;
	row->latency.min = latency.min;
	row->latency.max = latency.max;
	row->instruction_sum = instruction.sum;
	row->instruction_known = instruction.known;
}

/* Adds each cell to its row, and notes which in @placed. */
static bool fill_rows(struct memorystat *stat, const struct aggregate_view *view,
		      const struct own_places *own, struct placed_cell *placed)
{
	for (size_t i = 0; i < stat->count.index.nr; i++) {
		const struct memory_cell *cell = &stat->count.cells[i];
		const uint32_t number = address_get(&stat->addresses, cell->key.event,
						    cell->key.dso, cell->key.place);
		struct memory_row_key key;
		uint32_t row;

		if (!make_key(stat, &key, &cell->key, view->dsos->dsos[cell->key.dso],
			      own_places_symbol(own, number)))
			return false;
		row = get_row(stat, &key, event_of(stat, view, cell->key.event));
		if (row == UINT32_MAX)
			return false;
		add_cell(&stat->rows[row], cell);
		placed[i] = (struct placed_cell){cell, row};
	}
	return true;
}

static int compare_placed(const void *a, const void *b)
{
	const struct placed_cell *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->cell->key.bucket < y->cell->key.bucket
		       ? -1
		       : x->cell->key.bucket > y->cell->key.bucket;
}

/* A value of @bucket that the row can have. */
static uint64_t value_in(const struct memory_stat *row, uint32_t bucket)
{
	const uint64_t value = latency_value(bucket);

	if (value < row->latency.min)
		return row->latency.min;
	return value > row->latency.max ? row->latency.max : value;
}

/* Sets the percentiles of all rows; @placed is in the order of rows, then of buckets. */
static void set_percentiles(struct memorystat *stat, const struct placed_cell *placed, size_t nr)
{
	uint64_t below = 0;

	for (size_t i = 0; i < nr; i++) {
		struct memory_stat *row = &stat->rows[placed[i].row];
		const struct memory_key *key = &placed[i].cell->key;
		const uint64_t known = row->latency.known;

		if (i == 0 || placed[i].row != placed[i - 1].row)
			below = 0;
		/* The least one with so many not above it. */
		if (below < known - known / 2 &&
		    below + placed[i].cell->latency.known >= known - known / 2)
			row->latency.p50 = value_in(row, key->bucket);
		if (below < known - known / 100 &&
		    below + placed[i].cell->latency.known >= known - known / 100)
			row->latency.p99 = value_in(row, key->bucket);
		below += placed[i].cell->latency.known;
	}
}

static void set_totals(struct memorystat *stat)
{
	if (!stat->rows)
		return; /* nothing was counted */
	for (size_t i = 0; i < stat->index.nr; i++) {
		uint64_t *all = &stat->all_latency[stat->rows[i].event->number];

		if (__builtin_add_overflow(*all, stat->rows[i].latency.sum, all))
			*all = UINT64_MAX;
	}
	for (size_t i = 0; i < stat->index.nr; i++)
		stat->rows[i].all_latency = stat->all_latency[stat->rows[i].event->number];
}

static bool make_rows(struct memorystat *stat, const struct aggregate_view *view,
		      const struct own_places *own)
{
	const size_t nr = stat->count.index.nr;
	struct placed_cell *placed = calloc(nr + 1, sizeof(*placed));
	size_t nr_events = perffile_nr_events(view->file);
	bool ok;

	if (stat->traced)
		nr_events = stat->traced->number + 1;
	stat->all_latency = calloc(nr_events + 1, sizeof(*stat->all_latency));
	ok = placed && stat->all_latency && fill_rows(stat, view, own, placed);
	if (ok) {
		qsort(placed, nr, sizeof(*placed), compare_placed);
		set_percentiles(stat, placed, nr);
		set_totals(stat);
	}
	free(placed);
	return ok;
}

static int compare_words(const struct memory_stat *x, const struct memory_stat *y)
{
	const char *const of_x[] = {x->function, x->binary, x->op,	 x->source,   x->snoop,
				    x->tlb,	 x->locked, x->filename, x->build_id, x->reason};
	const char *const of_y[] = {y->function, y->binary, y->op,	 y->source,   y->snoop,
				    y->tlb,	 y->locked, y->filename, y->build_id, y->reason};
	int order = 0;

	for (size_t i = 0; order == 0 && i < sizeof(of_x) / sizeof(of_x[0]); i++)
		order = strcmp(of_x[i], of_y[i]);
	return order;
}

static int compare_rows(const void *a, const void *b)
{
	const struct memory_stat *x = a, *y = b;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	if (x->latency.sum != y->latency.sum)
		return x->latency.sum > y->latency.sum ? -1 : 1;
	if (x->tally.samples != y->tally.samples)
		return x->tally.samples > y->tally.samples ? -1 : 1;
	return compare_words(x, y);
}

/* ---- the aggregate --------------------------------------------------------------------------- */

static void drop_rows(struct memorystat *stat)
{
	address_table_free(&stat->addresses);
	free(stat->rows);
	free(stat->keys);
	free(stat->all_latency);
	index_free(&stat->index);
	intern_free(&stat->strings);
	stat->rows = NULL;
	stat->keys = NULL;
	stat->all_latency = NULL;
	stat->rows_room = stat->keys_room = 0;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct memorystat *stat = state;
	struct own_places own = {0};
	int rc;

	drop_rows(stat);
	if (!collect_addresses(stat))
		return error_nomem(err, "adding up accesses to memory");
	rc = own_places_resolve(&own, view, &stat->addresses, err);
	if (rc == 0 && !make_rows(stat, view, &own))
		rc = error_nomem(err, "adding up accesses to memory");
	own_places_free(&own);
	if (rc == 0 && stat->rows)
		qsort(stat->rows, stat->index.nr, sizeof(*stat->rows), compare_rows);
	results->memory = &stat->totals;
	return rc;
}

static struct rows rows(void *state, unsigned number)
{
	const struct memorystat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->index.nr};
}

static void end(void *state)
{
	struct memorystat *stat = state;

	drop_rows(stat);
	memory_count_free(&stat->count);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct memorystat),
	.traces = AGGREGATE_OPERATIONS,
	.start = start,
	.sample = count_sample,
	.operation = count_operation,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer memorystat_accesses = {&aggregate, 0};
