/* Reads a profile from the results.csv of an earlier run. */
#ifndef READPERF_DECODE_COMPARE_PROFILE_PROFILECSV_H
#define READPERF_DECODE_COMPARE_PROFILE_PROFILECSV_H

#include "decode/compare/profile/profile.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Whether the regular file at @path, or what is unpacked from it if it is compressed as a whole,
 * begins like a table and not like a recording.
 */
bool profilecsv_is_table(const char *path);

/** Selects rows, and what splits them. */
struct row_filter {
	bool (*passes)(const void *arg, const struct row_key *key);
	const void *arg;
	const char *const *keys; /* columns that become row_key.keys */
	size_t nr_keys;		 /* at most PROFILECSV_KEYS_MAX */
};

enum { PROFILECSV_KEYS_MAX = 8 };

/**
 * Reads the results.csv at @path into the empty @profile. One that is compressed as a whole by
 * bzip2, gzip, xz or zstd is unpacked into a temporary file. Columns are found by name: function,
 * event, samples and period are required, unknown ones are skipped. The guard against formulas is
 * removed. The columns of filter->keys are required, too. Only rows that pass @filter count; totals
 * of events are sums of these rows. Rows with the same key stay separate. Rows that no run can
 * produce are errors: a period without samples, children below self, more than one name in a column
 * run.
 *
 * @return 0, or -1 with @err filled, which names the line; call profile_free() in both cases.
 */
int profilecsv_read(struct profile *profile, const char *path, const struct row_filter *filter,
		    struct error *err);

#endif
