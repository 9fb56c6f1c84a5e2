/*
 * The distinct places of all counted addresses, each resolved once whatever events met it.
 */
#ifndef READPERF_DECODE_ANSWER_RESOLVE_H
#define READPERF_DECODE_ANSWER_RESOLVE_H

#include "decode/count/address.h"
#include "decode/symbol/symbol.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An address of the table, by its number, and its place in the set. */
struct sorted_address {
	uint32_t number;
	uint32_t place;
};

/** All zero is an empty one. */
struct place_set {
	struct sorted_address *sorted; /* all addresses, by dso and place */
	size_t nr_sorted;
	struct place *places; /* each once, cut into a list for each dso */
	size_t nr_places;
	struct place_detail *details; /* of the places; NULL unless they are wanted */
	struct place_list *lists;
	size_t nr_lists;
};

/**
 * Collects the places of @addresses, whose dsos are in @dsos; with @details, those are asked for of
 * every place that samples were counted at. Returns 0, or -1 with @err filled;
 * resolve_free() all the same.
 */
int resolve_collect(struct place_set *set, const struct dso_table *dsos,
		    const struct address_table *addresses, bool details, struct error *err);

/**
 * Gives every place its symbol. @tick, unless NULL, is called as that of symbolizer_resolve() is.
 * Returns 0, or -1 with @err filled.
 */
int resolve_symbols(struct place_set *set, struct symbolizer *symbolizer,
		    void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
		    struct error *err);

void resolve_free(struct place_set *set);

#endif
