/*
 * The door of report/: tables on disk, an overview for a terminal, and what the columns mean.
 *
 *	report = report_open(&settings, &err);
 *	report_record(report, rec, &err);          for every record
 *	report_update(report, results, &err);      whenever one likes
 *	report_finish(report, results, &err);
 *	report_close(report);
 *
 * Computes nothing: every number comes from struct record and struct results.
 */
#ifndef READPERF_REPORT_REPORT_H
#define READPERF_REPORT_REPORT_H

#include "decode/results.h"
#include "perffile/record.h"
#include "report/export/runexport.h"
#include "report/tables.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct console_settings;
struct export_settings;

struct report_settings {
	const char *dir; /* "." for the current one; made if missing */
	bool to_stdout;	 /* the one output that is chosen goes there, and @dir is not needed */
	unsigned tables; /* bits: REPORT_BIT() */
	bool raw;	 /* without the guard against formulas */
	bool force;	 /* also in place of files that are no tables */
	const struct export_settings *exports; /* of a comparison; NULL: none */
	struct runexport_settings run_exports; /* of a run */
};

struct report;

/**
 * The tables that @list names: words with commas, "all" and "none" among them.
 *
 * @return 0 with *@tables set, or -1 with @err filled (ERROR_USAGE).
 */
int report_parse_tables(const char *list, unsigned *tables, struct error *err);

/** Adds the answers to @needs that the tables and exports chosen in @settings are made of. */
void report_add_needs(const struct report_settings *settings, struct needs *needs);

/** Adds those that report_console() shows beside events and functions. */
void report_add_console_needs(const struct console_settings *settings, struct needs *needs);

/**
 * Starts all chosen tables, so that a directory that cannot be written to, or a file that is not
 * readperf's own at a table's name, is known before the work: ERROR_IO. The directory's name stays
 * the caller's and is needed until report_close().
 *
 * @return the report for report_close(), or NULL with @err filled.
 */
struct report *report_open(const struct report_settings *settings, struct error *err);

/** Appends the row of @rec to the overview if that is chosen. 0, or -1 with @err filled. */
int report_record(struct report *report, const struct record *rec, struct error *err);

/**
 * Writes all other tables, closes them all and only then puts them in place, so that a full disk
 * leaves all old tables as they were. @results is not needed afterwards.
 *
 * @return 0, or -1 with @err filled.
 */
int report_finish(struct report *report, const struct results *results, struct error *err);

/**
 * As report_finish() for the results so far; more records may come. Every table is put in place
 * whole, but for the overview: that one grows in place by whole rows from now on.
 */
int report_update(struct report *report, const struct results *results, struct error *err);

/** Whether the tables that are not finished would vanish by themselves if the program died now. */
bool report_vanishes(const struct report *report);

/** Prints the names of the files that @settings chooses for @results, with commas between them. */
void report_list_files(FILE *out, const struct report_settings *settings,
		       const struct results *results);

/** Frees; tables that were not finished vanish, but those of the last update stay. NULL is fine. */
void report_close(struct report *report);

/** How rows are shown on a console. */
struct console_settings {
	size_t top;	/* at most so many rows of an event; 0: all */
	size_t columns; /* of a terminal, that no row is wider than; 0: rows are not cut */
	bool color;	/* shares that are high are coloured, in a comparison changes */
	/* In place of the functions: the trees of focusstat_callers, of focusstat_callees. */
	bool callers, callees;
};

/**
 * Prints each event of @results to @out: a line of the whole, and its functions, the highest
 * periods first; where there is a window, those of the window. In place of functions the trees
 * around some, if these are asked for. @span: ns from the first sample to
 * the last, 0 if it is not known.
 *
 * @return 0, or -1 with @err filled if @out cannot be written; it is flushed.
 */
int report_console(FILE *out, const struct results *results, uint64_t span,
		   const struct console_settings *settings, struct error *err);

enum report_format { REPORT_CSV, REPORT_ROFF };

/**
 * Prints what every column of every table means: as CSV with a header line
 * (table,column,type,unit,meaning), or as a part of a manual page.
 */
void report_describe_columns(FILE *out, enum report_format format);

#endif
