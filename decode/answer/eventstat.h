/*
 * Event statistics: the rows of events.csv, with what each event counted and lost on each CPU.
 *
 * A file can contain any CPU number. Counts are kept in blocks of CPUs, allocated when a CPU of the
 * block first appears, so that a large number costs little. A record counts for its event only,
 * without a CPU, if it has none or one of EVENTSTAT_CPUS or above.
 */
#ifndef READPERF_DECODE_ANSWER_EVENTSTAT_H
#define READPERF_DECODE_ANSWER_EVENTSTAT_H

#include "decode/answer/children.h"
#include "decode/results/eventrows.h"
#include "perffile/counts.h"
#include "perffile/perffile.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	EVENTSTAT_CPUS = 8192, /* the most CPUs that Linux can be configured for */
	EVENTSTAT_BLOCK_CPUS = 64,
};

struct cpu_block {
	struct cpu_stat cpus[EVENTSTAT_BLOCK_CPUS];
};

struct event_counts {
	/* by CPU / EVENTSTAT_BLOCK_CPUS; NULL: no CPU of the block was seen */
	struct cpu_block **blocks;
	size_t nr_blocks, blocks_room;
	struct cpu_stat elsewhere; /* records without a CPU, or with one out of range */
	struct loss loss;
	struct tally left_out; /* samples that a filter left out */
};

/** All zero except @file is empty; @file must outlive it. */
struct eventstat {
	const struct perffile *file;
	struct event_counts *counts; /* by event number */
	size_t nr, room;
	struct event_stat *rows; /* nr rows */
	struct cpu_stat *cpus;	 /* the rows' cpus point into this */
	uint32_t *sampled; /* numbers of the events with samples; of the first event if none has */
	size_t nr_sampled;
};

/**
 * Counts @samples of @event on @cpu; UINT32_MAX: on an unknown one. Returns false if memory is out.
 */
bool eventstat_samples(struct eventstat *stat, uint32_t cpu, const struct event *event,
		       struct tally samples);

/** Counts @samples of @event that a filter leaves out. Returns false if memory is out. */
bool eventstat_left_out(struct eventstat *stat, const struct event *event, struct tally samples);

/**
 * Counts @rec, a LOST, LOST_SAMPLES, THROTTLE or UNTHROTTLE, for the event that the id in its body
 * names; if the body has no id, or one that the file does not list, for the event that its trailer
 * names. Returns false if memory is out.
 */
bool eventstat_trouble(struct eventstat *stat, const struct record *rec);

/**
 * Makes a row for each event of the file, replacing earlier rows. Returns false if memory is out.
 */
bool eventstat_make(struct eventstat *stat);

/** Sets what the rows tell of cut call chains, whose user parts come from @mode; @ends: by number
 * of the event, as many as rows. */
void eventstat_set_cut(struct eventstat *stat, const struct chain_ends *ends,
		       enum user_part_mode mode);

void eventstat_free(struct eventstat *stat);

#endif
