/* The registers of a frame, and the copy of the stack that a sample has. */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWINDREGS_H
#define READPERF_DECODE_STACK_UNWIND_UNWINDREGS_H

#include "decode/stack/unwind/unwindarch.h"
#include "decode/symbol/cfi/cfirow.h"
#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** By DWARF number. */
struct unwind_regs {
	uint64_t pc;
	uint64_t values[CFI_NR_REGS];
	bool known[CFI_NR_REGS];
};

/** Bytes from the stack pointer upwards. */
struct unwind_stack {
	const uint8_t *bytes;
	uint64_t size;
	uint64_t base; /* address of the first one */
	bool swap;
	uint8_t word; /* bytes of an address */
};

/** Reads the word at @addr. False if it is not in the copy. */
static inline bool unwind_stack_read(const struct unwind_stack *stack, uint64_t addr,
				     uint64_t *value)
{
	const uint64_t offset = addr - stack->base;
	struct span s;

	if (offset >= stack->size || stack->size - offset < stack->word)
		return false;
	s = span_make(stack->bytes + offset, stack->word, stack->swap);
	*value = stack->word == 8 ? span_u64(&s) : span_u32(&s);
	return true;
}

/** Whether @addr is behind the end of the copy, where the stack may go on. */
static inline bool unwind_stack_is_cut(const struct unwind_stack *stack, uint64_t addr)
{
	return addr >= stack->base && addr - stack->base + stack->word > stack->size;
}

/**
 * Takes the registers of a sample of @arch: a u64 for each bit of @mask (sample_regs_user), in
 * ascending order. False if the PC or SP is not among them.
 */
bool unwind_regs_take(struct unwind_regs *regs, const struct unwind_arch *arch, uint64_t mask,
		      struct span values);

#endif
