/* Loads the runs of a comparison: makes profiles from recordings and tables. */
#ifndef READPERF_MAIN_LOAD_H
#define READPERF_MAIN_LOAD_H

#include "decode/compare/diff.h"
#include "main/settings.h"
#include "util/error.h"

#include <stdbool.h>

/**
 * Reads the runs that @settings name into the empty @profiles, and adds up their call paths in
 * @paths, unless it is NULL: these are whole only if all runs are recordings. Prints what is
 * missing from recordings, and then sets *@missing. Frees everything else that it needs.
 *
 * @return 0, or -1 with @err filled; call profile_free() for all profiles in both cases.
 */
int load_runs(const struct settings *settings, struct profile *profiles, struct pathsums *paths,
	      bool *missing, struct error *err);

#endif
