/*
 * Rows of tables that are written while the recording is read, put aside in a temporary file for
 * the exports that are made of tables, which are written at the end.
 */
#ifndef READPERF_REPORT_EXPORT_RECORDLOG_H
#define READPERF_REPORT_EXPORT_RECORDLOG_H

#include "util/error.h"

struct recordlog;
struct record;
struct table;
struct table_file;

/** An empty log, for recordlog_free(); NULL if memory is out. */
struct recordlog *recordlog_create(void);

/**
 * Appends the row of @record, of a @table that has one for each. Returns 0, or -1 with @err set: no
 * temporary file, disk full.
 */
int recordlog_put(struct recordlog *log, const struct table *table, const struct record *record,
		  struct error *err);

/** Appends all rows to @to, any number of times. Errors are said by outfile_fail(). */
void recordlog_write(struct recordlog *log, struct table_file *to);

/** Frees @log, which may be NULL, and its file. */
void recordlog_free(struct recordlog *log);

#endif
