/* Loads the symbols of the kernel itself, from its vmlinux or else from kallsyms. */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_VMLINUX_H
#define READPERF_DECODE_SYMBOL_KERNEL_VMLINUX_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/** Fills the empty @binary for @dso, a DSO_KERNEL; as user_load(). */
int vmlinux_load(struct binary *binary, const struct dso *dso, struct load_context *context);

/** The address of the recorded reference symbol in @file minus the recorded one; 0 if unknown. */
uint64_t vmlinux_shift(const struct elffile *file, const struct dso *dso);

#endif
