/* Links from an ELF file to the files that hold its debug information: names, and their proof. */
#ifndef READPERF_DECODE_SYMBOL_FIND_LINK_H
#define READPERF_DECODE_SYMBOL_FIND_LINK_H

#include "decode/symbol/elf/elffile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The name of the debug file in .gnu_debuglink, which lives in @file, with the CRC-32 of that file
 * in *@crc; NULL if there is none. (gdb's manual, "Separate Debug Files")
 */
const char *link_debug(const struct elffile *file, uint32_t *crc);

/**
 * The name of the file that dwz moved shared DWARF into, which lives in @file, with that file's id
 * in *@id and *@len: .gnu_debugaltlink (dwz(1)) or .debug_sup (DWARF 5, section 7.3.6). NULL if
 * there is none. The name is absolute, or counts from the directory that @file is in.
 */
const char *link_alternate(const struct elffile *file, const uint8_t **id, size_t *len);

/** True if @file is the one with the @id of @len bytes that link_alternate() gave. */
bool link_is_alternate(const struct elffile *file, const uint8_t *id, size_t len);

#endif
