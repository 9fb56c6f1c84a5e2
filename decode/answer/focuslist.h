/*
 * The calls around functions: who called them, or what they called, merged over all paths.
 */
#ifndef READPERF_DECODE_ANSWER_FOCUSLIST_H
#define READPERF_DECODE_ANSWER_FOCUSLIST_H

#include "decode/answer/pathlist.h"
#include "decode/results/eventrows.h"
#include "decode/results/pathrows.h"

#include <stdbool.h>
#include <stddef.h>

/** Trees of calls, one for each function: by event, then period descending; parents first. */
struct focus_list {
	struct focus_stat *rows;
	size_t nr, room;
};

/** What the trees are made of; all borrowed. */
struct focus_input {
	const struct path_list *paths;
	const struct event_stat *events;
	char *const *patterns; /* of functions' names, as for patterns_match() */
	bool callers;	       /* they grow up to these; else down to what was called */
};

/**
 * Makes the trees of all functions that match. False if memory is out; @list is to be freed by
 * focuslist_free() in both cases.
 */
bool focuslist_make(struct focus_list *list, const struct focus_input *input);

/** Frees the rows; @list is empty then. */
void focuslist_free(struct focus_list *list);

#endif
