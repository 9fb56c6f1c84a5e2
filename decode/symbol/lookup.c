#include "decode/symbol/lookup.h"

#include "decode/symbol/shownname.h"
#include "decode/symbol/sourceline.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/largemem.h"

#include <stdlib.h>

#define UNKNOWN(reason) [reason] = {"[unknown]", "", 0, reason, NULL, 0}

static const struct symbol unknown[REASON_NR] = {
	UNKNOWN(REASON_NONE),
	UNKNOWN(REASON_NO_MAPPING),
	UNKNOWN(REASON_NO_FILE),
	UNKNOWN(REASON_FILE_MISSING),
	UNKNOWN(REASON_FILE_UNREADABLE),
	UNKNOWN(REASON_FILE_TRUNCATED),
	UNKNOWN(REASON_FILE_REPLACED),
	UNKNOWN(REASON_FILE_CHANGED),
	UNKNOWN(REASON_FILE_EXCESSIVE),
	UNKNOWN(REASON_BUILD_ID_MISMATCH),
	UNKNOWN(REASON_NO_SYMBOLS),
	UNKNOWN(REASON_OUTSIDE_SYMBOLS),
	UNKNOWN(REASON_KERNEL_HIDDEN),
	UNKNOWN(REASON_KERNEL_OTHER),
	UNKNOWN(REASON_VDSO_OTHER),
	UNKNOWN(REASON_JIT_MAP_MISSING),
	UNKNOWN(REASON_JIT_MAP_REFUSED),
	UNKNOWN(REASON_GUEST),
	UNKNOWN(REASON_NO_LINES),
	UNKNOWN(REASON_OUTSIDE_LINES),
	UNKNOWN(REASON_NO_LINE),
};

const struct symbol *lookup_unknown(enum reason reason)
{
	return &unknown[reason];
}

/* As shown_name_keep() for a @name from DWARF. Many addresses share it; it is demangled once. */
static const char *show_name(struct binary *binary, const char *name, enum demangle style)
{
	uint64_t hash = hash_u64((uint64_t)(uintptr_t)name);
	size_t at = index_first(&binary->by_name, hash);
	const char *shown;
	uint32_t number;

	while (index_next(&binary->by_name, hash, &at, &number))
		if (binary->names[number].name == name)
			return binary->names[number].shown;
	shown = shown_name_keep(&binary->strings, name, style);
	if (!shown || !array_grow(binary->names, binary->names_room, binary->by_name.nr + 1))
		return NULL;
	binary->names[binary->by_name.nr] = (struct shown_name){name, shown};
	return index_add(&binary->by_name, hash) ? shown : NULL;
}

/* The symbol that covers an address, with its printed name. */
struct hit {
	const struct symtab_entry *entry;
	const struct range *range; /* addresses of which it is the answer */
	const char *name;
	bool is_stub; /* of the linker's */
};

/* Finds the symbol at @address; leaves @hit unchanged if none covers it. -1 if memory is out. */
static int find_in(struct binary *binary, struct named_symtab *symbols, uint64_t address,
		   enum demangle style, struct hit *hit)
{
	const struct range *range = symtab_find(&symbols->table, address, &symbols->cursor);
	const struct symtab_entry *best;
	size_t number;

	if (!range)
		return 0;
	if (!symbols->shown)
		symbols->shown = calloc(symbols->table.ranges.nr, sizeof(*symbols->shown));
	if (!symbols->shown)
		return -1;
	number = (size_t)(range - symbols->table.ranges.list);
	hit->entry = &symbols->table.entries[range->item];
	hit->range = range;
	if (!symbols->shown[number]) {
		best = symtab_best(&symbols->table, range, style != DEMANGLE_NONE);
		symbols->shown[number] =
			best ? shown_name_keep(&binary->strings, best->name, style) : NULL;
	}
	hit->name = symbols->shown[number];
	return hit->name ? 0 : -1;
}

