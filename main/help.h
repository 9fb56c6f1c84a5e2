/* What the program says of itself, on standard output. */
#ifndef READPERF_MAIN_HELP_H
#define READPERF_MAIN_HELP_H

#include "main/settings.h"

/** --help of @command: cut to the terminal's width. */
void help_print(enum command command);

/** --describe: the part of the documentation called @what, one of the option's words; of @command.
 */
void help_describe(enum command command, const char *what);

#endif
