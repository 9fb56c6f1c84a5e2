#include "decode/symbol/kernel/relocate.h"

#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/elf/elfsym.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a relocation does with the symbol's value S, the addend A and the present value. */
enum relocation_change {
	CHANGE_NONE, /* nothing, or a value that is not needed: the offset of a thread-local
			variable */
	CHANGE_SET,  /* S + A */
	CHANGE_ADD,  /* present + S + A; followed by CHANGE_SUB for a difference of symbols */
	CHANGE_SUB,  /* present - S - A */
};

/* The operation of a relocation type: see the psABI of each machine; elf.h has the numbers. */
struct relocation_rule {
	uint16_t machine; /* EM_ */
	uint16_t type;	  /* R_ */
	enum relocation_change change;
	uint8_t bytes; /* bytes changed */
};

static const struct relocation_rule rules[] = {
	{EM_X86_64, R_X86_64_NONE, CHANGE_NONE, 0},
	{EM_X86_64, R_X86_64_64, CHANGE_SET, 8},
	{EM_X86_64, R_X86_64_32, CHANGE_SET, 4},
	{EM_X86_64, R_X86_64_DTPOFF32, CHANGE_NONE, 4},
	{EM_X86_64, R_X86_64_DTPOFF64, CHANGE_NONE, 8},
	{EM_386, R_386_NONE, CHANGE_NONE, 0},
	{EM_386, R_386_32, CHANGE_SET, 4},
	{EM_386, R_386_TLS_LDO_32, CHANGE_NONE, 4},
	{EM_AARCH64, R_AARCH64_NONE, CHANGE_NONE, 0},
	{EM_AARCH64, R_AARCH64_ABS64, CHANGE_SET, 8},
	{EM_AARCH64, R_AARCH64_ABS32, CHANGE_SET, 4},
	{EM_AARCH64, R_AARCH64_TLS_DTPREL, CHANGE_NONE, 8},
	{EM_ARM, R_ARM_NONE, CHANGE_NONE, 0},
	{EM_ARM, R_ARM_ABS32, CHANGE_SET, 4},
	{EM_ARM, R_ARM_TLS_LDO32, CHANGE_NONE, 4},
	{EM_RISCV, R_RISCV_NONE, CHANGE_NONE, 0},
	{EM_RISCV, R_RISCV_32, CHANGE_SET, 4},
	{EM_RISCV, R_RISCV_64, CHANGE_SET, 8},
	{EM_RISCV, R_RISCV_SET8, CHANGE_SET, 1},
	{EM_RISCV, R_RISCV_SET16, CHANGE_SET, 2},
	{EM_RISCV, R_RISCV_SET32, CHANGE_SET, 4},
	{EM_RISCV, R_RISCV_ADD8, CHANGE_ADD, 1},
	{EM_RISCV, R_RISCV_ADD16, CHANGE_ADD, 2},
	{EM_RISCV, R_RISCV_ADD32, CHANGE_ADD, 4},
	{EM_RISCV, R_RISCV_ADD64, CHANGE_ADD, 8},
	{EM_RISCV, R_RISCV_SUB8, CHANGE_SUB, 1},
	{EM_RISCV, R_RISCV_SUB16, CHANGE_SUB, 2},
	{EM_RISCV, R_RISCV_SUB32, CHANGE_SUB, 4},
	{EM_RISCV, R_RISCV_SUB64, CHANGE_SUB, 8},
	{EM_PPC64, R_PPC64_NONE, CHANGE_NONE, 0},
	{EM_PPC64, R_PPC64_ADDR32, CHANGE_SET, 4},
	{EM_PPC64, R_PPC64_ADDR64, CHANGE_SET, 8},
	{EM_PPC64, R_PPC64_DTPREL64, CHANGE_NONE, 8},
	{EM_S390, R_390_NONE, CHANGE_NONE, 0},
	{EM_S390, R_390_32, CHANGE_SET, 4},
	{EM_S390, R_390_64, CHANGE_SET, 8},
};

/* The sections to relocate. Others, such as frames, are not read and may be much larger. */
static const char *const targets[] = {
	".debug_info", ".debug_line",  ".debug_ranges",	     ".debug_rnglists",
	".debug_addr", ".debug_types", ".debug_str_offsets",
};

/* The section that is being relocated. */
struct target {
	const struct elffile *file;
	uint8_t *bytes; /* a copy of the section's bytes */
	size_t size;
	bool is_big_endian;
	uint64_t thrown_away;	/* value for references to unplaced code */
	struct elfsym *symbols; /* symbol table of the relocations */
	size_t nr_symbols;
};

/* ---- numbers of a target --------------------------------------------------------------------- */

/* Returns the bits to shift byte @i of a number of @bytes. */
static unsigned shift_of(const struct target *target, size_t i, size_t bytes)
{
	return (unsigned)(8 * (target->is_big_endian ? bytes - 1 - i : i));
}

static uint64_t get(const struct target *target, uint64_t offset, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++)
		value |= (uint64_t)target->bytes[offset + i] << shift_of(target, i, bytes);
	return value;
}

static void put(struct target *target, uint64_t offset, size_t bytes, uint64_t value)
{
	for (size_t i = 0; i < bytes; i++)
		target->bytes[offset + i] = (uint8_t)(value >> shift_of(target, i, bytes));
}

/* ---- one relocation -------------------------------------------------------------------------- */

static const struct relocation_rule *find_rule(uint16_t machine, uint32_t type)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].machine == machine && rules[i].type == type)
			return &rules[i];
	return NULL;
}

struct relocation relocate_take(struct span *entries, const struct elffile *file, bool has_addend)
{
	struct relocation out = {.has_addend = has_addend};
	uint64_t info;

