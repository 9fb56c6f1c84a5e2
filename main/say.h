/* Lines on standard error about a recording. */
#ifndef READPERF_MAIN_SAY_H
#define READPERF_MAIN_SAY_H

#include <stdint.h>

/** Prints a line about the recording called @input ("-": standard input). */
void say(const char *input, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Returns what follows a noun after the number @nr: "" or "s". */
const char *say_plural(uint64_t nr);

#endif
