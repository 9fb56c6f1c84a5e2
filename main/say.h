/* Lines on standard error. */
#ifndef READPERF_MAIN_SAY_H
#define READPERF_MAIN_SAY_H

#include <stdint.h>

/**
 * Prints a line about the recording called @input ("-": standard input; NULL: about no single one).
 * Names in it are made safe for a terminal.
 */
void say(const char *input, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Returns what follows a noun after the number @nr: "" or "s". */
const char *say_plural(uint64_t nr);

#endif
