/* Profiles from the tables of many runs, read by several threads. */
#ifndef READPERF_DECODE_COMPARE_PROFILE_TABLES_H
#define READPERF_DECODE_COMPARE_PROFILE_TABLES_H

#include "decode/compare/profile/profilecsv.h"

#include <stdbool.h>
#include <stddef.h>

/** All borrowed. */
struct tables_input {
	const char *const *paths;
	size_t nr;
	const struct row_filter *filter; /* asked by all threads at once */
	unsigned threads;		 /* 0: as many as there are processors */
	/* Called after each file, by one thread at a time; NULL: not. */
	void (*tick)(void *arg, size_t done);
	void *tick_arg;
};

/**
 * Reads those of the files that are tables into the empty profiles with their numbers, as
 * profilecsv_read() does, and sets the elements of @is_table with their numbers, which are false
 * before. The result is the same with any number of threads. profile_free() is due in any case.
 *
 * @return the number of files; if one could not be read the number of the first such, with @err
 * filled, and nothing is known of those behind it.
 */
size_t tables_read(struct profile *profiles, bool *is_table, const struct tables_input *input,
		   struct error *err);

#endif
