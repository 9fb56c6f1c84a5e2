/*
 * The timestamp-sorted AVL tree of records, a window between two rounds wide.
 *
 * A node stands for a *run*: records that follow each other in one block and are already in order,
 * as each CPU's buffer is when perf writes it out. So the tree works per change of buffer and not
 * per record. The order is total: by time, then by index in the file.
 *
 * Rounds: perf writes out every CPU's buffer, then a FINISHED_ROUND. All that a later pass can
 * still bring is newer than the newest record of the pass before the last, so
 * (tools/perf/util/session.c):
 *
 *	              cpu 0   cpu 1
 *	pass 1          1       2      FINISHED_ROUND: releases nothing, limit = 3
 *	                2       3
 *	pass 2          3       5      FINISHED_ROUND: releases 1 2 2 3 3, limit = 8
 *	                4       6
 *	                7       8
 *	pass 3          9      10      FINISHED_ROUND: releases 4 5 6 7 8, limit = 10
 *
 * Rounds may lie. The newest record of a pass is newer than that of the pass before, for time has
 * gone on meanwhile. If it is not, the time of the one before may have been any number, and what
 * perf would release by it is kept: one record far in the future would release all there is, and
 * all that comes would be late.
 *
 *	pass 1          1      99      FINISHED_ROUND: releases nothing, limit = 99
 *	pass 2          2       3      3 is older than 99: releases nothing, limit = 3
 *	pass 3          4       5      FINISHED_ROUND: releases 1 2 3, limit = 5
 *
 * The same rule holds where a clock jumps back: what came before the jump waits until the clock has
 * reached it again. What comes after a newer record was released, because a FINISHED_ROUND came
 * too early, is released by the next round: late, but no record is lost.
 *
 * Memory: what waits is held in memory up to QUEUE_BYTES_MAX; beyond it all runs become cold, which
 * costs them one more reading (see run.h). With records in no order at all each is a run of its
 * own, of about 90 bytes in memory and a read of its own. Runs that are at work at once share the
 * room: with so many that it is not enough they read less at a time.
 */
#ifndef READPERF_PERFFILE_ORDER_QUEUE_H
#define READPERF_PERFFILE_ORDER_QUEUE_H

#include "perffile/order/reader.h"
#include "perffile/order/run.h"
#include "util/error.h"
#include "util/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_set;

enum { QUEUE_BYTES_MAX = 32 * 1024 * 1024 }; /* of blocks */

struct queue {
	struct tree runs;
	struct run *open; /* the run that the next record may join, and what is known of its end */
	uint64_t open_time, open_end_nr;
	struct run *first;	/* the run with the earliest record, while records are released */
	struct raw_record head; /* that record, if the run is warm */
	uint64_t bound_time, bound_nr; /* where the run after it begins */
	struct block
		*spent; /* of the run whose last record was popped: its bytes are still in use */
	struct run_store store;
	struct block_pool *pool;
	int (*tick)(void *arg, struct error *err); /* see perffile_set_tick(); NULL: none */
	void *tick_arg;
	size_t bytes_max;	  /* of blocks; with more of them the runs become cold */
	struct event_set *events; /* know where a record has its time */
	bool swap;
	bool releasing;	     /* records up to @limit may be popped */
	uint64_t limit;	     /* ns */
	uint64_t next_limit; /* newest of the round before: what the next one releases */
	uint64_t newest;     /* ns, of the newest record since the last round; 0: none came */
};

/** @events and @pool must outlive the queue. */
void queue_init(struct queue *queue, struct event_set *events, struct block_pool *pool);

/** Says whether the records are in the other byte order, before the first one comes. */
void queue_set_swap(struct queue *queue, bool swap);

/**
 * Takes in @raw, sorted by @time in ns, and a reference to its block. Returns 0, or -1 with @err
 * filled: memory is out, or what must be put aside cannot be.
 */
int queue_push(struct queue *queue, const struct raw_record *raw, uint64_t time, struct error *err);

/** FINISHED_ROUND: releases what is not newer than the newest of the round before. */
void queue_round(struct queue *queue);

/** End of the data: releases everything. */
void queue_finish(struct queue *queue);

/**
 * The earliest released record with its time in ns, borrowed until the next queue_pop().
 * Returns 1, 0 if no record is released, -1 with @err filled: what was put aside cannot be read.
 */
int queue_pop(struct queue *queue, struct raw_record *raw, uint64_t *time, struct error *err);

void queue_free(struct queue *queue);

#endif
