/* The registers of samples: what perf numbers how, by architecture, and which are not known. */
#include "decode/stack/unwind/unwindregs.h"
#include "tests/support/suite.h"

#include <check.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 64 };

/*
 * Of each architecture the DWARF numbers in perf's order; "-" is one that unwinding does not need,
 * "pc" the PC, which may have a number, too.
 */
static const struct {
	const char *machine;
	uint64_t abi;
	uint16_t elf_machine;
	uint8_t sp, fp, link, word;
	const char *registers;
} machines[] = {
	{"x86_64", 2, EM_X86_64, 7, 6, UNWIND_NO_REG, 8,
	 "0 3 2 1 4 5 6 7 pc=16 - - - - - - - 8 9 10 11 12 13 14 15"},
	{"x86_64", 1, EM_386, 4, 5, UNWIND_NO_REG, 4, "0 3 1 2 6 7 5 4 pc=8"},
	{"x86", 2, EM_X86_64, 7, 6, UNWIND_NO_REG, 8,
	 "0 3 2 1 4 5 6 7 pc=16 - - - - - - - 8 9 10 11 12 13 14 15"},
	{"x86", 1, EM_386, 4, 5, UNWIND_NO_REG, 4, "0 3 1 2 6 7 5 4 pc=8"},
	{"i686", 1, EM_386, 4, 5, UNWIND_NO_REG, 4, "0 3 1 2 6 7 5 4 pc=8"},
	{"aarch64", 2, EM_AARCH64, 31, 29, 30, 8,
	 "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 "
	 "pc"},
	{"aarch64", 1, EM_ARM, 13, 11, 14, 4, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 pc"},
	{"armv7l", 1, EM_ARM, 13, 11, 14, 4, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 pc"},
	{"riscv64", 2, EM_RISCV, 2, 8, 1, 8,
	 "pc 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31"},
	{"ppc64le", 2, EM_PPC64, 1, 31, 65, 8,
	 "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 "
	 "pc - - - 65"},
	{"s390x", 2, EM_S390, 15, 11, 14, 8,
	 "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 20 17 21 18 22 19 23 24 28 25 29 26 30 27 31 - "
	 "pc"},
	{"loongarch64", 2, 258, 3, 22, 1, 8,
	 "pc 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31"},
	{"mips64", 2, EM_MIPS, 29, 30, 31, 8,
	 "pc 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31"},
};

/* Takes the registers of @mask, the one with perf's number N being 100 + N. */
static bool take(struct unwind_regs *regs, const struct unwind_arch *arch, uint64_t mask)
{
	uint64_t values[ALL];
	size_t nr = 0;

	for (unsigned i = 0; i < ALL; i++) {
		if (mask >> i & 1)
			values[nr++] = 100 + i;
	}
	return unwind_regs_take(regs, arch, mask, span_make(values, 8 * nr, false));
}

START_TEST(order_of_registers)
{
	const struct unwind_arch *arch = unwind_arch_find(machines[_i].machine, machines[_i].abi);
	const char *at = machines[_i].registers;
	unsigned nr_known = 0, nr = 0;
	struct unwind_regs regs;

	ck_assert_ptr_nonnull(arch);
	ck_assert_uint_eq(arch->machine, machines[_i].elf_machine);
	ck_assert_uint_eq(arch->sp, machines[_i].sp);
	ck_assert_uint_eq(arch->fp, machines[_i].fp);
	ck_assert_uint_eq(arch->link, machines[_i].link);
	ck_assert_uint_eq(arch->word, machines[_i].word);
	ck_assert(take(&regs, arch, UINT64_MAX));
	for (; at; at = strchr(at, ' '), nr++) {
		at += *at == ' ';
		if (strncmp(at, "pc", 2) == 0) {
			ck_assert_uint_eq(regs.pc, 100 + nr);
			at += 2 + (at[2] == '=');
		}
		if (*at < '0' || *at > '9')
			continue;
		nr_known++;
		ck_assert_uint_eq(regs.values[atoi(at)], 100 + nr);
		ck_assert(regs.known[atoi(at)]);
	}
	for (unsigned i = 0; i < CFI_NR_REGS; i++)
		nr_known -= regs.known[i];
	ck_assert_uint_eq(nr_known, 0);
}
END_TEST

/* perf inject writes perf's own names of machines: the ABI tells how wide their registers are. */
START_TEST(perfs_names_of_machines)
{
	static const struct {
		const char *machine;
		uint16_t of_32, of_64; /* 0: none is known */
	} names[] = {
		{"x86", EM_386, EM_X86_64},
		{"arm64", EM_ARM, EM_AARCH64},
		{"arm", EM_ARM, EM_ARM},
		{"powerpc", 0, EM_PPC64},
		{"s390", 0, EM_S390},
		{"riscv", 0, EM_RISCV},
		{"mips", 0, EM_MIPS},
		{"loongarch", 0, 258},
		{"sparc", 0, 0},
		{"sh", 0, 0},
		{"parisc", 0, 0},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct unwind_arch *of_32 = unwind_arch_find(names[i].machine, 1);
		const struct unwind_arch *of_64 = unwind_arch_find(names[i].machine, 2);

		ck_assert_uint_eq(of_32 ? of_32->machine : 0, names[i].of_32);
		ck_assert_uint_eq(of_64 ? of_64->machine : 0, names[i].of_64);
	}
}
END_TEST

START_TEST(unknown_machines)
{
	ck_assert_ptr_null(unwind_arch_find("sparc64", 2));
	ck_assert_ptr_null(unwind_arch_find("", 2));
	ck_assert_ptr_null(unwind_arch_find("x86_64x", 2));
	ck_assert_ptr_null(unwind_arch_find("riscv64", 1));
	ck_assert_ptr_null(unwind_arch_find(NULL, 2));
}
END_TEST

/* With some registers recorded the words are those of the bits that are set. */
START_TEST(subsets)
{
	const struct unwind_arch *arch = unwind_arch_find("x86_64", 2);
	struct unwind_regs regs;

	ck_assert(take(&regs, arch, 1 << 8 | 1 << 7 | 1 << 12 | 1 << 17));
	ck_assert_uint_eq(regs.pc, 108);
	ck_assert_uint_eq(regs.values[7], 107);
	ck_assert_uint_eq(regs.values[9], 117);
	for (unsigned i = 0; i < CFI_NR_REGS; i++)
		ck_assert(regs.known[i] == (i == 7 || i == 9 || i == 16));
	ck_assert(!take(&regs, arch, 1 << 8));
	ck_assert(!take(&regs, arch, 1 << 7));
	ck_assert(!take(&regs, arch, 0));
}
END_TEST

/* All bits set is a register that the kernel did not know; too few words are damage. */
START_TEST(values_not_known)
{
	static const uint64_t mask = 1 << 8 | 1 << 7 | 1 << 6, values[] = {UINT64_MAX, 7, 8},
			      no_sp[] = {6, UINT64_MAX, 8};
	const struct unwind_arch *arch = unwind_arch_find("x86_64", 2);
	struct unwind_regs regs;

	ck_assert(unwind_regs_take(&regs, arch, mask, span_make(values, sizeof(values), false)));
	ck_assert(!regs.known[6]);
	ck_assert(!unwind_regs_take(&regs, arch, mask, span_make(no_sp, sizeof(no_sp), false)));
	ck_assert(!unwind_regs_take(&regs, arch, mask, span_make(values, 16, false)));
}
END_TEST

/* Registers of 32-bit code have 8 bytes, of which 4 count; perf's words are swapped as any. */
START_TEST(words)
{
	static const uint64_t mask = 1 << 8 | 1 << 7, values[] = {0x500000007, 0x600000008};
	const struct unwind_arch *arch = unwind_arch_find("x86_64", 1);
	const uint64_t swapped[] = {__builtin_bswap64(7), __builtin_bswap64(8)};
	struct unwind_regs regs;

	ck_assert(unwind_regs_take(&regs, arch, mask, span_make(values, sizeof(values), false)));
	ck_assert_uint_eq(regs.pc, 8);
	ck_assert_uint_eq(regs.values[4], 7);
	ck_assert(unwind_regs_take(&regs, arch, mask, span_make(swapped, sizeof(swapped), true)));
	ck_assert_uint_eq(regs.pc, 8);
	ck_assert_uint_eq(regs.values[4], 7);
}
END_TEST

/* A stack of 20 bytes: words that are in it, behind its end, below it. */
START_TEST(words_of_the_stack)
{
	static const uint8_t bytes[24] = {1, 0, 0, 0, 0, 0, 0, 0, 2};
	const struct unwind_stack stack = {
		.bytes = bytes,
		.size = 20,
		.base = 0x1000,
		.swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__,
		.word = _i ? 8 : 4,
	};
	const uint64_t last = 0x1000 + 20 - stack.word;
	uint64_t value = 9;

	ck_assert(unwind_stack_read(&stack, 0x1008, &value));
	ck_assert_uint_eq(value, 2);
	ck_assert(unwind_stack_read(&stack, last, &value));
	ck_assert_uint_eq(value, 0);
	ck_assert(!unwind_stack_read(&stack, last + 1, &value));
	ck_assert(unwind_stack_is_cut(&stack, last + 1));
	ck_assert(!unwind_stack_is_cut(&stack, last));
	ck_assert(!unwind_stack_read(&stack, 0xfff, &value));
	ck_assert(!unwind_stack_is_cut(&stack, 0xfff));
	ck_assert(!unwind_stack_read(&stack, UINT64_MAX, &value));
	ck_assert(!unwind_stack_read(&stack, 0, &value));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("unwindregs");
	TCase *tcase = tcase_create("unwindregs");

	tcase_add_loop_test(tcase, order_of_registers, 0, sizeof(machines) / sizeof(machines[0]));
	tcase_add_test(tcase, perfs_names_of_machines);
	tcase_add_test(tcase, unknown_machines);
	tcase_add_test(tcase, subsets);
	tcase_add_test(tcase, values_not_known);
	tcase_add_test(tcase, words);
	tcase_add_loop_test(tcase, words_of_the_stack, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
