/*
 * A new SQLite database in a temporary file, which is copied to an output file once it is whole.
 *
 *	db = database_create(&err);
 *	database_run(db, "CREATE TABLE ...");
 *	insert = database_prepare(db, "INSERT ...");
 *	database_insert(db, insert, values, 1);
 *	database_copy(db, out);
 *	database_destroy(db);
 *
 * The first error stays, and what follows it does nothing. The same calls make the same bytes. The
 * only file that includes libsqlite3, which is opened when it is needed (util/dynlib); without the
 * library there is no database.
 */
#ifndef READPERF_REPORT_EXPORT_DATABASE_H
#define READPERF_REPORT_EXPORT_DATABASE_H

#include "util/error.h"
#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct database;
struct database_statement;

/**
 * Returns the library and its version, such as "sqlite 3.40.1", written to @name; NULL if it is not
 * there, or readperf was built without it.
 */
const char *database_library(char name[32]);

/** An empty database with a transaction that has begun. NULL with @err set if there is none. */
struct database *database_create(struct error *err);

/** Runs the statements in @sql, which give no rows. */
void database_run(struct database *db, const char *sql);

/** A statement of @db, which lives as long; NULL if it fails. */
struct database_statement *database_prepare(struct database *db, const char *sql);

/** What a parameter of a statement is set to; all zero is NULL. */
struct database_value {
	enum database_kind {
		DATABASE_NULL,
		DATABASE_INT,
		DATABASE_REAL,
		DATABASE_TEXT,	 /* UTF-8 */
		DATABASE_DIGITS, /* a number that is exact in neither type: the bytes of its digits
				  */
	} kind;
	union {
		int64_t integer;
		double real;
		struct {
			const char *bytes;
			size_t len;
		} text;
	};
};

/** Runs the statement with its @nr parameters set to @values; texts are borrowed. */
void database_insert(struct database *db, struct database_statement *statement,
		     const struct database_value *values, size_t nr);

/** Whether SQL's printf('%.@decimals f') of @value is @text. */
bool database_prints(const struct database *db, double value, unsigned decimals, const char *text);

/** Ends the transaction and appends the file to @out, or says there by outfile_fail() why not. */
void database_copy(struct database *db, struct outfile *out);

/** Whether something has failed, so that there is nothing more to do. */
bool database_failed(const struct database *db);

/** Frees @db, which may be NULL, and its file. */
void database_destroy(struct database *db);

#endif
