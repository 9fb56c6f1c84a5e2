/*
 * What the last seconds of a recording counted, for an overview of what is hot now.
 *
 * The window is cut into slices of time. A slice stores the addresses and call paths that counted
 * in it, by number, and is emptied when the window has moved past it. So memory grows with the
 * distinct addresses and paths of each slice, never with the number of samples. Because only
 * numbers are stored, a name that is found or changed later applies to the whole window.
 */
#ifndef READPERF_DECODE_COUNT_RECENTCOUNT_H
#define READPERF_DECODE_COUNT_RECENTCOUNT_H

#include "decode/count/tally.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECENT_SLICES = 100 };

/** What is counted. */
enum recentcount_kind {
	RECENT_ADDRESS,	 /* an address, by its number in the address table */
	RECENT_LEFT_OUT, /* an event, by number: samples that a filter leaves out */
	RECENT_WAITING,	 /* a path of the store's waiting table */
	RECENT_PATH,	 /* from here on: a path of the store's table number kind - RECENT_PATH */
};

struct recentcount_count {
	uint32_t kind, number;
	uint32_t tuple; /* of the keys of --per; 0 without any */
	struct tally tally;
};

/** Each of kind, number and tuple together occurs once. All zero is empty. */
struct recentcount_counts {
	struct recentcount_count *list;
	size_t room;
	struct index index;
};

/** Initialized by recentcount_init(). */
struct recentcount {
	uint64_t length, slice_length; /* ns; both 0: nothing is counted */
	uint64_t newest;	       /* number of the newest slice: its time / slice_length */
	bool timed;		       /* a sample had a time */
	struct recentcount_counts slices[RECENT_SLICES]; /* by slice number % RECENT_SLICES */
};

/** Makes an empty window of @length ns; 0: no window. */
void recentcount_init(struct recentcount *window, uint64_t length);

/**
 * Counts a sample of @count->tally, taken at @time (ns), for what else @count tells. The window
 * ends with the slice of the latest time so far; a sample older than the window is not counted.
 * Returns false if memory is out.
 */
bool recentcount_count(struct recentcount *window, uint64_t time,
		       const struct recentcount_count *count);

/** Sets all counts of RECENT_WAITING to 0. */
void recentcount_forget_waiting(struct recentcount *window);

/**
 * Adds up all slices into @sum, which must be empty. Returns false if memory is out; call
 * recentcount_counts_free() even then.
 */
bool recentcount_sum(const struct recentcount *window, struct recentcount_counts *sum);

void recentcount_counts_free(struct recentcount_counts *counts);

void recentcount_free(struct recentcount *window);

#endif
