#include "decode/answer/splitstat.h"

#include "decode/answer/funcstat.h"
#include "decode/count/recentcount.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

/* What a function counted for the tuple being added up. */
struct split_sum {
	struct tally self, inlined, children;
	uint64_t visit; /* the last visit that it was on the path of */
	bool listed;	/* it is in the list of those that counted */
};

/* The state of adding up. */
struct splitting {
	struct splitstat *stat;
	const struct splitstat_input *input;
	struct split_count *sorted; /* by kind, tuple */
	size_t nr;
	struct split_sum *sums; /* by number of the function */
	uint32_t *listed;	/* functions that counted for this tuple */
	size_t nr_listed;
	uint64_t visits;
};

static int compare_counts(const void *a, const void *b)
{
	const struct split_count *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->tuple != y->tuple)
		return x->tuple < y->tuple ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Returns the row of function @number for @tuple, made if it is new; NULL if memory is out. */
static struct split_row *get_row(struct splitting *of, uint32_t number, uint32_t tuple)
{
	struct splitstat *stat = of->stat;
	const struct index *ix = &stat->index;
	const uint64_t hash = hash_u64((uint64_t)tuple << 32 | number);
	struct split_row *row;
	uint32_t found;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &found);) {
		row = &stat->rows[found];
		if (row->function.number == number && row->tuple == tuple)
			return row;
	}
	if (!array_grow(stat->rows, stat->room, ix->nr + 1))
		return NULL;
	row = &stat->rows[ix->nr];
	*row = (struct split_row){of->input->functions[number],
				  &of->input->values[tuple * of->input->nr_keys], tuple};
	row->function.self = row->function.children = row->function.inlined = (struct tally){0};
	row->function.noise = row->function.children_noise = row->function.noise_df = 0;
	return index_add(&stat->index, hash) ? row : NULL;
}

/* Adds the sums of the tuple to its rows, and clears them. */
static bool flush_sums(struct splitting *of, uint32_t tuple)
{
	while (of->nr_listed > 0) {
		const uint32_t number = of->listed[--of->nr_listed];
		struct split_sum *sum = &of->sums[number];
		struct split_row *row = get_row(of, number, tuple);

		if (!row)
			return false;
		tally_add(&row->function.self, sum->self.samples, sum->self.period);
		tally_add(&row->function.inlined, sum->inlined.samples, sum->inlined.period);
		tally_add(&row->function.children, sum->children.samples, sum->children.period);
		*sum = (struct split_sum){0};
	}
	return true;
}

static struct split_sum *list_sum(struct splitting *of, uint32_t number)
{
	struct split_sum *sum = &of->sums[number];

	if (!sum->listed)
		of->listed[of->nr_listed++] = number;
	sum->listed = true;
	return sum;
}

static void add_address(struct splitting *of, const struct split_count *count)
{
	const struct row_list list = address_rows_of(of->input->of_addresses, count->number);
	struct split_sum *sum = list_sum(of, list.rows[0]);
	const struct tally tally = count->tally;

	tally_add(&sum->self, tally.samples, tally.period);
	if (list.nr > 1)
		tally_add(&sum->inlined, tally.samples, tally.period);
}

/* Adds the count to each function on its path, once even if it is there several times. */
static void add_path(struct splitting *of, const struct split_count *count,
		     const struct callpath *paths)
{
	const uint64_t visit = ++of->visits;

	for (uint32_t path = count->number; path >= CHAIN_END_NR;
	     path = paths[path - CHAIN_END_NR].caller) {
		const struct row_list list = address_rows_of(of->input->of_addresses,
							     paths[path - CHAIN_END_NR].address);

		for (size_t i = 0; i < list.nr; i++) {
			struct split_sum *sum = list_sum(of, list.rows[i]);

			if (sum->visit == visit)
				continue;
			sum->visit = visit;
			tally_add(&sum->children, count->tally.samples, count->tally.period);
		}
	}
}

/* The index of the first count of @kind or above. */
static size_t first_of_kind(const struct splitting *of, uint32_t kind)
{
	size_t low = 0, high = of->nr;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (of->sorted[middle].kind < kind)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds up the counts of @kind; @paths are those of their table, NULL for addresses. */
static int add_kind(struct splitting *of, uint32_t kind, const struct callpath *paths,
		    size_t nr_paths, struct error *err)
{
	const size_t end = first_of_kind(of, kind + 1);

	for (size_t i = first_of_kind(of, kind); i < end; i++) {
		const struct split_count *count = &of->sorted[i];

		if (!paths)
			add_address(of, count);
		else if (count->number - CHAIN_END_NR < nr_paths)
			add_path(of, count, paths);
		if ((i + 1 == end || count[1].tuple != count->tuple) &&
		    !flush_sums(of, count->tuple))
			return error_nomem(err, "splitting functions");
	}
	return 0;
}

static int read_paths(void *arg, size_t table, const struct callpath *paths, size_t nr,
		      struct error *err)
{
	const size_t kind = table == PATHSTORE_WAITING ? RECENT_WAITING : RECENT_PATH + table;

	return nr ? add_kind(arg, (uint32_t)kind, paths, nr, err) : 0;
}

static int add_up(struct splitting *of, struct error *err)
{
	const size_t nr = of->input->nr_functions;

	of->nr = of->input->counts->index.nr;
	of->sorted = calloc(of->nr + 1, sizeof(*of->sorted));
	of->sums = calloc(nr + 1, sizeof(*of->sums));
	of->listed = calloc(nr + 1, sizeof(*of->listed));
	if (!of->sorted || !of->sums || !of->listed)
		return error_nomem(err, "splitting functions");
	if (of->nr)
		memcpy(of->sorted, of->input->counts->list, of->nr * sizeof(*of->sorted));
	qsort(of->sorted, of->nr, sizeof(*of->sorted), compare_counts);
	if (add_kind(of, RECENT_ADDRESS, NULL, 0, err) < 0)
		return -1;
	return pathstore_read(of->input->paths, &(struct path_reader){read_paths, of}, err);
}

static int compare_split(const void *a, const void *b)
{
	const struct split_row *x = a, *y = b;
	const int order = funcstat_compare(&x->function, &y->function);

	return order ? order : (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

/* For events without call chains, children are self alone. */
static void finish_rows(struct splitstat *stat, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct function_stat *function = &stat->rows[i].function;

		if (!function->event->chains)
			function->children = function->self;
	}
	if (nr)
		qsort(stat->rows, nr, sizeof(*stat->rows), compare_split);
}

int splitstat_make(struct splitstat *stat, const struct splitstat_input *input, struct error *err)
{
	struct splitting of = {.stat = stat, .input = input};
	int rc;

	splitstat_free(stat);
	rc = add_up(&of, err);
	free(of.sorted);
	free(of.sums);
	free(of.listed);
	if (rc < 0)
		return -1;
	finish_rows(stat, stat->index.nr);
	stat->stat = (struct split_stat){.keys = input->keys,
					 .nr_keys = input->nr_keys,
					 .rows = stat->rows,
					 .nr_rows = stat->index.nr,
					 .values = input->values};
	return 0;
}

void splitstat_free(struct splitstat *stat)
{
	free(stat->rows);
	index_free(&stat->index);
	*stat = (struct splitstat){0};
}
