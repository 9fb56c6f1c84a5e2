/* Opens the archive that --buildid-dir may name in place of a directory. */
#ifndef READPERF_MAIN_CACHE_H
#define READPERF_MAIN_CACHE_H

#include "main/settings.h"
#include "util/error.h"

/**
 * Opens the archive, if the settings name one, for all recordings. Shows the progress and prints
 * what is missing from it, unless the settings say quiet.
 *
 * @return 0, or -1 with @err filled. settings_free() closes the archive.
 */
int cache_open(struct settings *settings, struct error *err);

#endif
