/*
 * A table: its columns are data, and from them come the header line, the rows and the manual page.
 *
 * For the files of report/ only; the door is report/report.h. To add a column, append a row to a
 * table's array; to add a table, write a file like report/stat.c and list it in report/table.c.
 */
#ifndef READPERF_REPORT_TABLE_H
#define READPERF_REPORT_TABLE_H

#include "decode/results.h"
#include "util/csv.h"

#include <stdbool.h>
#include <stddef.h>

struct diff;
struct diff_row;

/** The types that a column may have, as the manual page names them. */
#define TYPE_U64     "u64"     /* 0 to 2^64-1, decimal */
#define TYPE_I32     "i32"     /* 32 bits with a sign, decimal */
#define TYPE_HEX     "hex"     /* 64 bits, 0x... */
#define TYPE_DECIMAL "decimal" /* with 4 decimals; where the unit says so, with 6 */
#define TYPE_TEXT    "text"

/** Columns are only ever appended, never renamed or moved: scripts know them. */
struct column {
	const char *name, *type;
	const char *unit;    /* "" if it has none */
	const char *meaning; /* sentences for the manual page, plain ASCII, on one line */
	/* appends exactly one cell; @row is what the table's file says */
	void (*put)(struct csv *csv, const void *row);
};

struct table {
	const char *name;    /* "results": the file is results.csv */
	const char *one_row; /* what a row stands for: "one row per ..." */
	const char *rows;    /* which rows there are, in which order; sentences on one line */
	const struct column *columns;
	size_t nr_columns;
	/* appends all rows; NULL for the table that is written while the recording is read, and for
	 * those of a comparison */
	void (*write)(struct csv *csv, const struct table *table, const struct results *results);
};

extern const struct table stat_table, overview_table, processes_table, results_table, events_table,
	header_table, threads_table, binaries_table, lines_table, addresses_table;

/** The tables of a comparison; a row is a struct diff_row. */
enum { NR_DIFF_TABLES = 2 };
extern const struct table diff_table, wide_table;
extern const struct table *const diff_tables[NR_DIFF_TABLES];

/** Appends the line of @row to the wide table, whose columns depend on @diff. */
void wide_put_row(struct csv *csv, const struct diff *diff, const struct diff_row *row);

/** Places in all_tables, which are the bits' numbers of enum report_tables too. */
enum {
	TABLE_STAT,
	TABLE_OVERVIEW,
	TABLE_PROCESSES,
	TABLE_RESULTS,
	TABLE_EVENTS,
	TABLE_HEADER,
	TABLE_THREADS,
	TABLE_BINARIES,
	TABLE_LINES,
	TABLE_ADDRESSES,
	NR_TABLES,
};

extern const struct table *const all_tables[NR_TABLES];

/** Appends the line of the columns' names. */
void table_put_header(struct csv *csv, const struct table *table);

/** Appends the line of @row. */
static inline void table_put_row(struct csv *csv, const struct table *table, const void *row)
{
	const struct column *end = table->columns + table->nr_columns;

	for (const struct column *column = table->columns; column < end; column++)
		column->put(csv, row);
	csv_end_row(csv);
}

/** Starts the rows anew. False if that failed: the table's file then says why when it is checked.
 */
bool table_start_rows(struct csv *csv, const struct row_source *rows);

/** The next of the rows to @row. False if there is none, or as table_start_rows(). */
bool table_next_row(struct csv *csv, const struct row_source *rows, void *row);

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
