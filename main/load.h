/* The runs of a comparison: recordings and tables of earlier runs become profiles. */
#ifndef READPERF_MAIN_LOAD_H
#define READPERF_MAIN_LOAD_H

#include "decode/compare/diff.h"
#include "main/settings.h"
#include "util/error.h"

#include <stdbool.h>

/**
 * Reads the runs that @settings name, in the way that they say, into the empty @profiles, and says
 * what is missing from recordings, which sets *@missing. All that the reading took is freed again.
 *
 * @return 0, or -1 with @err filled; profile_free() is due for all of them in both cases.
 */
int load_runs(const struct settings *settings, struct profile *profiles, bool *missing,
	      struct error *err);

#endif
