/* Trees of calls for a terminal. */
#ifndef READPERF_REPORT_CALLTREE_H
#define READPERF_REPORT_CALLTREE_H

#include "report/report.h"

#include <stdbool.h>
#include <stdio.h>

/** Whether there are trees of the event of @stat. */
bool calltree_exists(const struct results *results, const struct event_stat *stat);

/** Prints the trees of the event of @stat. */
void calltree_print(FILE *out, const struct results *results, const struct event_stat *stat,
		    const struct console_settings *settings);

/** Prints a line for each of the trees that @settings asks for and no event has. */
void calltree_print_missing(FILE *out, const struct results *results,
			    const struct console_settings *settings);

#endif
