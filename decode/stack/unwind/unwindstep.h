/* One step from a frame to its caller, by the few registers that nearly all code needs. */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWINDSTEP_H
#define READPERF_DECODE_STACK_UNWIND_UNWINDSTEP_H

#include "decode/stack/unwind/unwindregs.h"
#include "decode/symbol/cfi/cfirule.h"

#include <stdbool.h>
#include <stdint.h>

struct unwind_frame {
	uint64_t pc, sp, fp, link;
	bool has_fp, has_link; /* their values are known */
	bool is_followed;      /* fp was read where another frame pointer led */
	bool exact;	       /* execution stood at pc; else a call returns to it */
};

enum unwind_step {
	UNWIND_STEP_CALLER,    /* the frame is its caller's now */
	UNWIND_STEP_OUTERMOST, /* it has none */
	UNWIND_STEP_CUT,       /* that is behind the end of the copy of the stack */
	UNWIND_STEP_BAD,       /* the rule does not fit registers and stack */
};

/** Follows @rule, a CFI_RULE_STEP, from @frame to its caller. */
enum unwind_step unwind_step_rule(struct unwind_frame *frame, const struct cfi_rule *rule,
				  const struct unwind_stack *stack);

/** Follows the frame pointer, or the chain of stack pointers, as code of @arch without CFI does. */
enum unwind_step unwind_step_record(struct unwind_frame *frame, const struct unwind_arch *arch,
				    const struct unwind_stack *stack);

/** Takes the return address off the top of the stack, as a function of x86 without a frame does. */
enum unwind_step unwind_step_return(struct unwind_frame *frame, const struct unwind_stack *stack);

#endif
