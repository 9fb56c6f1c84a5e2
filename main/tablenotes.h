/* Notes on the tables of further questions: why they are empty, and what they leave out. */
#ifndef READPERF_MAIN_TABLENOTES_H
#define READPERF_MAIN_TABLENOTES_H

#include "decode/results.h"

#include <stdbool.h>

/**
 * Prints the notes on the tables that were made from the recording called @input; on what it does
 * not record at all only if @absent. @sampled: it has samples.
 */
void tablenotes_print(const char *input, const struct results *results, bool absent, bool sampled);

#endif
