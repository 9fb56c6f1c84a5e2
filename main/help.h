/* Prints help and descriptions of the program on standard output. */
#ifndef READPERF_MAIN_HELP_H
#define READPERF_MAIN_HELP_H

#include "main/settings.h"

/** Prints --help for @command, truncated to the terminal's width. */
void help_print(enum command command);

/** Prints --version; with @verbose also what optional libraries are built in. */
void help_version(bool verbose);

/**
 * Prints --describe for @command: the part of the documentation called @what, one of the option's
 * words.
 */
void help_describe(enum command command, const char *what);

#endif
