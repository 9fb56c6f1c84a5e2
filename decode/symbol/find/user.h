/* Loads the symbols of an ordinary ELF file. */
#ifndef READPERF_DECODE_SYMBOL_FIND_USER_H
#define READPERF_DECODE_SYMBOL_FIND_USER_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/**
 * Finds the files of @dso, a DSO_USER or DSO_VDSO, and fills the empty @binary, or sets the reason
 * why it cannot. Returns -1 if memory is out.
 */
int user_load(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
