/* The places of addresses that an aggregate keeps itself: not those of samples or call chains. */
#ifndef READPERF_DECODE_ANSWER_OWNPLACES_H
#define READPERF_DECODE_ANSWER_OWNPLACES_H

#include "decode/answer/aggregate.h"
#include "decode/answer/resolve.h"
#include "decode/count/address.h"
#include "util/error.h"

#include <stdint.h>

/** All zero is empty. */
struct own_places {
	struct place_set set;
	uint32_t *place_of; /* by number of the address */
};

/**
 * Resolves the addresses, with the details of those that have samples. Returns 0, or -1 with @err
 * filled; call own_places_free() even then.
 */
int own_places_resolve(struct own_places *places, const struct aggregate_view *view,
		       const struct address_table *addresses, struct error *err);

/** The symbol of the address with @number; valid as long as the symbolizer. */
static inline const struct symbol *own_places_symbol(const struct own_places *places,
						     uint32_t number)
{
	return places->set.places[places->place_of[number]].symbol;
}

/** The details of the address with @number; its strings are valid as long as the symbolizer. */
static inline const struct place_detail *own_places_detail(const struct own_places *places,
							   uint32_t number)
{
	return &places->set.details[places->place_of[number]];
}

void own_places_free(struct own_places *places);

#endif
