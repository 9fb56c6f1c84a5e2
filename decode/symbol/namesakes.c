#include "decode/symbol/namesakes.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

static uint64_t hash_name(const char *function)
{
	return hash_u64((uint64_t)(uintptr_t)function);
}

/* Sets namesakes->last to that of @function. False if there is none. */
static bool find(struct namesakes *namesakes, const char *function)
{
	const uint64_t hash = hash_name(function);
	uint32_t number;
	size_t at;

	if (namesakes->by_name.nr && namesakes->list[namesakes->last].function == function)
		return true;
	at = index_first(&namesakes->by_name, hash);
	while (index_next(&namesakes->by_name, hash, &at, &number)) {
		if (namesakes->list[number].function != function)
			continue;
		namesakes->last = number;
		return true;
	}
	return false;
}

static int add(struct namesakes *namesakes, const char *function, uint64_t start)
{
	const size_t nr = namesakes->by_name.nr;

	if (!array_grow(namesakes->list, namesakes->room, nr + 1))
		return -1;
	namesakes->list[nr] = (struct namesake){.function = function, .start = start};
	namesakes->last = nr;
	return index_add(&namesakes->by_name, hash_name(function)) ? 0 : -1;
}

int namesakes_note(struct namesakes *namesakes, const struct symbol *symbol, uint64_t start)
{
	struct namesake *known;

	if (symbol->reason != REASON_NONE)
		return 0;
	if (!find(namesakes, symbol->function))
		return add(namesakes, symbol->function, start);
	known = &namesakes->list[namesakes->last];
	known->shared |= known->start != start;
	namesakes->any_shared |= known->shared;
	return 0;
}

void namesakes_clear(struct namesakes *namesakes, const struct place_list *list, size_t first)
{
	for (size_t i = first; i < list->nr_places; i++) {
		const struct symbol *symbol = list->places[i].symbol;

		if (symbol && symbol->reason == REASON_NONE && find(namesakes, symbol->function) &&
		    namesakes->list[namesakes->last].shared)
			list->places[i].symbol = NULL;
	}
}

void namesakes_free(struct namesakes *namesakes)
{
	free(namesakes->list);
	index_free(&namesakes->by_name);
	*namesakes = (struct namesakes){0};
}
