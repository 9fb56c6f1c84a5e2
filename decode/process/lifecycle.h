/*
 * How processes and threads begin and end: applies FORK, EXIT and COMM to the process table.
 *
 * The kernel writes FORK before the child runs, and EXIT while the thread is still exiting
 * (kernel/events/core.c). Records that perf synthesizes for processes that existed before the
 * recording have time 0; its FORKs have bit 13 of misc set (tools/perf/util/synthetic-events.c).
 */
#ifndef READPERF_DECODE_PROCESS_LIFECYCLE_H
#define READPERF_DECODE_PROCESS_LIFECYCLE_H

#include "decode/process/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A FORK: thread @ptid of @ppid created @tid of @pid. @ppid is the same process or its parent. */
struct fork_task {
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;	/* ns; 0: it existed before the recording */
	bool copy_maps; /* a new process gets the maps of its parent */
};

/**
 * Applies a FORK. A new thread gets the comm of the thread that created it. Returns false if memory
 * is out or a life could not be retired, like all functions here.
 */
bool lifecycle_fork(struct process_table *table, const struct fork_task *task);

/** Applies an EXIT of thread @tid of @pid at @time (ns). Samples may still follow. */
bool lifecycle_exit(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time);

/**
 * Applies a COMM: the @len bytes at @comm become the comm of the thread. With @exec its process
 * starts another program: the old maps are removed, and all other threads end.
 */
bool lifecycle_comm(struct process_table *table, uint32_t pid, uint32_t tid, const char *comm,
		    size_t len, bool exec);

#endif
