/*
 * The trace of one CPU as it is decoded: what its elements mean for who runs, for the clock and for
 * what is counted, and what of it is lost.
 *
 * Traces of several CPUs come mixed, and counting is about one thread at a time: a channel keeps
 * what was executed until its clock moves, or its thread changes.
 */
#ifndef READPERF_DECODE_TRACE_CSCHANNEL_H
#define READPERF_DECODE_TRACE_CSCHANNEL_H

#include "decode/trace/csdecode.h"
#include "decode/trace/csinfo.h"
#include "decode/trace/cssection.h"
#include "decode/trace/tracestate.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What all channels share. */
struct cs_decoding {
	struct hardware_trace *tracing;
	const struct trace_sources *sources;
	const struct record_time_conv *clock;
	const struct cssection *section; /* the one at hand */
	struct tracespots spots;
	uint64_t since_look; /* instructions since somebody looked whether to stop */
	struct error *err;
	bool failed; /* it says why */
};

struct cs_channel {
	struct cs_decoding *decoding;
	const struct csinfo_cpu *cpu;
	struct csdecode *decoder; /* NULL: nothing came yet */
	bool is_used;		  /* by the section at hand */
	struct trace_who who;
	uint32_t context;	     /* the thread that the trace tells; UINT32_MAX: none */
	struct trace_legs legs;	     /* not counted yet */
	uint64_t cycles;	     /* of them */
	uint8_t arrival;	     /* enum trace_arrival, of the next one */
	uint64_t clock;		     /* ns before the first one; 0: unknown */
	uint64_t now;		     /* ns that the trace told last in this section; 0: none */
	bool is_lost;		     /* code was not known: */
	uint32_t lost_at;	     /* at this byte of the trace, and: */
	uint64_t unsynced;	     /* before it, as in struct csdecode_losses */
	uint32_t loss;		     /* number of the loss */
	struct csdecode_losses told; /* that were counted */
};

/** Decodes @nr bytes. Returns 0, or -1 with the error filled. */
int cschannel_put(struct cs_channel *channel, const uint8_t *bytes, size_t nr);

/** The section ends. As cschannel_put(). */
int cschannel_end(struct cs_channel *channel);

/** Adds a loss of @kind and @bytes, of @cpu or none. Returns its number; UINT32_MAX if memory is
 * out. */
uint32_t cschannel_lose(struct cs_decoding *decoding, const struct cs_channel *channel,
			enum trace_loss_kind kind, uint64_t ip, uint64_t bytes);

void cschannel_free(struct cs_channel *channel);

#endif
