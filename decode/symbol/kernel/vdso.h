/* Loads the symbols of the vdso from this process's own vdso if it is the recorded one. */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_VDSO_H
#define READPERF_DECODE_SYMBOL_KERNEL_VDSO_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/** Fills the empty @binary for @dso, a DSO_VDSO; as user_load(). */
int vdso_load(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
