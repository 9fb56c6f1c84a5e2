/*
 * Blocks of code: what is executed from an address up to the first branch, and where that leads to.
 * Each is read once.
 */
#ifndef READPERF_DECODE_TRACE_PTCODE_H
#define READPERF_DECODE_TRACE_PTCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptimage;

/** A block. All zero is none. */
struct ptcode {
	uint64_t ip;	  /* address of its first instruction */
	uint64_t target;  /* where its branch leads to; 0: the trace tells */
	uint32_t section; /* number of what it lies in */
	uint16_t nr;	  /* instructions; 0: it is not known */
	uint16_t end;	  /* bytes from its first instruction to the last one, its branch */
	uint8_t end_size; /* bytes of that */
	uint8_t flow;	  /* enum ptstep_flow */
};

/** Blocks that are known; how they are read is the library's. */
struct ptcodes {
	struct ptcode *list; /* by a hash of their addresses, each in one place */
	size_t room;	     /* a power of two */
	size_t displaced;    /* since the last growth */
	struct ptcode other; /* one that is not kept */
	struct ptcode_reader *reader;
};

/** Starts; ptcodes_free() even if it fails. Returns false if memory is out. */
bool ptcodes_init(struct ptcodes *codes);

/** @image will not be there any more. */
void ptcodes_forget(struct ptcodes *codes, const struct ptimage *image);

void ptcodes_free(struct ptcodes *codes);

/**
 * The block at @ip of @image, valid until the next call; NULL if it cannot be told: the code is not
 * known, too long, or has what the trace alone does not explain.
 */
const struct ptcode *ptcode_get(struct ptimage *image, uint64_t ip);

/** The part of a block that was executed. */
struct ptcode_part {
	uint64_t end_ip; /* address of its last instruction */
	uint32_t nr;	 /* instructions */
};

/**
 * Sets *@part to the instructions from @ip up to the one before @until, which is in the same block.
 * Returns false if no instruction begins there.
 */
bool ptcode_cut(struct ptimage *image, uint64_t ip, uint64_t until,
		struct ptcode_part *part);

#endif
