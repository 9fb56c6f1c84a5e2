#include "decode/compare/judge/mixture.h"

#include "decode/compare/judge/stats.h"

#include <math.h>
#include <stdlib.h>

enum {
	ROUNDS = 50,	      /* rounds of the EM algorithm */
	PRIOR_WEIGHT = 8,     /* weight of the prior, in functions */
	LEAST_SAMPLES = 10,   /* samples that a function must have to be learned from */
	LEARNERS_MAX = 20000, /* maximum number of functions of a kind that are learned from */
	/* the kernel's scale of deviations, as a multiple of that of user space */
	KERNEL_DEVIATIONS = 10,
};

static const double first_deviation = 0.0025;
/* part of the prior that is spread evenly over the deviations ... */
static const double any_deviation = 0.05;
static const double any_from = 0.05;	  /* ... from this one on */
static const double least_scale = 1e-6;	  /* scale of the prior if --run-deviation is 0 */
static const double kept_prior = 0.05;	  /* part of the prior in the learned weights */
static const double least_weight = 1e-15; /* points with less weight are left out */

static const double bases[MIXTURE_BASES] = {1. / 8, 1. / 4, 1. / 2, 1};
static const double base_weights[MIXTURE_BASES] = {1. / 16, 2. / 16, 4. / 16, 9. / 16};

static double deviation_of(size_t i)
{
	return i ? first_deviation * exp2((double)(i - 1) / 2) : 0;
}

/* The factor at @point for a function of which a run is worth @counts samples. */
static double factor_of(size_t point, double counts)
{
	double deviation = deviation_of(point % MIXTURE_DEVIATIONS);

	return bases[point / MIXTURE_DEVIATIONS] + deviation * deviation * counts;
}

/*
 * P(X < x) of a half Student's t with @scale: with 3 degrees of freedom if @several; else with 2,
 * whose tail is longer, because with one run a side an unusual function cannot be learned.
 */
static double half_t(double x, double scale, bool several)
{
	const double pi = 3.14159265358979323846;
	double u = x / scale;

	if (isinf(x))
		return 1;
	if (!several)
		return u / sqrt(2 + u * u);
	u /= sqrt(3);
	return 2 / pi * (u / (1 + u * u) + atan(u));
}

/* The weight of deviation @i: the probability of the interval around it. */
static double deviation_weight(size_t i, double scale, bool several)
{
	const double half_step = exp2(0.25);
	double low = i ? deviation_of(i) / half_step : 0;
	double high = i + 1 < MIXTURE_DEVIATIONS ? deviation_of(i + 1) / half_step : INFINITY;
	double weight = half_t(high, scale, several) - half_t(low, scale, several);
	size_t nr_any = 0;

	if (!several)
		return weight;
	for (size_t k = 0; k < MIXTURE_DEVIATIONS; k++)
		nr_any += deviation_of(k) >= any_from;
	weight *= 1 - any_deviation;
	return deviation_of(i) >= any_from ? weight + any_deviation / (double)nr_any : weight;
}

void mixture_start(struct mixture *mixture, double user_deviation, bool several)
{
	mixture->several = several;
	for (int kind = 0; kind < NR_MIXTURE_KINDS; kind++) {
		double scale = fmax(user_deviation, least_scale) *
			       (kind == MIXTURE_KERNEL ? KERNEL_DEVIATIONS : 1);

		for (size_t g = 0; g < MIXTURE_POINTS; g++) {
			size_t base = g / MIXTURE_DEVIATIONS;
			double weight = several ? base_weights[base] : bases[base] == 1;

			weight *= deviation_weight(g % MIXTURE_DEVIATIONS, scale, several);
			mixture->prior[kind][g] = mixture->learned[kind][g] = weight;
		}
	}
}

/* The likelihood of @seen at each point, relative to the highest. */
static void likelihoods(const struct mixture_seen *seen, double to[MIXTURE_POINTS])
{
	double most = -INFINITY;

	for (size_t g = 0; g < MIXTURE_POINTS; g++) {
		double factor = factor_of(g, seen->counts);

		to[g] = -seen->df / 2 * (log(factor) + seen->factor / factor);
		most = fmax(most, to[g]);
	}
	for (size_t g = 0; g < MIXTURE_POINTS; g++)
		to[g] = seen->df > 0 ? exp(to[g] - most) : 1;
}

/*
 * Adds to @sums the points' responsibilities for a function with likelihoods @likely, under the
 * @weights of its kind.
 */
static void add_function(const double weights[MIXTURE_POINTS], const double likely[MIXTURE_POINTS],
			 double sums[MIXTURE_POINTS])
{
	double all = 0;

	for (size_t g = 0; g < MIXTURE_POINTS; g++)
		all += weights[g] * likely[g];
	for (size_t g = 0; g < MIXTURE_POINTS; g++)
		sums[g] += weights[g] * likely[g] / all;
}

/*
 * Finds the weights under which the @nr functions of a kind are most likely, by the EM algorithm;
 * the prior counts as PRIOR_WEIGHT functions.
 */
