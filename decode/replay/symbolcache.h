/*
 * The symbols of the last snapshot. While a recording is being read, results are made several
 * times, and most addresses have been looked up before.
 */
#ifndef READPERF_DECODE_REPLAY_SYMBOLCACHE_H
#define READPERF_DECODE_REPLAY_SYMBOLCACHE_H

#include "decode/answer/resolve.h"
#include "decode/count/address.h"
#include "decode/symbol/symbol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A symbol found earlier, and what was known of its dso then. */
struct cached_symbol {
	const struct symbol *symbol; /* NULL: it must be looked up */
	uint8_t build_id_len;
	bool replaced;
};

/** By address number. All zero is empty. */
struct symbol_cache {
	struct cached_symbol *list;
	size_t nr, room;
};

/** Sets the symbols that are still valid in the places of @set, which are those of @addresses. */
void symbol_cache_take(const struct symbol_cache *known, struct place_set *set,
		       const struct dso_table *dsos, const struct address_table *addresses);

/** Stores the symbols of @set, whose places must all have one. Returns false if memory is out. */
bool symbol_cache_keep(struct symbol_cache *known, const struct place_set *set,
		       const struct dso_table *dsos, const struct address_table *addresses);

void symbol_cache_free(struct symbol_cache *known);

#endif
