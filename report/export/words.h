/* Texts for people on a function that changed, and on the total. */
#ifndef READPERF_REPORT_EXPORT_WORDS_H
#define READPERF_REPORT_EXPORT_WORDS_H

#include "report/export/export.h"
#include "report/valuetext.h"

#include <stdio.h>

/** The values of a function as the console shows them. */
struct words {
	char old_value[VALUETEXT_MAX], new_value[VALUETEXT_MAX];
	char change[VALUETEXT_MAX], interval[VALUETEXT_MAX];
};

struct words words_values(const struct diff_row *row);

/**
 * Prints a sentence on @row: how the function changed, by how much, and how certain that is. Names
 * are made safe for a terminal.
 */
void words_row(FILE *out, const struct diff_row *row);

/**
 * Returns the text of words_row(), which the caller frees; NULL if memory is out, with the error
 * set on @view's file.
 */
char *words_of_row(const struct export_view *view, const struct diff_row *row);

#endif
