/*
 * A section of call frame information (.eh_frame, .debug_frame) as a series of entries: CIEs, which
 * many functions share, and FDEs, one for each function.
 *
 * The layouts are those of DWARF 5, 6.4.1, and of the Linux Standard Base for .eh_frame. Every byte
 * is read through a span: an entry that is damaged is none.
 */
#ifndef READPERF_DECODE_SYMBOL_CFI_CFISECTION_H
#define READPERF_DECODE_SYMBOL_CFI_CFISECTION_H

#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** All zero is a section without bytes. */
struct cfi_section {
	struct span bytes;
	uint64_t addr;	  /* address of its first byte */
	uint64_t text;	  /* what DW_EH_PE_textrel counts from */
	uint64_t data;	  /* what DW_EH_PE_datarel counts from */
	bool is_eh;	  /* .eh_frame, else .debug_frame */
	bool is_64bit;	  /* addresses have 8 bytes, unless a CIE says otherwise */
	uint16_t machine; /* EM_ */
};

/** What functions have in common. */
struct cfi_cie {
	struct span instructions;
	uint64_t code_align;  /* factor of advances, in bytes */
	int64_t data_align;   /* factor of offsets, in bytes */
	uint64_t ra_column;   /* DWARF number of the return address */
	uint8_t encoding;     /* DW_EH_PE_ of the addresses in FDEs */
	uint8_t address_size; /* bytes, 4 or 8 */
	bool is_signal;	      /* the frames are those of signal handlers' trampolines */
	bool is_augmented;    /* FDEs have data between address and instructions */
};

/** The unwinding of the code at addresses [start, end). */
struct cfi_fde {
	struct cfi_cie cie;
	uint64_t start, end;
	struct span instructions;
};

/** A pointer encoded as DW_EH_PE_ @encoding at @s, a part of @section. Fails the span if it cannot
 * be read: it is indirect, or of no known form. */
uint64_t cfi_pointer(const struct cfi_section *section, struct span *s, uint8_t encoding,
		     unsigned address_size);

/** Reads the FDE at byte @offset of @section. False if there is none, or no whole one. */
bool cfi_read_fde(const struct cfi_section *section, uint64_t offset, struct cfi_fde *fde);

/**
 * Steps over the entry at byte *@offset of @section. False at the section's end or where the next
 * entry cannot be found.
 */
bool cfi_skip_entry(const struct cfi_section *section, uint64_t *offset);

#endif
