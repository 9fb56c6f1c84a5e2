#include "decode/symbol/cfi/cfiplaces.h"

#include "util/hash.h"
#include "util/zeroed.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { MAX_PLACES = 1 << 20, FIRST_SLOTS = 64 };

/* A place and its rule, which is set last. */
struct cfi_place_slot {
	uint64_t place;
	const struct cfi_rule *_Atomic rule; /* NULL: the slot is free */
};

/* Slots are a power of two; at most half of them are used. */
struct cfi_place_table {
	struct cfi_place_table
		*before; /* the smaller one that it replaced: others may look at it */
	size_t nr_slots;
	struct cfi_place_slot slots[];
};

/* The slot of @place, or the free one where it belongs; *@rule gets its rule, or NULL. */
static struct cfi_place_slot *slot_of(struct cfi_place_table *table, uint64_t place,
				      const struct cfi_rule **rule)
{
	size_t at = hash_u64(place) & (table->nr_slots - 1);

	for (;; at = (at + 1) & (table->nr_slots - 1)) {
		struct cfi_place_slot *slot = &table->slots[at];

		*rule = atomic_load_explicit(&slot->rule, memory_order_acquire);
		if (!*rule || slot->place == place)
			return slot;
	}
}

static void put(struct cfi_place_table *table, uint64_t place, const struct cfi_rule *rule)
{
	const struct cfi_rule *known;
	struct cfi_place_slot *slot = slot_of(table, place, &known);

	slot->place = place;
	atomic_store_explicit(&slot->rule, rule, memory_order_release);
}

/* Replaces the table by one that is twice as large. False if memory is out. */
static bool grow(struct cfi_places *places)
{
	struct cfi_place_table *before = places->table, *grown;
	const size_t nr_slots = before ? before->nr_slots * 2 : FIRST_SLOTS;

	grown = zeroed_get(1, sizeof(*grown) + nr_slots * sizeof(*grown->slots));
	if (!grown)
		return false;
	grown->before = before;
	grown->nr_slots = nr_slots;
	for (size_t i = 0; before && i < before->nr_slots; i++) {
		if (before->slots[i].rule)
			put(grown, before->slots[i].place, before->slots[i].rule);
	}
	atomic_store_explicit(&places->table, grown, memory_order_release);
	return true;
}

bool cfi_places_any(const struct cfi_places *places)
{
	return atomic_load_explicit(&places->table, memory_order_acquire);
}

const struct cfi_rule *cfi_places_find(const struct cfi_places *places, uint64_t place)
{
	struct cfi_place_table *table = atomic_load_explicit(&places->table, memory_order_acquire);
	const struct cfi_rule *rule = NULL;

	if (table)
		(void)slot_of(table, place, &rule);
	return rule;
}

bool cfi_places_add(struct cfi_places *places, uint64_t place, const struct cfi_rule *rule)
{
	if (places->nr == MAX_PLACES)
		return true;
	if ((!places->table || places->nr * 2 >= places->table->nr_slots) && !grow(places))
		return false;
	put(places->table, place, rule);
	places->nr++;
	return true;
}

void cfi_places_free(struct cfi_places *places)
{
	for (struct cfi_place_table *table = places->table, *before; table; table = before) {
		before = table->before;
		free(table);
	}
	*places = (struct cfi_places){0};
}
