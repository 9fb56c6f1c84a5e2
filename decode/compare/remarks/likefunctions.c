#include "decode/compare/remarks/likefunctions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* largest factor between the values of functions that may be the same */
static const double value_factor = 1.25;

/* ---- functions by name ----------------------------------------------------------------------- */

/* Equal names are the same string (struct match), so pointers are compared. */
static int compare_named(const void *a, const void *b)
{
	const struct matched_function *x = ((const struct named_function *)a)->row->matched;
	const struct matched_function *y = ((const struct named_function *)b)->row->matched;

	if (x->name != y->name)
		return (uintptr_t)x->name < (uintptr_t)y->name ? -1 : 1;
	if (x->function != y->function)
		return (uintptr_t)x->function < (uintptr_t)y->function ? -1 : 1;
	return x->code < y->code ? -1 : x->code > y->code;
}

/* Lists the functions that have a name. Returns false if memory is out. */
static bool gather_named(struct likefunctions *f, const struct diff_event *event)
{
	size_t nr = 0;

	f->named = calloc(event->nr_rows + 1, sizeof(*f->named));
	if (!f->named)
		return false;
	for (size_t i = 0; i < event->nr_rows; i++)
		if (event->rows[i].matched->named)
			f->named[nr++].row = &event->rows[i];
	if (nr > 1)
		qsort(f->named, nr, sizeof(*f->named), compare_named);
	f->nr_named = nr;
	return true;
}

size_t likefunctions_namesakes(const struct likefunctions *functions, size_t first)
{
	const char *name = functions->named[first].row->function;
	size_t i = first;

	while (i < functions->nr_named && functions->named[i].row->function == name)
		i++;
	return i - first;
}

bool likefunctions_is_old(const struct likefunctions *functions, const char *name)
{
	for (size_t i = 0; i < functions->nr_named; i++) {
		const struct diff_row *row = functions->named[i].row;

		if (likeness_samples(row, 0) && strcmp(row->matched->name, name) == 0)
			return true;
	}
	return false;
}

/* The number of named functions from index @first on with the same name, whatever their keys. */
static size_t count_of_name(const struct likefunctions *functions, size_t first)
{
	const char *name = functions->named[first].row->matched->name;
	size_t i = first;

	while (i < functions->nr_named && functions->named[i].row->matched->name == name)
		i++;
	return i - first;
}

/* Whether two functions of one name are in one binary and have the same keys. */
static bool are_twins(const struct named_function *a, const struct named_function *b)
{
	return a->row->function == b->row->function &&
	       likefunctions_code(a) == likefunctions_code(b);
}

/*
 * Returns what a renaming of the @nr functions of one name may be offered for: the largest one on
 * the old side, if all of the old side are in one binary and gone; NULL otherwise.
 */
static const struct named_function *find_gone(const struct named_function *named, size_t nr)
{
	const struct named_function *largest = NULL;

	for (size_t i = 0; i < nr; i++) {
		if (!likeness_samples(named[i].row, 0))
			continue;
		if (likeness_samples(named[i].row, 1) ||
		    (largest && likefunctions_code(largest) != likefunctions_code(&named[i])))
			return NULL;
		if (!largest || named[i].row->old_value > largest->row->old_value)
			largest = &named[i];
	}
	return largest;
}

/*
 * Sets `alone` in the @nr functions of one name: a gone function must be the only one with this
 * name on the old side, a new one the only one in its binary. With keys of --per there may be one
 * for each combination of keys; the largest gone one stands for all.
 */
static void mark_alone(struct named_function *named, size_t nr)
{
	const struct named_function *gone = find_gone(named, nr);

	for (size_t i = 0; i < nr; i++)
		named[i].alone = (likeness_samples(named[i].row, 1) || &named[i] == gone) &&
				 (i == 0 || !are_twins(&named[i - 1], &named[i])) &&
				 (i + 1 == nr || !are_twins(&named[i + 1], &named[i]));
}

/* ---- functions that one side lacks ----------------------------------------------------------- */

