#include "decode/answer/children.h"

#include "util/array.h"

#include <pthread.h>
#include <stdlib.h>

/* The sums of all tables; the lock guards those of who adds to them. */
struct summing {
	const struct pathstore *paths;
	const struct path_recount *recount; /* or NULL */
	const struct address_rows *rows;
	struct tally *totals;		  /* by row */
	const struct children_ends *ends; /* or NULL */
	pthread_mutex_t lock;
	bool failed;
	struct error err; /* of the first failure */
};

/* The sums of one table. */
struct children {
	struct summing *summing;
	uint32_t *on_path; /* by row: how often it is on the current path */
	struct tally *totals;
};

/* The outermost paths are few. */
static void count_end(struct summing *summing, const struct path_visit *visit)
{
	const struct children_ends *ends = summing->ends;
	const struct event *event = ends->functions[visit->functions.rows[0]].event;

	pthread_mutex_lock(&summing->lock);
	tally_add(&ends->of_events[event->number].by_end[visit->end], visit->total->samples,
		  visit->total->period);
	pthread_mutex_unlock(&summing->lock);
}

/* Adds the total of the path to each function that is not on it yet. */
static void enter(void *arg, const struct path_visit *visit)
{
	const struct children *children = arg;

	if (visit->caller < CHAIN_END_NR && children->summing->ends)
		count_end(children->summing, visit);
	for (size_t i = 0; i < visit->functions.nr; i++) {
		const uint32_t row = visit->functions.rows[i];

		if (children->on_path[row]++ == 0)
			tally_add(&children->totals[row], visit->total->samples,
				  visit->total->period);
	}
}

static void leave(void *arg, const struct path_visit *visit)
{
	const struct children *children = arg;

	for (size_t i = 0; i < visit->functions.nr; i++)
		children->on_path[visit->functions.rows[i]]--;
}

/* Sums table @i. Returns 0, or -1 with @err filled. */
static int sum_table(struct children *children, size_t i, struct error *err)
{
	const struct summing *summing = children->summing;
	const struct path_visitor visitor = {enter, leave, children};
	const size_t nr = summing->rows->nr_rows + 1;

	children->on_path = calloc(nr, sizeof(*children->on_path));
	children->totals = calloc(nr, sizeof(*children->totals));
	if (!children->on_path || !children->totals)
		return error_nomem(err, "adding up call paths");
	return pathstore_visit_table(summing->paths, i, summing->recount, summing->rows, &visitor,
				     err);
}

/* Adds what was summed of a table, or keeps @err if that has failed. */
static void add_table(struct summing *summing, const struct children *children, int rc,
		      const struct error *err)
{
	pthread_mutex_lock(&summing->lock);
	if (rc < 0 && !summing->failed) {
		summing->failed = true;
		summing->err = *err;
	}
	for (size_t i = 0; rc == 0 && i < summing->rows->nr_rows; i++)
		tally_add(&summing->totals[i], children->totals[i].samples,
			  children->totals[i].period);
	pthread_mutex_unlock(&summing->lock);
}

/* A piece of the work that is shared: table @i. */
static void sum_piece(void *arg, size_t i)
{
	struct summing *summing = arg;
	struct children children = {.summing = summing};
	struct error err = {0};
	const int rc = sum_table(&children, i, &err);

	add_table(summing, &children, rc, &err);
	free(children.on_path);
	free(children.totals);
}

int children_sum(const struct pathstore *paths, const struct path_recount *recount,
		 const struct address_rows *rows, struct helpers *helpers, struct tally *totals,
		 const struct children_ends *ends, struct error *err)
{
	struct summing summing = {
		.paths = paths,
		.recount = recount,
		.rows = rows,
		.totals = totals,
		.ends = ends,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};

	helpers_share(helpers, sum_piece, &summing, pathstore_nr_tables(paths));
	pthread_mutex_destroy(&summing.lock);
	if (summing.failed)
		*err = summing.err;
	return summing.failed ? -1 : 0;
}

/* ---- from a list ----------------------------------------------------------------------------- */

struct list_walk {
	uint32_t *on_path; /* by function: how often it is on the current path */
	uint32_t *open;	   /* by depth: the function there */
	size_t room, nr_open;
};

/* Whether @row, now on the path at @depth, is there for the first time. Sets *@first; false: memory
 * is out. */
static bool go_to(struct list_walk *walk, size_t depth, uint32_t row, bool *first)
{
	if (!array_grow(walk->open, walk->room, depth + 1))
		return false;
	while (walk->nr_open > depth)
		walk->on_path[walk->open[--walk->nr_open]]--;
	walk->open[walk->nr_open++] = row;
	*first = walk->on_path[row]++ == 0;
	return true;
}

static void count_root(const struct children_ends *ends, const struct path_stat *path)
{
	enum chain_end end = 0;

	while (chain_end_word(end) != path->end)
		end++;
	tally_add(&ends->of_events[path->function->event->number].by_end[end], path->total.samples,
		  path->total.period);
}

int children_sum_list(const struct path_list *list, const struct function_stat *functions,
		      size_t nr_functions, struct tally *totals, const struct children_ends *ends,
		      struct error *err)
{
	struct list_walk walk = {.on_path = calloc(nr_functions + 1, sizeof(uint32_t))};
	bool ok = walk.on_path != NULL;

	for (size_t i = 0; ok && i < list->nr; i++) {
		const struct path_stat *path = &list->rows[i];
		const uint32_t row = (uint32_t)(path->function - functions);
		bool first;

		ok = go_to(&walk, path->depth, row, &first);
		if (ok && first)
			tally_add(&totals[row], path->total.samples, path->total.period);
		if (path->depth == 0 && path->function->event->chains)
			count_root(ends, path);
	}
	free(walk.on_path);
	free(walk.open);
	return ok ? 0 : error_nomem(err, "adding up call paths");
}
