#include "report/export/pagecells.h"

#include <stdlib.h>

/* A cell of a node. */
struct node_cell {
	uint32_t node, thread, slice;
	struct tally self;
};

/* What is packed: the cells in their order. */
struct cell_walk {
	const struct pagecells_input *input;
	struct pagenumbers *packed;
	struct node_cell *list;
	size_t nr;
};

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_cells(const void *a, const void *b)
{
	const struct node_cell *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->slice > y->slice) - (x->slice < y->slice);
}

/* Sets the list to the cells by node. False: memory is out. */
static bool sort_by_node(struct cell_walk *walk)
{
	const struct pagecells_input *input = walk->input;
	uint32_t *next = calloc(input->nr_nodes + 1, sizeof(*next));

	if (!next)
		return false;
	for (size_t i = 0; i < input->nr; i++)
		next[input->nodes[input->cells[i].path - input->first_path] + 1]++;
	for (size_t i = 1; i < input->nr_nodes; i++)
		next[i] += next[i - 1];
	for (size_t i = 0; i < input->nr; i++) {
		const struct path_cell *cell = &input->cells[i];
		const uint32_t node = input->nodes[cell->path - input->first_path];

		walk->list[next[node]++] = (struct node_cell){
			.node = node,
			.thread = pagethreads_find(input->threads, cell->thread),
			.slice = cell->slice,
			.self = {cell->samples, cell->period},
		};
	}
	walk->nr = input->nr;
	free(next);
	return true;
}

/* The first cell that is of another node than the one at @first. */
static size_t end_of_node(const struct cell_walk *walk, size_t first)
{
	size_t end = first + 1;

	while (end < walk->nr && walk->list[end].node == walk->list[first].node)
		end++;
	return end;
}

/* Sorts the cells of each node; equal ones become one. */
static void put_in_order(struct cell_walk *walk)
{
	struct node_cell *list = walk->list;
	size_t kept = 0;

	for (size_t at = 0, end; at < walk->nr; at = end) {
		end = end_of_node(walk, at);
		if (end - at > 1)
			qsort(list + at, end - at, sizeof(*list), compare_cells);
	}
	for (size_t i = 1; i < walk->nr; i++) {
		if (list[i].node == list[kept].node && compare_cells(&list[i], &list[kept]) == 0)
			tally_add(&list[kept].self, list[i].self.samples, list[i].self.period);
		else
			list[++kept] = list[i];
	}
	walk->nr = walk->nr ? kept + 1 : 0;
}

/* Slices become so many times as long, as a power of two. */
static void join_slices(struct cell_walk *walk, struct path_slices *slices, unsigned power)
{
	slices->length <<= power;
	slices->nr = ((slices->nr - 1) >> power) + 1;
	for (size_t i = 0; i < walk->nr; i++)
		walk->list[i].slice >>= power;
	put_in_order(walk);
}

static void forget_time(struct cell_walk *walk, struct path_slices *slices)
{
	slices->nr = 0;
	for (size_t i = 0; i < walk->nr; i++)
		walk->list[i].slice = 0;
	put_in_order(walk);
}

/* ---- columns --------------------------------------------------------------------------------- */

static uint64_t samples_of(const struct cell_walk *walk, size_t first, size_t end)
{
	uint64_t samples = 0;

	for (; first < end; first++)
		samples += walk->list[first].self.samples;
	return samples;
}

static void put_counts(const struct cell_walk *walk)
{
	for (size_t at = 0, end; at < walk->nr; at = end) {
		end = end_of_node(walk, at);
		if (samples_of(walk, at, end) > 1)
			pagenumbers_put(walk->packed, end - at - 1);
	}
}

/* Whether the cell before @i is of the same node, and its thread if @thread. */
static bool continues(const struct cell_walk *walk, size_t i, bool thread)
{
	const struct node_cell *list = walk->list;

	return i > 0 && list[i - 1].node == list[i].node &&
	       (!thread || list[i - 1].thread == list[i].thread);
}

static void put_places(const struct cell_walk *walk)
{
	const struct node_cell *list = walk->list;

	for (size_t i = 0; i < walk->nr; i++)
		pagenumbers_put(walk->packed,
				list[i].thread -
					(continues(walk, i, false) ? list[i - 1].thread : 0));
	for (size_t i = 0; i < walk->nr; i++)
		pagenumbers_put(walk->packed,
				list[i].slice -
					(continues(walk, i, true) ? list[i - 1].slice + 1 : 0));
}

static void put_samples(const struct cell_walk *walk)
{
	const struct node_cell *list = walk->list;

	for (size_t at = 0, end; at < walk->nr; at = end) {
		end = end_of_node(walk, at);
		if (samples_of(walk, at, end) > end - at)
			for (; at + 1 < end; at++)
				pagenumbers_put(walk->packed, list[at].self.samples - 1);
	}
}

/* What the periods of cells are off what their samples let expect. */
static bool put_periods(const struct cell_walk *walk)
{
	const struct node_cell *list = walk->list;
	int64_t *periods = calloc(walk->nr + 1, sizeof(*periods));
	size_t nr = 0;

	if (!periods)
		return false;
	for (size_t i = 0; i + 1 < walk->nr; i++)
		if (list[i].node == list[i + 1].node)
			periods[nr++] = (int64_t)(list[i].self.period -
						  list[i].self.samples * walk->input->quotient);
	pagenumbers_put_planes(walk->packed, periods, nr);
	free(periods);
	return true;
}

/* False: memory is out. */
static bool pack(const struct cell_walk *walk)
{
	pagenumbers_free(walk->packed);
	if (!pagenumbers_start(walk->packed, walk->input->limit, false))
		return false;
	put_counts(walk);
	put_places(walk);
	put_samples(walk);
	return put_periods(walk) && pagenumbers_end(walk->packed);
}

/* ---- the cells ------------------------------------------------------------------------------- */

static bool fits(const struct cell_walk *walk)
{
	return walk->packed->pack->size <= walk->input->limit;
}

/* Joining two slices saves a bit of each cell at most: how often that is worth trying at once. */
static unsigned bits_to_save(const struct cell_walk *walk)
{
	const uint64_t bits = (walk->packed->pack->size - walk->input->limit) * 8 / (walk->nr + 1);

	return bits < 16 ? (unsigned)bits + 1 : 16;
}

/* Packs with ever longer slices until the cells fit. False: memory is out. */
static bool fit_cells(struct cell_walk *walk, struct path_slices *slices)
{
	enum { SLICES_LEAST = 8 };

	for (;;) {
		unsigned power;

		if (!pack(walk))
			return false;
		if (fits(walk) || slices->nr == 0)
			return true;
		power = bits_to_save(walk);
		if (slices->nr >> power >= SLICES_LEAST)
			join_slices(walk, slices, power);
		else
			forget_time(walk, slices);
	}
}

int pagecells_make(struct pagecells *cells, const struct pagecells_input *input, struct error *err)
{
	struct cell_walk walk = {.input = input, .packed = &cells->packed};
	bool ok;

	*cells = (struct pagecells){.slices = input->slices};
	walk.list = calloc(input->nr + 1, sizeof(*walk.list));
	ok = walk.list && sort_by_node(&walk);
	if (ok)
		put_in_order(&walk);
	ok = ok && fit_cells(&walk, &cells->slices);
	free(walk.list);
	if (!ok)
		return error_nomem(err, "packing threads and times");
	cells->nr = fits(&walk) ? walk.nr : 0;
	return 0;
}

void pagecells_free(struct pagecells *cells)
{
	pagenumbers_free(&cells->packed);
}
