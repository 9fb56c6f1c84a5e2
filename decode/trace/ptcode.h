/*
 * Blocks of code: what is executed from an address up to the first branch, and where that leads to.
 * Each is read once.
 */
#ifndef READPERF_DECODE_TRACE_PTCODE_H
#define READPERF_DECODE_TRACE_PTCODE_H

#include "decode/trace/ptimage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A block. All zero is none. */
struct ptcode {
	uint64_t ip;	  /* address of its first instruction */
	uint64_t target;  /* where its branch leads to; 0: the trace tells */
	uint32_t section; /* number of what it lies in */
	uint16_t nr;	  /* instructions; 0: it is not known */
	uint16_t end;	  /* bytes from its first instruction to the last one, its branch */
	uint8_t end_size; /* bytes of that */
	uint8_t flow;	  /* enum ptstep_flow */
	bool sets_cr3;	  /* an instruction before its branch does */
};

/** The address behind its branch. */
static inline uint64_t ptcode_behind(const struct ptcode *code)
{
	return code->ip + code->end + code->end_size;
}

/** Blocks that are known. */
struct ptcodes;

/** Starts, for ptcode_close(). NULL if memory is out. */
struct ptcodes *ptcode_open(void);

void ptcode_close(struct ptcodes *codes);

/**
 * The block at @ip of @image, valid until the next call; NULL if it cannot be told: the code is not
 * known, too long, or has what the trace alone does not explain. All images are of the same
 * sections.
 */
const struct ptcode *ptcode_get(struct ptcodes *codes, struct ptimage *image, uint64_t ip);

/** The part of a block that was executed. */
struct ptcode_part {
	uint64_t end_ip;  /* address of its last instruction */
	uint64_t next_ip; /* behind it */
	uint32_t nr;	  /* instructions */
};

/**
 * Sets *@part to the instructions from @ip up to the first one of its block that sets CR3. Returns
 * false if there is none.
 */
bool ptcode_cut_at_cr3(struct ptcodes *codes, const struct ptimage *image, uint64_t ip,
		       struct ptcode_part *part);

/**
 * Sets *@part to the instructions from @ip up to the one before @until, which is in the same block.
 * Returns false if no instruction begins there.
 */
bool ptcode_cut(struct ptcodes *codes, const struct ptimage *image, uint64_t ip, uint64_t until,
		struct ptcode_part *part);

#endif
