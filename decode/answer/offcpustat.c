/*
 * Off-CPU statistics: waits by the function in which threads waited.
 *
 * Waits were counted by call path (decode/count/waits.h). The paths are walked once, and each that
 * has waits adds them to its function, and to those that called it.
 */
#include "decode/answer/aggregate.h"
#include "decode/answer/waitfunction.h"
#include "decode/process/schedstate.h"
#include "perffile/format.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/intern.h"

#include <stdlib.h>
#include <string.h>

static const char *const sources[] = {
	[WAIT_SCHED_SWITCH] = "sched_switch",
	[WAIT_OFFCPU_TIME] = "offcpu-time",
	[WAIT_SWITCH] = "switch",
};

/* What the rows are told apart by, as numbers. */
struct offcpu_key {
	uint32_t pid, comm;
	uint32_t row, within; /* functions; ADDRESS_ROWS_NONE: none */
	uint32_t state;	      /* a string */
	enum wait_source source;
};

struct offcpu_count {
	struct offcpu_key key;
	struct wait_sum self;
	uint64_t children_wait, children_count;
};

/* All zero is empty. */
struct offcpustat {
	const struct perffile *file;
	struct intern states;
	struct offcpu_stat *rows;
	size_t nr_rows;
};

/* While the rows are made. */
struct offcpu_making {
	struct offcpustat *stat;
	struct wait_stack stack;
	struct offcpu_count *counts;
	size_t room;
	struct index index;
	const struct wait_entry **waits; /* by table, then path */
	size_t nr_waits;
	struct schedstates *words; /* by event number */
	size_t nr_words;
	uint32_t *visits; /* by row: the number of the last visit that has counted it */
	uint32_t nr_visits;
	size_t table; /* the paths that are walked */
	bool failed;  /* memory is out */
};

/* ---- counting -------------------------------------------------------------------------------- */

static bool same_key(const struct offcpu_key *a, const struct offcpu_key *b)
{
	return a->pid == b->pid && a->comm == b->comm && a->row == b->row &&
	       a->within == b->within && a->state == b->state && a->source == b->source;
}

/* The count of @key, which is made if it is new; NULL if memory is out. */
static struct offcpu_count *count_of(struct offcpu_making *making, const struct offcpu_key *key)
{
	struct index *ix = &making->index;
	uint64_t hash = hash_u64((uint64_t)key->pid << 32 | key->comm);
	uint32_t number;

	hash = hash_add(hash, (uint64_t)key->row << 32 | key->within);
	hash = hash_add(hash, (uint64_t)key->state << 8 | key->source);
	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (same_key(&making->counts[number].key, key))
			return &making->counts[number];
	if (!array_grow(making->counts, making->room, ix->nr + 1) || !index_add(ix, hash))
		return NULL;
	making->counts[ix->nr - 1] = (struct offcpu_count){.key = *key};
	return &making->counts[ix->nr - 1];
}

/* The number of the text for the state of @place; INTERN_NOMEM if memory is out. */
static uint32_t state_of(struct offcpu_making *making, const struct wait_place *place)
{
	char text[SCHEDSTATE_BYTES];

	if (!place->has_state)
		return 0;
	schedstate_write(&making->words[place->event], place->state, text);
	return intern_string(&making->stat->states, text);
}

/* The key of @place in function @row. Sets making->failed if memory is out. */
static struct offcpu_key key_of(struct offcpu_making *making, const struct wait_place *place,
				uint32_t row, uint32_t within)
{
	const struct offcpu_key key = {
		place->pid, place->comm, row, within, state_of(making, place), place->source};

	making->failed |= key.state == INTERN_NOMEM;
	return key;
}

static void count_self(struct offcpu_making *making, const struct offcpu_key *key,
		       const struct wait_sum *sum)
{
	struct offcpu_count *count = making->failed ? NULL : count_of(making, key);

	making->failed |= !count;
	if (count)
		wait_sum_add(&count->self, sum);
}

static void add(uint64_t *to, uint64_t more)
{
	if (__builtin_add_overflow(*to, more, to))
		*to = UINT64_MAX;
}

static void count_child(struct offcpu_making *making, const struct offcpu_key *key,
			const struct wait_sum *sum)
{
	struct offcpu_count *count = making->failed ? NULL : count_of(making, key);

	making->failed |= !count;
	if (!count)
		return;
	add(&count->children_wait, sum->wait);
	add(&count->children_count, sum->count);
}

/* Counts @wait for each function from frame @at->frame outwards, once. */
static void count_children(struct offcpu_making *making, const struct wait_function *at,
			   struct offcpu_key key, const struct wait_sum *sum)
{
	making->nr_visits++;
	for (size_t i = at->frame + 1; i-- > 0;) {
		const struct row_list *frame = &making->stack.frames[i];

		for (size_t n = 0; n < frame->nr; n++) {
			key.row = frame->rows[n];
			if (making->visits[key.row] != making->nr_visits)
				count_child(making, &key, sum);
			making->visits[key.row] = making->nr_visits;
		}
	}
}

