/*
 * A profile: the data of one run that a comparison uses, from a recording or from the results.csv
 * of an earlier run. Data that the source does not have is marked as unknown.
 */
#ifndef READPERF_DECODE_COMPARE_PROFILE_PROFILE_H
#define READPERF_DECODE_COMPARE_PROFILE_PROFILE_H

#include "decode/compare/profile/rowkeys.h"
#include "decode/results.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_event {
	const char *name;
	struct tally total;
	bool recorded; /* the members below are known */
	uint64_t rate; /* sampling frequency in Hz if @is_frequency, else the sampling period */
	bool is_frequency;
	uint64_t taken, dropped; /* samples in the recording, and samples that the kernel dropped */
	const char *chains;	 /* what its call chains are from, a constant; NULL: none */
};

/** What was counted for a key under an event. */
struct profile_row {
	uint32_t event; /* event number */
	uint32_t key;	/* number of the key; the key has the event's name */
	struct tally self, children;
	/* As in struct function_stat; 0: unknown. */
	double noise, children_noise, noise_df;
};

/** Times of the first and the last sample, ns of the recording's clock; equal if there is none. */
struct sample_span {
	uint64_t first, last;
};

/** What was recorded, and where. */
enum profile_origin {
	ORIGIN_PROGRAM, /* base name without version, in the form of name_of_binary() */
	ORIGIN_INPUT,	/* arguments of the program, quoted for a shell; known if the program is */
	ORIGIN_HOST,	/* host name of the machine */
	ORIGIN_KERNEL,	/* kernel release */
	ORIGIN_CPU,	/* model of the CPUs */
	NR_ORIGINS,
};

/** The clock that perf uses by default, which has no clock id. */
#define PROFILE_PERF_CLOCK INT64_MIN

/** All zero except @label is empty. */
struct profile {
	const char *label; /* borrowed: the path of its source, or the user's label */
	bool recorded;	   /* read from a recording: @seconds is known */
	bool incomplete;   /* a part of the recording is damaged or missing */
	double seconds;	   /* from the first sample to the last */
	struct sample_span span;
	int64_t clock;			/* clock of @span: a clock id, or PROFILE_PERF_CLOCK */
	const char *origin[NR_ORIGINS]; /* NULL: unknown */
	uint64_t cpus;			/* number of CPUs of the machine; 0: unknown */
	bool started;			/* perf started the recorded program (enable_on_exec) */
	bool inlined;			/* samples count for the innermost inlined function */
	bool chains; /* call chains were recorded; for a table: some function has callees */
	struct profile_event *events;
	size_t nr_events, events_room;
	struct profile_row *rows;
	size_t nr_rows, rows_room;
	struct rowkeys *keys; /* keys of the rows; shared, or made for the first row */
};

static inline const struct row_key *profile_key(const struct profile *profile,
						const struct profile_row *row)
{
	return &profile->keys->keys[row->key];
}

/** Makes the empty @profile share @keys with other profiles; the last profile frees them. */
void profile_share(struct profile *profile, struct rowkeys *keys);

/** What the rows of a profile are. */
enum profile_kind {
	PROFILE_FUNCTIONS,
	PROFILE_CALLS, /* a function and one that it called, as "CALLER -> CALLEE" */
};

/**
 * Copies what a comparison needs from @results to the empty @profile; @results may be freed
 * afterwards. Of PROFILE_CALLS, the replay must have been asked for pathstat_calls. Machine and
 * program are from the header's facts, if the replay was asked for them.
 *
 * @return 0, or -1 with @err filled if memory is out; call profile_free() in both cases.
 */
int profile_from_results(struct profile *profile, const struct results *results,
			 enum profile_kind kind, struct sample_span span, struct error *err);

/**
 * Appends @row, whose event must be set, with a copy of @key. Returns 0, or -1 with @err filled.
 */
int profile_add_row(struct profile *profile, const struct row_key *key,
		    const struct profile_row *row, struct error *err);

/** Appends a copy of @event. Returns 0, or -1 with @err filled. */
int profile_add_event(struct profile *profile, const struct profile_event *event,
		      struct error *err);

/** Adds @more to @tally; sums are limited to 2^64 - 1. */
void profile_tally_add(struct tally *tally, const struct tally *more);

void profile_free(struct profile *profile);

#endif
