/*
 * Choices for the instructions of a function's call frame information. Where libdw has a row for an
 * address, ours says the same. (libdw takes memory for as many registers as the highest number
 * says, so numbers are chosen, too.)
 */
#include "decode/symbol/cfi/cfi.h"
#include "tests/fuzz/fuzz.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <string.h>

enum {
	ADDR = 0x1000,
	START = 0x2000,
	LENGTH = 0x100,
	IMAGE_MAX = 1 << 16,
	MAX_INSTRUCTIONS = 500,
	NR_REGISTERS = 20
};

static const char names[] = "\0.eh_frame\0.shstrtab";

struct image {
	_Alignas(8) uint8_t bytes[IMAGE_MAX];
	size_t len, frame, frame_len; /* bytes; frame: where .eh_frame is */
};

static void put(struct image *image, const void *bytes, size_t len)
{
	fuzz_check(image->len + len <= IMAGE_MAX);
	if (len)
		memcpy(image->bytes + image->len, bytes, len);
	image->len += len;
}

static void put_u32(struct image *image, uint32_t value)
{
	put(image, &value, sizeof(value));
}

/* Begins an entry at the returned offset; end_entry() sets its length. */
static size_t begin_entry(struct image *image)
{
	put_u32(image, 0);
	return image->len;
}

static void end_entry(struct image *image, size_t body)
{
	const uint32_t len = (uint32_t)(image->len - body);

	memcpy(image->bytes + body - sizeof(len), &len, sizeof(len));
}

/* Instructions and their operands: a register, a number of 7 bits, of 1, 2, 4 bytes, an address, a
 * block. */
static const struct {
	uint8_t op;
	const char *operands;
} instructions[] = {
	{DW_CFA_nop, ""},
	{DW_CFA_set_loc, "a"},
	{DW_CFA_advance_loc1, "1"},
	{DW_CFA_advance_loc2, "2"},
	{DW_CFA_advance_loc4, "4"},
	{DW_CFA_offset_extended, "rn"},
	{DW_CFA_restore_extended, "r"},
	{DW_CFA_undefined, "r"},
	{DW_CFA_same_value, "r"},
	{DW_CFA_register, "rr"},
	{DW_CFA_remember_state, ""},
	{DW_CFA_restore_state, ""},
	{DW_CFA_def_cfa, "rn"},
	{DW_CFA_def_cfa_register, "r"},
	{DW_CFA_def_cfa_offset, "n"},
	{DW_CFA_def_cfa_expression, "b"},
	{DW_CFA_expression, "rb"},
	{DW_CFA_offset_extended_sf, "rn"},
	{DW_CFA_def_cfa_sf, "rn"},
	{DW_CFA_def_cfa_offset_sf, "n"},
	{DW_CFA_val_offset, "rn"},
	{DW_CFA_val_offset_sf, "rn"},
	{DW_CFA_val_expression, "rb"},
	{DW_CFA_GNU_args_size, "n"},
	{DW_CFA_GNU_negative_offset_extended, "rn"},
};

static void put_operand(struct image *image, char kind, struct fuzz_choices *choices)
{
	uint8_t bytes[4] = {0};
	size_t len = 1;

	switch (kind) {
	case 'r':
		bytes[0] = (uint8_t)fuzz_pick(choices, NR_REGISTERS);
		break;
	case 'n':
		bytes[0] = fuzz_u8(choices) & 0x7f;
		break;
	case 'a': /* mostly in the function */
		len = 4;
		bytes[0] = fuzz_u8(choices);
		bytes[1] = fuzz_pick(choices, 8) ? START >> 8 : fuzz_u8(choices);
		break;
	case 'b':
		bytes[0] = 2;
		bytes[1] = DW_OP_breg7;
		bytes[2] = fuzz_u8(choices) & 0x7f;
		len = 3;
		break;
	default:
		len = (size_t)(kind - '0');
		bytes[0] = fuzz_u8(choices);
	}
	put(image, bytes, len);
}

/* Up to @max of them; the short ones have their operand in the opcode. */
static void put_instructions(struct image *image, size_t max, struct fuzz_choices *choices)
{
	enum { NR_LONG = sizeof(instructions) / sizeof(instructions[0]) };

	for (size_t i = 0; i < max && fuzz_choices_left(choices); i++) {
		const unsigned pick = fuzz_pick(choices, NR_LONG + 3);
		const uint8_t reg = (uint8_t)fuzz_pick(choices, NR_REGISTERS),
			      ops[] = {DW_CFA_advance_loc | reg, DW_CFA_offset | reg,
				       DW_CFA_restore | reg};

		if (pick >= NR_LONG) {
			put(image, &ops[pick - NR_LONG], 1);
			if (pick == NR_LONG + 1)
				put_operand(image, 'n', choices);
			continue;
		}
		put(image, &instructions[pick].op, 1);
		for (const char *kind = instructions[pick].operands; *kind; kind++)
			put_operand(image, *kind, choices);
	}
}

