#include "decode/symbol/elf/plt.h"

#include "decode/symbol/elf/elfsym.h"
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

struct slots {
	struct slot *list;
	size_t nr, room;
};

/* The state of plt_read() for one file. */
struct plt {
	const struct elffile *file;
	struct elfsyms dynsym;	      /* of the file */
	struct slots slots;	      /* of .rela.plt, in the file's order */
	const struct symtab *symbols; /* of the file */
	struct symtab *stubs;	      /* output */
	struct intern *strings;
};

/* The layout of .plt on machines where stubs are found without reading their code. */
static const struct {
	uint16_t machine; /* EM_ */
	unsigned header_bytes, stub_bytes;
} layouts[] = {
	{EM_AARCH64, 32, 16},
	{EM_ARM, 20, 12},
};

/* Adds the slots that relocation @section fills; if @named, only those that have a symbol. */
static int add_slots(const struct elffile *file, size_t section, bool named, struct slots *out)
{
	struct span relocations = elffile_section_bytes(file, section);
	bool has_addend = file->sections[section].type == SHT_RELA;

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
		if (named && !slot.symbol)
			continue;
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

/*
 * Returns the slot that an x86-64 stub jumps through: [endbr64] [bnd] jmp *disp32(%rip). NULL for
 * other code, such as the first entry, which calls the dynamic linker.
 */
static const struct slot *slot_of_x86_stub(struct span code, uint64_t address,
					   const struct slots *slots)
{
	const uint8_t *start = code.pos;

	if (span_left(&code) >= 4 && memcmp(code.pos, "\xf3\x0f\x1e\xfa", 4) == 0)
		span_skip(&code, 4);
	if (span_left(&code) && *code.pos == 0xf2)
		span_skip(&code, 1);
	if (span_u8(&code) != 0xff || span_u8(&code) != 0x25)
		return NULL;
	int32_t displacement = (int32_t)span_u32(&code);

	if (code.failed)
		return NULL;
	address += (uint64_t)(code.pos - start) + (uint64_t)(int64_t)displacement;
	return slot_at(slots, address);
}

/*
 * Sets *@index to the index into .rela.plt that a lazy x86-64 stub of an IBT binary pushes:
 * endbr64; push imm32; [bnd] jmp. Returns false for other code. Callers enter the matching stub of
 * .plt.sec.
 */
static bool index_of_x86_stub(struct span code, uint32_t *index)
{
	if (span_left(&code) >= 4 && memcmp(code.pos, "\xf3\x0f\x1e\xfa", 4) == 0)
		span_skip(&code, 4);
	if (span_u8(&code) != 0x68)
		return false;
	*index = span_u32(&code);
	return !code.failed;
}

/* Adds the stubs of section @number. @sorted: all slots of the file, by address. */
static int read_x86_section(const struct plt *plt, const struct slots *sorted, size_t number)
{
	struct span code = elffile_section_bytes(plt->file, number);
	uint64_t address = plt->file->sections[number].addr;
	/* Stubs of .plt.got have 8 bytes, or 16 in an IBT binary; sh_entsize says which. */
	uint64_t size = plt->file->sections[number].entsize == 8 ? 8 : 16;

	for (; span_left(&code) >= size; address += size) {
		struct span stub = span_take(&code, size);
		const struct slot *slot = slot_of_x86_stub(stub, address, sorted);
		uint32_t index;

		if (!slot && index_of_x86_stub(stub, &index) && index < plt->slots.nr)
			slot = &plt->slots.list[index];
		if (slot && add_stub(plt, slot, address, size) < 0)
			return -1;
	}
	return 0;
}

static int read_x86(const struct plt *plt)
{
	static const char *const sections[] = {".plt", ".plt.sec", ".plt.got"};
	size_t dynamic = elffile_section_named(plt->file, ".rela.dyn");
	size_t lazy = elffile_section_named(plt->file, ".rela.plt");
	struct slots sorted = {0};
	int rc = 0;

	if (lazy)
		rc = add_slots(plt->file, lazy, false, &sorted);
	if (rc == 0 && dynamic)
		rc = add_slots(plt->file, dynamic, true, &sorted);
	if (sorted.nr)
		qsort(sorted.list, sorted.nr, sizeof(*sorted.list), by_address);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) && rc == 0; i++) {
		size_t number = elffile_section_named(plt->file, sections[i]);

		if (number)
			rc = read_x86_section(plt, &sorted, number);
	}
	free(sorted.list);
	return rc;
}

/* On other machines all stubs have the same size and the order of their relocations. */
static int read_in_order(const struct plt *plt)
{
	size_t number = elffile_section_named(plt->file, ".plt");
	const struct elffile_section *section;

	if (number == 0) /* no .plt, perhaps no sections at all */
		return 0;
	section = &plt->file->sections[number];
	for (size_t kind = 0; kind < sizeof(layouts) / sizeof(layouts[0]); kind++) {
		uint64_t size = layouts[kind].stub_bytes;
		uint64_t at = layouts[kind].header_bytes;

		if (layouts[kind].machine != plt->file->machine)
			continue;
		for (size_t i = 0; i < plt->slots.nr && at + size <= section->size; i++, at += size)
			if (add_stub(plt, &plt->slots.list[i], section->addr + at, size) < 0)
				return -1;
	}
	return 0;
}

int plt_read(const struct elffile *file, const struct symtab *symbols, struct symtab *stubs,
	     struct intern *strings)
{
	struct plt plt = {.file = file, .symbols = symbols, .stubs = stubs, .strings = strings};
	size_t relocations = elffile_section_named(file, ".rela.plt");
	int rc = 0;

	plt.dynsym = elfsyms_of(file, elfsym_section(file, ELFSYM_DYNSYM));
	if (!relocations)
		relocations = elffile_section_named(file, ".rel.plt");
	if (relocations)
		rc = add_slots(file, relocations, false, &plt.slots);
	if (rc == 0)
		rc = file->machine == EM_X86_64 ? read_x86(&plt) : read_in_order(&plt);
	free(plt.slots.list);
	return rc < 0 ? -1 : symtab_build(stubs);
}
