#include "decode/replay/timerange.h"

#include "util/clock.h"

#include <string.h>

/* One end of a range as it is written. */
struct time_end {
	bool given;
	enum time_unit unit;
	uint64_t value;
};

/* Parses digits that may have a point between them. Sets *@value to them in units of 1e-9, or of 1
 * if they have no point. Returns false if it is no such number or too large. */
static bool parse_decimal(const char *text, size_t len, uint64_t *value, bool *point)
{
	uint64_t unit = NS_PER_SECOND, digits = 0;

	*point = false;
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '.' && !*point) {
			*point = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9')
			return false;
		if (*point && unit == 1)
			continue; /* digits below 1e-9 */
		if (*point)
			unit /= 10;
		if (__builtin_mul_overflow(digits, 10, &digits) ||
		    __builtin_add_overflow(digits, (uint64_t)(text[i] - '0'), &digits))
			return false;
	}
	*value = digits;
	return !*point || !__builtin_mul_overflow(digits, unit, value);
}

/* As parse_decimal(), in units of 1e-9 in any case; there must be a digit. */
static bool parse_billionths(const char *text, size_t len, uint64_t *value)
{
	bool point;

	if (strcspn(text, "0123456789") >= len || !parse_decimal(text, len, value, &point))
		return false;
	return point || !__builtin_mul_overflow(*value, NS_PER_SECOND, value);
}

static bool parse_end(struct time_end *end, const char *text, size_t len)
{
	bool point;

	*end = (struct time_end){.given = len > 0};
	if (len == 0)
		return true;
	if (text[0] == '+') {
		end->unit = TIME_ELAPSED;
		return parse_billionths(text + 1, len - 1, &end->value);
	}
	if (text[len - 1] == '%') {
		end->unit = TIME_PERCENT;
		return parse_billionths(text, len - 1, &end->value);
	}
	/* as perf prints times */
	return parse_decimal(text, len, &end->value, &point);
}

static bool parse_ends(struct time_end ends[2], const char *text)
{
	const char *comma = strchr(text, ',');

	return comma && parse_end(&ends[0], text, (size_t)(comma - text)) &&
	       parse_end(&ends[1], comma + 1, strlen(comma + 1));
}

/* Checks ends of one unit. What is left out of percent is known. */
static int check_order(const struct time_range *range, const char *text, struct error *err)
{
	const bool percent = range->unit == TIME_PERCENT;
	const uint64_t last = percent ? TIME_PERCENT_ALL : UINT64_MAX;

	if (percent && (range->from > last || (range->has_to && range->to > last)))
		return error_set(err, ERROR_USAGE, "option --time: '%s': 100%% is the most", text);
	if (range->from >= (range->has_to ? range->to : last))
		return error_set(err, ERROR_USAGE, "option --time: '%s': %s", text,
				 range->has_to ? "FROM is not before TO" : "nothing is after FROM");
	return 0;
}

int timerange_parse(struct time_range *range, const char *text, struct error *err)
{
	struct time_end ends[2];

	if (!parse_ends(ends, text))
		return error_set(
			err, ERROR_USAGE,
			"option --time: '%s' is not FROM,TO in ns of the recording's clock, or "
			"in seconds with a point (12.5,13.0); in seconds from the first "
			"sample with a + (+1.5,+2); or in percent of the time from the "
			"first sample to the last (10%%,20%%)",
			text);
	if (ends[0].given && ends[1].given && ends[0].unit != ends[1].unit)
		return error_set(
			err, ERROR_USAGE,
			"option --time: '%s': FROM and TO must be written in one way: both by the "
			"recording's clock, both with a +, or both in percent",
			text);
	*range = (struct time_range){
		.unit = ends[ends[0].given ? 0 : 1].unit,
		.has_from = ends[0].given,
		.has_to = ends[1].given,
		.from = ends[0].value,
		.to = ends[1].value,
	};
	return check_order(range, text, err);
}

/* 0 % and 100 % are open: a sample may be late, and what perf noted of times may be wrong. */
static uint64_t place_percent(uint64_t part, const struct sample_times *times)
{
	const uint64_t span = times->last - times->first;

	if (part == 0 || part == TIME_PERCENT_ALL)
		return part ? UINT64_MAX : 0;
	return times->first + (uint64_t)((unsigned __int128)span * part / TIME_PERCENT_ALL);
}

static uint64_t place(enum time_unit unit, uint64_t value, const struct sample_times *times)
{
	uint64_t time;

	if (unit == TIME_CLOCK)
		return value;
	if (unit == TIME_PERCENT)
		return place_percent(value, times);
	return __builtin_add_overflow(times->first, value, &time) ? UINT64_MAX : time;
}

void timerange_place(const struct time_range *range, const struct sample_times *times,
		     uint64_t *from, uint64_t *to)
{
	*from = range->has_from ? place(range->unit, range->from, times) : 0;
	*to = range->has_to ? place(range->unit, range->to, times) : UINT64_MAX;
}
