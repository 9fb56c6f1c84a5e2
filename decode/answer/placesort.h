/* Sorts counted addresses by dso and place, in pieces that threads share. */
#ifndef READPERF_DECODE_ANSWER_PLACESORT_H
#define READPERF_DECODE_ANSWER_PLACESORT_H

#include "decode/count/address.h"
#include "decode/symbol/symbol.h"
#include "util/helpers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An address: its place in the set, and its number in the table. */
struct sorted_address {
	uint32_t place;
	uint32_t number;
};

/** All zero is empty. */
struct place_set {
	struct sorted_address *sorted; /* all addresses, by dso and place */
	size_t nr_sorted;
	bool has_one_event;   /* all addresses have the same one */
	struct place *places; /* each place once, in one list per dso, with gaps between these */
	struct place_detail *details; /* details of the places; NULL unless wanted */
	struct place_list *lists;
	size_t nr_lists;
};

/**
 * Makes the lists of @set, which is empty but for its details, if they are wanted: as
 * resolve_collect(). Returns false if memory is out.
 */
bool placesort_collect(struct place_set *set, const struct dso_table *dsos,
		       const struct address_table *addresses, struct helpers *helpers);

#endif
