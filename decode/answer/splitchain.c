#include "decode/answer/splitchain.h"

#include "decode/count/recentcount.h"

#include <stdlib.h>

/* Rows of chains: those of the tables that were put aside, of the current and of the waiting one;
 * then one for each address. */
static uint32_t row_of_table(const struct pathstore *paths, size_t table)
{
	size_t row = 0;

	for (size_t i = 0; i < paths->nr_aside && i < table; i++)
		row += paths->aside[i].nr;
	if (table > paths->nr_aside)
		row += callpath_count(&paths->now);
	return (uint32_t)row;
}

static uint32_t row_of_addresses(const struct pathstore *paths)
{
	return row_of_table(paths, PATHSTORE_WAITING) + (uint32_t)callpath_count(&paths->waiting);
}

static int compare_rows(const void *a, const void *b)
{
	const struct chain_split *x = a, *y = b;

	if (x->chain != y->chain)
		return x->chain < y->chain ? -1 : 1;
	return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

/* The row of address or path @number of @kind. */
static uint32_t row_of(const struct pathstore *paths, size_t kind, uint32_t number)
{
	if (kind == RECENT_ADDRESS)
		return row_of_addresses(paths) + number;
	return row_of_table(paths,
			    kind == RECENT_WAITING ? PATHSTORE_WAITING : kind - RECENT_PATH) +
	       (number - CHAIN_END_NR);
}

/* Adds the rows of what was counted for addresses or paths of @kind. */
static void add_kind(struct splitchains *chains, const struct pathstore *paths, size_t kind,
		     const struct split_counts *counts)
{
	for (size_t i = 0; i < counts->nr; i++) {
		const struct split_count *count = &counts->list[i];

		if (count->tally.samples)
			chains->rows[chains->nr++] =
				(struct chain_split){row_of(paths, kind, (uint32_t)count->pair),
						     (uint32_t)(count->pair >> 32), count->tally};
	}
}

/* The state of taking counts of paths off those of their addresses. */
struct taking_off {
	struct splitchains *chains;
	const struct pathstore *paths;
};

/* The index of the first row of @chain or above. */
static size_t first_of(const struct splitchains *chains, uint32_t chain)
{
	size_t low = 0, high = chains->nr;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (chains->rows[middle].chain < chain)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void take_off(struct splitchains *chains, uint32_t chain, const struct chain_split *path)
{
	const struct chain_split key = {.chain = chain, .tuple = path->tuple};
	struct chain_split *row =
		bsearch(&key, chains->rows, chains->nr, sizeof(key), compare_rows);

	if (!row)
		return;
	row->self.samples -= path->self.samples;
	row->self.period -= path->self.period;
}

static int read_paths(void *arg, size_t table, const struct callpath *paths, size_t nr,
		      struct error *err)
{
	struct taking_off *of = arg;
	const uint32_t addresses = row_of_addresses(of->paths);
	const uint32_t first = row_of_table(of->paths, table);

	(void)err;
	for (size_t i = first_of(of->chains, first);
	     i < of->chains->nr && of->chains->rows[i].chain - first < nr; i++) {
		const struct chain_split *row = &of->chains->rows[i];

		take_off(of->chains, addresses + paths[row->chain - first].address, row);
	}
	return 0;
}

int splitchains_make(struct splitchains *chains, const struct splitcount *counts,
		     const struct pathstore *paths, struct error *err)
{
	struct taking_off of = {chains, paths};

	splitchains_free(chains);
	chains->rows = calloc(counts->nr + 1, sizeof(*chains->rows));
	if (!chains->rows)
		return error_nomem(err, "splitting call chains");
	for (size_t kind = 0; kind < counts->nr_kinds; kind++)
		if (kind != RECENT_LEFT_OUT)
			add_kind(chains, paths, kind, &counts->kinds[kind]);
	qsort(chains->rows, chains->nr, sizeof(*chains->rows), compare_rows);
	return pathstore_read(paths, &(struct path_reader){read_paths, &of}, err);
}

void splitchains_free(struct splitchains *chains)
{
	free(chains->rows);
	*chains = (struct splitchains){0};
}
