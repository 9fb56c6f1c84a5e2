/* What a trace lacks: why, where, and how much. */
#ifndef READPERF_DECODE_TRACE_TRACELOSS_H
#define READPERF_DECODE_TRACE_TRACELOSS_H

#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_loss_kind {
	TRACE_LOSS_OVERFLOW,   /* the processor lost packets */
	TRACE_LOSS_TRUNCATED,  /* the buffer was full (AUX records) */
	TRACE_LOSS_NO_CODE,    /* the code of a binary is not known */
	TRACE_LOSS_MISMATCH,   /* the trace does not fit to the code */
	TRACE_LOSS_BAD_PACKET, /* bytes that are not packets */
	TRACE_LOSS_KERNEL,     /* kernel code, which is not decoded */
	TRACE_LOSS_PARTIAL,    /* there are gaps (AUX records) */
	TRACE_LOSS_COLLISION,  /* operations were not sampled, as another one was (AUX records) */
	TRACE_LOSS_CUT,	       /* records, or packets, without their begin or end */
	TRACE_LOSS_SOURCE,     /* bytes of a trace that no CPU is known to write */
	TRACE_LOSS_NR,
};

/** Losses of one kind, in the code of one dso, of one CPU or thread. */
struct trace_loss {
	enum trace_loss_kind kind;
	uint32_t cpu, tid; /* TRACE_OF_NONE */
	uint32_t dso;	   /* number; UINT32_MAX: none */
	uint64_t time, ip; /* of the first one; ns, 0: unknown */
	uint64_t bytes, ns, count;
};

/** All zero is empty. */
struct trace_losses {
	struct trace_loss *list;
	size_t room;
	struct index index;
};

/** Returns the word of @kind ("overflow"). */
const char *traceloss_word(enum trace_loss_kind kind);

/**
 * Adds @loss, whose key is its kind, cpu, tid and dso. Returns the number of its sum in the list,
 * UINT32_MAX if memory is out.
 */
uint32_t traceloss_add(struct trace_losses *losses, const struct trace_loss *loss);

void traceloss_free(struct trace_losses *losses);

#endif
