#include "decode/address.h"

#include "util/array.h"
#include "util/hash.h"

static uint64_t hash_address(uint32_t event, uint32_t dso, uint64_t place)
{
	return hash_u64(place + ((uint64_t)dso << 40) + ((uint64_t)event << 56));
}

uint32_t address_get(struct address_table *table, uint32_t event, uint32_t dso, uint64_t place)
{
	uint64_t hash = hash_address(event, dso, place);
	const struct index *ix = &table->index;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct address *have = &table->addresses[number];

		if (have->place == place && have->dso == dso && have->event == event)
			return number;
	}
	if (!array_grow(table->addresses, table->room, ix->nr + 1))
		return ADDRESS_NONE;
	table->addresses[ix->nr] = (struct address){.place = place, .dso = dso, .event = event};
	if (!index_add(&table->index, hash))
		return ADDRESS_NONE;
	return (uint32_t)ix->nr - 1;
}

void address_table_free(struct address_table *table)
{
	free(table->addresses);
	index_free(&table->index);
	*table = (struct address_table){0};
}
