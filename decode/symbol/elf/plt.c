#include "decode/symbol/elf/plt.h"

#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/elf/stubcode.h"
#include "util/array.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A slot of the global offset table that the dynamic linker fills with a function's address. */
struct slot {
	uint64_t address;
	uint64_t target; /* of an IRELATIVE slot: the resolver's address */
	uint32_t symbol; /* number in the dynamic symbol table; 0 if it has none */
};

/* Those at addresses in [first, last]. */
struct slots {
	struct slot *list;
	size_t nr, room;
	uint64_t first, last;
};

/* The state of plt_read() for one file. */
struct plt {
	const struct elffile *file;
	struct elfsyms dynsym;	      /* of the file */
	uint64_t got_address;	      /* of the global offset table; 0 if unknown */
	struct slots slots;	      /* of .rel[a].plt, in the file's order */
	const struct symtab *symbols; /* of the file */
	struct symtab *stubs;	      /* output */
	struct intern *strings;
};

static uint64_t take_word(const struct elffile *file, struct span *bytes)
{
	return file->is_64bit ? span_u64(bytes) : span_u32(bytes);
}

/* Returns the value of the last dynamic entry @wanted of the file, 0 if there is none. */
static uint64_t dynamic_value(const struct elffile *file, uint64_t wanted)
{
	struct span entries = elfsection_bytes(file, elffile_section_named(file, ".dynamic"));
	uint64_t found = 0, tag = ~(uint64_t)DT_NULL;

	while (tag != DT_NULL && span_holds(&entries, 2, file->is_64bit ? 8 : 4)) {
		uint64_t value;

		tag = take_word(file, &entries);
		value = take_word(file, &entries);
		found = tag == wanted ? value : found;
	}
	return found;
}

/*
 * Skips those @relocations of @section, at its start, which have no symbol: a large library has
 * hundreds of thousands. The linker has counted them for the dynamic linker (DT_RELACOUNT), which
 * trusts it, too.
 */
static void skip_relative(const struct elffile *file, size_t section, struct span *relocations)
{
	const uint64_t count = dynamic_value(file, DT_RELACOUNT);
	const size_t size = file->is_64bit ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);

	if (dynamic_value(file, DT_RELA) == file->sections[section].addr &&
	    span_holds(relocations, count, size))
		span_skip(relocations, count * size);
}

/* Returns what the file has in the slot of a relocation without addend: that is its addend. */
static uint64_t word_at(const struct elffile *file, uint64_t address)
{
	struct span bytes = elffile_bytes_at(file, address);

	return take_word(file, &bytes);
}

/* Adds the slots that relocation @section fills; if @named, only those that have a symbol. */
static int add_slots(const struct elffile *file, size_t section, bool named, struct slots *out)
{
	struct span relocations = elfsection_bytes(file, section);
	bool has_addend = file->sections[section].type == SHT_RELA;

	if (named && has_addend)
		skip_relative(file, section, &relocations);
	while (span_left(&relocations)) {
		struct slot slot = {0};
		uint64_t info;

		if (file->is_64bit) {
			slot.address = span_u64(&relocations);
			info = span_u64(&relocations);
			slot.symbol = (uint32_t)ELF64_R_SYM(info);
			slot.target = has_addend ? span_u64(&relocations) : 0;
		} else {
			slot.address = span_u32(&relocations);
			info = span_u32(&relocations);
			slot.symbol = (uint32_t)ELF32_R_SYM(info);
			slot.target = has_addend ? span_u32(&relocations) : 0;
		}
		if (relocations.failed)
			return 0;
		if (slot.address < out->first || slot.address > out->last ||
		    (named && !slot.symbol))
			continue;
		if (!has_addend && !slot.symbol)
			slot.target = word_at(file, slot.address);
		if (!array_grow(out->list, out->room, out->nr + 1))
			return -1;
		out->list[out->nr++] = slot;
	}
	return 0;
}

/* Returns the name of the function that @slot leads to, NULL if that is not certain. */
static const char *slot_name(const struct plt *plt, const struct slot *slot)
{
	const struct symtab_entry *entry;
	struct elfsym sym;

	if (slot->symbol)
		return elfsym_get(&plt->dynsym, slot->symbol, &sym) ? sym.name : NULL;
	/* An ifunc of the file itself, resolved when it starts. */
	entry = symtab_resolved_at(plt->symbols, slot->target);
	return entry ? entry->name : NULL;
}

/* Adds the stub [start, start + size) that jumps through @slot. */
static int add_stub(const struct plt *plt, const struct slot *slot, uint64_t start, uint64_t size)
{
	struct symtab_entry entry = {
		.start = start,
		.end = start + size,
		.type = STT_FUNC,
		.binding = STB_GLOBAL,
	};
	const char *function = slot_name(plt, slot);
	char *name;

	if (!function || function[0] == '\0' || entry.end < start)
		return 0;
	if (asprintf(&name, "%.*s@plt", (int)strcspn(function, "@"), function) < 0)
		return -1;
	entry.name = intern_keep(plt->strings, name);
	free(name);
	return entry.name ? symtab_add(plt->stubs, &entry) : -1;
}

