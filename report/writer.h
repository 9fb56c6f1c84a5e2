/*
 * Writers: format rows of cells as a file of some form.
 *
 *	writer_start(&writer, columns, nr);
 *	writer_row(&writer, cells, nr);      for every row
 *
 * To add a form, write a file like report/csvform.c.
 *
 * Internal to report/; its public interface is report/report.h.
 */
#ifndef READPERF_REPORT_WRITER_H
#define READPERF_REPORT_WRITER_H

#include "report/cell.h"
#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>

/** Columns are only appended, never renamed or moved, because scripts depend on them. */
struct column {
	const char *name;
	enum cell_type type; /* each cell is of this type, or empty */
	const char *unit;    /* "" if there is none */
	const char *meaning; /* sentences for the manual page, plain ASCII, on one line */
};

struct writer;

enum { FORM_HEAD_MAX = 2048 };

/** A file format. Only its functions depend on the format. */
struct form {
	const char *ending; /* file name extension: ".csv" */
	size_t head_max;    /* number of bytes that is_own needs, up to FORM_HEAD_MAX */
	/* Whether a file that starts with the @len bytes at @head (less than head_max only if the
	 * file is shorter) is a table with these columns, or an older version with only the first
	 * of them. @open: other columns may follow. */
	bool (*is_own)(const char *head, size_t len, const struct column *columns, size_t nr,
		       bool open);
	/* Appends the header. */
	void (*start)(struct writer *writer, const struct column *columns, size_t nr);
	/* Appends a row. */
	void (*row)(struct writer *writer, const struct cell *cells, size_t nr);
};

/** A table that is being written to @out, which is borrowed; @out is NULL if none is. */
struct writer {
	const struct form *form;
	struct outfile *out;
	bool raw;    /* without the guard against formulas */
	void *state; /* of the form, if it needs any */
};

static inline void writer_start(struct writer *writer, const struct column *columns, size_t nr)
{
	writer->form->start(writer, columns, nr);
}

static inline void writer_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	writer->form->row(writer, cells, nr);
}

#endif
