/* What is counted while a recording is read: see struct perffile_counts. */
#ifndef READPERF_PERFFILE_COUNTS_H
#define READPERF_PERFFILE_COUNTS_H

#include "perffile/perffile.h"
#include "perffile/stream.h"

#include <stdint.h>

/** @rec was decoded. */
void count_record(struct perffile_counts *counts, const struct record *rec);

/** A record at byte @offset of the file could not be decoded. */
void count_damage(struct perffile_counts *counts, uint64_t offset);

/** A record of @type was older than one before it. */
void count_late(struct perffile_counts *counts, uint32_t type);

/** @stream has ended: what is missing from it. */
void count_losses(struct perffile_counts *counts, const struct stream *stream);

#endif
