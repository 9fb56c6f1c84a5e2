#include "decode/symbol/splittally.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_known(const struct split_tally *tally, uint64_t offset)
{
	const uint64_t hash = hash_u64(offset);
	size_t at = index_first(&tally->by_offset, hash);
	uint32_t number;

	while (index_next(&tally->by_offset, hash, &at, &number))
		if (tally->units[number] == offset)
			return true;
	return false;
}

int split_tally_add(struct split_tally *tally, uint64_t offset, const char *missing,
		    struct intern *strings)
{
	const size_t nr = tally->by_offset.nr;

	if (is_known(tally, offset))
		return 0;
	if (!array_grow(tally->units, tally->room, nr + 1))
		return -1;
	tally->units[nr] = offset;
	if (!index_add(&tally->by_offset, hash_u64(offset)))
		return -1;
	if (!missing)
		return 0;
	/* The first one in the file, in whatever order they are read. */
	if (tally->nr_missing++ == 0 || offset < tally->first) {
		tally->first = offset;
		tally->first_path = intern_keep(strings, missing);
	}
	return tally->first_path ? 0 : -1;
}

const char *split_tally_describe(const struct split_tally *tally, const char *refused,
				 struct intern *strings)
{
	const char *kept = NULL;
	char *text;

	if (tally->nr_missing == 0)
		return refused;
	if (asprintf(&text, "%s%s%zu of %zu split units not found: first %s", refused,
		     refused[0] ? "; " : "", tally->nr_missing, tally->by_offset.nr,
		     tally->first_path) < 0)
		return NULL;
	kept = intern_keep(strings, text);
	free(text);
	return kept;
}

void split_tally_free(struct split_tally *tally)
{
	free(tally->units);
	index_free(&tally->by_offset);
	*tally = (struct split_tally){0};
}
