#include "decode/compare/remarks/likebinaries.h"

#include <math.h>
#include <stdlib.h>

enum { NAMESAKES_MAX = 100 }; /* a name that more functions have is no evidence */

/* Sums the binaries. Returns false if memory is out. */
static bool sum_binaries(struct likebinaries *b, const struct diff *diff,
			 const struct diff_event *event)
{
	b->all = calloc(match_nr_codes(&diff->match), sizeof(*b->all));
	if (!b->all)
		return false;
	for (size_t i = 0; i < diff->nr_rows; i++) {
		const struct diff_row *row = &diff->rows[i];
		struct likebinary *binary = &b->all[row->matched->code];

		for (int side = 0; side < 2; side++)
			binary->samples[side] += likeness_samples(row, side);
	}
	for (size_t i = 0; i < event->nr_rows; i++) {
		const struct diff_row *row = &event->rows[i];
		struct likebinary *binary = &b->all[row->matched->code];
		double value = row->old_value + row->new_value;

		binary->code = row->matched->code;
		binary->value += value;
		if (!binary->path || value > binary->largest) {
			binary->path = row->binary;
			binary->largest = value;
		}
	}
	return true;
}

static int compare_binaries(const void *a, const void *b)
{
	const struct likebinary *x = *(struct likebinary *const *)a;
	const struct likebinary *y = *(struct likebinary *const *)b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->code < y->code ? -1 : x->code > y->code;
}

/* Lists those of the @nr binaries that only @side has. Returns false if memory is out. */
static bool list_left(struct likebinaries *b, size_t nr, int side)
{
	struct likebinary **left = calloc(nr, sizeof(*left));
	const bool ok = left;
	size_t nr_left = 0;

	for (size_t i = 0; ok && i < nr; i++)
		if (b->all[i].path && b->all[i].samples[!side] == 0 &&
		    b->all[i].samples[side] >= LIKENESS_SAMPLES_MIN)
			left[nr_left++] = &b->all[i];
	if (nr_left > 1)
		qsort(left, nr_left, sizeof(*left), compare_binaries);
	for (size_t i = 0; i < nr_left && i < LIKEBINARIES_MAX; i++) {
		b->left[side][i] = left[i];
		left[i]->place = (uint8_t)(i + 1);
		b->nr_left[side] = i + 1;
	}
	free(left);
	return ok;
}

/* Whether function @i is the first of its binary among those of one name. */
static bool is_first(const struct named_function *named, size_t i)
{
	return i == 0 || likefunctions_code(&named[i - 1]) != likefunctions_code(&named[i]);
}

/* Notes which binaries may be the same because they have one of the @nr functions of one name. */
static void note_common(struct likebinaries *b, const struct named_function *named, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct likebinary *old_one = &b->all[likefunctions_code(&named[i])];

		if (!old_one->place || old_one->samples[0] == 0)
			continue;
		for (size_t k = 0; k < nr; k++) {
			const struct likebinary *new_one = &b->all[likefunctions_code(&named[k])];
			struct likebinaries_common *common;

			if (!new_one->place || new_one->samples[1] == 0)
				continue;
			common = &b->common[old_one->place - 1][new_one->place - 1];
			common->values[0] += is_first(named, k) ? named[i].row->old_value : 0;
			common->values[1] += is_first(named, i) ? named[k].row->new_value : 0;
			common->nr += is_first(named, i) && is_first(named, k);
			common->sized |= likeness_is_near((double)named[i].row->matched->size[0],
							  (double)named[k].row->matched->size[1],
							  LIKENESS_SIZE_FACTOR);
		}
	}
}

bool likebinaries_make(struct likebinaries *binaries, const struct diff *diff,
		       const struct diff_event *event, const struct likefunctions *functions)
{
	if (!sum_binaries(binaries, diff, event))
		return false;
	for (int side = 0; side < 2; side++)
		if (!list_left(binaries, match_nr_codes(&diff->match), side))
			return false;
	for (size_t i = 0, nr; i < functions->nr_named; i += nr) {
		nr = likefunctions_namesakes(functions, i);
		if (nr <= NAMESAKES_MAX)
			note_common(binaries, &functions->named[i], nr);
	}
	return true;
}

void likebinaries_pair(const struct likebinaries *binaries, struct likenesses *likes)
{
	for (size_t i = 0; i < binaries->nr_left[0]; i++) {
		for (size_t k = 0; k < binaries->nr_left[1]; k++) {
			const struct likebinaries_common *common = &binaries->common[i][k];
			double wholes[2] = {binaries->left[0][i]->value,
					    binaries->left[1][k]->value};
			double part = 0;

			if (wholes[0] > 0 && wholes[1] > 0)
				part = fmin(common->values[0] / wholes[0],
					    common->values[1] / wholes[1]);
			if (part >= 0.5 && (common->nr > 1 || common->sized))
				likeness_add(likes, i, k, 1 - part);
		}
	}
}

void likebinaries_free(struct likebinaries *binaries)
{
	free(binaries->all);
}
