/*
 * Unpacks compressed records ahead: a thread goes through the records of a file on its own, and
 * unpacks those that are compressed, while the caller frames and sorts what is in those before.
 *
 * The caller is sure to come to the same records, because the thread stops where that is in doubt:
 * at damage, at a record that says something of the recording itself, and at the end. The caller
 * then goes on with the same decoder.
 */
#ifndef READPERF_PERFFILE_UNPACKAHEAD_H
#define READPERF_PERFFILE_UNPACKAHEAD_H

#include "perffile/input/block.h"
#include "perffile/input/source.h"
#include "perffile/order/reader.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unpackahead;

/** Where a thread starts; all is borrowed. */
struct unpackahead_start {
	struct source *source;		  /* a file */
	uint64_t offset, end_offset;	  /* of a compressed record, and of the end of the data */
	const struct record_sizes *sizes; /* which do not change while the thread goes on */
	bool swap;
	void *zstd;		 /* the decoder, which has unpacked what comes before */
	struct block *block;	 /* it has room after what was unpacked last; NULL: none */
	struct block_pool *pool; /* of the caller, for what is unpacked */
};

/** Starts a thread. NULL if memory or threads are out: nothing has changed. */
struct unpackahead *unpackahead_start(const struct unpackahead_start *start);

/**
 * Opens the compressed record at file offset @offset, after those before, which the caller has
 * taken. Returns false if the thread has stopped before it.
 */
bool unpackahead_open(struct unpackahead *ahead, uint64_t offset);

/**
 * As reader_lend: the next bytes of the record that is open. Sets *@nr_left to how many packed ones
 * come after them, and *@damaged to whether these cannot be unpacked.
 */
int unpackahead_lend(struct unpackahead *ahead, struct block_piece *piece, size_t *nr_left,
		     bool *damaged, struct error *err);

/**
 * Ends the thread, and frees @ahead. Returns whether the decoder has unpacked what was taken and no
 * more, and can go on.
 */
bool unpackahead_end(struct unpackahead *ahead);

#endif
