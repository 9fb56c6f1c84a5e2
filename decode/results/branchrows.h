/*
 * Branches that were taken, and the blocks of code between them.
 */
#ifndef READPERF_DECODE_RESULTS_BRANCHROWS_H
#define READPERF_DECODE_RESULTS_BRANCHROWS_H

#include "perffile/event.h"

#include <stdbool.h>
#include <stdint.h>

/** Where a branch leaves or arrives. */
struct branch_place {
	const char *binary, *function; /* as in struct function_stat */
	uint64_t address;	       /* as in struct address_stat */
	const char *filename;	       /* of the statement; "" if unknown */
	uint32_t line;		       /* of the statement; 0 if unknown */
	uint32_t dso;		       /* number of the binary's dso */
	bool is_file;		       /* of a program or library that is a file */
	bool is_found;		       /* the file was found, so that @address is one of it */
};

/** The branches from one address to another under an event, of one type and privilege. */
struct branch_stat {
	const struct event *event;
	const struct branch_place *from, *to;
	const char *type; /* "cond", "call", ...; "" if not recorded */
	const char *priv; /* "user", "kernel", "hypervisor"; "" if not recorded */
	uint64_t count, mispredicted;
	uint64_t known;		       /* those that tell whether they were mispredicted */
	uint64_t cycles, cycles_known; /* sum, and number of those that have cycles */
	uint64_t in_tx, aborts;
};

/** A straight run of code: from a branch's target to the next branch that was taken. */
struct block_stat {
	const struct event *event;
	const struct branch_place *start;
	uint64_t end; /* address of the branch that ends it, as start->address */
	uint64_t count, cycles, cycles_known; /* as of struct branch_stat */
	uint64_t all_cycles;		      /* of all runs of the event */
};

/** What became of the branch stacks of a recording's samples. */
struct branch_totals {
	uint64_t samples;     /* those with at least one branch */
	uint64_t call_stacks; /* samples whose stacks are calls, not branches that were taken */
	uint64_t entries;     /* branches; counted are those that the next three leave */
	uint64_t wrong_path;  /* speculated, never executed */
	uint64_t empty;	      /* without an address where they come from or go to */
	uint64_t beyond;      /* distinct ones beyond what fits in memory */
	uint64_t runs;	      /* pairs of branches; counted are those that the next two leave */
	uint64_t odd_runs;    /* of different mappings, backward, or too long to be straight */
	uint64_t runs_beyond; /* as @beyond */
};

#endif
