/*
 * Tables as comma-separated values.
 *
 * For the files of report/ only; the door is report/report.h.
 */
#ifndef READPERF_REPORT_CSVFORM_H
#define READPERF_REPORT_CSVFORM_H

#include "report/writer.h"

#include <stddef.h>
#include <stdio.h>

extern const struct form csv_form;

/** Prints a line of the @nr @texts, of less than 2 KB each and not hostile: without the guard. */
void csvform_print(FILE *out, const char *const *texts, size_t nr);

#endif
