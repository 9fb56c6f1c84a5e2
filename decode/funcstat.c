#include "decode/funcstat.h"

#include "perffile/format.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

/* An address on its way to its symbol: sorted by dso and place, each pair once in @places. */
struct sorted_address {
	uint32_t number; /* in the address table */
	uint32_t place;	 /* number in the array of places */
};

/* The distinct places of all dsos, cut into a list for each dso. */
struct place_set {
	struct sorted_address *sorted;
	struct place *places;
	struct place_list *lists;
	size_t nr_sorted, nr_places, nr_lists;
	void (*tick)(void *arg, size_t done, size_t total);
	void *tick_arg;
};

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_sorted(const void *a, const void *b, void *arg)
{
	const struct address *addresses = arg;
	const struct address *x = &addresses[((const struct sorted_address *)a)->number];
	const struct address *y = &addresses[((const struct sorted_address *)b)->number];

	if (x->dso != y->dso)
		return x->dso < y->dso ? -1 : 1;
	return compare_u64(x->place, y->place);
}

static int alloc_places(struct place_set *set, size_t nr, size_t nr_dsos)
{
	set->nr_sorted = nr;
	set->sorted = calloc(nr + 1, sizeof(*set->sorted));
	set->places = calloc(nr + 1, sizeof(*set->places));
	set->lists = calloc(nr_dsos + 1, sizeof(*set->lists));
	return set->sorted && set->places && set->lists ? 0 : -1;
}

/* Sorts the addresses and gives equal ones, of different events, one place. */
static void make_lists(struct place_set *set, const struct funcstat_input *input)
{
	struct address *addresses = input->addresses->addresses;
	const struct address *last = NULL;

	for (size_t i = 0; i < set->nr_sorted; i++)
		set->sorted[i].number = (uint32_t)i;
	qsort_r(set->sorted, set->nr_sorted, sizeof(*set->sorted), compare_sorted, addresses);
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct address *at = &addresses[set->sorted[i].number];

		if (!last || last->dso != at->dso)
			set->lists[set->nr_lists++] = (struct place_list){
				.dso = input->dsos->dsos[at->dso],
				.places = &set->places[set->nr_places],
			};
		if (!last || last->dso != at->dso || last->place != at->place) {
			set->places[set->nr_places++].address = at->place;
			set->lists[set->nr_lists - 1].nr_places++;
		}
		set->sorted[i].place = (uint32_t)(set->nr_places - 1);
		last = at;
	}
}

/*
 * A symbol stays what it was unless the recording has named the build of its dso since, or told
 * that the file was replaced; that there is none of code made at run time may change at any moment.
 */
static bool still_holds(const struct known_symbol *known, const struct dso *dso)
{
	return known->symbol && known->build_id_len == dso->build_id_len &&
	       known->replaced == dso->replaced &&
	       (known->symbol->reason == REASON_NONE || dso->kind != DSO_JIT);
}

/* Gives places the symbols that are known from before. */
static void take_known(struct place_set *set, const struct funcstat_input *input)
{
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct sorted_address *at = &set->sorted[i];
		const struct address *address = &input->addresses->addresses[at->number];

		if (at->number < input->known->nr &&
		    still_holds(&input->known->list[at->number], input->dsos->dsos[address->dso]))
			set->places[at->place].symbol = input->known->list[at->number].symbol;
	}
}

static int keep_known(const struct place_set *set, const struct funcstat_input *input)
{
	struct known_symbols *known = input->known;

	if (!array_grow(known->list, known->room, set->nr_sorted + 1))
		return -1;
	known->nr = set->nr_sorted;
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct sorted_address *at = &set->sorted[i];
		const struct address *address = &input->addresses->addresses[at->number];
		const struct dso *dso = input->dsos->dsos[address->dso];

		known->list[at->number] = (struct known_symbol){
			.symbol = set->places[at->place].symbol,
			.build_id_len = dso->build_id_len,
			.replaced = dso->replaced,
		};
	}
	return 0;
}

