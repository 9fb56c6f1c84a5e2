#include "decode/replay/symbolcache.h"

#include "util/array.h"

#include <stdlib.h>

/*
 * Whether a cached symbol is still valid. It is not if the recording has since contained a build id
 * of its dso, or replaced its file. Code made at run time that had no symbol is looked up again,
 * because its symbols can appear at any time.
 */
static bool still_holds(const struct cached_symbol *known, const struct dso *dso)
{
	return known->symbol && known->build_id_len == dso->build_id_len &&
	       known->replaced == dso->replaced &&
	       (known->symbol->reason == REASON_NONE || dso->kind != DSO_JIT);
}

void symbol_cache_take(const struct symbol_cache *known, struct place_set *set,
		       const struct dso_table *dsos, const struct address_table *addresses)
{
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct sorted_address *at = &set->sorted[i];
		const struct address *address = &addresses->addresses[at->number];

		if (at->number < known->nr &&
		    still_holds(&known->list[at->number], dsos->dsos[address->dso]))
			set->places[at->place].symbol = known->list[at->number].symbol;
	}
}

bool symbol_cache_keep(struct symbol_cache *known, const struct place_set *set,
		       const struct dso_table *dsos, const struct address_table *addresses)
{
	if (!array_grow(known->list, known->room, set->nr_sorted + 1))
		return false;
	known->nr = set->nr_sorted;
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct sorted_address *at = &set->sorted[i];
		const struct dso *dso = dsos->dsos[addresses->addresses[at->number].dso];

		known->list[at->number] = (struct cached_symbol){
			.symbol = set->places[at->place].symbol,
			.build_id_len = dso->build_id_len,
			.replaced = dso->replaced,
		};
	}
	return true;
}

void symbol_cache_free(struct symbol_cache *known)
{
	free(known->list);
	*known = (struct symbol_cache){0};
}
