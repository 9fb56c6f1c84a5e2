/* Checks of settings: what goes together, and what standard output takes. */
#ifndef READPERF_MAIN_SETTINGSCHECK_H
#define READPERF_MAIN_SETTINGSCHECK_H

#include "main/settings.h"
#include "util/error.h"

/**
 * Checks that the options go together. Chooses what goes to standard output if that is the output.
 * Returns 0, or -1 with @err filled (ERROR_USAGE).
 */
int settings_check(struct settings *settings, struct error *err);

/** Checks and sets what several recordings need: one set of tables, and nothing else. As above. */
int settings_check_several(struct settings *settings, struct error *err);

#endif
