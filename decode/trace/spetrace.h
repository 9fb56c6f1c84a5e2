/*
 * Arm SPE traces: samples of operations, which the processor takes itself. Decodes them when all
 * records of a recording have been applied, one operation after the other.
 */
#ifndef READPERF_DECODE_TRACE_SPETRACE_H
#define READPERF_DECODE_TRACE_SPETRACE_H

#include "decode/process/addrspace.h"
#include "decode/process/process.h"
#include "decode/trace/hardwaretrace.h"
#include "decode/trace/speinfo.h"
#include "decode/trace/sperecord.h"
#include "perffile/event.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What an operation counts for; each is an event of its own, named "arm_spe:memory" and so on. */
enum spe_event {
	SPE_EVENT_INSTRUCTIONS, /* all operations */
	SPE_EVENT_MEMORY,	/* loads and stores */
	SPE_EVENT_BRANCH,
	SPE_EVENT_BRANCH_MISS,
	SPE_EVENT_L1D_ACCESS,
	SPE_EVENT_L1D_MISS,
	SPE_EVENT_L2_ACCESS,
	SPE_EVENT_L2_MISS,
	SPE_EVENT_LLC_ACCESS,
	SPE_EVENT_LLC_MISS,
	SPE_EVENT_TLB_ACCESS,
	SPE_EVENT_TLB_MISS,
	SPE_EVENT_REMOTE_ACCESS,
	NR_SPE_EVENTS,
};

/** A sampled operation, and who executed it. All borrowed. */
struct spe_operation {
	const struct sperecord *record;
	const struct event *events; /* NR_SPE_EVENTS */
	unsigned counts_for;	    /* a bit for each enum spe_event */
	/* Of the operation. pid: PID_NONE if unknown; only pid and maps of the process are set. */
	struct process process;
	uint32_t tid, cpu; /* PID_NONE, TRACE_OF_NONE if unknown */
	uint32_t comm;	   /* of the process, number of a string; UINT32_MAX if unknown */
	uint64_t time;	   /* ns; 0 if unknown */
	uint64_t data_src; /* of MEMORY */
	struct location at;
};

struct spe_totals {
	uint64_t records;
	uint64_t threadless; /* of these: whose thread is unknown */
	uint64_t timeless;   /* of these: without a time */
	uint64_t repeated;   /* left out: a snapshot had them already */
	uint64_t collisions; /* AUX records that tell of collisions */
};

/** All zero is empty. */
struct spetrace {
	bool is_snapshot; /* later pieces repeat what was in earlier ones */
	struct speinfo info;
	/* Once decoded. */
	const struct event *event; /* what was traced; NULL: nothing tells */
	struct event events[NR_SPE_EVENTS];
	struct spe_totals totals;
	char filters[SPEINFO_FILTERS_MAX]; /* which operations alone were recorded; "": all */
	uint64_t interval;		   /* operations from sample to sample; 0: unknown */
};

/** Takes operations: returns 0, or -1 with @err filled, which ends the decoding. */
struct spe_taker {
	int (*take)(void *arg, const struct spe_operation *operation, struct error *err);
	void *arg;
};

/**
 * Takes note of @rec in @spe and @tracing, which keeps the bytes and what else is needed. Returns
 * false if memory is out.
 */
bool spetrace_record(struct spetrace *spe, struct hardware_trace *tracing,
		     const struct record *rec);

/**
 * Decodes what @tracing has noted, once, and passes all operations to @taker. Returns 0, or -1 with
 * @err filled.
 */
int spetrace_decode(struct spetrace *spe, struct hardware_trace *tracing,
		    const struct trace_sources *sources, const struct spe_taker *taker,
		    struct error *err);

void spetrace_free(struct spetrace *spe);

#endif
