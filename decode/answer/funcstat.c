#include "decode/answer/funcstat.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/largemem.h"
#include "util/zeroed.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_key(const struct function_key *key)
{
	uint64_t hash = hash_add(0, (uint64_t)key->event << 32 | key->binary);

	hash = hash_add(hash, (uint64_t)key->build_id << 32 | key->function);
	return hash_u64(hash_add(hash, (uint64_t)key->filename << 32 | key->reason));
}

/* Sets what @key has of @dso, which most rows share with the one before. */
static void set_dso(struct funcstat *stat, struct function_key *key, const struct dso *dso)
{
	char build_id[DSO_BUILD_ID_TEXT];

	if (dso != stat->last_dso) {
		dso_format_build_id(dso, build_id);
		stat->last_binary = intern_string(&stat->strings, dso->path);
		stat->last_build_id = intern_string(&stat->strings, build_id);
		stat->last_dso = dso;
	}
	key->binary = stat->last_binary;
	key->build_id = stat->last_build_id;
}

static bool make_key(struct funcstat *stat, struct function_key *key, uint32_t event,
		     const struct dso *dso, const struct symbol *symbol)
{
	set_dso(stat, key, dso);
	key->event = event;
	key->reason = (uint32_t)symbol->reason;
	key->function = intern_string(&stat->strings, symbol->function);
	key->filename = intern_string(&stat->strings, symbol->filename);
	return key->binary != INTERN_NOMEM && key->build_id != INTERN_NOMEM &&
	       key->function != INTERN_NOMEM && key->filename != INTERN_NOMEM;
}

enum code_origin funcstat_origin(enum dso_kind kind)
{
	switch (kind) {
	case DSO_KERNEL:
	case DSO_MODULE:
	case DSO_GUEST:
	case DSO_KSYMBOL:
		return CODE_KERNEL;
	case DSO_JIT:
	case DSO_JITDUMP:
		return CODE_JIT;
	default:
		return CODE_USER;
	}
}

static bool add_row(struct funcstat *stat, const struct function_key *key,
		    const struct event *event, const struct dso *dso, const struct symbol *symbol)
{
	size_t nr = stat->index.nr;

	if (!largemem_grow(stat->rows, stat->rows_room, nr + 1) ||
	    !largemem_grow(stat->keys, stat->keys_room, nr + 1))
		return false;
	stat->keys[nr] = *key;
	stat->rows[nr] = (struct function_stat){
		.number = (uint32_t)nr,
		.event = event,
		.binary = intern_get(&stat->strings, key->binary),
		.function = intern_get(&stat->strings, key->function),
		.filename = intern_get(&stat->strings, key->filename),
		.line = symbol->line,
		.size = symbol->size,
		.build_id = intern_get(&stat->strings, key->build_id),
		.reason = reason_name(symbol->reason),
		.dso = dso->number,
		.code = funcstat_origin(dso->kind),
	};
	return index_add(&stat->index, hash_key(key));
}

/*
 * Returns the number of the row for @symbol of @dso under @event, made if it is new; UINT32_MAX if
 * memory is out.
 */
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
		/* Functions with the same name and file (static functions of a header) share a row,
		 * which gets the lowest line and the largest size. */
		if (symbol->line && (row->line == 0 || symbol->line < row->line))
			row->line = symbol->line;
		if (symbol->size > row->size)
			row->size = symbol->size;
		return number;
	}
	if (!add_row(stat, &key, event, dso, symbol))
		return UINT32_MAX;
	return (uint32_t)ix->nr - 1;
}

/*
 * Makes a list of the rows of @symbol and of all functions it is inlined into. Returns the list's
 * place, or ADDRESS_ROWS_NONE if memory is out.
 */
