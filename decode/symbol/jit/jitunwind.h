/* How to unwind the code of a jitdump, as far as its compiler has written that down. */
#ifndef READPERF_DECODE_SYMBOL_JIT_JITUNWIND_H
#define READPERF_DECODE_SYMBOL_JIT_JITUNWIND_H

#include "decode/symbol/cfi/cfi.h"
#include "decode/symbol/dso.h"

#include <stdbool.h>
#include <stdint.h>

struct jit_unwind;

/** Reads the dump of @dso, a DSO_JITDUMP. NULL if it cannot be used, or with *@nomem: no memory. */
struct jit_unwind *jit_unwind_open(const struct dso *dso, bool *nomem);

/** EM_ of its code. */
uint16_t jit_unwind_machine(const struct jit_unwind *jit);

/** As cfi_find() for the code at byte @place of the dump. */
bool jit_unwind_find(const struct jit_unwind *jit, uint64_t place, struct cfi_row *row,
		     enum cfi_source *source);

/** NULL is fine. */
void jit_unwind_close(struct jit_unwind *jit);

#endif
