/*
 * A row of call frame information: where the caller's registers are, for some addresses of a
 * function.
 *
 * The instructions of an FDE are a program that makes such rows, one after another (DWARF
 * 5, 6.4.2).
 */
#ifndef READPERF_DECODE_SYMBOL_CFI_CFIROW_H
#define READPERF_DECODE_SYMBOL_CFI_CFIROW_H

#include "decode/symbol/cfi/cfisection.h"

#include <stdbool.h>
#include <stdint.h>

/* Registers by DWARF number; of 66 and above none is needed to unwind. The return address of
 * PowerPC is 65, of s390 14. */
enum { CFI_NR_REGS = 66 };

enum cfi_how {
	CFI_UNSET,     /* the CFI does not say */
	CFI_UNDEFINED, /* it cannot be restored; of the return address: there is no caller */
	CFI_SAME,      /* the register has it still */
	CFI_AT_CFA,    /* in memory at the CFA plus the offset */
	CFI_IS_CFA,    /* it is the CFA plus the offset */
	CFI_REGISTER,  /* in another register; of the CFA: that register plus the offset */
	CFI_AT_EXPR,   /* in memory at what the expression gives */
	CFI_IS_EXPR,   /* it is what the expression gives */
};

/** Where one value is. */
struct cfi_value {
	uint8_t how;	   /* enum cfi_how */
	uint8_t reg;	   /* CFI_REGISTER: its DWARF number, less than CFI_NR_REGS */
	uint32_t expr_len; /* bytes */
	union {
		int64_t offset;	     /* bytes */
		const uint8_t *expr; /* lives as long as the section */
	};
};

/** The CFA (canonical frame address) is the stack pointer before the call. */
struct cfi_row {
	uint64_t start, end; /* the addresses [start, end) it holds for */
	struct cfi_value cfa;
	struct cfi_value regs[CFI_NR_REGS];
	uint8_t ra_column; /* number of the return address, less than CFI_NR_REGS */
	bool is_signal;	   /* the frame of a signal handler's trampoline */
	bool swap, is_64bit;
};

/**
 * Runs the instructions of @fde, an FDE of @section, up to the row that holds for @address, which
 * lies in [fde->start, fde->end). False if they are damaged.
 */
bool cfi_run(const struct cfi_section *section, const struct cfi_fde *fde, uint64_t address,
	     struct cfi_row *row);

#endif
