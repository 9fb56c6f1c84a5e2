/* What is said to people of a function that changed, and of the whole. */
#ifndef READPERF_REPORT_EXPORT_WORDS_H
#define READPERF_REPORT_EXPORT_WORDS_H

#include "report/export/export.h"
#include "report/valuetext.h"

#include <stdio.h>

/** What is told of a function in the console's words. */
struct words {
	char old_value[VALUETEXT_MAX], new_value[VALUETEXT_MAX];
	char change[VALUETEXT_MAX], interval[VALUETEXT_MAX];
};

struct words words_values(const struct diff_row *row);

/**
 * Prints a sentence on @row: how the function changed, by how much, and how sure that is. Names are
 * shown as on a terminal.
 */
void words_row(FILE *out, const struct diff_row *row);

/** What words_row() prints, to be freed; NULL if memory is out: then @view's file has failed. */
char *words_of_row(const struct export_view *view, const struct diff_row *row);

#endif
