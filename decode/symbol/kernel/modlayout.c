#include "decode/symbol/kernel/modlayout.h"

#include "decode/symbol/elf/elfsym.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* ---- as the kernel does it ------------------------------------------------------------------- */

static bool is_lasting_code(const struct elffile_section *section)
{
	const uint64_t code = SHF_ALLOC | SHF_EXECINSTR;

	return (section->flags & code) == code && strncmp(section->name, ".init", 5) != 0;
}

/* Places @section at address *@at, aligned, and sets *@at to its end. False if it does not fit. */
static bool place_at(struct elffile_section *section, uint64_t *at)
{
	const uint64_t align = section->align > 1 ? section->align : 1;
	uint64_t start, end;

	if (align > UINT32_MAX || section->size > UINT32_MAX ||
	    __builtin_add_overflow(*at, align - 1, &start) ||
	    __builtin_add_overflow(start -= start % align, section->size, &end))
		return false;
	section->addr = start;
	*at = end;
	return true;
}

void modlayout_compute(struct elffile *file, uint64_t start)
{
	uint64_t at = start;

	for (size_t i = 1; i < file->nr_sections; i++) {
		struct elffile_section *section = &file->sections[i];

		if (section->flags & SHF_ALLOC)
			section->unplaced = !is_lasting_code(section) || !place_at(section, &at);
	}
}

/* ---- as its symbols tell --------------------------------------------------------------------- */

static int by_name(const void *left, const void *right)
{
	const struct symtab_entry *a = *(const struct symtab_entry *const *)left;
	const struct symtab_entry *b = *(const struct symtab_entry *const *)right;

	return strcmp(a->name, b->name);
}

/* Returns the known symbols sorted by name, owned by the caller. NULL if memory is out. */
static const struct symtab_entry **sort_known(const struct symtab *known)
{
	const struct symtab_entry **sorted = malloc((known->nr + 1) * sizeof(*sorted));

	for (size_t i = 0; sorted && i < known->nr; i++)
		sorted[i] = &known->entries[i];
	if (sorted)
		qsort(sorted, known->nr, sizeof(*sorted), by_name);
	return sorted;
}

/* Returns the symbol named @name among the @nr sorted ones; NULL if there are none or several. */
static const struct symtab_entry *find_known(const struct symtab_entry *const *sorted, size_t nr,
					     const char *name)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(sorted[mid]->name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == nr || strcmp(sorted[low]->name, name) != 0 ||
	    (low + 1 < nr && strcmp(sorted[low + 1]->name, name) == 0))
		return NULL;
	return sorted[low];
}

/* The address of a section according to the symbols seen so far. */
struct evidence {
	bool any, contradicts;
	uint64_t addr;
};

/* Collects evidence from the symbols of section @number of @file. -1 if memory is out. */
static int weigh(const struct elffile *file, size_t number,
		 const struct symtab_entry *const *sorted, size_t nr_sorted,
		 struct evidence *evidence)
{
	struct elfsym *symbols;
	size_t nr;

	if (elfsym_list(file, number, &symbols, &nr) < 0)
		return -1;
	for (size_t i = 1; i < nr; i++) {
		size_t section = symbols[i].section < file->nr_sections ? symbols[i].section : 0;
		const struct symtab_entry *known;
		struct evidence *of = &evidence[section];
		uint64_t addr;

		if (!section || !is_lasting_code(&file->sections[section]) ||
		    !(known = find_known(sorted, nr_sorted, symbols[i].name)))
			continue;
		addr = known->start - symbols[i].value;
		of->contradicts |= of->any && of->addr != addr;
		of->any = true;
		of->addr = addr;
	}
	free(symbols);
	return 0;
}

int modlayout_learn(struct elffile *file, const struct symtab *known)
{
	const struct symtab_entry **sorted = sort_known(known);
	struct evidence *evidence = calloc(file->nr_sections + 1, sizeof(*evidence));
	int rc = sorted && evidence ? 0 : -1;

	for (size_t i = 1; i < file->nr_sections && rc == 0; i++)
		if (file->sections[i].type == SHT_SYMTAB)
			rc = weigh(file, i, sorted, known->nr, evidence);
	for (size_t i = 1; i < file->nr_sections && rc == 0; i++) {
		if (!(file->sections[i].flags & SHF_ALLOC))
			continue;
		file->sections[i].addr = evidence[i].addr;
		file->sections[i].unplaced = !evidence[i].any || evidence[i].contradicts;
	}
	free(sorted);
	free(evidence);
	return rc;
}
