/* Compressed records as framed in the file: where their zstd bytes are. */
#ifndef READPERF_PERFFILE_ORDER_COMPRESSED_H
#define READPERF_PERFFILE_ORDER_COMPRESSED_H

#include "perffile/order/reader.h"
#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>

/** Whether @raw holds other records, compressed. */
static inline bool compressed_is(const struct raw_record *raw)
{
	return raw->type == RECORD_COMPRESSED || raw->type == RECORD_COMPRESSED2;
}

/** Returns the zstd bytes of the compressed record @raw, borrowed from it. */
struct span compressed_bytes(const struct raw_record *raw, bool swap);

/** Whether a zstd frame starts with @bytes, so that no earlier bytes are needed to unpack it. */
bool compressed_starts_frame(struct span bytes);

/**
 * Whether the zstd blocks in @raw end exactly at its end. In a valid record they need not, as its
 * last block may go on in the next record; but damaged bytes hardly ever do.
 */
bool compressed_is_filled(const struct raw_record *raw, bool swap);

#endif