static uint32_t list_rows(struct funcstat *stat, const struct event *event, const struct dso *dso,
			  const struct symbol *symbol)
{
	const uint32_t list = address_rows_start(&stat->of_addresses);

	if (list == ADDRESS_ROWS_NONE)
		return list;
	for (; symbol; symbol = symbol->inlined_into) {
		uint32_t row = get_row(stat, event, dso, symbol);

		stat->has_inlined |= symbol->inlined_into != NULL;
		if (row == UINT32_MAX || !address_rows_append(&stat->of_addresses, list, row))
			return ADDRESS_ROWS_NONE;
	}
	return list;
}

/* The event of an address in @set, in the order there: nothing is read of that if all have one. */
static inline uint32_t event_of(const struct place_set *set, const struct address *addresses,
				size_t i)
{
	if (set->has_one_event)
		return addresses[0].event;
	if (i + ADDRESS_AHEAD < set->nr_sorted)
		address_prefetch(addresses, set->sorted[i + ADDRESS_AHEAD].number);
	return addresses[set->sorted[i].number].event;
}

/* Sorted addresses of one symbol and event, up to number @end, and their list of rows. */
struct symbol_run {
	uint32_t end, list;
};

/* How the addresses are given their rows. */
struct row_counting {
	struct funcstat *stat;
	const struct funcstat_input *input;
	struct symbol_run *runs;
	size_t nr_runs, room;
	size_t nr_pieces;      /* of the addresses; each is summed for itself */
	struct tally *self;    /* by piece and row */
	struct tally *inlined; /* the same of what is inlined into the row; NULL: nothing is */
};

static void counting_free(struct row_counting *counting)
{
	free(counting->runs);
	free(counting->self);
	free(counting->inlined);
}

/* Adds a run of the one address before number @end. Returns false if memory is out. */
static bool start_run(struct row_counting *counting, size_t end, uint32_t event,
		      const struct dso *dso, const struct symbol *symbol)
{
	const struct event *of = perffile_event(counting->input->file, event);
	const uint32_t list = list_rows(counting->stat, of, dso, symbol);

	if (list == ADDRESS_ROWS_NONE ||
	    !array_grow(counting->runs, counting->room, counting->nr_runs + 1))
		return false;
	counting->runs[counting->nr_runs++] = (struct symbol_run){(uint32_t)end, list};
	return true;
}

/* Makes the rows of all addresses. Neighbours mostly have the same symbol. Returns false if memory
 * is out. */
static bool make_rows(struct row_counting *counting)
{
	const struct place_set *set = counting->input->places;
	const struct place_list *of_dso = set->lists;
	const struct symbol *last_symbol = NULL;
	uint32_t last_event = 0;

	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct place *place = &set->places[set->sorted[i].place];
		const uint32_t event = event_of(set, counting->input->addresses->addresses, i);

		while (place >= of_dso->places + of_dso->nr_places) {
			of_dso++;
			last_symbol = NULL;
		}
		if (counting->nr_runs && place->symbol == last_symbol && event == last_event) {
			counting->runs[counting->nr_runs - 1].end++;
			continue;
		}
		if (!start_run(counting, i + 1, event, of_dso->dso, place->symbol))
			return false;
		last_symbol = place->symbol;
		last_event = event;
	}
	return true;
}

/* Where piece @i of the @nr addresses starts. */
static size_t piece_start(const struct row_counting *counting, size_t i, size_t nr)
{
	return nr * i / counting->nr_pieces;
}

/* The run that the sorted address number @at is in. */
static const struct symbol_run *run_of(const struct row_counting *counting, size_t at)
{
	size_t first = 0, end = counting->nr_runs;

	while (end - first > 1) {
		const size_t middle = first + (end - first) / 2;

		if (counting->runs[middle - 1].end <= at)
			first = middle;
		else
			end = middle;
	}
	return &counting->runs[first];
}

