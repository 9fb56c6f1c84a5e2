#include "decode/trace/traceleg.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* Functions that a block runs through, one after the other; what follows is the last one's. */
enum { PARTS_MAX = 64 };

static uint64_t share(uint64_t whole, uint64_t part, uint64_t total)
{
	if (whole == 0 || total == 0)
		return 0;
	if (whole <= UINT32_MAX && part <= UINT32_MAX)
		return whole * part / total;
	return (uint64_t)(__extension__(unsigned __int128) whole * part / total);
}

/*
 * The instructions of @block that lie before @end, an address inside it: it runs on from one
 * function into the next. Only the bytes are known, so these are in proportion to them.
 */
static uint32_t nr_before(const struct ptblock *block, uint64_t end)
{
	const uint64_t bytes = block->end_ip - block->ip + 1;
	const uint64_t nr = share(block->nr, end - block->ip, bytes);

	return nr < 1 ? 1 : nr >= block->nr ? block->nr - 1 : (uint32_t)nr;
}

/* Whether @block, which is at @spot, runs on into another function. */
static bool runs_on(const struct ptblock *block, const struct trace_spot *spot)
{
	return block->end_ip >= spot->end && block->nr > 1;
}

/* Appends @block, which is at @spot, to @legs, which have room. */
static void append(struct trace_legs *legs, const struct ptblock *block,
		   const struct trace_spot *spot)
{
	struct trace_leg *leg = &legs->list[legs->nr++];

	leg->ip = block->ip;
	leg->end_ip = block->end_ip;
	leg->nr = block->nr;
	leg->function = spot->function;
	leg->flow = block->flow;
	leg->arrival = 0;
	leg->is_entry = spot->is_entry;
}

/*
 * Appends @block, which is at @spot and runs on, as legs of their own, with @room for more. Returns
 * where it ends; NULL if memory is out.
 */
static const struct trace_spot *divide(struct trace_legs *legs, size_t room,
				       struct tracespots *spots, struct map_set *maps,
				       struct ptblock block, const struct trace_spot *spot)
{
	if (!array_grow(legs->list, legs->room, legs->nr + PARTS_MAX + room))
		return NULL;
	for (size_t i = 1; spot && runs_on(&block, spot) && i < PARTS_MAX; i++) {
		struct ptblock part = block;

		part.nr = nr_before(&block, spot->end);
		part.flow = PTFLOW_OTHER;
		append(legs, &part, spot);
		block.nr -= part.nr;
		block.ip = spot->end;
		spot = tracespots_find(spots, maps, block.ip);
	}
	if (spot)
		append(legs, &block, spot);
	return spot;
}

/* Whether @block, which follows, is sure to lie in [@start, @start + @size). */
static bool is_within(const struct ptblock *block, uint64_t start, uint64_t size)
{
	return block->ip - start < size && block->end_ip - start < size;
}

/* Adds @block, which is at @spot, to @leg. Returns false if that has ended. */
static bool join(struct trace_leg *leg, const struct ptblock *block, const struct trace_spot *spot)
{
	if (!traceleg_flows(leg->flow) || leg->function != spot->function)
		return false;
	leg->nr += block->nr;
	leg->end_ip = block->end_ip;
	leg->flow = block->flow;
	return true;
}

/*
 * Adds to @leg, whose last block is at @spot, those of [block, end) that stay in the code around
 * it. Returns the first one that does not.
 */
static const struct ptblock *extend(struct trace_leg *leg, const struct trace_spot *spot,
				    const struct ptblock *block, const struct ptblock *end)
{
	const uint64_t start = spot->same_start, size = spot->same_end - start;
	uint64_t end_ip = leg->end_ip;
	uint32_t nr = leg->nr;
	uint8_t flow = leg->flow;

	for (; block < end && traceleg_flows(flow) && is_within(block, start, size); block++) {
		nr += block->nr;
		end_ip = block->end_ip;
		flow = block->flow;
	}
	leg->nr = nr;
	leg->end_ip = end_ip;
	leg->flow = flow;
	return block;
}

bool tracelegs_add(struct trace_legs *legs, struct tracespots *spots, struct map_set *maps,
		   const struct ptblock *blocks, size_t nr)
{
	const struct ptblock *block = blocks, *end = blocks + nr;
	const struct trace_spot *spot;

	if (!array_grow(legs->list, legs->room, legs->nr + nr))
		return false;
	while (block < end) {
		spot = tracespots_find(spots, maps, block->ip);
		if (spot && runs_on(block, spot))
			spot = divide(legs, (size_t)(end - block), spots, maps, *block, spot);
		else if (spot && (block == blocks || !join(&legs->list[legs->nr - 1], block, spot)))
			append(legs, block, spot);
		if (!spot)
			return false;
		block = extend(&legs->list[legs->nr - 1], spot, block + 1, end);
	}
	return true;
}

bool tracelegs_copy(struct trace_legs *legs, const struct trace_leg *from, size_t nr)
{
	if (!array_grow(legs->list, legs->room, legs->nr + nr))
		return false;
	if (nr)
		memcpy(&legs->list[legs->nr], from, nr * sizeof(*from));
	legs->nr += nr;
	return true;
}

void tracelegs_free(struct trace_legs *legs)
{
	free(legs->list);
	*legs = (struct trace_legs){0};
}
