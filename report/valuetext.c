#include "report/valuetext.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A unit, and its size in bare units. */
struct value_unit {
	double size;
	const char *name;
};

/* Returns the largest unit that is not larger than @value, or the smallest one. */
static struct value_unit unit_of(struct valuetext_kind kind, double value)
{
	static const struct value_unit times[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	static const struct value_unit counts[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
	const struct value_unit *units = kind.is_time ? times : counts;

	if (kind.measure == MEASURE_SHARE)
		return (struct value_unit){1, "%"};
	for (int i = 0; i < 4; i++) {
		/* 999.5 is rounded to 1000 */
		if (fabs(value) >= 0.9995 * units[i].size)
			return units[i];
	}
	return (struct value_unit){1, kind.is_time ? "ns" : ""};
}

/*
 * Formats @value with @digits significant digits, or all digits before the point if these are more;
 * without trailing zeros after the point.
 */
static void put_digits(char to[VALUETEXT_MAX], double value, int digits, bool sign)
{
	int whole = fabs(value) < 1 ? 1 : (int)floor(log10(fabs(value))) + 1;
	int decimals = whole < digits ? digits - whole : 0;
	size_t len;

	if (!isfinite(value) || fabs(value) >= 1e15) {
		snprintf(to, VALUETEXT_MAX, sign ? "%+.2e" : "%.2e", value);
		return;
	}
	snprintf(to, VALUETEXT_MAX, sign ? "%+.*f" : "%.*f", decimals, value);
	len = strlen(to);
	if (decimals > 0) {
		while (to[len - 1] == '0')
			len--;
		if (to[len - 1] == '.')
			len--;
		to[len] = '\0';
	}
	if (to[strspn(to, "+-0.")] == '\0')
		strcpy(to, "0");
}

static void put_value(char to[VALUETEXT_MAX], struct valuetext_kind kind, double value, int digits)
{
	struct value_unit unit = unit_of(kind, value);
	char number[VALUETEXT_MAX];

	if (value == 0 && kind.measure != MEASURE_SHARE) {
		strcpy(to, "0");
		return;
	}
	put_digits(number, value / unit.size, digits, false);
	snprintf(to, VALUETEXT_MAX, "%.30s%s%s%s", number, *unit.name ? " " : "", unit.name,
		 kind.measure == MEASURE_RATE ? "/s" : "");
}

void valuetext_value(char to[VALUETEXT_MAX], struct valuetext_kind kind, double value)
{
	put_value(to, kind, value, 3);
}

void valuetext_sum(char to[VALUETEXT_MAX], struct valuetext_kind kind, double value)
{
	put_value(to, kind, value, 4);
}

/* Formats a change in percent. It is never rounded to -100 while something is left. */
static void put_percent(char to[VALUETEXT_MAX], double percent, int decimals)
{
	if (percent > -100 && percent <= -99.5)
		snprintf(to, VALUETEXT_MAX, "%+.1f %%", fmax(percent, -99.9));
	else
		snprintf(to, VALUETEXT_MAX, "%+.*f %%", decimals, percent);
	if (to[strspn(to, "+-0. ")] == '%')
		strcpy(to, "0 %");
}

void valuetext_change(char to[VALUETEXT_MAX], double old_value, double new_value)
{
	double ratio = old_value > 0 ? new_value / old_value : INFINITY;

	if (!(old_value > 0))
		strcpy(to, new_value > 0 ? "new" : "0 %");
	else if (ratio >= 1e6)
		snprintf(to, VALUETEXT_MAX, "x %.1e", ratio);
	else if (ratio >= 2)
		snprintf(to, VALUETEXT_MAX, ratio < 10 ? "x %.1f" : "x %.0f", ratio);
	else
		put_percent(to, 100 * (ratio - 1), fabs(ratio - 1) < 0.0995);
}

void valuetext_interval(char to[VALUETEXT_MAX], struct valuetext_kind kind, double low, double high)
{
	struct value_unit unit = unit_of(kind, fmax(fabs(low), fabs(high)));
	char from[VALUETEXT_MAX], upto[VALUETEXT_MAX];

	if (!isfinite(low) || !isfinite(high)) {
		strcpy(to, "unknown");
		return;
	}
	put_digits(from, low / unit.size, 3, true);
	put_digits(upto, high / unit.size, 3, true);
	snprintf(to, VALUETEXT_MAX, "%.20s to %.20s%s%s%s", from, upto, *unit.name ? " " : "",
		 kind.measure == MEASURE_SHARE ? "points" : unit.name,
		 kind.measure == MEASURE_RATE ? "/s" : "");
}

/* Formats the change of a total; beyond 1e8 percent a factor is easier to read. */
static void put_total_change(char to[VALUETEXT_MAX], const struct total_change *change)
{
	const double percent = change->percent;

	if (!isfinite(percent))
		strcpy(to, change->new_value > 0 ? "new" : "0 %");
	else if (percent >= 1e8)
		snprintf(to, VALUETEXT_MAX, "x %.1e", percent / 100 + 1);
	else
		put_percent(to, percent, 1);
}

/*
 * Formats the text after the values: the change, its interval, and the verdict; nothing for shares.
 */
static void put_verdict(char to[VALUETEXT_TOTAL_MAX], const struct diff *diff,
			const struct total_change *change)
{
	const size_t nr_new = diff->nr_runs - diff->nr_old;
	const bool told = diff->measure != MEASURE_SHARE;
	const int decimals = change->high - change->low < 5;
	char percent[VALUETEXT_MAX], interval[VALUETEXT_MAX] = "";

	put_total_change(percent, change);
	if (change->expected > 0) {
		snprintf(to, VALUETEXT_TOTAL_MAX, "%s (+- %.0f %%: one run a side cannot tell)",
			 percent, change->expected);
		return;
	}
	if (change->high <= 1e6) /* a wider interval is useless */
		snprintf(interval, sizeof(interval), " (%+.*f to %+.*f %%)", decimals, change->low,
			 decimals, change->high);
	snprintf(to, VALUETEXT_TOTAL_MAX, "%s%s, %zu and %zu run%s%s%s", percent, interval,
		 diff->nr_old, nr_new, nr_new == 1 ? "" : "s", told ? ": " : "",
		 told ? verdict_name(change->verdict, diff->measure) : "");
}

void valuetext_total(char to[VALUETEXT_TOTAL_MAX], const struct diff *diff,
		     const struct diff_event *event)
{
	const struct total_change *change = &event->change;
	const struct valuetext_kind kind = {change->per_second ? MEASURE_RATE : MEASURE_PERIOD,
					    event->is_time};
	char values[2][VALUETEXT_MAX], verdict[VALUETEXT_TOTAL_MAX];

	valuetext_sum(values[0], kind, change->old_value);
	valuetext_sum(values[1], kind, change->new_value);
	put_verdict(verdict, diff, change);
	snprintf(to, VALUETEXT_TOTAL_MAX, "Total per %s: %.40s -> %.40s, %.200s",
		 change->per_second ? "second" : "run", values[0], values[1], verdict);
}
