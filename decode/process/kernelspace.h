/*
 * The kernel's address space: its text, its modules, and the code that it generates at run time.
 *
 * Generated code (BPF programs, trampolines: KSYMBOL records) comes and goes. It covers the binary
 * at its addresses and does not displace it: after it is unregistered, the binary is found again.
 */
#ifndef READPERF_DECODE_PROCESS_KERNELSPACE_H
#define READPERF_DECODE_PROCESS_KERNELSPACE_H

#include "decode/process/maps.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel_space {
	uint64_t version; /* changes after each change of the maps */
	struct map_set *binaries;
	struct map_set *ksymbols;
	uint64_t ksymbols_start, ksymbols_end; /* all ksymbols are in this range */
};

/** Initializes @space. Returns false if memory is out; call kernel_space_free() even then. */
bool kernel_space_init(struct kernel_space *space);

/** Maps [start, end) to the kernel or module @dso. Returns false if memory is out. */
bool kernel_space_map(struct kernel_space *space, uint64_t start, uint64_t end,
		      const struct dso *dso, uint64_t version);

/** As kernel_space_map() for those addresses of [start, end) at which nothing is mapped. */
bool kernel_space_fill(struct kernel_space *space, uint64_t start, uint64_t end,
		       const struct dso *dso, uint64_t version);

/** Adds the generated code @dso at [start, end). Returns false if memory is out. */
bool kernel_space_register(struct kernel_space *space, uint64_t start, uint64_t end,
			   const struct dso *dso, uint64_t version);

/** Removes the generated code that starts at @start, if any. Returns false if memory is out. */
bool kernel_space_unregister(struct kernel_space *space, uint64_t start, uint64_t version);

/** Returns the map that contains @addr, or NULL. */
static inline const struct map *kernel_space_find(const struct kernel_space *space, uint64_t addr)
{
	const struct map *map = NULL;

	if (addr >= space->ksymbols_start && addr < space->ksymbols_end)
		map = map_set_find(space->ksymbols, addr);
	return map ? map : map_set_find(space->binaries, addr);
}

/** As kernel_space_find() without changing @space; *@alone: as in map_set_look(). */
static inline const struct map *kernel_space_look(const struct kernel_space *space, uint64_t addr,
						  bool *alone)
{
	const struct map *map;

	if (addr >= space->ksymbols_start && addr < space->ksymbols_end) {
		map = map_set_look(space->ksymbols, addr, alone);
		if (map)
			return map;
	}
	map = map_set_look(space->binaries, addr, alone);
	/* else generated code may cover a part of it */
	*alone = map && (map->end <= space->ksymbols_start || map->start >= space->ksymbols_end);
	return map;
}

void kernel_space_free(struct kernel_space *space);

#endif
