/* The last line of a run: which files it has written, and where. */
#ifndef READPERF_MAIN_WRITTEN_H
#define READPERF_MAIN_WRITTEN_H

#include "decode/results.h"
#include "main/settings.h"

/**
 * Says on standard error which files @settings has put where, to be called once they are there;
 * nothing with --quiet, or if there are none. @results: of the run; NULL of a comparison.
 */
void written_say(const struct settings *settings, const struct results *results);

#endif
