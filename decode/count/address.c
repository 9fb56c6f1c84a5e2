#include "decode/count/address.h"

#include "util/largemem.h"
#include "util/prefetch.h"

_Static_assert(64 % sizeof(struct address) == 0, "largemem_grow() keeps each in one line");

/* Adds an address that is new, without putting it into the index. ADDRESS_NONE if memory is out. */
static uint32_t append(struct address_table *table, const struct address *new)
{
	if (table->nr >= ADDRESS_NONE ||
	    !largemem_grow(table->addresses, table->room, table->nr + 1))
		return ADDRESS_NONE;
	table->addresses[table->nr] = *new;
	return (uint32_t)table->nr++;
}

/* Puts the addresses into the index that are not there yet. Returns false if memory is out. */
static bool index_rest(struct address_table *table)
{
	while (table->index.nr < table->nr) {
		const struct address *at = &table->addresses[table->index.nr];

		if (!index_add(&table->index,
			       address_hash(address_owner(at->event, at->dso), at->place)))
			return false;
	}
	return true;
}

/* Whether @number, which may be ADDRESS_NONE, is that of this address. */
static inline bool is_at(const struct address_table *table, uint32_t number, uint32_t event,
			 uint32_t dso, uint64_t place)
{
	const struct address *have;

	if (number == ADDRESS_NONE)
		return false;
	have = &table->addresses[number];
	return have->place == place && have->dso == dso && have->event == event;
}

/* Returns the number of this address in the index; ADDRESS_NONE if it is not there. */
__attribute__((always_inline)) static inline uint32_t find_hashed(const struct address_table *table,
								  uint32_t event, uint32_t dso,
								  uint64_t place, uint64_t hash)
{
	const struct index *ix = &table->index;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (is_at(table, number, event, dso, place))
			return number;
	return ADDRESS_NONE;
}

/* Adds an address that is not in the index, unless it is yet to be put there. As get_hashed(). */
static __attribute__((noinline)) uint32_t add_hashed(struct address_table *table, uint32_t event,
						     uint32_t dso, uint64_t place, uint64_t hash)
{
	const bool has_all = table->index.nr == table->nr;
	uint32_t number;

	if (!has_all && !index_rest(table))
		return ADDRESS_NONE;
	number = has_all ? ADDRESS_NONE : find_hashed(table, event, dso, place, hash);
	if (number != ADDRESS_NONE)
		return number;
	number = append(table, &(struct address){.place = place, .dso = dso, .event = event});
	return number != ADDRESS_NONE && index_add(&table->index, hash) ? number : ADDRESS_NONE;
}

/* The number of this address, which is added if it is new; ADDRESS_NONE if memory is out. */
static __attribute__((noinline)) uint32_t get_hashed(struct address_table *table, uint32_t event,
						     uint32_t dso, uint64_t place, uint64_t hash)
{
	const uint32_t number = find_hashed(table, event, dso, place, hash);

	return number != ADDRESS_NONE ? number : add_hashed(table, event, dso, place, hash);
}

uint32_t address_get(struct address_table *table, uint32_t event, uint32_t dso, uint64_t place)
{
	return get_hashed(table, event, dso, place, address_hash(address_owner(event, dso), place));
}

/*
 * After index_prefetch(): prefetches the first address that may have @hash. Returns its number, or
 * ADDRESS_NONE if there is none.
 */
static inline uint32_t prefetch(const struct address_table *table, uint64_t hash)
{
	size_t at = index_first(&table->index, hash);
	uint32_t number;

	if (!index_next(&table->index, hash, &at, &number))
		return ADDRESS_NONE;
	prefetch_write(&table->addresses[number]);
	return number;
}

/* Sets @hashes to those of @keys, and @numbers to those that addresses with these may have; what
 * is needed to look further is prefetched. */
static inline void look_for(const struct address_table *table, const struct address_key *keys,
			    size_t nr, uint64_t *hashes, uint32_t *numbers)
{
	for (size_t i = 0; i < nr; i++) {
		hashes[i] = address_hash(address_owner(keys[i].event, keys[i].dso), keys[i].place);
		index_prefetch(&table->index, hashes[i]);
	}
	for (size_t i = 0; i < nr; i++)
		numbers[i] = prefetch(table, hashes[i]);
}

bool address_get_all(struct address_table *table, const struct address_key *keys, size_t nr,
		     uint32_t *numbers)
{
	uint64_t hashes[ADDRESS_ALL_MAX];

	look_for(table, keys, nr, hashes, numbers);
	for (size_t i = 0; i < nr; i++) {
		const struct address_key *key = &keys[i];

		if (is_at(table, numbers[i], key->event, key->dso, key->place))
			continue;
		numbers[i] = get_hashed(table, key->event, key->dso, key->place, hashes[i]);
		if (numbers[i] == ADDRESS_NONE)
			return false;
	}
	return true;
}

enum { TAKEN_AT_ONCE = 4096 }; /* in a piece of the work */

/* Addresses of another table that are taken, and their numbers. */
struct taking {
	struct address_table *table;
	struct address *others;
	size_t nr;
	uint32_t *numbers;
	/* By piece: how many of them are new, then the number that the first one of these gets. */
	uint32_t *nr_new;
};

/* Where piece @i of the work ends. */
static size_t piece_end(const struct taking *taking, size_t i)
{
	const size_t end = (i + 1) * TAKEN_AT_ONCE;

	return end < taking->nr ? end : taking->nr;
}

/* Moves what was counted at @other to @to. */
static void move(struct address *to, struct address *other)
{
	tally_add(&to->self, other->self.samples, other->self.period);
	other->self = (struct tally){0};
}

