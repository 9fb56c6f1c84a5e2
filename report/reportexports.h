/*
 * The files of exports that a report writes beside its tables, or in their place.
 *
 * Internal to report/; its public interface is report/report.h.
 */
#ifndef READPERF_REPORT_REPORTEXPORTS_H
#define READPERF_REPORT_REPORTEXPORTS_H

#include "decode/results.h"
#include "report/placedfiles.h"
#include "report/reportsettings.h"
#include "util/error.h"

#include <stddef.h>
#include <stdio.h>

struct outfile;
struct recordlog;

struct report_exports {
	const struct report_settings *settings; /* borrowed */
	int dirfd;				/* borrowed: of settings->dir */
	struct recordlog *records; /* rows of overview.csv, where they are needed; or NULL */
	struct outfile **list;	   /* those that are being written */
	size_t nr, room;
	struct placed_files placed;  /* by the last update */
	struct placed_files placing; /* by this one; there is room before any table is in place */
	uint64_t page_bytes;	     /* of the last page, if it has more than it may; else 0 */
};

/**
 * Checks whether the files can be put in place whose names do not depend on what events will have
 * samples, and begins to keep the rows of records if they are needed. Call report_exports_free() in
 * any case. Returns 0, or -1 with @err filled.
 */
int report_exports_open(struct report_exports *exports, const struct report_settings *settings,
			int dirfd, struct error *err);

/** The bits of the tables that exports of tables are made of, where @tables are written, too. */
unsigned report_exports_tables(const struct report_settings *settings, unsigned tables);

/**
 * Writes all files for @results, beside @tables, without putting them in place. Returns 0, or -1
 * with @err filled.
 */
int report_exports_write(struct report_exports *exports, const struct results *results,
			 unsigned tables, struct error *err);

/**
 * Puts in place what was written, and removes what the last call has put there under names that
 * are not used any more. Returns 0, or -1 with @err filled.
 */
int report_exports_publish(struct report_exports *exports, struct error *err);

/** Gives up what was written and is not in place; others may be written. */
void report_exports_close(struct report_exports *exports);

void report_exports_free(struct report_exports *exports);

/** Prints the names of the files for @results, separated by commas, after @separator. */
void report_exports_list(FILE *out, const char *separator, const struct report_settings *settings,
			 const struct results *results, unsigned tables);

#endif