/* A piece of the work that is shared: notes the rows of sorted addresses. */
static void list_piece(void *arg, size_t piece)
{
	const struct row_counting *counting = arg;
	const struct place_set *set = counting->input->places;
	const size_t start = piece_start(counting, piece, set->nr_sorted);
	const size_t end = piece_start(counting, piece + 1, set->nr_sorted);
	const struct symbol_run *run = run_of(counting, start);

	for (size_t i = start; i < end; i++) {
		run += i >= run->end;
		counting->stat->of_addresses.list_of[set->sorted[i].number] = run->list;
	}
}

/* A piece of the work that is shared: adds each address to the row of its function. In the order of
 * their numbers: they take more memory than the sums of rows. */
static void count_piece(void *arg, size_t piece)
{
	const struct row_counting *counting = arg;
	const struct address_table *addresses = counting->input->addresses;
	const size_t nr_rows = funcstat_count(counting->stat);
	const size_t start = piece_start(counting, piece, address_count(addresses));
	const size_t end = piece_start(counting, piece + 1, address_count(addresses));
	struct tally *sums = &counting->self[piece * nr_rows];
	struct tally *inlined = counting->inlined ? &counting->inlined[piece * nr_rows] : NULL;

	for (size_t i = start; i < end; i++) {
		const struct row_list functions =
			address_rows_of(&counting->stat->of_addresses, (uint32_t)i);
		const struct tally *self = &addresses->addresses[i].self;

		tally_add(&sums[functions.rows[0]], self->samples, self->period);
		if (inlined && functions.nr > 1)
			tally_add(&inlined[functions.rows[0]], self->samples, self->period);
	}
}

/* Adds up the pieces. */
static void sum_pieces(const struct row_counting *counting)
{
	struct function_stat *rows = counting->stat->rows;
	const size_t nr_rows = funcstat_count(counting->stat);

	for (size_t i = 0; i < counting->nr_pieces * nr_rows; i++) {
		struct function_stat *row = &rows[i % nr_rows];

		tally_add(&row->self, counting->self[i].samples, counting->self[i].period);
		if (counting->inlined)
			tally_add(&row->inlined, counting->inlined[i].samples,
				  counting->inlined[i].period);
	}
}

/* Adds what was counted at the addresses to their rows. Returns false if memory is out. */
static bool count_addresses(struct row_counting *counting)
{
	const size_t nr = funcstat_count(counting->stat) * counting->nr_pieces;
	struct helpers *helpers = counting->input->helpers;

	counting->self = zeroed_get(nr, sizeof(*counting->self));
	if (counting->stat->has_inlined)
		counting->inlined = zeroed_get(nr, sizeof(*counting->inlined));
	if (!counting->self || (counting->stat->has_inlined && !counting->inlined))
		return false;
	helpers_share(helpers, list_piece, counting, counting->nr_pieces);
	helpers_share(helpers, count_piece, counting, counting->nr_pieces);
	sum_pieces(counting);
	return true;
}

/* Makes the rows of all addresses, with what was counted there. Returns false if memory is out. */
static bool count_rows(struct funcstat *stat, const struct funcstat_input *input)
{
	struct row_counting counting = {
		.stat = stat, .input = input, .nr_pieces = input->helpers ? 2 : 1};
	const bool ok = input->places->nr_sorted == 0 ||
			(make_rows(&counting) && count_addresses(&counting));

	counting_free(&counting);
	return ok;
}

/* Lists the paths of the sorted rows. */
static int list_paths(struct funcstat *stat, const struct funcstat_input *input, struct error *err)
{
	const struct pathlist_input paths = {input->paths, &stat->of_addresses, stat->rows,
					     funcstat_count(stat)};

	if (input->log)
		pathcells_start(&stat->cells, input->log, 0);
	return pathlist_make_cells(&stat->paths, input->log ? &stat->cells : NULL, &paths, err);
}

/* Adds to @totals what was counted on the paths of each row, and to stat->ends. */
static int sum_paths(const struct funcstat *stat, const struct funcstat_input *input,
		     struct tally *totals, struct error *err)
{
	const struct children_ends ends = {stat->rows, stat->ends, input->nr_events};

