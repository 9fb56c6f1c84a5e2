/* Loads the symbols of the kernel itself, from its vmlinux or else from kallsyms. */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_VMLINUX_H
#define READPERF_DECODE_SYMBOL_KERNEL_VMLINUX_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/** Fills the empty @binary for @dso, a DSO_KERNEL; as user_load(). */
int vmlinux_load(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
