/*
 * Sections of call frame information: a byte of choices, one that says how many of the bytes that
 * follow are the linker's table, the table, and the section. What covers an address does so, a row
 * holds for all of its addresses, and what it refers to lies in the section.
 */
#include "decode/symbol/cfi/cfiindex.h"
#include "decode/symbol/cfi/cfirule.h"
#include "tests/fuzz/fuzz.h"

#include <elf.h>

enum { MAX_ENTRIES = 64, SECTION_ADDR = 0x1000 };

static void check_value(const struct cfi_section *section, const struct cfi_value *value)
{
	fuzz_check(value->how <= CFI_IS_EXPR);
	if (value->how == CFI_REGISTER)
		fuzz_check(value->reg < CFI_NR_REGS);
	if (value->how == CFI_AT_EXPR || value->how == CFI_IS_EXPR)
		fuzz_check(value->expr >= section->bytes.pos && value->expr <= section->bytes.end &&
			   value->expr_len <= section->bytes.end - value->expr);
}

/* Whether the row of @address is that of @row's addresses. */
static void check_same_row(const struct cfi_section *section, const struct cfi_fde *fde,
			   const struct cfi_row *row, uint64_t address)
{
	struct cfi_row other;

	fuzz_check(cfi_run(section, fde, address, &other));
	fuzz_check(other.start == row->start && other.end == row->end);
	fuzz_check(other.cfa.how == row->cfa.how && other.cfa.offset == row->cfa.offset);
}

static void check_row(const struct cfi_section *section, const struct cfi_fde *fde,
		      uint64_t address)
{
	struct cfi_rule rule;
	struct cfi_row row;

	fuzz_check(address >= fde->start && address < fde->end);
	if (!cfi_run(section, fde, address, &row))
		return;
	fuzz_check(row.start >= fde->start && row.start <= address);
	fuzz_check(row.end <= fde->end && row.end > address);
	fuzz_check(row.ra_column < CFI_NR_REGS);
	check_value(section, &row.cfa);
	for (size_t i = 0; i < CFI_NR_REGS; i++)
		check_value(section, &row.regs[i]);
	check_same_row(section, fde, &row, row.start);
	check_same_row(section, fde, &row, row.end - 1);
	rule = cfi_rule_make(&row, section->machine, address);
	fuzz_check(rule.kind != CFI_RULE_NONE && rule.is_signal == row.is_signal);
}

static void check_address(struct cfi_index *index, uint64_t address)
{
	struct cfi_fde fde;
	const int found = cfi_index_find(index, address, &fde);

	fuzz_check(found >= 0);
	if (found)
		check_row(index->section, &fde, address);
}

/* The addresses at the edges of the first functions, by the index and without it. */
static void check_entries(struct cfi_index *index)
{
	const struct cfi_section *section = index->section;
	uint64_t offset = 0;
	struct cfi_fde fde;

	for (size_t i = 0; i < MAX_ENTRIES; i++) {
		if (cfi_read_fde(section, offset, &fde)) {
			check_row(section, &fde, fde.start);
			check_row(section, &fde, fde.start + (fde.end - fde.start) / 2);
			check_row(section, &fde, fde.end - 1);
			check_address(index, fde.start - 1);
			check_address(index, fde.start);
			check_address(index, fde.end);
		}
		if (!cfi_skip_entry(section, &offset))
			break;
	}
	check_address(index, 0);
	check_address(index, UINT64_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t machines[] = {EM_X86_64, EM_AARCH64, EM_386, EM_PPC64};
	struct fuzz_choices choices = fuzz_choices_of(data, size);
	const uint8_t flags = fuzz_u8(&choices), hdr_size = fuzz_u8(&choices);
	const bool swap = flags & 4;
	struct cfi_section section = {.addr = SECTION_ADDR,
				      .is_eh = !(flags & 1),
				      .is_64bit = !(flags & 2),
				      .machine = machines[flags >> 3 & 3]};
	struct cfi_index index;
	struct span hdr;
	const uint8_t *bytes;
	size_t got;

	bytes = fuzz_bytes(&choices, hdr_size, &got);
	hdr = span_make(bytes, got, swap);
	bytes = fuzz_bytes(&choices, size, &got);
	section.bytes = span_make(bytes, got, swap);
	/* Where linkers put it: before the section. */
	cfi_index_init(&index, &section, hdr, SECTION_ADDR - hdr_size);
	check_entries(&index);
	cfi_index_free(&index);
	return 0;
}
