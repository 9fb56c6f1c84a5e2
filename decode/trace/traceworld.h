/*
 * The world over time: which thread ran on each CPU, and what each process had mapped, at every
 * moment of the recording. So a trace can be decoded after the records have been replayed.
 *
 * Address spaces are kept as they were, by reference: maps.h copies what changes. Memory grows with
 * the records that tell of maps, threads and switches.
 */
#ifndef READPERF_DECODE_TRACE_TRACEWORLD_H
#define READPERF_DECODE_TRACE_TRACEWORLD_H

#include "decode/process/maps.h"
#include "decode/process/process.h"
#include "perffile/record.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A process from @time on. Code that was made later and lies where none was before is in its maps,
 * too: clocks of traces are not exact enough to tell when it came.
 */
struct trace_space {
	uint64_t time; /* ns */
	uint64_t nr;   /* order of the records */
	uint64_t life; /* ordinal number of the life of the process */
	uint32_t pid;
	uint32_t comm;	      /* number in the strings of the process table */
	struct map_set *maps; /* shared */
};

/** The thread that runs on @cpu from @time on. */
struct trace_switch {
	uint64_t time, nr;
	uint32_t cpu, pid, tid; /* pid: PID_NONE if unknown */
};

/** A thread that is known from @time on. */
struct trace_thread {
	uint64_t time, nr;
	uint32_t pid, tid;
};

/** All zero is empty. */
struct traceworld {
	unsigned switches; /* enum ptinfo_switches: which records tell of them */
	bool has_data;	   /* maps of data are wanted, too */
	uint64_t nr;
	struct trace_space *spaces;
	struct index by_pid; /* index of newest */
	size_t *newest;	     /* numbers of the last spaces of processes */
	size_t newest_room;
	struct trace_switch *runs;
	struct trace_thread *threads;
	size_t nr_spaces, spaces_room, nr_runs, runs_room, nr_threads, threads_room;
};

/** Takes note of @rec, which has been applied to @processes. Returns false if memory is out. */
bool traceworld_record(struct traceworld *world, const struct process_table *processes,
		       const struct record *rec);

/**
 * Notes that @process has other maps from @time on, as code was made that @displaces other code, or
 * does not. Returns false if memory is out.
 */
bool traceworld_code(struct traceworld *world, const struct process *process, uint64_t time,
		     bool displaces);

/** Notes that thread @tid of @pid runs on @cpu from @time on. Returns false if memory is out. */
bool traceworld_run(struct traceworld *world, uint64_t time, uint32_t cpu, uint32_t pid,
		    uint32_t tid);

/** Sorts what was noted; call it before any of the functions below. */
void traceworld_sort(struct traceworld *world);

/** The process @pid at @time or, if it is known only later, then. NULL: unknown. */
const struct trace_space *traceworld_space(const struct traceworld *world, uint32_t pid,
					   uint64_t time);

/** The thread that runs on @cpu at @time. NULL: unknown. */
const struct trace_switch *traceworld_running(const struct traceworld *world, uint32_t cpu,
					      uint64_t time);

/** The process of thread @tid at @time; PID_NONE: unknown. */
uint32_t traceworld_pid(const struct traceworld *world, uint32_t tid, uint64_t time);

/** Who executes something, as far as it is known. */
struct trace_who {
	const struct trace_space *space; /* NULL: unknown */
	uint32_t pid, tid;		 /* PID_NONE, UINT32_MAX: unknown */
};

/** Who runs on @cpu or, if @tid is given, as that thread, at @ns; 0: at the end. */
struct trace_who traceworld_who(const struct traceworld *world, uint32_t cpu, uint32_t tid,
				uint64_t ns);

void traceworld_free(struct traceworld *world);

#endif
