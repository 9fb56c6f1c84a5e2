/*
 * The optional (feature) sections: after the data in a file, in HEADER_FEATURE records in a pipe.
 *
 * Layouts from tools/perf/util/header.c. A damaged section loses only its own contents.
 */
#ifndef READPERF_PERFFILE_FEATURE_FEATURE_H
#define READPERF_PERFFILE_FEATURE_FEATURE_H

#include "perffile/input/header.h"
#include "perffile/record.h"
#include "perffile/record/events.h"
#include "util/intern.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A copy of a section's bytes, kept for features_describe(). */
struct feature_bytes {
	unsigned number;
	uint64_t size;	/* bytes of the section in the recording */
	bool cut;	/* the recording ends inside the section */
	uint8_t *bytes; /* NULL: too large to be kept */
	size_t len;
};

struct features {
	struct named_build_id *build_ids;
	size_t nr_build_ids, room;
	bool damaged_build_ids;		/* some could not be read */
	struct feature_bytes *sections; /* in the order they were read */
	size_t nr_sections, sections_room;
	uint64_t bytes_kept;
	/* As in uname(2), in `strings`; NULL if unknown. */
	const char *hostname, *release, *machine;
	uint8_t long_size;	     /* bytes of a long of the recorded kernel; 0: unknown */
	uint32_t branches;	     /* as many as the processor keeps; 0: unknown */
	uint32_t branches_of_model;  /* as its model has it, if they are calls; 0: unknown */
	const char *version, *cpuid; /* of perf, of the CPU; NULL if unknown */
	/* ns since 1970 and ns of the recording's clock, at the same moment; 0: unknown. */
	uint64_t wall_time, clock_time;
	struct intern strings;
};

/**
 * Reads the feature sections of @header: names go to @events, the rest to @features. Returns 0, or
 * -1 with @err filled if the file cannot be read or memory is out.
 */
int features_read(struct features *features, struct event_set *events, const struct header *header,
		  struct source *source, struct error *err);

/** Reads section @number, whose bytes are all of @s. Returns 0, or -1 if memory is out. */
int features_read_section(struct features *features, struct event_set *events, unsigned number,
			  struct span s);

/**
 * Takes a build id record, with its header, from @s. If it is damaged, only sets damaged_build_ids.
 * Returns 0, or -1 if memory is out.
 */
int features_read_build_id(struct features *features, struct span *s);

/** The bytes of section @number, borrowed; failed if it was not recorded or not kept. */
struct span features_section(const struct features *features, bool swap, unsigned number);

void features_free(struct features *features);

#endif
