#include "decode/compare/judge/adjust.h"

#include <math.h>
#include <stdlib.h>

static int compare_p(const void *a, const void *b)
{
	const struct adjusted *x = *(struct adjusted *const *)a, *y = *(struct adjusted *const *)b;

	return x->p_value < y->p_value ? -1 : x->p_value > y->p_value;
}

int adjust_tests(struct adjusted *tests, size_t nr, struct error *err)
{
	struct adjusted **order = calloc(nr + 1, sizeof(*order));
	size_t nr_tests = 0;
	double least = 1;

	if (!order)
		return error_nomem(err, "adjusting p values");
	for (size_t i = 0; i < nr; i++) {
		tests[i].q_value = 1;
		if (tests[i].can_show)
			order[nr_tests++] = &tests[i];
	}
	qsort(order, nr_tests, sizeof(*order), compare_p);
	for (size_t i = nr_tests; i > 0; i--) {
		least = fmin(least, order[i - 1]->p_value * (double)nr_tests / (double)i);
		order[i - 1]->q_value = least;
	}
	free(order);
	return 0;
}
