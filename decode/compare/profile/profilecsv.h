/* A profile from the results.csv of an earlier run. */
#ifndef READPERF_DECODE_COMPARE_PROFILE_PROFILECSV_H
#define READPERF_DECODE_COMPARE_PROFILE_PROFILECSV_H

#include "decode/compare/profile/profile.h"
#include "util/error.h"

#include <stdbool.h>

/** Whether the regular file at @path begins like a table and not like a recording. */
bool profilecsv_is_table(const char *path);

/** Which rows are taken. */
struct row_filter {
	bool (*passes)(const void *arg, const struct row_key *key);
	const void *arg;
};

/**
 * Reads the results.csv at @path into the empty @profile. Columns are found by their names;
 * function, event, samples and period must be there, and columns that are not known are stepped
 * over. The guard against formulas is taken off again. Only rows that pass the @filter are taken;
 * an event's totals are the sums of these. Rows of one key are not added up here. What no run can
 * have is wrong: a period without samples, children that are less than self.
 *
 * @return 0, or -1 with @err filled, with the number of the line; profile_free() is due in both
 * cases.
 */
int profilecsv_read(struct profile *profile, const char *path, const struct row_filter *filter,
		    struct error *err);

#endif
