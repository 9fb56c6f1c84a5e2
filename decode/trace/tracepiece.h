/*
 * The pieces of a trace that are decoded one by one: each begins with a PSB, where nothing of what
 * came before is needed. How a trace is cut does not depend on the number of threads.
 */
#ifndef READPERF_DECODE_TRACE_TRACEPIECE_H
#define READPERF_DECODE_TRACE_TRACEPIECE_H

#include "decode/trace/ptdecode.h"
#include "decode/trace/ptfollow.h"
#include "decode/trace/ptinfo.h"
#include "decode/trace/tracebuffer.h"
#include "decode/trace/tracecode.h"
#include "decode/trace/traceimage.h"
#include "decode/trace/traceleg.h"
#include "decode/trace/traceworld.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What became of a piece; for traceahead. */
enum tracepiece_state {
	TRACEPIECE_WAITING,
	TRACEPIECE_TAKEN,  /* a thread decodes it */
	TRACEPIECE_LOGGED, /* its log has all of it */
	TRACEPIECE_DIRECT, /* it has no log, or not any more: who counts it decodes it */
};

/** Steps, and the legs before each of them. All zero is empty. */
struct tracelog {
	struct trace_legs legs;
	struct ptstep *steps;
	size_t *ends; /* by step: number of the legs up to it */
	size_t nr_steps, steps_room, ends_room;
};

void tracelog_free(struct tracelog *log);

struct tracepiece {
	const struct trace_buffer *buffer;
	size_t start, stop; /* it is these bytes of the buffer */
	size_t end;	    /* with those that tell where its code ends: */
	uint64_t stop_ip;   /* there; 0: tracing is off, or there is no next piece */
	bool first;	    /* of a stretch */
	uint64_t tsc;	    /* at the start; 0: unknown */
	uint8_t state;	    /* enum tracepiece_state */
	struct tracelog log;
};

/** All zero is empty. */
struct tracepieces {
	struct tracepiece *list;
	size_t nr, room;
};

/** Appends the pieces of @buffer, which is loaded. Returns false if memory is out. */
bool tracepieces_add(struct tracepieces *pieces, const struct trace_buffer *buffer);

void tracepieces_free(struct tracepieces *pieces);

/** What pieces are decoded with; borrowed. */
struct trace_setup {
	struct ptconfig cpu; /* without bytes */
	const struct ptinfo *info;
	enum ptinfo_clock clock;
	const struct traceworld *world;
	/* How the kernel's code changed; NULL: the kernel is not traced. */
	const struct tracepokes *pokes;
};

/** Time at a step in ns; 0: unknown. */
uint64_t tracesetup_ns(const struct trace_setup *setup, const struct ptstep *step);

/**
 * Whether another thread may run from @step on. Where the kernel is not traced, it is off
 * meanwhile.
 */
bool tracesetup_may_switch(const struct trace_setup *setup, const struct ptstep *step);

enum { TRACE_BATCH = 512 };

/** What a thread decodes pieces with. */
struct tracekit {
	struct traceimages images;
	struct tracespots spots;
	struct ptblock blocks[TRACE_BATCH];
	/* Pieces that the library decodes alone behind one that could not be followed. */
	unsigned doubt;
	unsigned left; /* of them */
};

/**
 * Starts; @code, its symbolizer, and @pokes as of traceimages_init() are borrowed. tracekit_free()
 * even if it fails. Returns false if memory is out.
 */
bool tracekit_init(struct tracekit *kit, struct tracecode *code, const struct tracepokes *pokes);

void tracekit_free(struct tracekit *kit);

/** Decodes pieces, one after the other. */
struct tracereader {
	const struct trace_setup *setup;
	struct tracekit *kit; /* borrowed, as is the setup */
	const struct tracepiece *piece;
	struct ptfollow *follow; /* NULL: the library decodes it */
	struct ptdecode *decoder;
	size_t nr_steps;      /* that were told */
	size_t nr_blocks;     /* told since the last one */
	struct map_set *maps; /* whose code the decoder has; NULL: none yet */
	uint64_t replaced;    /* images->replaced when it got that */
	uint64_t time;	      /* ns, of the last tick; UINT64_MAX: unknown */
};

/** Begins @piece. Returns false if memory is out. */
bool tracereader_open(struct tracereader *reader, const struct tracepiece *piece);

/**
 * As ptdecode_next(), with the code that the thread has which goes on; appends what was executed to
 * @legs, at once no more than TRACE_BATCH blocks. step->kind is PTSTEP_ERROR with PTERROR_NOMEM if
 * memory is out.
 */
void tracereader_next(struct tracereader *reader, struct trace_legs *legs, struct ptstep *step);

/** Writes all steps of @piece to its log. Returns false if there are too many, or memory is out. */
bool tracereader_log(struct tracereader *reader, struct tracepiece *piece);

void tracereader_close(struct tracereader *reader);

#endif
