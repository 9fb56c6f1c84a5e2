/*
 * Code that JIT compilers made while the recording ran: where it lay, and when.
 *
 * A process maps the jitdump that it writes, so the recording names it. Each piece of code becomes
 * a map of the process when the replay reaches the time at which it was made, as if perf inject
 * --jit had written a record of it. So an address may have many names, one after the other.
 */
#ifndef READPERF_DECODE_PROCESS_JITCODE_H
#define READPERF_DECODE_PROCESS_JITCODE_H

#include "decode/process/process.h"
#include "decode/process/roots.h"
#include "decode/symbol/dso.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit_dump;

struct jit_code {
	const struct perffile *file;
	struct tree waiting; /* dumps with code that is still to come, by its time */
	uint64_t due;	     /* ns: when there is something to do for jit_code_apply() */
	struct jit_dump **dumps;
	size_t nr_dumps, room;
	size_t nr_untimed;		 /* of them those whose clock is not the recording's */
	struct record_time_conv counter; /* of the processor, to ns; mult 0: unknown */
	/* Set by the user, both may be NULL: which processes have another root, and the directory
	 * that is the root of all others. */
	const struct roots *roots;
	const char *symfs;
};

/** @file must outlive @jit. */
void jit_code_init(struct jit_code *jit, const struct perffile *file);

/**
 * For an MMAP or MMAP2 record that has been applied: reads the jitdump that it maps, if it maps
 * one. A dump is read once. Where its clock is not the recording's, all of its code is there at
 * once, the last at an address for all of them. False: memory is out.
 */
bool jit_code_mmap(struct jit_code *jit, struct dso_table *dsos, struct process_table *processes,
		   const struct record *rec);

/** Maps the code that was made up to @time ns, which is @jit->due or later. False: no memory. */
bool jit_code_apply(struct jit_code *jit, struct process_table *processes, uint64_t time);

void jit_code_free(struct jit_code *jit);

#endif
