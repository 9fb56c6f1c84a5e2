/*
 * The sections of a CoreSight trace: what a trace unit wrote from when it was started until it was
 * stopped, as AUX records tell. Decoding begins anew with each of them.
 */
#ifndef READPERF_DECODE_TRACE_CSSECTION_H
#define READPERF_DECODE_TRACE_CSSECTION_H

#include "decode/trace/tracebuffer.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What an AUX record tells of. */
struct cssection {
	uint64_t time;			   /* ns, when it ended; 0: unknown */
	uint64_t offset, len;		   /* bytes of all that the kernel wrote to its buffer */
	uint32_t cpu, tid;		   /* TRACE_OF_NONE */
	uint32_t nr;			   /* order of the records */
	bool is_raw;			   /* the trace of one CPU; else in frames */
	bool is_cut;			   /* its end is lost */
	const struct trace_buffer *buffer; /* whose bytes they are; NULL: of none */
};

/** All zero is empty. */
struct cssections {
	struct cssection *list;
	size_t nr, room;
};

/** Takes note of @rec, an AUX. Returns false if memory is out. */
bool cssections_note(struct cssections *sections, const struct record *rec);

/**
 * Finds the buffers of all sections, makes one of each piece of buffers without any, and sorts them
 * by time. No byte of a buffer is in two of them. Returns false if memory is out.
 */
bool cssections_settle(struct cssections *sections, const struct tracebuffers *buffers);

/** The number of the piece of its buffer that @section begins in; pieces are in order. */
size_t cssection_first_piece(const struct cssection *section);

/**
 * Sets [*@start, *@end) to the bytes of @section in piece @number of its buffer, which is loaded.
 * Returns false if there are none.
 */
bool cssection_bytes(const struct cssection *section, size_t number, size_t *start, size_t *end);

void cssections_free(struct cssections *sections);

#endif