	if (file->is_64bit) {
		out.offset = span_u64(entries);
		info = span_u64(entries);
		out.symbol = ELF64_R_SYM(info);
		out.type = (uint32_t)ELF64_R_TYPE(info);
		out.addend = has_addend ? span_u64(entries) : 0;
	} else {
		out.offset = span_u32(entries);
		info = span_u32(entries);
		out.symbol = ELF32_R_SYM(info);
		out.type = ELF32_R_TYPE(info);
		out.addend = has_addend ? (uint64_t)(int32_t)span_u32(entries) : 0;
	}
	return out;
}

/* Gets the value of symbol @number; *@is_placed is false if it has no address. False if damaged. */
static bool value_of(const struct target *target, uint64_t number, uint64_t *value, bool *is_placed)
{
	const struct elfsym *symbol;

	*value = 0;
	*is_placed = true;
	if (number == STN_UNDEF)
		return true;
	if (number >= target->nr_symbols)
		return false;
	symbol = &target->symbols[number];
	*value = symbol->value;
	if (symbol->section == SHN_ABS)
		return true;
	*is_placed = false;
	if (symbol->section == SHN_UNDEF || symbol->section == SHN_COMMON)
		return true;
	/* Includes SHN_XINDEX: no module has that many sections. */
	if (symbol->section >= SHN_LORESERVE || symbol->section >= target->file->nr_sections)
		return false;
	*is_placed = !target->file->sections[symbol->section].unplaced;
	*value += target->file->sections[symbol->section].addr;
	return true;
}

static bool apply(struct target *target, const struct relocation *relocation)
{
	const struct relocation_rule *rule = find_rule(target->file->machine, relocation->type);
	uint64_t value, present, sum;
	bool is_placed;

	if (!rule || relocation->offset > target->size ||
	    target->size - relocation->offset < rule->bytes ||
	    !value_of(target, relocation->symbol, &value, &is_placed))
		return false;
	present = get(target, relocation->offset, rule->bytes);
	sum = value + (relocation->has_addend ? relocation->addend : present);
	if (rule->change == CHANGE_NONE)
		return true;
	if (rule->change == CHANGE_SET)
		sum = is_placed ? sum : target->thrown_away;
	else
		sum = rule->change == CHANGE_ADD ? present + sum : present - sum;
	/* 32-bit addresses wrap around. */
	if (!target->file->is_64bit && value <= UINT32_MAX)
		sum = (uint32_t)sum;
	/* A value that does not fit would be cut to a wrong one. */
	if (rule->change == CHANGE_SET && rule->bytes < 8 && sum >> (8 * rule->bytes))
		return false;
	put(target, relocation->offset, rule->bytes, sum);
	return true;
}

/* ---- a section ------------------------------------------------------------------------------- */

static bool is_relocation(const struct elffile_section *section, size_t target)
{
	return (section->type == SHT_RELA || section->type == SHT_REL) && section->info == target;
}

bool relocate_section_of(const struct elffile *file, size_t number, size_t *found)
{
	*found = 0;
	for (size_t i = 1; i < file->nr_sections; i++) {
		if (!is_relocation(&file->sections[i], number))
			continue;
		if (*found)
			return false;
		*found = i;
	}
	return true;
}

/* Applies all relocations in section @number to @target. */
static bool apply_all(struct target *target, size_t number)
{
	const struct elffile_section *section = &target->file->sections[number];
	struct span entries = elfsection_bytes(target->file, number);
	bool has_addend = section->type == SHT_RELA;

	/* Missing bytes must not be taken for zeros. */
	if (span_left(&entries) != section->size)
		return false;
	while (span_left(&entries)) {
		struct relocation relocation = relocate_take(&entries, target->file, has_addend);

		if (entries.failed || !apply(target, &relocation))
			return false;
	}
	return true;
}

/*
 * Returns the bytes of section @number as a linker would leave them, owned by the caller; NULL if a
 * relocation cannot be applied, or with *@nomem set.
 */
static void *relocated(const struct elffile *file, size_t number, size_t relocations, bool *nomem)
{
	struct span bytes = elfsection_bytes(file, number);
	struct target target = {.file = file, .size = span_left(&bytes)};
	const bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	bool done = false;

	target.is_big_endian = file->swap == is_little;
	/* 1 in .debug_ranges, where two zeros end a list; else 0. */
	target.thrown_away = strcmp(file->sections[number].name, ".debug_ranges") == 0;
	target.bytes = malloc(target.size + 1);
	if (target.bytes && elfsym_list(file, file->sections[relocations].link, &target.symbols,
					&target.nr_symbols) == 0) {
		span_bytes(&bytes, target.bytes, target.size);
		done = apply_all(&target, relocations);
	} else {
		*nomem = true;
	}
	free(target.symbols);
	if (done)
		return target.bytes;
	free(target.bytes);
	return NULL;
}

static bool relocate_section(struct elffile *file, size_t number, bool *nomem)
{
	size_t relocations;
	void *bytes;

	if (!relocate_section_of(file, number, &relocations))
		return false;
	/* .debug_info always has relocations, for its abbreviations. */
	if (!relocations)
		return strcmp(file->sections[number].name, targets[0]) != 0;
	bytes = relocated(file, number, relocations, nomem);
	return bytes && elfsection_replace(file, number, bytes);
}

bool relocate_dwarf(struct elffile *file, bool *nomem)
{
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		size_t number = elffile_section_named(file, targets[i]);

		if (number && !relocate_section(file, number, nomem))
			return false;
	}
	/* Sections compressed the old way (.zdebug_*) are not relocated. */
	return !elffile_section_named(file, ".zdebug_info");
}
