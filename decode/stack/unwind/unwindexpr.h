/* DWARF expressions of call frame information: DWARF 5, 2.5 and 6.4.2. */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWINDEXPR_H
#define READPERF_DECODE_STACK_UNWIND_UNWINDEXPR_H

#include "decode/stack/unwind/unwindregs.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** What became of an evaluation. */
enum unwind_expr_end {
	UNWIND_EXPR_VALUE,
	UNWIND_EXPR_CUT, /* it reads memory behind the copy of the stack */
	UNWIND_EXPR_BAD, /* it is damaged, or asks for what is not known */
};

/**
 * Evaluates @expr with @regs and @stack; its stack begins with *@first, unless that is NULL. Steps
 * and depth have limits, whatever is in it. *@value is set with UNWIND_EXPR_VALUE.
 */
enum unwind_expr_end unwind_expr(struct span expr, const struct unwind_regs *regs,
				 const struct unwind_stack *stack, const uint64_t *first,
				 uint64_t *value);

#endif
