#include "decode/stack/unwind/unwindregs.h"

#include <string.h>

/* x86-64 kernels before 5.x say so of registers that they do not know, of samples in the kernel. */
#define NOT_KNOWN UINT64_MAX

static void set(struct unwind_regs *regs, uint8_t reg, uint64_t value)
{
	if (reg != UNWIND_NO_REG) {
		regs->values[reg] = value;
		regs->known[reg] = value != NOT_KNOWN;
	}
}

/* Nothing is known; what a frame has of its own is 0. The rest is not read then. */
static void clear(struct unwind_regs *regs, const struct unwind_arch *arch)
{
	memset(regs->known, 0, sizeof(regs->known));
	regs->pc = regs->values[arch->sp] = regs->values[arch->fp] = 0;
	if (arch->link != UNWIND_NO_REG)
		regs->values[arch->link] = 0;
}

bool unwind_regs_take(struct unwind_regs *regs, const struct unwind_arch *arch, uint64_t mask,
		      struct span values)
{
	const bool has_pc = mask >> arch->perf_pc & 1;

	clear(regs, arch);
	for (; mask; mask &= mask - 1) {
		const unsigned bit = (unsigned)__builtin_ctzll(mask);
		uint64_t value = span_u64(&values);

		if (arch->word == 4)
			value = (uint32_t)value;
		if (bit == arch->perf_pc)
			regs->pc = value;
		if (bit < arch->nr_dwarf)
			set(regs, arch->dwarf[bit], value);
	}
	return has_pc && regs->known[arch->sp] && !values.failed;
}
