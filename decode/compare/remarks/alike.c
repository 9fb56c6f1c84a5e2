#include "decode/compare/remarks/alike.h"

#include <math.h>

/* smallest change of the total that is reported, as a ratio */
static const double least_change = 1.03;

/* The large functions of an event, and those that changed by the ratio of the total. */
struct large {
	double nr, values[2];	      /* all of them; values by side */
	double nr_agreeing, agreeing; /* old side's values of those that agree */
	double near;
};

static void count_row(struct large *large, const struct diff_row *row, double ratio)
{
	const double off = fabs(log(row->ratio / ratio)) / fabs(log(ratio));
	const double delta = row->old_value * (ratio - 1);

	large->nr++;
	large->values[0] += row->old_value;
	large->values[1] += row->new_value;
	if (off <= 0.25 || (row->low <= delta && delta <= row->high)) {
		large->nr_agreeing++;
		large->agreeing += row->old_value;
	}
	if (off <= 0.5)
		large->near += row->old_value;
}

bool alike_ratio(const struct diff *diff, const struct diff_event *event, double *ratio)
{
	const double wholes[2] = {event->change.old_value, event->change.new_value};
	struct large large = {0};

	/* shares of a total do not change together; values that include callees overlap */
	if (diff->measure == MEASURE_SHARE || diff->children || !(wholes[0] > 0 && wholes[1] > 0))
		return false;
	*ratio = wholes[1] / wholes[0];
	if (fabs(log(*ratio)) < log(least_change))
		return false;
	if (diff->nr_runs > 2 && !verdict_is_change(event->change.verdict))
		return false;
	for (size_t i = 0; i < event->nr_rows; i++) {
		const struct diff_row *row = &event->rows[i];

		if (row->old_value >= wholes[0] / 100 || row->new_value >= wholes[1] / 100)
			count_row(&large, row, *ratio);
	}
	return large.nr >= 5 && large.values[0] >= 0.8 * wholes[0] &&
	       large.values[1] >= 0.8 * wholes[1] && large.nr_agreeing >= 0.9 * large.nr &&
	       large.agreeing >= 0.9 * large.values[0] && large.near >= 0.75 * large.values[0];
}