	if (!input->lists_paths || stat->paths.has_waiting)
		return children_sum(input->paths, NULL, &stat->of_addresses, input->helpers, totals,
				    &ends, err);
	return children_sum_list(&stat->paths, stat->rows, funcstat_count(stat), totals, &ends,
				 err);
}

/* Sets children from the call paths; for events without call chains children are self alone. */
static int count_children(struct funcstat *stat, const struct funcstat_input *input,
			  struct error *err)
{
	size_t nr = funcstat_count(stat);
	struct tally *totals = calloc(nr + 1, sizeof(*totals));
	int rc;

	stat->ends = calloc(input->nr_events + 1, sizeof(*stat->ends));
	if (!totals || !stat->ends) {
		free(totals);
		return error_nomem(err, "adding up functions");
	}
	rc = sum_paths(stat, input, totals, err);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		bool chains = stat->rows[i].event->chains;

		stat->rows[i].children = chains ? totals[i] : stat->rows[i].self;
	}
	free(totals);
	return rc;
}

int funcstat_compare(const void *a, const void *b)
{
	const struct function_stat *x = a, *y = b;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	if (x->self.period != y->self.period)
		return x->self.period > y->self.period ? -1 : 1;
	return results_compare_names(x, y);
}

static void sort_rows(struct function_stat *rows, size_t nr)
{
	if (nr)
		qsort(rows, nr, sizeof(*rows), funcstat_compare);
}

/* Sorts the rows, and gives them and the lists of addresses their new numbers. False if memory is
 * out. */
static bool sort_numbered(struct funcstat *stat)
{
	const size_t nr = funcstat_count(stat);
	uint32_t *numbers = calloc(nr + 1, sizeof(*numbers));

	if (!numbers)
		return false;
	sort_rows(stat->rows, nr);
	for (size_t i = 0; i < nr; i++) {
		numbers[stat->rows[i].number] = (uint32_t)i;
		stat->rows[i].number = (uint32_t)i;
	}
	address_rows_renumber(&stat->of_addresses, numbers);
	free(numbers);
	return true;
}

/* Makes the rows of the window. */
static int make_recent(struct funcstat *stat, const struct funcstat_input *input, struct error *err)
{
	const struct recent_input recent = {
		.window = input->window,
		.addresses = input->addresses,
		.paths = input->paths,
		.nr_events = input->nr_events,
		.of_addresses = &stat->of_addresses,
		.rows = stat->rows,
		.nr_rows = funcstat_count(stat),
	};

	if (recent_make(&stat->recent, &recent, err) < 0)
		return -1;
	sort_rows(stat->recent.functions, stat->recent.stat.nr_functions);
	return 0;
}

int funcstat_make(struct funcstat *stat, const struct funcstat_input *input, struct error *err)
{
	funcstat_free(stat);
	if (!address_rows_init(&stat->of_addresses, address_count(input->addresses)) ||
	    !count_rows(stat, input) || !sort_numbered(stat))
		return error_nomem(err, "adding up functions");
	if (input->lists_paths && list_paths(stat, input, err) < 0)
		return -1;
	if (count_children(stat, input, err) < 0)
		return -1;
	if (input->slices && !time_slices_noise(input->slices, &stat->of_addresses, stat->rows,
						funcstat_count(stat), input->nr_events))
		return error_nomem(err, "estimating noise");
	return input->window ? make_recent(stat, input, err) : 0;
}

void funcstat_free(struct funcstat *stat)
{
	free(stat->rows);
	free(stat->keys);
	free(stat->ends);
	pathlist_free(&stat->paths);
	pathcells_free(&stat->cells);
	address_rows_free(&stat->of_addresses);
	recent_free(&stat->recent);
	index_free(&stat->index);
	intern_free(&stat->strings);
	*stat = (struct funcstat){0};
}
