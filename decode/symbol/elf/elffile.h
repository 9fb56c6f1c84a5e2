/*
 * An ELF file as a set of sections and segments: where they are, and their bytes.
 *
 * elffile.c alone talks to libelf. Everything that is read from the bytes of a section goes through
 * a span, so a damaged file ends in a missing answer.
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

/** A section's header; addresses are the file's own virtual ones, sizes in bytes. */
struct elffile_section {
	const char *name; /* lives as long as the file; "" if it has none that can be read */
	uint32_t type;	  /* SHT_ */
	uint64_t flags;	  /* SHF_ */
	uint64_t addr, offset, size;
	uint64_t align, entsize;
	uint32_t link, info;
	bool unplaced;	/* of a relocatable file: nobody knows where it was loaded */
	bool is_zdebug; /* packed in the old way of GNU's, and was not asked for yet */
	void *unpacked; /* its bytes, if they are a heap block of the file's */
};

/** A PT_LOAD segment: bytes [offset, offset + size) of the file are loaded at addr. */
struct elffile_segment {
	uint64_t offset, size, addr;
	bool executable;
	bool is_whole; /* all of its memory comes from the file, which in a debug file is not so */
};

struct elffile {
	struct Elf *elf; /* libelf's handle */
	void *image;	 /* the bytes, if they are the file's own heap block */
	bool is_64bit, swap;
	bool is_relocatable; /* ET_REL: symbols count from the start of their section */
	bool is_truncated;   /* it ends before its section headers or a section do */
	bool is_bloated;     /* what is packed in it stays so; its DWARF is not read */
	uint16_t machine;    /* EM_ */
	struct elffile_section *sections; /* by section number; [0] is the null section */
	size_t nr_sections;
	struct elffile_segment *segments;
	size_t nr_segments;
	uint8_t build_id[DSO_BUILD_ID_MAX];
	size_t build_id_len; /* bytes; 0 if the file has none */
	/* Where a mapped file lies, set and owned by whoever opened it, and how it was then. */
	const char *root, *path; /* path NULL: not known, or its bytes are no file's */
	struct file_stamp stamp;
	const void *packed; /* instead of a file: the bytes of an archive that it was made of */
	bool has_crc;
	uint32_t crc;	  /* of all of its file, if that was asked for */
	unsigned sharers; /* who will close it, besides the first */
};

/**
 * Reads the headers of the ELF file behind @fd, which is closed in any case: the bytes stay mapped.
 * Returns NULL if it is no ELF file that can be used, or with *@nomem set if memory is out.
 */
struct elffile *elffile_open(int fd, bool *nomem);

/** As elffile_open() for the @size bytes at @image, which must live as long. */
struct elffile *elffile_from_memory(void *image, size_t size, bool *nomem);

/** As elffile_from_memory() for a heap block, which is freed with the file or, if it fails, now. */
struct elffile *elffile_adopt(void *image, size_t size, bool *nomem);

/** Whether the file was written or cut since it was opened: its bytes have changed then. */
bool elffile_has_changed(const struct elffile *file);

/** Returns @file for another user of the same thread, who closes it too. */
struct elffile *elffile_share(struct elffile *file);

/** NULL is fine. */
void elffile_close(struct elffile *file);

/** The bytes of section @number, uncompressed; an empty span if it has none. */
struct span elffile_section_bytes(const struct elffile *file, size_t number);

/**
 * Puts the heap block @bytes, of the same size, in the place of the bytes of section @number. The
 * block is freed with the file or, if that fails, at once. Returns false if it fails.
 */
bool elffile_replace_section(const struct elffile *file, size_t number, void *bytes);

/** The number of the first section called @name that has bytes in the file, or 0. */
size_t elffile_section_named(const struct elffile *file, const char *name);

/** True if the file holds the code itself, or at least says where it was: not a mere debug file. */
bool elffile_has_code(const struct elffile *file);

/** Translates a byte @offset in the file to the virtual address it is loaded at. */
bool elffile_offset_to_address(const struct elffile *file, uint64_t offset, uint64_t *address);

/** True if the file's build id is known and the recorded @build_id of @len bytes. */
bool elffile_has_build_id(const struct elffile *file, const uint8_t *build_id, size_t len);

#endif