static void put_frame(struct image *image, struct fuzz_choices *choices)
{
	static const uint8_t head[] = {1, 'z', 'R', 0}, called[] = {DW_CFA_def_cfa, 7, 8};
	const uint8_t factors[] = {fuzz_u8(choices) & 0x7f, fuzz_u8(choices) & 0x7f, 16, 1, 3};
	const size_t nr_cie = fuzz_pick(choices, 8), cie = begin_entry(image);
	size_t fde;

	put_u32(image, 0);
	put(image, head, sizeof(head));
	put(image, factors, sizeof(factors));
	put(image, called, sizeof(called));
	put_instructions(image, nr_cie, choices);
	end_entry(image, cie);
	fde = begin_entry(image);
	put_u32(image, (uint32_t)(fde - cie + 4));
	put_u32(image, START);
	put_u32(image, LENGTH);
	put(image, "", 1);
	put_instructions(image, MAX_INSTRUCTIONS, choices);
	end_entry(image, fde);
}

/* An ELF file with nothing but .eh_frame. */
static void make_image(struct image *image, struct fuzz_choices *choices)
{
	Elf64_Shdr sections[3] = {{0}};
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_shentsize = sizeof(sections[0]),
		.e_shnum = 3,
		.e_shstrndx = 2,
	};

	image->len = image->frame = sizeof(header);
	put_frame(image, choices);
	image->frame_len = image->len - image->frame;
	sections[1] = (Elf64_Shdr){.sh_name = 1,
				   .sh_type = SHT_PROGBITS,
				   .sh_flags = SHF_ALLOC,
				   .sh_addr = ADDR,
				   .sh_offset = image->frame,
				   .sh_size = image->frame_len};
	sections[2] = (Elf64_Shdr){.sh_name = 11,
				   .sh_type = SHT_STRTAB,
				   .sh_offset = image->len,
				   .sh_size = sizeof(names)};
	put(image, names, sizeof(names));
	image->len = (image->len + 7) & ~(size_t)7;
	header.e_shoff = image->len;
	put(image, sections, sizeof(sections));
	memcpy(image->bytes, &header, sizeof(header));
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_expression(uint8_t how)
{
	return how == CFI_AT_EXPR || how == CFI_IS_EXPR;
}

static void compare_cfa(const struct cfi_value *ours, Dwarf_Frame *frame)
{
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_frame_cfa(frame, &ops, &nr) != 0 || is_expression(ours->how))
		return;
	fuzz_check(nr == 1 && ops[0].atom == DW_OP_bregx);
	fuzz_check(ops[0].number == ours->reg && (int64_t)ops[0].number2 == ours->offset);
}

/* What the ABI says of registers that are not mentioned is compared with real programs. */
static void compare_register(const struct cfi_value *ours, Dwarf_Frame *frame, int reg)
{
	bool is_value = false;
	Dwarf_Op mem[3], *ops;
	size_t nr;

	if (ours->how == CFI_UNSET || is_expression(ours->how) ||
	    dwarf_frame_register(frame, reg, mem, &ops, &nr) != 0)
		return;
	if (nr && ops[nr - 1].atom == DW_OP_stack_value) {
		is_value = true;
		nr--;
	}
	if (ours->how == CFI_UNDEFINED || ours->how == CFI_SAME) {
		fuzz_check(nr == 0 && !ops == (ours->how == CFI_SAME));
	} else if (ours->how == CFI_REGISTER) {
		fuzz_check(nr == 1 && ops[0].atom == DW_OP_regx && ops[0].number == ours->reg);
	} else {
		fuzz_check(nr >= 1 && ops[0].atom == DW_OP_call_frame_cfa);
		fuzz_check(is_value == (ours->how == CFI_IS_CFA));
		fuzz_check(ours->offset == (nr == 1 ? 0 : (int64_t)ops[1].number));
	}
}

static void compare_at(struct cfi *ours, Dwarf_CFI *theirs, uint64_t address)
{
	Dwarf_Frame *frame = NULL;
	enum cfi_source source;
	Dwarf_Addr start, end;
	struct cfi_row row;
	bool is_signal;

	fuzz_check(cfi_find(ours, address, &row, &source));
	if (dwarf_cfi_addrframe(theirs, address, &frame) != 0)
		return;
	if (source != CFI_NONE) {
		fuzz_check(dwarf_frame_info(frame, &start, &end, &is_signal) == row.ra_column);
		/* libdw's may go on behind the function. */
		fuzz_check(row.end == (end < START + LENGTH ? end : START + LENGTH));
		compare_cfa(&row.cfa, frame);
		for (int reg = 0; reg < CFI_NR_REGS; reg++)
			compare_register(&row.regs[reg], frame, reg);
	}
	free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choices choices = fuzz_choices_of(data, size);
	struct image image = {.len = 0};
	Dwarf_CFI *theirs;
	struct cfi *ours;
	Elf *elf;

	make_image(&image, &choices);
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)image.bytes, image.len);
	theirs = elf ? dwarf_getcfi_elf(elf) : NULL;
	fuzz_check(theirs != NULL);
	ours = cfi_open_eh_frame(span_make(image.bytes + image.frame, image.frame_len, false), ADDR,
				 EM_X86_64);
	fuzz_check(ours != NULL);
	for (uint64_t address = START; address < START + LENGTH; address += 5)
		compare_at(ours, theirs, address);
	cfi_close(ours);
	dwarf_cfi_end(theirs);
	elf_end(elf);
	return 0;
}
