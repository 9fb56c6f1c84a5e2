/*
 * Public interface of report/: writes tables to disk, prints an overview for a terminal, and
 * describes the columns.
 *
 *	report = report_open(&settings, &err);
 *	report_record(report, rec, &err);          for every record
 *	report_update(report, results, &err);      any number of times
 *	report_finish(report, results, &err);
 *	report_close(report);
 *
 * It computes nothing: every number is from struct record or struct results.
 */
#ifndef READPERF_REPORT_REPORT_H
#define READPERF_REPORT_REPORT_H

#include "decode/results.h"
#include "perffile/record.h"
#include "report/reportsettings.h"
#include "report/tables.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct console_settings;

struct report;

/**
 * Parses @list: names of tables separated by commas, or "all" or "none" among them.
 *
 * @return 0 with *@tables set, or -1 with @err filled (ERROR_USAGE).
 */
int report_parse_tables(const char *list, unsigned *tables, struct error *err);

/**
 * Checks that no key of @settings is called like a column of results.csv, and no tag like a column
 * of any table. Returns 0, or -1 with @err filled (ERROR_USAGE).
 */
int report_check_keys(const struct report_settings *settings, struct error *err);

/** Whether a table or export chosen in @settings shows where functions are defined. */
bool report_needs_sources(const struct report_settings *settings);

/** Adds the answers that the tables and exports chosen in @settings need to @needs. */
void report_add_needs(const struct report_settings *settings, struct needs *needs);

/** Adds the answers that report_console() shows, beside events and functions. */
void report_add_console_needs(const struct console_settings *settings, struct needs *needs);

/**
 * Starts all chosen tables, so that errors are known before the work (ERROR_IO): a directory that
 * cannot be written, or another program's file with a table's or an export's name, unless that name
 * depends on which events have samples. settings->dir is borrowed and must be valid until
 * report_close().
 *
 * @return the report for report_close(), or NULL with @err filled.
 */
struct report *report_open(const struct report_settings *settings, struct error *err);

/** Appends the row of @rec to the overview if it is chosen. Returns 0, or -1 with @err filled. */
int report_record(struct report *report, const struct record *rec, struct error *err);

/** As report_record() for each of @samples, unless report_takes_records(). */
int report_plain(struct report *report, const struct plain_samples *samples, struct error *err);

/**
 * Writes all other tables, closes them all and then puts them in place, so that a full disk leaves
 * all old tables unchanged. @results is not needed afterwards.
 *
 * @return 0, or -1 with @err filled.
 */
int report_finish(struct report *report, const struct results *results, struct error *err);

/**
 * As report_finish() for the results so far; more records may follow. Every table is put in place
 * as a whole, except the overview: from now on it grows in place by whole rows. If it or the
 * directory was moved or deleted, it is put in place again.
 */
int report_update(struct report *report, const struct results *results, struct error *err);

/**
 * Gives up what could not be written since the last update, after an error, so that report_update()
 * or report_finish() may be tried again. If rows of the overview could not be written, it is lost:
 * the other tables go on without it and, once they are in place, there is none.
 */
void report_abandon(struct report *report);

/** Whether the overview is lost. */
bool report_lost_rows(const struct report *report);

/**
 * Appends the rows in the files @parts, one for each table or -1, that reports of other runs have
 * written (settings->parts). Returns 0, or -1 with @err filled.
 */
int report_add_parts(struct report *report, const int *parts, struct error *err);

/** As report_finish() for the rows that were added. */
int report_finish_parts(struct report *report, struct error *err);

/** The tables that are written, as bits: those that were chosen, or had rows to be added. */
unsigned report_tables(const struct report *report);

/** The bytes of the page that was written last, if it has more than the settings allow; else 0. */
uint64_t report_page_bytes(const struct report *report);

/** Whether report_plain() does anything. */
bool report_takes_plain(const struct report *report);

/** Whether report_plain() cannot take the place of report_record(). */
bool report_takes_records(const struct report *report);

/** Whether unfinished tables are removed by the kernel if the program dies now. */
bool report_vanishes(const struct report *report);

/** Prints the names of the files that @settings chooses for @results, separated by commas. */
void report_list_files(FILE *out, const struct report_settings *settings,
		       const struct results *results);

/**
 * Frees @report and removes unfinished tables; tables of the last update stay. NULL is accepted.
 */
void report_close(struct report *report);

/** Settings for rows on a console. */
struct console_settings {
	size_t top;	/* maximum number of rows for each event; 0: all */
	bool totals;	/* only the line with the totals of each event */
	size_t columns; /* width of a row; 0: rows are not truncated */
	bool color;	/* use colour for large shares, or in a comparison for changes */
	/* Trees in place of the functions: those of focusstat_callers, of focusstat_callees, of the
	 * functions that match one of these. NULL-terminated; NULL: no trees. */
	char *const *callers, *const *callees;
	const char *called; /* what the output is called in messages; NULL: standard output */
};

/**
 * Prints each event of @results to @out: a line with the totals, then its functions, largest period
 * first. If there is a window, the counts are those of the window. Trees of calls take the place of
 * the functions if they are asked for. @span: ns from the first sample to the last, 0 if unknown.
 *
 * @return 0, or -1 with @err filled if @out cannot be written; @out is flushed.
 */
int report_console(FILE *out, const struct results *results, uint64_t span,
		   const struct console_settings *settings, struct error *err);

enum report_format { REPORT_CSV, REPORT_ROFF };

/**
 * Prints the meaning of every column of every table to @out: as CSV with a header line
 * (table,column,type,unit,meaning), or as a part of a manual page.
 */
void report_describe_columns(FILE *out, enum report_format format);

#endif
