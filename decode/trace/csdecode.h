/*
 * Decodes the trace of one CPU (ETMv4, ETE) into ranges of instructions and what happens between
 * them.
 *
 * Only A64 code is followed: that of 32 bits counts as code that is not known.
 */
#ifndef READPERF_DECODE_TRACE_CSDECODE_H
#define READPERF_DECODE_TRACE_CSDECODE_H

#include "decode/trace/cselement.h"
#include "decode/trace/csflow.h"
#include "decode/trace/csinfo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Who is told, and asked; both must not call the decoder, but for csdecode_forget_code(). */
struct csdecode_user {
	/* Returns false if memory is out, which ends the decoding. */
	bool (*take)(void *arg, const struct cselement *element);
	csflow_read *read;
	void *arg;
};

/** What could not be decoded so far. */
struct csdecode_losses {
	uint64_t unsynced; /* bytes before a place where decoding can begin */
	uint64_t bad;	   /* places that are no packets, or not in their order */
};

struct csdecode;

/** Makes a decoder of the trace of @cpu, whose protocol is known. NULL if memory is out. */
struct csdecode *csdecode_open(const struct csinfo_cpu *cpu, const struct csdecode_user *user);

/** Decodes @nr bytes more. Returns false if memory is out. */
bool csdecode_put(struct csdecode *decoder, const uint8_t *bytes, size_t nr);

/** The trace ends here, or has a gap: what comes next does not go on with it. */
void csdecode_end(struct csdecode *decoder);

/** Other code is at the addresses from here on. */
void csdecode_forget_code(struct csdecode *decoder);

/** The bytes that were decoded so far, modulo 2^32. */
uint32_t csdecode_at(const struct csdecode *decoder);

struct csdecode_losses csdecode_losses(const struct csdecode *decoder);

/** NULL is fine. */
void csdecode_close(struct csdecode *decoder);

#endif
