/*
 * Code that came to the kernel after its start: the symbols of a module, out of kallsyms or of its
 * own file, which has its DWARF too; and code that was made at run time.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_MODULE_H
#define READPERF_DECODE_SYMBOL_KERNEL_MODULE_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/** Fills @binary, which is empty, for @dso, a DSO_MODULE; as user_load(). */
int module_load(struct binary *binary, const struct dso *dso, struct load_context *context);

/** As module_load() for a DSO_KSYMBOL, which the recording itself names. */
int module_load_ksymbol(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