/* Sets @hit to the stub or else the symbol at @address; all zero if there is none. */
static int find_symbol(struct binary *binary, uint64_t address, enum demangle style,
		       struct hit *hit)
{
	*hit = (struct hit){0};
	if (find_in(binary, &binary->stubs, address, style, hit) < 0)
		return -1;
	hit->is_stub = hit->name;
	return hit->is_stub ? 0 : find_in(binary, &binary->symbols, address, style, hit);
}

int lookup_name(struct binary *binary, uint64_t address, const struct symbol_settings *settings,
		const char **name, uint64_t *start)
{
	const enum demangle style = binary->as_written ? DEMANGLE_NONE : settings->demangle;
	struct hit hit;

	if (find_symbol(binary, address, style, &hit) < 0)
		return -1;
	*name = hit.name;
	*start = hit.name ? hit.entry->start : 0;
	return 0;
}

/*
 * A symbol without a size is assumed to extend to the next symbol. If DWARF has a function that
 * starts after the symbol and covers the address, that function is the right one.
 */
static bool is_doubtful(const struct hit *hit, const struct debug_function *function)
{
	return !hit->name || (hit->entry->sizeless && hit->entry->start < function->start);
}

static uint64_t hash_content(const struct symbol *symbol)
{
	uint64_t hash = hash_add((uint64_t)(uintptr_t)symbol->function,
				 (uint64_t)(uintptr_t)symbol->filename);

	hash = hash_add(hash, (uint64_t)(uintptr_t)symbol->inlined_into);
	return hash_u64(hash_add(hash_add(hash, symbol->line), symbol->size));
}

/*
 * Returns the stored symbol with this content, adding it if it is new. Strings are compared by
 * address: each binary stores equal strings once. NULL if memory is out.
 */
static const struct symbol *answer(struct binary *binary, const struct symbol *symbol)
{
	uint64_t hash = hash_content(symbol);
	size_t at = index_first(&binary->by_content, hash);
	struct symbol *kept;
	uint32_t number;

	while (index_next(&binary->by_content, hash, &at, &number)) {
		kept = binary->answers[number];
		if (kept->function == symbol->function && kept->filename == symbol->filename &&
		    kept->line == symbol->line && kept->inlined_into == symbol->inlined_into &&
		    kept->size == symbol->size)
			return kept;
	}
	if (!array_grow(binary->answers, binary->answers_room, binary->nr_answers + 1))
		return NULL;
	kept = malloc(sizeof(*kept));
	if (!kept)
		return NULL;
	*kept = *symbol;
	binary->answers[binary->nr_answers] = kept;
	if (!index_add(&binary->by_content, hash)) {
		free(kept);
		return NULL;
	}
	binary->nr_answers++;
	return kept;
}

/* Returns why a readable binary has no name for an address. */
static const struct symbol *uncovered(const struct binary *binary)
{
	bool has_any = binary->symbols.table.nr || binary->debuginfo;

	return lookup_unknown(has_any ? REASON_OUTSIDE_SYMBOLS : REASON_NO_SYMBOLS);
}

/*
 * Sets *@names to whether @symbol names the code at @address whatever DWARF has, see is_doubtful().
 * One with a size does. One without does if binary_is_one_function(): so the C library's trampoline
 * for signal handlers, and the dynamic linker's _start. -1 if memory is out.
 */
static int ask_symbol(struct binary *binary, const struct symtab_entry *symbol, uint64_t address,
		      bool *names)
{
	*names = true;
	return symbol->sizeless ? binary_is_one_function(binary, symbol->start, address, names) : 0;
}

/* What covers an address; name is NULL if nothing does. */
struct found {
	const char *name;
	uint64_t start;
	uint64_t size;			       /* bytes; 0 if unknown */
	const struct symtab_entry *entry;      /* NULL if there is no symbol */
	const struct range *range;	       /* of it; NULL if there may be others in it */
	const struct debug_function *function; /* NULL if DWARF has none at the address */
};

