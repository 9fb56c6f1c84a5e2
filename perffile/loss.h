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
#ifndef READPERF_PERFFILE_LOSS_H
#define READPERF_PERFFILE_LOSS_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
