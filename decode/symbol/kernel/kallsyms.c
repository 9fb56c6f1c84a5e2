#include "decode/symbol/kernel/kallsyms.h"

#include "decode/symbol/kernel/modname.h"
#include "util/array.h"
#include "util/largemem.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE = 4096,
	LINE_BYTES = 40, /* for each symbol: its line, and others that are no symbols */
};

/* Eight bytes, the first one lowest. */
static inline uint64_t eight_bytes(const char *pos)
{
	uint64_t word;

	memcpy(&word, pos, sizeof(word));
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap64(word);
}

/* @byte in each byte of a word. */
static inline uint64_t each(uint64_t byte)
{
	return byte * 0x0101010101010101;
}

/* Which bytes of @word are from @first to @last: the uppermost bit of each. All must be ASCII. */
static inline uint64_t bytes_between(uint64_t word, uint64_t first, uint64_t last)
{
	return (word + each(0x80 - first)) & ~(word + each(0x80 - last - 1)) & each(0x80);
}

static inline bool are_hex_digits(uint64_t word)
{
	const uint64_t digits = bytes_between(word, '0', '9') | bytes_between(word, 'A', 'F') |
				bytes_between(word, 'a', 'f');

	return !(word & each(0x80)) && digits == each(0x80);
}

/* The value of eight hexadecimal digits. */
static inline uint64_t value_of_eight(uint64_t word)
{
	uint64_t value = __builtin_bswap64((word & each(0x0f)) + (word >> 6 & each(1)) * 9);

	value = (value | value >> 4) & 0x00ff00ff00ff00ff;
	value = (value | value >> 8) & 0x0000ffff0000ffff;
	return (value | value >> 16) & 0xffffffff;
}

/* The value of a hexadecimal digit, or -1. */
static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads up to 16 hexadecimal digits; text goes on up to @end. Returns the byte behind them. */
static inline const char *read_address(const char *pos, const char *end, uint64_t *address)
{
	const char *start = pos;
	int digit;

	*address = 0;
	for (int i = 0; i < 2 && end - pos >= 8; i++) {
		const uint64_t word = eight_bytes(pos);

		if (!are_hex_digits(word))
			break;
		*address = *address << 32 | value_of_eight(word);
		pos += 8;
	}
	for (; pos - start < 16 && (digit = hex_digit(*pos)) >= 0; pos++)
		*address = *address << 4 | (uint64_t)digit;
	return pos;
}

/* The end of the name at @pos; text goes on up to @end, where a NUL is. */
static inline const char *end_of_name(const char *pos, const char *end)
{
	uint64_t stop = 0;

	/* Nearly all names have no blank or control character. */
	for (; end - pos >= 8 && !stop; pos += 8) {
		const uint64_t word = eight_bytes(pos);

		stop = (word - each(' ' + 1)) & ~word & each(0x80);
	}
	if (stop)
		pos += __builtin_ctzll(stop) / 8 - 8;
	while (*pos && *pos != '\t' && *pos != ' ' && *pos != '\r' && *pos != '\n')
		pos++;
	return pos;
}

