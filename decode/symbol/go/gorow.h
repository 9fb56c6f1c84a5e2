/* How to unwind the code of Go programs without call frame information, as their own runtime does.
 */
#ifndef READPERF_DECODE_SYMBOL_GO_GOROW_H
#define READPERF_DECODE_SYMBOL_GO_GOROW_H

#include "decode/symbol/cfi/cfirow.h"
#include "decode/symbol/go/gotable.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Finds the row for @address of @file, whose @table it is: what Go's linker writes to .debug_frame,
 * too, unless it is told to leave that out. False if no function is there, or of a machine that is
 * not known.
 */
bool gorow_find(const struct gotable *table, const struct elffile *file, uint64_t address,
		struct cfi_row *row);

/**
 * Corrects @row, which .debug_frame has for @address of @file, where the function there is one that
 * nothing calls, which not each release of Go writes, or the trampoline of its signal handlers.
 */
void gorow_correct(const struct gotable *table, const struct elffile *file, uint64_t address,
		   struct cfi_row *row);

#endif
