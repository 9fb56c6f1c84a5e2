#include "decode/symbol/elf/elfsym.h"

#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/elf/strtab.h"
#include "util/prefetch.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 32 };

static struct elfsym take_symbol(struct elfsyms *table)
{
	struct span *symbols = &table->symbols;
	struct elfsym sym = {0};

	sym.name = strtab_at(&table->names, span_u32(symbols));
	if (!sym.name)
		sym.name = "";
	if (table->is_64bit) {
		sym.info = span_u8(symbols);
		sym.other = span_u8(symbols);
		sym.section = span_u16(symbols);
		sym.value = span_u64(symbols);
		sym.size = span_u64(symbols);
	} else {
		sym.value = span_u32(symbols);
		sym.size = span_u32(symbols);
		sym.info = span_u8(symbols);
		sym.other = span_u8(symbols);
		sym.section = span_u16(symbols);
	}
	return sym;
}

static size_t symbol_size(const struct elfsyms *table)
{
	return table->is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

struct elfsyms elfsyms_of(const struct elffile *file, size_t section)
{
	const bool is_there = section < file->nr_sections;
	const uint32_t link = is_there ? file->sections[section].link : 0;

	return (struct elfsyms){
		.symbols = elfsection_bytes(file, is_there ? section : 0),
		.names = strtab_make(elfsection_bytes(file, link < file->nr_sections ? link : 0)),
		.is_64bit = file->is_64bit,
	};
}

size_t elfsym_section(const struct elffile *file, enum elfsym_table which)
{
	for (size_t i = 1; i < file->nr_sections; i++)
		if (file->sections[i].type == (uint32_t)which)
			return i;
	return 0;
}

bool elfsym_get(const struct elfsyms *table, uint64_t number, struct elfsym *out)
{
	struct elfsyms rest = *table;

	if (number > UINT32_MAX)
		return false;
	span_skip(&rest.symbols, number * symbol_size(table));
	*out = take_symbol(&rest);
	return !rest.symbols.failed;
}

int elfsym_list(const struct elffile *file, size_t section, struct elfsym **list, size_t *nr)
{
	struct elfsyms table = elfsyms_of(file, section);

	*nr = span_left(&table.symbols) / symbol_size(&table);
	*list = calloc(*nr + 1, sizeof(**list));
	if (!*list)
		return -1;
	for (size_t i = 0; i < *nr; i++)
		(*list)[i] = take_symbol(&table);
	return 0;
}

/*
 * True for a mapping symbol, by which toolchains mark code and data: "$x", "$d.3"; on RISC-V the
 * architecture may follow, as in "$xrv64i2p1".
 */
static bool is_mapping_symbol(const struct elffile *file, const char *name)
{
	if (name[0] != '$' || !name[1])
		return false;
	if (file->machine == EM_RISCV)
		return strchr("dx", name[1]);
	if (file->machine != EM_ARM && file->machine != EM_AARCH64)
		return false;
	return strchr("adtx", name[1]) && (name[2] == '\0' || name[2] == '.');
}

/* True if perf takes @sym: functions, visible labels in text, objects in executable sections. */
static bool names_code(const struct elffile *file, const struct elfsym *sym)
{
	const struct elffile_section *section;
	unsigned visibility = ELF64_ST_VISIBILITY(sym->other);

	if (sym->name[0] == '\0' || sym->section == SHN_UNDEF ||
	    sym->section >= file->nr_sections || is_mapping_symbol(file, sym->name))
		return false;
	section = &file->sections[sym->section];
	if (!(section->flags & SHF_ALLOC) || section->unplaced)
		return false;
	switch (ELF64_ST_TYPE(sym->info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_OBJECT:
		return section->flags & SHF_EXECINSTR;
	case STT_NOTYPE:
		return visibility != STV_HIDDEN && visibility != STV_INTERNAL &&
		       (section->flags & SHF_EXECINSTR) && strstr(section->name, "text");
	default:
		return false;
	}
}

static int add_symbol(const struct elffile *file, const struct elfsym *sym, struct symtab *table)
{
	const struct elffile_section *section = &file->sections[sym->section];
	struct symtab_entry entry = {
		.start = sym->value,
		.name = sym->name,
		.type = ELF64_ST_TYPE(sym->info),
		.binding = ELF64_ST_BIND(sym->info),
		.sizeless = sym->size == 0,
	};

	if (file->is_relocatable)
		entry.start += section->addr;
	/* Bit 0 marks Thumb code; it is not part of the address. */
	if (file->machine == EM_ARM && entry.type == STT_FUNC)
		entry.start &= ~(uint64_t)1;
	/* Without a size it may reach to the next symbol, but not past the end of its section. */
	if (entry.sizeless || __builtin_add_overflow(entry.start, sym->size, &entry.end))
		if (__builtin_add_overflow(section->addr, section->size, &entry.end))
			return 0;
	if (entry.end <= entry.start)
		return 0;
	return symtab_add(table, &entry);
}

/*
 * Takes the next symbols, at most AT_ONCE. Their names are anywhere, so all are fetched into the
 * cache before one is read. Returns how many there were.
 */
static size_t take_symbols(struct elfsyms *table, struct elfsym *symbols)
{
	size_t nr = 0;

	while (nr < AT_ONCE && span_holds(&table->symbols, 1, symbol_size(table))) {
		symbols[nr] = take_symbol(table);
		prefetch_read(symbols[nr++].name);
	}
	return nr;
}

int elfsym_read(const struct elffile *file, enum elfsym_table which, struct symtab *table,
		size_t *nr_added)
{
	struct elfsyms all = elfsyms_of(file, elfsym_section(file, which));
	const size_t before = table->nr;
	struct elfsym symbols[AT_ONCE];
	size_t nr;

	if (symtab_expect(table, span_left(&all.symbols) / symbol_size(&all)) < 0)
		return -1;
	while ((nr = take_symbols(&all, symbols)) > 0)
		for (size_t i = 0; i < nr; i++)
			if (names_code(file, &symbols[i]) &&
			    add_symbol(file, &symbols[i], table) < 0)
				return -1;
	*nr_added = table->nr - before;
	return 0;
}

bool elfsym_address(const struct elffile *file, const char *name, uint64_t *value)
{
	struct elfsyms symbols = elfsyms_of(file, elfsym_section(file, ELFSYM_SYMTAB));

	while (span_holds(&symbols.symbols, 1, symbol_size(&symbols))) {
		struct elfsym sym = take_symbol(&symbols);

		if (strcmp(sym.name, name) == 0) {
			*value = sym.value;
			return true;
		}
	}
	return false;
}
