/*
 * A table: its columns are data, from which the header line and the manual page are made; a row has
 * one cell for each column.
 *
 * Internal to report/; its public interface is report/report.h. To add a column, append it to a
 * table's array and its cell to the table's fill function; to add a table, write a file like
 * report/table_stat.c and list it in report/tables.h.
 */
#ifndef READPERF_REPORT_TABLE_H
#define READPERF_REPORT_TABLE_H

#include "decode/results.h"
#include "report/runtags.h"
#include "report/tables.h"
#include "report/writer.h"

#include <stdbool.h>
#include <stddef.h>

struct diff;
struct diff_row;

struct table_file;

enum {
	TABLE_TAIL_MAX = 1 + RUNTAGS_MAX, /* columns that tell the run */
	TABLE_COLUMNS_MAX = 32 + TABLE_TAIL_MAX,
};

struct table {
	const char *name;    /* "results": the file is results.csv */
	const char *one_row; /* what a row is: "one row per ..." */
	const char *rows;    /* which rows there are and their order; sentences on one line */
	const struct column *columns;
	size_t nr_columns; /* at most TABLE_COLUMNS_MAX - TABLE_TAIL_MAX, with keys */
	bool open;	   /* more columns follow: keys, a comparison's runs */
	bool split;	   /* those of the keys of --per do */
	bool of_runs;	   /* a row is of a run, and tells which */
	bool each_record;  /* a row is a struct record and is written while the recording is read */
	/* Sets one cell for each column, in their order. The type of @row is documented in the
	 * table's file; texts made for the row are stored in @scratch. Returns the end of the
	 * cells. */
	struct cell *(*fill)(struct cell *cell, const void *row, struct scratch *scratch);
	/* Appends all rows of the answer that report/tables.h lists for the table. NULL if
	 * @each_record or @row_bytes is set, and for the tables of a comparison. */
	void (*write)(struct table_file *to, const struct rows *rows,
		      const struct results *results);
	size_t row_bytes; /* size of a row of the answer, if each is one of the table; else 0 */
};

/** A table that is being written to its file. */
struct table_file {
	const struct table *table;
	struct writer writer;
	const struct runtags *tags;	  /* of the run; NULL: none */
	struct cell tail[TABLE_TAIL_MAX]; /* the last cells of every row: they tell the run */
	size_t nr_tail;
};

/** A table, and the answer that it needs. */
struct table_line {
	const struct table *table;
	const struct answer *answer;
};

extern const struct table_line table_list[REPORT_NR_TABLES];

/** The tables of a comparison; a row is a struct diff_row. */
enum { NR_DIFF_TABLES = 3 };
extern const struct table table_diff, table_diff_wide, table_ratios;
extern const struct table *const diffreport_tables[NR_DIFF_TABLES];

/** Appends the rows of table_ratios; a row is a struct diff_ratio. */
void table_ratios_write(struct table_file *to, const struct diff *diff);

/** Appends a whole table of a comparison. */
void table_diff_write(struct table_file *to, const struct diff *diff);

/** Sets the last cells of every row to what tells the run with the @tags, which are borrowed. */
void table_set_run(struct table_file *to, const struct runtags *tags);

/**
 * Appends the header, with @nr_keys columns for the @keys if the table is split by them, and those
 * that tell the run.
 */
void table_start_split(struct table_file *to, const char *const *keys, size_t nr_keys);

/** Appends the header. */
static inline void table_start(struct table_file *to)
{
	writer_start(&to->writer, to->table->columns, to->table->nr_columns);
}

/** Sets @cells to the row made from @row; texts are stored in @scratch. Returns their number. */
static inline size_t table_fill_row(const struct table_file *to, const void *row,
				    struct cell cells[TABLE_COLUMNS_MAX], struct scratch *scratch)
{
	struct cell *end;

	scratch->used = 0;
	end = to->table->fill(cells, row, scratch);
	for (size_t i = 0; i < to->nr_tail; i++)
		*end++ = to->tail[i];
	/* cppcheck-suppress comparePointers ; fill returns a pointer into cells */
	return (size_t)(end - cells);
}

/** Appends the row made from @row. */
static inline void table_put_row(struct table_file *to, const void *row)
{
	struct cell cells[TABLE_COLUMNS_MAX];
	struct scratch scratch;
	const size_t nr = table_fill_row(to, row, cells, &scratch);

	writer_row(&to->writer, cells, nr);
}

/** Appends all @rows of the table's answer. Those of @each_record are written as they come. */
void table_write(struct table_file *to, const struct rows *rows, const struct results *results);

/**
 * Goes back to the first row. Returns false on error, which is stored in the table's file and
 * reported when that is checked.
 */
bool table_start_rows(struct table_file *to, const struct row_source *rows);

/** Reads the next row into @row. Returns false at the end or on error, as table_start_rows(). */
bool table_next_row(struct table_file *to, const struct row_source *rows, void *row);

/**
 * If at most so many events have samples, a life has a row for each of them, even without samples.
 */
enum { TABLE_EVENTS_MAX = 64 };

/** Event numbers, borrowed. */
struct life_events {
	const uint32_t *numbers;
	size_t nr;
};

/**
 * Returns the events for which a life has rows. @own: the @nr_own events that it has samples of,
 * ascending. With a filter these are its own events. Otherwise they are all events with samples; if
 * there are more than TABLE_EVENTS_MAX, only its own, or the first event if it has none, because
 * the table would become too large.
 */
struct life_events table_events_of_life(const struct results *results, const uint32_t *own,
					size_t nr_own);

/** Samples and period of the whole @event. */
static inline struct tally event_total(const struct results *results, const struct event *event)
{
	if (event->number >= results->nr_events)
		return results->traced->stat.total;
	return results->events[event->number].total;
}

#endif
