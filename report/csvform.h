/*
 * Tables as comma-separated values.
 *
 * Internal to report/; its public interface is report/report.h.
 */
#ifndef READPERF_REPORT_CSVFORM_H
#define READPERF_REPORT_CSVFORM_H

#include "report/writer.h"

#include <stddef.h>
#include <stdio.h>

extern const struct form csv_form;

/**
 * Prints a CSV line of the @nr @texts, which must be trusted and less than 2 KB each: there is no
 * guard against formulas.
 */
void csvform_print(FILE *out, const char *const *texts, size_t nr);

#endif
