#include "decode/maps.h"

#include <stdlib.h>

static struct map *node_map(struct tree_node *node)
{
	return node ? tree_entry(node, struct map, node) : NULL;
}

static int compare_maps(const struct tree_node *a, const struct tree_node *b)
{
	uint64_t x = tree_entry(a, struct map, node)->start;
	uint64_t y = tree_entry(b, struct map, node)->start;

	return x < y ? -1 : x > y;
}

static int compare_addr(const void *key, const struct tree_node *node)
{
	uint64_t addr = *(const uint64_t *)key, start = tree_entry(node, struct map, node)->start;

	return addr < start ? -1 : addr > start;
}

struct map_set *map_set_create(uint64_t version)
{
	struct map_set *set = calloc(1, sizeof(*set));

	if (set) {
		set->refs = 1;
		set->version = version;
	}
	return set;
}

struct map_set *map_set_share(struct map_set *set)
{
	set->refs++;
	return set;
}

/* Frees children before parents, without recursion: a set can hold millions of maps. */
static void free_maps(struct tree *tree)
{
	struct tree_node *node = tree->root;

	while (node) {
		struct tree_node *parent;

		if (node->left) {
			node = node->left;
			continue;
		}
		if (node->right) {
			node = node->right;
			continue;
		}
		parent = node->parent;
		if (parent && parent->left == node)
			parent->left = NULL;
		else if (parent)
			parent->right = NULL;
		free(node_map(node));
		node = parent;
	}
	*tree = (struct tree){0};
}

void map_set_release(struct map_set *set)
{
	if (!set || --set->refs > 0)
		return;
	free_maps(&set->tree);
	free(set);
}

static bool add_map(struct map_set *set, uint64_t start, uint64_t end, uint64_t pgoff,
		    const struct dso *dso)
{
	struct map *map = malloc(sizeof(*map));

	if (!map)
		return false;
	*map = (struct map){.start = start, .end = end, .pgoff = pgoff, .dso = dso};
	tree_insert_near(&set->tree, &map->node, compare_maps);
	return true;
}

static struct map_set *copy_set(const struct map_set *set)
{
	struct map_set *copy = map_set_create(set->version);

	if (!copy)
		return NULL;
	for (struct tree_node *at = tree_first(&set->tree); at; at = tree_next(at)) {
		const struct map *map = node_map(at);

		if (!add_map(copy, map->start, map->end, map->pgoff, map->dso)) {
			map_set_release(copy);
			return NULL;
		}
	}
	return copy;
}

/* Makes *@set ours alone to change. */
static bool unshare(struct map_set **set)
{
	struct map_set *copy;

	if ((*set)->refs == 1)
		return true;
	copy = copy_set(*set);
	if (!copy)
		return false;
	map_set_release(*set);
	*set = copy;
	return true;
}

/*
 * Takes [start, end) away from the maps that reach into it:
 *
 *	old     |-----a-----|   |--b--| |----c----|
 *	new           [start .................. end)
 *	left    |--a--|                         |-c-|   c keeps its end, so its pgoff moves
 */
static bool clear_range(struct map_set *set, uint64_t start, uint64_t end)
{
	struct tree_node *at = tree_floor(&set->tree, &start, compare_addr);
	struct map *map;

	if (!at)
		at = tree_first(&set->tree);
	while ((map = node_map(at)) && map->start < end) {
		struct tree_node *next = tree_next(at);

		at = next;
		if (map->end <= start)
			continue;
		if (map->end > end && !add_map(set, end, map->end, map_place(map, end), map->dso))
			return false;
		if (map->start < start) {
			map->end = start;
			continue;
		}
		tree_remove(&set->tree, &map->node);
		free(map);
	}
	return true;
}

bool map_set_insert(struct map_set **set, uint64_t start, uint64_t end, uint64_t pgoff,
		    const struct dso *dso, uint64_t version)
{
	if (start >= end)
		return true; /* nothing can lie in it */
	if (!unshare(set))
		return false;
	(*set)->last = NULL;
	(*set)->version = version;
	return clear_range(*set, start, end) && add_map(*set, start, end, pgoff, dso);
}

const struct map *map_set_search(struct map_set *set, uint64_t addr)
{
	struct map *map = node_map(tree_floor(&set->tree, &addr, compare_addr));

	if (!map || addr >= map->end)
		return NULL;
	set->last = map;
	return map;
}
