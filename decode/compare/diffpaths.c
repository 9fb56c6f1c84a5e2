#include "decode/compare/diffpaths.h"

#include <stdlib.h>
#include <string.h>

/* The paths while they are put in order. A number is that of @merged, or of a root. */
struct diffpath_order {
	struct diff *diff;
	struct pathsums merged;	   /* paths of functions: a key is the function's number */
	bool failed;		   /* memory is out */
	struct tally (*totals)[2]; /* by number: of the old and the new side */
	uint32_t *sorted;	   /* paths with samples, those below one parent together */
	size_t nr;
	size_t *next;	 /* by number: its first child in @sorted that has no row yet */
	uint32_t *row;	 /* by number: its row among those of its event */
	uint32_t *place; /* by function: its place among those of its event, or MATCH_NONE */
};

static size_t count_numbers(const struct diffpath_order *order)
{
	return order->merged.index.nr + PATHSUMS_ROOTS;
}

static struct pathsum *path_of(const struct diffpath_order *order, uint32_t number)
{
	return &order->merged.paths[number - PATHSUMS_ROOTS];
}

/* All roots are one. */
static uint32_t parent_of(const struct diffpath_order *order, uint32_t number)
{
	const uint32_t parent = path_of(order, number)->parent;

	return parent < PATHSUMS_ROOTS ? 0 : parent;
}

/* ---- from the keys of two sides to functions ------------------------------------------------- */

/* Adds what @side counted on @path; @numbers are those of the paths before it. Returns its number,
 * or MATCH_NONE if it is the other side's, or of an event that only one side has. */
static uint32_t merge_path(struct diffpath_order *order, const struct pathsum *path, int side,
			   const uint32_t *numbers)
{
	const struct match *match = &order->diff->match;
	const uint32_t function = match->function_of[2 * (size_t)path->key + (size_t)side];
	uint32_t number = path->parent;

	if (number >= PATHSUMS_ROOTS)
		number = numbers[number - PATHSUMS_ROOTS];
	if (function == MATCH_NONE || number == MATCH_NONE)
		return MATCH_NONE;
	number = pathsums_get(&order->merged, number, function, path->inlined);
	if (number == PATHSUMS_NOMEM)
		order->failed = true;
	else
		tally_add(&path_of(order, number)->self[side], path->self[side].samples,
			  path->self[side].period);
	return number;
}

static void merge_side(struct diffpath_order *order, const struct pathsums *sums, int side)
{
	const size_t nr = sums->index.nr;
	uint32_t *numbers = calloc(nr + 1, sizeof(*numbers));

	order->failed |= !numbers;
	for (size_t i = 0; i < nr && !order->failed; i++)
		numbers[i] = merge_path(order, &sums->paths[i], side, numbers);
	free(numbers);
}

/* A parent's number is less than that of its children. */
static void sum_up(struct diffpath_order *order)
{
	for (size_t i = count_numbers(order); i-- > PATHSUMS_ROOTS;) {
		const struct pathsum *path = path_of(order, (uint32_t)i);

		for (int side = 0; side < 2; side++) {
			struct tally *total = &order->totals[i][side],
				     *above = &order->totals[path->parent][side];

			tally_add(total, path->self[side].samples, path->self[side].period);
			tally_add(above, total->samples, total->period);
		}
	}
}

/* ---- in order -------------------------------------------------------------------------------- */

static const struct matched_function *function_of(const struct diffpath_order *order,
						  uint32_t number)
{
	return &order->diff->match.functions[path_of(order, number)->key];
}

/* The larger side's period per run, times the numbers of runs. */
static double weight_of(const struct diffpath_order *order, uint32_t number)
{
	const struct diff *diff = order->diff;
	const double old_period = (double)order->totals[number][0].period,
		     new_period = (double)order->totals[number][1].period;
	const double nr_old = (double)diff->nr_old, nr_new = (double)(diff->nr_runs - diff->nr_old);

	return old_period * nr_new > new_period * nr_old ? old_period * nr_new
							 : new_period * nr_old;
}

static int compare_siblings(const struct diffpath_order *order, uint32_t x, uint32_t y)
{
	const struct matched_function *f = function_of(order, x), *g = function_of(order, y);
	const double left = weight_of(order, x), right = weight_of(order, y);
	int names;

	if (f->event != g->event)
		return f->event < g->event ? -1 : 1;
	if (left != right)
		return left > right ? -1 : 1;
	if ((names = strcmp(f->function, g->function)) != 0)
		return names;
	return x < y ? -1 : x > y; /* in the order of the runs' own paths */
}

static int compare_paths(const void *a, const void *b, void *arg)
{
	const struct diffpath_order *order = arg;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const uint32_t above_x = parent_of(order, x), above_y = parent_of(order, y);

	if (above_x != above_y)
		return above_x < above_y ? -1 : 1;
	return compare_siblings(order, x, y);
}

