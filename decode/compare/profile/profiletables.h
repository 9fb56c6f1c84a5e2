/* Reads profiles from the tables of many runs with several threads. */
#ifndef READPERF_DECODE_COMPARE_PROFILE_PROFILETABLES_H
#define READPERF_DECODE_COMPARE_PROFILE_PROFILETABLES_H

#include "decode/compare/profile/profilecsv.h"

#include <stdbool.h>
#include <stddef.h>

/** The input; all borrowed. */
struct profiletables_input {
	const char *const *paths;
	size_t nr;
	const struct row_filter *filter; /* called by all threads concurrently */
	unsigned threads;		 /* 0: as many as there are processors */
	/* Called after each file, by one thread at a time; may be NULL. */
	void (*tick)(void *arg, size_t done);
	void *tick_arg;
};

/**
 * Reads each input file that is a table into the empty profile with the same index, as
 * profilecsv_read() does, and sets its element of @is_table, which must be false before. The result
 * does not depend on the number of threads. Call profile_free() for all profiles even on error.
 *
 * @return the number of files; or, with @err filled, the index of the first file that could not be
 * read: the profiles after it are undefined.
 */
size_t profiletables_read(struct profile *profiles, bool *is_table,
			  const struct profiletables_input *input, struct error *err);

#endif
