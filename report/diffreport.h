/*
 * The tables and exports of a comparison, and its largest changes for a terminal.
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

/** Bits that choose tables of a comparison, in the tables of struct report_settings. */
enum diffreport_tables {
	DIFFREPORT_DIFF = 1 << 0,
	DIFFREPORT_WIDE = 1 << 1,
	DIFFREPORT_DEFAULT = DIFFREPORT_DIFF,
	DIFFREPORT_ALL = (1 << 2) - 1,
};

struct diffreport;

/** As report_parse_tables(), for the tables of a comparison. */
int diffreport_parse_tables(const char *list, unsigned *tables, struct error *err);

/** As report_open(); the exports of @settings are needed until diffreport_close(), too. */
struct diffreport *diffreport_open(const struct report_settings *settings, struct error *err);

/** Writes tables and exports and puts them in place, all or none. Returns 0, or -1 with @err
 * filled. */
int diffreport_finish(struct diffreport *report, const struct diff *diff, struct error *err);

/** As report_list_files(), exports included. */
void diffreport_list_files(FILE *out, const struct report_settings *settings);

/** Frees; tables that were not finished vanish. NULL is fine. */
void diffreport_close(struct diffreport *report);

/**
 * Prints of each event the whole, its changes to @out, the largest first, and lines that sum up the
 * other functions, or only count them if they are compared with their callees.
 * @sides: what the sides are called.
 *
 * @return 0, or -1 with @err filled if @out cannot be written; it is flushed.
 */
int diffconsole_print(FILE *out, const struct diff *diff, const char *const sides[2],
		      const struct console_settings *settings, struct error *err);

#endif
