/*
 * Which FDE of a section covers an address: by the sorted table that the linker has made
 * (.eh_frame_hdr), or else by one of our own.
 */
#ifndef READPERF_DECODE_SYMBOL_CFI_CFIINDEX_H
#define READPERF_DECODE_SYMBOL_CFI_CFIINDEX_H

#include "decode/symbol/cfi/cfisection.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The linker's table: pairs of 4 bytes, where code begins and where its FDE is. */
struct cfi_table {
	struct span entries;
	size_t nr;
	uint64_t base; /* address that both count from */
};

/** The same, divided: all entries of an address are in one stretch of code, or before it. */
struct cfi_stretches {
	uint64_t first; /* address; each has 1 << shift bytes from there on */
	unsigned shift;
	size_t nr;
	uint32_t up_to[]; /* by stretch, and of the end: how many entries begin before it */
};

/** Where an FDE of our own table is. */
struct cfi_place {
	uint64_t start;	 /* of the code */
	uint64_t offset; /* of the FDE; bytes from the section's start */
};

struct cfi_index {
	const struct cfi_section *section;
	struct cfi_table table; /* nr 0: there is none, or it was found to be wrong */
	bool is_checked;	/* that the table is in order */
	size_t nr_found;	/* so often an address was found in it */
	struct cfi_stretches *_Atomic stretches; /* NULL: it was not divided */
	bool is_walked;				 /* our own table has been made */
	struct cfi_place *places;		 /* by ascending start */
	size_t nr_places, room;
};

/**
 * Sets *@address to where .eh_frame is, as the bytes of .eh_frame_hdr say, which is at @hdr_addr.
 * Returns false if they do not.
 */
bool cfi_index_eh_frame(struct span hdr, uint64_t hdr_addr, bool is_64bit, uint64_t *address);

/**
 * Begins to index @section, which must live as long. @hdr: the bytes of .eh_frame_hdr, which is at
 * the address @hdr_addr; an empty span if there is none.
 */
void cfi_index_init(struct cfi_index *index, const struct cfi_section *section, struct span hdr,
		    uint64_t hdr_addr);

/**
 * Finds the FDE that covers @address. Returns 1, 0 if there is none, -1 if memory is out. The first
 * address that the linker's table does not cover has it checked once; where it is wrong, all FDEs
 * are read once.
 */
int cfi_index_find(struct cfi_index *index, uint64_t address, struct cfi_fde *fde);

/**
 * Whether the linker's table was found to be in order, and divided, as it is once many addresses
 * were found in it. Then cfi_index_number() may be called while another thread uses @index.
 */
bool cfi_index_is_settled(const struct cfi_index *index);

/**
 * The number in the linker's table, from 0, of the last FDE that begins at @address or before: if
 * the table is right, no other covers @address. SIZE_MAX if there is no table, or no such FDE.
 */
size_t cfi_index_number(const struct cfi_index *index, uint64_t address);

/**
 * Returns 1 if @address is in a gap: no FDE covers it, but some begin before it and some after.
 * Sets *@before to how many begin before, which identifies the gap. Returns 0 otherwise, -1 if
 * memory is out.
 */
int cfi_index_gap(struct cfi_index *index, uint64_t address, size_t *before);

void cfi_index_free(struct cfi_index *index);

#endif
