/*
 * Where a sample's call chain ends, and why: at the outermost function, or short of it.
 */
#ifndef READPERF_DECODE_STACK_CHAINEND_H
#define READPERF_DECODE_STACK_CHAINEND_H

#include "decode/stack/stacksettings.h"
#include "perffile/event.h"

#include <stdbool.h>

enum chain_end {
	CHAIN_COMPLETE,	   /* the outermost function was reached */
	CHAIN_RECORDED,	   /* where the recorder's own chain ends: it does not say why */
	CHAIN_STACK_CUT,   /* the copy of the stack ends */
	CHAIN_STACK_AWAY,  /* the same, before its time: the rest was not in memory */
	CHAIN_NO_CFI,	   /* nothing says how to unwind the code, and it has no frame pointer */
	CHAIN_NO_MAPPING,  /* a return address lies outside all code */
	CHAIN_BAD_FRAME,   /* registers or stack cannot be right */
	CHAIN_DEPTH_LIMIT, /* as many frames as were asked for, or as the kernel records */
	CHAIN_LBR_FULL,	   /* as many calls as the processor keeps */
	CHAIN_MISSING,	   /* the sample has no chain, or nothing readable of its user part */
	CHAIN_END_NR
};

/** The word for @end in tables: "complete", "stack-cut", ...; a constant. */
const char *chain_end_word(enum chain_end end);

/**
 * What the user part of the call chains of an event with @attr was recorded from, such as "frame
 * pointers"; a constant, NULL if there are no chains.
 */
const char *stack_chains_from(const struct attr *attr);

/**
 * What the user can do about chains that end so; part of a sentence, "" if there is nothing. The
 * event has @attr, and user parts come from @mode.
 */
const char *chain_end_advice(enum chain_end end, const struct attr *attr, enum user_part_mode mode);

/** Whether callers are known to be missing at @end. */
static inline bool chain_end_is_cut(enum chain_end end)
{
	return end != CHAIN_COMPLETE && end != CHAIN_RECORDED;
}

#endif
