/*
 * A profile: what a comparison knows of one run, from a recording or from the results.csv of an
 * earlier one. What the source does not say is marked as unknown.
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
	bool recorded; /* what follows is known */
	uint64_t rate; /* sampling frequency in Hz if @is_frequency, else the period */
	bool is_frequency;
	uint64_t taken, dropped; /* samples in the recording, and those that the kernel dropped */
};

/** What was counted of a key under an event. */
struct profile_row {
	uint32_t event; /* number of the event */
	uint32_t key;	/* number of the key, whose event has this name */
	struct tally self, children;
	/* As in struct function_stat; 0: not known. */
	double noise, children_noise, noise_df;
};

/** From the first sample to the last, ns of the recording's clock; equal if there is none. */
struct sample_span {
	uint64_t first, last;
};

/** What was recorded, and where. */
enum profile_origin {
	ORIGIN_PROGRAM, /* its base name without version, as name_of_binary() has it */
	ORIGIN_INPUT,	/* its arguments, quoted for a shell; known where the program is */
	ORIGIN_HOST,	/* what the machine is called */
	ORIGIN_KERNEL,	/* the release of its kernel */
	ORIGIN_CPU,	/* the model of its CPUs */
	NR_ORIGINS,
};

/** The clock of times that perf chose by itself. */
#define PROFILE_PERF_CLOCK INT64_MIN

/** All zero except @label is empty. */
struct profile {
	const char *label; /* borrowed: the path of its source, or what the user calls it */
	bool recorded;	   /* from a recording: @seconds is known */
	double seconds;	   /* from its first sample to its last */
	struct sample_span span;
	int64_t clock;			/* of @span: a clock id, or PROFILE_PERF_CLOCK */
	const char *origin[NR_ORIGINS]; /* NULL: not known */
	uint64_t cpus;			/* of the machine; 0: not known */
	bool started; /* perf started the program that was recorded (enable_on_exec) */
	bool inlined; /* samples count for the innermost inlined functions */
	bool chains;  /* call chains were recorded; of a table: some function calls others */
	struct profile_event *events;
	size_t nr_events, events_room;
	struct profile_row *rows;
	size_t nr_rows, rows_room;
	struct rowkeys *keys; /* all names in it; shared, or made for the first name */
};

static inline const struct row_key *profile_key(const struct profile *profile,
						const struct profile_row *row)
{
	return &profile->keys->keys[row->key];
}

/** Makes the empty @profile share @keys with other profiles; the last one frees them. */
void profile_share(struct profile *profile, struct rowkeys *keys);

/**
 * Copies what a comparison needs from @results, which may go afterwards, to the empty @profile. The
 * header's facts tell machine and program, if the replay was asked for them.
 *
 * @return 0, or -1 with @err filled if memory is out; call profile_free() in both cases.
 */
int profile_from_results(struct profile *profile, const struct results *results,
			 struct sample_span span, struct error *err);

/** Appends @row, whose event is set, under a copy of @key. Returns 0, or -1 with @err filled. */
int profile_add_row(struct profile *profile, const struct row_key *key,
		    const struct profile_row *row, struct error *err);

/** Appends a copy of @event. Returns 0, or -1 with @err filled. */
int profile_add_event(struct profile *profile, const struct profile_event *event,
		      struct error *err);

/** Adds @more to @tally; sums stop at 2^64 - 1. */
void profile_tally_add(struct tally *tally, const struct tally *more);

void profile_free(struct profile *profile);

#endif
