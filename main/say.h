/* Lines on standard error. */
#ifndef READPERF_MAIN_SAY_H
#define READPERF_MAIN_SAY_H

#include <stdint.h>

/**
 * Prints a line about the recording called @input ("-": standard input; NULL: about no single one).
 * Names in it are made safe for a terminal.
 */
void say(const char *input, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Returns the name of a @binary, or what stands for it where the recording has an empty one. */
const char *say_binary(const char *binary);

/** Returns what follows a noun after the number @nr: "" or "s". */
const char *say_plural(uint64_t nr);

#endif
