/*
 * What the last seconds of a recording counted: for an overview of what is hot now.
 *
 * The window is cut into slices of time. A slice notes what counted in it, an address or a call
 * path by its number, and is emptied when the window has moved past it. So memory grows with the
 * distinct addresses and paths of each slice, never with the number of samples; and since it is
 * numbers that count, a name that is found later or changes is that of the whole window.
 */
#ifndef READPERF_DECODE_COUNT_RECENTCOUNT_H
#define READPERF_DECODE_COUNT_RECENTCOUNT_H

#include "decode/count/tally.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECENT_SLICES = 100 };

/** What a count is of. */
enum recentcount_kind {
	RECENT_ADDRESS,	 /* an address of the address table */
	RECENT_LEFT_OUT, /* an event: samples that a filter leaves out */
	RECENT_WAITING,	 /* a path of the store's waiting table */
	RECENT_PATH,	 /* this and above: a path of the store's table number kind - RECENT_PATH */
};

struct recentcount_count {
	uint32_t kind, number;
	struct tally tally;
};

/** Each kind and number once. All zero is empty. */
struct recentcount_counts {
	struct recentcount_count *list;
	size_t room;
	struct index index;
};

/** All zero but for what recentcount_init() sets. */
struct recentcount {
	uint64_t length, slice_length; /* ns; 0: nothing is counted */
	uint64_t newest;	       /* number of the newest slice: its time / slice_length */
	bool timed;		       /* there was something to count */
	struct recentcount_counts slices[RECENT_SLICES]; /* by number % RECENT_SLICES */
};

/** An empty window of @length ns; 0: there is none. */
void recentcount_init(struct recentcount *window, uint64_t length);

/**
 * Counts a sample of @period, taken at @time (ns), for @number of @kind (see enum
 * recentcount_kind). The window ends with the newest time that it has seen, to a slice: what is
 * older than it is not counted. Returns false if memory is out.
 */
bool recentcount_count(struct recentcount *window, uint64_t time, uint32_t kind, uint32_t number,
		       uint64_t period);

/** Forgets what counted for RECENT_WAITING. */
void recentcount_forget_waiting(struct recentcount *window);

/** Adds up all slices in @sum, which is empty. False if memory is out; recentcount_counts_free()
 * then, too. */
bool recentcount_sum(const struct recentcount *window, struct recentcount_counts *sum);

void recentcount_counts_free(struct recentcount_counts *counts);

void recentcount_free(struct recentcount *window);

#endif
