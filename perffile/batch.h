/*
 * Records that are given together, in the order of time, with the blocks that hold their bytes.
 *
 * A batch refers to its blocks, so it stays as it is while more of the recording is read, and
 * another thread can work on it. The references are counted without a lock: only the thread that
 * reads the recording takes and gives back batches.
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
	BATCH_BLOCKS = 4, /* a held block is memory that waiting records lack */
};

struct record_batch {
	struct record_batch *next_spare;
	size_t nr_records, nr_blocks;
	struct block *blocks[BATCH_BLOCKS];
	struct record records[BATCH_RECORDS];
};

/** Whether no more records fit into @batch. */
bool batch_is_full(const struct record_batch *batch);

/** Takes a reference to @block, which holds the next record's bytes. @batch must not be full. */
void batch_hold(struct record_batch *batch, struct block *block);

/** An empty batch, one of *@spare if there are any; NULL if memory is out. */
struct record_batch *batch_get(struct record_batch **spare);

/** Gives back the blocks of @batch to @pool, and itself to *@spare. NULL is fine. */
void batch_put(struct record_batch *batch, struct block_pool *pool, struct record_batch **spare);

/** Frees those in *@spare. */
void batch_free_spare(struct record_batch **spare);

#endif
