#include "decode/stack/namedpaths.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* What each path begins with. */
enum { WORD_END, WORD_NR, WORD_PERIOD_LOW, WORD_PERIOD_HIGH, NR_HEADER_WORDS };

bool named_paths_begin(struct named_paths *paths, enum chain_end end, uint64_t period,
		       uint32_t leaf)
{
	uint32_t *words;

	if (!array_grow(paths->words, paths->room, paths->nr + NR_HEADER_WORDS + 1))
		return false;
	paths->open = paths->nr;
	words = &paths->words[paths->nr];
	words[WORD_END] = end;
	words[WORD_NR] = 1;
	words[WORD_PERIOD_LOW] = (uint32_t)period;
	words[WORD_PERIOD_HIGH] = (uint32_t)(period >> 32);
	words[NR_HEADER_WORDS] = leaf;
	paths->nr += NR_HEADER_WORDS + 1;
	return true;
}

/* Makes room for @nr more addresses, which are part of the path then. Returns where they belong;
 * NULL if memory is out. */
static uint32_t *extend(struct named_paths *paths, size_t nr)
{
	uint32_t *to;

	if (!array_grow(paths->words, paths->room, paths->nr + nr))
		return NULL;
	to = &paths->words[paths->nr];
	paths->words[paths->open + WORD_NR] += (uint32_t)nr;
	paths->nr += nr;
	return to;
}

bool named_paths_add(struct named_paths *paths, const uint32_t *addresses, size_t nr)
{
	uint32_t *to = extend(paths, nr);

	if (to && nr)
		memcpy(to, addresses, nr * sizeof(*to));
	return to;
}

bool named_paths_add_reversed(struct named_paths *paths, const uint32_t *addresses, size_t nr)
{
	uint32_t *to = extend(paths, nr);

	for (size_t i = 0; to && i < nr; i++)
		to[i] = addresses[nr - 1 - i];
	return to;
}

bool named_paths_next(const struct named_paths *paths, size_t *at, struct named_path *path)
{
	const uint32_t *words;

	if (*at == paths->nr)
		return false;
	words = &paths->words[*at];
	*path = (struct named_path){
		.end = (enum chain_end)words[WORD_END],
		.addresses = &words[NR_HEADER_WORDS],
		.nr = words[WORD_NR],
		.period = words[WORD_PERIOD_LOW] | (uint64_t)words[WORD_PERIOD_HIGH] << 32,
	};
	*at += NR_HEADER_WORDS + path->nr;
	return true;
}

void named_paths_free(struct named_paths *paths)
{
	free(paths->words);
	*paths = (struct named_paths){0};
}
