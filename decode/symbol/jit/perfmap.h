/*
 * Reads a perf map, the text file /tmp/perf-PID.map that a JIT compiler writes while it runs:
 * start, size (both hexadecimal) and name (tools/perf/Documentation/jit-interface.txt).
 *
 *	7f52a0c0 1f4 JS:*hot script.js:2:13
 *
 * Lines are only appended: code that replaces older code comes later in the file.
 */
#ifndef READPERF_DECODE_SYMBOL_JIT_PERFMAP_H
#define READPERF_DECODE_SYMBOL_JIT_PERFMAP_H

#include "decode/symbol/elf/symtab.h"

#include <stddef.h>

/**
 * Fills and builds @table with the code in the @size bytes of @text (NUL-terminated). An address
 * belongs to the last line that covers it. Malformed lines are skipped. The names point into @text,
 * which is modified and must outlive @table. Returns -1 if memory is out.
 */
int perfmap_read(struct symtab *table, char *text, size_t size);

#endif
