/*
 * Accesses to memory and to cache lines.
 */
#ifndef READPERF_DECODE_RESULTS_MEMORYROWS_H
#define READPERF_DECODE_RESULTS_MEMORYROWS_H

#include "decode/count/tally.h"
#include "perffile/event.h"

#include <stdbool.h>
#include <stdint.h>

/** Latencies in core cycles; those of 0 are not known. */
struct latency_stat {
	uint64_t sum, known; /* sum, and number of those that are known */
	uint64_t min, max;
	uint64_t p50, p99; /* at most an eighth away */
};

/** Accesses of a function to memory under an event that met the same. */
struct memory_stat {
	const struct event *event;
	const char *binary, *function, *filename, *build_id, *reason; /* as in function_stat */
	const char *op, *source, *snoop, *tlb, *locked; /* words (decode/answer/memoryaccess.h) */
	struct tally tally;
	struct latency_stat latency;
	uint64_t instruction_sum, instruction_known; /* latency of the whole instruction */
	uint64_t all_latency;			     /* sum of the latencies of the event */
};

/** What became of samples that tell of accesses to memory. */
struct memory_totals {
	uint64_t samples; /* those of events that record it */
	uint64_t beyond;  /* left out: distinct ones beyond what fits in memory */
};

/** Accesses of a function to an offset in a cache line. */
struct cacheline_stat {
	uint32_t data_dso;	 /* number of the dso that is mapped there */
	const char *data_binary; /* what is mapped there: a file, "[heap]", "[anon]", ... */
	uint64_t line;		 /* its address; in a file its place in it */
	bool is_private;	 /* memory of one process: */
	uint32_t pid;		 /* this one */
	uint32_t offset;	 /* bytes from the start of the line */
	const char *binary, *function, *filename, *build_id, *reason; /* as in function_stat */
	uint64_t records, loads, stores;
	uint64_t hitm_local, hitm_remote, peer; /* loads, as of enum cacheline_counter */
	uint64_t l1hit_stores, l1miss_stores, ram;
	uint64_t tids, cpus; /* numbers of different ones */
	/* Of the whole line. */
	uint64_t line_records, line_hitm; /* line_hitm: of both kinds, and peer */
	uint64_t line_offsets, line_tids;
};

/** What became of samples that tell of an address in memory. */
struct cacheline_totals {
	uint64_t samples; /* those of events that record address and data_src; of them left out: */
	uint64_t no_op;	  /* neither loads nor stores */
	uint64_t no_addr; /* without an address */
	uint64_t beyond;  /* distinct ones beyond what fits in memory */
};

#endif
