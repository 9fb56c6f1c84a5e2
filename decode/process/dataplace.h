/*
 * Data address of a process -> where it is counted from in a file: what its variable can be found
 * by, once symbols are read.
 */
#ifndef READPERF_DECODE_PROCESS_DATAPLACE_H
#define READPERF_DECODE_PROCESS_DATAPLACE_H

#include "decode/process/addrspace.h"
#include "decode/process/process.h"
#include "decode/symbol/dso.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DATAPLACE_NONE UINT32_MAX

/** Where the data of an address is. Without a file, all of a mapping's kind are one place. */
struct data_place {
	const struct dso *own; /* of the mapping of the address itself; NULL: the kernel's */
	const struct dso *dso; /* the file that may have the variable; NULL: none */
	/* Counted from a mapping of @dso; all zero without. */
	uint64_t pgoff;	   /* where the mapping starts, a byte offset in the file */
	uint64_t distance; /* from there, in bytes; may be past the mapping's end */
	bool is_code;	   /* the mapping is executable */
};

/** All distinct places, with numbers. All zero is empty. */
struct data_places {
	struct data_place *list;
	size_t room;
	struct index index;
};

/**
 * Returns the number of the place of the address @addr of @process, added if it is new;
 * DATAPLACE_NONE if memory is out.
 *
 * A variable is looked up from the code of its file, as that is mapped in every recording: data
 * only is with perf record -d, and memory without a file behind it (.bss) is not told as the
 * file's. How far that reaches only the file knows, when its symbols are read.
 */
uint32_t data_places_number(struct data_places *places, const struct addrspaces *spaces,
			    const struct process *process, uint64_t addr);

static inline size_t data_places_count(const struct data_places *places)
{
	return places->index.nr;
}

void data_places_free(struct data_places *places);

#endif
