/* What is counted while a recording is read: see struct perffile_counts. */
#ifndef READPERF_PERFFILE_COUNTS_H
#define READPERF_PERFFILE_COUNTS_H

#include "perffile/perffile.h"
#include "perffile/stream.h"

#include <stdint.h>

/** @rec was decoded. */
void count_record(struct perffile_counts *counts, const struct record *rec);

/** @damage, of one record or of bytes that were stepped over. */
void count_damage(struct perffile_counts *counts, enum damage_cause cause,
		  const struct damage *damage);

/** A record of @type was older than one before it. */
void count_late(struct perffile_counts *counts, uint32_t type);

/** @stream has ended: what is missing from it. */
void count_losses(struct perffile_counts *counts, const struct stream *stream);

#endif
