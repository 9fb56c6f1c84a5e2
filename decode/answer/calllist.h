/*
 * The calls on the paths of functions: which function called which.
 */
#ifndef READPERF_DECODE_ANSWER_CALLLIST_H
#define READPERF_DECODE_ANSWER_CALLLIST_H

#include "decode/answer/pathlist.h"
#include "decode/results/pathrows.h"

#include <stdbool.h>
#include <stddef.h>

/** Calls by event, then period descending, then names. */
struct call_list {
	struct call_stat *rows;
	size_t nr;
};

/**
 * Makes the list of the calls on @paths. False if memory is out; @list is to be freed by
 * calllist_free() in both cases.
 */
bool calllist_make(struct call_list *list, const struct path_list *paths);

/** Frees the rows; @list is empty then. */
void calllist_free(struct call_list *list);

#endif
