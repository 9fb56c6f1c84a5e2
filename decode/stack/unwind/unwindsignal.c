#include "decode/stack/unwind/unwindsignal.h"

#include <elf.h>

enum {
	/* arm64: siginfo, then a ucontext with its sigcontext; X0 to X30, SP and PC. Bytes. */
	ARM64_REGS = 128 + 176 + 8,
	ARM64_NR_REGS = 32,
	/* i386: what is behind the number of the signal in a frame without siginfo; with it, what
	 * is at the ucontext. Bytes. */
	I386_CONTEXT = 4,
	I386_INFO = 12,
	I386_RT_CONTEXT = I386_INFO + 128 + 20,
	I386_FIRST = 16, /* of sigcontext: DI, after the segments */
	I386_IP = 56,
};

/* DWARF numbers of DI, SI, BP, SP, BX, DX, CX, AX, as sigcontext has them. */
static const uint8_t i386_order[] = {7, 6, 5, 4, 3, 2, 1, 0};

/* Reads registers that stand one after another from @addr on. */
struct signal_reader {
	struct unwind_regs *regs;
	const struct unwind_stack *stack;
	uint64_t addr;
	bool failed;
};

static uint64_t next_word(struct signal_reader *in)
{
	uint64_t value = 0;

	if (!unwind_stack_read(in->stack, in->addr, &value))
		in->failed = true;
	else
		in->addr += in->stack->word;
	return value;
}

static void next_register(struct signal_reader *in, unsigned reg)
{
	in->regs->values[reg] = next_word(in);
	in->regs->known[reg] = true;
}

static void read_arm64(struct signal_reader *in)
{
	in->addr += ARM64_REGS;
	for (unsigned reg = 0; reg < ARM64_NR_REGS; reg++)
		next_register(in, reg);
	in->regs->pc = next_word(in);
}

/* A handler that asked for siginfo has the address of it as its second argument. */
static void read_i386(struct signal_reader *in)
{
	const uint64_t sp = in->addr;
	uint64_t context = sp + I386_CONTEXT;

	in->addr = sp + 4;
	if (next_word(in) == sp + I386_INFO)
		context = sp + I386_RT_CONTEXT;
	in->addr = context + I386_FIRST;
	for (size_t i = 0; i < sizeof(i386_order); i++)
		next_register(in, i386_order[i]);
	in->addr = context + I386_IP;
	in->regs->pc = next_word(in);
}

bool unwind_signal_knows(const struct unwind_arch *arch)
{
	return arch->machine == EM_AARCH64 || arch->machine == EM_386;
}

enum unwind_step unwind_signal_step(struct unwind_regs *regs, const struct unwind_arch *arch,
				    const struct unwind_stack *stack)
{
	struct unwind_regs interrupted = {0};
	struct signal_reader in = {&interrupted, stack, regs->values[arch->sp], false};

	if (!unwind_signal_knows(arch))
		return UNWIND_STEP_BAD;
	if (arch->machine == EM_AARCH64)
		read_arm64(&in);
	else
		read_i386(&in);
	if (in.failed)
		return unwind_stack_is_cut(stack, in.addr) ? UNWIND_STEP_CUT : UNWIND_STEP_BAD;
	*regs = interrupted;
	return UNWIND_STEP_CALLER;
}
