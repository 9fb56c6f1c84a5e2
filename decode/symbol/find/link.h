/* Links from an ELF file to the files with its debug information: their names and proof. */
#ifndef READPERF_DECODE_SYMBOL_FIND_LINK_H
#define READPERF_DECODE_SYMBOL_FIND_LINK_H

#include "decode/symbol/elf/elffile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Returns the name of the debug file in .gnu_debuglink, a pointer into @file, with the CRC-32 of
 * that file in *@crc; NULL if there is none. (gdb's manual, "Separate Debug Files")
 */
const char *link_debug(const struct elffile *file, uint32_t *crc);

/**
 * Returns the name of the file that dwz moved shared DWARF into, with that file's id in *@id and
 * its length in *@len (2 to DSO_BUILD_ID_MAX); name and id point into @file. They are in
 * .gnu_debugaltlink (dwz(1)) or .debug_sup (DWARF 5, section 7.3.6). NULL if there is none. The
 * name is absolute or relative to the directory of @file.
 */
const char *link_alternate(const struct elffile *file, const uint8_t **id, size_t *len);

/** True if @file has the @id of @len bytes that link_alternate() returned. */
bool link_is_alternate(const struct elffile *file, const uint8_t *id, size_t len);

#endif