/* Sets *@function to DWARF's at @address if it is needed besides @hit; else to NULL. */
static int find_debug_function(struct binary *binary, uint64_t address,
			       const struct lookup_query *how, const struct hit *hit,
			       const struct debug_function **function)
{
	const bool inlined = how->settings->inlined;
	bool is_enough = false;

	*function = NULL;
	if (!how->with_source && !inlined && hit->name &&
	    ask_symbol(binary, hit->entry, address, &is_enough) < 0)
		return -1;
	if (is_enough)
		return 0;
	if (hit->is_stub) /* compilers do not know of it, but whether there is DWARF may be told */
		return symbol_settings_want_sources(how->settings)
			       ? binary_open_debuginfo(binary, inlined)
			       : 0;
	return binary_find_debug_function(binary, address, inlined, function);
}

static int find_function(struct binary *binary, uint64_t address, const struct lookup_query *how,
			 struct found *found)
{
	const enum demangle style = binary->as_written ? DEMANGLE_NONE : how->settings->demangle;
	const struct debug_function *function;
	struct hit hit;

	if (find_symbol(binary, address, style, &hit) < 0 ||
	    find_debug_function(binary, address, how, &hit, &function) < 0)
		return -1;
	*found = (struct found){.name = hit.name,
				.start = hit.name ? hit.entry->start : address,
				.size = hit.name ? symtab_size(hit.entry) : 0,
				.entry = hit.entry,
				.range = hit.name && !hit.entry->sizeless ? hit.range : NULL,
				.function = function};
	if (function && function->name[0] && is_doubtful(&hit, function)) {
		found->name = show_name(binary, function->name, style);
		found->start = function->start;
		found->size = 0;
		return found->name ? 0 : -1;
	}
	return 0;
}

/*
 * Handlers of signals return to the first byte of a trampoline that has called nothing, so that the
 * byte before it, where callers are looked up, is no function's: the C library's call frame
 * information of the trampoline begins there. Sets @found, which has no name, to the trampoline if
 * @address is that byte. -1 if memory is out.
 */
static int find_trampoline(struct binary *binary, uint64_t address, const struct lookup_query *how,
			   struct found *found)
{
	size_t cursor = binary->symbols.cursor;
	const struct range *next = symtab_find(&binary->symbols.table, address + 1, &cursor);
	bool is_signal;

	if (!next || next->start != address + 1)
		return 0;
	if (binary_is_signal(binary, address, &is_signal) < 0)
		return -1;
	if (!is_signal)
		return 0;
	if (find_function(binary, next->start, how, found) < 0)
		return -1;
	found->entry = NULL; /* it does not cover the address */
	found->range = NULL;
	return 0;
}

/* Returns the innermost function inlined at @address into the found one, which is @symbol. */
static const struct symbol *answer_inlined(struct binary *binary, uint64_t address,
					   const struct found *found,
					   const struct lookup_query *how,
					   const struct symbol *symbol)
{
	const struct debug_function *chain[DEBUGINFO_MAX_INLINED];
	size_t nr;

	if (debuginfo_find_inlined(binary->debuginfo, address, found->function, chain, &nr) < 0)
		return NULL;
	while (nr-- > 0 && symbol) {
		struct symbol inlined = {.filename = "", .inlined_into = symbol};

		if (!chain[nr]->name[0])
			continue;
		inlined.function = show_name(binary, chain[nr]->name, how->settings->demangle);
		if (!inlined.function)
			return NULL;
		if (how->with_source) {
			inlined.filename = chain[nr]->filename;
			inlined.line = chain[nr]->line;
		}
		symbol = answer(binary, &inlined);
	}
	return symbol;
}