static void tick_lists(void *arg, size_t done)
{
	const struct place_set *set = arg;

	if (set->tick)
		set->tick(set->tick_arg, done, set->nr_lists);
}

static int resolve_places(struct place_set *set, const struct funcstat_input *input,
			  struct error *err)
{
	if (input->known)
		take_known(set, input);
	if (symbolizer_resolve(input->symbolizer, set->lists, set->nr_lists, tick_lists, set, err) <
	    0)
		return -1;
	if (input->known && keep_known(set, input) < 0)
		return error_nomem(err, "keeping symbols");
	return 0;
}

static void free_places(struct place_set *set)
{
	free(set->sorted);
	free(set->places);
	free(set->lists);
}

static uint64_t hash_key(const struct function_key *key)
{
	uint64_t hash = hash_add(0, (uint64_t)key->event << 32 | key->binary);

	hash = hash_add(hash, (uint64_t)key->build_id << 32 | key->function);
	return hash_u64(hash_add(hash, (uint64_t)key->filename << 32 | key->reason));
}

/* "a1b2..." of @dso's build id; "" if it has none. */
static uint32_t intern_build_id(struct funcstat *stat, const struct dso *dso)
{
	static const char digits[] = "0123456789abcdef";
	char hex[2 * DSO_BUILD_ID_MAX];

	for (size_t i = 0; i < dso->build_id_len; i++) {
		hex[2 * i] = digits[dso->build_id[i] >> 4];
		hex[2 * i + 1] = digits[dso->build_id[i] & 15];
	}
	return intern(&stat->strings, hex, 2 * (size_t)dso->build_id_len);
}

static bool make_key(struct funcstat *stat, struct function_key *key, uint32_t event,
		     const struct dso *dso, const struct symbol *symbol)
{
	key->event = event;
	key->reason = (uint32_t)symbol->reason;
	key->binary = intern_string(&stat->strings, dso->path);
	key->build_id = intern_build_id(stat, dso);
	key->function = intern_string(&stat->strings, symbol->function);
	key->filename = intern_string(&stat->strings, symbol->filename);
	return key->binary != INTERN_NOMEM && key->build_id != INTERN_NOMEM &&
	       key->function != INTERN_NOMEM && key->filename != INTERN_NOMEM;
}

static bool add_row(struct funcstat *stat, const struct function_key *key,
		    const struct event *event, const struct symbol *symbol)
{
	size_t nr = stat->index.nr;

	if (!array_grow(stat->rows, stat->rows_room, nr + 1) ||
	    !array_grow(stat->keys, stat->keys_room, nr + 1))
		return false;
	stat->keys[nr] = *key;
	stat->rows[nr] = (struct function_stat){
		.event = event,
		.binary = intern_get(&stat->strings, key->binary),
		.function = intern_get(&stat->strings, key->function),
		.filename = intern_get(&stat->strings, key->filename),
		.line = symbol->line,
		.build_id = intern_get(&stat->strings, key->build_id),
		.reason = reason_name(symbol->reason),
	};
	return index_add(&stat->index, hash_key(key));
}

/* The number of the row for @symbol of @dso under @event; UINT32_MAX if memory is out. */
static uint32_t get_row(struct funcstat *stat, const struct event *event, const struct dso *dso,
			const struct symbol *symbol)
{
	const struct index *ix = &stat->index;
	struct function_key key;
	uint32_t number;
	uint64_t hash;

	if (!make_key(stat, &key, event->number, dso, symbol))
		return UINT32_MAX;
	hash = hash_key(&key);
	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		struct function_stat *row = &stat->rows[number];

		if (memcmp(&stat->keys[number], &key, sizeof(key)) != 0)
			continue;
		/* Functions of one name and file (static ones of a header) share a row; the first
		 * line stands for them. */
		if (symbol->line && (row->line == 0 || symbol->line < row->line))
			row->line = symbol->line;
		return number;
	}
	if (!add_row(stat, &key, event, symbol))
		return UINT32_MAX;
	return (uint32_t)ix->nr - 1;
}

