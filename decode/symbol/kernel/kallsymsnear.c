#include "decode/symbol/kernel/kallsymsnear.h"

#include "decode/symbol/kernel/kallsyms.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* Returns the start of the line that @pos is in; text begins at @start. */
static const char *start_of_line(const char *start, const char *pos)
{
	const char *newline = memrchr(start, '\n', (size_t)(pos - start));

	return newline ? newline + 1 : start;
}

/* Returns the start of the line behind the one at @line, or @end, where lines end. */
static const char *next_line(const char *line, const char *end)
{
	const char *newline = memchr(line, '\n', (size_t)(end - line));

	return newline ? newline + 1 : end;
}

/* Returns the start of the line before @line, which is not the first one. */
static const char *line_before(const char *start, const char *line)
{
	return start_of_line(start, line - 1);
}

/* Whether a module's name is in the line at @line. */
static bool has_module(const char *line, const char *end)
{
	const char *next = next_line(line, end);

	return memchr(line, '[', (size_t)(next - line));
}

struct kallsyms_lines kallsymsnear_lines(const char *text, size_t size)
{
	const char *end = start_of_line(text, text + size); /* a last line without an end is none */
	const char *low = text, *high = end;

	while (low < high) {
		const char *middle = start_of_line(low, low + (high - low) / 2);

		if (has_module(middle, end))
			high = middle;
		else
			low = next_line(middle, end);
	}
	return (struct kallsyms_lines){text, low};
}

/* The lines [low, high) that are still to be searched. */
struct search {
	const char *low, *high;
	uint64_t least, most; /* the addresses of the lines before and behind them */
	bool ascend;	      /* those of all lines that were looked at do */
};

/* Leaves the lines before @line, one of @search, if its address is more than @address, else those
 * behind it. */
static void narrow(const struct kallsyms_lines *lines, struct search *search, const char *line,
		   uint64_t address)
{
	uint64_t at;

	(void)kallsyms_peek(line, lines->end, &at);
	search->ascend &= at >= search->least && at <= search->most;
	if (at > address) {
		search->most = at;
		search->high = line;
	} else {
		search->least = at;
		search->low = next_line(line, lines->end);
	}
}

/* Returns the first line from @from on whose address is more than @address, or the end. *@ascend is
 * cleared if lines do not ascend. */
static const char *find_behind(const struct kallsyms_lines *lines, const char *from,
			       uint64_t address, bool *ascend)
{
	enum { FIRST_STEP = 4096 };
	struct search s = {from, lines->end, 0, UINT64_MAX, true};

	/* Places are mostly near each other. */
	for (size_t step = FIRST_STEP; s.high == lines->end && step < (size_t)(lines->end - s.low);
	     step *= 2)
		narrow(lines, &s, start_of_line(s.low, s.low + step), address);
	while (s.low < s.high)
		narrow(lines, &s, start_of_line(s.low, s.low + (s.high - s.low) / 2), address);
	*ascend &= s.ascend;
	return s.low;
}

/*
 * Returns the first line of those, from the line @from on, that name what is before the line at
 * @behind: the last symbol, and others with its address. @from if that is before it.
 */
static const char *first_of_name(const struct kallsyms_lines *lines, const char *from,
				 const char *behind)
{
	const char *first = behind;
	uint64_t address, found;

	do {
		if (first <= from)
			return from;
		first = line_before(from, first);
	} while (!kallsyms_peek(first, lines->end, &found));
	while (first > from) {
		const char *before = line_before(from, first);

		(void)kallsyms_peek(before, lines->end, &address);
		if (address != found)
			break;
		first = before;
	}
	return first;
}

/* Returns where the first symbol from @line on ends, with its @address; the end if there is none.
 */
static const char *end_of_symbol(const struct kallsyms_lines *lines, const char *line,
				 uint64_t *address)
{
	while (line < lines->end) {
		const bool is_symbol = kallsyms_peek(line, lines->end, address);

		line = next_line(line, lines->end);
		if (is_symbol)
			return line;
	}
	*address = UINT64_MAX;
	return line;
}

bool kallsymsnear_find(const struct kallsyms_lines *lines, uint64_t from, const char *name,
		       uint64_t *address)
{
	const size_t len = strlen(name);
	bool ascend = true;
	const char *line = find_behind(lines, lines->start, from, &ascend);
	const char *at;

	line = first_of_name(lines, lines->start, line);
	for (; (at = memmem(line, (size_t)(lines->end - line), name, len));
	     line = next_line(at, lines->end)) {
		line = start_of_line(line, at);
		if (at - line >= 3 && at[-1] == ' ' && at[-3] == ' ' &&
		    len < (size_t)(lines->end - at) && at[len] == '\n' &&
		    kallsyms_peek(line, lines->end, address))
			return true;
	}
	return false;
}

/* A text that is put together. */
struct growing {
	char *bytes;
	size_t nr, room;
};

/* Adds [@from, @to), and keeps room for a NUL. Returns false if memory is out. */
static bool add(struct growing *text, const char *from, const char *to)
{
	const size_t len = to > from ? (size_t)(to - from) : 0;

	if (!array_grow(text->bytes, text->room, text->nr + len + 1))
		return false;
	memcpy(text->bytes + text->nr, from, len);
	text->nr += len;
	return true;
}

/* Adds what @places need. Returns false if memory is out; *@ascend: whether all do, so far. */
static bool add_near(const struct kallsyms_lines *lines, const struct place_list *places,
		     struct growing *text, bool *ascend)
{
	const char *behind = lines->start, *added = lines->start;
	uint64_t before = 0, next = 0; /* the place before; the first symbol behind it */

	for (size_t i = 0; i < places->nr_places && *ascend; i++) {
		const uint64_t place = places->places[i].address;
		const char *first;

		*ascend &= place >= before;
		before = place;
		if (i > 0 && place < next)
			continue;
		behind = find_behind(lines, behind, place, ascend);
		first = first_of_name(lines, added, behind);
		added = end_of_symbol(lines, first > behind ? first : behind, &next);
		if (!add(text, first, added))
			return false;
	}
	return true;
}

char *kallsymsnear_copy(const struct kallsyms_lines *lines, const struct place_list *places,
			size_t *size, bool *nomem)
{
	struct growing text = {0};
	bool ascend = true;

	*nomem =
		!add(&text, lines->start, lines->start) || !add_near(lines, places, &text, &ascend);
	if (*nomem || !ascend) {
		free(text.bytes);
		return NULL;
	}
	text.bytes[text.nr] = '\0';
	*size = text.nr;
	return text.bytes;
}
