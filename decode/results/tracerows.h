/*
 * Hardware traces, and the processor's own samples.
 */
#ifndef READPERF_DECODE_RESULTS_TRACEROWS_H
#define READPERF_DECODE_RESULTS_TRACEROWS_H

#include "decode/results/eventrows.h"
#include "decode/results/pathrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a function did in a hardware trace: a process's threads together. */
struct trace_stat {
	const struct event *event;
	uint32_t pid;
	const char *comm;
	const char *binary, *function, *filename, *build_id, *reason; /* as in function_stat */
	uint32_t line;			     /* of the function's definition; 0: unknown */
	uint64_t instructions, calls, jumps; /* jumps: entries without a call */
	uint64_t ns, cycles;		     /* of its own code; valid if the trace has them */
	uint64_t all_instructions, all_ns, all_cycles; /* with those that it called */
	uint64_t nr_timed, min_ns, max_ns;	       /* entries that ended: how long they took */
	uint64_t total;				       /* instructions of all functions */
	const char *clock;			       /* as in trace_outcome */
	bool has_cycles;
};

/** What a hardware trace lacks. */
struct trace_loss_stat {
	const struct event *event;
	int64_t cpu, tid; /* -1: all */
	const char *kind;
	const char *binary; /* whose code it was; "" if none */
	uint64_t time, ip;  /* of the first; 0: unknown */
	uint64_t bytes, ns, count;
};

/** A hardware trace as a whole. */
struct trace_outcome {
	const char *decoder; /* "libipt 2.0"; NULL: there is none for it */
	const char *clock;   /* "cyc", "mtc", "tsc", "" */
	uint64_t bytes, lost_bytes;
	uint64_t undone; /* bytes that were not reached, as the user stopped it: */
	bool stopped;
	uint64_t instructions, ns, cycles; /* that count */
	uint64_t overflows, errors;
	uint64_t old_bytes; /* of ETMv3 and PTM, which are lost */
	bool unknown_cpu;   /* the decoder does not know the CPU: it works as for any */
	bool has_cycles;
};

/** Operations of a process in a function that the processor has sampled itself. */
struct spe_stat {
	const struct event *event; /* what they did */
	uint32_t pid;		   /* UINT32_MAX: unknown */
	const char *comm;
	const char *binary, *function, *filename, *build_id, *reason; /* as in function_stat */
	uint32_t line;		 /* of the function's definition; 0: unknown */
	uint64_t records, total; /* total: of the event */
	uint64_t interval;	 /* operations that each stands for; 0: unknown */
	/* Cycles: whole, until it was issued, of the address; and how many tell of them. */
	uint64_t latency[3], known[3];
};

/** Operations of the processor's own samples, as a whole. */
struct operation_outcome {
	uint64_t bytes, lost_bytes;
	uint64_t undone; /* bytes that were not reached, as the user stopped it: */
	bool stopped;
	uint64_t records; /* that were decoded */
	uint64_t chosen;  /* of these: those that pass the filters */
	uint64_t threadless, timeless, repeated, collisions; /* as in struct spe_totals */
	const char *filters; /* which operations alone were recorded; "": all */
	bool is_old;	     /* the recording does not tell of CPUs */
};

/**
 * What a hardware trace executed, as an event of its own. Each instruction is a sample of period 1,
 * but none of a SAMPLE record: no sum of the results has them.
 */
struct trace_profile {
	struct event_stat stat;		       /* its number is that behind all others */
	const struct function_stat *functions; /* as those of the results; not in their array */
	size_t nr_functions;
	const struct path_stat *paths; /* as pathstat_paths; if tracestat_profile is needed */
	size_t nr_paths;
	const struct call_stat *calls; /* as pathstat_calls; the same */
	size_t nr_calls;
};

#endif
