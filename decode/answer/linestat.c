/*
 * Line statistics: sums the counts by address into rows by event, binary and source line, and makes
 * the rows of single addresses.
 */
#include "decode/answer/aggregate.h"
#include "decode/answer/linetext.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdlib.h>
#include <string.h>

enum { LINES, ADDRESSES, INSTRUCTIONS, CODE }; /* numbers of the answers */

enum { ALL_ADDRESSES = 1 << ADDRESSES | 1 << INSTRUCTIONS | 1 << CODE };

/* The key of a line row. Members are string numbers, except event, line and reason. */
struct line_key {
	uint32_t event, binary, build_id, filename, line, reason;
};

/* All zero is empty. */
struct linestat {
	unsigned wanted; /* one bit for each answer, by its number */
	struct line_stat *lines;
	struct line_key *keys; /* keys of the line rows; needed only while rows are made */
	size_t lines_room, keys_room;
	struct index index;	   /* of the line rows */
	struct line_share *shares; /* of functions in the line rows; only while rows are made */
	size_t nr_shares, shares_room;
	struct textless_stat no_source, no_instruction;
	struct address_stat *addresses;
	size_t nr_addresses;
	struct intern strings;
	const char *last_filename; /* the last one that was interned, and its number */
	uint32_t last_filename_number;
};

/* An address with its place, symbol and details. */
struct counted {
	const struct event *event;
	const struct dso *dso;
	const struct symbol *symbol;
	const struct place_detail *detail;
	const struct tally *self;
	struct row_list rows; /* of the functions there; it counts for the innermost */
};

static struct counted get_counted(const struct aggregate_view *view, size_t i)
{
	const struct place_set *set = view->places;
	const struct address *address = &view->addresses->addresses[set->sorted[i].number];
	uint32_t place = set->sorted[i].place;

	return (struct counted){
		.event = perffile_event(view->file, address->event),
		.dso = view->dsos->dsos[address->dso],
		.symbol = set->places[place].symbol,
		.detail = &set->details[place],
		.self = &address->self,
		.rows = address_rows_of(view->of_addresses, set->sorted[i].number),
	};
}

