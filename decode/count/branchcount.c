#include "decode/count/branchcount.h"

#include "util/array.h"
#include "util/hash.h"

#include <string.h>

static bool same_spot(const struct branch_spot *a, const struct branch_spot *b)
{
	return a->place == b->place && a->dso == b->dso;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static uint64_t hash_edge(const struct branch_edge *edge)
{
	uint64_t hash = hash_add(hash_u64(edge->from.place), edge->to.place);

	hash = hash_add(hash, (uint64_t)edge->from.dso << 32 | edge->to.dso);
	return hash_add(hash, (uint64_t)edge->event << 32 | (uint32_t)edge->type << 16 |
				      (uint32_t)edge->new_type << 8 | edge->priv);
}

static bool same_edge(const struct branch_edge *a, const struct branch_edge *b)
{
	return same_spot(&a->from, &b->from) && same_spot(&a->to, &b->to) && a->event == b->event &&
	       a->type == b->type && a->new_type == b->new_type && a->priv == b->priv;
}

static bool add_edge(struct branch_count *count, const struct branch_edge *edge, uint64_t hash)
{
	const size_t nr = count->edge_index.nr;

	if (nr >= count->limit) {
		count->edges_beyond += edge->count;
		return true;
	}
	if (!array_grow(count->edges, count->edges_room, nr + 1))
		return false;
	count->edges[nr] = *edge;
	return index_add(&count->edge_index, hash);
}

bool branch_count_edge(struct branch_count *count, const struct branch_edge *edge)
{
	const struct index *ix = &count->edge_index;
	const uint64_t hash = hash_edge(edge);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		struct branch_edge *have = &count->edges[number];

		if (!same_edge(have, edge))
			continue;
		have->count += edge->count;
		have->mispredicted += edge->mispredicted;
		have->known += edge->known;
		have->cycles += edge->cycles;
		have->cycles_known += edge->cycles_known;
		have->in_tx += edge->in_tx;
		have->aborts += edge->aborts;
		return true;
	}
	return add_edge(count, edge, hash);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static uint64_t hash_run(const struct branch_run *run)
{
	const uint64_t hash = hash_add(hash_u64(run->start.place), run->length);

	return hash_add(hash, (uint64_t)run->event << 32 | run->start.dso);
}

static bool add_run(struct branch_count *count, const struct branch_run *run, uint64_t hash)
{
	const size_t nr = count->run_index.nr;

	if (nr >= count->limit) {
		count->runs_beyond += run->count;
		return true;
	}
	if (!array_grow(count->runs, count->runs_room, nr + 1))
		return false;
	count->runs[nr] = *run;
	return index_add(&count->run_index, hash);
}

bool branch_count_run(struct branch_count *count, const struct branch_run *run)
{
	const struct index *ix = &count->run_index;
	const uint64_t hash = hash_run(run);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		struct branch_run *have = &count->runs[number];

		if (!same_spot(&have->start, &run->start) || have->length != run->length ||
		    have->event != run->event)
			continue;
		have->count += run->count;
		have->cycles += run->cycles;
		have->cycles_known += run->cycles_known;
		return true;
	}
	return add_run(count, run, hash);
}

void branch_count_free(struct branch_count *count)
{
	free(count->edges);
	free(count->runs);
	index_free(&count->edge_index);
	index_free(&count->run_index);
	memset(count, 0, sizeof(*count));
}
