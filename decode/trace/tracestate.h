/* What is known of the hardware traces of a recording, which the parts of their decoding share. */
#ifndef READPERF_DECODE_TRACE_TRACESTATE_H
#define READPERF_DECODE_TRACE_TRACESTATE_H

#include "decode/process/addrspace.h"
#include "decode/process/process.h"
#include "decode/symbol/symbol.h"
#include "decode/trace/ptinfo.h"
#include "decode/trace/tracebuffer.h"
#include "decode/trace/tracecode.h"
#include "decode/trace/tracecount.h"
#include "decode/trace/traceloss.h"
#include "decode/trace/tracepoke.h"
#include "decode/trace/traceworld.h"
#include "perffile/perffile.h"

#include <stdbool.h>
#include <stdint.h>

/** Who executes what, for a filter. */
struct trace_moment {
	const struct event *event;    /* NULL: any */
	uint32_t pid, tid, cpu, comm; /* UINT32_MAX: unknown; comm: a string's number */
	uint64_t time;		      /* ns; 0: unknown */
};

/** What came of the decoding. */
struct trace_totals {
	uint64_t bytes, lost_bytes;
	uint64_t undone; /* bytes that were not reached, as it was stopped */
	uint64_t overflows, errors;
	uint64_t old_bytes; /* of ETMv3 and PTM, which are lost */
	bool unknown_cpu;   /* the library does not know the errata of the CPU */
	bool no_event;	    /* nothing says what was traced */
	bool stopped;	    /* it was not decoded to its end */
};

/** All zero is empty: nothing is noted until it is wanted. */
struct hardware_trace {
	bool wanted;
	uint32_t type; /* enum trace_type; 0: unknown */
	bool has_info, is_decoded;
	struct ptinfo info;
	const struct event *event; /* what was traced; NULL before the decoding */
	enum ptinfo_clock clock;
	bool has_timestamps; /* a CoreSight trace has times that are the recording's */
	bool has_cycles;
	struct traceworld world;
	struct tracepokes pokes; /* how the kernel changed its code */
	struct tracebuffers buffers;
	struct trace_losses losses;
	struct tracecode code;
	struct tracecount count;
	struct trace_totals totals;
};

/** What the decoding needs; all borrowed. */
struct trace_sources {
	const struct perffile *file;
	const struct addrspaces *spaces;
	struct symbolizer *symbolizer;
	const struct record_time_conv *clock; /* converts counts of a timer of Arm */
	/* Whether what is executed counts, and what is told of the functions of a binary; NULL:
	 * all.
	 */
	bool (*chosen)(void *arg, const struct trace_moment *moment);
	bool (*is_named)(void *arg, const char *binary, const char *function);
	void (*show)(void *arg, uint64_t done, uint64_t total); /* bytes; NULL: nobody looks */
	bool (*stop)(void *arg); /* called often; true: stop with what was decoded; NULL: never */
	void *arg;
	unsigned threads; /* 0: as many as there are cores */
};

/**
 * Notes a loss of @kind that @rec tells of, in the buffer of its CPU or of its thread. Returns
 * false if memory is out.
 */
bool tracestate_lose(struct hardware_trace *tracing, const struct record *rec,
		     enum trace_loss_kind kind);

/** The event of @file that PMU @pmu traced; NULL: there is none. */
const struct event *tracestate_event(const struct perffile *file, uint32_t pmu);

/** Asks whether to stop, and takes note of it. Returns whether the decoding is to stop. */
bool tracestate_stops(struct hardware_trace *tracing, const struct trace_sources *sources);

/** Whether what @who does on @cpu (TRACE_OF_NONE: unknown) at @ns (0: unknown) counts. */
bool tracestate_chooses(const struct hardware_trace *tracing, const struct trace_sources *sources,
			const struct trace_who *who, uint32_t cpu, uint64_t ns);

#endif
