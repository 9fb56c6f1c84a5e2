/*
 * Where the bytes of a hardware trace are (AUXTRACE), and what the recording says of them.
 *
 * Those of a file stay in it. Those of a pipe are copied into a temporary file, if they are wanted.
 */
#ifndef READPERF_PERFFILE_TRACESTORE_H
#define READPERF_PERFFILE_TRACESTORE_H

#include "perffile/fact.h"
#include "perffile/record.h"
#include "perffile/stream.h"
#include "perffile/tracesummary.h"
#include "util/error.h"
#include "util/spool.h"

#include <stdbool.h>
#include <stdint.h>

/** All zero is empty. */
struct tracestore {
	struct spool *spool;	  /* of bytes that came from a pipe; NULL: they are not wanted */
	struct trace_place place; /* of the AUXTRACE that was framed last */
	struct trace_summary summary;
};

/**
 * Takes note of what follows the AUXTRACE record that was read from @stream last, which is file
 * number @part of the recording, and copies it if needed. Returns 0, or -1 with @err filled.
 */
int tracestore_take(struct tracestore *store, struct stream *stream, uint32_t part,
		    struct error *err);

/** Counts @rec; sets the place of an AUXTRACE, which must be the one that was taken last. */
void tracestore_record(struct tracestore *store, struct record *rec);

/** Adds rows on the trace to @facts, if the recording has one. */
void tracestore_describe(const struct tracestore *store, struct facts *facts);

void tracestore_free(struct tracestore *store);

#endif
