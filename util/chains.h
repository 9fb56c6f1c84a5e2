/*
 * A hash table of intrusive nodes with integer keys. Nodes can be removed, so its memory is bounded
 * by the largest number of nodes at a time. Several nodes may have the same key.
 *
 *	for (node = chains_first(table, key); node; node = chains_next(node))
 */
#ifndef READPERF_UTIL_CHAINS_H
#define READPERF_UTIL_CHAINS_H

#include "util/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct chain_node {
	struct chain_node *next;
	uint32_t key;
};

/** All zero is an empty table. */
struct chains {
	struct chain_node **heads;
	size_t nr_heads; /* a power of two, or 0 */
	size_t nr;	 /* number of nodes */
};

#define chain_entry(node, type, member) ((type *)((char *)(node)-offsetof(type, member)))

static inline struct chain_node **chains_head(const struct chains *table, uint32_t key)
{
	return &table->heads[hash_u64(key) & (table->nr_heads - 1)];
}

/** Returns @node or the first node after it that has @key, or NULL. */
static inline struct chain_node *chains_match(struct chain_node *node, uint32_t key)
{
	while (node && node->key != key)
		node = node->next;
	return node;
}

/** Returns a node with @key, or NULL. */
static inline struct chain_node *chains_first(const struct chains *table, uint32_t key)
{
	return table->nr_heads ? chains_match(*chains_head(table, key), key) : NULL;
}

/** Returns the next node with the same key, or NULL. */
static inline struct chain_node *chains_next(const struct chain_node *node)
{
	return chains_match(node->next, node->key);
}

/** Doubles the number of chains. Returns false, with nothing changed, if memory is out. */
static inline bool chains_grow(struct chains *table)
{
	struct chains grown = {.nr_heads = table->nr_heads ? table->nr_heads * 2 : 64,
			       .nr = table->nr};

	grown.heads = calloc(grown.nr_heads, sizeof(struct chain_node *));
	if (!grown.heads)
		return false;
	for (size_t i = 0; i < table->nr_heads; i++) {
		for (struct chain_node *node = table->heads[i], *next; node; node = next) {
			struct chain_node **head = chains_head(&grown, node->key);

			next = node->next;
			node->next = *head;
			*head = node;
		}
	}
	free(table->heads);
	*table = grown;
	return true;
}

/** Adds @node, which must be in no table. False, with nothing changed, if memory is out. */
static inline bool chains_add(struct chains *table, struct chain_node *node, uint32_t key)
{
	struct chain_node **head;

	if (table->nr >= table->nr_heads && !chains_grow(table))
		return false;
	head = chains_head(table, key);
	node->key = key;
	node->next = *head;
	*head = node;
	table->nr++;
	return true;
}

/** Removes @node, which must be in @table. */
static inline void chains_remove(struct chains *table, struct chain_node *node)
{
	struct chain_node **at = chains_head(table, node->key);

	while (*at != node)
		at = &(*at)->next;
	*at = node->next;
	table->nr--;
}

/** Frees the chains but not the nodes, which the caller owns. */
static inline void chains_free(struct chains *table)
{
	free(table->heads);
	*table = (struct chains){0};
}

#endif