/* The number of the name of a source file, which most addresses share with the one before. */
static uint32_t intern_filename(struct linestat *stat, const char *filename)
{
	if (filename != stat->last_filename) {
		stat->last_filename_number = intern_string(&stat->strings, filename);
		stat->last_filename = filename;
	}
	return stat->last_filename_number;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static uint64_t hash_key(const struct line_key *key)
{
	uint64_t hash = hash_add(0, (uint64_t)key->event << 32 | key->binary);

	hash = hash_add(hash, (uint64_t)key->build_id << 32 | key->filename);
	return hash_u64(hash_add(hash, (uint64_t)key->line << 32 | key->reason));
}

static bool make_key(struct linestat *stat, struct line_key *key, const struct counted *counted)
{
	char build_id[DSO_BUILD_ID_TEXT];

	dso_format_build_id(counted->dso, build_id);
	key->event = counted->event->number;
	key->line = counted->detail->line;
	key->reason = (uint32_t)counted->detail->reason;
	key->binary = intern_string(&stat->strings, counted->dso->path);
	key->build_id = intern_string(&stat->strings, build_id);
	key->filename = intern_filename(stat, counted->detail->filename);
	return key->binary != INTERN_NOMEM && key->build_id != INTERN_NOMEM &&
	       key->filename != INTERN_NOMEM;
}

static bool add_line(struct linestat *stat, const struct line_key *key, const struct event *event)
{
	size_t nr = stat->index.nr;

	if (!array_grow(stat->lines, stat->lines_room, nr + 1) ||
	    !array_grow(stat->keys, stat->keys_room, nr + 1))
		return false;
	stat->keys[nr] = *key;
	stat->lines[nr] = (struct line_stat){
		.event = event,
		.binary = intern_get(&stat->strings, key->binary),
		.filename = intern_get(&stat->strings, key->filename),
		.line = key->line,
		.build_id = intern_get(&stat->strings, key->build_id),
		.reason = reason_name((enum reason)key->reason),
	};
	return index_add(&stat->index, hash_key(key));
}

/* Returns the row of @counted, made if it is new; NULL if memory is out. */
static struct line_stat *get_line(struct linestat *stat, const struct counted *counted)
{
	const struct index *ix = &stat->index;
	struct line_key key;
	uint32_t number;
	uint64_t hash;

	if (!make_key(stat, &key, counted))
		return NULL;
	hash = hash_key(&key);
	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (memcmp(&stat->keys[number], &key, sizeof(key)) == 0)
			return &stat->lines[number];
	return add_line(stat, &key, counted->event) ? &stat->lines[ix->nr - 1] : NULL;
}

/* Notes that the row of the line counts for a function, too. */
static bool add_share(struct linestat *stat, const struct line_stat *line,
		      const struct counted *counted)
{
	const size_t row = (size_t)(line - stat->lines);
	struct line_share *next;

	if (!array_grow(stat->shares, stat->shares_room, stat->nr_shares + 1))
		return false;
	next = &stat->shares[stat->nr_shares];
	if (stat->nr_shares && next[-1].row == row &&
	    next[-1].function == counted->symbol->function) {
		next[-1].period += counted->self->period;
		return true;
	}
	*next = (struct line_share){row, counted->symbol->function, counted->dso,
				    counted->self->period};
	stat->nr_shares++;
	return true;
}

static bool share_line(const struct counted *a, const struct counted *b)
{
	return a->event == b->event && a->dso == b->dso &&
	       a->detail->filename == b->detail->filename && a->detail->line == b->detail->line &&
	       a->detail->reason == b->detail->reason;
}

static int count_lines(struct linestat *stat, const struct aggregate_view *view)
{
	struct counted last = {0};
	struct line_stat *line = NULL;

	for (size_t i = 0; i < view->places->nr_sorted; i++) {
		struct counted counted = get_counted(view, i);

		if (!counted.self->samples)
			continue; /* only a caller: it has no samples */
		if (!line || !share_line(&counted, &last))
			line = get_line(stat, &counted);
		if (!line || !add_share(stat, line, &counted))
			return -1;
		tally_add(&line->self, counted.self->samples, counted.self->period);
		last = counted;
	}
	return 0;
}

/* Makes the rows of lines, with their functions and texts. */
static int make_lines(struct linestat *stat, const struct aggregate_view *view,
		      struct results *results)
{
	struct linetext_rows rows;

	if (count_lines(stat, view) < 0)
		return -1;
	rows = (struct linetext_rows){stat->lines, stat->index.nr, stat->shares, stat->nr_shares};
	if (linetext_fill(&rows, view->symbolizer, &stat->strings, &stat->no_source) < 0)
		return -1;
	results->no_source =
		stat->no_source.samples || stat->no_source.newer ? &stat->no_source : NULL;
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	const struct line_stat *x = a, *y = b;
	int order;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	if (x->self.period != y->self.period)
		return x->self.period > y->self.period ? -1 : 1;
	if ((order = strcmp(x->filename, y->filename)) != 0)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if ((order = strcmp(x->binary, y->binary)) != 0)
		return order;
	if ((order = strcmp(x->build_id, y->build_id)) != 0)
		return order;
	return strcmp(x->reason, y->reason);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The strings of the functions' rows stay, so only the file's name is kept for addresses. */
static bool fill_address(struct linestat *stat, struct address_stat *row,
			 const struct counted *counted, const struct function_stat *functions)
{
	const struct row_list *rows = &counted->rows;
	const struct function_stat *owner = &functions[rows->rows[0]];
	const uint32_t filename = intern_filename(stat, counted->detail->filename);
	const enum reason unnamed = counted->symbol->reason;

	if (filename == INTERN_NOMEM)
		return false;
	*row = (struct address_stat){
		.event = counted->event,
		.binary = owner->binary,
		.address = counted->detail->address,
		.function = owner->function,
		.offset = counted->detail->offset,
		.filename = intern_get(&stat->strings, filename),
		.line = counted->detail->line,
		.self = *counted->self,
		.physical = functions[rows->rows[rows->nr - 1]].function,
		.named = unnamed == REASON_NONE,
		.build_id = owner->build_id,
		.reason = reason_name(unnamed ? unnamed : counted->detail->reason),
		.owner = owner,
		.instruction = counted->detail->instruction,
		.code = counted->detail->code,
		.code_lack = counted->detail->code_lack,
	};
	return true;
}

static int list_addresses(struct linestat *stat, const struct aggregate_view *view,
			  const struct results *results)
{
	stat->addresses = calloc(view->places->nr_sorted + 1, sizeof(*stat->addresses));
	if (!stat->addresses)
		return -1;
	for (size_t i = 0; i < view->places->nr_sorted; i++) {
		const struct counted counted = get_counted(view, i);
		struct address_stat *row = &stat->addresses[stat->nr_addresses];

		if (!counted.self->samples)
			continue;
		if (!fill_address(stat, row, &counted, results->functions))
			return -1;
		stat->nr_addresses++;
	}
	return 0;
}

static int compare_addresses(const void *a, const void *b)
{
	const struct address_stat *x = a, *y = b;
	int order;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	if ((order = strcmp(x->binary, y->binary)) != 0)
		return order;
	if ((order = strcmp(x->build_id, y->build_id)) != 0)
		return order;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->self.period != y->self.period)
		return x->self.period > y->self.period ? -1 : 1;
	return strcmp(x->reason, y->reason);
}

/* ---- the aggregate --------------------------------------------------------------------------- */

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct linestat *stat = state;

	(void)view;
	stat->wanted = wanted;
	return true;
}

