/*
 * A hardware trace as an event of its own, intel_pt:instructions: its functions, and the paths that
 * they were called by. Each instruction is a sample of period 1.
 */
#ifndef READPERF_DECODE_ANSWER_TRACEPROFILE_H
#define READPERF_DECODE_ANSWER_TRACEPROFILE_H

#include "decode/answer/calllist.h"
#include "decode/answer/pathlist.h"
#include "decode/results/functionrows.h"
#include "decode/results/tracerows.h"
#include "decode/trace/hardwaretrace.h"
#include "util/error.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero is empty. */
struct traceprofile {
	struct event event;
	struct cpu_stat nowhere; /* what the event's totals are made of */
	struct function_stat *functions;
	size_t nr;
	/* By number of a function of the trace: those that are called the same are one. */
	uint32_t *function_of;
	struct path_list paths;
	struct call_list calls;
	struct intern strings;
	struct trace_profile profile;
};

/**
 * Makes the functions of @tracing, which was decoded and has an event, and if @has_paths, its paths
 * and calls. @number: of the event, behind all others. Returns 0, or -1 with @err filled;
 * traceprofile_free() even then.
 */
int traceprofile_make(struct traceprofile *made, const struct hardware_trace *tracing,
		      unsigned number, bool has_paths, struct error *err);

void traceprofile_free(struct traceprofile *made);

#endif
