/*
 * Symbols that were found before: while a recording comes in, the results are made again and again,
 * and most of its addresses are old acquaintances.
 */
#ifndef READPERF_DECODE_KNOWN_H
#define READPERF_DECODE_KNOWN_H

#include "decode/address.h"
#include "decode/placeset.h"
#include "decode/symbol/symbol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A symbol that was found before, and how much was known of its dso then. */
struct known_symbol {
	const struct symbol *symbol; /* NULL: to be looked up */
	uint8_t build_id_len;
	bool replaced;
};

/** By number of the address. All zero is an empty one. */
struct known_symbols {
	struct known_symbol *list;
	size_t nr, room;
};

/** Gives the places of @set, which are those of @addresses, the symbols that still hold. */
void known_symbols_take(const struct known_symbols *known, struct place_set *set,
			const struct dso_table *dsos, const struct address_table *addresses);

/** Keeps the symbols of @set, whose places all have one. Returns false if memory is out. */
bool known_symbols_keep(struct known_symbols *known, const struct place_set *set,
			const struct dso_table *dsos, const struct address_table *addresses);

void known_symbols_free(struct known_symbols *known);

#endif
