/* A record as framed: its header read, its body only bounded. */
#ifndef READPERF_PERFFILE_RECORD_RAW_H
#define READPERF_PERFFILE_RECORD_RAW_H

#include "perffile/format.h"
#include "perffile/input/block.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

struct raw_record {
	const uint8_t *bytes; /* the header, then the body; in @block */
	struct block *block;  /* borrowed */
	uint64_t nr;	      /* index in the recording, from 0; set by the stream */
	uint32_t type;
	uint16_t misc, size; /* size in bytes, header included */
};

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

/**
 * Whether @raw is a TRACING_DATA record with the section, @data, in it, as old simpleperf wrote it;
 * perf puts the section behind the record.
 */
bool raw_tracing_data(const struct raw_record *raw, bool swap, struct span *data);

/** Bytes that trail @raw and are no records. */
uint64_t raw_payload_bytes(const struct raw_record *raw, bool swap);

#endif
