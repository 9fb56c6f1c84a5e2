/* Returns the records of a reader, skipping damage and counting it. */
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
	bool ends;			      /* no more bytes come once the reader runs dry */
	uint32_t compressed_type;	      /* type of the compressed records met; 0: none */
	bool hole; /* a compressed record may be among the skipped bytes */
	/*
	 * In a file, data skipped after a record: file offset of its start, reader_place() of its
	 * end.
	 */
	uint64_t payload_offset, payload_end;
	unsigned nr_returns; /* number of times such data was searched after all */
	/* The current search. */
	bool searching;
	struct rescan rescan;
	enum damage_cause cause;
	uint64_t dropped, dropped_offset;
};

/** Sets up @resync, whose reader must have been set up; @plausible and @counts must outlive it. */
void resync_init(struct resync *resync, const struct plausibility *plausible,
		 struct perffile_counts *counts);

/** Completes resync_next() after reader_next() has returned @result. */
enum reader_result resync_settle(struct resync *resync, enum reader_result result,
				 struct raw_record *raw, struct error *err);

/**
 * Reads the next record, like reader_next(), but never returns READER_ODD. READER_DRY without
 * @resync->ends means that more bytes may be filled in later.
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

/** Starts a search for the next record: there is none at the next byte, because of @cause. */
void resync_search(struct resync *resync, enum damage_cause cause);

/** Drops the bytes filled in and not yet framed, and ends the search. */
void resync_drop(struct resync *resync);

/** Returns how many bytes at the end are no whole record, and the file offset of the first. */
uint64_t resync_rest(const struct resync *resync, uint64_t *offset);

#endif
