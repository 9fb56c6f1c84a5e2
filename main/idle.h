/* Options that shape what nothing asks for. */
#ifndef READPERF_MAIN_IDLE_H
#define READPERF_MAIN_IDLE_H

#include "main/settings.h"

/** Prints a note on each option of @settings for a table or an export that was not chosen. */
void idle_print(const struct settings *settings);

#endif
