/* Formats values of a comparison for people: s and ms, %, factors, with signs. */
#ifndef READPERF_REPORT_VALUETEXT_H
#define READPERF_REPORT_VALUETEXT_H

#include "decode/compare/diff.h"

#include <stdbool.h>
#include <stddef.h>

enum { VALUETEXT_MAX = 64, VALUETEXT_TOTAL_MAX = 320 };

/** The kind of values. */
struct valuetext_kind {
	enum measure measure;
	bool is_time; /* periods are in ns */
};

/** Formats a function's value with three digits: "193 ms", "1.25 M", "12.3 %", "94 M/s". */
void valuetext_value(char to[VALUETEXT_MAX], struct valuetext_kind kind, double value);

/** Formats a sum with four digits. */
void valuetext_sum(char to[VALUETEXT_MAX], struct valuetext_kind kind, double value);

/** Formats a change: "-99 %", "+3.2 %", from a factor of two on "x 2.1"; "new" from 0. */
void valuetext_change(char to[VALUETEXT_MAX], double old_value, double new_value);

/**
 * Formats an interval of differences with one unit: "-210 to -175 ms", "+1.2 to +3.4 points";
 * "unknown" if it is not finite.
 */
void valuetext_interval(char to[VALUETEXT_MAX], struct valuetext_kind kind, double low,
			double high);

/**
 * Formats the totals of an event: "Total per run: 1.249 s -> 1.019 s, -18.4 % (-24 to -12 %), 5 and
 * 5 runs: faster"; if there is no verdict, the reason.
 */
void valuetext_total(char to[VALUETEXT_TOTAL_MAX], const struct diff *diff,
		     const struct diff_event *event);

#endif
