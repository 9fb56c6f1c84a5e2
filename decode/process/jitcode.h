/*
 * Code that JIT compilers generated during the recording: its addresses and times.
 *
 * A process maps the jitdump that it writes, so the recording has its path. Each piece of code
 * becomes a map of the process when the replay reaches the time at which it was generated, as if
 * perf inject --jit had written a record for it. So an address may have several names, one after
 * the other.
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

/** Is told of code that a process has from @time on. Returns false if memory is out. */
struct jit_watcher {
	bool (*mapped)(void *arg, const struct process *process, uint64_t time, bool displaces);
	void *arg;
};

struct jit_code {
	const struct perffile *file;
	struct tree waiting; /* dumps with code that is not mapped yet, by its time */
	uint64_t due;	     /* ns: time of the next code to map with jit_code_apply() */
	struct jit_dump **dumps;
	size_t nr_dumps, room;
	size_t nr_untimed; /* number of dumps with code whose clock is not the recording's */
	struct record_time_conv counter; /* converts TSC counts to ns; mult 0: unknown */
	/* Set by the user; both may be NULL: the processes with another root, and the directory
	 * that is the root of all others. */
	const struct roots *roots;
	const char *symfs;
	/* Set by the user: is told of all code but that without a time, which is mapped when its
	 * dump is. @displaces: there was other code at its addresses. mapped NULL: nobody is. */
	struct jit_watcher watcher;
};

/** Initializes @jit. @file must outlive it. */
void jit_code_init(struct jit_code *jit, const struct perffile *file);

/**
 * For an MMAP or MMAP2 record that has been applied: reads the jitdump if the record maps one. A
 * dump is read once. If its clock is not the recording's, all of its code is mapped at once; where
 * pieces overlap, the last one wins. Returns false if memory is out.
 */
bool jit_code_mmap(struct jit_code *jit, struct dso_table *dsos, struct process_table *processes,
		   const struct record *rec);

/** Maps the code generated up to @time (ns), at least @jit->due. Returns false if memory is out. */
bool jit_code_apply(struct jit_code *jit, struct process_table *processes, uint64_t time);

void jit_code_free(struct jit_code *jit);

#endif
