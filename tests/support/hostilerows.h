/* Rows of results.csv and records that are hard to write down: every byte, 64 KB, 2^64 - 1. */
#ifndef READPERF_TESTS_SUPPORT_HOSTILEROWS_H
#define READPERF_TESTS_SUPPORT_HOSTILEROWS_H

#include "report/export/tablerows.h"
#include "report/export/runexport.h"

#include <stddef.h>

enum { HOSTILEROWS_LONG = 64 * 1024, HOSTILEROWS_NR = 4, HOSTILEROWS_RECORDS = 3 };

/** The functions, borrowed; and without any. */
const struct results *hostilerows_results(void);
const struct results *hostilerows_nothing(void);

/** Their names: all bytes but NUL, 64 KB, one that spreadsheets calculate, nothing. */
const char *hostilerows_name(size_t number);

/** Rows of overview.csv; the caller frees them by recordlog_free(). */
struct recordlog *hostilerows_records(void);

/** What @form writes of the tables with the bits @chosen; the caller frees it. */
char *hostilerows_write(const struct results *results, unsigned chosen, bool raw,
			void (*form)(const struct runexport_view *view), int table, size_t *len);

/** The rows of the table with @number as CSV, in the same way. */
char *hostilerows_csv(const struct results *results, int number, bool raw, size_t *len);

#endif
