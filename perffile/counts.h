/* Counts made while a recording is read: damage by cause, losses, late and missing data. */
#ifndef READPERF_PERFFILE_COUNTS_H
#define READPERF_PERFFILE_COUNTS_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- damage ---------------------------------------------------------------------------------- */

enum damage_cause {
	DAMAGE_SIZE,	/* a record size with no record after it */
	DAMAGE_TYPE,	/* an unknown type with no record after it */
	DAMAGE_SHORT,	/* a body shorter than its type needs */
	DAMAGE_LIST,	/* a list or field longer than the record */
	DAMAGE_STRING,	/* an unterminated string */
	DAMAGE_ID,	/* a sample of an event that the recording does not describe */
	DAMAGE_PACKED,	/* compressed bytes that are damaged or follow lost ones */
	DAMAGE_PAYLOAD, /* a length of data after the record that is not there */
	NR_DAMAGES,
};

struct damage {
	uint64_t records; /* or places where bytes were skipped */
	uint64_t bytes;	  /* not read, of the file or decompressed */
	uint64_t offset;  /* lowest file offset, bytes */
	bool packed;	  /* that is of a compressed record, with the damage in it or after it */
};

/** Returns the static name of @cause in tables ("size"). */
const char *counts_damage_name(enum damage_cause cause);

/** Returns a static phrase that describes @cause ("an unterminated name"). */
const char *counts_damage_meaning(enum damage_cause cause);

/* ---- losses ---------------------------------------------------------------------------------- */

/*
 * Records that the kernel dropped, each counted once although recordings report them twice.
 *
 * When a buffer is full the kernel counts the dropped records twice: for the buffer, reported by a
 * LOST record as soon as there is room again, and (Linux 6.0) for the event, which perf record 6.1
 * and newer reads when it ends and writes as LOST_SAMPLES without a time. The latter are complete
 * and name the right event: if a recording has them, LOST is ignored. LOST_SAMPLES with a time are
 * written by the kernel and are in no other count: samples that the processor's buffer (PEBS) could
 * not tell apart.
 */

/** Lost records by origin; sums saturate. */
struct loss {
	uint64_t lost;	       /* LOST */
	uint64_t lost_samples; /* LOST_SAMPLES written by the kernel */
	uint64_t read_at_end;  /* LOST_SAMPLES that perf record read from the event's counter */
};

static inline uint64_t loss_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/** Whether @rec, a LOST_SAMPLES, was read from an event's counter: it has no time. */
static inline bool loss_is_read_at_end(const struct record *rec)
{
	return !(rec->has & HAS_TIME) || rec->time == 0;
}

/** Adds @rec, a LOST or LOST_SAMPLES, to @loss; records dropped by a BPF filter are not lost. */
static inline void loss_add(struct loss *loss, const struct record *rec)
{
	uint64_t *to = &loss->lost;

	if (rec->type == RECORD_LOST_SAMPLES) {
		if (rec->misc & MISC_LOST_BY_FILTER)
			return;
		to = loss_is_read_at_end(rec) ? &loss->read_at_end : &loss->lost_samples;
	}
	*to = loss_sum(*to, rec->lost.lost);
}

/** Returns the number of dropped records; @read_at_end: some event has such losses. */
static inline uint64_t loss_total(const struct loss *loss, bool read_at_end)
{
	return loss_sum(loss->lost_samples, read_at_end ? loss->read_at_end : loss->lost);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/** Counts of a recording; complete once perffile_next() has returned 0. */
struct perffile_counts {
	uint64_t lost;			   /* records dropped by the kernel, each counted once */
	struct loss losses;		   /* the same by origin */
	uint64_t damaged;		   /* records that could not be read and were skipped */
	uint64_t damaged_offset;	   /* lowest file offset of one, bytes */
	struct damage damages[NR_DAMAGES]; /* the same by cause */
	uint64_t late;			   /* records older than one returned before them */
	uint64_t late_by_type[RECORD_USER_FIRST]; /* by type; perf's own records are never late */
	uint64_t truncated_bytes;		  /* bytes of incomplete records at the end */
	uint64_t truncated_offset;		  /* file offset of the first such end */
	uint64_t nr_truncated;			  /* files with such an end */
	uint64_t missing_bytes;	   /* bytes of the data section that are not in the file */
	uint64_t bent_fields;	   /* header fields that were wrong and were repaired */
	uint64_t missing_ids;	   /* events whose ids are not in the file */
	uint64_t missing_files;	   /* data.N of a directory that is not there */
	uint32_t missing_file;	   /* the smallest N of these */
	uint64_t missing_features; /* feature sections that are absent or cut off */
	int broken;		   /* errno of the read at which a stream broke off; or 0 */
	uint64_t broken_offset;	   /* where that was, in the stream as it came */
	uint64_t next_offset;	   /* where another recording follows in the file; 0: nowhere */
	bool cut_wrapper;	   /* the compressed file around it is cut off or damaged */
	bool unfinished;	   /* the recorder never wrote the size of the data */
	bool rounds;		   /* a FINISHED_ROUND was seen */
	bool any; /* counts_damage(), counts_end() or counts_break() counted something */
};

/** Counts @rec, which was decoded. */
void counts_record(struct perffile_counts *counts, const struct record *rec);

/** Counts @damage: one record, or one range of skipped bytes. */
void counts_damage(struct perffile_counts *counts, enum damage_cause cause,
		   const struct damage *damage);

/** Counts a record of @type that is older than one before it. */
void counts_late(struct perffile_counts *counts, uint32_t type);

/**
 * Counts the end of a stream: @cut_bytes of incomplete records at file offset @cut_offset, and
 * @missing_bytes of its data that are not in the file.
 */
void counts_end(struct perffile_counts *counts, uint64_t cut_bytes, uint64_t cut_offset,
		uint64_t missing_bytes);

/** Counts a stream that broke off at @offset, with @errnum. */
void counts_break(struct perffile_counts *counts, int errnum, uint64_t offset);

/**
 * Adds to @counts what counts_damage(), counts_end() and counts_break() have counted in @framed, in
 * which only these count, and empties it.
 */
void counts_move(struct perffile_counts *counts, struct perffile_counts *framed);

#endif
