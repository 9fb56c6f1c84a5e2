/*
 * What perf record was told to run, from the words of a command line, quoted for a shell as in
 * header.csv.
 */
#ifndef READPERF_DECODE_COMPARE_PROFILE_WORKLOAD_H
#define READPERF_DECODE_COMPARE_PROFILE_WORKLOAD_H

#include <stddef.h>

/**
 * The words of the program that @command, a perf record, starts: a pointer to the first one in
 * @command, to its end if there is none. Perf's own options are skipped, as perf-record(1) has
 * them. NULL if @command is not perf record.
 */
const char *workload_of(const char *command);

/** The bytes of the first word of @words, with its quotes; 0 at the end. */
size_t workload_word(const char *words);

/** What follows that word. */
const char *workload_rest(const char *words);

/** Copies that word without its quotes to the @size bytes at @to; cuts it if it does not fit. */
void workload_unquote(char *to, size_t size, const char *words);

#endif
