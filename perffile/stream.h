/*
 * One stream of records: a data section, a pipe or a data file of a directory recording, with what
 * compressed records hold in their place and what trails a record passed over.
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
	uint64_t cut_bytes, cut_offset; /* at the end, no whole record; from which file offset */
};

struct stream {
	struct source *source; /* borrowed */
	uint64_t end_offset;   /* of the data in the source; UINT64_MAX: to its end */
	struct resync outer;
	struct resync inner; /* over what the last compressed record holds */
	bool inner_open;
	bool desynced; /* a compressed record was lost: the ones behind it cannot be unpacked */
	void *zstd;    /* one state for the whole stream: perf never ends the frame */
	const uint8_t *packed; /* bytes of the compressed record that are not yet unpacked */
	size_t nr_packed;
	uint64_t packed_offset; /* file offset of that record */
	uint64_t nr_in, nr_out; /* bytes of all compressed records so far, packed and unpacked */
	uint64_t unmet_payload; /* bytes announced behind the last record, more than there are */
	bool no_payloads;	/* no record has any */
	bool ended;
	struct stream_losses losses;
};

/**
 * Records from @offset on, up to @end_offset or the source's end. Damage goes to @counts. All must
 * outlive the stream.
 */
void stream_init(struct stream *stream, struct source *source, uint64_t offset, uint64_t end_offset,
		 const struct plausibility *plausible, struct block_pool *pool,
		 struct perffile_counts *counts);

/**
 * The next record (its nr is the caller's to set), borrowed until the next call unless the caller
 * refers to its block. COMPRESSED records are not given, but what they hold.
 * Returns 1, 0 at the end, -1 with @err filled.
 */
int stream_next(struct stream *stream, struct raw_record *raw, struct error *err);

/**
 * Reads the bytes that trail the TRACING_DATA record given last, up to @len of them.
 * Returns how many, or -1 with @err filled. What is not asked for is passed over.
 */
ssize_t stream_payload(struct stream *stream, void *to, size_t len, struct error *err);

/** From the record given last on, no record is trailed by bytes that are no record. */
void stream_ignore_payloads(struct stream *stream);

/** Bytes of the data that the file has not, or no more: it may have been cut since it was opened.
 */
uint64_t stream_missing(const struct stream *stream);

void stream_free(struct stream *stream);

#endif
