#include "decode/count/pendingwaits.h"

#include "util/array.h"

#include <stdlib.h>

bool pending_waits_begin(struct pending_waits *pending, uint32_t thread, uint32_t *number)
{
	*number = WAIT_NO_PATH;
	if (pending->free) {
		*number = pending->free - 1;
		pending->free = pending->list[*number].next;
	} else if (pending->nr < PENDING_WAITS_MAX) {
		if (!array_grow(pending->list, pending->room, pending->nr + 1))
			return false;
		*number = (uint32_t)pending->nr++;
	}
	if (*number != WAIT_NO_PATH)
		pending->list[*number] = (struct pending_wait){
			.entry.place.path = WAIT_NO_PATH,
			.thread = thread,
		};
	return true;
}

void pending_waits_add(struct pending_waits *pending, const struct wait_place *place,
		       const struct wait_sum *sum)
{
	struct wait_entry *entry = &pending->list[place->path].entry;
	const uint32_t table = entry->place.table, path = entry->place.path;

	entry->place = *place;
	entry->place.table = table;
	entry->place.path = path;
	wait_sum_add(&entry->sum, sum);
}

void pending_waits_place(struct pending_waits *pending, uint32_t number, uint32_t path)
{
	struct wait_place *place = &pending->list[number].entry.place;

	place->table = WAIT_WAITING;
	place->path = path;
}

struct pending_wait pending_waits_end(struct pending_waits *pending, uint32_t number)
{
	struct pending_wait *wait = &pending->list[number];
	const struct pending_wait ended = *wait;

	*wait = (struct pending_wait){.next = pending->free};
	pending->free = number + 1;
	return ended;
}

size_t pending_waits_count(const struct pending_waits *pending)
{
	size_t nr = 0;

	for (size_t i = 0; i < pending->nr; i++)
		nr += pending->list[i].entry.sum.count > 0;
	return nr;
}

void pending_waits_free(struct pending_waits *pending)
{
	free(pending->list);
	*pending = (struct pending_waits){0};
}
