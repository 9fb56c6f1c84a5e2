/* What a report writes, and where. Part of report/report.h. */
#ifndef READPERF_REPORT_REPORTSETTINGS_H
#define READPERF_REPORT_REPORTSETTINGS_H

#include "report/export/runexport.h"
#include "report/runtags.h"

#include <stdbool.h>
#include <stddef.h>

struct export_settings;

struct report_settings {
	const char *dir; /* "." for the current directory; created if missing */
	bool to_stdout;	 /* write the one chosen output to standard output; @dir is then unused */
	unsigned tables; /* bits: REPORT_BIT() */
	unsigned if_any; /* bits of tables that are written, too, if they have rows */
	unsigned export_tables;	 /* exports of tables have these; 0: @tables, or the default */
	bool raw;		 /* without the guard against formulas */
	size_t threads;		 /* that may work at once; 0 is 1 */
	bool force;		 /* replace files that readperf has not written, too */
	const char *const *keys; /* names of the keys that functions are split by */
	size_t nr_keys;
	struct runtags tags; /* of the run; known before report_open() */
	/* Files for the rows of each table, which then have no header: parts of tables to be put
	 * together by report_add_parts(). -1: none. NULL: whole tables. */
	const int *parts;
	const struct export_settings *exports; /* exports of a comparison; NULL: none */
	struct runexport_settings run_exports; /* exports of a run */
};

/** The bits of the tables that were chosen, as tables or for exports of them. */
static inline unsigned report_settings_chosen(const struct report_settings *settings)
{
	return settings->tables | settings->export_tables;
}

#endif
