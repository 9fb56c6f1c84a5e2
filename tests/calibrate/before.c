/*
 * The method before, kept to be measured beside: moderated variances, one typical deviation between
 * runs for all functions of an event (Smyth 2004; Robinson and Smyth 2007).
 */
#include "tests/calibrate/before.h"

#include "decode/compare/judge/adjust.h"
#include "decode/compare/judge/noise.h"
#include "decode/compare/judge/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* What all functions of an event together say of how runs differ. */
struct run_noise {
	bool seen;	  /* there are several runs on a side; if not, @deviation is assumed */
	double deviation; /* the typical one, of 1 */
	double df;	  /* of the typical factor: the more, the more functions are alike */
};

/* The mean of @own and @typical, each as far as its degrees of freedom go. */
static struct noise_factor factor_drawn(struct noise_factor own, struct noise_factor typical)
{
	if (isinf(typical.df))
		return typical;
	return (struct noise_factor){
		.value = (own.df * own.value + typical.df * typical.value) / (own.df + typical.df),
		.df = own.df + typical.df,
	};
}

/*
 * What is thought possible of runs: a typical deviation and the degrees of freedom of the typical
 * factor, on a grid.
 */
enum {
	NR_DEVIATIONS = 20, /* 0, 0.1 %, and on by the root of 2, to 51 % */
	NR_DFS = 7,
	MIN_SAMPLES = 50, /* independent ones of two runs, of a function that has a say */
};

static const double rates[NR_DFS] = {0,	     1. / 64, 1. / 32, 1. / 16,
				     1. / 8, 1. / 4,  1. / 2}; /* 1/df */

/* The logarithms of how likely each point of the grid is. */
struct grid {
	double log_weights[NR_DEVIATIONS][NR_DFS];
};

/* Variance of a side's value between its runs, of which there are two at least. */
static double between_variance(const struct compared_event *event, int i,
			       const struct run_share *runs, double value)
{
	const struct side *side = &event->sides[i];
	const double units = event->totals[i].units, nr = (double)side->nr_runs;
	double squares = 0;

	for (size_t k = 0; k < side->nr_runs; k++) {
		double off = (double)runs[k].period -
			     value * values_units(event->measure, &side->runs[k]);

		squares += off * off;
	}
	return nr / (nr - 1) * squares / (units * units);
}

/* The number of independent samples that a run of a side is worth, the sides being one run each. */
static double one_run_counts(const struct compared_event *event,
			     const struct run_share *const runs[2],
			     const struct noise_factor in_run[2])
{
	double counts = 0, nr = 0;

	for (int i = 0; i < 2; i++) {
		struct side_sum sum = values_sum(&event->sides[i], runs[i]);
		double within =
			noise_variance(event->measure, &sum, &event->totals[i], in_run[i].value);
		double value = sum.period / event->totals[i].units;

		if (!(within > 0))
			continue;
		counts += value * value / within;
		nr++;
	}
	return nr > 0 ? counts / nr : 0;
}

/* What a function shows between its runs. */
struct seen {
	struct noise_factor factor; /* df 0: nothing */
	double counts;		    /* independent samples that a run is worth */
};

static struct seen seen_between(const struct compared_event *event,
				const struct run_share *const runs[2],
				const struct noise_factor in_run[2])
{
	struct noise_factor seen = {0};
	double sum_counts = 0, samples = 0;

	for (int i = 0; i < 2; i++) {
		struct side_sum sum = values_sum(&event->sides[i], runs[i]);
		double within =
			noise_variance(event->measure, &sum, &event->totals[i], in_run[i].value);
		double nr = (double)event->sides[i].nr_runs;
		double value = sum.period / event->totals[i].units;

		if (nr < 2 || !(within > 0))
			continue;
		seen.value += (nr - 1) * between_variance(event, i, runs[i], value) / within;
		seen.df += nr - 1;
		sum_counts += (nr - 1) * value * value / within / nr;
		samples += sum.samples;
	}
	if (seen.df > 0) {
		sum_counts /= seen.df;
		seen.value /= seen.df;
		seen.df = 1 / (1 / seen.df + 1 / (2 * samples)); /* few samples say little */
	}
	return (struct seen){.factor = seen, .counts = sum_counts};
}

static double grid_deviation(size_t i)
{
	return i ? 0.001 * exp2((double)(i - 1) / 2) : 0;
}

/* Before anything is seen: half a Cauchy distribution of the deviation with the scale @expected
 * (Gelman 2006), each point for the deviations next to it; the degrees of freedom all alike. */
