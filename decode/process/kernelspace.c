#include "decode/process/kernelspace.h"

bool kernel_space_init(struct kernel_space *space)
{
	*space =
		(struct kernel_space){.binaries = map_set_create(0), .ksymbols = map_set_create(0)};
	return space->binaries && space->ksymbols;
}

/* Kernel addresses are looked up unchanged, so pgoff is the start. */
static bool insert(struct map_set **set, uint64_t start, uint64_t end, const struct dso *dso,
		   uint64_t version)
{
	const struct map map = {
		.start = start, .end = end, .pgoff = start, .dso = dso, .is_code = true};

	return map_set_insert(set, &map, version);
}

/* Removes all ksymbols that overlap [start, end), even if no record unregistered them. */
static bool drop_ksymbols(struct kernel_space *space, uint64_t start, uint64_t end,
			  uint64_t version)
{
	const struct map *map;

	while ((map = maptree_from(space->ksymbols->root, start)) && map->start < end) {
		if (!map_set_remove(&space->ksymbols, map->start, map->end, version))
			return false;
	}
	return true;
}

bool kernel_space_map(struct kernel_space *space, uint64_t start, uint64_t end,
		      const struct dso *dso, uint64_t version)
{
	space->version = version;
	/* Not for the kernel itself: its range may be all addresses that nothing else claims. */
	if (dso->kind == DSO_MODULE && !drop_ksymbols(space, start, end, version))
		return false;
	return insert(&space->binaries, start, end, dso, version);
}

bool kernel_space_fill(struct kernel_space *space, uint64_t start, uint64_t end,
		       const struct dso *dso, uint64_t version)
{
	while (start < end) {
		const struct map *next = maptree_from(space->binaries->root, start);
		const uint64_t gap_end = next && next->start < end ? next->start : end,
			       resume = next ? next->end : end;

		if (gap_end > start && !kernel_space_map(space, start, gap_end, dso, version))
			return false;
		start = resume;
	}
	return true;
}

bool kernel_space_register(struct kernel_space *space, uint64_t start, uint64_t end,
			   const struct dso *dso, uint64_t version)
{
	if (map_set_empty(space->ksymbols)) {
		space->ksymbols_start = start;
		space->ksymbols_end = end;
	}
	if (start < space->ksymbols_start)
		space->ksymbols_start = start;
	if (end > space->ksymbols_end)
		space->ksymbols_end = end;
	space->version = version;
	return drop_ksymbols(space, start, end, version) &&
	       insert(&space->ksymbols, start, end, dso, version);
}

bool kernel_space_unregister(struct kernel_space *space, uint64_t start, uint64_t version)
{
	const struct map *map = map_set_find(space->ksymbols, start);

	if (!map || map->start != start)
		return true; /* it was registered before the recording, or its record was lost */
	space->version = version;
	return map_set_remove(&space->ksymbols, start, map->end, version);
}

void kernel_space_free(struct kernel_space *space)
{
	map_set_release(space->binaries);
	map_set_release(space->ksymbols);
}
