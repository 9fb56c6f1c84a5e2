/*
 * Event statistics: the rows of events.csv, what each event counted and lost on each CPU.
 *
 * CPUs are numbers that any file can claim: counts lie in blocks of CPUs that appear when one of
 * them does, so that a number costs little whatever it is. From EVENTSTAT_CPUS on, and without a
 * CPU, a record counts for its event alone.
 */
#ifndef READPERF_DECODE_ANSWER_EVENTSTAT_H
#define READPERF_DECODE_ANSWER_EVENTSTAT_H

#include "decode/answer/children.h"
#include "decode/results.h"
#include "perffile/counts.h"
#include "perffile/perffile.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	EVENTSTAT_CPUS = 8192, /* the most that Linux can be built for */
	EVENTSTAT_BLOCK_CPUS = 64,
};

struct cpu_block {
	struct cpu_stat cpus[EVENTSTAT_BLOCK_CPUS];
};

struct event_counts {
	struct cpu_block **blocks; /* by CPU / EVENTSTAT_BLOCK_CPUS; NULL: none of them seen */
	size_t nr_blocks, blocks_room;
	struct cpu_stat elsewhere; /* of no CPU */
	struct loss loss;
	struct tally left_out; /* by a filter */
};

/** All zero but for @file, which must outlive it, is an empty one. */
struct eventstat {
	const struct perffile *file;
	struct event_counts *counts; /* by the event's number */
	size_t nr, room;
	struct event_stat *rows; /* nr of them */
	struct cpu_stat *cpus;	 /* what the rows' cpus point into */
	uint32_t *sampled;	 /* numbers of the events that have samples, or of the first */
	size_t nr_sampled;
};

/** Counts a sample of @event with @period; @rec says on which CPU. False if memory is out. */
bool eventstat_sample(struct eventstat *stat, const struct record *rec, const struct event *event,
		      uint64_t period);

/** Counts a sample of @event with @period that a filter leaves out. False if memory is out. */
bool eventstat_left_out(struct eventstat *stat, const struct event *event, uint64_t period);

/**
 * Counts @rec, a LOST, LOST_SAMPLES, THROTTLE or UNTHROTTLE, for the event that its body names; if
 * the file does not know that id, or there is none, for the one its trailer names. False if memory
 * is out.
 */
bool eventstat_trouble(struct eventstat *stat, const struct record *rec);

/**
 * Makes a row for each event of the file; called again, makes them anew. Returns false if memory is
 * out.
 */
bool eventstat_make(struct eventstat *stat);

/** Sets what the rows tell of cut call chains; @ends: by number of the event, as many as rows. */
void eventstat_set_cut(struct eventstat *stat, const struct chain_ends *ends);

void eventstat_free(struct eventstat *stat);

#endif
