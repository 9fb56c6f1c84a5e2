#include "decode/compare/verdict.h"

#include "decode/compare/adjust.h"
#include "decode/compare/between.h"
#include "decode/compare/machine.h"
#include "decode/compare/mixture.h"
#include "decode/compare/noise.h"
#include "decode/compare/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double alpha = 0.05; /* of verdicts, and 1 - the level of the intervals */

/* One side of the comparison of a function. */
struct estimate {
	double value;  /* in units of the measure */
	double trials; /* independent samples that all samples of the side are worth */
	double worth;  /* independent samples of the function per unit of its value */
};

/* What all functions of an event have in common. */
struct frame {
	enum measure measure;
	struct side sides[2];
	bool several;		/* some side has several runs */
	double in_run;		/* one run a side: the typical factor of noise within it */
	double whole;		/* the old side's value of all functions */
	struct machine machine; /* what they have in common */
	struct mixture mixture; /* how each differs between runs beside that */
};

/* All that is needed to compare the two sides of a function. The counts of samples are such as
 * noise within the runs leaves; how runs differ comes in by @noise. */
struct pair {
	enum measure measure;
	struct estimate sides[2];
	struct mixture_function noise;
	double common; /* new / old of all others, if that may be the machine's; else 1 */
	bool alone;    /* all samples of both sides are of this function */
};

struct limits {
	double low, high;
};

static double value_of(const struct side_sum *sum)
{
	return sum->units > 0 ? sum->period / sum->units : 0;
}

/*
 * The sides of @pair, from their @sums and the @factors of their noise. What one sample of the
 * function weighs, against the mean of all samples, is that of both sides together: a side may have
 * no sample.
 */
static void weigh_sides(struct pair *pair, const struct side_sum sums[2],
			const struct factor factors[2])
{
	double samples = sums[0].samples + sums[1].samples;
	double all = sums[0].all_samples + sums[1].all_samples;
	double part = 0, weight, rest = 1;

	for (int i = 0; i < 2; i++)
		part += sums[i].period / sums[i].all_period * sums[i].all_samples / all;
	weight = part * all / samples;
	pair->alone = pair->measure == MEASURE_SHARE && !(samples < all && part < 1);
	if (pair->measure == MEASURE_SHARE && !pair->alone) {
		rest = 1 - part;
		weight *= rest * all / (all - samples);
	}
	for (int i = 0; i < 2; i++) {
		struct estimate *side = &pair->sides[i];

		side->value = value_of(&sums[i]);
		side->trials = sums[i].all_samples / (weight * factors[i].value);
		side->worth = side->trials * sums[i].units / (sums[i].all_period * rest);
	}
}

/* Degrees of freedom of the difference, for the noise within the runs of two sides (Welch 1947). */
static double within_df(const struct pair *pair, const struct factor in_run[2])
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

/* The same, be what all functions have in common the program's or the machine's. */
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

/* The ratio of the sides without a change of the function: none, or what all have in common, or
 * between; of these the nearest to what is seen. */
static double unchanged_ratio(const struct pair *pair)
{
	const struct estimate *sides = pair->sides;
	double ratio = sides[0].value > 0 ? sides[1].value / sides[0].value : INFINITY;

	return fmin(fmax(ratio, fmin(pair->common, 1)), fmax(pair->common, 1));
}

