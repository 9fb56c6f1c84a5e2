/* What people type out of habit from perf: understood where it has one meaning here, else answered.
 */
#ifndef READPERF_MAIN_HABITS_H
#define READPERF_MAIN_HABITS_H

#include "util/error.h"

#include <stdbool.h>

/** Whether @word, the first of the command line, is a command of perf's and not a recording. */
bool habits_is_word(const char *word);

/** Returns 0 if that command is what is done anyway, or -1 with @err filled (ERROR_USAGE). */
int habits_check_word(const char *word, struct error *err);

/** Returns 0 if --sort=@keys is what results.csv has, or -1 with @err filled (ERROR_USAGE). */
int habits_check_sort(const char *keys, struct error *err);

/** What -g asks for has options of its own. Returns -1 with @err filled (ERROR_USAGE). */
int habits_refuse_graph(struct error *err);

#endif
