#include "report/export/pagecolumns.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* Calls by frame of the caller, while they are packed. */
struct call_order {
	uint32_t *frames;	/* by key: its frame's number; of others UINT32_MAX */
	uint32_t *starts;	/* by frame: the first of its calls; one more */
	struct page_use **list; /* calls that nodes use */
	size_t nr_frames, nr;
};

bool pagecolumns_start(struct pagecolumns *columns, size_t nr_calls, uint32_t nr_keys,
		       uint64_t quotient)
{
	*columns = (struct pagecolumns){
		.nr_keys = nr_keys, .nr_calls = nr_calls, .quotient = quotient};
	columns->uses = calloc(nr_calls + 1, sizeof(*columns->uses));
	return columns->uses != NULL;
}

void pagecolumns_clear(struct pagecolumns *columns)
{
	columns->lengths.nr = columns->ups.nr = columns->leaves.nr = 0;
	columns->gaps.nr = columns->inner.nr = 0;
	columns->nr_chains = columns->nr_inner = 0;
	columns->nr = columns->nr_periods = 0;
	columns->length = columns->gap = columns->last_samples = 0;
	memset(columns->uses, 0, columns->nr_calls * sizeof(*columns->uses));
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void put(struct pagecolumns *columns, struct page_column *column, uint64_t value)
{
	enum { LEB128_MAX = 10 };

	if (!array_grow(column->bytes, column->room, column->nr + LEB128_MAX)) {
		columns->failed = true;
		return;
	}
	for (; value > 0x7f; value >>= 7)
		column->bytes[column->nr++] = (uint8_t)(value | 0x80);
	column->bytes[column->nr++] = (uint8_t)value;
}

/* The node before is a leaf: its chain ends, and it has samples. */
static void end_chain(struct pagecolumns *columns)
{
	put(columns, &columns->lengths, columns->length - 1);
	put(columns, &columns->leaves, columns->last_samples - 1);
	columns->nr_chains++;
	columns->length = 0;
}

/* The node before has one below it. */
static void end_inner(struct pagecolumns *columns)
{
	if (!columns->last_samples) {
		columns->gap++;
		return;
	}
	put(columns, &columns->gaps, columns->gap);
	put(columns, &columns->inner, columns->last_samples - 1);
	columns->nr_inner++;
	columns->gap = 0;
}

static void end_node(struct pagecolumns *columns, uint64_t up)
{
	if (up) {
		end_chain(columns);
		put(columns, &columns->ups, up - 1);
	} else if (columns->nr) {
		end_inner(columns);
	}
}

/* Keeps how much the period of a node is off what its samples let expect. */
static void add_period(struct pagecolumns *columns, const struct tally *self)
{
	if (!array_grow(columns->periods, columns->periods_room, columns->nr_periods + 1))
		columns->failed = true;
	else
		columns->periods[columns->nr_periods++] =
			(int64_t)(self->period - self->samples * columns->quotient);
}

void pagecolumns_add(struct pagecolumns *columns, const struct page_node *node)
{
	struct page_use *use = &columns->uses[node->call];

	end_node(columns, node->up);
	if (!array_grow(columns->calls, columns->calls_room, columns->nr + 1)) {
		columns->failed = true;
		return;
	}
	columns->calls[columns->nr++] = node->call;
	use->caller = node->caller;
	use->callee = node->callee;
	use->nodes++;
	columns->length++;
	columns->last_samples = node->self->samples;
	if (node->self->samples)
		add_period(columns, node->self);
}

/* ---- frames and calls ------------------------------------------------------------------------ */

/* Numbers the frames that there are by their keys; the caller of roots is the last one. */
static void number_frames(const struct pagecolumns *columns, struct call_order *order)
{
	uint32_t nr = 0;

	memset(order->frames, 0xff, ((size_t)columns->nr_keys + 1) * sizeof(*order->frames));
	for (size_t call = 0; call < columns->nr_calls; call++)
		if (columns->uses[call].nodes)
			order->frames[columns->uses[call].callee] = 0;
	for (uint32_t key = 0; key < columns->nr_keys; key++)
		if (order->frames[key] == 0)
			order->frames[key] = nr++;
	order->frames[columns->nr_keys] = nr;
	order->nr_frames = nr;
}

/* Calls of most nodes first. */
static int compare_uses(const void *a, const void *b)
{
	const struct page_use *x = *(struct page_use *const *)a, *y = *(struct page_use *const *)b;

	if (x->nodes != y->nodes)
		return x->nodes > y->nodes ? -1 : 1;
	return (x->callee > y->callee) - (x->callee < y->callee);
}

/* Sorts the calls by the frame of the caller; starts has their ends meanwhile. */
static void group_calls(const struct pagecolumns *columns, struct call_order *order)
{
	uint32_t *starts = order->starts;

	for (size_t call = 0; call < columns->nr_calls; call++)
		if (columns->uses[call].nodes)
			starts[order->frames[columns->uses[call].caller] + 1]++;
	for (size_t i = 0; i <= order->nr_frames; i++)
		starts[i + 1] += starts[i];
	order->nr = starts[order->nr_frames + 1];
	for (size_t call = columns->nr_calls; call-- > 0;) {
		struct page_use *use = &columns->uses[call];

		if (use->nodes)
			order->list[--starts[order->frames[use->caller] + 1]] = use;
	}
	for (size_t i = 0; i <= order->nr_frames; i++)
		starts[i] = starts[i + 1];
	starts[order->nr_frames + 1] = (uint32_t)order->nr;
}

static uint8_t class_of(uint32_t nr_callees)
{
	uint8_t class = PAGECOLUMNS_SMALL - 1;

	if (nr_callees <= PAGECOLUMNS_SMALL)
		return (uint8_t)(nr_callees - 2);
	for (uint32_t most = 2 * PAGECOLUMNS_SMALL; most < nr_callees && most <= PAGECOLUMNS_BYTE;
	     most *= 2)
		class ++;
	return class;
}

/* Numbers the callees of each frame. */
static void number_callees(struct call_order *order)
{
	for (size_t frame = 0; frame <= order->nr_frames; frame++) {
		struct page_use **first = &order->list[order->starts[frame]];
		const uint32_t nr = order->starts[frame + 1] - order->starts[frame];

		if (nr > 1)
			qsort(first, nr, sizeof(*first), compare_uses);
		for (uint32_t i = 0; i < nr; i++) {
			first[i]->number = i;
			first[i]->class = class_of(nr);
		}
	}
}

/* False: memory is out. Free it with free_order() in both cases. */
static bool make_order(const struct pagecolumns *columns, struct call_order *order)
{
	const size_t nr_keys = (size_t)columns->nr_keys + 1;

	*order = (struct call_order){
		.frames = malloc(nr_keys * sizeof(*order->frames)),
		.starts = calloc(nr_keys + 1, sizeof(*order->starts)),
		.list = malloc((columns->nr_calls + 1) * sizeof(*order->list)),
	};
	if (!order->frames || !order->starts || !order->list)
		return false;
	number_frames(columns, order);
	group_calls(columns, order);
	number_callees(order);
	return true;
}

static void free_order(struct call_order *order)
{
	free(order->frames);
	free(order->starts);
	free(order->list);
}

/* ---- packing --------------------------------------------------------------------------------- */

static void pack_frames(const struct pagecolumns *columns, const struct call_order *order,
			struct pagenumbers *packed)
{
	uint32_t next = 0;

	for (uint32_t key = 0; key < columns->nr_keys; key++) {
		if (order->frames[key] == UINT32_MAX)
			continue;
		pagenumbers_put(packed, key - next);
		next = key + 1;
	}
	for (size_t frame = 0; frame <= order->nr_frames; frame++)
		pagenumbers_put(packed, order->starts[frame + 1] - order->starts[frame]);
	pagenumbers_divide(packed);
}

static bool pack_calls(const struct call_order *order, struct pagenumbers *packed)
{
	int64_t *callees = malloc((order->nr + 1) * sizeof(*callees));

	if (!callees)
		return false;
	for (size_t i = 0; i < order->nr; i++)
		callees[i] = order->frames[order->list[i]->callee];
	pagenumbers_put_planes(packed, callees, order->nr);
	pagenumbers_divide(packed);
	free(callees);
	return true;
}

static void pack_column(const struct page_column *column, struct pagenumbers *packed)
{
	pagenumbers_bytes(packed, column->bytes, column->nr);
	pagenumbers_divide(packed);
}

/* The callees of the nodes of a class. */
struct page_class {
	struct page_column column;
	unsigned scale; /* of the next number in the last byte; above UINT8_MAX: it is full */
};

/* Adds @number to the last byte, or to a new one. */
static void put_small(struct page_class *class, unsigned nr_callees, uint32_t number)
{
	struct page_column *column = &class->column;

	if (class->scale * nr_callees > PAGECOLUMNS_BYTE) {
		column->bytes[column->nr++] = (uint8_t)number;
		class->scale = nr_callees;
		return;
	}
	column->bytes[column->nr - 1] += (uint8_t)(number * class->scale);
	class->scale *= nr_callees;
}

/* Adds the callees of nodes to the columns of their callers' classes. */
static void fill_classes(struct pagecolumns *columns, struct page_class *classes)
{
	for (size_t i = 0; i < columns->nr && !columns->failed; i++) {
		const struct page_use *use = &columns->uses[columns->calls[i]];
		struct page_column *column;

		if (use->class >= PAGECOLUMNS_CLASSES)
			continue;
		column = &classes[use->class].column;
		if (use->class == PAGECOLUMNS_CLASSES - 1)
			put(columns, column, use->number);
		else if (use->class + 2 <= PAGECOLUMNS_SMALL)
			put_small(&classes[use->class], use->class + 2u, use->number);
		else
			column->bytes[column->nr++] = (uint8_t)use->number;
	}
}

/* Makes room for those classes that have bytes for each node. False: memory is out. */
static bool start_classes(const struct call_order *order, struct page_class *classes)
{
	for (size_t i = 0; i < order->nr; i++)
		if (order->list[i]->class < PAGECOLUMNS_CLASSES)
			classes[order->list[i]->class].column.room += order->list[i]->nodes;
	for (size_t i = 0; i < PAGECOLUMNS_CLASSES; i++) {
		classes[i].column.bytes = malloc(classes[i].column.room + 1);
		classes[i].scale = PAGECOLUMNS_BYTE;
		if (!classes[i].column.bytes)
			return false;
	}
	return true;
}

/* The frames of nodes; a caller's only callee needs no number. */
static bool pack_callees(struct pagecolumns *columns, const struct call_order *order,
			 struct pagenumbers *packed)
{
	struct page_class classes[PAGECOLUMNS_CLASSES] = {0};
	const bool ok = start_classes(order, classes);

	if (ok)
		fill_classes(columns, classes);
	for (size_t i = 0; ok && i < PAGECOLUMNS_CLASSES; i++)
		pagenumbers_put(packed, classes[i].column.nr);
	for (size_t i = 0; ok && i < PAGECOLUMNS_CLASSES; i++)
		if (classes[i].column.nr)
			pack_column(&classes[i].column, packed);
	for (size_t i = 0; i < PAGECOLUMNS_CLASSES; i++)
		free(classes[i].column.bytes);
	return ok && !columns->failed;
}

bool pagecolumns_pack(struct pagecolumns *columns, struct pagenumbers *packed,
		      struct page_packed *made)
{
	struct call_order order;
	bool ok;

	if (columns->nr)
		end_chain(columns);
	ok = make_order(columns, &order) && !columns->failed;
	if (ok) {
		pack_frames(columns, &order, packed);
		ok = pack_calls(&order, packed);
	}
	if (ok) {
		pagenumbers_put(packed, columns->nr_chains);
		pack_column(&columns->lengths, packed);
		pack_column(&columns->ups, packed);
		ok = pack_callees(columns, &order, packed);
		pack_column(&columns->leaves, packed);
		pagenumbers_put(packed, columns->nr_inner);
		pack_column(&columns->gaps, packed);
		pack_column(&columns->inner, packed);
		*made = (struct page_packed){order.nr_frames, packed->pack->size};
		pagenumbers_put_planes(packed, columns->periods, columns->nr_periods);
	}
	free_order(&order);
	return ok && pagenumbers_end(packed);
}

void pagecolumns_free(struct pagecolumns *columns)
{
	free(columns->lengths.bytes);
	free(columns->ups.bytes);
	free(columns->leaves.bytes);
	free(columns->gaps.bytes);
	free(columns->inner.bytes);
	free(columns->uses);
	free(columns->calls);
	free(columns->periods);
}
