/* Profiles from the tables of many runs, read by several threads. */
#ifndef READPERF_DECODE_COMPARE_PROFILE_PROFILETABLES_H
#define READPERF_DECODE_COMPARE_PROFILE_PROFILETABLES_H

#include "decode/compare/profile/profilecsv.h"

#include <stdbool.h>
#include <stddef.h>

/** All borrowed. */
struct profiletables_input {
	const char *const *paths;
	size_t nr;
	const struct row_filter *filter; /* asked by all threads at once */
	unsigned threads;		 /* 0: as many as there are processors */
	/* Called after each file, by one thread at a time; may be NULL. */
	void (*tick)(void *arg, size_t done);
	void *tick_arg;
};

/**
 * Reads those files that are tables into the empty profiles of the same numbers, as
 * profilecsv_read() does, and sets their elements of @is_table, all false before. The result does
 * not depend on the number of threads. Call profile_free() in any case.
 *
 * @return the number of files; or, with @err filled, the number of the first one that could not be
 * read: nothing is known of those behind it.
 */
size_t profiletables_read(struct profile *profiles, bool *is_table,
			  const struct profiletables_input *input, struct error *err);

#endif