static void drop_rows(struct linestat *stat)
{
	free(stat->lines);
	free(stat->keys);
	free(stat->addresses);
	free(stat->shares);
	index_free(&stat->index);
	intern_free(&stat->strings);
	*stat = (struct linestat){.wanted = stat->wanted};
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct linestat *stat = state;

	drop_rows(stat);
	if ((stat->wanted & 1 << LINES && make_lines(stat, view, results) < 0) ||
	    (stat->wanted & ALL_ADDRESSES && list_addresses(stat, view, results) < 0))
		return error_nomem(err, "adding up source lines");
	if (stat->index.nr)
		qsort(stat->lines, stat->index.nr, sizeof(*stat->lines), compare_lines);
	if (stat->nr_addresses)
		qsort(stat->addresses, stat->nr_addresses, sizeof(*stat->addresses),
		      compare_addresses);
	if (stat->wanted & 1 << INSTRUCTIONS &&
	    linetext_count_instructions(stat->addresses, stat->nr_addresses, &stat->no_instruction))
		results->no_instruction = &stat->no_instruction;
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct linestat *stat = state;

	if (number == LINES)
		return (struct rows){.first = stat->lines, .nr = stat->index.nr};
	return (struct rows){.first = stat->addresses, .nr = stat->nr_addresses};
}

static void end(void *state)
{
	drop_rows(state);
}

static unsigned wishes(unsigned wanted)
{
	return WISH_DETAILS | (wanted & 1 << INSTRUCTIONS ? WISH_INSTRUCTIONS : 0) |
	       (wanted & 1 << CODE ? WISH_CODE : 0);
}

static const struct aggregate aggregate = {
	.wishes = wishes,
	.state_bytes = sizeof(struct linestat),
	.start = start,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer linestat_lines = {&aggregate, LINES};
const struct answer linestat_addresses = {&aggregate, ADDRESSES};
const struct answer linestat_instructions = {&aggregate, INSTRUCTIONS};
const struct answer linestat_code = {&aggregate, CODE};
