/*
 * The queue of records: AVL trees sorted by time (waiting.h), normally of those of two rounds.
 *
 * A node is a *run*: records that follow each other in one block and are already in order, as they
 * are in each CPU's buffer when perf writes it out. So the work in the tree is per change of
 * buffer, not per record. The order is total: by time, then by index in the file.
 *
 * Rounds: perf writes out every CPU's buffer, then a FINISHED_ROUND. All records of later passes
 * are newer than the newest record of the pass before the last, so (tools/perf/util/session.c):
 *
 *	              cpu 0   cpu 1
 *	pass 1          1       2      FINISHED_ROUND: releases nothing, limit = 3
 *	                2       3
 *	pass 2          3       5      FINISHED_ROUND: releases 1 2 2 3 3, limit = 8
 *	                4       6
 *	                7       8
 *	pass 3          9      10      FINISHED_ROUND: releases 4 5 6 7 8, limit = 10
 *
 * Rounds may be wrong. Time goes on, so the newest record of a pass should be newer than that of
 * the pass before. If it is not, the earlier one's time may have been wrong, and the records that
 * perf would release by it are kept: otherwise one record far in the future would release all
 * records in the queue, and all later ones would be late.
 *
 *	pass 1          1      99      FINISHED_ROUND: releases nothing, limit = 99
 *	pass 2          2       3      3 is older than 99: releases nothing, limit = 3
 *	pass 3          4       5      FINISHED_ROUND: releases 1 2 3, limit = 5
 *
 * The same rule holds if a clock jumps back: records from before the jump wait until the clock has
 * reached their time again. If a FINISHED_ROUND came too early, a record may arrive after a newer
 * one was released; the next round releases it: late, but no record is lost.
 *
 * Memory: waiting records are held in memory up to QUEUE_BYTES_MAX. Beyond it all runs become cold
 * and must be read once more (see run.h), some that follow each other in the file at a time. If the
 * records are in no order at all, each is a run of its own, with about 100 bytes in memory. Runs in
 * use at the same time share half of the memory; if they are too many for it, fewer bytes are read
 * at a time.
 */
#ifndef READPERF_PERFFILE_ORDER_QUEUE_H
#define READPERF_PERFFILE_ORDER_QUEUE_H

#include "perffile/order/reader.h"
#include "perffile/order/run.h"
#include "perffile/order/waiting.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_finder;

enum { QUEUE_BYTES_MAX = 32 * 1024 * 1024 }; /* of blocks */

struct queue {
	struct waiting waiting;
	struct run *open; /* the run that the next record may join */
	uint64_t open_time, open_end_nr;
	uint64_t gap_taken;	/* ns, end of the gap that was taken from last; 0: none */
	uint64_t newest_before; /* ns, of the newest record that was popped before that gap */
	struct block
		*spent; /* block of the run whose last record was popped; its bytes are in use */
	struct run_store store;
	struct block_pool *pool;
	int (*tick)(void *arg, struct error *err); /* see perffile_set_tick(); NULL: none */
	void *tick_arg;
	size_t bytes_max; /* of blocks; beyond it, or a part of it, the runs become cold */
	uint64_t round_bytes, last_round_bytes; /* pushed since the last round, and before it */
	bool releasing;				/* records up to the limit may be popped */
	uint64_t next_limit; /* ns; newest of the round before, the limit of the next round */
	uint64_t newest;     /* ns, of the newest record since the last round; 0: none */
};

/** Sets up an empty queue. @finder and @pool must outlive it. */
void queue_init(struct queue *queue, struct event_finder *finder, struct block_pool *pool);

/** Sets how many bytes of waiting records may be in memory. */
void queue_set_memory(struct queue *queue, size_t bytes);

/** Sets whether the records are in the other byte order; call it before the first queue_push(). */
void queue_set_swap(struct queue *queue, bool swap);

/**
 * Lets the samples between two other records come in any order, if those of all events are plain.
 * Call it before the first queue_push().
 */
void queue_use_gaps(struct queue *queue);

/**
 * Lets samples come before older records that are not about their processes, too, after
 * queue_use_gaps(). Does nothing if memory is out.
 */
void queue_use_leaps(struct queue *queue);

/** From now on, nothing leaps. Call it when nothing is released. */
void queue_end_leaps(struct queue *queue);

/**
 * Adds @raw, sorted by @time in ns, and takes a reference to its block. Returns 0, or -1 with @err
 * filled if memory is out, the temporary file cannot be written, or a tick fails.
 */
int queue_push(struct queue *queue, const struct raw_record *raw, uint64_t time, struct error *err);

/** Adds the samples of @stretch, at least one, which follow the last record pushed in its block. */
void queue_push_on(struct queue *queue, const struct sample_stretch *stretch);

/** Handles FINISHED_ROUND: releases records up to the newest of the round before. */
void queue_round(struct queue *queue);

/** Handles the end of the data: releases everything. */
void queue_finish(struct queue *queue);

/**
 * Takes the earliest released records, of one run; they are valid until the next queue_pop().
 * Returns 1, 0 if no record is released, -1 with @err filled if a cold run cannot be read again.
 */
int queue_pop(struct queue *queue, struct raw_stretch *stretch, struct error *err);

/** Whether no record waits. */
static inline bool queue_is_empty(const struct queue *queue)
{
	return waiting_is_empty(&queue->waiting);
}

/** Whether queue_pop() can return a record. */
static inline bool queue_is_releasing(const struct queue *queue)
{
	const struct run *first = queue->waiting.first;

	return queue->releasing && first && first->time <= queue->waiting.limit;
}

void queue_free(struct queue *queue);

#endif
