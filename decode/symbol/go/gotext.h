/* Where the code of a Go program begins, from which its table of functions counts. */
#ifndef READPERF_DECODE_SYMBOL_GO_GOTEXT_H
#define READPERF_DECODE_SYMBOL_GO_GOTEXT_H

#include "decode/symbol/elf/elffile.h"
#include "util/span.h"

#include <stdint.h>

/** Reads an address of @bytes bytes, 4 or 8. */
static inline uint64_t gotext_word(struct span *s, unsigned bytes)
{
	return bytes == 8 ? span_u64(s) : span_u32(s);
}

/**
 * The address from which the @table of @file counts, as those of Go 1.18 and newer do; its
 * addresses have @word bytes. @start is what its header says: 0 since Go 1.26, and where that is
 * written when the program is loaded. Returns 0 if nothing tells.
 */
uint64_t gotext_find(const struct elffile *file, struct span table, uint64_t start, unsigned word);

#endif
