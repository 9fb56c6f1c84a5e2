/*
 * A doubly linked list with intrusive nodes: it allocates nothing and owns nothing.
 *
 * The head is a node, too: the list is circular. To iterate:
 *
 *	for (struct list *at = head->next; at != head; at = at->next)
 */
#ifndef READPERF_UTIL_LIST_H
#define READPERF_UTIL_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	struct list *prev, *next;
};

#define list_entry(node, type, member) ((type *)((char *)(node)-offsetof(type, member)))

/** Makes @head an empty list, or a node that is in no list. */
static inline void list_init(struct list *head)
{
	head->prev = head->next = head;
}

static inline bool list_empty(const struct list *head)
{
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): nodes are removed before they are freed */
	return head->next == head;
}

/** Appends @node, which must be in no list, to the end. */
static inline void list_append(struct list *head, struct list *node)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

/** Removes @node from its list, if it is in one. */
static inline void list_remove(struct list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	list_init(node);
}

#endif