/* Counts each address on its row, and notes the row for the call paths. */
static int count_rows(struct funcstat *stat, const struct funcstat_input *input,
		      const struct place_set *set)
{
	const struct symbol *last_symbol = NULL;
	uint32_t last_event = 0, last_dso = 0, last_row = 0;

	for (size_t i = 0; i < set->nr_sorted; i++) {
		uint32_t number = set->sorted[i].number;
		const struct address *address = &input->addresses->addresses[number];
		const struct symbol *symbol = set->places[set->sorted[i].place].symbol;

		/* Neighbours mostly share the symbol. */
		if (symbol != last_symbol || address->event != last_event ||
		    address->dso != last_dso) {
			last_row = get_row(stat, perffile_event(input->file, address->event),
					   input->dsos->dsos[address->dso], symbol);
			last_symbol = symbol;
			last_event = address->event;
			last_dso = address->dso;
		}
		if (last_row == UINT32_MAX)
			return -1;
		stat->row_of[number] = last_row;
		tally_add(&stat->rows[last_row].self, address->self.samples, address->self.period);
	}
	return 0;
}

/* Self plus called, from the call paths; self alone for events that record no chains. */
static int count_children(struct funcstat *stat, const struct funcstat_input *input,
			  struct error *err)
{
	size_t nr = funcstat_count(stat);
	struct tally *totals = calloc(nr + 1, sizeof(*totals));
	int rc;

	if (!totals)
		return error_nomem(err, "adding up functions");
	rc = pathstore_fold(input->paths, stat->row_of, nr, totals, err);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		bool chains = stat->rows[i].event->attr.sample_type & SAMPLE_CALLCHAIN;

		stat->rows[i].children = chains ? totals[i] : stat->rows[i].self;
	}
	free(totals);
	return rc;
}

static int compare_rows(const void *a, const void *b)
{
	const struct function_stat *x = a, *y = b;
	int order;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	if (x->self.period != y->self.period)
		return x->self.period > y->self.period ? -1 : 1;
	if ((order = strcmp(x->function, y->function)) != 0)
		return order;
	if ((order = strcmp(x->binary, y->binary)) != 0)
		return order;
	if ((order = strcmp(x->filename, y->filename)) != 0)
		return order;
	if ((order = strcmp(x->build_id, y->build_id)) != 0)
		return order;
	return strcmp(x->reason, y->reason);
}

int funcstat_make(struct funcstat *stat, const struct funcstat_input *input,
		  void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
		  struct error *err)
{
	size_t nr = address_count(input->addresses);
	struct place_set set = {.tick = tick, .tick_arg = tick_arg};
	int rc = -1;

	funcstat_free(stat);
	stat->row_of = calloc(nr + 1, sizeof(*stat->row_of));
	if (!stat->row_of || alloc_places(&set, nr, input->dsos->nr_dsos) < 0) {
		error_nomem(err, "sorting addresses");
	} else {
		make_lists(&set, input);
		rc = resolve_places(&set, input, err);
		if (rc == 0 && count_rows(stat, input, &set) < 0)
			rc = error_nomem(err, "adding up functions");
		if (rc == 0)
			rc = count_children(stat, input, err);
		if (rc == 0 && input->blocks &&
		    !blocks_noise(input->blocks, stat->row_of, stat->rows, funcstat_count(stat),
				  input->nr_events))
			rc = error_nomem(err, "estimating noise");
	}
	free_places(&set);
	if (rc == 0 && funcstat_count(stat))
		qsort(stat->rows, funcstat_count(stat), sizeof(*stat->rows), compare_rows);
	return rc;
}

void funcstat_free(struct funcstat *stat)
{
	free(stat->rows);
	free(stat->keys);
	free(stat->row_of);
	index_free(&stat->index);
	intern_free(&stat->strings);
	*stat = (struct funcstat){0};
}
