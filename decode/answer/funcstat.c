#include "decode/answer/funcstat.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/largemem.h"
#include "util/zeroed.h"

#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 2 }; /* that the addresses are split into, for threads to share */

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

/* The number of the name of a source file, which most functions share with the one before. */
static uint32_t intern_filename(struct funcstat *stat, const char *filename)
{
	if (filename != stat->last_filename) {
		stat->last_filename_number = intern_string(&stat->strings, filename);
		stat->last_filename = filename;
	}
	return stat->last_filename_number;
}

static bool make_key(struct funcstat *stat, struct function_key *key, uint32_t event,
		     const struct dso *dso, const struct symbol *symbol)
{
	set_dso(stat, key, dso);
	key->event = event;
	key->reason = (uint32_t)symbol->reason;
	key->function = intern_string(&stat->strings, symbol->function);
	key->filename = intern_filename(stat, symbol->filename);
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

/* Sorted addresses of one dso, symbol and event, up to number @end, and their list of rows. */
struct symbol_run {
	const struct dso *dso;
	const struct symbol *symbol;
	uint32_t event, end, list;
};

/* The runs of a piece of the sorted addresses. */
struct run_list {
	struct symbol_run *runs;
	size_t nr, room;
	bool failed; /* memory is out */
};

/* How the addresses are given their rows. */
struct row_counting {
	struct funcstat *stat;
	const struct funcstat_input *input;
	struct run_list runs[PIECES_MAX];
	size_t nr_pieces;      /* of the addresses; each is summed for itself */
	struct tally *self;    /* by piece and row */
	struct tally *inlined; /* the same of what is inlined into the row; NULL: nothing is */
};

static void counting_free(struct row_counting *counting)
{
	for (size_t i = 0; i < PIECES_MAX; i++)
		free(counting->runs[i].runs);
	free(counting->self);
	free(counting->inlined);
}

/* Where piece @i of the @nr addresses starts. */
static size_t piece_start(const struct row_counting *counting, size_t i, size_t nr)
{
	return nr * i / counting->nr_pieces;
}

/* Whether the address at @place with @event goes on with @run of the same dso. */
static inline bool goes_on(const struct symbol_run *run, const struct place *place, uint32_t event)
{
	return run && run->symbol == place->symbol && run->event == event;
}

/* A piece of the work that is shared: finds the runs. Neighbours mostly have the same symbol. */
static void find_runs(void *arg, size_t piece)
{
	struct row_counting *counting = arg;
	struct run_list *list = &counting->runs[piece];
	const struct place_set *set = counting->input->places;
	const struct place_list *of_dso = set->lists;
	const size_t end = piece_start(counting, piece + 1, set->nr_sorted);
	struct symbol_run *run = NULL;

	for (size_t i = piece_start(counting, piece, set->nr_sorted); i < end; i++) {
		const struct place *place = &set->places[set->sorted[i].place];
		const uint32_t event = event_of(set, counting->input->addresses->addresses, i);

		while (place >= of_dso->places + of_dso->nr_places) {
			of_dso++;
			run = NULL;
		}
		if (!goes_on(run, place, event)) {
			if (!array_grow(list->runs, list->room, list->nr + 1)) {
				list->failed = true;
				return;
			}
			run = &list->runs[list->nr++];
			*run = (struct symbol_run){of_dso->dso, place->symbol, event, 0, 0};
		}
		run->end = (uint32_t)i + 1;
	}
}

/* Makes the rows of the runs. Returns false if memory is out. */
static bool make_rows(struct row_counting *counting)
{
	const struct perffile *file = counting->input->file;

	for (size_t i = 0; i < counting->nr_pieces; i++) {
		const struct run_list *list = &counting->runs[i];

		if (list->failed)
			return false;
		for (struct symbol_run *run = list->runs; run < list->runs + list->nr; run++) {
			run->list = list_rows(counting->stat, perffile_event(file, run->event),
					      run->dso, run->symbol);
			if (run->list == ADDRESS_ROWS_NONE)
				return false;
		}
	}
	return true;
}

/* A piece of the work that is shared: notes the rows of sorted addresses. */
static void list_piece(void *arg, size_t piece)
{
	const struct row_counting *counting = arg;
	const struct place_set *set = counting->input->places;
	const struct symbol_run *run = counting->runs[piece].runs;
	const size_t end = piece_start(counting, piece + 1, set->nr_sorted);

	for (size_t i = piece_start(counting, piece, set->nr_sorted); i < end; i++) {
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
		.stat = stat, .input = input, .nr_pieces = input->helpers ? PIECES_MAX : 1};
	bool ok;

	if (input->places->nr_sorted == 0)
		return true;
	helpers_share(input->helpers, find_runs, &counting, counting.nr_pieces);
	ok = make_rows(&counting) && count_addresses(&counting);
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
		return children_sum(input->paths, NULL, input->walk, &stat->of_addresses,
				    input->helpers, totals, &ends, err);
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
