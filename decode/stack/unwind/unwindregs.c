#include "decode/stack/unwind/unwindregs.h"

/* x86-64 kernels before 5.x say so of registers that they do not know, of samples in the kernel. */
#define NOT_KNOWN UINT64_MAX

static void set(struct unwind_regs *regs, uint8_t reg, uint64_t value)
{
	if (reg != UNWIND_NO_REG) {
		regs->values[reg] = value;
		regs->known[reg] = value != NOT_KNOWN;
	}
}

bool unwind_regs_take(struct unwind_regs *regs, const struct unwind_arch *arch, uint64_t mask,
		      struct span values)
{
	bool has_pc = false;

	*regs = (struct unwind_regs){0};
	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t value;

		if (!(mask >> bit & 1))
			continue;
		value = span_u64(&values);
		if (arch->word == 4)
			value = (uint32_t)value;
		if (bit == arch->perf_pc) {
			regs->pc = value;
			has_pc = true;
		}
		if (bit < arch->nr_dwarf)
			set(regs, arch->dwarf[bit], value);
	}
	return has_pc && regs->known[arch->sp] && !values.failed;
}
