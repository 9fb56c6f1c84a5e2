/*
 * Framing: the data section's bytes, read block by block, cut into raw records.
 */
#ifndef READPERF_PERFFILE_READER_H
#define READPERF_PERFFILE_READER_H

#include "perffile/block.h"
#include "perffile/header.h"
#include "perffile/source.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** A record as framed: its header read, its body only bounded. */
struct raw_record {
	const uint8_t *bytes; /* the header, then the body; in @block */
	struct block *block;  /* borrowed */
	uint64_t nr;	      /* index in the file, from 0 */
	uint32_t type;
	uint16_t misc, size; /* size in bytes, header included */
};

struct reader {
	const struct source *source;
	struct block_pool *pool;
	struct block *block;  /* the one that is being cut up */
	size_t pos;	      /* in block->bytes, of the next record */
	uint64_t read_offset; /* file offset of the next byte to read */
	uint64_t end_offset;  /* file offset where the data section ends */
	uint64_t nr;	      /* of the next record */
	bool swap;
	uint64_t cut_bytes, cut_offset; /* at the end, no whole record: how many, from where */
};

/** Sets @reader to the start of @data, cut at the end of the file; an unclosed file (size 0) is
 * read to its end. @source and @pool must outlive it. */
void reader_init(struct reader *reader, const struct source *source, const struct section *data,
		 bool swap, struct block_pool *pool);

/**
 * The next record, borrowed until the next call unless the caller takes a reference to its block.
 *
 * @return 1; 0 at the end, with cut_bytes set; -1 with @err filled.
 */
int reader_next(struct reader *reader, struct raw_record *raw, struct error *err);

/** The record's body, behind its header, as a cursor. */
static inline struct span raw_body(const struct raw_record *raw, bool swap)
{
	return span_make(raw->bytes + RECORD_HEADER_BYTES, raw->size - (size_t)RECORD_HEADER_BYTES,
			 swap);
}

static inline uint64_t raw_file_offset(const struct raw_record *raw)
{
	return raw->block->file_offset + (uint64_t)(raw->bytes - raw->block->bytes);
}

void reader_free(struct reader *reader);

#endif
