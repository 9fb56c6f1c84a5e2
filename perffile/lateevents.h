/* Events that a recording without sections describes behind its samples. */
#ifndef READPERF_PERFFILE_LATEEVENTS_H
#define READPERF_PERFFILE_LATEEVENTS_H

#include "perffile/handle.h"

/**
 * If @file, which has no sections and of which no record was read, does not begin with what it says
 * of itself, finds the first record that describes an event, applies that, those directly before it
 * and all that follow, and sets file->told, so that they are not applied again. Does nothing if the
 * sizes of the records lead to none. A stream is copied to a temporary file for that. `perf record
 * --tail-synthesize`, which --overwrite implies, writes what it says of its events last
 * (tools/perf/builtin-record.c). Returns 0, or -1 with @err filled.
 */
int lateevents_read(struct perffile *file, struct error *err);

#endif
