#include "report/export/pagesums.h"

#include "util/array.h"

#include <stdlib.h>

/* Numbers of JavaScript are exact up to 2 to the power of that. */
enum { EXACT_BITS = 53 };

/* What the paths say of a function. */
struct function_sums {
	struct tally self, children, inlined;
	uint32_t open; /* how often it is on the current path */
};

/* Paths are added up one by one. */
struct sums_walk {
	const struct pagesums_input *input;
	struct function_sums *sums; /* by function */
	uint32_t *open;		    /* by depth: the function there */
	size_t open_room, nr_open;
};

static bool add_path(struct sums_walk *walk, const struct path_stat *path)
{
	const size_t function = (size_t)(path->function - walk->input->functions);
	struct function_sums *sums = &walk->sums[function];

	if (!array_grow(walk->open, walk->open_room, (size_t)path->depth + 1))
		return false;
	while (walk->nr_open > path->depth)
		walk->sums[walk->open[--walk->nr_open]].open--;
	walk->open[walk->nr_open++] = (uint32_t)function;
	if (sums->open++ == 0)
		tally_add(&sums->children, path->total.samples, path->total.period);
	tally_add(&sums->self, path->self.samples, path->self.period);
	if (path->inlined)
		tally_add(&sums->inlined, path->self.samples, path->self.period);
	return true;
}

static bool are_equal(const struct tally *a, const struct tally *b)
{
	return a->samples == b->samples && a->period == b->period;
}

static bool is_told(const struct function_stat *function, const struct function_sums *sums)
{
	return are_equal(&function->self, &sums->self) &&
	       are_equal(&function->children, &sums->children) &&
	       are_equal(&function->inlined, &sums->inlined) &&
	       function->children.period >> EXACT_BITS == 0;
}

bool pagesums_told(const struct pagesums_input *input, bool *told)
{
	struct sums_walk walk = {.input = input};
	bool ok;

	*told = false;
	if (input->nr_paths > PAGESUMS_PATHS_MAX)
		return true;
	walk.sums = calloc(input->nr_functions + 1, sizeof(*walk.sums));
	ok = walk.sums != NULL;
	for (size_t i = 0; ok && i < input->nr_paths; i++)
		ok = add_path(&walk, &input->paths[i]);
	*told = ok;
	for (size_t i = 0; i < input->nr_functions && *told; i++)
		*told = is_told(&input->functions[i], &walk.sums[i]);
	free(walk.sums);
	free(walk.open);
	return ok;
}

void pagesums_put(const struct pagesums_input *input, const uint32_t *rows,
		  struct pagenumbers *packed)
{
	const struct function_stat *functions = input->functions;
	const size_t nr = input->nr_functions;

	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[rows[i]].self.samples);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[rows[i]].self.period);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[rows[i]].children.samples);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[rows[i]].children.period);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[rows[i]].inlined.samples);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[rows[i]].inlined.period);
}
