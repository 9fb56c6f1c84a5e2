/*
 * A row of call frame information in a few bytes: what it takes to step from a frame to its caller,
 * as nearly all code of x86-64 and arm64 has it. Other rows stay rows: see CFI_RULE_ROW.
 */
#ifndef READPERF_DECODE_SYMBOL_CFI_CFIRULE_H
#define READPERF_DECODE_SYMBOL_CFI_CFIRULE_H

#include "decode/symbol/cfi/cfirow.h"

#include <stdbool.h>
#include <stdint.h>

enum cfi_rule_kind {
	CFI_RULE_NONE,	    /* no CFI covers the address */
	CFI_RULE_STEP,	    /* the rest of the rule says how */
	CFI_RULE_ROW,	    /* it takes all registers: cfi_run() has the row */
	CFI_RULE_OUTERMOST, /* nothing calls the function */
};

/** Where a value is, by registers of the frame: SP, FP. */
enum cfi_place_of {
	CFI_IN_PLACE, /* it is what it was: FP, or the return address in the link register */
	CFI_LOST,     /* nobody needs it any more */
	CFI_BY_SP,    /* the CFA: SP plus the offset */
	CFI_BY_FP,    /* the CFA: FP plus the offset */
	CFI_MEM_CFA,  /* in memory, at the CFA plus the offset */
	CFI_MEM_SP,   /* in memory, at SP plus the offset */
	CFI_MEM_FP,   /* in memory, at FP plus the offset */
};

struct cfi_rule {
	uint8_t kind : 4;      /* enum cfi_rule_kind */
	uint8_t source : 3;    /* enum cfi_source */
	uint8_t is_signal : 1; /* of a trampoline of signal handlers: its caller was interrupted */
	uint8_t cfa, ra, fp;   /* enum cfi_place_of */
	int32_t cfa_offset, ra_offset, fp_offset; /* bytes */
};

/** True if frames of @machine (EM_) have rules; those of others have rows alone. */
bool cfi_rule_knows(uint16_t machine);

/** The rule of @row for the code of @machine at @address; all but its source is set. */
struct cfi_rule cfi_rule_make(const struct cfi_row *row, uint16_t machine, uint64_t address);

#endif
