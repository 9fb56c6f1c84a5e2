/*
 * The bytes of a hardware trace, by the buffers that the kernel wrote them to: of a CPU, or of a
 * thread.
 *
 * While a recording is read, only the positions of its pieces are kept. The bytes are then read
 * into memory or, if there are many, copied into a temporary file, which is mapped: the system
 * drops pages that are not in use.
 */
#ifndef READPERF_DECODE_TRACE_TRACEBUFFER_H
#define READPERF_DECODE_TRACE_TRACEBUFFER_H

#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"
#include "util/index.h"
#include "util/spool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_OF_NONE UINT32_MAX /* cpu or tid of a buffer that has none */

/** Bytes of all buffers together that are in memory at most. */
enum { TRACE_MEMORY_MAX = 64 << 20 };

/** A piece of trace, of an AUXTRACE record or of a sample. */
struct trace_piece {
	struct trace_place place; /* of a sample: in struct tracebuffers.samples */
	uint64_t offset;	  /* in all that the kernel wrote to the buffer */
	uint64_t start;		  /* once loaded: in the buffer's bytes */
	bool apart;		  /* of a sample or a snapshot: it may repeat the one before */
};

/** Bytes [start, end) of a buffer, which follow each other in the trace. */
struct trace_stretch {
	size_t start, end;
};

struct trace_buffer {
	uint32_t idx;	   /* the recorder's number of it */
	uint32_t cpu, tid; /* whose it is; one of them is TRACE_OF_NONE */
	bool of_samples;
	struct trace_piece *pieces;
	size_t nr_pieces, pieces_room;
	/* Once loaded. */
	uint8_t *bytes;
	size_t size;
	size_t in_memory; /* so many are taken for them */
	bool is_mapped;	  /* they are in a file */
	struct trace_stretch *stretches;
	size_t nr_stretches;
};

/** All zero is empty. */
struct tracebuffers {
	struct trace_buffer *list;
	size_t nr, room;
	struct index by_idx;
	uint64_t nr_beyond;   /* pieces of more buffers than any machine has; not kept */
	struct spool samples; /* trace of samples */
	uint64_t places_end;  /* pieces of a file's part lie behind each other */
	uint32_t part;
	size_t in_memory; /* of all buffers */
};

/** Takes note of the piece behind @rec, an AUXTRACE; @apart: pieces may repeat others.
 * Returns false if memory is out. */
bool tracebuffers_piece(struct tracebuffers *buffers, const struct record *rec, bool apart);

/** Keeps the trace in @rec, a sample, for the buffer of its CPU if @of_cpu, else of its thread.
 * Returns 0, or -1 with @err filled. */
int tracebuffers_sample(struct tracebuffers *buffers, const struct record *rec, bool of_cpu,
			struct error *err);

/** The sum of all pieces in bytes. */
uint64_t tracebuffers_bytes(const struct tracebuffers *buffers);

/**
 * Loads the bytes of @buffer, and divides them into stretches. Returns 0, or -1 with @err filled;
 * call tracebuffer_unload() even then.
 */
int tracebuffer_load(struct tracebuffers *buffers, struct trace_buffer *buffer,
		     const struct perffile *file, struct error *err);

void tracebuffer_unload(struct tracebuffers *buffers, struct trace_buffer *buffer);

void tracebuffers_free(struct tracebuffers *buffers);

#endif
