/*
 * Perf commands and options that users may type by habit: accepted if the meaning is the same here,
 * else answered with advice.
 */
#ifndef READPERF_MAIN_HABITS_H
#define READPERF_MAIN_HABITS_H

#include "util/error.h"

#include <stdbool.h>

/** Whether @word, the first argument, is a perf command and not a recording. */
bool habits_is_word(const char *word);

/** Returns 0 if that command does what is done anyway, or -1 with @err filled (ERROR_USAGE). */
int habits_check_word(const char *word, struct error *err);

/**
 * Returns 0 if @word, the first operand behind options, may be a recording; -1 with @err filled
 * (ERROR_USAGE) if it is a command that should have come before them.
 */
int habits_check_operand(const char *word, struct error *err);

/** Returns 0 if results.csv has the keys of --sort=@keys, or -1 with @err filled (ERROR_USAGE). */
int habits_check_sort(const char *keys, struct error *err);

/** Refuses -g: the calls are options and tables of their own. Returns -1 with @err filled
 * (ERROR_USAGE).
 */
int habits_refuse_graph(struct error *err);

/**
 * Returns 0 if @word, "-X", "--NAME" or "--NAME=VALUE" and no option here, is none of perf report
 * either; else -1 with @err filled (ERROR_USAGE): what to type instead.
 */
int habits_check_option(const char *word, struct error *err);

#endif
