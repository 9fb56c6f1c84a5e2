/*
 * Events, and what each counted.
 */
#ifndef READPERF_DECODE_RESULTS_EVENTROWS_H
#define READPERF_DECODE_RESULTS_EVENTROWS_H

#include "decode/count/tally.h"
#include "perffile/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What an event counted on one CPU; the event's totals are the sums over its CPUs. */
struct cpu_stat {
	struct tally total;
	uint64_t lost; /* lost records: the sum of LOST */
	/* the sum of LOST_SAMPLES, without samples that a BPF filter dropped */
	uint64_t lost_samples;
	uint64_t throttled, unthrottled;
	uint32_t cpu; /* if @has_cpu; else the counts are of no CPU, or of CPUs out of range */
	bool has_cpu;
};

struct event_stat {
	const struct event *event;
	struct tally total;
	/* records that the kernel dropped, each counted once (perffile/counts.h) */
	uint64_t dropped;
	struct tally taken; /* in the recording: @total plus the samples that a filter left out */
	const char *pmu;    /* name of the PMU of attr.type in the recording; NULL if unknown */
	/* Samples whose call chains end before the outermost function, the main reason
	 * (chain_end_word()), and what the user can do about it, part of a sentence; "" both if
	 * there are none. */
	struct tally cut;
	const char *cut_reason, *cut_advice;
	const char *chains_from; /* what its call chains were recorded from; NULL: it has none */
	/* samples whose recorded chain lacks the immediate caller: see missingcaller.h */
	struct tally caller_missing;
	const struct cpu_stat *cpus; /* ascending, then the counts without a CPU; at least one */
	size_t nr_cpus;
};

#endif