static void grid_start(struct grid *grid, double expected)
{
	for (size_t i = 0; i < NR_DEVIATIONS; i++) {
		double deviation = grid_deviation(i), by_scale = 0, width;

		width = i ? deviation * (exp2(0.25) - exp2(-0.25))
			  : grid_deviation(1) * exp2(-0.25);
		if (i)
			by_scale = deviation / expected;
		for (size_t k = 0; k < NR_DFS; k++)
			grid->log_weights[i][k] = log(width / (1 + by_scale * by_scale));
	}
}

/*
 * The part of the logarithm of the density of F with @df and 1 / @rate degrees of freedom that does
 * not depend on its value; for a @rate of 0 that of chi-squared / df.
 */
static double log_f_constant(double df, double rate)
{
	double other;

	if (rate <= 0)
		return df / 2 * log(df / 2) - lgamma(df / 2);
	other = 1 / rate;
	return lgamma((df + other) / 2) - lgamma(df / 2) - lgamma(other / 2) +
	       df / 2 * log(df * rate);
}

/* The part that does. */
static double log_f_variable(double value, double df, double rate)
{
	double power = (df / 2 - 1) * log(value);

	if (rate <= 0)
		return power - df * value / 2;
	return power - (df + 1 / rate) / 2 * log1p(df * value * rate);
}

/* How likely it is to see @seen, at each point: it is the point's factor times a value of F. */
static void grid_add(struct grid *grid, const struct seen *seen)
{
	double constants[NR_DFS], df = seen->factor.df;
	double value = fmax(seen->factor.value, 1e-6); /* of runs that are copies of each other */

	for (size_t k = 0; k < NR_DFS; k++)
		constants[k] = log_f_constant(df, rates[k]);
	for (size_t i = 0; i < NR_DEVIATIONS; i++) {
		double deviation = grid_deviation(i);
		double factor = 1 + deviation * deviation * seen->counts, log_factor = log(factor);

		for (size_t k = 0; k < NR_DFS; k++)
			grid->log_weights[i][k] += constants[k] +
						   log_f_variable(value / factor, df, rates[k]) -
						   log_factor;
	}
}

/* The mean of the grid: of deviations, and of 1 / df. */
static void grid_mean(const struct grid *grid, struct run_noise *noise)
{
	double most = -INFINITY, all = 0, deviation = 0, rate = 0;

	for (size_t i = 0; i < NR_DEVIATIONS; i++)
		for (size_t k = 0; k < NR_DFS; k++)
			most = fmax(most, grid->log_weights[i][k]);
	for (size_t i = 0; i < NR_DEVIATIONS; i++) {
		for (size_t k = 0; k < NR_DFS; k++) {
			double weight = exp(grid->log_weights[i][k] - most);

			all += weight;
			deviation += weight * grid_deviation(i);
			rate += weight * rates[k];
		}
	}
	noise->deviation = deviation / all;
	noise->df = all / rate; /* INFINITY, too */
}

static void run_noise_make(struct run_noise *noise, double expected,
			   const struct compared_event *event, const struct comparison *functions,
			   size_t nr, double typical)
{
	const struct side *sides = event->sides;
	struct grid grid;

	*noise = (struct run_noise){.deviation = expected};
	if (sides[0].nr_runs + sides[1].nr_runs == 2)
		return;
	noise->seen = true;
	grid_start(&grid, expected);
	for (size_t i = 0; i < nr; i++) {
		const struct run_share *runs[2] = {functions[i].old_runs, functions[i].new_runs};
		struct noise_factor in_run[2];
		struct seen seen;

		for (int side = 0; side < 2; side++)
			in_run[side] = noise_in_run(typical, &sides[side], runs[side]);
		seen = seen_between(event, runs, in_run);
		if (seen.factor.df > 0 && 2 * seen.counts >= MIN_SAMPLES)
			grid_add(&grid, &seen);
	}
	grid_mean(&grid, noise);
}

static struct noise_factor run_noise_factor(const struct run_noise *noise,
					    const struct compared_event *event,
					    const struct run_share *const runs[2],
					    const struct noise_factor in_run[2], double in_run_df)
{
	double square = noise->deviation * noise->deviation;
	struct seen seen;

	if (!noise->seen)
		return (struct noise_factor){
			.value = 1 + square * one_run_counts(event, runs, in_run),
			.df = in_run_df,
		};
	seen = seen_between(event, runs, in_run);
	return factor_drawn(seen.factor, (struct noise_factor){
						 .value = 1 + square * seen.counts,
						 .df = 1 / (1 / noise->df + 1 / in_run_df),
					 });
}

