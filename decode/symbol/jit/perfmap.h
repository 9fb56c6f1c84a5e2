/*
 * What a JIT compiler tells of its code while it runs: the text of /tmp/perf-PID.map, in hex
 * (tools/perf/Documentation/jit-interface.txt).
 *
 *	7f52a0c0 1f4 JS:*hot script.js:2:13
 *
 * Lines are appended only: code that took the place of older code comes later in the file.
 */
#ifndef READPERF_DECODE_SYMBOL_JIT_PERFMAP_H
#define READPERF_DECODE_SYMBOL_JIT_PERFMAP_H

#include "decode/symbol/elf/symtab.h"

#include <stddef.h>

/**
 * Fills and builds @table with the code that the @size bytes of @text (NUL-terminated) tell of. An
 * address belongs to the last line that covers it. Lines that tell of no code are skipped. The
 * names lie in @text, which is changed and must live as long. Returns -1 if memory is out.
 */
int perfmap_read(struct symtab *table, char *text, size_t size);

#endif
