/*
 * A balanced tree (AVL) of maps, ordered by address, that many can share: after a fork parent and
 * child hold the same root, and a change copies only the nodes on its way down that others hold.
 *
 *	parent   child              parent        child, after a change below y
 *	      \  /                     |            |
 *	       r                       r            r'
 *	      / \          ->         / \          / \
 *	     x   y                   x   y     (x)    y'
 *
 * A node counts those who point at it. What has one reference, all the way from the root, is
 * changed in place.
 *
 * A reference to a tree is a pointer to its root, NULL for an empty one. No two maps of a tree
 * overlap; the callers see to that.
 */
#ifndef READPERF_DECODE_PROCESS_MAPTREE_H
#define READPERF_DECODE_PROCESS_MAPTREE_H

#include "decode/symbol/dso.h"

#include <stdbool.h>
#include <stdint.h>

/** [start, end) shows @dso from @pgoff on (a byte offset, or an address: see enum dso_kind). */
struct map {
	struct map *left, *right; /* a reference each */
	uint64_t start, end, pgoff;
	const struct dso *dso;
	uint32_t refs;
	uint8_t height; /* of the subtree; 1 for a leaf */
	bool is_code;	/* it may be executed */
};

/** The first map that ends behind @addr, which it may hold, or NULL. O(log n). */
static inline struct map *maptree_from(struct map *root, uint64_t addr)
{
	struct map *best = NULL;

	while (root) {
		if (addr < root->end) {
			best = root;
			root = root->left;
		} else {
			root = root->right;
		}
	}
	return best;
}

/** Another reference to the tree. */
static inline struct map *maptree_share(struct map *root)
{
	if (root)
		root->refs++;
	return root;
}

/** Gives a reference back; frees what nobody else holds, and looks at nothing else. */
void maptree_release(struct map *root);

/**
 * Adds a map with the range, pgoff, dso and is_code of @map; none with its start may be there.
 * O(log n). Returns false, with the same maps in the tree, if memory is out.
 */
bool maptree_insert(struct map **root, const struct map *map);

/** Removes the map that starts at @start, which must be there. Otherwise as maptree_insert(). */
bool maptree_remove(struct map **root, uint64_t start);

/** Lets the map that starts at @start, which must be there, end at @end. As maptree_remove(). */
bool maptree_cut(struct map **root, uint64_t start, uint64_t end);

#endif
