#include "decode/process/guests.h"

#include "util/array.h"
#include "util/hash.h"

static struct guest *find_guest(const struct guests *guests, uint32_t pid)
{
	const struct index *ix = &guests->by_pid;
	uint64_t hash = hash_u64(pid);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		if (guests->guests[number].pid == pid)
			return &guests->guests[number];
	}
	return NULL;
}

static struct guest *add_guest(struct guests *guests, uint32_t pid)
{
	size_t nr = guests->by_pid.nr;
	struct guest *guest;

	if (!array_grow(guests->guests, guests->room, nr + 1))
		return NULL;
	guest = &guests->guests[nr];
	*guest = (struct guest){pid, map_set_create(0)};
	if (guest->maps && index_add(&guests->by_pid, hash_u64(pid)))
		return guest;
	map_set_release(guest->maps);
	return NULL;
}

bool guests_map(struct guests *guests, uint32_t pid, const struct map *map, uint64_t version)
{
	struct guest *guest = find_guest(guests, pid);

	if (!guest)
		guest = add_guest(guests, pid);
	return guest && map_set_insert(&guest->maps, map, version);
}

const struct map *guests_find(const struct guests *guests, uint32_t pid, uint64_t addr)
{
	const struct guest *guest = find_guest(guests, pid);

	if (!guest)
		guest = find_guest(guests, 0);
	return guest ? map_set_find(guest->maps, addr) : NULL;
}

void guests_free(struct guests *guests)
{
	for (size_t i = 0; i < guests->by_pid.nr; i++)
		map_set_release(guests->guests[i].maps);
	free(guests->guests);
	index_free(&guests->by_pid);
}
