/*
 * Rows of plain samples in overview.csv, made without cells: only what names the event goes through
 * them, and is kept as text.
 */
#ifndef READPERF_REPORT_OVERVIEWROWS_H
#define READPERF_REPORT_OVERVIEWROWS_H

#include "perffile/record.h"
#include "report/table.h"

#include <stdbool.h>
#include <stddef.h>

/** All zero but @file is a start. */
struct overviewrows {
	struct table_file *file;   /* of table_overview, borrowed */
	const struct event *event; /* of the sample before; NULL: none is known */
	/* the cells from the event on, as they are in the file, with the end of the row */
	char *last;
	size_t last_len, last_room; /* bytes */
};

/**
 * Appends the rows of @samples, as table_put_row() does for records. Returns false if memory is
 * out.
 */
bool overviewrows_put(struct overviewrows *rows, const struct plain_samples *samples);

/** To be called if events may have got other names. */
static inline void overviewrows_forget(struct overviewrows *rows)
{
	rows->event = NULL;
}

void overviewrows_free(struct overviewrows *rows);

#endif
