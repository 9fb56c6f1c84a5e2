#include "decode/process/maptree.h"

#include "util/prefetch.h"

#include <stdlib.h>

/* An AVL tree of this height has more nodes than fit in memory. */
enum { HEIGHT_MAX = 64 };

/* The path down a tree: the pointers that were followed, the root's first. */
struct path {
	struct map **slots[HEIGHT_MAX];
	unsigned nr;
};

/* Recurses only to the left, so the depth is at most the height of the tree. */
void maptree_release(struct map *root)
{
	while (root && --root->refs == 0) {
		struct map *right = root->right;

		/* maps of a life that ended long ago are in no cache */
		prefetch_write(right);
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

/*
 * Makes the node at @slot unshared, copying it if it has other references; the node that contains
 * @slot must be unshared. Returns false if memory is out.
 */
static bool own(struct map **slot)
{
	struct map *copy;

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): callers pass existing maps */
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
 * x                 y
 *    a  y      ->      x  c      x and y are unshared.
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

/*
 * Lowers the right subtree of the node at @slot, too high by one. Returns false if memory is out.
 */
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

/*
 * Rebalances the nodes on @path, from the last up, until the height of one stays the same. Returns
 * false if memory is out.
 */
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

/* Appends @slot, whose node becomes unshared, to @path. Returns false if memory is out. */
static bool step(struct path *path, struct map **slot)
{
	if (path->nr == HEIGHT_MAX || !own(slot))
		return false;
	path->slots[path->nr++] = slot;
	return true;
}

/*
 * Walks from @root to the map that starts at @start. Sets *@found to the pointer to it, or to the
 * place to insert it; @path ends before that. Returns false if memory is out.
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

/* Copies the content of @heir to @map, which keeps its place in the tree. */
static void take_content(struct map *map, const struct map *heir)
{
	map->start = heir->start;
	map->end = heir->end;
	map->pgoff = heir->pgoff;
	map->dso = heir->dso;
	map->is_code = heir->is_code;
	map->is_own = heir->is_own;
}

/*
 * Returns the pointer to the leftmost map in the right subtree of the one at @slot, and appends the
 * way there to @path. NULL if memory is out.
 */
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