/* Sets where the function is defined. -1 if memory is out. */
static int add_source(struct binary *binary, const struct found *found, struct symbol *symbol)
{
	struct source_line line;
	bool is_known = false;

	if (found->function) {
		symbol->filename = found->function->filename;
		symbol->line = found->function->line;
	}
	/* Go's DWARF has no lines before Go 1.22, and not all files since then. */
	if ((symbol->line == 0 || !symbol->filename[0]) && found->entry &&
	    found->start == found->entry->start &&
	    sourceline_of_symbol(binary, found->entry, &line, &is_known) < 0)
		return -1;
	if (is_known) {
		symbol->filename = line.filename;
		symbol->line = line.line;
	}
	return 0;
}

static const struct symbol *answer_found(struct binary *binary, uint64_t address,
					 const struct found *found, const struct lookup_query *how)
{
	struct symbol symbol = {.function = found->name, .filename = "", .size = found->size};
	const struct symbol *kept;

	if (!found->name)
		return uncovered(binary);
	if (how->with_source && add_source(binary, found, &symbol) < 0)
		return NULL;
	kept = answer(binary, &symbol);
	if (kept && found->function && how->settings->inlined)
		kept = answer_inlined(binary, address, found, how, kept);
	return kept;
}

/* Fills the address, offset and source line of @address. -1 if memory is out. */
static int fill_detail(struct binary *binary, uint64_t address, const struct found *found,
		       struct place_detail *detail)
{
	struct source_line line;
	bool has_line;

	/* A kernel address is printed as at run time, not as linked in vmlinux. */
	detail->address = binary->runtime ? address : address - binary->shift;
	detail->placed = true;
	detail->offset = found->name && address > found->start ? address - found->start : 0;
	if (found->entry && found->start == found->entry->start) {
		detail->code_start = detail->address - detail->offset;
		detail->code_end = detail->code_start + (found->entry->end - found->entry->start);
	}
	if (found->range) {
		detail->same_before = address - found->range->start;
		detail->same_after = found->range->end - address;
	}
	detail->reason = binary->debuginfo ? REASON_OUTSIDE_LINES : REASON_NO_LINES;
	if (sourceline_find(binary, address, &line, &has_line) < 0)
		return -1;
	if (has_line) {
		detail->filename = line.filename;
		detail->line = line.line;
		detail->reason = line.line ? REASON_NONE : REASON_NO_LINE;
	}
	return 0;
}

/* Sets *@address to the virtual address of @place. False if no segment has it. */
static bool address_of(const struct binary *binary, uint64_t place, uint64_t *address)
{
	*address = place + binary->shift;
	return !binary->runtime || elffile_offset_to_address(binary->runtime, place, address);
}

/* Sets place->is_named. -1 if memory is out. */
static int look_for_name(struct binary *binary, size_t *cursor, struct debug_place *place)
{
	const struct symtab *symbols = &binary->symbols.table;
	const struct range *range = symtab_find(symbols, place->address, cursor);

	place->is_named = false;
	return range ? ask_symbol(binary, &symbols->entries[range->item], place->address,
				  &place->is_named)
		     : 0;
}

/*
 * Sets *@places to those of @list, from place @first on, that DWARF is asked for, and *@nr to how
 * many there are; NULL and 0 if there are none. Returns 1; 0 if there is one and no part of the
 * DWARF can be opened; -1 if memory is out. The caller frees *@places in any case.
 */
static int collect_places(struct binary *binary, const struct place_list *list, size_t first,
			  bool with_source, struct debug_place **places, size_t *nr)
{
	const size_t most_bytes = (list->nr_places - first) * sizeof(**places);
	size_t in_stubs = 0, in_symbols = 0;
	struct debug_place place = {0};

	*places = NULL;
	*nr = 0;
	for (size_t i = first; i < list->nr_places; i++) {
		if (list->places[i].symbol ||
		    !address_of(binary, list->places[i].address, &place.address) ||
		    symtab_find(&binary->stubs.table, place.address, &in_stubs))
			continue;
		if (look_for_name(binary, &in_symbols, &place) < 0)
			return -1;
		if (!with_source && place.is_named)
			continue;
		if (*nr == 0 && !binary_has_debug_part(binary))
			return 0;
		if (*nr == 0)
			*places = largemem_get_all(most_bytes, most_bytes);
		if (!*places)
			return -1;
		(*places)[(*nr)++] = place;
	}
	return 1;
}

