/*
 * The kernels and modules of guests, for each virtual machine; perf kvm records their mappings.
 *
 * A machine is identified by the pid of its process on the host. Maps with pid 0 apply to machines
 * for which the recording has no maps, as in tools/perf/util/machine.c.
 */
#ifndef READPERF_DECODE_PROCESS_GUESTS_H
#define READPERF_DECODE_PROCESS_GUESTS_H

#include "decode/process/maps.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guest {
	uint32_t pid;
	struct map_set *maps;
};

/** All zero is empty. */
struct guests {
	struct guest *guests;
	size_t room;
	struct index by_pid;
};

/** Adds @map to the machine of @pid, as map_set_insert(). Returns false if memory is out. */
bool guests_map(struct guests *guests, uint32_t pid, const struct map *map, uint64_t version);

/** Returns the map that contains @addr in the machine of @pid, or NULL. */
const struct map *guests_find(const struct guests *guests, uint32_t pid, uint64_t addr);

static inline bool guests_empty(const struct guests *guests)
{
	return guests->by_pid.nr == 0;
}

void guests_free(struct guests *guests);

#endif
