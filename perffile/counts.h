/* What is counted while a recording is read: damage by its cause, losses, what is late or missing.
 */
#ifndef READPERF_PERFFILE_COUNTS_H
#define READPERF_PERFFILE_COUNTS_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- damage ---------------------------------------------------------------------------------- */

enum damage_cause {
	DAMAGE_SIZE,   /* a size that leads to no other record */
	DAMAGE_TYPE,   /* a type that no perf has, and what follows is no record */
	DAMAGE_SHORT,  /* a body shorter than its type demands */
	DAMAGE_LIST,   /* a list or field of more bytes than the record has */
	DAMAGE_STRING, /* a string without an end */
	DAMAGE_ID,     /* a sample of an event that the recording does not describe */
	DAMAGE_PACKED, /* compressed bytes that cannot be unpacked, or that lack some before them */
	DAMAGE_PAYLOAD, /* a length of bytes behind the record that are not there */
	NR_DAMAGES,
};

struct damage {
	uint64_t records; /* places, where bytes were stepped over */
	uint64_t bytes;	  /* of the file, or unpacked; not read because of it */
	uint64_t offset;  /* of the first, bytes from the file's start */
	bool packed;	  /* it is in a compressed record, at @offset or one of the next */
};

/** What a @cause is called in tables ("size"). */
const char *counts_damage_name(enum damage_cause cause);

/** The same as a sentence about damaged records. */
const char *counts_damage_meaning(enum damage_cause cause);

/* ---- losses ---------------------------------------------------------------------------------- */

/*
 * What the kernel dropped, each loss counted once though recordings tell of it twice.
 *
 * Where a buffer is full the kernel counts what does not fit twice over: for the buffer, which it
 * tells by a LOST record as soon as there is room again, and (Linux 6.0) for the event, which perf
 * record 6.1 and newer reads when it ends and writes as LOST_SAMPLES, with no time, because that
 * was at no moment. The latter are complete and name the right event: where a recording has them,
 * LOST adds nothing. LOST_SAMPLES with a time are the kernel's own and in no other record: samples
 * that the processor's buffer (PEBS) could not keep apart.
 */

/** Records of each origin; sums stay at their greatest rather than wrap. */
struct loss {
	uint64_t lost;	       /* LOST */
	uint64_t lost_samples; /* LOST_SAMPLES of the kernel */
	uint64_t read_at_end;  /* LOST_SAMPLES that perf record read off the event's counter */
};

static inline uint64_t loss_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/** Whether @rec, a LOST_SAMPLES, was read off a counter: it is of no moment. */
static inline bool loss_is_read_at_end(const struct record *rec)
{
	return !(rec->has & HAS_TIME) || rec->time == 0;
}

/** Counts @rec, a LOST or LOST_SAMPLES; what a BPF filter dropped was not lost. */
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

/** The records dropped; @read_at_end says if the recording as a whole has losses of that kind. */
static inline uint64_t loss_total(const struct loss *loss, bool read_at_end)
{
	return loss_sum(loss->lost_samples, read_at_end ? loss->read_at_end : loss->lost);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/** What was counted while reading; complete once perffile_next() has returned 0. */
struct perffile_counts {
	uint64_t lost;			   /* records that the kernel dropped, each once */
	struct loss losses;		   /* the same as the records told it */
	uint64_t damaged;		   /* records that could not be read and were skipped */
	uint64_t damaged_offset;	   /* file offset of the one found first, bytes */
	struct damage damages[NR_DAMAGES]; /* the same by cause */
	uint64_t late;			   /* records that are older than one given before them */
	uint64_t late_by_type[RECORD_USER_FIRST]; /* the same; perf's own records are never late */
	uint64_t truncated_bytes;		  /* bytes at the end that are no whole record */
	uint64_t truncated_offset;		  /* of the first such file */
	uint64_t nr_truncated;			  /* files that have such an end */
	uint64_t missing_bytes; /* of the data that the header announces, not in the file */
	uint64_t bent_fields; /* of the header: they cannot be right, others were taken for them */
	uint64_t missing_ids; /* events whose ids the file does not have */
	uint64_t missing_features; /* sections that the header announces, not or not all there */
	bool cut_wrapper;	   /* the packed file around it is cut off or damaged */
	bool unfinished;	   /* the recorder never wrote how much data there is */
	bool rounds;		   /* a FINISHED_ROUND was seen */
};

/** @rec was decoded. */
void counts_record(struct perffile_counts *counts, const struct record *rec);

/** @damage, of one record or of bytes that were stepped over. */
void counts_damage(struct perffile_counts *counts, enum damage_cause cause,
		   const struct damage *damage);

/** A record of @type was older than one before it. */
void counts_late(struct perffile_counts *counts, uint32_t type);

/**
 * A stream has ended: with @cut_bytes at file offset @cut_offset that are no whole record, and
 * @missing_bytes of its data not in the file.
 */
void counts_end(struct perffile_counts *counts, uint64_t cut_bytes, uint64_t cut_offset,
		uint64_t missing_bytes);

#endif
