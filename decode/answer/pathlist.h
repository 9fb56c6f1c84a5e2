/*
 * The paths of functions: what call paths become when the functions of their addresses have names.
 *
 * Paths of addresses that run through the same functions are one. So memory grows with distinct
 * paths of functions, however many tables of call paths they came from.
 */
#ifndef READPERF_DECODE_ANSWER_PATHLIST_H
#define READPERF_DECODE_ANSWER_PATHLIST_H

#include "decode/answer/pathcells.h"
#include "decode/count/addressrows.h"
#include "decode/results/functionrows.h"
#include "decode/results/pathrows.h"
#include "decode/stack/pathstore.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Paths in their order: by event, then each before those that continue it, highest totals first.
 */
struct path_list {
	struct path_stat *rows;
	size_t nr;
	/* events that record call chains have samples without one, which @rows has as above: they
	 * still wait for it */
	bool has_waiting;
};

/**
 * Makes the list of what @paths counted for the @nr @functions, whose numbers @of_addresses has.
 * Samples of a function that are on no path (their event records no call chains, or they still wait
 * for theirs) are a path of that function alone. Returns 0, or -1 with @err filled; @list is to be
 * freed by pathlist_free() in both cases.
 */
int pathlist_make(struct path_list *list, const struct pathstore *paths,
		  const struct address_rows *of_addresses, const struct function_stat *functions,
		  size_t nr, struct error *err);

/** What a list is made of, as arguments of pathlist_make(). */
struct pathlist_input {
	const struct pathstore *paths;
	const struct address_rows *of_addresses;
	const struct function_stat *functions;
	size_t nr;
};

/** As pathlist_make(), and ends @cells, which were started and are empty. */
int pathlist_make_cells(struct path_list *list, struct path_cells *cells,
			const struct pathlist_input *input, struct error *err);

/** function of a path that is of none: a root. */
#define PATH_NO_FUNCTION UINT32_MAX

/** A path that was counted elsewhere. */
struct given_path {
	uint32_t caller;   /* number of the caller's path, which is less; a root has none */
	uint32_t function; /* number of its function; PATH_NO_FUNCTION */
	struct tally self;
};

/** As pathlist_make(), of the @nr @given paths of @functions; those of equal functions are one. */
int pathlist_make_given(struct path_list *list, const struct given_path *given, size_t nr,
			const struct function_stat *functions, struct error *err);

/** Frees the rows; @list is empty then. */
void pathlist_free(struct path_list *list);

#endif