static int by_address(const void *left, const void *right)
{
	const struct slot *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

static const struct slot *slot_at(const struct slots *slots, uint64_t address)
{
	const struct slot key = {.address = address};

	return slots->nr ? bsearch(&key, slots->list, slots->nr, sizeof(key), by_address) : NULL;
}

/* The code of a section that is still to be looked at. */
struct stubs {
	struct stubcode at;
	size_t step; /* the bytes of an x86 stub, of an instruction of other machines */
};

static struct stubs stubs_of(const struct plt *plt, const char *name)
{
	const size_t number = elffile_section_named(plt->file, name);
	const struct elffile_section *section = &plt->file->sections[number];
	const uint16_t machine = plt->file->machine;
	const bool is_x86 = machine == EM_X86_64 || machine == EM_386;

	return (struct stubs){
		.at =
			{
				.machine = machine,
				.code = elfsection_bytes(plt->file, number),
				.address = section->addr,
				.got_address = plt->got_address,
			},
		/* x86 has stubs of 8 bytes in .plt.got, and in .plt of static programs. */
		.step = !is_x86					       ? 4
			: section->entsize == 8 || section->align == 8 ? 8
								       : 16,
	};
}

/*
 * Takes the next stub, or what is in its place. Sets *@slot to the address of its slot, 0 if it has
 * none. Returns its size in bytes, 0 if no stub is left.
 */
static size_t next_stub(struct stubs *stubs, struct stubcode *stub, uint64_t *slot)
{
	size_t size;

	if (span_left(&stubs->at.code) < stubs->step)
		return 0;
	*stub = stubs->at;
	size = stubcode_slot(stub, slot);
	if (!size)
		*slot = 0;
	if (size < stubs->step)
		size = stubs->step;
	span_skip(&stubs->at.code, size);
	stubs->at.address += size;
	return size;
}

/* Adds the @stubs. @sorted: all slots that they jump through, by address. */
static int add_stubs(const struct plt *plt, const struct slots *sorted, struct stubs stubs)
{
	uint64_t slot_address;
	struct stubcode stub;
	uint32_t index;
	size_t size;

	while ((size = next_stub(&stubs, &stub, &slot_address)) != 0) {
		const struct slot *slot = slot_address ? slot_at(sorted, slot_address) : NULL;

		if (!slot && stubcode_index(&stub, &index) && index < plt->slots.nr)
			slot = &plt->slots.list[index];
		if (slot && add_stub(plt, slot, stub.address, size) < 0)
			return -1;
	}
	return 0;
}

/* Widens @slots to all that the @stubs jump through: a library may have far more relocations. */
static void widen(struct slots *slots, struct stubs stubs)
{
	struct stubcode stub;
	uint64_t slot;

	while (next_stub(&stubs, &stub, &slot)) {
		if (!slot)
			continue;
		slots->first = slot < slots->first ? slot : slots->first;
		slots->last = slot > slots->last ? slot : slots->last;
	}
}

/* Returns the number of the section of relocations, which have addends or not; 0 if there is none.
 */
static size_t relocations_of(const struct elffile *file, const char *rela, const char *rel)
{
	const size_t number = elffile_section_named(file, rela);

	return number ? number : elffile_section_named(file, rel);
}

/* Adds all stubs. @lazy: the number of .rel[a].plt, 0 if there is none. */
static int read_stubs(const struct plt *plt, size_t lazy)
{
	enum { NR = 3 };
	static const char *const sections[NR] = {".plt", ".plt.sec", ".plt.got"};
	size_t dynamic = relocations_of(plt->file, ".rela.dyn", ".rel.dyn");
	struct slots sorted = {.first = UINT64_MAX};
	int rc = 0;

	for (size_t i = 0; i < NR; i++)
		widen(&sorted, stubs_of(plt, sections[i]));
	if (lazy)
		rc = add_slots(plt->file, lazy, false, &sorted);
	if (rc == 0 && dynamic)
		rc = add_slots(plt->file, dynamic, true, &sorted);
	if (sorted.nr)
		qsort(sorted.list, sorted.nr, sizeof(*sorted.list), by_address);
	for (size_t i = 0; i < NR && rc == 0; i++)
		rc = add_stubs(plt, &sorted, stubs_of(plt, sections[i]));
	free(sorted.list);
	return rc;
}

int plt_read(const struct elffile *file, const struct symtab *symbols, struct symtab *stubs,
	     struct intern *strings)
{
	struct plt plt = {
		.file = file,
		.slots.last = UINT64_MAX,
		.symbols = symbols,
		.stubs = stubs,
		.strings = strings,
	};
	size_t lazy = relocations_of(file, ".rela.plt", ".rel.plt");
	int rc = 0;

	if (!file->nr_sections)
		return symtab_build(stubs);
	plt.dynsym = elfsyms_of(file, elfsym_section(file, ELFSYM_DYNSYM));
	if (file->machine == EM_386)
		plt.got_address = dynamic_value(file, DT_PLTGOT);
	if (lazy)
		rc = add_slots(file, lazy, false, &plt.slots);
	if (rc == 0)
		rc = read_stubs(&plt, lazy);
	free(plt.slots.list);
	return rc < 0 ? -1 : symtab_build(stubs);
}
