#include "decode/answer/splitstat.h"

#include "decode/answer/funcstat.h"
#include "decode/count/recentcount.h"
#include "util/array.h"
#include "util/keysort.h"

#include <stdlib.h>

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
	struct split_sum *sums; /* by number of the function */
	uint32_t *listed;	/* functions that counted for this tuple */
	size_t nr_listed;
	uint64_t visits;
	size_t nr_kinds; /* so many kinds of counts have been added up */
};

/* Makes rows of the sums of the tuple, and clears them. Another kind may have its own. */
static bool flush_sums(struct splitting *of, uint32_t tuple)
{
	struct splitstat *stat = of->stat;

	if (of->input->same)
		tuple = of->input->same[tuple];
	if (!array_grow(stat->rows, stat->room, stat->nr + of->nr_listed))
		return false;
	while (of->nr_listed > 0) {
		const uint32_t number = of->listed[--of->nr_listed];
		struct split_sum *sum = &of->sums[number];

		stat->rows[stat->nr++] = (struct split_row){
			.function = &of->input->functions[number],
			.values = &of->input->values[tuple * of->input->nr_keys],
			.tuple = tuple,
			.self = sum->self,
			.inlined = sum->inlined,
			.children = sum->children,
		};
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

static void add_address(struct splitting *of, uint32_t address, const struct tally *tally)
{
	const struct row_list list = address_rows_of(of->input->of_addresses, address);
	struct split_sum *sum = list_sum(of, list.rows[0]);

	tally_add(&sum->self, tally->samples, tally->period);
	if (list.nr > 1)
		tally_add(&sum->inlined, tally->samples, tally->period);
}

/* Adds the count to each function on the path, once even if it is there several times. */
static void add_path(struct splitting *of, uint32_t path, const struct tally *tally,
		     const struct callpath *paths)
{
	const uint64_t visit = ++of->visits;

	for (; path >= CHAIN_END_NR; path = paths[path - CHAIN_END_NR].caller) {
		const struct row_list list = address_rows_of(of->input->of_addresses,
							     paths[path - CHAIN_END_NR].address);

		for (size_t i = 0; i < list.nr; i++) {
			struct split_sum *sum = list_sum(of, list.rows[i]);

			if (sum->visit == visit)
				continue;
			sum->visit = visit;
			tally_add(&sum->children, tally->samples, tally->period);
		}
	}
}

/* Adds up the counts of @kind; @paths are those of their table, NULL for addresses. */
static int add_kind(struct splitting *of, size_t kind, const struct callpath *paths,
		    size_t nr_paths, struct error *err)
{
	const struct splitcount *counts = of->input->counts;
	const struct split_count *list = kind < counts->nr_kinds ? counts->kinds[kind].list : NULL;
	const size_t nr = list ? counts->kinds[kind].nr : 0;

	of->nr_kinds += nr != 0;
	for (size_t i = 0; i < nr; i++) {
		const uint32_t number = (uint32_t)list[i].pair;
		const uint32_t tuple = (uint32_t)(list[i].pair >> 32);

		if (!paths)
			add_address(of, number, &list[i].tally);
		else if (number - CHAIN_END_NR < nr_paths)
			add_path(of, number, &list[i].tally, paths);
		if ((i + 1 == nr || list[i + 1].pair >> 32 != tuple) && !flush_sums(of, tuple))
			return error_nomem(err, "splitting functions");
	}
	return 0;
}

static int read_paths(void *arg, size_t table, const struct callpath *paths, size_t nr,
		      struct error *err)
{
	const size_t kind = table == PATHSTORE_WAITING ? RECENT_WAITING : RECENT_PATH + table;

	return nr ? add_kind(arg, kind, paths, nr, err) : 0;
}

static int add_up(struct splitting *of, struct error *err)
{
	const size_t nr = of->input->nr_functions;

	of->sums = calloc(nr + 1, sizeof(*of->sums));
	of->listed = calloc(nr + 1, sizeof(*of->listed));
	if (!of->sums || !of->listed)
		return error_nomem(err, "splitting functions");
	if (add_kind(of, RECENT_ADDRESS, NULL, 0, err) < 0)
		return -1;
	return pathstore_read(of->input->paths, &(struct path_reader){read_paths, of}, err);
}

/* What sorting needs. */
struct split_sorting {
	struct keyed *order, *spare; /* of rows: the values of @order are their numbers */
	struct split_row *sorted;
	uint32_t *ranks; /* by number of the function: its place by name */
};

/* The rows in the order that was found, in place of those of @stat. */
static void put_in_order(struct splitstat *stat, struct split_sorting *sorting)
{
	struct split_row *rows = stat->rows;

	for (size_t i = 0; i < stat->nr; i++)
		sorting->sorted[i] = rows[sorting->order[i].value];
	stat->rows = sorting->sorted;
	stat->room = stat->nr;
	sorting->sorted = rows;
}

/* Adds up the rows of the same function and tuple, which different kinds of counts made. */
static void join_rows(struct splitstat *stat, struct split_sorting *sorting)
{
	size_t nr = 0;

	for (size_t i = 0; i < stat->nr; i++) {
		const struct split_row *row = &stat->rows[i];

		sorting->order[i] =
			(struct keyed){(uint64_t)row->tuple << 32 | row->function->number, i};
	}
	keysort(sorting->order, sorting->spare, stat->nr);
	put_in_order(stat, sorting);
	for (size_t i = 0; i < stat->nr; i++) {
		const struct split_row *row = &stat->rows[i];
		struct split_row *last = nr ? &stat->rows[nr - 1] : NULL;

		if (!last || last->tuple != row->tuple || last->function != row->function) {
			stat->rows[nr++] = *row;
			continue;
		}
		tally_add(&last->self, row->self.samples, row->self.period);
		tally_add(&last->inlined, row->inlined.samples, row->inlined.period);
		tally_add(&last->children, row->children.samples, row->children.period);
	}
	stat->nr = nr;
}

/* The key of a row for one step of sorting. */
static uint64_t key_of_name(const struct split_sorting *sorting, const struct split_row *row)
{
	return sorting->ranks[row->function->number];
}

static uint64_t key_of_period(const struct split_sorting *sorting, const struct split_row *row)
{
	(void)sorting;
	return ~row->self.period;
}

static uint64_t key_of_event(const struct split_sorting *sorting, const struct split_row *row)
{
	(void)sorting;
	return row->function->event->number;
}

/* Sorts the rows, which are in the order of tuples, as functions are: the last step counts most.
 */
static void sort_rows(struct splitstat *stat, struct split_sorting *sorting)
{
	static uint64_t (*const steps[])(const struct split_sorting *, const struct split_row *) = {
		key_of_name, key_of_period, key_of_event};

	for (size_t i = 0; i < stat->nr; i++)
		sorting->order[i].value = i;
	for (size_t step = 0; step < sizeof(steps) / sizeof(steps[0]); step++) {
		for (size_t i = 0; i < stat->nr; i++) {
			struct keyed *at = &sorting->order[i];

			at->key = steps[step](sorting, &stat->rows[at->value]);
		}
		keysort(sorting->order, sorting->spare, stat->nr);
	}
	put_in_order(stat, sorting);
}

/* Ranks the functions by name alone. Returns false if memory is out. */
static bool rank_functions(const struct splitstat_input *input, uint32_t *ranks)
{
	const size_t nr = input->nr_functions;
	struct function_stat *functions = calloc(nr + 1, sizeof(*functions));

	if (!functions)
		return false;
	for (size_t i = 0; i < nr; i++) {
		functions[i] = input->functions[i];
		functions[i].self.period = 0;
	}
	if (nr)
		qsort(functions, nr, sizeof(*functions), funcstat_compare);
	for (size_t i = 0; i < nr; i++)
		ranks[functions[i].number] = (uint32_t)i;
	free(functions);
	return true;
}

/* For events without call chains, children are self alone. */
static void finish_rows(struct splitstat *stat)
{
	for (size_t i = 0; i < stat->nr; i++)
		if (!stat->rows[i].function->event->chains)
			stat->rows[i].children = stat->rows[i].self;
}

static int order_rows(struct splitting *of, struct split_sorting *sorting, struct error *err)
{
	const size_t nr = of->stat->nr;

	sorting->order = calloc(nr + 1, sizeof(*sorting->order));
	sorting->spare = calloc(nr + 1, sizeof(*sorting->spare));
	sorting->sorted = calloc(nr + 1, sizeof(*sorting->sorted));
	sorting->ranks = calloc(of->input->nr_functions + 1, sizeof(*sorting->ranks));
	if (!sorting->order || !sorting->spare || !sorting->sorted || !sorting->ranks ||
	    !rank_functions(of->input, sorting->ranks))
		return error_nomem(err, "splitting functions");
	if (of->nr_kinds > 1 || of->input->same)
		join_rows(of->stat, sorting);
	finish_rows(of->stat);
	sort_rows(of->stat, sorting);
	return 0;
}

int splitstat_make(struct splitstat *stat, const struct splitstat_input *input, struct error *err)
{
	struct splitting of = {.stat = stat, .input = input};
	struct split_sorting sorting = {0};
	int rc;

	splitstat_free(stat);
	rc = add_up(&of, err);
	free(of.sums);
	free(of.listed);
	if (rc == 0)
		rc = order_rows(&of, &sorting, err);
	free(sorting.order);
	free(sorting.spare);
	free(sorting.sorted);
	free(sorting.ranks);
	stat->stat = (struct split_stat){.keys = input->keys,
					 .nr_keys = input->nr_keys,
					 .rows = stat->rows,
					 .nr_rows = stat->nr,
					 .values = input->values};
	return rc;
}

void splitstat_free(struct splitstat *stat)
{
	free(stat->rows);
	*stat = (struct splitstat){0};
}
