/*
 * What was counted when: in slices of time, and in the last part of a recording.
 */
#ifndef READPERF_DECODE_RESULTS_TIMEROWS_H
#define READPERF_DECODE_RESULTS_TIMEROWS_H

#include "decode/results/functionrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A part of the recording's time: all are equally long, each event has the same ones. */
struct timeline_part {
	const struct event *event;
	uint64_t start, length; /* ns of the recording's clock; [start, start + length) */
	uint64_t samples;	/* SAMPLE records of the event in it; without a time: nowhere */
};

/** What slices of time are divided by. */
enum slice_by { SLICE_BY_PROCESS, SLICE_BY_FUNCTION, SLICE_BY_CPU, SLICE_BY_NONE };
#define SLICE_BY_WORDS "process|function|cpu|none"

/** Length of a slice in ns unless another one is given. */
#define SLICE_DEFAULT UINT64_C(100000000)

/** What an event counted in a slice of time; what it is of is decided by --slice-by. */
struct slice_stat {
	const struct event *event;
	uint64_t start, length; /* ns of the recording's clock */
	bool has_pid, has_cpu;
	uint32_t pid, cpu;		      /* if known; pid UINT32_MAX: of no known process */
	const char *comm;		      /* of the process; "" otherwise */
	const struct function_stat *function; /* NULL if not by functions */
	struct tally tally;
};

/** What an event counted in the window; members as in event_stat. */
struct window_event {
	struct tally total, taken;
};

struct split_stat;

/** The last part of a recording, up to its last sample. */
struct window_stat {
	uint64_t length;		   /* ns, as requested */
	const struct window_event *events; /* by event number */
	/* those with samples in the window: self and children are of it; in the order of all
	 * functions */
	const struct function_stat *functions;
	size_t nr_functions;
	const struct split_stat *split; /* these, split by keys; NULL: not requested */
};

#endif
