/*
 * Decodes the trace of one CPU (ETMv4, ETE) into ranges of instructions and what happens between
 * them. The only file that includes libopencsd, which crashes on some damaged traces: it is built in
 * only by make WITH=libopencsd.
 *
 * The library reads code where it is asked to, and nothing else: it opens no files.
 */
#ifndef READPERF_DECODE_TRACE_CSDECODE_H
#define READPERF_DECODE_TRACE_CSDECODE_H

#include "decode/trace/csinfo.h"
#include "decode/trace/ptdecode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cselement_kind {
	CSELEMENT_BLOCK,   /* instructions were executed */
	CSELEMENT_CONTEXT, /* thread @value runs */
	CSELEMENT_TIME,	   /* all before happened before @value, a count of the timer; 0: unknown */
	CSELEMENT_CYCLES,  /* @value cycles have passed */
	CSELEMENT_ON,	   /* tracing goes on, or begins */
	CSELEMENT_OVERFLOW, /* the processor lost packets */
	CSELEMENT_NO_CODE,  /* the code at @value is not known: what follows is not decoded */
	CSELEMENT_EXCEPTION,
};

struct cselement {
	enum cselement_kind kind;
	struct ptblock block;
	uint64_t value;
	uint32_t at; /* byte of the trace, modulo 2^32, at which what tells of it begins */
};

/** Who is told, and asked; both must not call the decoder, but for csdecode_forget_code(). */
struct csdecode_user {
	/* Returns false if memory is out, which ends the decoding. */
	bool (*take)(void *arg, const struct cselement *element);
	/* Reads up to @len bytes of code at @address; returns how many, 0 if it is not known. */
	size_t (*read)(void *arg, uint64_t address, uint8_t *to, size_t len);
	void *arg;
};

/** What could not be decoded so far. */
struct csdecode_losses {
	uint64_t unsynced; /* bytes before a place where decoding can begin */
	uint64_t bad;	   /* places that are no packets, or not in their order */
};

struct csdecode;

/** The name of the library, such as "libopencsd 1.3.3", written to @name; NULL if it is not built
 * in. */
const char *csdecode_library(char name[32]);

/** Makes a decoder of the trace of @cpu, whose protocol is known. NULL if memory is out. */
struct csdecode *csdecode_open(const struct csinfo_cpu *cpu, const struct csdecode_user *user);

/** Decodes @nr bytes more. Returns false if memory is out. */
bool csdecode_put(struct csdecode *decoder, const uint8_t *bytes, size_t nr);

/** The trace ends here, or has a gap: what comes next does not go on with it. As csdecode_put(). */
bool csdecode_end(struct csdecode *decoder);

/** Other code is at the addresses from here on. */
void csdecode_forget_code(struct csdecode *decoder);

/** The bytes that were decoded so far, modulo 2^32. */
uint32_t csdecode_at(const struct csdecode *decoder);

struct csdecode_losses csdecode_losses(const struct csdecode *decoder);

/** NULL is fine. */
void csdecode_close(struct csdecode *decoder);

#endif
