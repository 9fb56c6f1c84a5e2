/*
 * Records from a reader, one after the other, with damage stepped over and counted.
 */
#ifndef READPERF_PERFFILE_TRACK_H
#define READPERF_PERFFILE_TRACK_H

#include "perffile/damage.h"
#include "perffile/judge.h"
#include "perffile/reader.h"
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
	bool hole;		 /* a compressed record may have been among what was stepped over */
	uint64_t payload_offset; /* in a file, of what was passed over just now; 0: nothing */
	unsigned nr_returns;	 /* so often such bytes were looked at after all */
	/* What is stepped over now. */
	bool searching;
	struct salvage salvage;
	enum damage_cause cause;
	uint64_t dropped, dropped_offset;
};

/** @track's reader must have been made; @judge and @counts must outlive it. */
void track_init(struct track *track, const struct judge *judge, struct perffile_counts *counts);

/**
 * The next record, as by reader_next(): never READER_ODD. READER_DRY without @track->ends means
 * that more bytes may be filled in later.
 */
enum reader_result track_next(struct track *track, struct raw_record *raw, struct error *err);

/** At the next byte is no record, because of @cause: the next one is to be looked for. */
void track_search(struct track *track, enum damage_cause cause);

/** Forgets what was filled in and is no record yet. */
void track_drop(struct track *track);

/** Bytes at the end that are no whole record, and the file offset of the first. */
uint64_t track_rest(const struct track *track, uint64_t *offset);

/** Whether @raw holds others, compressed. */
static inline bool is_container(const struct raw_record *raw)
{
	return raw->type == RECORD_COMPRESSED || raw->type == RECORD_COMPRESSED2;
}

#endif