static void learn_kind(const double prior[MIXTURE_POINTS], const double (*likely)[MIXTURE_POINTS],
		       size_t nr, double weights[MIXTURE_POINTS])
{
	for (int round = 0; round < ROUNDS; round++) {
		double sums[MIXTURE_POINTS];

		for (size_t g = 0; g < MIXTURE_POINTS; g++)
			sums[g] = PRIOR_WEIGHT * prior[g];
		for (size_t i = 0; i < nr; i++)
			add_function(weights, likely[i], sums);
		for (size_t g = 0; g < MIXTURE_POINTS; g++)
			weights[g] = sums[g] / ((double)nr + PRIOR_WEIGHT);
	}
	for (size_t g = 0; g < MIXTURE_POINTS; g++)
		weights[g] = (1 - kept_prior) * weights[g] + kept_prior * prior[g];
}

static bool has_a_say(const struct mixture_seen *seen, enum mixture_kind kind)
{
	return seen->kind == kind && seen->df > 0 && seen->samples >= LEAST_SAMPLES;
}

/*
 * Fills @likely with the likelihoods of the functions that are learned from: all of them, or every
 * second, third, ... if there are too many.
 */
static size_t choose(const struct mixture_seen *seen, size_t nr, enum mixture_kind kind,
		     double (*likely)[MIXTURE_POINTS])
{
	size_t nr_all = 0, nr_chosen = 0, step;

	for (size_t i = 0; i < nr; i++)
		nr_all += has_a_say(&seen[i], kind);
	step = nr_all / LEARNERS_MAX + 1;
	nr_all = 0;
	for (size_t i = 0; i < nr; i++) {
		if (has_a_say(&seen[i], kind) && nr_all++ % step == 0)
			likelihoods(&seen[i], likely[nr_chosen++]);
	}
	return nr_chosen;
}

int mixture_learn(struct mixture *mixture, const struct mixture_seen *seen, size_t nr,
		  struct error *err)
{
	const size_t room = nr < LEARNERS_MAX ? nr + 1 : LEARNERS_MAX + 1;
	double(*likely)[MIXTURE_POINTS];

	if (!mixture->several)
		return 0;
	likely = calloc(room, sizeof(*likely));
	if (!likely)
		return error_nomem(err, "comparing functions");
	for (int kind = 0; kind < NR_MIXTURE_KINDS; kind++)
		learn_kind(mixture->prior[kind], (const double(*)[MIXTURE_POINTS])likely,
			   choose(seen, nr, (enum mixture_kind)kind, likely),
			   mixture->learned[kind]);
	free(likely);
	return 0;
}

void mixture_weigh(const struct mixture *mixture, const struct mixture_seen *seen, double df,
		   struct mixture_function *function)
{
	const double *learned = mixture->learned[seen->kind];
	double likely[MIXTURE_POINTS], all = 0;

	likelihoods(seen, likely);
	for (size_t g = 0; g < MIXTURE_POINTS; g++)
		all += learned[g] * likely[g];
	function->nr = 0;
	function->df = df;
	for (size_t g = 0; g < MIXTURE_POINTS; g++) {
		double weight = learned[g] * likely[g] / all;

		if (!(weight >= least_weight))
			continue;
		function->roots[function->nr] = sqrt(factor_of(g, seen->counts));
		function->weights[function->nr++] = weight;
	}
}

double mixture_p(const struct mixture_function *function, double z)
{
	double p = 0;

	for (size_t i = 0; i < function->nr; i++)
		p += function->weights[i] * 2 *
		     stats_t_tail(fabs(z) / function->roots[i], function->df);
	return fmin(p, 1);
}

/* The mean of the roots: where p is small, the deviate is about twice this. */
static double mean_root(const struct mixture_function *function)
{
	double mean = 0;

	for (size_t i = 0; i < function->nr; i++)
		mean += function->weights[i] * function->roots[i];
	return mean;
}

/*
 * The method of false position on log p, which is nearly a parabola. If one end does not move, its
 * value is halved (the Illinois variant), so that both ends approach.
 */
double mixture_deviate(const struct mixture_function *function, double p)
{
	double low = 0, high = 2 * mean_root(function), at_low, at_high, z = 0, aim = log(p);
	int moved = 0;

	at_low = -aim;
	while ((at_high = log(mixture_p(function, high)) - aim) > 0 && high < 1e100) {
		low = high;
		at_low = at_high;
		high *= 2;
	}
	for (int i = 0; i < 100 && high - low > 1e-11 * high; i++) {
		double at;

		z = low + (high - low) * at_low / (at_low - at_high);
		at = log(mixture_p(function, z)) - aim;
		if (fabs(at) < 1e-11)
			break;
		if (at > 0) {
			low = z;
			at_low = at;
			at_high /= moved > 0 ? 2 : 1;
			moved = 1;
		} else {
			high = z;
			at_high = at;
			at_low /= moved < 0 ? 2 : 1;
			moved = -1;
		}
	}
	return z;
}
