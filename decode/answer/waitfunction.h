/* In which function a thread waits, by its call path: of the program, and of the kernel. */
#ifndef READPERF_DECODE_ANSWER_WAITFUNCTION_H
#define READPERF_DECODE_ANSWER_WAITFUNCTION_H

#include "decode/count/addressrows.h"
#include "decode/results/functionrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A call path, as the functions of its addresses; the outermost address first. */
struct wait_stack {
	const struct function_stat *functions; /* by row number */
	struct row_list *frames;
	size_t nr, room;
};

/** Where a thread waits. */
struct wait_function {
	size_t frame;	 /* of the stack: where the function is */
	uint32_t row;	 /* the function */
	uint32_t within; /* row of the kernel's function that waits; ADDRESS_ROWS_NONE: unknown */
};

/**
 * Returns where the thread with @stack, of at least one frame, waits: in the innermost function
 * that is not the kernel's or, if there is none, in the kernel's that called the scheduler.
 */
struct wait_function wait_function_of(const struct wait_stack *stack);

#endif
