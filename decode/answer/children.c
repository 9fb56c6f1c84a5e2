#include "decode/answer/children.h"

#include "util/array.h"

#include <pthread.h>
#include <stdlib.h>

/* Of the only table: two threads are done at about the same time. */
enum { NR_PIECES = 8 };

/* The sums of all tables. The lock guards what the threads add to. */
struct table_sums {
	const struct pathstore *paths;
	const struct path_recount *recount; /* or NULL */
	const struct path_walk *walk; /* of the only table; NULL: they are visited one by one */
	const struct address_rows *rows;
	struct tally *totals;		  /* by row */
	const struct children_ends *ends; /* or NULL */
	pthread_mutex_t lock;
	bool failed;
	struct error err; /* of the first failure */
};

/* The sums of one table, or of a piece of the only one. */
struct children {
	struct table_sums *sums;
	uint32_t *on_path; /* by row: how often it is on the current path */
	struct tally *totals;
	struct chain_ends *ends; /* by number of the event; NULL: they are not asked for */
};

static void count_end(const struct children *children, const struct path_visit *visit)
{
	const struct function_stat *function =
		&children->sums->ends->functions[visit->functions.rows[0]];

	tally_add(&children->ends[function->event->number].by_end[visit->end],
		  visit->total->samples, visit->total->period);
}

/* Adds the total of the path to each function that is not on it yet; of context, another piece
 * does. */
static void enter(void *arg, const struct path_visit *visit)
{
	const struct children *children = arg;

	if (visit->caller < CHAIN_END_NR && children->ends && !visit->is_context)
		count_end(children, visit);
	for (size_t i = 0; i < visit->functions.nr; i++) {
		const uint32_t row = visit->functions.rows[i];

		if (children->on_path[row]++ == 0 && !visit->is_context)
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

/* Visits table @i, or piece @i of the only one. Returns 0, or -1 with @err filled. */
static int visit(const struct table_sums *sums, size_t i, const struct path_visitor *visitor,
		 struct error *err)
{
	const struct path_walk *walk = sums->walk;
	size_t from, to;

	if (!walk)
		return pathstore_visit_table(sums->paths, i, sums->recount, sums->rows, visitor,
					     err);
	from = walk->nr / NR_PIECES * i;
	to = i + 1 < NR_PIECES ? from + walk->nr / NR_PIECES : walk->nr;
	if (!path_walk_visit(walk, from, to, sums->rows, visitor))
		return error_nomem(err, "adding up call paths");
	return 0;
}

/* As visit(): sums what is visited. */
static int sum_visit(struct children *children, size_t i, struct error *err)
{
	const struct table_sums *sums = children->sums;
	const struct path_visitor visitor = {enter, leave, children};
	const size_t nr = sums->rows->nr_rows + 1;

	children->on_path = calloc(nr, sizeof(*children->on_path));
	children->totals = calloc(nr, sizeof(*children->totals));
	if (sums->ends)
		children->ends = calloc(sums->ends->nr_events + 1, sizeof(*children->ends));
	if (!children->on_path || !children->totals || (sums->ends && !children->ends))
		return error_nomem(err, "adding up call paths");
	return visit(sums, i, &visitor, err);
}

static void add_tallies(struct tally *to, const struct tally *from, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		tally_add(&to[i], from[i].samples, from[i].period);
}

/* Adds what was summed of a table or piece. */
static void add_table(const struct table_sums *sums, const struct children *children)
{
	add_tallies(sums->totals, children->totals, sums->rows->nr_rows);
	for (size_t i = 0; children->ends && i < sums->ends->nr_events; i++)
		add_tallies(sums->ends->of_events[i].by_end, children->ends[i].by_end,
			    CHAIN_END_NR);
}

/* Adds what was summed of a table or piece, or keeps @err if that has failed. */
static void end_table(struct table_sums *sums, const struct children *children, int rc,
		      const struct error *err)
{
	pthread_mutex_lock(&sums->lock);
	if (rc == 0) {
		add_table(sums, children);
	} else if (!sums->failed) {
		sums->failed = true;
		sums->err = *err;
	}
	pthread_mutex_unlock(&sums->lock);
}

/* A piece of the work that is shared: as visit(). */
static void sum_piece(void *arg, size_t i)
{
	struct table_sums *sums = arg;
	struct children children = {.sums = sums};
	struct error err = {0};
	const int rc = sum_visit(&children, i, &err);

	end_table(sums, &children, rc, &err);
	free(children.on_path);
	free(children.totals);
	free(children.ends);
}

int children_sum(const struct pathstore *paths, const struct path_recount *recount,
		 const struct path_walk *walk, const struct address_rows *rows,
		 struct helpers *helpers, struct tally *totals, const struct children_ends *ends,
		 struct error *err)
{
	struct table_sums sums = {
		.paths = paths,
		.recount = recount,
		.walk = walk,
		.rows = rows,
		.totals = totals,
		.ends = ends,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};

	helpers_share(helpers, sum_piece, &sums, walk ? NR_PIECES : pathstore_nr_tables(paths));
	pthread_mutex_destroy(&sums.lock);
	if (sums.failed)
		*err = sums.err;
	return sums.failed ? -1 : 0;
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
