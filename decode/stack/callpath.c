#include "decode/stack/callpath.h"

#include "util/hash.h"
#include "util/largemem.h"
#include "util/prefetch.h"
#include "util/zeroed.h"

#include <stdlib.h>

/* So many paths of a chain are prefetched before the first one is looked up. */
enum { AT_ONCE = 32 };

/* 64 bits, though the index keeps 32: a hash of 32 would soon repeat in deep recursion, and then
 * all that follow would repeat, too. */
static inline uint64_t hash_step(uint64_t caller, uint32_t address)
{
	return hash_add(caller, address);
}

/* As callpath_get(), of a path with this @hash; returns its number. */
static inline uint32_t get_hashed(struct callpath_table *table, uint32_t caller, uint32_t address,
				  uint64_t hash)
{
	const struct index *ix = &table->index;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct callpath *have = &table->paths[number];

		if (have->caller == caller && have->address == address)
			return number + CHAIN_END_NR;
	}
	if (!largemem_grow(table->paths, table->room, ix->nr + 1))
		return CALLPATH_NONE;
	table->paths[ix->nr] = (struct callpath){.caller = caller, .address = address};
	if (!index_add(&table->index, hash))
		return CALLPATH_NONE;
	return (uint32_t)ix->nr + CHAIN_END_NR - 1;
}

struct callpath_ref callpath_get(struct callpath_table *table, struct callpath_ref caller,
				 uint32_t address)
{
	const uint64_t hash = hash_step(caller.hash, address);

	return (struct callpath_ref){hash, get_hashed(table, caller.number, address, hash)};
}

/* After index_prefetch(): prefetches the first path that may have @hash. */
static inline void prefetch(const struct callpath_table *table, uint64_t hash)
{
	size_t at = index_first(&table->index, hash);
	uint32_t number;

	if (index_next(&table->index, hash, &at, &number))
		prefetch_read(&table->paths[number]);
}

bool callpath_get_each(struct callpath_table *table, const struct callpath_ref *callers,
		       const uint32_t *addresses, size_t nr, uint32_t *numbers)
{
	uint64_t hashes[CALLPATH_EACH_MAX];

	for (size_t i = 0; i < nr; i++) {
		hashes[i] = hash_step(callers[i].hash, addresses[i]);
		index_prefetch(&table->index, hashes[i]);
	}
	for (size_t i = 0; i < nr; i++)
		prefetch(table, hashes[i]);
	for (size_t i = 0; i < nr; i++) {
		numbers[i] = get_hashed(table, callers[i].number, addresses[i], hashes[i]);
		if (numbers[i] == CALLPATH_NONE)
			return false;
	}
	return true;
}

/* As callpath_get_all(), of AT_ONCE at most. */
static bool get_some(struct callpath_table *table, struct callpath_ref caller,
		     const uint32_t *addresses, size_t nr, struct callpath_ref *paths)
{
	uint64_t hashes[AT_ONCE];
	uint32_t number = caller.number;

	for (size_t i = 0; i < nr; i++) {
		hashes[i] = hash_step(i ? hashes[i - 1] : caller.hash, addresses[i]);
		index_prefetch(&table->index, hashes[i]);
	}
	for (size_t i = 0; i < nr; i++)
		prefetch(table, hashes[i]);
	for (size_t i = 0; i < nr; i++) {
		number = get_hashed(table, number, addresses[i], hashes[i]);
		if (number == CALLPATH_NONE)
			return false;
		paths[i] = (struct callpath_ref){hashes[i], number};
	}
	return true;
}

bool callpath_get_all(struct callpath_table *table, struct callpath_ref caller,
		      const uint32_t *addresses, size_t nr, struct callpath_ref *paths)
{
	for (size_t at = 0; at < nr; at += AT_ONCE) {
		const size_t some = nr - at < AT_ONCE ? nr - at : AT_ONCE;

		if (!get_some(table, caller, &addresses[at], some, &paths[at]))
			return false;
		caller = paths[at + some - 1];
	}
	return true;
}

/*
 * As callpath_add_all(), the @nr paths at @paths, AT_ONCE at most. @refs: by the number of a path
 * before @own, which is that of @paths, what it is in @table; those of @paths are set.
 */
static bool add_some(struct callpath_table *table, const struct callpath *paths, size_t nr,
		     const uint32_t *addresses, struct callpath_ref *refs, size_t own)
{
	/* A caller's number is less than those of the paths that extend it. */
	for (size_t i = 0; i < nr; i++) {
		struct callpath_ref *ref = &refs[own + i];

		ref->hash = hash_step(refs[paths[i].caller].hash, addresses[paths[i].address]);
		index_prefetch(&table->index, ref->hash);
	}
	for (size_t i = 0; i < nr; i++)
		prefetch(table, refs[own + i].hash);
	for (size_t i = 0; i < nr; i++) {
		struct callpath_ref *ref = &refs[own + i];

		ref->number = get_hashed(table, refs[paths[i].caller].number,
					 addresses[paths[i].address], ref->hash);
		if (ref->number == CALLPATH_NONE)
			return false;
		tally_add(&callpath_at(table, ref->number)->here, paths[i].here.samples,
			  paths[i].here.period);
	}
	return true;
}

bool callpath_add_all(struct callpath_table *table, const struct callpath_table *from,
		      const uint32_t *addresses)
{
	const size_t nr = callpath_count(from);
	struct callpath_ref *refs = calloc(nr + CHAIN_END_NR, sizeof(*refs));
	bool ok = refs;

	for (uint32_t i = 0; ok && i < CHAIN_END_NR; i++)
		refs[i] = callpath_root((enum chain_end)i);
	for (size_t at = 0; ok && at < nr; at += AT_ONCE)
		ok = add_some(table, &from->paths[at], nr - at < AT_ONCE ? nr - at : AT_ONCE,
			      addresses, refs, at + CHAIN_END_NR);
	free(refs);
	return ok;
}

void callpath_table_clear(struct callpath_table *table)
{
	index_clear(&table->index);
}

void callpath_table_free(struct callpath_table *table)
{
	free(table->paths);
	index_free(&table->index);
	*table = (struct callpath_table){0};
}
