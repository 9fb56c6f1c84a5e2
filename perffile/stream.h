/*
 * A stream of records: a data section, a pipe, or a data file of a directory recording. Compressed
 * records are replaced by their contents, and data that follows a record is skipped.
 */
#ifndef READPERF_PERFFILE_STREAM_H
#define READPERF_PERFFILE_STREAM_H

#include "perffile/input/source.h"
#include "perffile/order/reader.h"
#include "perffile/recover/plausible.h"
#include "perffile/recover/resync.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is missing from a stream; complete at its end. */
struct stream_losses {
	uint64_t cut_bytes, cut_offset; /* incomplete record at the end, and its file offset */
};

struct unpackahead;

struct stream {
	struct source *source; /* borrowed */
	uint64_t end_offset;   /* of the data in the source; UINT64_MAX: the source's end */
	struct resync outer;
	struct resync inner; /* reads the contents of compressed records */
	bool inner_open;
	bool desynced;		   /* a compressed record was lost: later ones cannot be unpacked */
	void *zstd;		   /* one state for the stream: perf never ends the frame */
	bool unpacks_ahead;	   /* a thread is to be started with the next compressed record */
	struct unpackahead *ahead; /* the thread, which uses @zstd; NULL: none */
	const uint8_t *packed;	   /* bytes of the compressed record not yet unpacked */
	size_t nr_packed;
	uint64_t packed_offset; /* file offset of that record */
	uint64_t nr_in, nr_out; /* bytes of all compressed records so far, packed and unpacked */
	uint64_t unmet_payload; /* length of data after the last record, if beyond the end */
	/* data after the last record that may have some: bytes that are there, and their offset */
	uint64_t nr_payload, payload_offset;
	bool no_payloads; /* no record is followed by data */
	bool ended;
	struct stream_losses losses;
};

/**
 * Sets up @stream for the records from byte @offset up to @end_offset or the source's end. Damage
 * is added to @counts. All pointers must outlive the stream.
 */
void stream_init(struct stream *stream, struct source *source, uint64_t offset, uint64_t end_offset,
		 const struct plausibility *plausible, struct block_pool *pool,
		 struct perffile_counts *counts);

/**
 * Reads the next record, without its nr, which the caller sets. It is valid until the next call
 * unless the caller takes a reference to its block. COMPRESSED records are replaced by their
 * contents. Returns 1, 0 at the end, -1 with @err filled.
 */
int stream_next(struct stream *stream, struct raw_record *raw, struct error *err);

/**
 * Reads up to @len of the bytes that follow the last record, a TRACING_DATA. Returns how many, or
 * -1 with @err filled. Bytes not read are skipped.
 */
ssize_t stream_payload(struct stream *stream, void *to, size_t len, struct error *err);

/**
 * Has a thread unpack the compressed records of @stream, from the next one on; they are the same
 * without it. Returns false if @stream is not a file, or has had no compressed record yet.
 */
bool stream_unpack_ahead(struct stream *stream);

/** Says that no record from the last one on is followed by data. */
void stream_ignore_payloads(struct stream *stream);

/** Bytes of the data not in the file, which may have been cut meanwhile; 0 for a stream. */
uint64_t stream_missing(const struct stream *stream);

void stream_free(struct stream *stream);

#endif
