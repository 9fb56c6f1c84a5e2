/* Values of a comparison as people read them: s and ms, %, times, with signs. */
#ifndef READPERF_REPORT_VALUETEXT_H
#define READPERF_REPORT_VALUETEXT_H

#include "decode/compare/diff.h"

#include <stdbool.h>
#include <stddef.h>

enum { VALUETEXT_MAX = 64, VALUETEXT_TOTAL_MAX = 320 };

/** What values are of. */
struct valuetext_kind {
	enum measure measure;
	bool is_time; /* periods are ns */
};

/** "193 ms", "1.25 M", "12.3 %", "94 M/s": a value of a function, with three digits. */
void valuetext_value(char to[VALUETEXT_MAX], struct valuetext_kind kind, double value);

/** The same of a sum: with four digits. */
void valuetext_sum(char to[VALUETEXT_MAX], struct valuetext_kind kind, double value);

/** What a value changed by: "-99 %", "+3.2 %", from twice on "x 2.1"; "new" if it was 0. */
void valuetext_change(char to[VALUETEXT_MAX], double old_value, double new_value);

/** An interval of differences in one unit: "-210 to -175 ms", "+1.2 to +3.4 points"; "unknown". */
void valuetext_interval(char to[VALUETEXT_MAX], struct valuetext_kind kind, double low,
			double high);

/**
 * The whole of an event: "Total per run: 1.249 s -> 1.019 s, -18.4 % (-24 to -12 %), 5 and 5 runs:
 * faster". Without a verdict where it says why.
 */
void valuetext_total(char to[VALUETEXT_TOTAL_MAX], const struct diff *diff,
		     const struct diff_event *event);

#endif
