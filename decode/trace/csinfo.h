/*
 * What a recording says of the CPUs of a CoreSight trace: AUXTRACE_INFO and AUX_OUTPUT_HW_ID.
 *
 * The words are those of tools/perf/util/cs-etm.h.
 */
#ifndef READPERF_DECODE_TRACE_CSINFO_H
#define READPERF_DECODE_TRACE_CSINFO_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum csinfo_protocol {
	CSINFO_UNKNOWN, /* it is not decoded, nor are: */
	CSINFO_ETM3,	/* and PTM */
	CSINFO_ETM4,
	CSINFO_ETE,
};

/** A CPU's trace unit: registers as the recorder read them. */
struct csinfo_cpu {
	uint32_t cpu;
	uint8_t protocol; /* enum csinfo_protocol */
	uint8_t id;	  /* its trace id, 0x01 to 0x6f; 0: unknown */
	bool has_sink;
	uint32_t sink; /* where its trace goes: CPUs of different sinks may have the same id */
	uint32_t configr, idr0, idr1, idr2, idr8, devarch;
	bool has_kernel_time; /* its timestamps count the timer that TIME_CONV converts */
};

/** All zero is empty. */
struct csinfo {
	uint32_t pmu; /* attr.type of the traced event */
	bool snapshot;
	struct csinfo_cpu *cpus;
	size_t nr_cpus;
};

/** What a configuration records: bits of configr. */
enum {
	CSINFO_DATA = 3 << 1 | 7 << 8, /* loads, stores, conditional instructions: other packets */
	CSINFO_CYCLES = 1 << 4,
	CSINFO_CONTEXT = 1 << 6,	       /* the thread, in CONTEXTIDR_EL1 */
	CSINFO_CONTEXT_EL2 = 1 << 7 | 1 << 15, /* the same in CONTEXTIDR_EL2 */
	CSINFO_TIME = 1 << 11,
};

/**
 * Reads the words of @record. Returns 1, 0 if they make no sense, -1 if memory is out;
 * csinfo_free() in any case.
 */
int csinfo_read(struct csinfo *info, const struct record_auxtrace_info *record);

/** Takes note of the trace id of @cpu in @hw_id, of AUX_OUTPUT_HW_ID. */
void csinfo_note_id(struct csinfo *info, uint32_t cpu, uint64_t hw_id);

/** Whether the trace of @cpu, which may be NULL, can be decoded. */
bool csinfo_is_decoded(const struct csinfo_cpu *cpu);

/** The trace unit of @cpu; NULL: unknown. */
const struct csinfo_cpu *csinfo_of_cpu(const struct csinfo *info, uint32_t cpu);

/** The trace unit with @id in the buffer of @cpu, which may be unknown. NULL: there is none. */
const struct csinfo_cpu *csinfo_of_id(const struct csinfo *info, uint8_t id, uint32_t cpu);

void csinfo_free(struct csinfo *info);

#endif