static bool is_code(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

static bool is_data(char type)
{
	return type == 'd' || type == 'D' || type == 'b' || type == 'B';
}

/* The end of the line that @pos is in; text goes on up to @end. */
static char *end_of_line(char *pos, char *end)
{
	char *newline = memchr(pos, '\n', (size_t)(end - pos));

	return newline ? newline : end;
}

/*
 * Ends the module in "[MODULE]" or what else comes behind a name, at @pos, with a NUL. Returns
 * where it starts in @text; 0 if there is none.
 */
static uint32_t split_module(const char *text, char *pos)
{
	char *module = pos + strspn(pos, "\t ");

	if (*module++ != '[')
		return 0;
	module[strcspn(module, "]")] = '\0';
	return *module ? (uint32_t)(module - text) : 0;
}

/* Whether " TYPE " and a name are at @at. perf ignores other types, and mapping symbols of Arm. */
static inline bool comes_before_name(const char *at)
{
	return at[0] == ' ' && (is_code(at[1]) || is_data(at[1])) && at[2] == ' ' && at[3] != '$';
}

/* A line "ADDRESS TYPE NAME[\t[MODULE]]". */
struct symbol_line {
	uint64_t address;
	size_t name, name_end; /* where the name is in the line */
};

/* Reads the line at @line; text goes on up to @end. Returns false if it is no symbol, or one that
 * perf ignores. */
static inline bool read_line(const char *line, const char *end, struct symbol_line *read)
{
	const char *at = read_address(line, end, &read->address);

	if (at == line || !comes_before_name(at))
		return false;
	read->name = (size_t)(at + 3 - line);
	read->name_end = (size_t)(end_of_name(at + 3, end) - line);
	return read->name_end != read->name;
}

bool kallsyms_peek(const char *line, const char *end, uint64_t *address)
{
	struct symbol_line read;
	const bool is_symbol = read_line(line, end, &read);

	*address = read.address;
	return is_symbol;
}

/*
 * Takes the symbol from the line at *@pos, whose strings it ends with NULs, and moves *@pos to the
 * end of the line. Returns false if it is no symbol.
 */
static inline bool take_line(char *text, char **pos, char *end_of_text,
			     struct kallsyms_symbol *symbol)
{
	char *line = *pos, *behind;
	struct symbol_line read;

	if (!read_line(line, end_of_text, &read)) {
		*pos = end_of_line(line, end_of_text);
		return false;
	}
	*symbol = (struct kallsyms_symbol){read.address, (uint32_t)(line + read.name - text), 0};
	behind = line + read.name_end;
	*pos = *behind == '\n' ? behind : end_of_line(behind, end_of_text);
	**pos = '\0';
	if (behind != *pos)
		symbol->module = split_module(text, behind);
	*behind = '\0';
	return true;
}

/* Parses the lines of the text up to @end. -1 if memory is out. */
static int parse_text(struct kallsyms *kallsyms, char *end)
{
	char *text = kallsyms->text;

	if (!largemem_array(kallsyms->symbols, kallsyms->room, (size_t)(end - text) / LINE_BYTES))
		return -1;
	for (char *pos = text; pos < end; pos++) {
		struct kallsyms_symbol symbol;

		if (!take_line(text, &pos, end, &symbol))
			continue;
		if (!array_grow(kallsyms->symbols, kallsyms->room, kallsyms->nr + 1))
			return -1;
		kallsyms->symbols[kallsyms->nr++] = symbol;
		kallsyms->hidden &= symbol.address == 0;
		kallsyms->nr_of_modules += symbol.module != 0;
	}
	return 0;
}

/* By module, address and order in the file. */
static int compare_of_modules(const void *left, const void *right)
{
	const struct kallsyms_of_module *a = left, *b = right;
	int order = modname_compare(a->module, b->module);

	if (order)
		return order;
	if (a->symbol->address != b->symbol->address)
		return a->symbol->address < b->symbol->address ? -1 : 1;
	return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

/* There may be as many modules as symbols; sorting lets each find its own by binary search. */
static int sort_by_module(struct kallsyms *kallsyms)
{
	size_t nr = 0;

	kallsyms->of_modules =
		malloc((kallsyms->nr_of_modules + 1) * sizeof(*kallsyms->of_modules));
	if (!kallsyms->of_modules)
		return -1;
	for (size_t i = 0; i < kallsyms->nr; i++) {
		const struct kallsyms_symbol *symbol = &kallsyms->symbols[i];

		if (symbol->module)
			kallsyms->of_modules[nr++] = (struct kallsyms_of_module){
				kallsyms_module(kallsyms, symbol), symbol};
	}
	if (nr)
		qsort(kallsyms->of_modules, nr, sizeof(*kallsyms->of_modules), compare_of_modules);
	return 0;
}

int kallsyms_parse(struct kallsyms *kallsyms, char *text, size_t size)
{
	if (size > UINT32_MAX) {
		size = UINT32_MAX;
		text[size] = '\0';
	}
	*kallsyms = (struct kallsyms){.text = text, .hidden = true};
	if (parse_text(kallsyms, text + size) < 0 || sort_by_module(kallsyms) < 0) {
		kallsyms_free(kallsyms);
		return -1;
	}
	kallsyms->hidden &= kallsyms->nr > 0;
	return 0;
}

bool kallsyms_address(const struct kallsyms *kallsyms, const char *name, uint64_t *address)
{
	for (size_t i = 0; i < kallsyms->nr; i++) {
		const struct kallsyms_symbol *symbol = &kallsyms->symbols[i];

		if (!symbol->module && strcmp(kallsyms_name(kallsyms, symbol), name) == 0) {
			*address = symbol->address;
			return true;
		}
	}
	return false;
}

static unsigned char binding_of(char type)
{
	if (type == 'W')
		return STB_WEAK;
	return isupper((unsigned char)type) ? STB_GLOBAL : STB_LOCAL;
}

/* There are no sizes: a symbol ends at the next one, the last one with the page after it. */
static uint64_t end_behind(uint64_t start)
{
	if (start > UINT64_MAX - 2 * PAGE)
		return UINT64_MAX;
	return (start + PAGE - 1) / PAGE * PAGE + PAGE;
}

static int add_symbol(struct symtab *table, const struct kallsyms *kallsyms,
		      const struct kallsyms_symbol *symbol, uint64_t end)
{
	const char type = kallsyms_type(kallsyms, symbol);
	const struct symtab_entry entry = {
		.start = symbol->address,
		.end = end,
		.name = kallsyms_name(kallsyms, symbol),
		.type = is_code(type) ? STT_FUNC : STT_OBJECT,
		.binding = binding_of(type),
		.sizeless = true,
	};

	return symtab_add(table, &entry);
}

/*
 * kernel/kallsyms.c lists code that the kernel generated at run time under these module names:
 * [bpf], [__builtin__ftrace], [__builtin__kprobes]. It has no map of its own, so its addresses
 * belong to the kernel.
 */
static bool is_made(const char *module)
{
	return strcmp(module, "bpf") == 0 || strncmp(module, "__builtin__", 11) == 0;
}

static int add_made(const struct kallsyms *kallsyms, struct symtab *table)
{
	for (size_t i = 0; i < kallsyms->nr; i++) {
		const struct kallsyms_symbol *symbol = &kallsyms->symbols[i];

		if (symbol->module && is_made(kallsyms_module(kallsyms, symbol)) &&
		    add_symbol(table, kallsyms, symbol, end_behind(symbol->address)) < 0)
			return -1;
	}
	return 0;
}

/* Returns the index in of_modules of the first symbol of @module from @start on, or its place. */
static size_t find_of_module(const struct kallsyms *kallsyms, const char *module, uint64_t start)
{
	size_t low = 0, high = kallsyms->nr_of_modules;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct kallsyms_of_module *of = &kallsyms->of_modules[middle];
		int order = modname_compare(of->module, module);

		if (order < 0 || (order == 0 && of->symbol->address < start))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int add_of_module(const struct kallsyms *kallsyms, const char *module, uint64_t start,
			 uint64_t end, struct symtab *table)
{
	for (size_t i = find_of_module(kallsyms, module, start); i < kallsyms->nr_of_modules; i++) {
		const struct kallsyms_of_module *of = &kallsyms->of_modules[i];

		if (of->symbol->address >= end || modname_compare(of->module, module) != 0)
			break;
		if (add_symbol(table, kallsyms, of->symbol, UINT64_MAX) < 0)
			return -1;
	}
	return 0;
}

static int add_of_kernel(const struct kallsyms *kallsyms, uint64_t start, uint64_t end,
			 struct symtab *table)
{
	for (size_t i = 0; i < kallsyms->nr; i++) {
		const struct kallsyms_symbol *symbol = &kallsyms->symbols[i];

		if (symbol->address >= start && symbol->address < end && !symbol->module &&
		    add_symbol(table, kallsyms, symbol, UINT64_MAX) < 0)
			return -1;
	}
	return 0;
}

static void set_ends(struct symtab *table, uint64_t end)
{
	for (size_t i = 0; i < table->nr; i++)
		table->entries[i].end = end;
}

static void end_last(struct symtab *table)
{
	uint64_t last = 0;

	for (size_t i = 0; i < table->nr; i++)
		last = table->entries[i].start > last ? table->entries[i].start : last;
	set_ends(table, end_behind(last));
}

int kallsyms_read(const struct kallsyms *kallsyms, const char *module, uint64_t start, uint64_t end,
		  struct symtab *table)
{
	if (symtab_expect(table, module[0] ? 0 : kallsyms->nr) < 0)
		return -1;
	if ((module[0] ? add_of_module(kallsyms, module, start, end, table)
		       : add_of_kernel(kallsyms, start, end, table)) < 0)
		return -1;
	end_last(table);
	if (module[0] == '\0' && add_made(kallsyms, table) < 0)
		return -1;
	return symtab_build(table);
}

/* ---- only what is near some places ----------------------------------------------------------- */

/* The addresses of the first and the last symbol between two places. */
struct gap {
	uint64_t first, last;
};

/*
 * The symbols between places: gaps[i] has those behind place i - 1, up to and with place i. The
 * last one names place i, the first one ends what names place i - 1, and the others change nothing.
 */
struct nearness {
	const struct place_list *expected;
	uint64_t shift;
	struct gap *gaps;
};

static uint64_t place_at(const struct nearness *near, size_t number)
{
	return near->expected->places[number].address + near->shift;
}

static bool ascend(const struct nearness *near)
{
	for (size_t i = 1; i < near->expected->nr_places; i++)
		if (place_at(near, i - 1) > place_at(near, i))
			return false;
	return true;
}

/* Returns the gap that @address is in. @guess: that of the symbol before, which is mostly close. */
static size_t find_gap(const struct nearness *near, uint64_t address, size_t guess)
{
	enum { STEPS = 8 };
	size_t low = 0, high = near->expected->nr_places;

	if (guess == 0 || place_at(near, guess - 1) < address)
		for (low = guess; low < high && low < guess + STEPS; low++)
			if (place_at(near, low) >= address)
				return low;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (place_at(near, middle) < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the gap of @symbol; NULL if it is not the kernel's own. *@guess is as for find_gap(). */
static struct gap *gap_of(const struct nearness *near, const struct kallsyms_symbol *symbol,
			  size_t *guess)
{
	if (symbol->module || symbol->address == UINT64_MAX)
		return NULL;
	*guess = find_gap(near, symbol->address, *guess);
	return &near->gaps[*guess];
}

/* Finds the first and the last symbol of each gap. Returns the address of the last one of all. */
static uint64_t fill_gaps(const struct nearness *near, const struct kallsyms *kallsyms)
{
	uint64_t last = 0;
	size_t guess = 0;

	for (size_t i = 0; i <= near->expected->nr_places; i++)
		near->gaps[i] = (struct gap){.first = UINT64_MAX};
	for (size_t i = 0; i < kallsyms->nr; i++) {
		const uint64_t address = kallsyms->symbols[i].address;
		struct gap *gap = gap_of(near, &kallsyms->symbols[i], &guess);

		if (!gap)
			continue;
		gap->first = address < gap->first ? address : gap->first;
		gap->last = address > gap->last ? address : gap->last;
		last = address > last ? address : last;
	}
	return last;
}

static int add_near(const struct nearness *near, const struct kallsyms *kallsyms,
		    struct symtab *table)
{
	size_t guess = 0;

	for (size_t i = 0; i < kallsyms->nr; i++) {
		const struct kallsyms_symbol *symbol = &kallsyms->symbols[i];
		const struct gap *gap = gap_of(near, symbol, &guess);

		if (gap && (symbol->address == gap->first || symbol->address == gap->last) &&
		    add_symbol(table, kallsyms, symbol, UINT64_MAX) < 0)
			return -1;
	}
	return 0;
}

/* Returns -1 if memory is out. */
static int read_near(const struct nearness *near, const struct kallsyms *kallsyms,
		     struct symtab *table)
{
	const uint64_t last = fill_gaps(near, kallsyms);

	if (add_near(near, kallsyms, table) < 0)
		return -1;
	set_ends(table, end_behind(last));
	return add_made(kallsyms, table) < 0 ? -1 : symtab_build(table);
}

int kallsyms_read_kernel(const struct kallsyms *kallsyms, const struct place_list *expected,
			 uint64_t shift, struct symtab *table)
{
	struct nearness near = {.expected = expected, .shift = shift};
	int rc;

	/* Instructions lead to other places. */
	if (!expected || !place_list_wants_symbols_only(expected) || !ascend(&near))
		return kallsyms_read(kallsyms, "", 0, UINT64_MAX, table);
	near.gaps = malloc((expected->nr_places + 1) * sizeof(*near.gaps));
	if (!near.gaps)
		return -1;
	rc = read_near(&near, kallsyms, table);
	free(near.gaps);
	return rc;
}

void kallsyms_free(struct kallsyms *kallsyms)
{
	free(kallsyms->text);
	free(kallsyms->symbols);
	free(kallsyms->of_modules);
	*kallsyms = (struct kallsyms){0};
}
