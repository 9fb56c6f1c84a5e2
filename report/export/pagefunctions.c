#include "report/export/pagefunctions.h"

#include <stdlib.h>

static int compare_functions(const void *a, const void *b)
{
	const struct function_stat *x = *(const struct function_stat *const *)a,
				   *y = *(const struct function_stat *const *)b;
	const int order = results_compare_names(x, y);

	return order ? order : (x > y) - (x < y);
}

static void set_places(struct pagefunctions *order)
{
	for (size_t i = 0; i < order->nr; i++)
		order->places[order->rows[i]] = (uint32_t)i;
}

/* Whether the order of results.csv follows. */
static bool is_told(const struct pagefunctions *order)
{
	for (size_t row = 1; row < order->nr; row++) {
		const uint64_t before = order->functions[row - 1].self.period;
		const uint64_t period = order->functions[row].self.period;

		if (before < period ||
		    (before == period && order->places[row - 1] > order->places[row]))
			return false;
	}
	return true;
}

bool pagefunctions_sort(struct pagefunctions *order, const struct function_stat *functions,
			size_t nr)
{
	const struct function_stat **sorted = calloc(nr + 1, sizeof(*sorted));

	*order = (struct pagefunctions){
		.functions = functions,
		.nr = nr,
		.rows = calloc(nr + 1, sizeof(*order->rows)),
		.places = calloc(nr + 1, sizeof(*order->places)),
	};
	if (!sorted || !order->rows || !order->places) {
		free(sorted);
		return false;
	}
	for (size_t i = 0; i < nr; i++)
		sorted[i] = &functions[i];
	qsort(sorted, nr, sizeof(*sorted), compare_functions);
	for (size_t i = 0; i < nr; i++)
		order->rows[i] = (uint32_t)(sorted[i] - functions);
	free(sorted);
	set_places(order);
	order->by_name = is_told(order);
	for (size_t i = 0; i < nr && !order->by_name; i++)
		order->rows[i] = order->places[i] = (uint32_t)i;
	return true;
}

/* ---- columns --------------------------------------------------------------------------------- */

static const struct function_stat *function_at(const struct pagefunctions *order, size_t place)
{
	return &order->functions[order->rows[place]];
}

static bool put_string(struct pagenumbers *packed, struct intern *strings, const char *string)
{
	const uint32_t number = intern_string(strings, string);

	pagenumbers_put(packed, number);
	return number != INTERN_NOMEM;
}

/* Most names are new: each is told by its distance from the one after the last. */
static bool put_names(const struct pagefunctions *order, struct pagenumbers *packed,
		      struct intern *strings)
{
	int64_t next = 0;
	bool ok = true;

	for (size_t i = 0; i < order->nr; i++) {
		const uint32_t name = intern_string(strings, function_at(order, i)->function);

		pagenumbers_put_signed(packed, (int64_t)name - next);
		next = (int64_t)name + 1;
		ok &= name != INTERN_NOMEM;
	}
	return ok;
}

bool pagefunctions_put(const struct pagefunctions *order, struct pagenumbers *packed,
		       struct intern *strings)
{
	bool ok = put_names(order, packed, strings);

	for (size_t i = 0; i < order->nr; i++)
		ok &= put_string(packed, strings, function_at(order, i)->binary);
	for (size_t i = 0; i < order->nr; i++)
		ok &= put_string(packed, strings, function_at(order, i)->filename);
	for (size_t i = 0; i < order->nr; i++)
		ok &= put_string(packed, strings, function_at(order, i)->build_id);
	for (size_t i = 0; i < order->nr; i++)
		ok &= put_string(packed, strings, function_at(order, i)->reason);
	for (size_t i = 0; i < order->nr; i++)
		pagenumbers_put(packed, function_at(order, i)->line);
	for (size_t i = 0; i < order->nr; i++)
		pagenumbers_put(packed, function_at(order, i)->size);
	for (size_t i = 0; i < order->nr; i++)
		pagenumbers_put(packed, (uint64_t)function_at(order, i)->code);
	return ok;
}

void pagefunctions_free(struct pagefunctions *order)
{
	free(order->rows);
	free(order->places);
	*order = (struct pagefunctions){0};
}
