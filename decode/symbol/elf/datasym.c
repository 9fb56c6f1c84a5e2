#include "decode/symbol/elf/datasym.h"

#include "decode/symbol/elf/elfsym.h"

#include <elf.h>

static bool names_data(const struct elffile *file, const struct elfsym *sym)
{
	const struct elffile_section *section;

	if (sym->name[0] == '\0' || sym->section == SHN_UNDEF || sym->section >= file->nr_sections)
		return false;
	section = &file->sections[sym->section];
	return ELF64_ST_TYPE(sym->info) == STT_OBJECT && sym->size > 0 &&
	       (section->flags & SHF_ALLOC) && !section->unplaced;
}

/* Adds the variables of the symbol table of type @which. Returns -1 if memory is out, else 0. */
static int add_table(const struct elffile *file, enum elfsym_table which, struct symtab *table)
{
	const struct elfsyms symbols = elfsyms_of(file, elfsym_section(file, which));
	struct elfsym sym;

	for (uint64_t i = 0; elfsym_get(&symbols, i, &sym); i++) {
		struct symtab_entry entry = {
			.start = sym.value,
			.name = sym.name,
			.type = STT_OBJECT,
			.binding = ELF64_ST_BIND(sym.info),
		};

		if (!names_data(file, &sym))
			continue;
		if (file->is_relocatable)
			entry.start += file->sections[sym.section].addr;
		if (!__builtin_add_overflow(entry.start, sym.size, &entry.end) &&
		    symtab_add(table, &entry) < 0)
			return -1;
	}
	return 0;
}

int datasym_read(const struct elffile *file, struct symtab *table)
{
	if (add_table(file, ELFSYM_SYMTAB, table) < 0)
		return -1;
	if (table->nr == 0 && add_table(file, ELFSYM_DYNSYM, table) < 0)
		return -1;
	return symtab_build(table);
}

int datasym_find(struct symtab *table, uint64_t address, struct data_symbol *found)
{
	const struct symtab_entry *entry;
	const struct range *range;
	size_t cursor = 0;

	range = symtab_find(table, address, &cursor);
	if (!range)
		return 0;
	entry = symtab_best(table, range, true);
	if (!entry)
		return -1;
	*found = (struct data_symbol){
		.name = entry->name,
		.start = entry->start,
		.size = symtab_size(entry),
		.offset = address - entry->start,
	};
	return 1;
}
