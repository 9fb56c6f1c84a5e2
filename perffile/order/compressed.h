/* Compressed records as they stand in the file: which of their bytes zstd has made. */
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

/** The zstd bytes of the compressed record @raw. */
struct span compressed_bytes(const struct raw_record *raw, bool swap);

/** Whether a zstd frame starts with @bytes: nothing before it is needed to unpack it. */
bool compressed_starts_frame(struct span bytes);

/**
 * Whether @raw ends where its bytes say: the blocks of zstd in it fill it. That need not be, for
 * the last of them may go on in the next record, but it is not so by chance.
 */
bool compressed_is_filled(const struct raw_record *raw, bool swap);

#endif
