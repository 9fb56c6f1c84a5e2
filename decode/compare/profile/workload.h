/*
 * What perf record was told to run: the words of a command line as header.csv has it, quoted for a
 * shell.
 */
#ifndef READPERF_DECODE_COMPARE_PROFILE_WORKLOAD_H
#define READPERF_DECODE_COMPARE_PROFILE_WORKLOAD_H

#include <stddef.h>

/**
 * The words of the program that @command has perf record start: a pointer to the first of them in
 * @command, at its end if there is none. Perf's own options are passed over as perf-record(1) has
 * them. NULL if @command is none of perf record.
 */
const char *workload_of(const char *command);

/** The bytes of the word that @words begin with, with its quotes; 0 at the end. */
size_t workload_word(const char *words);

/** What follows that word. */
const char *workload_rest(const char *words);

/** Copies that word without its quotes to the @size bytes at @to, cut if it has no room there. */
void workload_unquote(char *to, size_t size, const char *words);

#endif
