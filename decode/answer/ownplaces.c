#include "decode/answer/ownplaces.h"

#include <stdlib.h>

int own_places_resolve(struct own_places *places, const struct aggregate_view *view,
		       const struct address_table *addresses, struct error *err)
{
	struct place_set *set = &places->set;

	places->place_of = calloc(address_count(addresses) + 1, sizeof(*places->place_of));
	if (!places->place_of)
		return error_nomem(err, "sorting addresses");
	if (resolve_collect(set, view->dsos, addresses, true, NULL, err) < 0 ||
	    resolve_symbols(set, view->symbolizer, NULL, NULL, err) < 0)
		return -1;
	for (size_t i = 0; i < set->nr_sorted; i++)
		places->place_of[set->sorted[i].number] = set->sorted[i].place;
	return 0;
}

void own_places_free(struct own_places *places)
{
	free(places->place_of);
	resolve_free(&places->set);
	*places = (struct own_places){0};
}