/*
 * If there is no change, the samples of a function fall on the sides by chance, as the sides are
 * worth. The result has the p value, and whether any split of them could have given less than
 * alpha.
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

/* Whether both sides have what values are made of, and one of them has some of the function. */
static bool comparable(const struct side_sum sums[2])
{
	for (int i = 0; i < 2; i++) {
		if (!(sums[i].all_samples > 0) || !(sums[i].all_period > 0) || !(sums[i].units > 0))
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

/* The factors of noise within the runs of both sides. Where runs can be held against each other,
 * they tell all: the plain noise is where that starts from. */
static void in_run_factors(const struct frame *frame, const struct run_share *const runs[2],
			   struct factor factors[2])
{
	for (int i = 0; i < 2; i++)
		factors[i] = frame->several
				     ? (struct factor){.value = 1, .df = INFINITY}
				     : in_run_factor(frame->in_run, &frame->sides[i], runs[i]);
}

/* What @function shows between its runs. */
static struct mixture_seen see(const struct frame *frame, const struct comparison *function)
{
	const struct run_share *const runs[2] = {function->old_runs, function->new_runs};
	struct factor factors[2];
	struct mixture_seen seen;

	in_run_factors(frame, runs, factors);
	seen = between_runs(frame->measure, frame->sides, runs, factors, frame->machine.explains);
	seen.kind = function->kernel ? MIXTURE_KERNEL : MIXTURE_USER;
	return seen;
}

/* What would be likely of a function if runs did not differ but for the noise within them. */
static struct mixture_function no_difference(double df)
{
	return (struct mixture_function){.roots = {1}, .weights = {1}, .nr = 1, .df = df};
}

/* Everything of the change but what depends on the other functions. @within is @test without what
 * runs differ by; nothing where they can be held against each other. */
static void judge(struct comparison *function, const struct frame *frame,
		  const struct mixture_seen *seen, double common, struct adjusted *test,
		  struct adjusted *within)
{
	const struct run_share *const runs[2] = {function->old_runs, function->new_runs};
	struct pair pair = {.measure = frame->measure, .common = common};
	struct change *change = &function->change;
	struct side_sum sums[2];
	struct factor factors[2];
	struct limits limits;

	for (int i = 0; i < 2; i++)
		sums[i] = side_sum(frame->measure, &frame->sides[i], runs[i]);
	*change = plain_change(value_of(&sums[0]), value_of(&sums[1]));
	if (!comparable(sums))
		return;
	in_run_factors(frame, runs, factors);
	weigh_sides(&pair, sums, factors);
	mixture_weigh(&frame->mixture, seen, within_df(&pair, factors), &pair.noise);
	limits = difference_limits(&pair, mixture_deviate(&pair.noise, alpha));
	change->ci_low = limits.low;
	change->ci_high = limits.high;
	*test = test_pair(&pair);
	change->p_value = test->p_value;
	if (frame->several)
		return;
	pair.noise = no_difference(pair.noise.df);
	pair.common = 1;
	*within = test_pair(&pair);
}

static bool has_samples(const struct side *side, const struct run_share *runs)
{
	for (size_t i = 0; i < side->nr_runs; i++) {
		if (runs[i].samples)
			return true;
	}
	return false;
}

/* Whether a change by @delta, of a function that had @value of @whole, is worth knowing. */
static bool matters(double delta, double value, double whole)
{
	return fabs(delta) >= VERDICT_MATTERS_WHOLE * whole &&
	       fabs(delta) >= VERDICT_MATTERS_FUNCTION * value;
}

static enum verdict verdict_of(const struct comparison *function, const struct frame *frame)
{
	const struct change *change = &function->change;
	const struct side *sides = frame->sides;

	if (!(change->q_value < alpha))
		return matters(fmin(change->ci_low, 0), change->old_value, frame->whole) ||
				       matters(fmax(change->ci_high, 0), change->old_value,
					       frame->whole)
			       ? VERDICT_UNSURE
			       : VERDICT_SAME;
	if (change->delta > 0)
		return has_samples(&sides[0], function->old_runs) ? VERDICT_MORE : VERDICT_NEW;
	return has_samples(&sides[1], function->new_runs) ? VERDICT_LESS : VERDICT_GONE;
}

/* Learns how the functions differ between runs; @seen has room for what each shows. */
static int learn(struct frame *frame, double run_deviation, const struct comparison *functions,
		 size_t nr, struct mixture_seen *seen, struct error *err)
{
	frame->several = frame->sides[0].nr_runs + frame->sides[1].nr_runs > 2;
	if (!frame->several && in_run_typical(&frame->in_run, frame->sides, functions, nr, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++)
		seen[i] = see(frame, &functions[i]);
	mixture_start(&frame->mixture, run_deviation, frame->several);
	return mixture_learn(&frame->mixture, seen, nr, err);
}

/* The value of all functions of @side together. */
static double whole_of(enum measure measure, const struct side *side)
{
	struct side_sum sum = {0};

	for (size_t i = 0; i < side->nr_runs; i++) {
		sum.period += (double)side->runs[i].period;
		sum.units += run_units(measure, &side->runs[i]);
	}
	return value_of(&sum);
}

/* What is kept of each function until all are judged. */
struct work {
	struct adjusted *tests, *within;
	struct mixture_seen *seen;
};

static int judge_all(struct frame *frame, double run_deviation, struct comparison *functions,
		     size_t nr, const struct work *work, struct error *err)
{
	if (machine_make(&frame->machine, frame->measure, frame->sides, functions, nr, err) < 0 ||
	    learn(frame, run_deviation, functions, nr, work->seen, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++)
		judge(&functions[i], frame, &work->seen[i], machine_ratio(&frame->machine, i),
		      &work->tests[i], &work->within[i]);
	if (adjust(work->tests, nr, err) < 0 || adjust(work->within, nr, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++) {
		functions[i].change.q_value = work->tests[i].q_value;
		functions[i].change.within_q = work->within[i].q_value;
		functions[i].change.verdict = verdict_of(&functions[i], frame);
	}
	return 0;
}

int compare_functions(enum measure measure, double run_deviation, const struct side *old_side,
		      const struct side *new_side, struct comparison *functions, size_t nr,
		      struct error *err)
{
	struct frame frame = {.measure = measure, .sides = {*old_side, *new_side}};
	const struct work work = {
		.tests = calloc(nr + 1, sizeof(*work.tests)),
		.within = calloc(nr + 1, sizeof(*work.within)),
		.seen = calloc(nr + 1, sizeof(*work.seen)),
	};
	int rc = -1;

	frame.whole = whole_of(measure, old_side);
	if (work.tests && work.within && work.seen)
		rc = judge_all(&frame, run_deviation, functions, nr, &work, err);
	else
		error_nomem(err, "comparing functions");
	machine_free(&frame.machine);
	free(work.tests);
	free(work.within);
	free(work.seen);
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
