/*
 * When threads run and when they do not, as the scheduler's records tell it.
 *
 * A thread leaves its CPU, is woken, and comes back. What is between two of these counts for the
 * thread, and a whole absence for the place where it left (waits.h). An absence whose beginning or
 * end is not in the recording, and one during which records were lost, counts nowhere.
 *
 * Threads are known by the tid that the records have; there is state for each that has not exited.
 * Thread 0 is idle and has none.
 */
#ifndef READPERF_DECODE_PROCESS_SWITCHES_H
#define READPERF_DECODE_PROCESS_SWITCHES_H

#include "decode/count/pendingwaits.h"
#include "decode/count/waits.h"
#include "decode/process/process.h"
#include "util/chains.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where the time of a thread went, in ns: from the first switch that tells of it to the last one.
 */
struct switch_times {
	uint64_t on;	   /* it ran */
	uint64_t off;	   /* it waited until it was woken */
	uint64_t delay;	   /* it could run, but did not: after that, or because it was preempted */
	uint64_t switches; /* how often it left its CPU */
	uint64_t preemptions; /* of these: although it could run */
};

/** A thread leaves its CPU. */
struct switch_out {
	struct wait_place place; /* of the thread's process; pid PID_NONE: not known */
	uint64_t time;		 /* ns */
	uint32_t number;	 /* the tid that the scheduler's records have */
	uint32_t tid;		 /* the tid of the thread's other records; PID_NONE: not known */
	bool preempted;		 /* it could go on */
	bool dead;		 /* it has exited and will not come back */
	bool chosen;		 /* it counts for its place: filters */
	bool again;		 /* another record may have told it: then it does nothing */
};

/** What is missing. */
struct switch_gaps {
	/* These two are not of threads of which only samples of others tell: that they come. */
	uint64_t begins;    /* threads that came back, and did not leave in the recording */
	uint64_t ends;	    /* threads that left, and did not come back */
	uint64_t lost;	    /* times to which records were lost */
	uint64_t missed;    /* switches that must have been, and are not in the recording */
	uint64_t backwards; /* times that would end before they begin */
	uint64_t chainless; /* waits whose user call chain was to come later, and did not */
};

struct switch_cpu;

/** Initialized with @processes, the rest zero. */
struct switches {
	struct process_table *processes;
	struct waits waits;
	struct pending_waits pending; /* those whose user call chain comes later */
	struct chains threads;	      /* by number */
	struct switch_cpu *cpus;
	size_t nr_cpus, cpus_room;
	uint64_t losses; /* counts the times that records were lost */
	struct switch_gaps gaps;
};

/** Of @cpu, the thread @out leaves and @next comes. Returns false if memory is out. */
bool switches_switch(struct switches *switches, const struct switch_out *out, uint32_t cpu,
		     uint32_t next);

/** A thread leaves. Returns false if memory is out. */
bool switches_leave(struct switches *switches, const struct switch_out *out);

/** The thread @number comes; @again as in struct switch_out. Returns false if memory is out. */
bool switches_enter(struct switches *switches, uint32_t number, uint64_t time, bool again);

/** The thread @number is woken. Returns false if memory is out. */
bool switches_wake(struct switches *switches, uint32_t number, uint64_t time);

/**
 * There is a thread @tid of the process @pid. @begins: it is new, whatever was known by that
 * number. Returns false if memory is out.
 */
bool switches_fork(struct switches *switches, uint32_t pid, uint32_t tid, bool begins);

/** The thread @tid exits: once it leaves, it will not come back. */
void switches_exit(struct switches *switches, uint32_t tid);

/** Adds @sum to the waits at @place, which may be pending. Returns false if memory is out. */
bool switches_add_wait(struct switches *switches, const struct wait_place *place,
		       const struct wait_sum *sum);

/**
 * The place of the pending wait @number is known: path @path of @table. @came: with its user call
 * chain. Returns false if memory is out.
 */
bool switches_resolve(struct switches *switches, uint32_t number, uint32_t table, uint32_t path,
		      bool came);

/** Records were lost. */
void switches_lose(struct switches *switches);

/** What is missing so far; @ends is that of the threads that are away now. */
struct switch_gaps switches_gaps(const struct switches *switches);

/** Frees @switches, but not the times that threads have. */
void switches_free(struct switches *switches);

#endif
