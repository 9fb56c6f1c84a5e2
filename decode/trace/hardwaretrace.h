/*
 * Hardware traces: what is noted of them while a recording is read, and their decoding when all
 * records have been applied. The door of decode/trace/.
 */
#ifndef READPERF_DECODE_TRACE_HARDWARETRACE_H
#define READPERF_DECODE_TRACE_HARDWARETRACE_H

#include "decode/process/process.h"
#include "decode/trace/tracestate.h"
#include "perffile/record.h"
#include "util/error.h"

/** The name of the event that the instructions of a trace are. */
const char *hardware_trace_event(const struct hardware_trace *tracing);

/** Takes note of @rec, which has been applied to @processes. Returns 0, or -1 with @err filled. */
int hardware_trace_record(struct hardware_trace *tracing, const struct process_table *processes,
			  const struct record *rec, struct error *err);

/** Decodes what was noted, once. Returns 0, or -1 with @err filled. */
int hardware_trace_decode(struct hardware_trace *tracing, const struct trace_sources *sources,
			  struct error *err);

void hardware_trace_free(struct hardware_trace *tracing);

#endif
