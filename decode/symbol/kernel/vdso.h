/* Loads the symbols of the vdso from this process's own vdso if it is the recorded one. */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_VDSO_H
#define READPERF_DECODE_SYMBOL_KERNEL_VDSO_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/**
 * The image of this process if it is the one that was recorded as @dso, a DSO_VDSO, for the caller
 * to close. NULL if it is another one, or with *@nomem set if memory is out.
 */
struct elffile *vdso_open(const struct dso *dso, struct load_context *context, bool *nomem);

/** Fills the empty @binary for @dso, a DSO_VDSO; as user_load(). */
int vdso_load(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
