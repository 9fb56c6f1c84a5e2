/* The symbols of a jitdump: code by its place in the dump, with its source. */
#ifndef READPERF_DECODE_SYMBOL_JIT_DUMPSYMBOLS_H
#define READPERF_DECODE_SYMBOL_JIT_DUMPSYMBOLS_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/** Fills @binary, which is empty, for @dso, a DSO_JITDUMP; as user_load(). */
int dumpsymbols_load(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
