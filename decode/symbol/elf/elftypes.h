/* What an open ELF file consists of: see elffile.h. */
#ifndef READPERF_DECODE_SYMBOL_ELF_ELFTYPES_H
#define READPERF_DECODE_SYMBOL_ELF_ELFTYPES_H

#include "decode/symbol/dso.h"
#include "decode/symbol/file/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;
struct helpers;

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
	uint64_t memory; /* bytes in memory, from addr on; those behind size are zero (.bss) */
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
	struct helpers *helpers; /* set by the user: who may help to unpack sections; or NULL */
	uint16_t machine;	 /* EM_ */
	uint64_t entry;		 /* address where a program starts; 0: nowhere */
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

#endif
