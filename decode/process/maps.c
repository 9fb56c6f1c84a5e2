#include "decode/process/maps.h"

#include <stdlib.h>

struct map_set *map_set_create(uint64_t version)
{
	struct map_set *set = calloc(1, sizeof(*set));

	if (set) {
		set->refs = 1;
		set->version = set->code_version = version;
	}
	return set;
}

struct map_set *map_set_share(struct map_set *set)
{
	set->refs++;
	return set;
}

void map_set_release(struct map_set *set)
{
	if (!set || --set->refs > 0)
		return;
	maptree_release(set->root);
	maptree_release(set->code);
	free(set);
}

/* Whether code is mapped somewhere in [start, end). */
static bool has_code(const struct map_set *set, uint64_t start, uint64_t end)
{
	const struct map *map = maptree_from(set->code, start);

	if (map && map->start < end)
		return true;
	for (map = maptree_from(set->root, start); map && map->start < end;
	     map = maptree_from(set->root, map->end))
		if (map->is_code)
			return true;
	return false;
}

/* Makes *@set unshared, with @version, to change it in [start, end); @is_code: code comes there.
 * Returns false if memory is out. */
static bool unshare(struct map_set **set, uint64_t start, uint64_t end, bool is_code,
		    uint64_t version)
{
	struct map_set *own = *set;
	const bool changes_code = is_code || has_code(own, start, end);

	if (own->refs > 1) {
		own = map_set_create(version);
		if (!own)
			return false;
		own->code_version = (*set)->code_version;
		own->root = maptree_share((*set)->root);
		own->code = maptree_share((*set)->code);
		map_set_release(*set);
		*set = own;
	}
	own->version = version;
	if (changes_code)
		own->code_version = version;
	own->found = (struct map_pair){0};
	return true;
}

/*
 * Removes [start, end) from the maps that overlap it:
 *
 *	old     |-----a-----|   |--b--| |----c----|
 *	new           [start .................. end)
 *	left    |--a--|                         |-c-|   c keeps its end, so its pgoff changes
 */
static bool clear_range(struct map **root, uint64_t start, uint64_t end)
{
	const struct map *map;

	while ((map = maptree_from(*root, start)) && map->start < end) {
		if (map->end > end) {
			struct map rest = *map;

			rest.start = end;
			rest.pgoff = map_place(map, end);
			if (!maptree_insert(root, &rest))
				return false;
			map = maptree_from(*root, start); /* it may have been copied */
		}
		if (map->start < start ? !maptree_cut(root, map->start, start)
				       : !maptree_remove(root, map->start))
			return false;
	}
	return true;
}

bool map_set_insert(struct map_set **set, const struct map *map, uint64_t version)
{
	if (map->start >= map->end)
		return true; /* no mapping can be here */
	if (!unshare(set, map->start, map->end, map->is_code, version))
		return false;
	if (map->dso->kind != DSO_JIT && !clear_range(&(*set)->code, map->start, map->end))
		return false;
	return clear_range(&(*set)->root, map->start, map->end) &&
	       maptree_insert(&(*set)->root, map);
}

bool map_set_insert_code(struct map_set **set, const struct map *map, uint64_t version)
{
	if (map->start >= map->end)
		return true;
	return unshare(set, map->start, map->end, true, version) &&
	       clear_range(&(*set)->code, map->start, map->end) &&
	       maptree_insert(&(*set)->code, map);
}

bool map_set_remove(struct map_set **set, uint64_t start, uint64_t end, uint64_t version)
{
	if (start >= end)
		return true;
	return unshare(set, start, end, false, version) && clear_range(&(*set)->code, start, end) &&
	       clear_range(&(*set)->root, start, end);
}

static const struct map *find_in(struct map *root, uint64_t addr)
{
	const struct map *map = maptree_from(root, addr);

	return map && addr >= map->start ? map : NULL;
}

const struct map *map_set_look(const struct map_set *set, uint64_t addr, bool *alone)
{
	const struct map *map = find_in(set->code, addr);

	*alone = map || !set->code;
	return map ? map : find_in(set->root, addr);
}

const struct map *map_set_search(struct map_set *set, uint64_t addr)
{
	bool alone;
	const struct map *map = map_set_look(set, addr, &alone);

	if (map && alone)
		map_pair_put(&set->found, map);
	return map;
}
