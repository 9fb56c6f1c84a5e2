/*
 * What AUXTRACE_INFO and the attr of its event say of an Arm SPE trace: the CPUs, and which
 * operations were sampled.
 *
 * The words are those of tools/perf/util/arm-spe.h.
 */
#ifndef READPERF_DECODE_TRACE_SPEINFO_H
#define READPERF_DECODE_TRACE_SPEINFO_H

#include "perffile/event.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct speinfo_cpu {
	uint32_t cpu;
	uint64_t midr;	       /* which core it is: register MIDR_EL1 */
	uint64_t event_filter; /* bits of events that can be filtered, so that they are recorded */
};

/** All zero is empty. */
struct speinfo {
	uint32_t pmu; /* attr.type of the traced event */
	bool per_cpu; /* a buffer is of a CPU, else of a thread */
	bool is_old;  /* written by a perf that did not tell of CPUs */
	struct speinfo_cpu *cpus;
	size_t nr_cpus;
	uint64_t midr; /* of all CPUs, if @cpus does not tell; 0: unknown */
};

/**
 * Reads the words of @record. Returns 1, 0 if they make no sense, -1 if memory is out;
 * speinfo_free() in any case.
 */
int speinfo_read(struct speinfo *info, const struct record_auxtrace_info *record);

/** Sets what is not known of CPUs by @cpuid, the header's text; it may be NULL. */
void speinfo_set_cpuid(struct speinfo *info, const char *cpuid);

/**
 * What is known of @cpu. UINT32_MAX, as for a trace of a thread: if all CPUs are of one kind, what
 * is known of them. The MIDR is 0 if unknown.
 */
struct speinfo_cpu speinfo_of_cpu(const struct speinfo *info, uint32_t cpu);

void speinfo_free(struct speinfo *info);

enum { SPEINFO_FILTERS_MAX = 128 };

/**
 * Writes to @text which operations alone the traced event records ("loads, stores, at least 30
 * cycles"); "" if all.
 */
void speinfo_filters(const struct attr *attr, char text[SPEINFO_FILTERS_MAX]);

#endif
