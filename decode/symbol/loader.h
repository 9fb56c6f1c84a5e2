/* Chooses the loader for each kind of dso; the table is in loader.c. */
#ifndef READPERF_DECODE_SYMBOL_LOADER_H
#define READPERF_DECODE_SYMBOL_LOADER_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/** Fills the empty @binary for @dso, or sets the reason why it cannot. -1 if memory is out. */
int loader_load(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
