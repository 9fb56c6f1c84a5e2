/*
 * A batch: records in the order of time, as one thread passes them to another, and the blocks that
 * hold their bytes. Plain samples may be in it decoded.
 */
#ifndef READPERF_PERFFILE_BATCH_H
#define READPERF_PERFFILE_BATCH_H

#include "perffile/counts.h"
#include "perffile/input/block.h"
#include "perffile/record.h"
#include "perffile/record/plain.h"
#include "perffile/record/raw.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BATCH_STRETCHES = 1024,
	BATCH_SAMPLES = 2048,
	BATCH_PACKED = 5888,
	BATCH_PACKED_RUNS = 512,
	BATCH_RUNS = 1024,
	BATCH_BLOCKS = 256,
	BATCH_LINE = 64,		 /* bytes: each sample is in one cache line */
	BATCH_PACKED_BYTES = 128 * 1024, /* of records: some batches stay in the cache */
	BATCH_PREFETCH =
		8, /* stretches: what the other thread has in its cache is fetched in time */
};

/** Decoded samples of a batch (packed ones: their runs) in a row, of one gap; first, last, gap_end:
 * struct plain_samples. */
struct sample_run {
	size_t start;	/* number of the first one; they end where the next run starts */
	size_t stretch; /* so many stretches come before it */
	uint64_t first, last, gap_end;
};

struct batch {
	uint64_t number;   /* as a holder of blocks */
	unsigned nr_holds; /* perffile_hold() */
	size_t nr, nr_samples, nr_runs, nr_blocks, bytes;
	size_t most_bytes; /* it is full with so many, or more */
	size_t nr_packed;  /* samples; @nr_samples are their runs then */
	bool packs;	   /* decoded samples are packed */
	int rc;		   /* 1: others follow; 0: the end; -1: the error @err, after the records */
	struct error err;
	uint64_t bytes_read;	       /* of the recording, when it was filled */
	struct perffile_counts framed; /* what was counted since the batch before */
	struct raw_stretch
		stretches[BATCH_STRETCHES + 2 * BATCH_PREFETCH]; /* the last are not used */
	size_t nr_before[BATCH_STRETCHES]; /* by stretch: so many of @samples come before it */
	struct sample_run runs[BATCH_RUNS];
	union {
		_Alignas(BATCH_LINE) struct plain_sample samples[BATCH_SAMPLES];
		struct { /* if it packs */
			_Alignas(BATCH_LINE) struct packed_sample packed[BATCH_PACKED];
			struct packed_run packed_runs[BATCH_PACKED_RUNS];
		};
	};
	struct block *blocks[BATCH_BLOCKS];
};

_Static_assert(sizeof(struct plain_sample) <= BATCH_LINE, "it is in one line");

/** Empties @batch, which is the @number-th holder of blocks now, and full with @most_bytes of
 * records or more. @packs: it packs the samples that are added decoded; it is full with fewer bytes
 * then. */
void batch_begin(struct batch *batch, uint64_t number, size_t most_bytes, bool packs,
		 struct block_pool *pool);

/** Whether there may be no room for more. */
static inline bool batch_is_full(const struct batch *batch)
{
	return batch->nr == BATCH_STRETCHES || batch->nr_runs == BATCH_RUNS ||
	       batch->nr_blocks == BATCH_BLOCKS ||
	       batch->bytes >= (batch->packs ? BATCH_PACKED_BYTES : batch->most_bytes) ||
	       batch->nr_samples == (batch->packs ? BATCH_PACKED_RUNS : BATCH_SAMPLES) ||
	       batch->nr_packed == BATCH_PACKED;
}

/** Adds the records of @stretch to @batch, which is not full. */
void batch_add(struct batch *batch, const struct raw_stretch *stretch);

/**
 * Adds records that @stretch, which is sorted, begins with, plain samples decoded by @taker;
 * @stretch is left with the others, if there are any. @batch is not full: call it until @stretch is
 * empty, for another batch if this one is full.
 */
void batch_add_decoded(struct batch *batch, struct raw_stretch *stretch, struct plain_taker *taker);

/** Where a reader of a batch is: what is next of each. All zero: at its start. */
struct batch_place {
	size_t stretch, sample;
	size_t run; /* that the sample before was in */
};

/** Whether something is left. */
bool batch_has_any(const struct batch *batch, const struct batch_place *place);

/** Whether a decoded sample is next. */
bool batch_has_plain(const struct batch *batch, const struct batch_place *place);

/** Takes the decoded samples that are next, of one gap. */
void batch_take_plain(const struct batch *batch, struct batch_place *place,
		      struct plain_samples *samples);

/** Takes the records that are next, as they are in the recording; there must be one. */
void batch_take(const struct batch *batch, struct batch_place *place, bool swap,
		struct raw_stretch *stretch);

#endif
