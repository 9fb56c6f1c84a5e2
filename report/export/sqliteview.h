/*
 * The SQL of readperf.sqlite: tables of names, a table of facts for each table, and views that give
 * the table back, as columns and as lines of CSV.
 *
 * Functions that return SQL return a text that the caller frees, or NULL if memory is out.
 */
#ifndef READPERF_REPORT_EXPORT_SQLITEVIEW_H
#define READPERF_REPORT_EXPORT_SQLITEVIEW_H

#include "report/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Names that stand once. */
enum sqlite_dimension { SQLITE_EVENT, SQLITE_BINARY, SQLITE_FUNCTION, NR_SQLITE_DIMENSIONS };

enum { SQLITEVIEW_ROLE_PARTS = 5, SQLITEVIEW_ROLES_MAX = 4, SQLITEVIEW_NO_DECIMALS = 10 };

/** Columns of a table that a row of names stands for. */
struct sqliteview_role {
	const char *key; /* the column that refers to it */
	enum sqlite_dimension of;
	/* Numbers of the columns, -1 if there is none: of an event its name; of a binary its path
	 * and build id; of a function its name, filename and reason, and those two. */
	int columns[SQLITEVIEW_ROLE_PARTS];
};

/** A table in the database. */
struct sqliteview {
	const struct table *table; /* set by the caller, the rest by sqliteview_start() */
	struct column columns[TABLE_COLUMNS_MAX];
	size_t nr_columns;
	struct sqliteview_role roles[SQLITEVIEW_ROLES_MAX];
	size_t nr_roles;
	bool in_role[TABLE_COLUMNS_MAX];
	unsigned decimals[TABLE_COLUMNS_MAX]; /* SQLITEVIEW_NO_DECIMALS: not known yet */
	uint64_t nr_rows;
};

/** Takes in the @nr @columns of view->table. */
void sqliteview_start(struct sqliteview *view, const struct column *columns, size_t nr);

/** The number of columns of a table of names, without its id. */
size_t sqliteview_parts(enum sqlite_dimension which);

/** Whether that column with number @part refers to another table of names. */
bool sqliteview_refers(enum sqlite_dimension which, size_t part);

/** The table of names, and the insertion of a row: id and parts. */
char *sqliteview_create_names(enum sqlite_dimension which);
char *sqliteview_insert_names(enum sqlite_dimension which);

/** The table of facts, and the insertion of a row: its number, ids of roles, the other columns. */
char *sqliteview_create_table(const struct sqliteview *view);
char *sqliteview_insert(const struct sqliteview *view);

/** The view with the columns of the table. */
char *sqliteview_create_view(const struct sqliteview *view);

/** The view with the lines of its file; @raw: without the guard against formulas. */
char *sqliteview_create_csv(const struct sqliteview *view, bool raw);

#endif
