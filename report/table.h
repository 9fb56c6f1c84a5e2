/*
 * A table: its columns are data, and from them come the first line and the manual page; a row of it
 * is a cell for each.
 *
 * For the files of report/ only; the door is report/report.h. To add a column, append it to a
 * table's array and its cell to the function below; to add a table, write a file like
 * report/table_stat.c and list it in report/tables.h.
 */
#ifndef READPERF_REPORT_TABLE_H
#define READPERF_REPORT_TABLE_H

#include "decode/results.h"
#include "report/tables.h"
#include "report/writer.h"

#include <stdbool.h>
#include <stddef.h>

struct diff;
struct diff_row;

struct table_file;

enum { TABLE_COLUMNS_MAX = 32 };

struct table {
	const char *name;    /* "results": the file is results.csv */
	const char *one_row; /* what a row stands for: "one row per ..." */
	const char *rows;    /* which rows there are, in which order; sentences on one line */
	const struct column *columns;
	size_t nr_columns; /* at most TABLE_COLUMNS_MAX */
	bool open;	   /* columns follow that only a comparison knows */
	bool each_record;  /* a row is a struct record, written while the recording is read */
	/* Sets one cell for each column, in their order. @row is what the table's file says; texts
	 * that are made for it go into @scratch. Returns the place behind the last cell. */
	struct cell *(*fill)(struct cell *cell, const void *row, struct scratch *scratch);
	/* Appends all rows, made of the answer in the table's line of report/tables.h; NULL where
	 * @each_record, and for the tables of a comparison. */
	void (*write)(struct table_file *to, const struct rows *rows,
		      const struct results *results);
};

/** A table on its way to its file. */
struct table_file {
	const struct table *table;
	struct writer writer;
};

/** The line of a table in the list. */
struct table_line {
	const struct table *table;
	const struct answer *answer;
};

extern const struct table_line table_list[REPORT_NR_TABLES];

/** The tables of a comparison; a row is a struct diff_row. */
enum { NR_DIFF_TABLES = 2 };
extern const struct table table_diff, table_diff_wide;
extern const struct table *const diffreport_tables[NR_DIFF_TABLES];

/** Appends a table of a comparison, from its head to its last row. */
void table_diff_write(struct table_file *to, const struct diff *diff);

/** Appends what stands before the rows. */
static inline void table_start(struct table_file *to)
{
	writer_start(&to->writer, to->table->columns, to->table->nr_columns);
}

/** Appends the row that @row is told of. */
static inline void table_put_row(struct table_file *to, const void *row)
{
	struct cell cells[TABLE_COLUMNS_MAX];
	struct scratch scratch;

	scratch.used = 0;
	/* cppcheck-suppress comparePointers ; fill returns a place in cells */
	writer_row(&to->writer, cells, (size_t)(to->table->fill(cells, row, &scratch) - cells));
}

/** Starts the rows anew. False if that failed: the table's file then says why when it is checked.
 */
bool table_start_rows(struct table_file *to, const struct row_source *rows);

/** The next of the rows to @row. False if there is none, or as table_start_rows(). */
bool table_next_row(struct table_file *to, const struct row_source *rows, void *row);

/** A life without samples of an event has a row of it where so many events at most have samples. */
enum { TABLE_EVENTS_MAX = 64 };

/** Numbers of events. */
struct life_events {
	const uint32_t *numbers;
	size_t nr;
};

/**
 * The events that a life has rows of which has samples of the @nr_own events in @own, ascending:
 * all that anything has samples of, with a filter its own. So many lives with so many events would
 * make a table out of all proportion to the recording: from TABLE_EVENTS_MAX on, its own, or one.
 */
struct life_events table_events_of_life(const struct results *results, const uint32_t *own,
					size_t nr_own);

/** Samples and period of all of @event. */
static inline struct tally event_total(const struct results *results, const struct event *event)
{
	return results->events[event->number].total;
}

#endif
