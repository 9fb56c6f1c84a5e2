/*
 * The kernel's address space: its text, its modules, and the code that it makes at run time.
 *
 * That code (BPF programs, trampolines: KSYMBOL records) comes and goes. It covers what
 * lies there and does not displace it: when it is gone, the rest is there again.
 */
#ifndef READPERF_DECODE_PROCESS_KERNELSPACE_H
#define READPERF_DECODE_PROCESS_KERNELSPACE_H

#include "decode/process/maps.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel_space {
	uint64_t version; /* another number after each change */
	struct map_set *binaries;
	struct map_set *ksymbols;
	uint64_t ksymbols_start, ksymbols_end; /* all of them lie in here */
};

/** False if memory is out; kernel_space_free() all the same. */
bool kernel_space_init(struct kernel_space *space);

/** Maps [start, end) to the kernel or module @dso. False: memory is out. */
bool kernel_space_map(struct kernel_space *space, uint64_t start, uint64_t end,
		      const struct dso *dso, uint64_t version);

/** Lays the code @dso over [start, end). False: memory is out. */
bool kernel_space_register(struct kernel_space *space, uint64_t start, uint64_t end,
			   const struct dso *dso, uint64_t version);

/** Takes away the code that was laid over what starts at @start. False: memory is out. */
bool kernel_space_unregister(struct kernel_space *space, uint64_t start, uint64_t version);

/** The map that holds @addr, or NULL. */
static inline const struct map *kernel_space_find(const struct kernel_space *space, uint64_t addr)
{
	const struct map *map = NULL;

	if (addr >= space->ksymbols_start && addr < space->ksymbols_end)
		map = map_set_find(space->ksymbols, addr);
	return map ? map : map_set_find(space->binaries, addr);
}

void kernel_space_free(struct kernel_space *space);

#endif
