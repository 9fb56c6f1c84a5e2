/*
 * Waits of threads, and their system calls.
 */
#ifndef READPERF_DECODE_RESULTS_WAITROWS_H
#define READPERF_DECODE_RESULTS_WAITROWS_H

#include "decode/results/functionrows.h"

#include <stdint.h>

/** Waits of the threads of a process that have one name, in a function. Sums in ns. */
struct offcpu_stat {
	uint32_t pid; /* UINT32_MAX: unknown */
	const char *comm;
	const struct function_stat *function; /* NULL: no call chain tells where they waited */
	const char *state;		      /* as the kernel prints it; "" if unknown */
	const char *waits_in;		      /* the kernel's function; "" if unknown */
	const char *source;		      /* what tells: sched_switch, offcpu-time, switch */
	uint64_t wait;			      /* until they were woken */
	uint64_t delay;			      /* from then until they ran */
	uint64_t preempt;		      /* off the CPU although they could run */
	uint64_t count;
	uint64_t max; /* the longest absence; 0: unknown */
	/* Of the function and all that it called, with the same state and waits_in. */
	uint64_t children_wait, children_count;
};

/** System calls of the threads of a process that have one name. Sums in ns. */
struct syscall_stat {
	uint32_t pid; /* UINT32_MAX: unknown */
	const char *comm;
	const char *name;    /* of the system call, or its number */
	uint64_t count;	     /* with begin and end */
	uint64_t failed;     /* those that returned an error */
	uint64_t total, max; /* times between begin and end */
	uint64_t unfinished; /* threads that are in it at the end */
};

/** What there was of system calls. */
struct syscall_totals {
	uint64_t samples; /* at their begin or end */
	uint64_t beyond;  /* samples of threads or calls that are too many */
};

/** What the answers on waits lack: see struct switch_gaps. */
struct offcpu_gaps {
	uint64_t begins, ends, lost, missed, backwards, chainless;
	uint64_t some; /* samples of scheduler events that skip some switches: -F */
};

#endif
