/*
 * The bytes of an ELF file's sections, unpacked when they are asked for.
 *
 * Sections are told by their number; 0 stands for none, whose bytes are empty. What is unpacked
 * belongs to the file, and stays until elfsection_replace() or elffile_close(). Functions for one
 * file are called by one thread at a time.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_ELFSECTION_H
#define READPERF_DECODE_SYMBOL_ELF_ELFSECTION_H

#include "decode/symbol/elf/elftypes.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELFSECTION_TOGETHER = 16 }; /* sections that elfsection_unpack() takes */

/** Returns the uncompressed bytes, empty if there are none or they cannot be unpacked. */
struct span elfsection_bytes(const struct elffile *file, size_t number);

/** Returns the bytes as they are in the file, unless they have been unpacked. */
struct span elfsection_raw(const struct elffile *file, size_t number);

/** Returns how many bytes elfsection_bytes() would have; unpacks nothing. 0 if unreadable. */
uint64_t elfsection_size(const struct elffile *file, size_t number);

/**
 * Returns the first @size uncompressed bytes, all if there are fewer. Unpacks no more than these if
 * that is possible and was not done several times before with fewer.
 */
struct span elfsection_start(const struct elffile *file, size_t number, uint64_t size);

/** Whether elfsection_start() would unpack all of the section because @size is nearly all. */
bool elfsection_start_is_whole(const struct elffile *file, size_t number, uint64_t size);

/**
 * Unpacks the @nr sections @numbers, ELFSECTION_TOGETHER at most, which will be asked for: several
 * at once, if file->helpers have nothing else to do.
 */
void elfsection_unpack(const struct elffile *file, const size_t *numbers, size_t nr);

/** Returns how many bytes of all sections were unpacked so far. */
size_t elfsection_unpacked(const struct elffile *file);

/**
 * Replaces the bytes by the heap block @bytes of the same size. The block is freed with the file,
 * or at once on failure. Returns false on failure.
 */
bool elfsection_replace(const struct elffile *file, size_t number, void *bytes);

/** Frees what was unpacked of @section, for elffile_close(). */
void elfsection_free(struct elffile_section *section);

#endif
