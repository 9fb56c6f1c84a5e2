#include "decode/symbol/perfmap.h"

#include "util/array.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A line: code in [start, end). */
struct line {
	uint64_t start, end;
	const char *name;
	uint32_t number; /* place in the file */
};

struct lines {
	struct line *list;
	size_t nr, room;
};

/* ---- reading --------------------------------------------------------------------------------- */

/* Takes a hexadecimal number with or without "0x" and the blanks behind it off *@pos. */
static bool take_hex(char **pos, uint64_t *value)
{
	char *end;

	if (strchr("+- \t\r", **pos)) /* strtoull() would take these, too */
		return false;
	*value = strtoull(*pos, &end, 16);
	if (end == *pos || (*end != ' ' && *end != '\t'))
		return false;
	*pos = end + strspn(end, " \t");
	return true;
}

/* False if @text tells of no code. */
static bool parse_line(char *text, struct line *line)
{
	uint64_t size;

	if (!take_hex(&text, &line->start) || !take_hex(&text, &size) || size == 0 ||
	    text[0] == '\0')
		return false;
	if (__builtin_add_overflow(line->start, size, &line->end))
		line->end = UINT64_MAX;
	line->name = text;
	return true;
}

static int parse(struct lines *lines, char *text, size_t size)
{
	char *end = text + size;

	for (char *at = text, *next; at < end; at = next) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		struct line line;

		next = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		if (!parse_line(at, &line))
			continue;
		if (lines->nr >= UINT32_MAX || !array_grow(lines->list, lines->room, lines->nr + 1))
			return -1;
		line.number = (uint32_t)lines->nr;
		lines->list[lines->nr++] = line;
	}
	return 0;
}

static int by_start(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* ---- the last line wins ---------------------------------------------------------------------- */

/* The lines that hold the address at hand, and perhaps some that ended: a heap, last one first. */
struct pile {
	const struct line **lines;
	size_t nr;
};

static bool is_later(const struct pile *pile, size_t a, size_t b)
{
	return pile->lines[a]->number > pile->lines[b]->number;
}

static void swap(struct pile *pile, size_t a, size_t b)
{
	const struct line *line = pile->lines[a];

	pile->lines[a] = pile->lines[b];
	pile->lines[b] = line;
}

static void push(struct pile *pile, const struct line *line)
{
	size_t at = pile->nr++;

	pile->lines[at] = line;
	for (; at && is_later(pile, at, (at - 1) / 2); at = (at - 1) / 2)
		swap(pile, at, (at - 1) / 2);
}

static void pop(struct pile *pile)
{
	pile->lines[0] = pile->lines[--pile->nr];
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
	last->end = end; /* what starts here lies below the same line */
	return 0;
}

/* Goes up the addresses, from one start or end of a line that counts to the next. */
static int add_symbols(struct symtab *table, const struct lines *lines, struct pile *pile)
{
	uint64_t at = 0, next;

	for (size_t i = 0; i < lines->nr || pile->nr; at = next) {
		if (pile->nr == 0)
			at = lines->list[i].start;
		for (; i < lines->nr && lines->list[i].start == at; i++)
			push(pile, &lines->list[i]);
		while (pile->nr && pile->lines[0]->end <= at)
			pop(pile);
		next = at;
		if (pile->nr == 0)
			continue;
		next = pile->lines[0]->end;
		if (i < lines->nr && lines->list[i].start < next)
			next = lines->list[i].start;
		if (add_symbol(table, at, next, pile->lines[0]->name) < 0)
			return -1;
	}
	return 0;
}

int perfmap_read(struct symtab *table, char *text, size_t size)
{
	struct lines lines = {0};
	struct pile pile = {0};
	int rc = parse(&lines, text, size);

	if (rc == 0 && lines.nr) {
		qsort(lines.list, lines.nr, sizeof(*lines.list), by_start);
		pile.lines = malloc(lines.nr * sizeof(*pile.lines));
		rc = pile.lines ? add_symbols(table, &lines, &pile) : -1;
	}
	free(pile.lines);
	free(lines.list);
	return rc < 0 ? -1 : symtab_build(table);
}
