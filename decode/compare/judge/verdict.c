#include "decode/compare/judge/verdict.h"

#include "decode/compare/judge/adjust.h"
#include "decode/compare/judge/between.h"
#include "decode/compare/judge/machine.h"
#include "decode/compare/judge/mixture.h"
#include "decode/compare/judge/noise.h"
#include "decode/compare/judge/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* significance level of verdicts, and 1 - the level of the intervals */
static const double alpha = 0.05;

/* One side of the comparison of a function. */
struct estimate {
	double value; /* value in units of the measure */
	/* number of independent samples that all samples of the side are equivalent to */
	double trials;
	double worth; /* independent samples of the function per unit of its value */
};

/* The data that all functions of an event are judged by. */
struct judging {
	struct compared_event event;
	bool several;  /* at least one side has several runs */
	double in_run; /* with one run a side: the typical factor of noise within a run */
	double whole;  /* the old side's total value */
	struct machine_effect machine; /* the common variation of all functions */
	struct mixture mixture;	       /* the remaining variation of each function between runs */
};

/*
 * The data needed to compare the two sides of a function. Sample counts are weighted for the noise
 * within runs; @noise describes the variation between runs.
 */
struct pair {
	enum measure measure;
	struct estimate sides[2];
	struct mixture_function noise;
	/* new / old of most other functions, if the machine may be the cause; else 1 */
	double common;
	bool alone; /* all samples of both sides are of this function */
};

struct limits {
	double low, high;
};

