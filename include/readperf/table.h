/*
 * Tables: the rows of every table of readperf as typed cells, a column at a time.
 * readperf-csv(5) tells what the tables and columns mean.
 *
 *	#include <readperf/readperf.h>
 *	#include <inttypes.h>
 *	#include <stdio.h>
 *
 *	int main(int argc, char **argv)
 *	{
 *		const char *path = argc > 1 ? argv[1] : "perf.data";
 *		struct readperf_recording *recording = readperf_recording_open(path, NULL);
 *		struct readperf_settings *settings = readperf_settings_create(NULL);
 *		struct readperf_replay *replay = NULL;
 *		struct readperf_table *table = NULL;
 *		const struct readperf_record *record;
 *
 *		if (recording && readperf_settings_set(settings, "tables", "threads", NULL) == 0)
 *			replay = readperf_replay_create(recording, settings, NULL);
 *		while (replay && readperf_recording_next(recording, &record, NULL) > 0 &&
 *		       readperf_replay_apply(replay, record, NULL) >= 0)
 *			;
 *		if (replay && readperf_replay_finish(replay, NULL) == 0)
 *			table = readperf_table_read(replay, "threads", NULL);
 *		for (size_t row = 0; table && row < readperf_table_nr_rows(table); row++) {
 *			const size_t period = readperf_table_find(table, "period");
 *
 *			printf("%" PRIu64 "\n", readperf_table_numbers(table, period)[row]);
 *		}
 *		readperf_table_free(table);
 *		readperf_replay_free(replay);
 *		readperf_settings_free(settings);
 *		readperf_recording_close(recording);
 *		return 0;
 *	}
 */
#ifndef READPERF_TABLE_H
#define READPERF_TABLE_H

#include <readperf/error.h>
#include <readperf/replay.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct readperf_table;

/** Returns the name of the table with @number from 0; NULL if there is none. Static. */
READPERF_API const char *readperf_table_name(size_t number);

/**
 * Returns a copy of the table @name of the last snapshot or of the end; the setting "tables" must
 * name it. The caller frees it with readperf_table_free(). NULL with @err filled.
 */
READPERF_API struct readperf_table *
readperf_table_read(struct readperf_replay *replay, const char *name, struct readperf_error *err);

/** Frees @table. NULL is fine. */
READPERF_API void readperf_table_free(struct readperf_table *table);

/** Returns how many rows there are; 0 if @table is NULL. */
READPERF_API size_t readperf_table_nr_rows(const struct readperf_table *table);

/**
 * Returns how many columns there are, by whose numbers from 0 they are asked for; 0 if @table
 * is NULL.
 */
READPERF_API size_t readperf_table_nr_columns(const struct readperf_table *table);

/* ---- columns --------------------------------------------------------------------------------- */

/** What the cells of a column are. */
enum readperf_column_type {
	READPERF_COLUMN_NUMBER = 1,  /* uint64_t */
	READPERF_COLUMN_ADDRESS = 2, /* uint64_t, shown in hexadecimal */
	READPERF_COLUMN_SIGNED = 3,  /* int64_t */
	READPERF_COLUMN_REAL = 4,    /* double */
	READPERF_COLUMN_TEXT = 5,    /* uint32_t, the number of a text */
};

/** Returns the number of the column @name, or readperf_table_nr_columns() if there is none. */
READPERF_API size_t readperf_table_find(const struct readperf_table *table, const char *name);

/** Returns enum readperf_column_type; 0 if there is no such column. */
READPERF_API int readperf_table_column_type(const struct readperf_table *table, size_t column);

/** Returns the column's name, which @table owns; NULL if there is no such column. */
READPERF_API const char *readperf_table_column_name(const struct readperf_table *table,
						    size_t column);

/**
 * Returns the unit of the column's cells ("ns"), "" if they have none; @table owns it. NULL if
 * there is no such column.
 */
READPERF_API const char *readperf_table_column_unit(const struct readperf_table *table,
						    size_t column);

/** Returns what the column means, in words; @table owns them. NULL if there is no such column. */
READPERF_API const char *readperf_table_column_meaning(const struct readperf_table *table,
						       size_t column);

/* ---- cells ----------------------------------------------------------------------------------- */

/**
 * Returns the cells of a column of READPERF_COLUMN_NUMBER or READPERF_COLUMN_ADDRESS, one for each
 * row, of which empty ones are 0. @table owns them. NULL if the column is of another type or not
 * there, or the table has no rows.
 */
READPERF_API const uint64_t *readperf_table_numbers(const struct readperf_table *table,
						    size_t column);

/** As readperf_table_numbers() for a column of READPERF_COLUMN_SIGNED. */
READPERF_API const int64_t *readperf_table_signed(const struct readperf_table *table,
						  size_t column);

/** As readperf_table_numbers() for a column of READPERF_COLUMN_REAL. */
READPERF_API const double *readperf_table_reals(const struct readperf_table *table, size_t column);

/**
 * As readperf_table_numbers() for a column of READPERF_COLUMN_TEXT: the cells are the numbers of
 * its texts, for readperf_table_text(). Equal texts have one number; 0 is "".
 */
READPERF_API const uint32_t *readperf_table_codes(const struct readperf_table *table,
						  size_t column);

/**
 * Returns a byte for each row of a column of any type: 0 if the cell is empty, because its value is
 * unknown, else 1. @table owns them. NULL if there is no such column, or the table has no rows.
 */
READPERF_API const uint8_t *readperf_table_known(const struct readperf_table *table, size_t column);

/** Returns how many texts there are in @column, "" included; 0 if its cells are not text. */
READPERF_API size_t readperf_table_nr_texts(const struct readperf_table *table, size_t column);

/**
 * Returns the text with the number @code, NUL-terminated, as recorded; @table owns it. NULL if
 * there is none.
 */
READPERF_API const char *readperf_table_text(const struct readperf_table *table, size_t column,
					     uint32_t code);

#ifdef __cplusplus
}
#endif

#endif
