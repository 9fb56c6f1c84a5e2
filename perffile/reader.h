/*
 * Framing: a stream of bytes, taken block by block, cut into raw records.
 *
 * Where the bytes come from is the business of whoever makes the reader: a range of a file, a pipe,
 * or what compressed records hold.
 */
#ifndef READPERF_PERFFILE_READER_H
#define READPERF_PERFFILE_READER_H

#include "perffile/block.h"
#include "perffile/format.h"
#include "util/error.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** A record as framed: its header read, its body only bounded. */
struct raw_record {
	const uint8_t *bytes; /* the header, then the body; in @block */
	struct block *block;  /* borrowed */
	uint64_t nr;	      /* index in the recording, from 0; set by the stream */
	uint32_t type;
	uint16_t misc, size; /* size in bytes, header included */
};

/** Puts up to @room next bytes at @to. Returns how many; 0 if there are none now; -1 with @err. */
typedef ssize_t (*reader_fill)(void *arg, uint8_t *to, size_t room, struct error *err);

enum reader_result {
	READER_ERROR = -1,
	READER_DRY = 0, /* the fill has no more bytes; what is left is no whole record */
	READER_RECORD = 1,
	READER_BROKEN =
		2, /* at the next byte there is no record: its size is less than a header's */
};

struct reader {
	struct block_pool *pool;
	struct block *block;  /* the one that is being cut up */
	size_t pos;	      /* in block->bytes, of the next record */
	uint64_t next_offset; /* file offset of the next byte that the fill gives */
	uint64_t skip;	      /* bytes to pass over before the next record */
	bool swap;
	bool packed;	       /* all bytes come from the compressed record at next_offset */
	struct source *origin; /* borrowed; has byte N at offset N, to be read again; or NULL */
	reader_fill fill;
	void *fill_arg;
};

/** @pool and @fill_arg must outlive the reader; @offset is the file offset of the first byte. */
void reader_init(struct reader *reader, uint64_t offset, bool swap, struct block_pool *pool,
		 reader_fill fill, void *fill_arg);

/** The next record, borrowed until the next call unless the caller refers to its block. */
enum reader_result reader_next(struct reader *reader, struct raw_record *raw, struct error *err);

/** Bytes that were filled in and not yet cut into records. */
size_t reader_left(const struct reader *reader);

/** Forgets the bytes that were filled in and not yet cut into records. */
void reader_drop(struct reader *reader);

/**
 * Takes the next @len bytes, which are no records, into @to.
 * Returns how many there were, fewer than @len only if the fill runs dry; -1 with @err filled.
 */
ssize_t reader_take(struct reader *reader, void *to, size_t len, struct error *err);

/** The record's body, behind its header, as a cursor. */
static inline struct span raw_body(const struct raw_record *raw, bool swap)
{
	return span_make(raw->bytes + RECORD_HEADER_BYTES, raw->size - (size_t)RECORD_HEADER_BYTES,
			 swap);
}

static inline uint64_t raw_file_offset(const struct raw_record *raw)
{
	if (raw->block->packed)
		return raw->block->file_offset;
	return raw->block->file_offset + (uint64_t)(raw->bytes - raw->block->bytes);
}

void reader_free(struct reader *reader);

#endif
