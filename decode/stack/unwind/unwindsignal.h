/*
 * One step from the trampoline that a signal handler returns to, where no CFI tells: to the code
 * that the signal interrupted, by the registers that the kernel has put on the stack.
 *
 * The trampolines of arm64 and i386 are in the vdso, which is rarely at hand for another machine;
 * that of arm64 has no CFI at all.
 */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWINDSIGNAL_H
#define READPERF_DECODE_STACK_UNWIND_UNWINDSIGNAL_H

#include "decode/stack/unwind/unwindregs.h"
#include "decode/stack/unwind/unwindstep.h"

/** True if trampolines of @arch are in the vdso and the layout of their stack is known. */
bool unwind_signal_knows(const struct unwind_arch *arch);

/**
 * Takes all registers that the kernel has saved at the stack pointer of @regs, the trampoline's,
 * which become those of the code that was interrupted.
 */
enum unwind_step unwind_signal_step(struct unwind_regs *regs, const struct unwind_arch *arch,
				    const struct unwind_stack *stack);

#endif
