/*
 * Records from a reader, one after the other, with damage stepped over and counted.
 */
#ifndef READPERF_PERFFILE_RECOVER_RESYNC_H
#define READPERF_PERFFILE_RECOVER_RESYNC_H

#include "perffile/counts.h"
#include "perffile/order/reader.h"
#include "perffile/record.h"
#include "perffile/recover/plausible.h"
#include "perffile/recover/rescan.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

struct perffile_counts;

struct resync {
	struct reader reader;
	const struct plausibility *plausible; /* borrowed */
	struct perffile_counts *counts;	      /* borrowed */
	bool ends;			      /* if the reader runs dry nothing more comes */
	uint32_t compressed_type;	      /* of compressed records met here; 0: none */
	bool hole; /* a compressed record may have been among what was stepped over */
	/* In a file, of what was passed over behind a record: where it starts, and the place of its
	 * end (see reader_place()). */
	uint64_t payload_offset, payload_end;
	unsigned nr_returns; /* so often such bytes were looked at after all */
	/* What is stepped over now. */
	bool searching;
	struct rescan rescan;
	enum damage_cause cause;
	uint64_t dropped, dropped_offset;
};

/** @resync's reader must have been made; @plausible and @counts must outlive it. */
void resync_init(struct resync *resync, const struct plausibility *plausible,
		 struct perffile_counts *counts);

/** As resync_next(), of which reader_next() has answered @result. */
enum reader_result resync_settle(struct resync *resync, enum reader_result result,
				 struct raw_record *raw, struct error *err);

/**
 * The next record, as by reader_next(): never READER_ODD. READER_DRY without @resync->ends means
 * that more bytes may be filled in later.
 */
static inline enum reader_result resync_next(struct resync *resync, struct raw_record *raw,
					     struct error *err)
{
	enum reader_result result = READER_ODD;

	if (!resync->searching)
		result = reader_next(&resync->reader, raw, err);
	if (result == READER_RECORD && raw->type < RECORD_USER_FIRST)
		return result;
	return resync_settle(resync, result, raw, err);
}

/** At the next byte is no record, because of @cause: the next one is to be looked for. */
void resync_search(struct resync *resync, enum damage_cause cause);

/** Forgets what was filled in and is no record yet. */
void resync_drop(struct resync *resync);

/** Bytes at the end that are no whole record, and the file offset of the first. */
uint64_t resync_rest(const struct resync *resync, uint64_t *offset);

#endif
