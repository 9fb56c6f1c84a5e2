/*
 * Processes and threads.
 */
#ifndef READPERF_DECODE_RESULTS_PROCESSROWS_H
#define READPERF_DECODE_RESULTS_PROCESSROWS_H

#include "decode/count/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A life of a process; a pid that is reused has several lives. */
struct process_stat {
	int64_t pid; /* -1: samples whose process is unknown */
	const char *comm;
	uint64_t nr_mmaps;
	bool has_fork, has_exit, has_ppid;
	uint64_t fork, exit; /* ns of the recording's clock */
	int64_t ppid;
	uint64_t threads;
	const char *exe;	      /* "" if unknown */
	const struct tally *by_event; /* by number of the recording's events */
	const uint32_t *events;	      /* numbers of the events that it has samples of, ascending */
	size_t nr_events;	      /* length of @events */
};

/** A life of a thread. */
struct thread_stat {
	int64_t pid, tid; /* both -1: samples whose process is unknown */
	uint64_t life;	  /* ordinal number, unique; of no meaning if the process is unknown */
	const char *comm;
	bool has_fork, has_exit;
	uint64_t fork, exit;	      /* ns of the recording's clock */
	const char *process_comm;     /* comm of its process: the last one */
	const char *exe;	      /* main binary; "" if unknown */
	const struct tally *by_event; /* as in struct process_stat */
	const uint32_t *events;
	size_t nr_events;
	bool has_switches; /* records tell when it ran; in ns: */
	uint64_t on_cpu, off_cpu, delay;
	uint64_t switches, preemptions;
};

#endif
