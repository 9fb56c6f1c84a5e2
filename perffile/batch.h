/*
 * A batch of records in time order, with references to the blocks that hold their bytes.
 *
 * A batch stays valid while more of the recording is read, so another thread can work on it. The
 * references are counted without a lock: only the thread that reads the recording may take and give
 * back batches.
 */
#ifndef READPERF_PERFFILE_BATCH_H
#define READPERF_PERFFILE_BATCH_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>

struct block;
struct block_pool;

enum {
	BATCH_RECORDS = 64,
	BATCH_BLOCKS = 4, /* a held block leaves less memory to waiting records */
};

struct record_batch {
	struct record_batch *next_spare;
	size_t nr_records, nr_blocks;
	struct block *blocks[BATCH_BLOCKS];
	struct record records[BATCH_RECORDS];
};

/** Whether @batch has no room for more records. */
bool batch_is_full(const struct record_batch *batch);

/** Takes a reference to @block, which holds the next record's bytes. @batch must not be full. */
void batch_hold(struct record_batch *batch, struct block *block);

/** Returns an empty batch, one of *@spare if possible; NULL if memory is out. */
struct record_batch *batch_get(struct record_batch **spare);

/** Gives back the blocks of @batch to @pool, and @batch to *@spare. NULL is fine. */
void batch_put(struct record_batch *batch, struct block_pool *pool, struct record_batch **spare);

/** Frees the batches in *@spare. */
void batch_free_spare(struct record_batch **spare);

#endif
