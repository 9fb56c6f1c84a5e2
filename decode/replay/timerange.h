/* What --time selects, as the user writes it, and which times of a recording that is. */
#ifndef READPERF_DECODE_REPLAY_TIMERANGE_H
#define READPERF_DECODE_REPLAY_TIMERANGE_H

#include "perffile/sampletimes.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

/** What both ends of a range are told by. */
enum time_unit {
	TIME_CLOCK,   /* ns of the recording's clock */
	TIME_ELAPSED, /* ns since the first sample */
	TIME_PERCENT, /* parts of the time from the first sample to the last, of TIME_PERCENT_ALL */
};

#define TIME_PERCENT_ALL UINT64_C(100000000000)

/** From @from up to, but not including, @to. */
struct time_range {
	enum time_unit unit;
	bool has_from, has_to; /* else from the start, to the end */
	uint64_t from, to;
};

/**
 * Parses "FROM,TO", of which either may be left out: "1234567" is ns and "12.5" seconds of the
 * recording's clock, "+1.5" seconds since the first sample, "12.5%" a part. Returns 0, or -1 with
 * @err filled.
 */
int timerange_parse(struct time_range *range, const char *text, struct error *err);

/**
 * Sets [*@from, *@to), in ns, to @range of a recording whose samples were taken at @times: of
 * TIME_CLOCK neither of these matters, of TIME_ELAPSED the last does not. No sample is before 0 %
 * or after 100 %, and ranges that meet have no sample in common and none between them.
 */
void timerange_place(const struct time_range *range, const struct sample_times *times,
		     uint64_t *from, uint64_t *to);

#endif
