/*
 * The sections and segments of an ELF file: their headers and bytes.
 *
 * Only elffile.c uses libelf. The bytes of a section are read through a span, so damage in a file
 * makes results missing, never a read out of bounds.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_ELFFILE_H
#define READPERF_DECODE_SYMBOL_ELF_ELFFILE_H

#include "decode/symbol/dso.h"
#include "decode/symbol/file/file.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;

/** A section header. Addresses are the file's own virtual ones, sizes are in bytes. */
struct elffile_section {
	const char *name; /* valid as long as the file; "" if it cannot be read */
	uint32_t type;	  /* SHT_ */
	uint64_t flags;	  /* SHF_ */
	uint64_t addr, offset, size;
	uint64_t align, entsize;
	uint32_t link, info;
	bool unplaced;	/* in a relocatable file: its load address is unknown */
	bool is_zdebug; /* in GNU's old compressed format (.zdebug_*), and still packed */
	void *unpacked; /* its bytes if they are a heap block owned by the file, else NULL */
	/* The same for its first bytes, while it is packed: each time more than before. */
	struct elffile_start {
		void *bytes;
		uint64_t size;
	} starts[4];
	size_t nr_starts;
};

/** A PT_LOAD segment: bytes [offset, offset + size) of the file are loaded at addr. */
struct elffile_segment {
	uint64_t offset, size, addr;
	bool executable;
	bool is_whole; /* file and memory size are equal and not 0; mostly false in a debug file */
};

struct elffile {
	struct Elf *elf; /* libelf's handle */
	void *image;	 /* the bytes if they are a heap block owned by the file, else NULL */
	bool is_64bit, swap;
	bool is_relocatable; /* ET_REL: symbol values are offsets in their sections */
	bool is_truncated;   /* its section headers or a section reach past its end */
	bool is_bloated; /* too costly to read: packed sections stay packed, DWARF is not read */
	/* Set by the user while longer starts of sections may be asked for later: some more is
	 * unpacked than is asked for. */
	bool expects_more;
	uint16_t machine;		  /* EM_ */
	struct elffile_section *sections; /* by section number; [0] is the null section */
	size_t nr_sections;
	struct elffile_segment *segments;
	size_t nr_segments;
	uint8_t build_id[DSO_BUILD_ID_MAX];
	size_t build_id_len; /* bytes; 0 if the file has none */
	/*
	 * The path of a mapped file, seen from root, set and owned by the opener, and its stamp
	 * when opened.
	 */
	const char *root, *path; /* path: NULL if unknown, or if the bytes are not a file's */
	struct file_stamp stamp;
	const void *packed; /* the bytes in an archive that it was made from, else NULL */
	bool has_crc;
	uint32_t crc;	  /* CRC-32 of the whole file, if has_crc */
	unsigned sharers; /* users that will close it, besides the first */
};

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
 * Returns the uncompressed bytes of section @number, empty if it has none or cannot be unpacked.
 * Valid until elffile_replace_section() or elffile_close().
 */
struct span elffile_section_bytes(const struct elffile *file, size_t number);

/** Returns how many bytes elffile_section_bytes() would have; unpacks nothing. 0 if unreadable. */
uint64_t elffile_section_size(const struct elffile *file, size_t number);

/**
 * Returns the first @size uncompressed bytes of section @number, all if it has fewer. Unpacks no
 * more than these if that is possible and was not done several times before with fewer. Valid until
 * elffile_replace_section() or elffile_close().
 */
struct span elffile_section_start(const struct elffile *file, size_t number, uint64_t size);

/** Returns how many bytes of sections were unpacked so far. */
size_t elffile_unpacked(const struct elffile *file);

/**
 * Replaces the bytes of section @number by the heap block @bytes of the same size. The block is
 * freed with the file, or at once on failure. Returns false on failure.
 */
bool elffile_replace_section(const struct elffile *file, size_t number, void *bytes);

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
