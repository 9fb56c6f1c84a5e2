/*
 * Where tables are put: only in place of what is readperf's own.
 *
 * For the files of report/ only; the door is report/report.h.
 */
#ifndef READPERF_REPORT_PLACE_H
#define READPERF_REPORT_PLACE_H

#include "report/table.h"
#include "util/error.h"

#include <stdbool.h>

/** A directory for tables. */
struct table_place {
	const char *dir; /* its name */
	int dirfd;
	bool force; /* whatever lies there may be replaced */
};

/**
 * Whether @file may be put into @place under the name @name: nothing is there, or an
 * empty file, or one that its writer's form takes for an older version of the table, which had
 * its first columns; of the wide table the names of any runs may follow. With place->force whatever
 * is there.
 *
 * @return 0, or -1 with @err filled (ERROR_IO).
 */
int place_check(const struct table_place *place, const char *name, const struct table_file *file,
		struct error *err);

/** Adds to @err of a place that cannot be written (ERROR_IO) what to do. */
void place_advise(struct error *err);

#endif
