#include "decode/symbol/elfsym.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static struct elfsym take_symbol(struct span *symbols, bool is_64bit, const struct span *names)
{
	struct elfsym sym = {.name = ""};
	struct span name = *names;
	uint32_t at = span_u32(symbols);

	if (is_64bit) {
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
	span_skip(&name, at);
	if (!name.failed)
		sym.name = span_cstr(&name, NULL);
	if (!sym.name)
		sym.name = "";
	return sym;
}

static size_t symbol_size(const struct elf_file *file)
{
	return file->is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

/* The string table of symbol table @section. */
static struct span names_of(const struct elf_file *file, size_t section)
{
	uint32_t link = file->sections[section].link;

	return elf_section_bytes(file, link < file->nr_sections ? link : 0);
}

bool elfsym_get(const struct elf_file *file, size_t section, uint64_t number, struct elfsym *out)
{
	struct span symbols, names;

	if (section == 0 || section >= file->nr_sections || number > UINT32_MAX)
		return false;
	symbols = elf_section_bytes(file, section);
	names = names_of(file, section);
	span_skip(&symbols, number * symbol_size(file));
	*out = take_symbol(&symbols, file->is_64bit, &names);
	return !symbols.failed;
}

int elfsym_list(const struct elf_file *file, size_t section, bool named, struct elfsym **list,
		size_t *nr)
{
	struct span symbols, names = span_make("", 0, file->swap);

	section = section < file->nr_sections ? section : 0;
	symbols = elf_section_bytes(file, section);
	if (named)
		names = names_of(file, section);
	*nr = span_left(&symbols) / symbol_size(file);
	*list = calloc(*nr + 1, sizeof(**list));
	if (!*list)
		return -1;
	for (size_t i = 0; i < *nr; i++)
		(*list)[i] = take_symbol(&symbols, file->is_64bit, &names);
	return 0;
}

/*
 * The marks between code and data that toolchains leave: "$x", "$d.3"; on RISC-V the architecture
 * may follow, as in "$xrv64i2p1".
 */
static bool is_mapping_symbol(const struct elf_file *file, const char *name)
{
	if (name[0] != '$' || !name[1])
		return false;
	if (file->machine == EM_RISCV)
		return strchr("dx", name[1]);
	if (file->machine != EM_ARM && file->machine != EM_AARCH64)
		return false;
	return strchr("adtx", name[1]) && (name[2] == '\0' || name[2] == '.');
}

/* True for what perf takes: functions, visible labels in text, objects amid the code. */
static bool names_code(const struct elf_file *file, const struct elfsym *sym)
{
	const struct elf_section *section;
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

static int add_symbol(const struct elf_file *file, const struct elfsym *sym, struct symtab *table)
{
	const struct elf_section *section = &file->sections[sym->section];
	struct symtab_entry entry = {
		.start = sym->value,
		.name = sym->name,
		.type = ELF64_ST_TYPE(sym->info),
		.binding = ELF64_ST_BIND(sym->info),
		.sizeless = sym->size == 0,
	};

	if (file->is_relocatable)
		entry.start += section->addr;
	/* Bit 0 marks Thumb code; it is no part of the address. */
	if (file->machine == EM_ARM && entry.type == STT_FUNC)
		entry.start &= ~(uint64_t)1;
	/* Without a size it may reach to the next symbol, but never out of its section. */
	if (entry.sizeless || __builtin_add_overflow(entry.start, sym->size, &entry.end))
		if (__builtin_add_overflow(section->addr, section->size, &entry.end))
			return 0;
	if (entry.end <= entry.start)
		return 0;
	return symtab_add(table, &entry);
}

int elfsym_read(const struct elf_file *file, enum elfsym_table which, struct symtab *table,
		size_t *nr_added)
{
	size_t before = table->nr;

	for (size_t i = 1; i < file->nr_sections; i++) {
		struct span symbols, names;

		if (file->sections[i].type != (uint32_t)which)
			continue;
		symbols = elf_section_bytes(file, i);
		names = names_of(file, i);
		while (span_holds(&symbols, 1, symbol_size(file))) {
			struct elfsym sym = take_symbol(&symbols, file->is_64bit, &names);

			if (names_code(file, &sym) && add_symbol(file, &sym, table) < 0)
				return -1;
		}
	}
	*nr_added = table->nr - before;
	return 0;
}

bool elfsym_address(const struct elf_file *file, const char *name, uint64_t *value)
{
	for (size_t i = 1; i < file->nr_sections; i++) {
		struct span symbols, names;

		if (file->sections[i].type != SHT_SYMTAB)
			continue;
		symbols = elf_section_bytes(file, i);
		names = names_of(file, i);
		while (span_holds(&symbols, 1, symbol_size(file))) {
			struct elfsym sym = take_symbol(&symbols, file->is_64bit, &names);

			if (strcmp(sym.name, name) == 0) {
				*value = sym.value;
				return true;
			}
		}
	}
	return false;
}
