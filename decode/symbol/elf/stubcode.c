#include "decode/symbol/elf/stubcode.h"

#include <elf.h>
#include <string.h>

/* Skips endbr64 or endbr32. */
static void skip_endbr(struct span *code)
{
	if (span_left(code) >= 4 && (memcmp(code->pos, "\xf3\x0f\x1e\xfa", 4) == 0 ||
				     memcmp(code->pos, "\xf3\x0f\x1e\xfb", 4) == 0))
		span_skip(code, 4);
}

/*
 * x86-64: [endbr64] [bnd] jmp *disp32(%rip). i386: [endbr32] jmp *abs32, or jmp *disp32(%ebx),
 * where %ebx has the address of the global offset table.
 */
static size_t x86_slot(const struct stubcode *at, uint64_t *slot)
{
	const bool is_i386 = at->machine == EM_386;
	struct span code = at->code;
	int32_t displacement;
	uint8_t operand;
	size_t size;

	skip_endbr(&code);
	if (span_left(&code) && *code.pos == 0xf2)
		span_skip(&code, 1);
	if (span_u8(&code) != 0xff)
		return 0;
	operand = span_u8(&code);
	displacement = (int32_t)span_u32(&code);
	size = (size_t)(code.pos - at->code.pos);
	*slot = (uint64_t)(int64_t)displacement;
	if (operand == 0xa3 && is_i386)
		*slot += at->got_address;
	else if (operand != 0x25)
		return 0;
	else if (!is_i386)
		*slot += at->address + size;
	if (is_i386)
		*slot = (uint32_t)*slot;
	return code.failed ? 0 : size;
}

/*
 * Returns instruction @n of a machine whose instructions have 32 bits, 0 behind the end. They are
 * little-endian even where data is not.
 */
static uint32_t instruction(const struct stubcode *at, size_t n)
{
	const uint8_t *byte;

	if (!span_holds(&at->code, n + 1, 4))
		return 0;
	byte = at->code.pos + 4 * n;
	return byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

/* Returns the lowest @bits of @value, the highest of which is the sign. */
static uint64_t with_sign(uint64_t value, unsigned bits)
{
	const uint64_t sign = UINT64_C(1) << (bits - 1);

	return ((value & (2 * sign - 1)) ^ sign) - sign;
}

/* [bti c]; adrp x16, page; ldr x17, [x16, offset]; add x16, ...; [autia1716]; br x17 */
static size_t aarch64_slot(const struct stubcode *at, uint64_t *slot)
{
	size_t n = instruction(at, 0) == 0xd503245f ? 1 : 0;
	const uint32_t adrp = instruction(at, n), ldr = instruction(at, n + 1);
	const uint64_t pages = with_sign((adrp >> 3 & 0x1ffffc) | (adrp >> 29 & 3), 21);

	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	*slot = ((at->address + 4 * n) & ~UINT64_C(0xfff)) + (pages << 12) +
		(ldr >> 10 & 0xfff) * 8;
	for (size_t end = n + 3; end < n + 5; end++)
		if (instruction(at, end) == 0xd61f0220)
			return 4 * (end + 1);
	return 0;
}

/* What an Arm instruction adds: 8 bits, rotated to the right by twice the 4 bits before them. */
static uint32_t arm_immediate(uint32_t instruction)
{
	const uint32_t value = instruction & 0xff, rotation = instruction >> 7 & 0x1e;

	return rotation ? value >> rotation | value << (32 - rotation) : value;
}

/* [bx pc; in Thumb code]; add ip, pc, #n; add ip, ip, #n, once or more; ldr pc, [ip, #n]! */
static size_t arm_slot(const struct stubcode *at, uint64_t *slot)
{
	size_t n = (instruction(at, 0) & 0xffff) == 0x4778 ? 1 : 0;
	uint32_t sum = (uint32_t)at->address + 4 * (uint32_t)n + 8;

	if ((instruction(at, n) & 0xfffff000) != 0xe28fc000)
		return 0;
	sum += arm_immediate(instruction(at, n++));
	while ((instruction(at, n) & 0xfffff000) == 0xe28cc000)
		sum += arm_immediate(instruction(at, n++));
	if ((instruction(at, n) & 0xfffff000) != 0xe5bcf000)
		return 0;
	*slot = sum + (instruction(at, n++) & 0xfff);
	return 4 * n;
}

/* auipc t3, pages; l[wd] t3, offset(t3); jalr t1, t3; nop */
static size_t riscv_slot(const struct stubcode *at, uint64_t *slot)
{
	const uint32_t auipc = instruction(at, 0), load = instruction(at, 1);
	const bool loads_word = (load & 0xfffff) == 0xe2e03;

	if ((auipc & 0xfff) != 0xe17 || (!loads_word && (load & 0xfffff) != 0xe3e03) ||
	    instruction(at, 2) != 0xe0367)
		return 0;
	*slot = at->address + with_sign(auipc & 0xfffff000, 32) + with_sign(load >> 20, 12);
	if (loads_word)
		*slot = (uint32_t)*slot;
	return 16;
}

size_t stubcode_slot(const struct stubcode *at, uint64_t *slot)
{
	switch (at->machine) {
	case EM_386:
	case EM_X86_64:
		return x86_slot(at, slot);
	case EM_AARCH64:
		return aarch64_slot(at, slot);
	case EM_ARM:
		return arm_slot(at, slot);
	case EM_RISCV:
		return riscv_slot(at, slot);
	default:
		return 0;
	}
}

bool stubcode_index(const struct stubcode *at, uint32_t *index)
{
	struct span code = at->code;

	if (at->machine != EM_386 && at->machine != EM_X86_64)
		return false;
	skip_endbr(&code);
	if (span_u8(&code) != 0x68)
		return false;
	/* i386 pushes the offset of the relocation. */
	*index = span_u32(&code) / (at->machine == EM_386 ? (uint32_t)sizeof(Elf32_Rel) : 1);
	return !code.failed;
}