static const double alpha = 0.05; /* of verdicts, and 1 - the level of the intervals */

/* One side of the comparison of a function. */
struct estimate {
	double value;  /* in units of the measure */
	double trials; /* independent samples that all samples of the side are worth */
	double worth;  /* independent samples of the function per unit of its value */
};

/* What all functions of an event have in common. */
struct frame {
	struct compared_event event;
	double in_run;		/* the typical factor of noise within a run */
	struct run_noise noise; /* between runs */
};

/* All that is needed to compare the two sides of a function. */
struct pair {
	enum measure measure;
	struct estimate sides[2];
	double df;  /* of the noise */
	bool alone; /* all samples of both sides are of this function */
};

struct limits {
	double low, high;
};

/*
 * The sides of @pair, from their @sums and @totals and the @factors of their noise. What one sample
 * of the function weighs, against the mean of all samples, is that of both sides together: a side
 * may have no sample.
 */
static void weigh_sides(struct pair *pair, const struct side_sum sums[2],
			const struct side_total totals[2], const struct noise_factor factors[2])
{
	double samples = sums[0].samples + sums[1].samples;
	double all = totals[0].samples + totals[1].samples;
	double part = 0, weight, rest = 1;

	for (int i = 0; i < 2; i++)
		part += sums[i].period / totals[i].period * totals[i].samples / all;
	weight = part * all / samples;
	pair->alone = pair->measure == MEASURE_SHARE && !(samples < all && part < 1);
	if (pair->measure == MEASURE_SHARE && !pair->alone) {
		rest = 1 - part;
		weight *= rest * all / (all - samples);
	}
	for (int i = 0; i < 2; i++) {
		struct estimate *side = &pair->sides[i];

		side->value = values_mean(&sums[i], &totals[i]);
		side->trials = totals[i].samples / (weight * factors[i].value);
		side->worth = side->trials * totals[i].units / (totals[i].period * rest);
	}
}

/* Degrees of freedom of the difference, for the noise within the runs of two sides (Welch 1947). */
static double within_df(const struct pair *pair, const struct noise_factor in_run[2])
{
	double sum = 0, squares = 0;

	for (int i = 0; i < 2; i++) {
		/* Half a sample at least, so that a side without any has its part. */
		double count = fmax(pair->sides[i].value * pair->sides[i].worth, 0.5);
		double variance = count / (pair->sides[i].worth * pair->sides[i].worth);

		sum += variance;
		squares += variance * variance / in_run[i].df;
	}
	return sum * sum / squares;
}

/* The interval of the score test of one side (Wilson 1927), for a normal deviate of @z. */
static struct limits score_limits(const struct pair *pair, const struct estimate *side, double z)
{
	double value = side->value, scale = 1, n = side->worth, middle, half;
	double square = z * z;

	if (pair->measure != MEASURE_SHARE) {
		middle = value + square / (2 * n);
		half = z * sqrt(value / n + square / (4 * n * n));
	} else {
		n = side->trials;
		value /= 100;
		scale = 100 / (1 + square / n);
		middle = value + square / (2 * n);
		half = z * sqrt(fmax(value * (1 - value), 0) / n + square / (4 * n * n));
	}
	return (struct limits){.low = fmax(middle - half, 0) * scale,
			       .high = (middle + half) * scale};
}

/* The interval of the difference from those of both sides (Newcombe 1998, method 10). */
static struct limits difference_limits(const struct pair *pair, double z)
{
	const struct estimate *a = &pair->sides[0], *b = &pair->sides[1];
	struct limits old_side = score_limits(pair, a, z), new_side = score_limits(pair, b, z);
	double delta = b->value - a->value;

	return (struct limits){
		.low = delta - hypot(b->value - new_side.low, old_side.high - a->value),
		.high = delta + hypot(new_side.high - b->value, a->value - old_side.low),
	};
}

/* The two-sided p value of a normal deviate whose scale was estimated. */
static double p_value(double deviate, double df)
{
	return fmin(2 * stats_t_tail(fabs(deviate), df), 1);
}

/*
 * If there is no change, the samples of a function fall on the sides by chance, as the sides are
 * worth. Sets the p value, and whether any split of them could have given less than alpha.
 */
