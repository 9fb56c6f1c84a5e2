/* The archive that --buildid-dir may name in place of a directory. */
#ifndef READPERF_MAIN_CACHE_H
#define READPERF_MAIN_CACHE_H

#include "main/settings.h"
#include "util/error.h"

/**
 * Opens that archive, if it is one that the settings name, for all recordings that are read. Shows
 * how far that is, and says what is missing of it, unless the settings are for quiet.
 *
 * @return 0, or -1 with @err filled. settings_free() closes it.
 */
int cache_open(struct settings *settings, struct error *err);

#endif
