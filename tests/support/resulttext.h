/* What a recording says, as text: the sums that must not depend on how it is read. */
#ifndef READPERF_TESTS_SUPPORT_RESULTTEXT_H
#define READPERF_TESTS_SUPPORT_RESULTTEXT_H

#include "decode/replay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How a recording is read. All zero: by one thread, sample after sample. */
struct resulttext_way {
	size_t nr_threads;  /* not 0: plain samples are taken many at a time */
	size_t nr_alone;    /* calls for a record before a thread may read ahead */
	bool gaps;	    /* in any order between two other records: perffile_use_gaps() */
	bool leaps;	    /* with @gaps: there are no slices of time, and perffile_use_leaps() */
	size_t memory;	    /* bytes, for records that wait to be sorted; 0: the default */
	bool packs;	    /* there are no slices of time, and samples may be packed */
	size_t *nr_packed;  /* NULL, or set to the number of samples that were */
	size_t paths_max;   /* call paths in a table; 0: as many as usual */
	bool no_paths;	    /* they are not asked for, so that who sums functions visits them */
	size_t *nr_paths;   /* NULL, or set to how many there are in the last table */
	unsigned nr_naming; /* threads that make the results; 0: one for each core */
	const struct filter *filter; /* NULL: none; with one, there are no slices of time */
	const struct perkeys *per;   /* NULL: none */
};

/**
 * Reads the recording at @path and returns its functions, events, call paths and processes as text,
 * to be freed. The test fails if it cannot. *@nr_left, unless NULL: samples that were left to a
 * crew.
 */
char *resulttext_read(const char *path, struct resulttext_way way, uint64_t *nr_left);

#endif
