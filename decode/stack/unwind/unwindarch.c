#include "decode/stack/unwind/unwindarch.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#define NO		  UNWIND_NO_REG
#define BITS(first, last) ((~0ull >> (63 - (last))) & (~0ull << (first)))

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

/* AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8-R15 */
static const uint8_t x86_64[] = {0,  3,	 2,  1,	 4, 5, 6,  7,  16, NO, NO, NO,
				 NO, NO, NO, NO, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t i386[] = {0, 3, 1, 2, 6, 7, 5, 4, 8};
/* X0-X29, LR, SP, PC */
static const uint8_t arm64[] = {0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15, 16,
				17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, NO};
/* R0-R15, also as an arm64 kernel gives them, whose SP and PC follow behind */
static const uint8_t arm[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, NO};
/* PC, then 1-31 */
static const uint8_t pc_first[] = {NO, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
				   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
/* R0-R31, NIP, MSR, ORIG_R3, CTR, LINK */
static const uint8_t ppc64[] = {0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12,
				13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
				26, 27, 28, 29, 30, 31, NO, NO, NO, NO, 65};
/* R0-R15, FP0-FP15, MASK, PC */
static const uint8_t s390[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
			       20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31, NO, NO};

static const struct unwind_arch archs[] = {
	{EM_X86_64,
	 8,
	 7,
	 6,
	 NO,
	 8,
	 1u << 3 | 1u << 6 | BITS(12, 15),
	 x86_64,
	 sizeof(x86_64),
	 {true, 8, 0, 16, false}},
	{EM_386,
	 4,
	 4,
	 5,
	 NO,
	 8,
	 BITS(3, 3) | BITS(5, 7),
	 i386,
	 sizeof(i386),
	 {true, 4, 0, 8, false}},
	{EM_AARCH64,
	 8,
	 31,
	 29,
	 30,
	 32,
	 BITS(19, 30),
	 arm64,
	 sizeof(arm64),
	 {true, 8, 0, 16, false}},
	{EM_ARM,
	 4,
	 13,
	 11,
	 14,
	 15,
	 BITS(4, 11) | BITS(14, 14),
	 arm,
	 sizeof(arm),
	 {.is_known = false}},
	{EM_RISCV,
	 8,
	 2,
	 8,
	 1,
	 0,
	 BITS(1, 1) | BITS(8, 9) | BITS(18, 27),
	 pc_first,
	 sizeof(pc_first),
	 {true, -8, -16, 0, false}},
	{EM_PPC64, 8, 1, 31, 65, 32, BITS(14, 31), ppc64, sizeof(ppc64), {true, 16, 0, 0, true}},
	{EM_S390,
	 8,
	 15,
	 11,
	 14,
	 33,
	 BITS(6, 14) | BITS(24, 31),
	 s390,
	 sizeof(s390),
	 {.is_known = false}},
	{EM_LOONGARCH,
	 8,
	 3,
	 22,
	 1,
	 0,
	 BITS(1, 1) | BITS(22, 31),
	 pc_first,
	 sizeof(pc_first),
	 {true, -8, -16, 0, false}},
	{EM_MIPS,
	 8,
	 29,
	 30,
	 31,
	 0,
	 BITS(16, 23) | BITS(28, 31),
	 pc_first,
	 sizeof(pc_first),
	 {.is_known = false}},
};

/* What uname(2) or perf calls machines, and those of their processes by ABI. */
static const struct {
	const char *name; /* or its beginning, with a '*' */
	uint16_t machine_32, machine_64;
} names[] = {
	{"x86_64", EM_386, EM_X86_64},
	{"i?86", EM_386, EM_386},
	{"x86", EM_386, EM_X86_64},
	{"aarch64*", EM_ARM, EM_AARCH64},
	{"arm64*", EM_ARM, EM_AARCH64},
	{"arm*", EM_ARM, EM_ARM},
	{"riscv64", 0, EM_RISCV},
	{"riscv", 0, EM_RISCV},
	{"ppc64*", 0, EM_PPC64},
	{"powerpc", 0, EM_PPC64},
	{"s390x", 0, EM_S390},
	{"s390", 0, EM_S390},
	{"loongarch64", 0, EM_LOONGARCH},
	{"loongarch", 0, EM_LOONGARCH},
	{"mips64", 0, EM_MIPS},
	{"mips", 0, EM_MIPS},
};

/* '?' is any character, and a '*' at the end any rest. */
static bool matches(const char *name, const char *pattern)
{
	for (; *pattern && *pattern != '*'; name++, pattern++) {
		if (!*name || (*pattern != '?' && *pattern != *name))
			return false;
	}
	return *pattern == '*' || !*name;
}

const struct unwind_arch *unwind_arch_of(uint16_t machine)
{
	for (size_t i = 0; machine && i < sizeof(archs) / sizeof(archs[0]); i++) {
		if (archs[i].machine == machine)
			return &archs[i];
	}
	return NULL;
}

const struct unwind_arch *unwind_arch_find(const char *machine, uint64_t abi)
{
	for (size_t i = 0; machine && i < sizeof(names) / sizeof(names[0]); i++) {
		if (matches(machine, names[i].name))
			return unwind_arch_of(abi == 1 ? names[i].machine_32 : names[i].machine_64);
	}
	return NULL;
}
