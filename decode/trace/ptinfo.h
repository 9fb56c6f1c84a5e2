/*
 * What AUXTRACE_INFO says of an Intel PT trace: how to convert its clock, and what was recorded.
 *
 * The words are those of tools/perf/util/intel-pt.h.
 */
#ifndef READPERF_DECODE_TRACE_PTINFO_H
#define READPERF_DECODE_TRACE_PTINFO_H

#include "perffile/event.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

/** How the thread that runs on a CPU is told. */
enum ptinfo_switches {
	PTINFO_NO_SWITCHES,
	PTINFO_SCHED_SWITCH,	/* samples of the tracepoint */
	PTINFO_SWITCH,		/* SWITCH records */
	PTINFO_SWITCH_CPU_WIDE, /* SWITCH_CPU_WIDE records, with the next thread */
};

struct ptinfo {
	uint32_t pmu;		       /* attr.type of the traced event */
	uint64_t shift, mult, zero;    /* converts the time stamp counter to ns */
	bool has_clock;		       /* these are valid */
	unsigned switches;	       /* enum ptinfo_switches */
	bool snapshot, per_cpu;	       /* pieces overlap; a buffer is of a CPU, else of a thread */
	uint64_t tsc_bits;	       /* masks in the event's config; 0: unknown */
	uint64_t mtc_bits, mtc_period; /* mtc_period: all bits of the number */
	uint64_t cyc_bits;
	uint32_t ctc_numerator, ctc_denominator; /* cpuid leaf 0x15: ebx and eax; 0: unknown */
	uint8_t max_ratio;			 /* highest non-turbo ratio; 0: unknown */
};

/** What the clock of a trace is made of, from coarse to fine. */
enum ptinfo_clock { PTINFO_NO_CLOCK, PTINFO_TSC, PTINFO_MTC, PTINFO_CYC };

/** Reads the words of @record. Returns false if there are too few. */
bool ptinfo_read(struct ptinfo *info, const struct record_auxtrace_info *record);

/** Converts a time stamp counter to ns of the recording's clock. */
uint64_t ptinfo_ns(const struct ptinfo *info, uint64_t tsc);

/** The finest clock that an event with this attr.config records. */
enum ptinfo_clock ptinfo_finest(const struct ptinfo *info, uint64_t config);

/** The number of crystal ticks between two MTC packets, as a power of two. */
uint8_t ptinfo_mtc_period(const struct ptinfo *info, uint64_t config);

#endif
