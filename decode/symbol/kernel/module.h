/*
 * Loads the symbols of code added to the kernel at run time: modules, from kallsyms or their own
 * files, which also have the DWARF; and generated code.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_MODULE_H
#define READPERF_DECODE_SYMBOL_KERNEL_MODULE_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/** Fills the empty @binary for @dso, a DSO_MODULE; as user_load(). */
int module_load(struct binary *binary, const struct dso *dso, struct load_context *context);

/** As module_load() for a DSO_KSYMBOL, whose name is its path in the recording. */
int module_load_ksymbol(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
