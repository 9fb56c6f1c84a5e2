/* Links from an ELF file to the files that hold its debug information: names, and their proof. */
#ifndef READPERF_DECODE_SYMBOL_LINK_H
#define READPERF_DECODE_SYMBOL_LINK_H

#include "decode/symbol/elf.h"

#include <stddef.h>
#include <stdint.h>

/**
 * The name of the debug file in .gnu_debuglink, which lives in @file, with the CRC-32 of that file
 * in *@crc; NULL if there is none. (gdb's manual, "Separate Debug Files")
 */
const char *link_debug(const struct elf_file *file, uint32_t *crc);

/**
 * The name of the file in .gnu_debugaltlink that dwz moved shared DWARF into, which lives in @file,
 * with its build id in *@build_id and *@len; NULL if there is none. The name is absolute, or counts
 * from the directory that @file is in. (dwz(1))
 */
const char *link_alternate(const struct elf_file *file, const uint8_t **build_id, size_t *len);

#endif
