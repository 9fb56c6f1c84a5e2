/* Loads the symbols of a jitdump: code by its offset in the dump, with its source. */
#ifndef READPERF_DECODE_SYMBOL_JIT_DUMPSYMBOLS_H
#define READPERF_DECODE_SYMBOL_JIT_DUMPSYMBOLS_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/** Fills the empty @binary for @dso, a DSO_JITDUMP; as user_load(). */
int dumpsymbols_load(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
