/*
 * The decoding of one buffer of a trace: what its steps mean for who runs, for the clock and for
 * what is counted, and what of them is lost.
 */
#ifndef READPERF_DECODE_TRACE_TRACERUN_H
#define READPERF_DECODE_TRACE_TRACERUN_H

#include "decode/trace/traceahead.h"
#include "decode/trace/tracepiece.h"
#include "decode/trace/tracestate.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What all runs share. */
struct trace_decoding {
	struct hardware_trace *tracing;
	const struct trace_sources *sources;
	struct trace_setup setup;
	struct tracekit kit;
	struct traceahead ahead;
	uint64_t done, total; /* bytes */
	uint64_t since_look;  /* legs and steps since somebody looked whether to stop */
};

struct trace_run {
	struct trace_buffer *buffer;
	struct tracepiece *next, *end; /* pieces to come */
	struct tracepiece *piece;      /* the one at hand; NULL: before the first, and at the end */
	bool is_logged;		       /* its steps are in its log, of which was read: */
	size_t legs_read, steps_read;
	struct tracereader reader;
	bool joined; /* the piece begins where the code of the one before ends */
	bool ended;
	uint64_t time;	   /* ns, of what comes next; 0: unknown */
	struct ptstep due; /* what comes next, once it is this run's turn */
	bool is_due;
	struct trace_who who;
	uint8_t arrival; /* enum trace_arrival, of the next leg */
	/* Cycles of the pieces before, of this one up to its last clock value, and of both those
	 * that were counted. */
	uint64_t cycles_before, cycles_read, cycles_given;
	uint64_t last_ip;
	uint32_t loss;	  /* number of the loss that the next clock value ends */
	uint64_t lost_at; /* ns when it began; 0: there is none */
};

/** Starts with the pieces of @buffer, [@first, @end). Returns 0, or -1 with @err filled. */
int tracerun_start(struct trace_decoding *decoding, struct trace_run *run,
		   struct trace_buffer *buffer, struct tracepiece *first, struct tracepiece *end,
		   struct error *err);

/**
 * Reads steps of @run, and takes them, until another thread may run on its CPU: that step is due
 * when all other buffers have come as far. Stops where that is wanted, with totals.stopped. Returns
 * 0, or -1 with @err filled.
 */
int tracerun_advance(struct trace_decoding *decoding, struct trace_run *run, struct error *err);

void tracerun_end(struct trace_run *run);

#endif
