/*
 * How processes and threads begin and end: what FORK, EXIT and COMM do to the table.
 *
 * The kernel writes FORK before the child runs, and EXIT of a thread while it is still on its way
 * out (kernel/events/core.c). Records of perf itself, which tell of what was there before the
 * recording, have time 0, and its FORKs the misc bit 13 (tools/perf/util/synthetic-events.c).
 */
#ifndef READPERF_DECODE_PROCESS_LIFECYCLE_H
#define READPERF_DECODE_PROCESS_LIFECYCLE_H

#include "decode/process/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** FORK: thread @tid of @pid, made by thread @ptid of @ppid, the same process or its parent. */
struct fork_task {
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;	/* ns; 0: it was there before the recording */
	bool copy_maps; /* a new process has the maps of its parent */
};

/**
 * Applies a FORK. A new thread has the comm of the one that made it. Returns false if memory is out
 * or a life could not be retired, as all functions here.
 */
bool lifecycle_fork(struct process_table *table, const struct fork_task *task);

/** EXIT of thread @tid of @pid at @time ns. Samples may still follow. */
bool lifecycle_exit(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time);

/**
 * COMM: the @len bytes at @comm become the name of the thread; with @exec its process starts
 * another program: the maps of the old one are gone, and so are all other threads.
 */
bool lifecycle_comm(struct process_table *table, uint32_t pid, uint32_t tid, const char *comm,
		    size_t len, bool exec);

#endif
