#include "decode/process/dataplace.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

/* How far data may be from the code of its file, and how many mappings there may be between. */
static const uint64_t reach = UINT64_C(1) << 30;
enum { MAPS_BETWEEN_MAX = 16 };

/* The last map that starts at @addr or below; NULL if there is none. */
static const struct map *map_below(const struct map *map, uint64_t addr)
{
	const struct map *best = NULL;

	while (map) {
		if (map->start <= addr) {
			best = map;
			map = map->right;
		} else {
			map = map->left;
		}
	}
	return best;
}

/* The code of a file that the data at @addr, whose mapping is @own or NULL, can be of. */
static const struct map *code_below(const struct map *root, const struct map *own, uint64_t addr)
{
	const struct map *map = map_below(root, addr);

	for (int i = 0; map && i < MAPS_BETWEEN_MAX && addr - map->start < reach; i++) {
		if (map->is_code && map->dso->kind == DSO_USER)
			return own && own->dso->kind == DSO_USER && own->dso != map->dso ? NULL
											 : map;
		map = map->start ? map_below(root, map->start - 1) : NULL;
	}
	return NULL;
}

/* Whether @own is memory without a file that can be the end of a file's data (.bss): right behind a
 * mapping of a file. */
static bool may_end_data(const struct map *root, const struct map *own)
{
	const struct map *below = own->start ? map_below(root, own->start - 1) : NULL;

	return dso_is_anonymous(own->dso) && below && below->end == own->start &&
	       below->dso->kind == DSO_USER;
}

static struct data_place find(const struct addrspaces *spaces, const struct process *process,
			      uint64_t addr)
{
	const struct map *root = process->maps ? process->maps->root : NULL;
	const struct map *own = root ? map_set_find(process->maps, addr) : NULL, *from = NULL;
	struct data_place place = {.own = own ? own->dso : spaces->unmapped};

	if (addr >> 63)
		return (struct data_place){.own = NULL};
	if (!own || own->dso->kind == DSO_USER || may_end_data(root, own))
		from = code_below(root, own, addr);
	if (!from && own && own->dso->kind == DSO_USER)
		from = own;
	if (!from)
		return place;
	place.dso = from->dso;
	place.pgoff = from->pgoff;
	place.distance = addr - from->start;
	place.is_code = from->is_code;
	return place;
}

static bool is_same(const struct data_place *a, const struct data_place *b)
{
	return a->own == b->own && a->dso == b->dso && a->pgoff == b->pgoff &&
	       a->distance == b->distance && a->is_code == b->is_code;
}

uint32_t data_places_number(struct data_places *places, const struct addrspaces *spaces,
			    const struct process *process, uint64_t addr)
{
	const struct data_place place = find(spaces, process, addr);
	const uint64_t hash =
		hash_u64(hash_add(hash_add(place.pgoff, place.distance), (uintptr_t)place.own));
	uint32_t number;

	for (size_t at = index_first(&places->index, hash);
	     index_next(&places->index, hash, &at, &number);)
		if (is_same(&places->list[number], &place))
			return number;
	if (!array_grow(places->list, places->room, places->index.nr + 1))
		return DATAPLACE_NONE;
	places->list[places->index.nr] = place;
	return index_add(&places->index, hash) ? (uint32_t)places->index.nr - 1 : DATAPLACE_NONE;
}

void data_places_free(struct data_places *places)
{
	free(places->list);
	index_free(&places->index);
	*places = (struct data_places){0};
}
