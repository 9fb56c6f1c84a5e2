/*
 * A balanced tree (AVL) of maps, ordered by address, with shared nodes: after a fork, parent and
 * child have the same root, and a change copies only the shared nodes on its path from the root.
 *
 *	parent   child              parent        child, after a change below y
 *	      \  /                     |            |
 *	       r                       r            r'
 *	      / \          ->         / \          / \
 *	     x   y                   x   y     (x)    y'
 *
 * A node counts the pointers to it. A node is changed in place if it and all nodes above it have
 * one reference.
 *
 * A reference to a tree is a pointer to its root, NULL for an empty one. The maps of a tree never
 * overlap; the callers ensure that.
 */
#ifndef READPERF_DECODE_PROCESS_MAPTREE_H
#define READPERF_DECODE_PROCESS_MAPTREE_H

#include "decode/symbol/dso.h"

#include <stdbool.h>
#include <stdint.h>

/** [start, end) maps @dso from @pgoff on (a byte offset or an address: see enum dso_kind). */
struct map {
	struct map *left, *right; /* each is a reference */
	uint64_t start, end, pgoff;
	const struct dso *dso;
	uint32_t refs;
	uint8_t height; /* height of the subtree; 1 for a leaf */
	bool is_code;	/* it is executable */
	bool is_own;	/* it is writable and private: no other process sees what is written */
};

/** Returns the first map that ends after @addr, which may contain @addr, or NULL. O(log n). */
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

/** Adds a reference to the tree; returns @root. */
static inline struct map *maptree_share(struct map *root)
{
	if (root)
		root->refs++;
	return root;
}

/** Drops a reference and frees the nodes that have no other; it visits no other nodes. */
void maptree_release(struct map *root);

/**
 * Adds a map with the range, pgoff, dso, is_code and is_own of @map; no map may have the same
 * start. O(log n). Returns false, with the same maps in the tree, if memory is out.
 */
bool maptree_insert(struct map **root, const struct map *map);

/** Removes the map that starts at @start, which must exist. Otherwise as maptree_insert(). */
bool maptree_remove(struct map **root, uint64_t start);

/**
 * Sets the end of the map that starts at @start, which must exist. Otherwise as maptree_insert().
 */
bool maptree_cut(struct map **root, uint64_t start, uint64_t end);

#endif
