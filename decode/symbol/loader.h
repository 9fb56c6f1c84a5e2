/* Which file of decode/symbol/ loads the symbols of which kind of dso: the table in loader.c. */
#ifndef READPERF_DECODE_SYMBOL_LOADER_H
#define READPERF_DECODE_SYMBOL_LOADER_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

/**
 * Fills @binary, which is empty, with what is known of @dso, or refuses it with a reason. Returns
 * -1 if memory is out.
 */
int loader_load(struct binary *binary, const struct dso *dso, struct load_context *context);

#endif
