#include "report/export/pagefold.h"

#include <stdlib.h>
#include <string.h>

/* The rank of a path: its size on a scale of 16 steps for each doubling, then its depth. Rank 0 is
 * never kept. */
enum {
	STEP_BITS = 4,
	DOUBLINGS = 64,
	STEPS = (DOUBLINGS + 1) << STEP_BITS,
	DEPTHS = 1 << 10,
	RANKS = STEPS * DEPTHS,
};

/* The step of @share, up to 1: the exponent of a double and the first bits of its fraction. */
static uint32_t step_of(double share)
{
	enum { BIAS = 1023, FRACTION_BITS = 52 };
	const uint64_t lowest = (uint64_t)(BIAS - DOUBLINGS) << STEP_BITS;
	uint64_t bits;

	memcpy(&bits, &share, sizeof(bits));
	bits >>= FRACTION_BITS - STEP_BITS;
	if (bits <= lowest)
		return 0;
	bits -= lowest;
	return bits < STEPS ? (uint32_t)bits : STEPS - 1;
}

static double part_of(uint64_t whole)
{
	return whole ? 1 / (double)whole : 0;
}

bool pagefold_start(struct pagefold *fold, const struct path_stat *paths, size_t nr,
		    const struct tally *total)
{
	const double of_samples = part_of(total->samples), of_period = part_of(total->period);

	*fold = (struct pagefold){.paths = paths, .nr_paths = nr, .limit = 1};
	fold->ranks = calloc(nr + 1, sizeof(*fold->ranks));
	if (!fold->ranks)
		return false;
	for (size_t i = 0; i < nr; i++) {
		const uint32_t depth = paths[i].depth < DEPTHS ? paths[i].depth : DEPTHS - 1;
		const double samples = (double)paths[i].total.samples * of_samples;
		const double period = (double)paths[i].total.period * of_period;

		if (paths[i].depth < PAGEFOLD_DEPTH_MAX)
			fold->ranks[i] = step_of(samples > period ? samples : period) * DEPTHS +
					 DEPTHS - depth;
	}
	return true;
}

/* What changes at a rank. With a limit, the nodes are the paths of that rank and above, and as many
 * [rest] as the @rests up to it make. */
struct rank_sum {
	int32_t nodes, counted, rests;
};

/* A node misses a child if the limit is above its lowest child and not above itself. */
static void add_path(struct rank_sum *sums, uint32_t rank, bool counted, uint32_t lowest_child)
{
	sums[rank].nodes++;
	sums[rank].counted += counted;
	if (lowest_child < rank) {
		sums[lowest_child + 1].rests++;
		sums[rank + 1].rests--;
	}
}

static size_t count_levels(const struct pagefold *fold)
{
	size_t nr = 0;

	for (size_t i = 0; i < fold->nr_paths; i++)
		if (fold->paths[i].depth >= nr)
			nr = (size_t)fold->paths[i].depth + 1;
	return nr;
}

/* Backwards, the children of a path come before it. Returns false if memory is out. */
static bool add_paths(const struct pagefold *fold, struct rank_sum *sums)
{
	const size_t nr_levels = count_levels(fold) + 1;
	/* by depth: the lowest rank among the children of the next path above */
	uint32_t *lowest = malloc(nr_levels * sizeof(*lowest));

	if (!lowest)
		return false;
	for (size_t i = 0; i < nr_levels; i++)
		lowest[i] = UINT32_MAX;
	for (size_t i = fold->nr_paths; i-- > 0;) {
		const struct path_stat *path = &fold->paths[i];
		const uint32_t rank = fold->ranks[i];

		add_path(sums, rank, path->self.samples > 0, lowest[path->depth + 1]);
		lowest[path->depth + 1] = UINT32_MAX;
		if (lowest[path->depth] > rank)
			lowest[path->depth] = rank;
	}
	free(lowest);
	return true;
}

/* The lowest limit that costs no more than @room. */
static uint32_t find_limit(const struct pagefold *fold, const struct rank_sum *sums,
			   const struct pagefold_cost *cost, double room)
{
	int64_t nodes = (int64_t)fold->nr_paths, counted = 0, rests = 0;
	uint32_t limit = 0;

	for (uint32_t rank = 0; rank < RANKS; rank++)
		counted += sums[rank].counted;
	do {
		nodes -= sums[limit].nodes;
		counted -= sums[limit].counted;
		rests += sums[++limit].rests;
	} while (limit < RANKS &&
		 (double)(nodes + rests) * cost->node + (double)(counted + rests) * cost->counted >
			 room);
	return limit;
}

bool pagefold_choose(struct pagefold *fold, const struct pagefold_cost *cost, double room)
{
	struct rank_sum *sums;

	fold->limit = 1;
	if ((double)fold->nr_paths * (cost->node + cost->counted) <= room)
		return true;
	sums = calloc(RANKS + 2, sizeof(*sums));
	if (!sums || !add_paths(fold, sums)) {
		free(sums);
		return false;
	}
	fold->limit = find_limit(fold, sums, cost, room);
	free(sums);
	return true;
}

void pagefold_drop(struct pagefold *fold)
{
	fold->limit = UINT32_MAX;
}

void pagefold_free(struct pagefold *fold)
{
	free(fold->ranks);
	fold->ranks = NULL;
}
