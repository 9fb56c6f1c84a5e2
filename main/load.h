/* One run for a comparison: a recording or a results.csv becomes a profile. */
#ifndef READPERF_MAIN_LOAD_H
#define READPERF_MAIN_LOAD_H

#include "decode/compare/diff.h"
#include "main/settings.h"
#include "util/error.h"
#include "util/progress.h"

#include <stdbool.h>

/**
 * Reads the run at @path, in the way that @settings say, into the empty @profile, and says what is
 * missing from it, which sets *@missing. All that the reading took is freed again.
 *
 * @return 0, or -1 with @err filled; profile_free() is due in both cases.
 */
int load_profile(struct profile *profile, const char *path, const struct settings *settings,
		 struct progress *progress, bool *missing, struct error *err);

#endif