static void count_wait(struct offcpu_making *making, const struct wait_entry *wait,
		       const struct wait_function *at)
{
	const struct offcpu_key key = key_of(making, &wait->place, at->row, at->within);

	count_self(making, &key, &wait->sum);
	count_children(making, at, key, &wait->sum);
}

/* ---- walking the paths ----------------------------------------------------------------------- */

static int compare_waits(const void *a, const void *b)
{
	const struct wait_place *x = &(*(const struct wait_entry *const *)a)->place;
	const struct wait_place *y = &(*(const struct wait_entry *const *)b)->place;

	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	return (x->path > y->path) - (x->path < y->path);
}

/* The number of the first wait of path @number of the current table, or of those behind it. */
static size_t first_wait(const struct offcpu_making *making, uint32_t number)
{
	size_t low = 0, high = making->nr_waits;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct wait_place *place = &making->waits[middle]->place;

		if (place->table < making->table ||
		    (place->table == making->table && place->path < number))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Before the paths of a table are walked. */
static void set_table(void *arg, size_t table, struct callpath *paths, size_t nr)
{
	struct offcpu_making *making = arg;

	(void)paths;
	(void)nr;
	making->table = table == PATHSTORE_WAITING ? WAIT_WAITING : table;
}

static void enter(void *arg, const struct path_visit *visit)
{
	struct offcpu_making *making = arg;
	struct wait_stack *stack = &making->stack;
	const uint32_t number = visit->number;
	struct wait_function at;

	making->failed |= !array_grow(stack->frames, stack->room, stack->nr + 1);
	if (making->failed)
		return;
	stack->frames[stack->nr++] = visit->functions;
	for (size_t i = first_wait(making, number), first = i; i < making->nr_waits; i++) {
		const struct wait_place *place = &making->waits[i]->place;

		if (place->table != making->table || place->path != number)
			break;
		if (i == first)
			at = wait_function_of(stack);
		count_wait(making, making->waits[i], &at);
	}
}

static void leave(void *arg, const struct path_visit *visit)
{
	struct offcpu_making *making = arg;

	(void)visit;
	if (!making->failed)
		making->stack.nr--;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* By everything that a reader can tell rows apart by, but for sums. */
static int compare_keys(const struct offcpu_stat *x, const struct offcpu_stat *y)
{
	static const struct function_stat none = {
		.binary = "", .function = "", .filename = "", .build_id = ""};
	const struct function_stat *f = x->function ? x->function : &none;
	const struct function_stat *g = y->function ? y->function : &none;
	const char *const texts[][2] = {
		{x->comm, y->comm},	    {f->function, g->function}, {f->binary, g->binary},
		{f->filename, g->filename}, {f->build_id, g->build_id}, {x->state, y->state},
		{x->waits_in, y->waits_in}, {x->source, y->source},
	};

	if (x->pid != y->pid)
		return (int32_t)x->pid < (int32_t)y->pid ? -1 : 1;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const int order = strcmp(texts[i][0], texts[i][1]);

		if (order)
			return order;
	}
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct offcpu_stat *x = a, *y = b;

	if (x->wait != y->wait)
		return x->wait > y->wait ? -1 : 1;
	if (x->children_wait != y->children_wait)
		return x->children_wait > y->children_wait ? -1 : 1;
	return compare_keys(x, y);
}

static int compare_names(const void *a, const void *b)
{
	return compare_keys(a, b);
}

static struct offcpu_stat row_of(const struct offcpu_making *making,
				 const struct aggregate_view *view,
				 const struct offcpu_count *count)
{
	const struct function_stat *functions = making->stack.functions;
	const struct offcpu_key *key = &count->key;
	const bool placed = key->row != ADDRESS_ROWS_NONE;

	return (struct offcpu_stat){
		.pid = key->pid,
		.comm = intern_get(&view->processes->strings, key->comm),
		.function = placed ? &functions[key->row] : NULL,
		.state = intern_get(&making->stat->states, key->state),
		.waits_in = key->within != ADDRESS_ROWS_NONE ? functions[key->within].function : "",
		.source = sources[key->source],
		.wait = count->self.wait,
		.delay = count->self.delay,
		.preempt = count->self.preempt,
		.count = count->self.count,
		.max = count->self.max,
		.children_wait = count->children_wait,
		.children_count = count->children_count,
	};
}

static void add_row(struct offcpu_stat *row, const struct offcpu_stat *more)
{
	add(&row->wait, more->wait);
	add(&row->delay, more->delay);
	add(&row->preempt, more->preempt);
	add(&row->count, more->count);
	add(&row->children_wait, more->children_wait);
	add(&row->children_count, more->children_count);
	if (more->max > row->max)
		row->max = more->max;
}

/* Functions of several events are one, and so are states that are printed alike. */
static void merge_rows(struct offcpustat *stat)
{
	size_t nr = 0;

	qsort(stat->rows, stat->nr_rows, sizeof(*stat->rows), compare_names);
	for (size_t i = 0; i < stat->nr_rows; i++) {
		if (nr > 0 && compare_keys(&stat->rows[nr - 1], &stat->rows[i]) == 0)
			add_row(&stat->rows[nr - 1], &stat->rows[i]);
		else
			stat->rows[nr++] = stat->rows[i];
	}
	stat->nr_rows = nr;
	qsort(stat->rows, nr, sizeof(*stat->rows), compare_rows);
}

static bool make_rows(struct offcpu_making *making, const struct aggregate_view *view)
{
	struct offcpustat *stat = making->stat;

	stat->rows = calloc(making->index.nr + 1, sizeof(*stat->rows));
	if (!stat->rows)
		return false;
	for (size_t i = 0; i < making->index.nr; i++)
		stat->rows[stat->nr_rows++] = row_of(making, view, &making->counts[i]);
	merge_rows(stat);
	return true;
}

/* ---- the aggregate --------------------------------------------------------------------------- */

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct offcpustat *stat = state;

	(void)wanted;
	stat->file = view->file;
	return true;
}