/* Sorts the paths that anything was counted on. */
static void sort_paths(struct diffpath_order *order)
{
	const size_t nr = count_numbers(order);

	for (size_t i = PATHSUMS_ROOTS; i < nr; i++)
		if (order->totals[i][0].samples || order->totals[i][1].samples)
			order->sorted[order->nr++] = (uint32_t)i;
	qsort_r(order->sorted, order->nr, sizeof(*order->sorted), compare_paths, order);
	for (size_t i = 0; i < nr; i++)
		order->next[i] = order->nr;
	for (size_t i = order->nr; i-- > 0;)
		order->next[parent_of(order, order->sorted[i])] = i;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void add_function(struct diffpath_order *order, struct diff_paths *paths, uint32_t number)
{
	struct diff *diff = order->diff;
	const struct matched_function *from = &diff->match.functions[number];
	const size_t at = (size_t)(paths->functions - diff->path_functions) + paths->nr_functions;

	order->place[number] = (uint32_t)paths->nr_functions++;
	diff->path_functions[at] = (struct function_stat){
		.function = from->function,
		.binary = from->binary,
		.filename = from->filename,
		.line = from->line,
		.build_id = "",
		.reason = from->named ? "" : from->function,
		.code = from->kernel ? CODE_KERNEL : CODE_USER,
	};
}

/* The functions of an event's rows come first. */
static void start_event(struct diffpath_order *order, struct diff_event *event,
			const struct diff_event *before)
{
	struct diff *diff = order->diff;
	struct diff_paths *paths = &event->paths;

	paths->rows = before ? before->paths.rows + before->paths.nr : diff->paths;
	paths->sides = before ? before->paths.sides + before->paths.nr : diff->path_sides;
	paths->functions = before ? before->paths.functions + before->paths.nr_functions
				  : diff->path_functions;
	for (size_t i = 0; i < event->nr_rows; i++)
		add_function(order, paths,
			     (uint32_t)(event->rows[i].matched - diff->match.functions));
}

static struct tally sum_sides(const struct tally sides[2])
{
	struct tally sum = sides[0];

	tally_add(&sum, sides[1].samples, sides[1].period);
	return sum;
}

static void add_row(struct diffpath_order *order, struct diff_paths *paths, uint32_t number)
{
	struct diff *diff = order->diff;
	const struct pathsum *path = path_of(order, number);
	const struct tally *totals = order->totals[number];
	const size_t at = (size_t)(paths->rows - diff->paths) + paths->nr;
	struct path_stat *row = &diff->paths[at];

	if (order->place[path->key] == MATCH_NONE)
		add_function(order, paths, path->key);
	*row = (struct path_stat){
		.function = &paths->functions[order->place[path->key]],
		.parent = PATH_NO_PARENT,
		.self = sum_sides(path->self),
		.total = sum_sides(totals),
		.inlined = path->inlined,
	};
	diff->path_sides[at] = (struct path_sides){{path->self[0], path->self[1]}};
	if (path->parent < PATHSUMS_ROOTS) {
		row->end = order->merged.words[path->parent];
		row->cut = row->end != NULL;
	} else {
		const struct path_stat *parent = &paths->rows[order->row[path->parent]];

		row->parent = order->row[path->parent];
		row->depth = parent->depth + 1;
		row->end = parent->end;
		row->cut = parent->cut;
	}
	order->row[number] = (uint32_t)paths->nr++;
}

/* Each path before those that continue it: down while there is one without a row, else up. */
static void add_rows(struct diffpath_order *order)
{
	struct diff *diff = order->diff;
	uint32_t at = 0, event = 0;

	start_event(order, &diff->events[0], NULL);
	for (size_t done = 0; done < order->nr;) {
		const size_t next = order->next[at];

		if (next >= order->nr || parent_of(order, order->sorted[next]) != at) {
			at = parent_of(order, at);
			continue;
		}
		order->next[at]++;
		at = order->sorted[next];
		for (; event < function_of(order, at)->event; event++)
			start_event(order, &diff->events[event + 1], &diff->events[event]);
		add_row(order, &diff->events[event].paths, at);
		done++;
	}
	for (; event + 1 < diff->nr_events; event++)
		start_event(order, &diff->events[event + 1], &diff->events[event]);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool make_room(struct diffpath_order *order)
{
	const size_t nr = count_numbers(order), nr_functions = order->diff->match.nr_functions;
	struct diff *diff = order->diff;

	order->totals = calloc(nr, sizeof(*order->totals));
	order->sorted = calloc(nr, sizeof(*order->sorted));
	order->next = calloc(nr, sizeof(*order->next));
	order->row = calloc(nr, sizeof(*order->row));
	order->place = malloc((nr_functions + 1) * sizeof(*order->place));
	diff->paths = calloc(nr, sizeof(*diff->paths));
	diff->path_sides = calloc(nr, sizeof(*diff->path_sides));
	diff->path_functions = calloc(nr_functions + 1, sizeof(*diff->path_functions));
	if (order->place)
		memset(order->place, 0xff, (nr_functions + 1) * sizeof(*order->place));
	return order->totals && order->sorted && order->next && order->row && order->place &&
	       diff->paths && diff->path_sides && diff->path_functions;
}

static void free_order(struct diffpath_order *order)
{
	pathsums_free(&order->merged);
	free(order->totals);
	free(order->sorted);
	free(order->next);
	free(order->row);
	free(order->place);
}

int diffpaths_make(struct diff *diff, const struct pathsums *sums, struct error *err)
{
	struct diffpath_order order = {.diff = diff};

	memcpy(order.merged.words, sums->words, sizeof(sums->words));
	for (int side = 0; side < 2 && !order.failed; side++)
		merge_side(&order, sums, side);
	order.failed = order.failed || !make_room(&order);
	if (!order.failed && diff->nr_events) {
		sum_up(&order);
		sort_paths(&order);
		add_rows(&order);
	}
	diff->has_paths = !order.failed;
	free_order(&order);
	return order.failed ? error_nomem(err, "comparing call paths") : 0;
}

void diffpaths_free(struct diff *diff)
{
	free(diff->paths);
	free(diff->path_sides);
	free(diff->path_functions);
}
