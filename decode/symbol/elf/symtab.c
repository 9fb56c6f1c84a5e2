#include "decode/symbol/elf/symtab.h"

#include "decode/symbol/demangle.h"
#include "util/array.h"
#include "util/keysort.h"
#include "util/largemem.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Most aliases that are compared at one address; only a damaged file has more. */
enum { MAX_ALIASES = 1024 };

int symtab_expect(struct symtab *table, size_t nr)
{
	return largemem_array(table->entries, table->room, nr) ? 0 : -1;
}

int symtab_add(struct symtab *table, const struct symtab_entry *entry)
{
	if (table->nr >= UINT32_MAX || !array_grow(table->entries, table->room, table->nr + 1))
		return -1;
	table->entries[table->nr] = *entry;
	table->entries[table->nr].order = (uint32_t)table->nr;
	table->has_local |= entry->type == STT_FUNC && entry->binding == STB_LOCAL;
	table->nr++;
	return 0;
}

/* By start, then the widest first, as ranges_build() sorts, then in the order of adding. */
static int by_start(const void *left, const void *right)
{
	const struct symtab_entry *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool starts_ascend(const struct symtab *table)
{
	for (size_t i = 1; i < table->nr; i++)
		if (table->entries[i - 1].start > table->entries[i].start)
			return false;
	return true;
}

/* Sorts by start alone; large tables have hundreds of thousands of entries. -1 if memory is out. */
static int sort_by_start(struct symtab *table)
{
	const size_t order_bytes = 2 * table->nr * sizeof(struct keyed);
	const size_t sorted_bytes = table->nr * sizeof(struct symtab_entry);
	struct keyed *order = largemem_get_all(order_bytes, order_bytes);
	struct symtab_entry *sorted = largemem_get_all(sorted_bytes, sorted_bytes);

	if (!order || !sorted) {
		free(order);
		free(sorted);
		return -1;
	}
	for (size_t i = 0; i < table->nr; i++)
		order[i] = (struct keyed){table->entries[i].start, i};
	keysort(order, order + table->nr, table->nr);
	for (size_t i = 0; i < table->nr; i++)
		sorted[i] = table->entries[order[i].value];
	free(order);
	free(table->entries);
	table->entries = sorted;
	table->room = table->nr;
	return 0;
}

/* Sorts those that share their start. */
static void sort_aliases(struct symtab *table)
{
	struct symtab_entry *entries = table->entries;

	for (size_t first = 0, end; first < table->nr; first = end) {
		bool is_sorted = true;

		for (end = first + 1; end < table->nr && entries[end].start == entries[first].start;
		     end++)
			is_sorted &= by_start(&entries[end - 1], &entries[end]) < 0;
		if (!is_sorted)
			qsort(&entries[first], end - first, sizeof(*entries), by_start);
	}
}

/* As by_start() orders. -1 if memory is out. */
static int sort(struct symtab *table)
{
	if (!starts_ascend(table) && sort_by_start(table) < 0)
		return -1;
	sort_aliases(table);
	return 0;
}

/* Returns the number of entries from @first on with its start. *@sized: whether one has a size. */
static size_t count_aliases(const struct symtab *table, size_t first, bool *sized)
{
	size_t end = first;

	*sized = false;
	for (; end < table->nr && table->entries[end].start == table->entries[first].start; end++)
		*sized |= !table->entries[end].sizeless;
	return end - first;
}

/*
 * Ends every symbol without a size at the next start. Drops such a symbol if it shares its start
 * with one that has a size, or with a later one without: perf shows that one, since it ends only
 * the last of such aliases and prefers symbols with a size. Also drops labels inside a function,
 * which would cut it in two.
 */
static void settle_ends(struct symtab *table)
{
	uint64_t covered = 0; /* the end of the symbols with a size so far */
	size_t kept = 0;
	bool sized;

	for (size_t first = 0, nr; first < table->nr; first += nr) {
		uint64_t start = table->entries[first].start;

		nr = count_aliases(table, first, &sized);
		for (size_t i = first; i < first + nr; i++) {
			struct symtab_entry entry = table->entries[i];

			if (!entry.sizeless) {
				covered = entry.end > covered ? entry.end : covered;
			} else {
				if (sized || i + 1 < first + nr ||
				    (entry.type == STT_NOTYPE && start < covered))
					continue;
				if (first + nr < table->nr &&
				    table->entries[first + nr].start < entry.end)
					entry.end = table->entries[first + nr].start;
			}
			table->entries[kept++] = entry;
		}
	}
	table->nr = kept;
}

int symtab_build(struct symtab *table)
{
	if (sort(table) < 0)
		return -1;
	settle_ends(table);
	sort_aliases(table);
	if (!largemem_array(table->ranges.list, table->ranges.room, table->nr))
		return -1;
	for (size_t i = 0; i < table->nr; i++)
		if (ranges_add(&table->ranges, table->entries[i].start, table->entries[i].end,
			       (uint32_t)i) < 0)
			return -1;
	return ranges_build(&table->ranges);
}

const struct range *symtab_find(const struct symtab *table, uint64_t address, size_t *cursor)
{
	return ranges_find(&table->ranges, address, cursor);
}

static size_t count_underscores(const char *name)
{
	return strspn(name, "_");
}

/* True for perf's names of system call wrappers in old kernels. */
static bool is_syscall_alias(const char *name)
{
	return strncmp(name, "SyS", 3) == 0 || strncmp(name, "compat_SyS", 10) == 0;
}

/*
 * True if name @b is better than @a: fewer leading underscores, then longer, then not a system call
 * wrapper. @a comes first in the symbol table and wins ties.
 */
static bool is_better_name(const char *a, const char *b)
{
	size_t len_a = count_underscores(a), len_b = count_underscores(b);

	if (len_a != len_b)
		return len_b < len_a;
	len_a = strlen(a);
	len_b = strlen(b);
	if (len_a != len_b)
		return len_b > len_a;
	return is_syscall_alias(a) && !is_syscall_alias(b);
}

/*
 * True if perf shows @b rather than @a, which comes first in the symbol table. @plainly: compares
 * demangled names.
 */
static bool is_better(const struct symtab_entry *a, const struct symtab_entry *b, bool plainly)
{
	char *plain_a, *plain_b;
	bool better;

	if (a->type != b->type && (a->type == STT_NOTYPE || b->type == STT_NOTYPE))
		return a->type == STT_NOTYPE;
	if ((a->binding == STB_WEAK) != (b->binding == STB_WEAK))
		return a->binding == STB_WEAK;
	if ((a->binding == STB_GLOBAL) != (b->binding == STB_GLOBAL))
		return b->binding == STB_GLOBAL;
	if (!plainly)
		return is_better_name(a->name, b->name);
	plain_a = demangle(a->name, DEMANGLE_SHORT);
	plain_b = demangle(b->name, DEMANGLE_SHORT);
	better = is_better_name(plain_a ? plain_a : a->name, plain_b ? plain_b : b->name);
	free(plain_a);
	free(plain_b);
	return better;
}

/* Returns the better of @a and @b, in whichever order they were added; either may be NULL. */
static const struct symtab_entry *better(const struct symtab_entry *a, const struct symtab_entry *b,
					 bool plainly)
{
	if (!a || !b)
		return a ? a : b;
	if (a->order < b->order)
		return is_better(a, b, plainly) ? b : a;
	return is_better(b, a, plainly) ? a : b;
}

/*
 * Entries with the same start are sorted widest first, so all of them up to entry i cover the
 * ranges of i. best[i] is the number + 1 of the best one up to and including i; 0: not computed
 * yet.
 */
const struct symtab_entry *symtab_best(struct symtab *table, const struct range *range,
				       bool plainly)
{
	const struct symtab_entry *entries = table->entries, *best;
	size_t i = range->item;

	if (i == 0 || entries[i - 1].start != entries[i].start)
		return &entries[i];
	if (!table->best)
		table->best = calloc(table->nr, sizeof(*table->best));
	if (!table->best)
		return NULL;
	if (table->best_plainly != plainly)
		memset(table->best, 0, table->nr * sizeof(*table->best));
	table->best_plainly = plainly;
	while (i && !table->best[i] && entries[i - 1].start == entries[i].start)
		i--;
	best = table->best[i] ? &entries[table->best[i] - 1] : &entries[i];
	for (; i < range->item; i++) {
		table->best[i] = (uint32_t)(best - entries) + 1;
		best = better(best, &entries[i + 1], plainly);
	}
	table->best[i] = (uint32_t)(best - entries) + 1;
	return best;
}

const struct symtab_entry *symtab_resolved_at(const struct symtab *table, uint64_t address)
{
	const struct symtab_entry *entries = table->entries, *best = NULL;
	const struct range *range;
	size_t cursor = 0, end;

	range = symtab_find(table, address, &cursor);
	if (!range)
		return NULL;
	end = range->item > MAX_ALIASES ? range->item - MAX_ALIASES : 0;
	for (size_t i = (size_t)range->item + 1; i-- > end && entries[i].start == address;)
		if (entries[i].type == STT_GNU_IFUNC)
			best = better(best, &entries[i], false);
	return best;
}

void symtab_free(struct symtab *table)
{
	free(table->entries);
	free(table->best);
	ranges_free(&table->ranges);
	*table = (struct symtab){0};
}
