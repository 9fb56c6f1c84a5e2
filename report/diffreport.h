/*
 * Writes the tables and exports of a comparison, and prints its largest changes for a terminal.
 *
 *	report = diffreport_open(&settings, &err);
 *	diffreport_finish(report, diff, &err);
 *	diffreport_close(report);
 */
#ifndef READPERF_REPORT_DIFFREPORT_H
#define READPERF_REPORT_DIFFREPORT_H

#include "decode/compare/diff.h"
#include "report/report.h"
#include "report/valuetext.h"
#include "util/error.h"

#include <stddef.h>
#include <stdio.h>

/** Bits of the tables of a comparison, for `tables` in struct report_settings. */
enum diffreport_tables {
	DIFFREPORT_DIFF = 1 << 0,
	DIFFREPORT_WIDE = 1 << 1,
	DIFFREPORT_RATIOS = 1 << 2,
	DIFFREPORT_DEFAULT = DIFFREPORT_DIFF,
	DIFFREPORT_ALL = (1 << 3) - 1,
};

struct diffreport;

/** As report_parse_tables(), for the tables of a comparison. */
int diffreport_parse_tables(const char *list, unsigned *tables, struct error *err);

/**
 * Checks whether the @nr @labels can be the names of columns of the wide table: none is empty, none
 * is given twice and none is the name of another column. Returns 0, or -1 with @err filled.
 */
int diffreport_check_labels(const char *const *labels, size_t nr, struct error *err);

/** As report_open(); settings->exports must also stay valid until diffreport_close(). */
struct diffreport *diffreport_open(const struct report_settings *settings, struct error *err);

/** Writes tables and exports, then puts all or none in place. Returns 0, or -1 with @err filled. */
int diffreport_finish(struct diffreport *report, const struct diff *diff, struct error *err);

/** As report_list_files(), including exports. */
void diffreport_list_files(FILE *out, const struct report_settings *settings);

/** Frees @report and removes unfinished files. NULL is accepted. */
void diffreport_close(struct diffreport *report);

/**
 * Prints for each event to @out: the totals, the changes, the largest first, and lines that sum up
 * the other functions, or only their number if values include callees. @sides: names of the old and
 * the new side.
 *
 * @return 0, or -1 with @err filled if @out cannot be written; @out is flushed.
 */
int diffconsole_print(FILE *out, const struct diff *diff, const char *const sides[2],
		      const struct console_settings *settings, struct error *err);

#endif
