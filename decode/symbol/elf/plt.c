#include "decode/symbol/elf/plt.h"

#include "decode/symbol/elf/elfsection.h"
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

static uint64_t take_word(const struct elffile *file, struct span *bytes)
{
	return file->is_64bit ? span_u64(bytes) : span_u32(bytes);
}

/*
 * Skips those @relocations of @section, at its start, which have no symbol: a large library has
 * hundreds of thousands. The linker has counted them for the dynamic linker (DT_RELACOUNT), which
 * trusts it, too.
 */
static void skip_relative(const struct elffile *file, size_t section, struct span *relocations)
{
	struct span entries = elfsection_bytes(file, elffile_section_named(file, ".dynamic"));
	const size_t word = file->is_64bit ? 8 : 4, size = 3 * word;
	uint64_t address = 0, count = 0, tag = ~(uint64_t)DT_NULL;

	while (tag != DT_NULL && span_holds(&entries, 2, word)) {
		uint64_t value;

		tag = take_word(file, &entries);
		value = take_word(file, &entries);
		address = tag == DT_RELA ? value : address;
		count = tag == DT_RELACOUNT ? value : count;
	}
	if (address == file->sections[section].addr && span_holds(relocations, count, size))
		span_skip(relocations, count * size);
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
 * Sets *@slot to the address of the slot that the x86-64 stub @code at @address jumps through:
 * [endbr64] [bnd] jmp *disp32(%rip). False for other code, such as the first entry, which calls the
 * dynamic linker.
 */
static bool find_x86_slot(struct span code, uint64_t address, uint64_t *slot)
{
	const uint8_t *start = code.pos;
	int32_t displacement;

	if (span_left(&code) >= 4 && memcmp(code.pos, "\xf3\x0f\x1e\xfa", 4) == 0)
		span_skip(&code, 4);
	if (span_left(&code) && *code.pos == 0xf2)
		span_skip(&code, 1);
	if (span_u8(&code) != 0xff || span_u8(&code) != 0x25)
		return false;
	displacement = (int32_t)span_u32(&code);
	*slot = address + (uint64_t)(code.pos - start) + (uint64_t)(int64_t)displacement;
	return !code.failed;
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

/* The stubs of a section that were not taken yet. */
struct x86_stubs {
	struct span code;
	uint64_t address, size; /* of the next one, in bytes */
};

static struct x86_stubs x86_stubs_of(const struct elffile *file, const char *name)
{
	const size_t number = elffile_section_named(file, name);

	return (struct x86_stubs){
		.code = elfsection_bytes(file, number),
		.address = file->sections[number].addr,
		/* Stubs of .plt.got have 8 bytes, or 16 in an IBT binary; sh_entsize says which. */
		.size = file->sections[number].entsize == 8 ? 8 : 16,
	};
}

/* Takes the next stub. Returns false if there is none. */
static bool next_x86_stub(struct x86_stubs *stubs, struct span *code, uint64_t *address)
{
	if (span_left(&stubs->code) < stubs->size)
		return false;
	*code = span_take(&stubs->code, stubs->size);
	*address = stubs->address;
	stubs->address += stubs->size;
	return true;
}

/* Adds the @stubs. @sorted: all slots that they jump through, by address. */
static int add_x86_stubs(const struct plt *plt, const struct slots *sorted, struct x86_stubs stubs)
{
	uint64_t address, slot_address;
	struct span code;
	uint32_t index;

	while (next_x86_stub(&stubs, &code, &address)) {
		const struct slot *slot = NULL;

		if (find_x86_slot(code, address, &slot_address))
			slot = slot_at(sorted, slot_address);
		if (!slot && index_of_x86_stub(code, &index) && index < plt->slots.nr)
			slot = &plt->slots.list[index];
		if (slot && add_stub(plt, slot, address, stubs.size) < 0)
			return -1;
	}
	return 0;
}

/* Widens @slots to all that the @stubs jump through: a library may have far more relocations. */
static void widen(struct slots *slots, struct x86_stubs stubs)
{
	uint64_t address, slot;
	struct span code;

	while (next_x86_stub(&stubs, &code, &address)) {
		if (!find_x86_slot(code, address, &slot))
			continue;
		slots->first = slot < slots->first ? slot : slots->first;
		slots->last = slot > slots->last ? slot : slots->last;
	}
}

static int read_x86(const struct plt *plt)
{
	enum { NR = 3 };
	static const char *const sections[NR] = {".plt", ".plt.sec", ".plt.got"};
	size_t dynamic = elffile_section_named(plt->file, ".rela.dyn");
	size_t lazy = elffile_section_named(plt->file, ".rela.plt");
	struct slots sorted = {.first = UINT64_MAX};
	int rc = 0;

	if (!plt->file->nr_sections)
		return 0;
	for (size_t i = 0; i < NR; i++)
		widen(&sorted, x86_stubs_of(plt->file, sections[i]));
	if (lazy)
		rc = add_slots(plt->file, lazy, false, &sorted);
	if (rc == 0 && dynamic)
		rc = add_slots(plt->file, dynamic, true, &sorted);
	if (sorted.nr)
		qsort(sorted.list, sorted.nr, sizeof(*sorted.list), by_address);
	for (size_t i = 0; i < NR && rc == 0; i++)
		rc = add_x86_stubs(plt, &sorted, x86_stubs_of(plt->file, sections[i]));
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
	struct plt plt = {
		.file = file,
		.slots.last = UINT64_MAX,
		.symbols = symbols,
		.stubs = stubs,
		.strings = strings,
	};
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
