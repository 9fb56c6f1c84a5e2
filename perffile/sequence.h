/* Framed records in the order of time: what is read is framed, acted on, sorted. */
#ifndef READPERF_PERFFILE_SEQUENCE_H
#define READPERF_PERFFILE_SEQUENCE_H

#include "perffile/input/source.h"
#include "perffile/record/decode.h"
#include "perffile/record/raw.h"
#include "util/error.h"

#include <stdint.h>

struct perffile;
struct perffile_counts;

/**
 * Frames the next records in time order, or one that has no time and takes effect at its position
 * in the file. They are valid until the next call unless the caller holds their block. What a
 * record says of the recording itself has taken effect when it is returned.
 *
 * @return 1 with *@stretch, 0 at the end, -1 with @err filled.
 */
int sequence_next(struct perffile *file, struct raw_stretch *stretch, struct error *err);

/** Counts @raw in @counts as damaged; @result says why it could not be decoded. */
void sequence_note_damage(const struct perffile *file, struct perffile_counts *counts,
			  const struct raw_record *raw, enum decode_result result);

/** As perffile_set_wait() and perffile_set_tick(). */
void sequence_set_wait(struct perffile *file, source_wait wait, void *arg);
void sequence_set_tick(struct perffile *file, source_tick tick, void *arg);

/** As perffile_bytes_read() and perffile_bytes_total(). */
uint64_t sequence_bytes_read(const struct perffile *file);
uint64_t sequence_bytes_total(const struct perffile *file);

#endif
