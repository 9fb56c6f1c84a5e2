#include "decode/symbol/kernel/modcode.h"

#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/kernel/relocate.h"
#include "util/array.h"

#include <elf.h>
#include <stdlib.h>

static bool is_placed_code(const struct elffile_section *section)
{
	return section->flags & SHF_EXECINSTR && section->type == SHT_PROGBITS &&
	       !section->unplaced;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Relocation types of operands that count from their instruction. */
struct base_rule {
	uint16_t machine; /* EM_ */
	uint16_t type;	  /* R_ */
	enum modcode_base base;
};

static const struct base_rule bases[] = {
	{EM_X86_64, R_X86_64_PC32, MODCODE_END},
	{EM_X86_64, R_X86_64_PLT32, MODCODE_END},
	{EM_X86_64, R_X86_64_GOTPCREL, MODCODE_END},
	{EM_X86_64, R_X86_64_GOTPCRELX, MODCODE_END},
	{EM_X86_64, R_X86_64_REX_GOTPCRELX, MODCODE_END},
	{EM_S390, R_390_PC32, MODCODE_START},
	{EM_S390, R_390_PC16DBL, MODCODE_START},
	{EM_S390, R_390_PLT16DBL, MODCODE_START},
	{EM_S390, R_390_PC32DBL, MODCODE_START},
	{EM_S390, R_390_PLT32DBL, MODCODE_START},
	{EM_S390, R_390_GOTENT, MODCODE_START},
};

static enum modcode_base base_of(const struct elffile *file, uint32_t type)
{
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++)
		if (bases[i].machine == file->machine && bases[i].type == type)
			return bases[i].base;
	return MODCODE_NOTHING;
}

/* Sets what @symbol of @file says of @operand. False if nothing names it. */
static bool name_operand(struct modcode_operand *operand, const struct elffile *file,
			 const struct elfsym *symbol)
{
	const struct elffile_section *section;

	operand->name = symbol->name;
	if (symbol->section == SHN_UNDEF || symbol->section >= SHN_LORESERVE ||
	    symbol->section >= file->nr_sections)
		return symbol->name[0];
	section = &file->sections[symbol->section];
	if (ELF64_ST_TYPE(symbol->info) == STT_SECTION)
		operand->name = section->name;
	operand->is_placed = is_placed_code(section);
	operand->value = section->addr + symbol->value;
	return operand->name[0];
}

/* Adds the operands of code section @section that section @number has. -1 if memory is out. */
static int add_operands(struct modcode *code, const struct elffile *file, size_t section,
			size_t number)
{
	const struct elffile_section *from = &file->sections[number];
	const struct elfsyms symbols = elfsyms_of(file, from->link);
	struct span entries = elfsection_bytes(file, number);

	while (span_left(&entries)) {
		const struct relocation entry =
			relocate_take(&entries, file, from->type == SHT_RELA);
		struct modcode_operand operand = {
			.address = file->sections[section].addr + entry.offset,
			.addend = entry.addend,
			.base = base_of(file, entry.type),
		};
		struct elfsym symbol;

		if (entries.failed)
			break;
		if (entry.symbol == STN_UNDEF || entry.offset >= file->sections[section].size ||
		    !elfsym_get(&symbols, entry.symbol, &symbol) ||
		    !name_operand(&operand, file, &symbol))
			continue;
		if (!array_grow(code->list, code->room, code->nr + 1))
			return -1;
		code->list[code->nr++] = operand;
	}
	return 0;
}

static int compare_operands(const void *a, const void *b)
{
	const struct modcode_operand *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->addend > y->addend) - (x->addend < y->addend);
}

int modcode_read(struct modcode *code, const struct elffile *file)
{
	for (size_t i = 1; i < file->nr_sections; i++) {
		size_t number;

		if (!is_placed_code(&file->sections[i]) || !relocate_section_of(file, i, &number) ||
		    !number)
			continue;
		if (add_operands(code, file, i, number) < 0)
			return -1;
	}
	if (code->nr)
		qsort(code->list, code->nr, sizeof(*code->list), compare_operands);
	return 0;
}

const struct modcode_operand *modcode_find(const struct modcode *code, uint64_t address,
					   uint64_t end, size_t *nr)
{
	size_t low = 0, high = code->nr;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (code->list[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < code->nr && code->list[high].address < end;)
		high++;
	*nr = high - low;
	return *nr ? code->list + low : NULL;
}

uint64_t modcode_offset(const struct modcode_operand *operand, uint64_t start, uint64_t end)
{
	if (operand->base == MODCODE_NOTHING)
		return operand->addend;
	return operand->addend - operand->address + (operand->base == MODCODE_END ? end : start);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

struct span modcode_bytes_at(const struct elffile *file, uint64_t address)
{
	for (size_t i = 1; i < file->nr_sections; i++) {
		const struct elffile_section *section = &file->sections[i];
		struct span bytes;

		if (!is_placed_code(section) || address < section->addr ||
		    address - section->addr >= section->size)
			continue;
		bytes = elfsection_bytes(file, i);
		span_skip(&bytes, address - section->addr);
		return bytes;
	}
	return span_make("", 0, file->swap);
}

void modcode_free(struct modcode *code)
{
	free(code->list);
	*code = (struct modcode){0};
}
