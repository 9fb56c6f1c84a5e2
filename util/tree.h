/*
 * An AVL tree with intrusive nodes: the tree allocates nothing and owns nothing.
 *
 * A type in a tree contains a `struct tree_node`; tree_entry() converts the node to the type. The
 * caller passes the comparison function at each insertion; it must be the same one for all of a
 * tree. Equal keys are allowed and keep their order of insertion.
 *
 *            8                A hinted insertion climbs from the last inserted node (say 6) only
 *        4       12           as far as the new key demands (7: not at all; 9: up to 8, then down),
 *      2   6   10  14         so a sorted stream costs amortized O(1) a node.
 */
#ifndef READPERF_UTIL_TREE_H
#define READPERF_UTIL_TREE_H

#include <stdbool.h>
#include <stddef.h>

struct tree_node {
	struct tree_node *parent, *left, *right;
	int balance; /* height(right) - height(left): -1, 0 or 1 */
};

/** All zero is an empty tree. */
struct tree {
	struct tree_node *root;
	struct tree_node *last_inserted; /* start of the next hinted insertion; NULL if removed */
};

/** Returns <0, 0 or >0 if @a sorts before, equal to or after @b. */
typedef int (*tree_cmp)(const struct tree_node *a, const struct tree_node *b);

#define tree_entry(node, type, member) ((type *)((char *)(node)-offsetof(type, member)))

/** Inserts @node after all nodes that are not greater; the search starts at the root. */
void tree_insert(struct tree *tree, struct tree_node *node, tree_cmp cmp);

/** As tree_insert(), but the search starts at the node inserted last. */
void tree_insert_near(struct tree *tree, struct tree_node *node, tree_cmp cmp);

/** Removes @node, which must be in @tree. */
void tree_remove(struct tree *tree, struct tree_node *node);

/** Returns the smallest node, or NULL if the tree is empty. O(log n). */
struct tree_node *tree_first(const struct tree *tree);

/** Returns the node after @node in order, or NULL at the end. Amortized O(1). */
struct tree_node *tree_next(const struct tree_node *node);

static inline bool tree_empty(const struct tree *tree)
{
	return !tree->root;
}

#endif
