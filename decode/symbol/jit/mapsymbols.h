/*
 * Loads the symbols of anonymous memory with JIT code: from /tmp/perf-PID.map, or from a jitdump
 * that its process was still writing.
 */
#ifndef READPERF_DECODE_SYMBOL_JIT_MAPSYMBOLS_H
#define READPERF_DECODE_SYMBOL_JIT_MAPSYMBOLS_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

#include <stdint.h>

/** Fills the empty @binary for @dso, a DSO_JIT; as user_load(). */
int mapsymbols_load(struct binary *binary, const struct dso *dso, struct load_context *context);

/**
 * Returns a hash of the state of all files that may have the names of @dso, a DSO_JIT. While it is
 * the same, loading again gives nothing new. Opens none of the files.
 */
uint64_t mapsymbols_state(const struct dso *dso, const struct load_context *context);

#endif
