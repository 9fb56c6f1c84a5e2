/*
 * A file header whose fields cannot be right: what else the file says takes their place.
 *
 * perf writes the ids, then the attrs, the data right behind them, then the table of feature
 * sections, and right behind that the sections in its order (tools/perf/util/header.c). So most
 * fields can be worked out from others; it is done only for those that make no sense.
 */
#ifndef READPERF_PERFFILE_RECOVER_REPAIR_H
#define READPERF_PERFFILE_RECOVER_REPAIR_H

#include "perffile/input/header.h"
#include "perffile/input/source.h"
#include "perffile/record/events.h"
#include "perffile/recover/plausible.h"
#include "util/error.h"

/**
 * Puts right where @header says that attrs and data are, and counts the fields in header->bent.
 * What cannot be put right stays as it is.
 */
void repair_sections(struct header *header, struct source *source);

/**
 * Looks for the table of @nr_features features where the data ends, and elsewhere in the last
 * 64 MiB of the file if that is none; data.size is put right by it. Returns its offset.
 */
uint64_t repair_table(struct header *header, unsigned nr_features, struct source *source);

/**
 * If no records start where @header says, but right behind its attrs, the data is there. Needs the
 * events that @plausible knows.
 */
void repair_data_offset(struct header *header, struct source *source,
			const struct plausibility *plausible);

/**
 * Reads the events from the feature EVENT_DESC into @set, which must be empty: it repeats attrs and
 * ids. Returns how many there were, 0 too if they are not whole; -1 with @err filled.
 */
int repair_events(struct event_set *set, const struct header *header, struct source *source,
		  struct error *err);

#endif
