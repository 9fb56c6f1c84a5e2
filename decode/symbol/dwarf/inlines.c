#include "decode/symbol/dwarf/inlines.h"

#include "util/array.h"

#include <stdlib.h>

/* Closes the scopes that end before @entry, and makes room for one more. */
static int close_scopes(struct inlines *inlines, const struct die_entry *entry)
{
	while (inlines->nr_open && inlines->open[inlines->nr_open - 1].depth >= entry->least_depth)
		inlines->nr_open--;
	return array_grow(inlines->open, inlines->open_room, inlines->nr_open + 1) ? 0 : -1;
}

int inlines_enter_function(struct inlines *inlines, const struct die_entry *entry,
			   uint32_t function)
{
	if (close_scopes(inlines, entry) < 0)
		return -1;
	inlines->open[inlines->nr_open++] =
		(struct inline_scope){entry->depth, INLINE_NONE, function};
	return 0;
}

int inlines_enter(struct inlines *inlines, const struct die_entry *entry, uint32_t *number)
{
	struct inline_scope scope;

	*number = INLINE_NONE;
	if (close_scopes(inlines, entry) < 0)
		return -1;
	if (inlines->nr_open == 0 || inlines->nr >= INLINE_NONE)
		return 0;
	scope = inlines->open[inlines->nr_open - 1];
	if (scope.function == INLINE_NONE)
		return 0;
	if (!array_grow(inlines->list, inlines->room, inlines->nr + 1))
		return -1;
	inlines->list[inlines->nr] = (struct inlined){
		.place = entry->place, .caller = scope.inlined, .function = scope.function};
	*number = (uint32_t)inlines->nr++;
	inlines->open[inlines->nr_open++] =
		(struct inline_scope){entry->depth, *number, scope.function};
	return 0;
}

int inlines_build(struct inlines *inlines)
{
	free(inlines->open);
	inlines->open = NULL;
	inlines->nr_open = inlines->open_room = 0;
	return ranges_build(&inlines->ranges);
}

uint32_t inlines_find(struct inlines *inlines, uint64_t address)
{
	const struct range *range = ranges_find(&inlines->ranges, address, &inlines->cursor);

	return range ? range->item : INLINE_NONE;
}

void inlines_free(struct inlines *inlines)
{
	for (size_t i = 0; i < inlines->nr; i++)
		free(inlines->list[i].answer);
	free(inlines->list);
	free(inlines->open);
	ranges_free(&inlines->ranges);
	*inlines = (struct inlines){0};
}
