/*
 * The optional sections behind the data: event names and build ids.
 *
 * Layouts from tools/perf/util/header.c; a damaged section loses what it would have told, no more.
 */
#ifndef READPERF_PERFFILE_FEATURE_H
#define READPERF_PERFFILE_FEATURE_H

#include "perffile/events.h"
#include "perffile/header.h"
#include "perffile/perffile.h"
#include "util/intern.h"

#include <stddef.h>

struct features {
	struct named_build_id *build_ids;
	size_t nr_build_ids, room;
	struct intern strings;
};

/**
 * Reads the known sections of @header: names go to @events, the rest to @features.
 * Returns 0, or -1 with @err filled if the file cannot be read or memory is out.
 */
int features_read(struct features *features, struct event_set *events, const struct header *header,
		  const struct source *source, struct error *err);

void features_free(struct features *features);

#endif