/* Takes those of the @nr addresses from number @first on, ADDRESS_ALL_MAX at most, that are in the
 * index; the numbers of others are ADDRESS_NONE. Returns how many these are. */
static uint32_t take_some(const struct taking *taking, size_t first, size_t nr)
{
	struct address_table *table = taking->table;
	struct address *others = &taking->others[first];
	uint32_t *numbers = &taking->numbers[first], nr_new = 0;
	struct address_key keys[ADDRESS_ALL_MAX] = {0};
	uint64_t hashes[ADDRESS_ALL_MAX];

	for (size_t i = 0; i < nr; i++)
		keys[i] = (struct address_key){others[i].place, others[i].dso, others[i].event};
	look_for(table, keys, nr, hashes, numbers);
	for (size_t i = 0; i < nr; i++) {
		if (!is_at(table, numbers[i], keys[i].event, keys[i].dso, keys[i].place))
			numbers[i] = find_hashed(table, keys[i].event, keys[i].dso, keys[i].place,
						 hashes[i]);
		if (numbers[i] != ADDRESS_NONE)
			move(&table->addresses[numbers[i]], &others[i]);
		nr_new += numbers[i] == ADDRESS_NONE;
	}
	return nr_new;
}

/* A piece of the work that is shared. No two threads come to the same address. */
static void take_piece(void *arg, size_t piece)
{
	const struct taking *taking = arg;
	const size_t end = piece_end(taking, piece);

	for (size_t at = piece * TAKEN_AT_ONCE; at < end; at += ADDRESS_ALL_MAX)
		taking->nr_new[piece] += take_some(
			taking, at, end - at < ADDRESS_ALL_MAX ? end - at : ADDRESS_ALL_MAX);
}

/* A piece of the work that is shared: adds the new addresses where there is room for them. */
static void add_piece(void *arg, size_t piece)
{
	const struct taking *taking = arg;
	const size_t end = piece_end(taking, piece);
	uint32_t number = taking->nr_new[piece];

	for (size_t i = piece * TAKEN_AT_ONCE; i < end; i++) {
		if (taking->numbers[i] != ADDRESS_NONE)
			continue;
		taking->numbers[i] = number;
		taking->table->addresses[number++] = taking->others[i];
		taking->others[i].self = (struct tally){0};
	}
}

/* Makes room for the new addresses of all @nr_pieces, and sets the first number of each. Returns
 * false if memory is out. */
static bool make_room(const struct taking *taking, size_t nr_pieces)
{
	struct address_table *table = taking->table;
	size_t end = table->nr;

	for (size_t i = 0; i < nr_pieces; i++) {
		const uint32_t nr = taking->nr_new[i];

		taking->nr_new[i] = (uint32_t)end;
		end += nr;
	}
	if (end > ADDRESS_NONE || !largemem_grow(table->addresses, table->room, end))
		return false;
	table->nr = end;
	return true;
}

static bool take_all(struct taking *taking, size_t nr_pieces, struct helpers *helpers)
{
	helpers_share(helpers, take_piece, taking, nr_pieces);
	if (!make_room(taking, nr_pieces))
		return false;
	helpers_share(helpers, add_piece, taking, nr_pieces);
	return true;
}

bool address_take_others(struct address_table *table, struct address *others, size_t nr,
			 uint32_t *numbers, struct helpers *helpers)
{
	const size_t nr_pieces = (nr + TAKEN_AT_ONCE - 1) / TAKEN_AT_ONCE;
	struct taking taking = {table, others, nr, numbers, NULL};
	bool ok;

	if (!index_rest(table))
		return false;
	taking.nr_new = calloc(nr_pieces, sizeof(*taking.nr_new));
	ok = taking.nr_new && take_all(&taking, nr_pieces, helpers);
	free(taking.nr_new);
	return ok;
}

/* Counts @sample, which may be at address @number. Returns false if memory is out. */
static inline bool count(struct address_table *table, const struct pending_sample *sample,
			 uint32_t number)
{
	const uint32_t event = (uint32_t)sample->owner, dso = (uint32_t)(sample->owner >> 32);

	if (!is_at(table, number, event, dso, sample->place))
		number = get_hashed(table, event, dso, sample->place, sample->hash);
	if (number == ADDRESS_NONE)
		return false;
	tally_add(&table->addresses[number].self, 1, sample->period);
	return !table->counted ||
	       table->counted(table->counted_arg, number, sample->tag, sample->period);
}

/* Counts the samples that are found. Returns false if memory is out. */
static bool count_found(struct address_table *table)
{
	const struct pending_sample *found = table->pending[!table->coming];
	const size_t nr = table->nr_found;

	table->nr_found = 0;
	for (size_t i = 0; i < nr; i++)
		if (!count(table, &found[i], table->numbers[i]))
			return false;
	return true;
}

bool address_turn(struct address_table *table)
{
	const struct pending_sample *coming = table->pending[table->coming];

	if (!count_found(table)) {
		table->nr_coming = 0; /* so that a later address_add() has room */
		return false;
	}
	for (size_t i = 0; i < table->nr_coming; i++)
		table->numbers[i] = prefetch(table, coming[i].hash);
	table->nr_found = table->nr_coming;
	table->nr_coming = 0;
	table->coming = !table->coming;
	return true;
}

bool address_flush(struct address_table *table)
{
	return address_turn(table) && count_found(table);
}

void address_table_free(struct address_table *table)
{
	free(table->addresses);
	index_free(&table->index);
	*table = (struct address_table){0};
}