/* By value, then by name. */
static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = *(const struct diff_row *const *)a;
	const struct diff_row *y = *(const struct diff_row *const *)b;
	double left = x->old_value + x->new_value, right = y->old_value + y->new_value;
	int order;

	if (left != right)
		return left > right ? -1 : 1;
	order = strcmp(x->function, y->function);
	return order ? order : strcmp(x->binary, y->binary);
}

/* Lists the functions that only @side has. Returns false if memory is out. */
static bool list_left(struct likefunctions *f, int side)
{
	const struct diff_row **left = calloc(f->nr_named + 1, sizeof(*left));
	const bool ok = left;
	size_t nr = 0;

	for (size_t i = 0; ok && i < f->nr_named; i++) {
		const struct diff_row *row = f->named[i].row;

		if (f->named[i].alone && likeness_is_left(row, side) &&
		    row->matched->size[side] > 0 && likeness_is_plain(row->function))
			left[nr++] = row;
	}
	if (nr > 1)
		qsort(left, nr, sizeof(*left), compare_rows);
	f->nr_left[side] = nr < LIKENESS_PLACES_MAX ? nr : LIKENESS_PLACES_MAX;
	if (ok)
		memcpy(f->left[side], left, f->nr_left[side] * sizeof(*left));
	free(left);
	return ok;
}

bool likefunctions_make(struct likefunctions *functions, const struct diff_event *event)
{
	if (!gather_named(functions, event))
		return false;
	for (size_t i = 0, nr; i < functions->nr_named; i += nr) {
		nr = count_of_name(functions, i);
		mark_alone(&functions->named[i], nr);
	}
	return list_left(functions, 0) && list_left(functions, 1);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/*
 * How different two names are: the part of the longer one that is in neither their common prefix
 * nor their common suffix.
 */
static double unlikeness(const char *a, const char *b)
{
	size_t len_a = strlen(a), len_b = strlen(b), start = 0, end = 0;
	size_t less = len_a < len_b ? len_a : len_b, more = len_a + len_b - less;

	while (start < less && a[start] == b[start])
		start++;
	while (start + end < less && a[len_a - 1 - end] == b[len_b - 1 - end])
		end++;
	return 1 - (double)(start + end) / (double)more;
}

/*
 * The probability that unrelated functions, with sizes and values anywhere within a factor of 100,
 * are as close as the logarithm @off by chance; @grain is the resolution.
 */
static double chance_of(double off, double grain)
{
	return fmin(2 * (fabs(off) + grain) / log(100), 1);
}

/*
 * Whether @a of the old side may be @b of the new side. Sets *@badness to the number of pairs that
 * would be this close by chance among all gone and new functions.
 */
static bool is_like(const struct likefunctions *f, const struct diff_row *a,
		    const struct diff_row *b, double *badness)
{
	const double size = (double)a->matched->size[0], new_size = (double)b->matched->size[1];
	const double error = sqrt(1 / (double)a->old_sum.samples + 1 / (double)b->new_sum.samples);

	if (a->matched->code != b->matched->code ||
	    strcmp(match_keys(a->matched), match_keys(b->matched)) != 0 ||
	    !likeness_is_near(size, new_size, LIKENESS_SIZE_FACTOR) ||
	    !likeness_is_near(a->old_value, b->new_value, value_factor * exp(2 * error)))
		return false;
	*badness = (double)f->nr_left[0] * (double)f->nr_left[1] *
		   chance_of(log(size / new_size), 1 / size) *
		   chance_of(log(a->old_value / b->new_value), error) *
		   unlikeness(a->matched->name, b->matched->name);
	return *badness <= 0.5;
}

void likefunctions_pair(const struct likefunctions *functions, struct likenesses *likes)
{
	double badness;

	for (size_t i = 0; i < functions->nr_left[0]; i++)
		for (size_t k = 0; k < functions->nr_left[1]; k++)
			if (is_like(functions, functions->left[0][i], functions->left[1][k],
				    &badness))
				likeness_add(likes, i, k, badness);
}

void likefunctions_free(struct likefunctions *functions)
{
	free(functions->named);
}
