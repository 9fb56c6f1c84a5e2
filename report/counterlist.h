/* Prints what perf stat record counted for a terminal. */
#ifndef READPERF_REPORT_COUNTERLIST_H
#define READPERF_REPORT_COUNTERLIST_H

#include "decode/results.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdio.h>

/** Whether there are counters to print: the answer was requested and the recording has them. */
bool counterlist_exists(const struct results *results);

/** Prints the totals of the counters of the whole run, at the places that perf added them up by. */
void counterlist_print(FILE *out, const struct results *results,
		       const struct console_settings *settings);

#endif
