#include "decode/compare/judge/values.h"

double values_units(enum measure measure, const struct run_total *run)
{
	switch (measure) {
	case MEASURE_PERIOD:
		return 1;
	case MEASURE_RATE:
		return run->seconds;
	default:
		return (double)run->period / 100;
	}
}

static struct side_total total_of(enum measure measure, const struct side *side)
{
	struct side_total total = {0};

	for (size_t i = 0; i < side->nr_runs; i++) {
		total.samples += (double)side->runs[i].samples;
		total.period += (double)side->runs[i].period;
		total.units += values_units(measure, &side->runs[i]);
	}
	return total;
}

struct compared_event values_of_event(enum measure measure, const struct side *old_side,
				      const struct side *new_side)
{
	return (struct compared_event){
		.measure = measure,
		.sides = {*old_side, *new_side},
		.totals = {total_of(measure, old_side), total_of(measure, new_side)},
	};
}

struct side_sum values_sum(const struct side *side, const struct run_share *runs)
{
	struct side_sum sum = {0};

	for (size_t i = 0; i < side->nr_runs; i++) {
		sum.samples += (double)runs[i].samples;
		sum.period += (double)runs[i].period;
	}
	return sum;
}

double values_mean(const struct side_sum *sum, const struct side_total *total)
{
	return total->units > 0 ? sum->period / total->units : 0;
}
