/*
 * Tables as comma-separated values.
 *
 * Internal to report/; its public interface is report/report.h.
 */
#ifndef READPERF_REPORT_CSVFORM_H
#define READPERF_REPORT_CSVFORM_H

#include "report/writer.h"

#include <float.h>
#include <stddef.h>
#include <stdio.h>

extern const struct form csv_form;

/** Room for a number of any type; for a CELL_HEX. */
enum { CSVFORM_NUMBER_MAX = DBL_MAX_10_EXP + 64, CSVFORM_HEX_MAX = 24 };

/** Writes @cell, which is no text, to @to as it is in a file; "" if it is empty. */
void csvform_number(char to[CSVFORM_NUMBER_MAX], const struct cell *cell);

/** An upper limit of the bytes that csvform_cells() writes. */
size_t csvform_room(const struct cell *cells, size_t nr);

/**
 * Writes the @nr @cells to @to as they are in a file, a comma after each; no NUL. @raw: without the
 * guard against formulas. Returns their length in bytes.
 */
size_t csvform_cells(char *to, const struct cell *cells, size_t nr, bool raw);

/**
 * Prints a CSV line of the @nr @texts, which must be trusted and less than 2 KB each: there is no
 * guard against formulas.
 */
void csvform_print(FILE *out, const char *const *texts, size_t nr);

#endif
