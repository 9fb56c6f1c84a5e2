#include "decode/symbol/jit/overlay.h"

#include "util/array.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>

int overlay_add(struct overlay *overlay, uint64_t start, uint64_t size, const char *name)
{
	uint64_t end;

	if (__builtin_add_overflow(start, size, &end))
		end = UINT64_MAX;
	if (start >= end)
		return 0;
	if (overlay->nr >= UINT32_MAX || !array_grow(overlay->list, overlay->room, overlay->nr + 1))
		return -1;
	overlay->list[overlay->nr] = (struct overlay_code){
		.start = start, .end = end, .name = name, .number = (uint32_t)overlay->nr};
	overlay->nr++;
	return 0;
}

static int by_start(const void *left, const void *right)
{
	const struct overlay_code *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* The code at the current address, and possibly some that has ended: a heap, latest piece first. */
struct pile {
	const struct overlay_code **codes;
	size_t nr;
};

static bool is_later(const struct pile *pile, size_t a, size_t b)
{
	return pile->codes[a]->number > pile->codes[b]->number;
}

static void swap(struct pile *pile, size_t a, size_t b)
{
	const struct overlay_code *code = pile->codes[a];

	pile->codes[a] = pile->codes[b];
	pile->codes[b] = code;
}

static void push(struct pile *pile, const struct overlay_code *code)
{
	size_t at = pile->nr++;

	pile->codes[at] = code;
	for (; at && is_later(pile, at, (at - 1) / 2); at = (at - 1) / 2)
		swap(pile, at, (at - 1) / 2);
}

static void pop(struct pile *pile)
{
	pile->codes[0] = pile->codes[--pile->nr];
	for (size_t at = 0;;) {
		size_t last = at, child = 2 * at + 1;

		for (size_t i = child; i < child + 2 && i < pile->nr; i++)
			if (is_later(pile, i, last))
				last = i;
		if (last == at)
			return;
		swap(pile, at, last);
		at = last;
	}
}

static int add_symbol(struct symtab *table, uint64_t start, uint64_t end, const char *name)
{
	struct symtab_entry *last = table->nr ? &table->entries[table->nr - 1] : NULL;
	const struct symtab_entry entry = {
		.start = start, .end = end, .name = name, .type = STT_FUNC, .binding = STB_GLOBAL};

	if (!last || last->name != name || last->end != start)
		return symtab_add(table, &entry);
	last->end = end; /* a piece that starts here is hidden by the same code */
	return 0;
}

/* Goes through the addresses in order, from one visible start or end of code to the next. */
static int add_symbols(struct symtab *table, const struct overlay *overlay, struct pile *pile)
{
	uint64_t at = 0, next;

	for (size_t i = 0; i < overlay->nr || pile->nr; at = next) {
		if (pile->nr == 0)
			at = overlay->list[i].start;
		for (; i < overlay->nr && overlay->list[i].start == at; i++)
			push(pile, &overlay->list[i]);
		while (pile->nr && pile->codes[0]->end <= at)
			pop(pile);
		next = at;
		if (pile->nr == 0)
			continue;
		next = pile->codes[0]->end;
		if (i < overlay->nr && overlay->list[i].start < next)
			next = overlay->list[i].start;
		if (add_symbol(table, at, next, pile->codes[0]->name) < 0)
			return -1;
	}
	return 0;
}

int overlay_build(struct overlay *overlay, struct symtab *table)
{
	struct pile pile = {0};
	int rc = 0;

	if (overlay->nr) {
		qsort(overlay->list, overlay->nr, sizeof(*overlay->list), by_start);
		pile.codes = malloc(overlay->nr * sizeof(*pile.codes));
		rc = pile.codes ? add_symbols(table, overlay, &pile) : -1;
	}
	free(pile.codes);
	return rc < 0 ? -1 : symtab_build(table);
}

void overlay_free(struct overlay *overlay)
{
	free(overlay->list);
	*overlay = (struct overlay){0};
}
