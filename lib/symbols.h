/* The part of the symbols that replays use, too. */
#ifndef READPERF_LIB_SYMBOLS_H
#define READPERF_LIB_SYMBOLS_H

#include "lib/handles.h"

/** Frees what lookups have left in @symbols, not the symbolizer. */
void symbols_end(struct readperf_symbols *symbols);

#endif
