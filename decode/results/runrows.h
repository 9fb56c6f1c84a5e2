/*
 * The recording as a whole.
 */
#ifndef READPERF_DECODE_RESULTS_RUNROWS_H
#define READPERF_DECODE_RESULTS_RUNROWS_H

#include "perffile/fact.h" /* the rows of headerstat_facts */

#include <stdbool.h>
#include <stdint.h>

/** A row of stat.csv. */
struct record_stat {
	const char *record; /* "MMAP2", "UNKNOWN_200", "[lost]" */
	uint64_t count;
};

/** A recording as a whole: the row of run.csv. Texts are "" if they are unknown. */
struct run_stat {
	const char *host, *command, *kernel, *machine, *cpu, *perf;
	uint64_t cpus;	      /* number of those online; 0 if unknown */
	bool timed;	      /* @first and @duration are known */
	uint64_t first;	      /* ns of the recording's clock at the first sample */
	uint64_t duration;    /* ns from the first sample to the last */
	uint64_t start;	      /* ns since 1970 of the first sample, if @start_by is not "" */
	const char *start_by; /* what tells @start: "clock" of the recording, time of the "file" */
	uint64_t lost, damaged, truncated_bytes, missing_bytes; /* see struct perffile_counts */
};

#endif
