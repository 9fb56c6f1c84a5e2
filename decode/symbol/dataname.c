#include "decode/symbol/dataname.h"

#include "decode/symbol/elf/datasym.h"
#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/lookup.h"
#include "decode/symbol/shownname.h"

#include <stdlib.h>

/*
 * Finds where a mapping that starts at byte @pgoff of the file was linked: a segment is mapped from
 * the start of its page on. Of segments that share a page, that with code or that without is meant.
 */
static bool find_linked(const struct elffile *file, const struct data_name *of, uint64_t page_size,
			uint64_t *address)
{
	const struct elffile_segment *found = NULL;

	for (size_t i = 0; i < file->nr_segments; i++) {
		const struct elffile_segment *segment = &file->segments[i];

		if (of->pgoff < (segment->offset & ~(page_size - 1)) ||
		    of->pgoff >= segment->offset + segment->size)
			continue;
		if (!found ||
		    (segment->executable == of->is_code && found->executable != of->is_code))
			found = segment;
	}
	if (!found)
		return false;
	*address = found->addr - found->offset + of->pgoff;
	return true;
}

/* The virtual address of a place; false if no segment tells. */
static bool find_address(const struct elffile *file, const struct data_name *of, uint64_t *address)
{
	if (!find_linked(file, of, 0x1000, address) && !find_linked(file, of, 0x10000, address))
		return false;
	*address += of->distance;
	return true;
}

/* Whether a program that is loaded has @address: in memory, a segment can be longer than in the
 * file, and other memory may begin right behind it. */
static bool has_address(const struct elffile *file, uint64_t address)
{
	for (size_t i = 0; i < file->nr_segments; i++)
		if (address - file->segments[i].addr < file->segments[i].memory)
			return true;
	return false;
}

/* Sets *@name to the variable at @address, or to the function, as code can be read, too; leaves it
 * NULL if there is neither. -1 if memory is out. */
static int find_symbol(struct binary *binary, struct symtab *table, uint64_t address,
		       const struct symbol_settings *settings, const char **name)
{
	struct data_symbol found;
	uint64_t start;
	int rc = datasym_find(table, address, &found);

	if (rc < 0)
		return -1;
	if (rc == 0)
		return lookup_name(binary, address, settings, name, &start);
	*name = shown_name_keep(&binary->strings, found.name, settings->demangle);
	return *name ? 0 : -1;
}

static int find_name(struct binary *binary, struct symtab *table, struct data_name *name,
		     const struct symbol_settings *settings)
{
	const bool any = table->nr || binary->symbols.table.nr;
	uint64_t address;

	name->reason = any ? REASON_OUTSIDE_SYMBOLS : REASON_NO_SYMBOLS;
	if (!find_address(binary->runtime, name, &address))
		return 0;
	name->is_of_file = has_address(binary->runtime, address);
	if (!name->is_of_file)
		return 0;
	if (find_symbol(binary, table, address, settings, &name->name) < 0)
		return -1;
	if (name->name)
		name->reason = REASON_NONE;
	return 0;
}

/* Reads the variables of the file that ran; if it was stripped, also those of its debug file. */
static int read_table(const struct binary *binary, struct symtab *table)
{
	if (datasym_read(binary->runtime, table) < 0)
		return -1;
	if (!binary->debug || elfsym_section(binary->runtime, ELFSYM_SYMTAB))
		return 0;
	symtab_free(table);
	return datasym_read(binary->debug, table);
}

int data_names_find(struct binary *binary, struct data_name *names, size_t nr,
		    const struct symbol_settings *settings)
{
	struct symtab table = {0};
	int rc = 0;

	if (binary->reason == REASON_NONE && binary->runtime)
		rc = read_table(binary, &table);
	for (size_t i = 0; i < nr && rc == 0; i++) {
		names[i].reason = binary->reason;
		if (binary->reason == REASON_NONE)
			rc = binary->runtime ? find_name(binary, &table, &names[i], settings) : 0;
	}
	symtab_free(&table);
	return rc;
}
