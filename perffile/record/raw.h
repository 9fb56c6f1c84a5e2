/* A framed record: its header was read, its body was not. */
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
	uint64_t nr;	      /* index in the recording, from 0; set by the stream's user */
	uint32_t type;
	uint16_t misc, size; /* size in bytes, header included */
};

/** Framed records that follow each other in a block. */
struct raw_stretch {
	const uint8_t *bytes, *end; /* of those left */
	struct block *block;	    /* borrowed */
	uint64_t nr;		    /* index in the recording of the first one left */
	uint64_t newest;  /* ns, of the records that were taken before: older ones are late */
	uint64_t gap_end; /* as in struct plain_samples */
	bool sorted;	  /* by their times; else it is one that has none */
};

/** Takes the first record of @stretch, which must have one. */
static inline struct raw_record raw_take(struct raw_stretch *stretch, bool swap)
{
	struct span s = span_make(stretch->bytes, RECORD_HEADER_BYTES, swap);
	struct raw_record raw = {
		.bytes = stretch->bytes, .block = stretch->block, .nr = stretch->nr++};

	raw.type = span_u32(&s);
	raw.misc = span_u16(&s);
	raw.size = span_u16(&s);
	stretch->bytes += raw.size;
	return raw;
}

/** Returns the body of @raw, after its header. */
static inline struct span raw_body(const struct raw_record *raw, bool swap)
{
	return span_make(raw->bytes + RECORD_HEADER_BYTES, raw->size - (size_t)RECORD_HEADER_BYTES,
			 swap);
}

/** File offset of @raw or, if it is packed, of the compressed record that holds it. */
static inline uint64_t raw_file_offset(const struct raw_record *raw)
{
	if (raw->block->packed)
		return raw->block->file_offset;
	return raw->block->file_offset + (uint64_t)(raw->bytes - raw->block->bytes);
}

/**
 * Whether @raw is a TRACING_DATA record that contains its section, as old simpleperf wrote it; if
 * so, *@data is the section. perf puts the section after the record.
 */
bool raw_tracing_data(const struct raw_record *raw, bool swap, struct span *data);

/** Number of bytes after @raw that are its data, not records. */
uint64_t raw_payload_bytes(const struct raw_record *raw, bool swap);

#endif
