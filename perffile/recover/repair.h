/*
 * Repairs wrong fields of a file header from the rest of the file.
 *
 * perf writes the ids, the attrs, the data directly after them, the table of feature sections, and
 * directly after it the sections in the table's order (tools/perf/util/header.c). So most fields
 * can be computed from others; only fields with impossible values are replaced.
 */
#ifndef READPERF_PERFFILE_RECOVER_REPAIR_H
#define READPERF_PERFFILE_RECOVER_REPAIR_H

#include "perffile/input/header.h"
#include "perffile/input/source.h"
#include "perffile/record/events.h"
#include "perffile/recover/plausible.h"
#include "util/error.h"

/**
 * Repairs the positions of attrs and data in @header, and counts the repaired fields in
 * header->bent. What cannot be repaired stays unchanged.
 */
void repair_sections(struct header *header, struct source *source);

/**
 * Looks for the table of @nr_features feature sections where the data ends or, if it is not there,
 * in the last 64 MiB of the file; then data.size is repaired. Returns the table's offset, or the
 * data's end if none was found.
 */
uint64_t repair_table(struct header *header, unsigned nr_features, struct source *source);

/**
 * Moves the data to the end of the attrs if records start there and not where @header says.
 * @plausible must have the events.
 */
void repair_data_offset(struct header *header, struct source *source,
			const struct plausibility *plausible);

/**
 * Reads the events from the feature EVENT_DESC, which repeats attrs and ids, into @set, which must
 * be empty. Returns how many there were, 0 also if they are damaged, -1 with @err filled.
 */
int repair_events(struct event_set *set, const struct header *header, struct source *source,
		  struct error *err);

#endif
