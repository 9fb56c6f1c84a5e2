/*
 * The exports that an earlier update has put in place. The next one may have other names for its
 * own: what is left of the earlier ones is removed then.
 *
 * Internal to report/; its public interface is report/report.h.
 */
#ifndef READPERF_REPORT_PLACEDFILES_H
#define READPERF_REPORT_PLACEDFILES_H

#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>

struct placed_file;

/** All zero is empty. */
struct placed_files {
	struct placed_file *list;
	size_t nr;
};

/** Makes room in @placed for @nr files. Returns false if memory is out. */
bool placed_files_start(struct placed_files *placed, size_t nr);

/** Takes note of @out, which has just been put in place in the directory @dirfd; there is room. */
void placed_files_add(struct placed_files *placed, int dirfd, const struct outfile *out);

/**
 * Removes those of @earlier from the directory @dirfd whose names are not in @placed, unless
 * another file has taken their place.
 */
void placed_files_replace(const struct placed_files *earlier, const struct placed_files *placed,
			  int dirfd);

void placed_files_free(struct placed_files *placed);

#endif
