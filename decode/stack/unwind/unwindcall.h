/*
 * Whether a call returns to an address: what no CFI has confirmed as a return address may be any
 * word of the stack, such as a pointer to a function.
 */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWINDCALL_H
#define READPERF_DECODE_STACK_UNWIND_UNWINDCALL_H

#include "decode/stack/unwind/unwindarch.h"

#include <stdbool.h>
#include <stdint.h>

/** Bytes of code that are looked at: before the address, and with what is at it. */
enum { UNWIND_CALL_BEFORE = 7, UNWIND_CALL_BYTES = 8 };

/** True if the calls of @arch are known. */
bool unwind_call_knows(const struct unwind_arch *arch);

/** Bytes of code that are looked at for a system call: a trampoline has nothing else. */
enum { UNWIND_CALL_SYSTEM = 9 };

/** True if @code, of UNWIND_CALL_SYSTEM bytes, calls the kernel of x86. */
bool unwind_call_is_system(const uint8_t *code);

/** True if the bytes before @at, which is between those of the code, may be a call of x86. */
bool unwind_call_returns(const uint8_t *at);

#endif
