/* One step from a frame to its caller with all registers, as a row of CFI says. */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWINDROW_H
#define READPERF_DECODE_STACK_UNWIND_UNWINDROW_H

#include "decode/stack/unwind/unwindregs.h"
#include "decode/stack/unwind/unwindstep.h"
#include "decode/symbol/cfi/cfirow.h"

#include <stdbool.h>

/** Follows @row from the frame of @regs, which become the caller's, with its PC. @exact:
 * execution stood there. */
enum unwind_step unwind_row_step(struct unwind_regs *regs, const struct cfi_row *row,
				 const struct unwind_arch *arch, const struct unwind_stack *stack,
				 bool exact);

#endif
