/*
 * What decoders of Intel PT are given, and what they tell: blocks of instructions, and steps, which
 * are what happens between them.
 */
#ifndef READPERF_DECODE_TRACE_PTSTEP_H
#define READPERF_DECODE_TRACE_PTSTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A piece of a trace, which begins with a PSB. */
struct ptconfig {
	const uint8_t *bytes; /* must outlive the decoder */
	size_t size;
	/* Offset of a PSB that another decoder begins at: the bytes behind it only tell where the
	 * code before it ends. @size: there is none. */
	size_t stop;
	uint64_t stop_ip; /* address of that code; 0: tracing is off there */
	uint16_t family;  /* of the CPU; 0: unknown */
	uint8_t model, stepping;
	uint8_t mtc_period, max_ratio;		 /* as in struct ptinfo */
	uint32_t ctc_numerator, ctc_denominator; /* the same */
	bool has_ticks;				 /* every move of the clock is to be told */
	bool has_cycles;			 /* CYC packets are to be counted */
};

enum ptstep_kind {
	PTSTEP_MORE,	    /* there was no room for more blocks */
	PTSTEP_ENABLED,	    /* tracing goes on at @ip */
	PTSTEP_DISABLED,    /* it stops after the block before */
	PTSTEP_INTERRUPTED, /* a branch that no instruction makes, to @ip */
	PTSTEP_TICK,	    /* the clock has moved, up to the code before */
	PTSTEP_OVERFLOW,    /* the processor lost packets; tracing goes on at @ip */
	/* bytes [offset, resumed_at) could not be decoded, nor the code at @ip; 0: unknown */
	PTSTEP_ERROR,
	PTSTEP_SYNC, /* decoding begins, at the start and after errors */
	PTSTEP_END,
	PTSTEP_STOP,   /* the end, exactly where the code of the next piece begins */
	PTSTEP_UNSURE, /* of ptfollow.h alone: what comes has to be decoded another way */
};

/** How a block ends. */
enum ptstep_flow {
	PTFLOW_OTHER,  /* the next one follows */
	PTFLOW_BRANCH, /* a conditional jump */
	PTFLOW_JUMP,
	PTFLOW_CALL,
	PTFLOW_RETURN,
	PTFLOW_FAR_CALL,   /* to the kernel */
	PTFLOW_FAR_RETURN, /* from the kernel */
};

enum ptstep_error {
	PTERROR_NO_CODE,    /* the bytes of the code are not known */
	PTERROR_MISMATCH,   /* the trace does not fit to the code */
	PTERROR_BAD_PACKET, /* bytes that are no packet */
	PTERROR_NOMEM,
};

/** Instructions that were executed one after the other. */
struct ptblock {
	uint64_t ip, end_ip; /* addresses of the first and the last one */
	uint32_t nr;
	uint8_t flow; /* enum ptstep_flow */
};

enum { PTBLOCK_INSTRUCTION_BYTES = 15 /* the longest */ };

/** Whether what follows @block may be part of it: no branch ends it, or one that is not known. */
static inline bool ptblock_is_open(const struct ptblock *block)
{
	return block->flow == PTFLOW_OTHER;
}

/** Whether code at @ip, which follows, is part of @block. */
static inline bool ptblock_goes_on(const struct ptblock *block, uint64_t ip)
{
	return ptblock_is_open(block) && ip - block->end_ip - 1 < PTBLOCK_INSTRUCTION_BYTES;
}

struct ptstep {
	uint8_t kind;  /* enum ptstep_kind */
	uint8_t error; /* enum ptstep_error */
	bool has_tsc;
	uint64_t ip;
	uint64_t tsc;		   /* time stamp counter at an event */
	size_t offset, resumed_at; /* bytes */
	/* With config.has_cycles, of TICK, DISABLED and END: cycles from the start of the bytes up
	 * to the code before the step, and those that were read, which include later code's. */
	uint64_t cycles, cycles_read;
};

#endif
