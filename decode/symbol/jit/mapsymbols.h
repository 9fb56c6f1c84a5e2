/*
 * The symbols of anonymous memory with code of a JIT compiler: of /tmp/perf-PID.map, or of a
 * jitdump that its process went on to write.
 */
#ifndef READPERF_DECODE_SYMBOL_JIT_MAPSYMBOLS_H
#define READPERF_DECODE_SYMBOL_JIT_MAPSYMBOLS_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

#include <stdint.h>

/** Fills @binary, which is empty, for @dso, a DSO_JIT; as user_load(). */
int mapsymbols_load(struct binary *binary, const struct dso *dso, struct load_context *context);

/**
 * A number for the state of all the files that may have the names of @dso, a DSO_JIT: as long as it
 * is the same, loading it again shows nothing new. Opens none of them.
 */
uint64_t mapsymbols_state(const struct dso *dso, const struct load_context *context);

#endif
