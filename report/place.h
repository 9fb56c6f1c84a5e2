/*
 * Checks where tables and exports are put: they may only replace files that readperf has written.
 *
 * Internal to report/; its public interface is report/report.h.
 */
#ifndef READPERF_REPORT_PLACE_H
#define READPERF_REPORT_PLACE_H

#include "report/export/ownfile.h"
#include "report/table.h"
#include "util/error.h"

#include <stdbool.h>

/** A directory for tables and exports. */
struct table_place {
	const char *dir; /* its path */
	int dirfd;
	bool force; /* any file there may be replaced */
};

/**
 * Checks whether @file may be put into @place under the name @name: nothing is there, or an empty
 * file, or the same table, perhaps of an older version, which has only its first columns, or with
 * the column run and tags behind its own; in the wide table any run names may follow. With
 * place->force any file may be replaced.
 *
 * @return 0, or -1 with @err filled (ERROR_IO).
 */
int place_check(const struct table_place *place, const char *name, const struct table_file *file,
		struct error *err);

/** As place_check() for an export whose files have @mark. */
int place_check_export(const struct table_place *place, const char *name,
		       const struct ownfile_mark *mark, struct error *err);

/** Adds advice to @err, which says that a place cannot be written (ERROR_IO). */
void place_advise(struct error *err);

#endif
