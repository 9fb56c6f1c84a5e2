/*
 * What a CoreSight trace tells before it is known whether it was executed: the processor speculates
 * on where branches lead, and the trace tells later whether it was right.
 */
#ifndef READPERF_DECODE_TRACE_CSWAITING_H
#define READPERF_DECODE_TRACE_CSWAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cswaiting_kind {
	CSWAITING_BRANCH,      /* @flag: taken */
	CSWAITING_BRANCH_AT,   /* taken, at @value */
	CSWAITING_EXCEPTION,   /* at @value; @flag: a branch led there */
	CSWAITING_RESET,       /* an exception of which no address is known */
	CSWAITING_PATHLESS,    /* any code */
	CSWAITING_TRANSACTION, /* it begins */
	/* Those before are instructions, and speculated on; those from here on are not. */
	CSWAITING_ADDRESS, /* @value */
	CSWAITING_MODE,	   /* @flag: the code is A64 */
	CSWAITING_THREAD,  /* @value */
	CSWAITING_ON,
	CSWAITING_TIME,	  /* @value */
	CSWAITING_CYCLES, /* @value */
};

struct cswaiting_item {
	uint8_t kind; /* enum cswaiting_kind */
	bool flag;
	uint32_t at; /* byte of the trace, modulo 2^32 */
	uint64_t value;
};

/** All zero is empty. */
struct cswaiting {
	struct cswaiting_item *list;
	size_t first, end, room; /* those that wait are list[first, end) */
	size_t nr;		 /* instructions that wait, with: */
	size_t nr_unseen;	 /* those before the trace was read; they are older */
};

/** Adds @item. Returns false if memory is out. */
bool cswaiting_add(struct cswaiting *waiting, const struct cswaiting_item *item);

/**
 * Takes the oldest item, if it waits for no more than @left instructions: what is no instruction
 * waits for none. Returns false if there is none.
 */
bool cswaiting_take(struct cswaiting *waiting, size_t left, struct cswaiting_item *item);

/** The newest @nr instructions were not executed. Returns false if there are fewer. */
bool cswaiting_cancel(struct cswaiting *waiting, size_t nr);

/**
 * The newest branch went the other way. Returns false if none is known to wait, or if more waits
 * behind it than in any trace.
 */
bool cswaiting_turn(struct cswaiting *waiting);

/** Nothing waits any more, but @nr_unseen. */
void cswaiting_clear(struct cswaiting *waiting, size_t nr_unseen);

void cswaiting_free(struct cswaiting *waiting);

#endif
