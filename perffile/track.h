/*
 * Records from a reader, one after the other, with damage stepped over and counted.
 */
#ifndef READPERF_PERFFILE_TRACK_H
#define READPERF_PERFFILE_TRACK_H

#include "perffile/damage.h"
#include "perffile/judge.h"
#include "perffile/reader.h"
#include "perffile/record.h"
#include "perffile/salvage.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

struct perffile_counts;

struct track {
	struct reader reader;
	const struct judge *judge;	/* borrowed */
	struct perffile_counts *counts; /* borrowed */
	bool ends;			/* if the reader runs dry nothing more comes */
	uint32_t container_type;	/* of compressed records met here; 0: none */
	bool hole; /* a compressed record may have been among what was stepped over */
	/* In a file, of what was passed over behind a record: where it starts, and the place of its
	 * end (see reader_place()). */
	uint64_t payload_offset, payload_end;
	unsigned nr_returns; /* so often such bytes were looked at after all */
	/* What is stepped over now. */
	bool searching;
	struct salvage salvage;
	enum damage_cause cause;
	uint64_t dropped, dropped_offset;
};

/** @track's reader must have been made; @judge and @counts must outlive it. */
void track_init(struct track *track, const struct judge *judge, struct perffile_counts *counts);

/** As track_next(), of which reader_next() has answered @result. */
enum reader_result track_settle(struct track *track, enum reader_result result,
				struct raw_record *raw, struct error *err);

/**
 * The next record, as by reader_next(): never READER_ODD. READER_DRY without @track->ends means
 * that more bytes may be filled in later.
 */
static inline enum reader_result track_next(struct track *track, struct raw_record *raw,
					    struct error *err)
{
	enum reader_result result = READER_ODD;

	if (!track->searching)
		result = reader_next(&track->reader, raw, err);
	if (result == READER_RECORD && raw->type < RECORD_USER_FIRST)
		return result;
	return track_settle(track, result, raw, err);
}

/** At the next byte is no record, because of @cause: the next one is to be looked for. */
void track_search(struct track *track, enum damage_cause cause);

/** Forgets what was filled in and is no record yet. */
void track_drop(struct track *track);

/** Bytes at the end that are no whole record, and the file offset of the first. */
uint64_t track_rest(const struct track *track, uint64_t *offset);

#endif
