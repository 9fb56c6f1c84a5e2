/* A profile from the results.csv of an earlier run. */
#ifndef READPERF_DECODE_COMPARE_PROFILECSV_H
#define READPERF_DECODE_COMPARE_PROFILECSV_H

#include "decode/compare/profile.h"
#include "decode/filter.h"
#include "util/error.h"

#include <stdbool.h>

/** Whether the regular file at @path begins like a table and not like a recording. */
bool profilecsv_is_table(const char *path);

/**
 * Reads the results.csv at @path into the empty @profile. Columns are found by their names;
 * function, event, samples and period must be there, and columns that are not known are stepped
 * over. The guard against formulas is taken off again. Only rows whose event, binary and function
 * pass the @filter are taken: of a filter that asks for more, it is an error, as a table does not
 * have it. An event's totals are the sums of its rows.
 *
 * @return 0, or -1 with @err filled, with the number of the line; profile_free() is due in both
 * cases.
 */
int profilecsv_read(struct profile *profile, const char *path, const struct filter *filter,
		    struct error *err);

#endif
