/*
 * An ELF file: the headers of its sections and segments, and bytes by their addresses.
 *
 * Only elffile.c and elfsection.c use libelf. Bytes are read through a span, so damage in a file
 * makes results missing, never a read out of bounds.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_ELFFILE_H
#define READPERF_DECODE_SYMBOL_ELF_ELFFILE_H

#include "decode/symbol/elf/elftypes.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Reads the headers of the ELF file open as @fd and maps its bytes; closes @fd in any case. Returns
 * NULL if it is not a usable ELF file, or with *@nomem set if memory is out. The caller closes the
 * result.
 */
struct elffile *elffile_open(int fd, bool *nomem);

/** As elffile_open() for the @size bytes at @image, which must stay valid until elffile_close(). */
struct elffile *elffile_from_memory(void *image, size_t size, bool *nomem);

/**
 * As elffile_from_memory() for a heap block, which is freed with the file, or at once on failure.
 */
struct elffile *elffile_adopt(void *image, size_t size, bool *nomem);

/**
 * True if the file was written or truncated since it was opened: its bytes may have changed.
 * False for NULL.
 */
bool elffile_has_changed(const struct elffile *file);

/** Returns @file for another user in the same thread, who must close it too. */
struct elffile *elffile_share(struct elffile *file);

/** Closes the file, if no other user shares it. @file may be NULL. */
void elffile_close(struct elffile *file);

/**
 * Returns the bytes of the file that are loaded at @addr and up to the end of its segment, empty if
 * no segment has them. Valid until elffile_close().
 */
struct span elffile_bytes_at(const struct elffile *file, uint64_t addr);

/** As elffile_bytes_at(), but empty unless @addr is in an executable segment. */
struct span elffile_code_at(const struct elffile *file, uint64_t addr);

/** The bytes of the whole file. Valid until elffile_close(). */
struct span elffile_image(const struct elffile *file);

/** True for a debug file that leaves out the bytes of its code. */
bool elffile_lacks_code(const struct elffile *file);

/**
 * Sets *@addr to where PT_GNU_EH_FRAME says that .eh_frame_hdr is loaded, as files without section
 * headers say it, too. Returns false if there is none.
 */
bool elffile_eh_frame_hdr(const struct elffile *file, uint64_t *addr);

/** Returns the number of the first section called @name that has bytes in the file, or 0. */
size_t elffile_section_named(const struct elffile *file, const char *name);

/**
 * True if the file has executable segments, all of them whole (is_whole): false for a debug file
 * with emptied segments.
 */
bool elffile_has_code(const struct elffile *file);

/**
 * Sets *@address to the virtual address of byte @offset in the file, preferably in an executable
 * segment. Returns false if no segment has it.
 */
bool elffile_offset_to_address(const struct elffile *file, uint64_t offset, uint64_t *address);

/**
 * True if the file has a build id that equals the recorded @build_id of @len bytes, which may be
 * padded with zeros.
 */
bool elffile_has_build_id(const struct elffile *file, const uint8_t *build_id, size_t len);

#endif