int lookup_expect(struct binary *binary, const struct place_list *list, size_t first,
		  const struct lookup_query *how)
{
	struct debug_place *places;
	size_t nr;
	int rc;

	/* Of another list with the same file: places of this one may be in other units. */
	binary_close_debug_part(binary);
	if (binary->reason != REASON_NONE || binary->tried_debuginfo || how->settings->inlined ||
	    !place_list_wants_symbols_only(list))
		return 0;
	rc = collect_places(binary, list, first, how->with_source, &places, &nr);
	if (rc > 0 && nr)
		rc = binary_open_debug_part(binary, places, nr) < 0 ? -1
								    : binary->debuginfo != NULL;
	free(places);
	return rc;
}

/* The first address after @address for which @symbols may have another answer. *@covers: one of
 * them is at @address, which was looked up last. */
static uint64_t same_end(const struct named_symtab *symbols, uint64_t address, bool *covers)
{
	const struct ranges *ranges = &symbols->table.ranges;
	const size_t at = symbols->cursor;

	*covers = at < ranges->nr && address >= ranges->list[at].start &&
		  address < ranges->list[at].end;
	return ranges_same_end(ranges, address, at);
}

/* As far as symbols tell: without DWARF, all addresses of a symbol or between two have one answer.
 */
static void set_same(const struct binary *binary, uint64_t address, const struct found *found,
		     const struct symbol *symbol, struct lookup_same *same)
{
	uint64_t end, end_of_symbol;
	bool is_stub, is_covered;

	*same = (struct lookup_same){0};
	if (!symbol || binary->debuginfo)
		return;
	/* The symbol was enough here. Past the end of its function, DWARF would be asked. */
	if (found->entry && found->entry->sizeless && binary->cfi && !binary->tried_debuginfo)
		return;
	end = same_end(&binary->stubs, address, &is_stub);
	if (!is_stub) { /* else other symbols were not looked at */
		end_of_symbol = same_end(&binary->symbols, address, &is_covered);
		end = end_of_symbol < end ? end_of_symbol : end;
	}
	end -= !found->name; /* a trampoline's name may begin a byte early */
	*same = (struct lookup_same){address, end, symbol};
}

/* Whether *@symbol was set to what the lookup before has for @address, too. */
static inline bool is_same(const struct lookup_query *how, uint64_t address,
			   const struct symbol **symbol)
{
	const struct lookup_same *same = how->same;

	if (!same || how->detail || address < same->start || address >= same->end)
		return false;
	*symbol = same->symbol;
	return true;
}

const struct symbol *lookup_place(struct binary *binary, uint64_t place,
				  const struct lookup_query *how)
{
	const struct symbol *symbol;
	struct found found;
	uint64_t address;

	if (how->detail) {
		how->detail->address = place;
		how->detail->filename = "";
		how->detail->instruction = how->detail->code_lack = "";
		how->detail->reason = binary->reason;
	}
	if (binary->reason != REASON_NONE)
		return lookup_unknown(binary->reason);
	if (!address_of(binary, place, &address)) {
		if (binary_open_debuginfo(binary, how->settings->inlined) < 0)
			return NULL;
		if (how->detail)
			how->detail->reason = uncovered(binary)->reason;
		return uncovered(binary);
	}
	if (is_same(how, address, &symbol))
		return symbol;
	if (find_function(binary, address, how, &found) < 0 ||
	    (!found.name && find_trampoline(binary, address, how, &found) < 0) ||
	    (how->detail && fill_detail(binary, address, &found, how->detail) < 0))
		return NULL;
	if (how->start)
		*how->start = found.start;
	symbol = answer_found(binary, address, &found, how);
	if (how->same)
		set_same(binary, address, &found, symbol, how->same);
	return symbol;
}