/*
 * Fills the sides of @pair from @sums, @totals and the @factors of their noise. The weight of one
 * sample of the function, relative to the mean of all samples, is taken from both sides together,
 * because one side may have no samples.
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

/* Degrees of freedom of the difference for the noise within the runs of two sides (Welch 1947). */
static double within_df(const struct pair *pair, const struct noise_factor in_run[2])
{
	double sum = 0, squares = 0;

	for (int i = 0; i < 2; i++) {
		/* at least half a sample, so that a side without samples counts too */
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
static struct limits sides_limits(const struct pair *pair, const struct estimate *a,
				  const struct estimate *b, double z)
{
	struct limits old_side = score_limits(pair, a, z), new_side = score_limits(pair, b, z);
	double delta = b->value - a->value;

	return (struct limits){
		.low = delta - hypot(b->value - new_side.low, old_side.high - a->value),
		.high = delta + hypot(new_side.high - b->value, a->value - old_side.low),
	};
}

/* The same limits, valid whether the program or the machine causes the common change. */
static struct limits difference_limits(const struct pair *pair, double z)
{
	const struct estimate *a = &pair->sides[0], *b = &pair->sides[1];
	const struct estimate without = {
		.value = b->value / pair->common,
		.trials = b->trials,
		.worth = b->worth * pair->common,
	};
	const struct limits one = sides_limits(pair, a, b, z);
	const struct limits other = sides_limits(pair, a, &without, z);

	return (struct limits){fmin(one.low, other.low), fmax(one.high, other.high)};
}

/*
 * The expected ratio of the sides if the function has not changed: 1, the common ratio, or a value
 * between them; of these, the one nearest to the observed ratio.
 */
static double unchanged_ratio(const struct pair *pair)
{
	const struct estimate *sides = pair->sides;
	double ratio = sides[0].value > 0 ? sides[1].value / sides[0].value : INFINITY;

	return fmin(fmax(ratio, fmin(pair->common, 1)), fmax(pair->common, 1));
}

/*
 * Tests the function for a change. Without one, its samples fall on the sides by chance, in
 * proportion to what the sides are worth. Returns the p value, and whether any split of the samples
 * could have given less than alpha.
 */
static struct adjusted test_pair(const struct pair *pair)
{
	const struct mixture_function *noise = &pair->noise;
	const struct estimate *sides = pair->sides;
	double old_count = sides[0].value * sides[0].worth;
	double new_count = sides[1].value * sides[1].worth;
	double all = old_count + new_count;
	double worth = sides[1].worth * unchanged_ratio(pair);
	double chance = worth / (sides[0].worth + worth);

	struct adjusted test = {.p_value = 1};

	if (pair->alone || !(all > 0))
		return test;
	test.p_value = mixture_p(noise, stats_binomial_deviate(new_count, all, chance));
	test.can_show = test.p_value < alpha ||
			mixture_p(noise, stats_binomial_deviate(0, all, chance)) < alpha ||
			mixture_p(noise, stats_binomial_deviate(all, all, chance)) < alpha;
	return test;
}

/* Whether both sides have totals to divide by, and at least one has samples of the function. */
static bool comparable(const struct side_sum sums[2], const struct side_total totals[2])
{
	for (int i = 0; i < 2; i++) {
		if (!(totals[i].samples > 0) || !(totals[i].period > 0) || !(totals[i].units > 0))
			return false;
	}
	return sums[0].period + sums[1].period > 0;
}

/* The change without p value, q value and interval. */
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

/*
 * Sets the factors of noise within the runs of both sides. If a side has several runs, these show
 * all of the noise, so the factors are 1.
 */
static void in_run_factors(const struct judging *j, const struct run_share *const runs[2],
			   struct noise_factor factors[2])
{
	for (int i = 0; i < 2; i++)
		factors[i] = j->several ? (struct noise_factor){.value = 1, .df = INFINITY}
					: noise_in_run(j->in_run, &j->event.sides[i], runs[i]);
}

/* Measures how @function, whose sums are @sums, varies between its runs. */
static struct mixture_seen see(const struct judging *j, const struct comparison *function,
			       const struct side_sum sums[2])
{
	const struct run_share *const runs[2] = {function->old_runs, function->new_runs};
	struct noise_factor factors[2];
	struct mixture_seen seen;

	in_run_factors(j, runs, factors);
	seen = between_runs(&j->event, runs, sums, factors, j->machine.explains);
	seen.kind = function->kernel ? MIXTURE_KERNEL : MIXTURE_USER;
	return seen;
}

/* The distribution of a function with only noise within runs. */
static struct mixture_function no_difference(double df)
{
	return (struct mixture_function){.roots = {1}, .weights = {1}, .nr = 1, .df = df};
}

/* Data of each function that is kept until all are judged. */
struct findings {
	struct side_sum (*sums)[2];
	struct mixture_seen *seen;
	struct adjusted *tests;
	/* The tests with only noise within runs; empty if a side has several runs. */
	struct adjusted *within;
};

/* Fills the change of function @i, except what depends on the tests of all functions. */
static void judge(struct comparison *function, const struct judging *j,
		  const struct findings *found, size_t i)
{
	const struct run_share *const runs[2] = {function->old_runs, function->new_runs};
	const struct side_total *totals = j->event.totals;
	const struct side_sum *sums = found->sums[i];
	struct pair pair = {.measure = j->event.measure, .common = machine_ratio(&j->machine, i)};
	struct change *change = &function->change;
	struct noise_factor factors[2];
	struct limits limits;

	*change =
		plain_change(values_mean(&sums[0], &totals[0]), values_mean(&sums[1], &totals[1]));
	if (!comparable(sums, totals))
		return;
	in_run_factors(j, runs, factors);
	weigh_sides(&pair, sums, totals, factors);
	mixture_weigh(&j->mixture, &found->seen[i], within_df(&pair, factors), &pair.noise);
	limits = difference_limits(&pair, mixture_deviate(&pair.noise, alpha));
	change->ci_low = limits.low;
	change->ci_high = limits.high;
	found->tests[i] = test_pair(&pair);
	change->p_value = found->tests[i].p_value;
	if (j->several)
		return;
	pair.noise = no_difference(pair.noise.df);
	pair.common = 1;
	found->within[i] = test_pair(&pair);
}

/* Whether a change of @delta matters for a function whose value was @value of @whole. */
static bool matters(double delta, double value, double whole)
{
	return fabs(delta) >= VERDICT_MATTERS_WHOLE * whole &&
	       fabs(delta) >= VERDICT_MATTERS_FUNCTION * value;
}

static enum verdict verdict_of(const struct change *change, const struct side_sum sums[2],
			       double whole)
{
	if (!(change->q_value < alpha))
		return matters(fmin(change->ci_low, 0), change->old_value, whole) ||
				       matters(fmax(change->ci_high, 0), change->old_value, whole)
			       ? VERDICT_UNSURE
			       : VERDICT_SAME;
	if (change->delta > 0)
		return sums[0].samples > 0 ? VERDICT_MORE : VERDICT_NEW;
	return sums[1].samples > 0 ? VERDICT_LESS : VERDICT_GONE;
}

/* Learns the common variation of the functions and their own variation between runs. */
static int learn(struct judging *j, double run_deviation, const struct comparison *functions,
		 size_t nr, const struct findings *found, struct error *err)
{
	if (machine_make(&j->machine, &j->event, functions,
			 (const struct side_sum(*)[2])found->sums, nr, err) < 0)
		return -1;
	if (!j->several && noise_typical(&j->in_run, j->event.sides, functions, nr, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++)
		found->seen[i] = see(j, &functions[i], found->sums[i]);
	mixture_start(&j->mixture, run_deviation, j->several);
	return mixture_learn(&j->mixture, found->seen, nr, err);
}

static int judge_all(struct judging *j, double run_deviation, struct comparison *functions,
		     size_t nr, const struct findings *found, struct error *err)
{
	for (size_t i = 0; i < nr; i++) {
		found->sums[i][0] = values_sum(&j->event.sides[0], functions[i].old_runs);
		found->sums[i][1] = values_sum(&j->event.sides[1], functions[i].new_runs);
	}
	if (learn(j, run_deviation, functions, nr, found, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++)
		judge(&functions[i], j, found, i);
	if (adjust_tests(found->tests, nr, err) < 0 || adjust_tests(found->within, nr, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++) {
		struct change *change = &functions[i].change;

		change->q_value = found->tests[i].q_value;
		change->within_q = found->within[i].q_value;
		change->verdict = verdict_of(change, found->sums[i], j->whole);
	}
	return 0;
}

int verdict_judge(enum measure measure, double run_deviation, const struct side *old_side,
		  const struct side *new_side, struct comparison *functions, size_t nr,
		  struct error *err)
{
	struct judging j = {
		.event = values_of_event(measure, old_side, new_side),
		.several = old_side->nr_runs + new_side->nr_runs > 2,
	};
	const struct side_total *old_total = &j.event.totals[0];
	const struct findings found = {
		.sums = calloc(nr + 1, sizeof(*found.sums)),
		.seen = calloc(nr + 1, sizeof(*found.seen)),
		.tests = calloc(nr + 1, sizeof(*found.tests)),
		.within = calloc(nr + 1, sizeof(*found.within)),
	};
	int rc = -1;

	j.whole = values_mean(&(struct side_sum){.period = old_total->period}, old_total);
	if (found.sums && found.seen && found.tests && found.within)
		rc = judge_all(&j, run_deviation, functions, nr, &found, err);
	else
		error_nomem(err, "comparing functions");
	machine_free(&j.machine);
	free(found.sums);
	free(found.seen);
	free(found.tests);
	free(found.within);
	return rc;
}

const char *verdict_name(enum verdict verdict, enum measure measure)
{
	static const char *const names[] = {
		[VERDICT_SAME] = "same",
		[VERDICT_UNSURE] = "unsure",
		[VERDICT_NEW] = "new",
		[VERDICT_GONE] = "gone",
	};
	static const char *const changes[][2] = {
		[MEASURE_SHARE] = {"larger", "smaller"},
		[MEASURE_PERIOD] = {"slower", "faster"},
		[MEASURE_RATE] = {"higher", "lower"},
	};

	if (verdict == VERDICT_MORE || verdict == VERDICT_LESS)
		return changes[measure][verdict == VERDICT_LESS];
	return names[verdict];
}
