/* What a CoreSight trace tells of, in the order in which it was executed. */
#ifndef READPERF_DECODE_TRACE_CSELEMENT_H
#define READPERF_DECODE_TRACE_CSELEMENT_H

#include "decode/trace/ptstep.h"

#include <stdint.h>

enum cselement_kind {
	CSELEMENT_BLOCK,   /* instructions were executed */
	CSELEMENT_CONTEXT, /* thread @value runs */
	CSELEMENT_TIME,	   /* all before happened before @value, a count of the timer; 0: unknown */
	CSELEMENT_CYCLES,  /* @value cycles have passed */
	CSELEMENT_ON,	   /* tracing goes on, or begins */
	CSELEMENT_OVERFLOW, /* the processor lost packets */
	CSELEMENT_NO_CODE,  /* the code at @value is not known: what follows is not decoded */
	CSELEMENT_MISMATCH, /* the code at @value is not what the trace tells of: the same */
	CSELEMENT_EXCEPTION,
};

struct cselement {
	enum cselement_kind kind;
	struct ptblock block;
	uint64_t value;
	uint32_t at; /* byte of the trace, modulo 2^32, at which what tells of it begins */
};

#endif
