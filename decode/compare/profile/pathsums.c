#include "decode/compare/profile/pathsums.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

uint32_t pathsums_get(struct pathsums *sums, uint32_t parent, uint32_t key, bool inlined)
{
	const uint64_t hash = hash_u64(((uint64_t)parent << 32 | key) + inlined);
	const struct index *ix = &sums->index;
	const size_t nr = ix->nr;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct pathsum *have = &sums->paths[number];

		if (have->parent == parent && have->key == key && have->inlined == inlined)
			return number + PATHSUMS_ROOTS;
	}
	if (nr >= PATHSUMS_NOMEM - PATHSUMS_ROOTS || !array_grow(sums->paths, sums->room, nr + 1) ||
	    !index_add(&sums->index, hash))
		return PATHSUMS_NOMEM;
	sums->paths[nr] = (struct pathsum){.parent = parent, .key = key, .inlined = inlined};
	return (uint32_t)nr + PATHSUMS_ROOTS;
}

/* The root of the paths that were cut because of @word; the last one if there are too many. */
static uint32_t get_root(struct pathsums *sums, struct rowkeys *keys, const char *word)
{
	uint32_t root = 1;

	while (root < PATHSUMS_ROOTS - 1 && sums->words[root] &&
	       strcmp(sums->words[root], word) != 0)
		root++;
	if (!sums->words[root])
		sums->words[root] = intern_keep(&keys->strings, word);
	return sums->words[root] ? root : PATHSUMS_NOMEM;
}

/* Adds one path; @numbers are those of the paths before it, which its caller is among. */
static uint32_t add_path(struct pathsums *sums, const struct results *results,
			 const struct profile *profile, const struct path_stat *path,
			 const uint32_t *numbers)
{
	const size_t function = (size_t)(path->function - results->functions);
	uint32_t parent = 0;

	if (path->parent != PATH_NO_PARENT)
		parent = numbers[path->parent];
	else if (path->cut)
		parent = get_root(sums, profile->keys, path->end);
	if (parent == PATHSUMS_NOMEM)
		return PATHSUMS_NOMEM;
	return pathsums_get(sums, parent, profile->rows[function].key, path->inlined);
}

int pathsums_add(struct pathsums *sums, const struct results *results,
		 const struct profile *profile, int side, struct error *err)
{
	const struct rows rows = results_rows(results, &pathstat_paths);
	const struct path_stat *paths = rows.first;
	uint32_t *numbers = calloc(rows.nr + 1, sizeof(*numbers));
	bool ok = numbers != NULL;

	for (size_t i = 0; ok && i < rows.nr; i++) {
		struct tally *self;

		numbers[i] = add_path(sums, results, profile, &paths[i], numbers);
		ok = numbers[i] != PATHSUMS_NOMEM;
		if (!ok)
			break;
		self = &sums->paths[numbers[i] - PATHSUMS_ROOTS].self[side];
		tally_add(self, paths[i].self.samples, paths[i].self.period);
	}
	free(numbers);
	return ok ? 0 : error_nomem(err, "adding up call paths");
}

void pathsums_free(struct pathsums *sums)
{
	free(sums->paths);
	index_free(&sums->index);
	*sums = (struct pathsums){0};
}