static void test_pair(const struct pair *pair, struct change *change, bool *can_show)
{
	const struct estimate *sides = pair->sides;
	double old_count = sides[0].value * sides[0].worth;
	double new_count = sides[1].value * sides[1].worth;
	double all = old_count + new_count;
	double chance = sides[1].worth / (sides[0].worth + sides[1].worth);

	change->p_value = 1;
	*can_show = false;
	if (pair->alone || !(all > 0))
		return;
	change->p_value = p_value(stats_binomial_deviate(new_count, all, chance), pair->df);
	*can_show = p_value(stats_binomial_deviate(0, all, chance), pair->df) < alpha ||
		    p_value(stats_binomial_deviate(all, all, chance), pair->df) < alpha;
}

/* Whether both sides have what values are made of, and one of them has some of the function. */
static bool comparable(const struct side_sum sums[2], const struct side_total totals[2])
{
	for (int i = 0; i < 2; i++) {
		if (!(totals[i].samples > 0) || !(totals[i].period > 0) || !(totals[i].units > 0))
			return false;
	}
	return sums[0].period + sums[1].period > 0;
}

/* What is known of a change without knowing how certain it is. */
static struct change plain_change(double old_value, double new_value)
{
	return (struct change){
		.old_value = old_value,
		.new_value = new_value,
		.delta = new_value - old_value,
		.ratio = old_value > 0 ? new_value / old_value : INFINITY,
		.ci_low = -INFINITY,
		.ci_high = INFINITY,
		.p_value = 1,
	};
}

/* Weighs the sides of a function by the noise within runs and between them. */
static void weigh_pair(struct pair *pair, const struct frame *frame,
		       const struct run_share *const runs[2], const struct side_sum sums[2])
{
	struct noise_factor in_run[2], between;

	for (int i = 0; i < 2; i++)
		in_run[i] = noise_in_run(frame->in_run, &frame->event.sides[i], runs[i]);
	weigh_sides(pair, sums, frame->event.totals, in_run);
	between = run_noise_factor(&frame->noise, &frame->event, runs, in_run,
				   within_df(pair, in_run));
	for (int i = 0; i < 2; i++) {
		pair->sides[i].trials /= between.value;
		pair->sides[i].worth /= between.value;
	}
	pair->df = between.df;
}

/* Everything of the change but what depends on the other functions. */
static void judge(struct comparison *function, const struct frame *frame, bool *can_show)
{
	const struct run_share *const runs[2] = {function->old_runs, function->new_runs};
	const struct side_total *totals = frame->event.totals;
	struct pair pair = {.measure = frame->event.measure};
	struct change *change = &function->change;
	struct side_sum sums[2];
	struct limits limits;

	*can_show = false;
	for (int i = 0; i < 2; i++)
		sums[i] = values_sum(&frame->event.sides[i], runs[i]);
	*change =
		plain_change(values_mean(&sums[0], &totals[0]), values_mean(&sums[1], &totals[1]));
	if (!comparable(sums, totals))
		return;
	weigh_pair(&pair, frame, runs, sums);
	limits = difference_limits(&pair, stats_t_quantile(alpha / 2, pair.df));
	change->ci_low = limits.low;
	change->ci_high = limits.high;
	test_pair(&pair, change, can_show);
}

static bool has_samples(const struct side *side, const struct run_share *runs)
{
	for (size_t i = 0; i < side->nr_runs; i++) {
		if (runs[i].samples)
			return true;
	}
	return false;
}

static enum verdict verdict_of(const struct comparison *function, const struct side sides[2])
{
	const struct change *change = &function->change;

	if (!(change->q_value < alpha))
		return VERDICT_SAME;
	if (change->delta > 0)
		return has_samples(&sides[0], function->old_runs) ? VERDICT_MORE : VERDICT_NEW;
	return has_samples(&sides[1], function->new_runs) ? VERDICT_LESS : VERDICT_GONE;
}

int before_compare(enum measure measure, const struct side *old_side, const struct side *new_side,
		   struct comparison *functions, size_t nr, struct error *err)
{
	const double deviation = 0.02;
	struct frame frame = {.event = values_of_event(measure, old_side, new_side)};
	struct adjusted *tests = calloc(nr + 1, sizeof(*tests));
	int rc;

	if (!tests)
		return error_nomem(err, "comparing functions");
	rc = noise_typical(&frame.in_run, frame.event.sides, functions, nr, err);
	if (rc == 0)
		run_noise_make(&frame.noise, deviation, &frame.event, functions, nr, frame.in_run);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		judge(&functions[i], &frame, &tests[i].can_show);
		tests[i].p_value = functions[i].change.p_value;
	}
	if (rc == 0)
		rc = adjust_tests(tests, nr, err);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		functions[i].change.q_value = tests[i].q_value;
		functions[i].change.verdict = verdict_of(&functions[i], frame.event.sides);
	}
	free(tests);
	return rc;
}
