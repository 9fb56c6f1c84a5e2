/*
 * CoreSight traces: every branch that a program on Arm took. Decodes them when all records of a
 * recording have been applied, one section after the other.
 */
#ifndef READPERF_DECODE_TRACE_CSTRACE_H
#define READPERF_DECODE_TRACE_CSTRACE_H

#include "decode/trace/csinfo.h"
#include "decode/trace/cssection.h"
#include "decode/trace/tracestate.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>

/** All zero is empty. */
struct cstrace {
	struct csinfo info;
	struct cssections sections;
};

/**
 * Takes note of @rec in @cs and @tracing, which keeps the bytes and what else is needed. Returns
 * false if memory is out.
 */
bool cstrace_record(struct cstrace *cs, struct hardware_trace *tracing, const struct record *rec);

/**
 * Decodes what was noted, once, and counts it in @tracing. Returns 0, or -1 with @err filled.
 */
int cstrace_decode(struct cstrace *cs, struct hardware_trace *tracing,
		   const struct trace_sources *sources, struct error *err);

void cstrace_free(struct cstrace *cs);

#endif
