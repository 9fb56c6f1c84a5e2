/*
 * The rules of rows that were found before, by the FDE that they are of: most places that are new
 * are in a row that is not.
 */
#ifndef READPERF_DECODE_SYMBOL_CFI_CFIKNOWN_H
#define READPERF_DECODE_SYMBOL_CFI_CFIKNOWN_H

#include "decode/symbol/cfi/cfirule.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/** A row, for the addresses [start, end). */
struct cfi_known_row {
	uint64_t start, end;
	const struct cfi_rule *rule;
	uint32_t next; /* of the same FDE, added before: its number from 1; 0: there is none */
};

enum { CFI_KNOWN_BLOCKS = 13 };

/** All zero is empty. One thread at a time adds rows; others may look for some meanwhile. */
struct cfi_known {
	/* By the number of the FDE: its last row, from 1; 0: there is none. NULL: no FDE has any.
	 */
	_Atomic uint32_t *_Atomic newest;
	size_t nr_fdes;
	struct cfi_known_row *blocks[CFI_KNOWN_BLOCKS]; /* each twice as large as the one before */
	size_t nr;
};

/** The rule of the row of the FDE with number @fde that has @address; NULL if it is not known. */
const struct cfi_rule *cfi_known_find(const struct cfi_known *known, size_t fde, uint64_t address);

/**
 * Adds @row of the FDE with number @fde of @nr_fdes, which cfi_known_find() has not found. @rule is
 * borrowed: it must be that of all addresses of the row. Does nothing if memory is out, or if there
 * are too many: an FDE has sixteen at most.
 */
void cfi_known_add(struct cfi_known *known, size_t fde, size_t nr_fdes, const struct cfi_row *row,
		   const struct cfi_rule *rule);

void cfi_known_free(struct cfi_known *known);

#endif