/* Waits by path, and the words for states. Returns false if memory is out. */
static bool prepare(struct offcpu_making *making, const struct switches *switched,
		    const struct results *results)
{
	const struct waits *waits = &switched->waits;
	const struct pending_waits *pending = &switched->pending;
	const size_t nr = results->nr_events;

	making->stack.functions = results->functions;
	making->visits = calloc(results->nr_functions + 1, sizeof(*making->visits));
	making->waits = calloc(waits->index.nr + pending->nr + 1, sizeof(*making->waits));
	making->words = calloc(nr + 1, sizeof(*making->words));
	if (!making->visits || !making->waits || !making->words)
		return false;
	for (size_t i = 0; i < waits->index.nr; i++)
		making->waits[making->nr_waits++] = &waits->list[i];
	for (size_t i = 0; i < pending->nr; i++)
		if (pending->list[i].entry.sum.count)
			making->waits[making->nr_waits++] = &pending->list[i].entry;
	qsort(making->waits, making->nr_waits, sizeof(*making->waits), compare_waits);
	for (; making->nr_words < nr; making->nr_words++) {
		const struct event *event = results->events[making->nr_words].event;

		if (event->attr.type == ATTR_TYPE_TRACEPOINT &&
		    !schedstates_read(&making->words[making->nr_words], making->stat->file,
				      event->attr.config))
			return false;
	}
	return true;
}

static void count_pathless(struct offcpu_making *making)
{
	for (size_t i = 0; i < making->nr_waits; i++) {
		const struct wait_entry *wait = making->waits[i];
		struct offcpu_key key;

		if (wait->place.path != WAIT_NO_PATH)
			continue;
		key = key_of(making, &wait->place, ADDRESS_ROWS_NONE, ADDRESS_ROWS_NONE);
		count_self(making, &key, &wait->sum);
	}
}

static void free_making(struct offcpu_making *making)
{
	for (size_t i = 0; i < making->nr_words; i++)
		schedstates_free(&making->words[i]);
	free(making->words);
	free(making->waits);
	free(making->visits);
	free(making->stack.frames);
	free(making->counts);
	index_free(&making->index);
}

static int make(struct offcpu_making *making, const struct aggregate_view *view,
		const struct results *results, struct error *err)
{
	const struct path_recount tables = {set_table, making};
	const struct path_visitor visitor = {enter, leave, making};

	if (!prepare(making, view->switched, results))
		return error_nomem(err, "adding up waits");
	count_pathless(making);
	if (pathstore_visit(view->paths, &tables, view->of_addresses, &visitor, err) < 0)
		return -1;
	return making->failed || !make_rows(making, view) ? error_nomem(err, "adding up waits") : 0;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct offcpustat *stat = state;
	struct offcpu_making making = {.stat = stat};
	int rc;

	free(stat->rows);
	stat->rows = NULL;
	stat->nr_rows = 0;
	results->switchless = !view->switched;
	if (!view->switched)
		return 0;
	rc = make(&making, view, results, err);
	free_making(&making);
	return rc;
}

static struct rows rows(void *state, unsigned number)
{
	const struct offcpustat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	struct offcpustat *stat = state;

	free(stat->rows);
	intern_free(&stat->states);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct offcpustat),
	.switches = 1,
	.start = start,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer offcpustat_waits = {&aggregate, 0};
