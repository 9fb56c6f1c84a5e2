#include "decode/process/maptree.h"

#include <stdlib.h>

/* An AVL tree of this height has more nodes than memory has bytes. */
enum { HEIGHT_MAX = 64 };

/* The way down a tree: the pointers that were followed, the root's first. */
struct path {
	struct map **slots[HEIGHT_MAX];
	unsigned nr;
};

/* Recurses to the left only, so no deeper than the tree is high. */
void maptree_release(struct map *root)
{
	while (root && --root->refs == 0) {
		struct map *right = root->right;

		__builtin_prefetch(right, 1); /* a life that ended long ago is in no cache */
		maptree_release(root->left);
		free(root);
		root = right;
	}
}

static struct map *copy_map(const struct map *map)
{
	struct map *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *map;
	copy->refs = 1;
	return copy;
}

/* Makes the node at @slot ours alone, if the node that @slot is in is: by a copy if it is shared.
 */
static bool own(struct map **slot)
{
	struct map *copy;

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): who removes a map knows its start */
	if ((*slot)->refs == 1)
		return true;
	copy = copy_map(*slot);
	if (!copy)
		return false;
	maptree_share(copy->left);
	maptree_share(copy->right);
	(*slot)->refs--;
	*slot = copy;
	return true;
}

/* ---- balance --------------------------------------------------------------------------------- */

static int height(const struct map *map)
{
	return map ? map->height : 0;
}

static void set_height(struct map *map)
{
	int left = height(map->left), right = height(map->right);

	map->height = (uint8_t)(1 + (left > right ? left : right));
}

/*
 *     x                 y
 *    a  y      ->      x  c      x and y are ours.
 *      b c            a b
 */
static void rotate_left(struct map **slot)
{
	struct map *x = *slot, *y = x->right;

	x->right = y->left;
	y->left = x;
	*slot = y;
	set_height(x);
	set_height(y);
}

static void rotate_right(struct map **slot)
{
	struct map *x = *slot, *y = x->left;

	x->left = y->right;
	y->right = x;
	*slot = y;
	set_height(x);
	set_height(y);
}

/* The right subtree of the node at @slot is too high by one. */
static bool lower_right(struct map **slot)
{
	struct map **child = &(*slot)->right;

	if (!own(child))
		return false;
	if (height((*child)->left) > height((*child)->right)) {
		if (!own(&(*child)->left))
			return false;
		rotate_right(child);
	}
	rotate_left(slot);
	return true;
}

static bool lower_left(struct map **slot)
{
	struct map **child = &(*slot)->left;

	if (!own(child))
		return false;
	if (height((*child)->right) > height((*child)->left)) {
		if (!own(&(*child)->right))
			return false;
		rotate_left(child);
	}
	rotate_right(slot);
	return true;
}

/* Brings the nodes on @path into balance, from the last up, until one's height stays. */
static bool rebalance(const struct path *path)
{
	for (unsigned i = path->nr; i-- > 0;) {
		struct map **slot = path->slots[i];
		int before = height(*slot), lean = height((*slot)->right) - height((*slot)->left);

		if (lean > 1 && !lower_right(slot))
			return false;
		if (lean < -1 && !lower_left(slot))
			return false;
		set_height(*slot);
		if (height(*slot) == before)
			break;
	}
	return true;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Puts @slot, whose node is made ours, at the end of @path. */
static bool step(struct path *path, struct map **slot)
{
	if (path->nr == HEIGHT_MAX || !own(slot))
		return false;
	path->slots[path->nr++] = slot;
	return true;
}

/*
 * Walks from @root to the map that starts at @start. The pointer to it, or the one where it
 * belongs, goes to *@found; @path ends before it.
 */
static bool walk(struct map **root, uint64_t start, struct path *path, struct map ***found)
{
	struct map **slot = root;

	path->nr = 0;
	while (*slot && (*slot)->start != start) {
		if (!step(path, slot))
			return false;
		slot = start < (*slot)->start ? &(*slot)->left : &(*slot)->right;
	}
	*found = slot;
	return true;
}

bool maptree_insert(struct map **root, const struct map *map)
{
	struct map *added = copy_map(map), **slot;
	struct path path;

	if (!added || !walk(root, map->start, &path, &slot)) {
		free(added);
		return false;
	}
	added->left = added->right = NULL;
	added->height = 1;
	*slot = added;
	return rebalance(&path);
}

bool maptree_cut(struct map **root, uint64_t start, uint64_t end)
{
	struct map **slot;
	struct path path;

	if (!walk(root, start, &path, &slot) || !own(slot))
		return false;
	(*slot)->end = end;
	return true;
}

/* Gives @map the content of @heir and not its place in the tree. */
static void take_content(struct map *map, const struct map *heir)
{
	map->start = heir->start;
	map->end = heir->end;
	map->pgoff = heir->pgoff;
	map->dso = heir->dso;
	map->is_code = heir->is_code;
}

/* The pointer to the leftmost map on the right of the one at @slot; @path gets the way to it. */
static struct map **walk_to_heir(struct path *path, struct map **slot)
{
	struct map **heir;

	if (!step(path, slot))
		return NULL;
	heir = &(*slot)->right;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it has maps on both sides */
	while ((*heir)->left) {
		if (!step(path, heir))
			return NULL;
		heir = &(*heir)->left;
	}
	return own(heir) ? heir : NULL;
}

bool maptree_remove(struct map **root, uint64_t start)
{
	struct map **slot, *gone;
	struct path path;

	if (!walk(root, start, &path, &slot) || !own(slot))
		return false;
	if ((*slot)->left && (*slot)->right) {
		struct map **heir = walk_to_heir(&path, slot);

		if (!heir)
			return false;
		take_content(*slot, *heir);
		slot = heir;
	}
	gone = *slot;
	*slot = gone->left ? gone->left : gone->right;
	free(gone);
	return rebalance(&path);
}
