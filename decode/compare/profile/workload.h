/* Finds the program in the command line of a perf record, quoted for a shell as in header.csv. */
#ifndef READPERF_DECODE_COMPARE_PROFILE_WORKLOAD_H
#define READPERF_DECODE_COMPARE_PROFILE_WORKLOAD_H

#include <stddef.h>

/**
 * The command line of the program that @command, a perf record, starts: a pointer to its first word
 * in @command, or to the end of @command if there is none. Perf's own options are skipped, as in
 * perf-record(1). NULL if @command is not perf record.
 */
const char *workload_of(const char *command);

/** The length in bytes of the first word of @words, with its quotes; 0 at the end. */
size_t workload_word(const char *words);

/** The words after the first word of @words. */
const char *workload_rest(const char *words);

/**
 * Copies the first word of @words without quotes to the @size bytes at @to, truncated if too long.
 */
void workload_unquote(char *to, size_t size, const char *words);

#endif
