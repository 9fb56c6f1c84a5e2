#include "tests/calibrate/oracle.h"

#include "decode/compare/judge/adjust.h"
#include "decode/compare/judge/stats.h"

#include <math.h>
#include <stdlib.h>

static double mean_of(const struct run_share *runs, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += (double)runs[i].period;
	return sum / (double)nr;
}

static double variance_of(const struct run_share *runs, size_t nr)
{
	double mean = mean_of(runs, nr), squares = 0;

	for (size_t i = 0; i < nr; i++)
		squares += ((double)runs[i].period - mean) * ((double)runs[i].period - mean);
	return squares / (double)(nr - 1);
}

/* The two-sided p value of the difference of means; the variance is that of all runs of the program
 * as it was. */
static double p_value(const struct runs_function *function, size_t nr_all,
		      const struct comparison *judged, const struct side *old_side,
		      const struct side *new_side)
{
	double usual = mean_of(function->shares, nr_all);
	double variance = variance_of(function->shares, nr_all);
	double old_value = mean_of(judged->old_runs, old_side->nr_runs);
	double new_value = mean_of(judged->new_runs, new_side->nr_runs);
	double parts = 1 / (double)old_side->nr_runs + 1 / (double)new_side->nr_runs;

	if (!(usual > 0) || !(variance > 0))
		return 1;
	return fmin(1, 2 * stats_normal_tail(fabs(new_value - old_value) / sqrt(variance * parts)));
}

int oracle_compare(const struct runs *all, const struct side *old_side, const struct side *new_side,
		   struct comparison *functions, size_t nr, struct error *err)
{
	struct adjusted *tests = calloc(nr + 1, sizeof(*tests));
	int rc;

	if (!tests)
		return error_nomem(err, "comparing functions");
	for (size_t i = 0; i < nr; i++) {
		double samples = 0;

		for (size_t run = 0; run < all->nr; run++)
			samples += (double)all->functions[i].shares[run].samples;
		tests[i].can_show = samples >= 3 * (double)all->nr;
		tests[i].p_value =
			p_value(&all->functions[i], all->nr, &functions[i], old_side, new_side);
	}
	rc = adjust_tests(tests, nr, err);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		double delta = mean_of(functions[i].new_runs, new_side->nr_runs) -
			       mean_of(functions[i].old_runs, old_side->nr_runs);

		functions[i].change = (struct change){
			.p_value = tests[i].p_value,
			.q_value = tests[i].q_value,
			.delta = delta,
			.verdict = tests[i].q_value >= 0.05 ? VERDICT_SAME
				   : delta > 0		    ? VERDICT_MORE
							    : VERDICT_LESS,
		};
	}
	free(tests);
	return rc;
}
