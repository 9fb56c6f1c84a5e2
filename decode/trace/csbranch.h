/*
 * The instructions of A64 that a CoreSight trace tells of: branches, and a few others.
 *
 * Encodings from Arm DDI 0487, "Branches, exception generating and system instructions".
 */
#ifndef READPERF_DECODE_TRACE_CSBRANCH_H
#define READPERF_DECODE_TRACE_CSBRANCH_H

#include <stdbool.h>
#include <stdint.h>

enum csbranch_kind {
	CSBRANCH_NONE, /* the trace does not tell of it */
	CSBRANCH_DIRECT,
	CSBRANCH_CONDITIONAL,
	CSBRANCH_CALL,
	CSBRANCH_INDIRECT,
	CSBRANCH_INDIRECT_CALL,
	CSBRANCH_RETURN,
	CSBRANCH_EXCEPTION_RETURN,
	CSBRANCH_BARRIER, /* no branch, but it counts as one; so may waiting: */
	CSBRANCH_WAIT,
	CSBRANCH_INVALID, /* it is never executed */
};

struct csbranch {
	enum csbranch_kind kind;
	uint64_t target; /* of DIRECT, CONDITIONAL, CALL */
};

/** What the instruction @word at @address is. */
struct csbranch csbranch_read(uint32_t word, uint64_t address);

#endif
