/* The bytes of sections that are compressed (SHF_COMPRESSED). */
#ifndef READPERF_DECODE_SYMBOL_ELF_ELFPACKED_H
#define READPERF_DECODE_SYMBOL_ELF_ELFPACKED_H

#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Unpacks @section, which begins with an Elf64_Chdr if @is_64bit, else with an Elf32_Chdr.
 *
 * @return the bytes, owned by the caller, with their number in *@size; NULL if they cannot be
 * unpacked here (libelf may be able to), are not exactly as many as announced, or memory is out.
 */
void *elfpacked_open(struct span section, bool is_64bit, uint64_t *size);

/**
 * Unpacks only the first @size bytes of @section, which is as for elfpacked_open().
 *
 * @return the bytes, owned by the caller; NULL if they cannot be unpacked alone (zlib's can), are
 * fewer, or memory is out.
 */
void *elfpacked_start(struct span section, bool is_64bit, uint64_t size);

#endif
