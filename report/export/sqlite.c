/*
 * readperf.sqlite: the chosen tables as a SQLite database.
 *
 * A table of facts has the rows of each; names of events, binaries and functions stand once, in
 * tables of their own, and facts refer to them. A view with the name of each table has its columns,
 * and another one, NAME_csv, the lines of its file. The layout is described in readperf-csv(5).
 */
#include "report/csvform.h"
#include "report/export/database.h"
#include "report/export/ownfile.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "report/export/sqliteview.h"
#include "report/export/tablerows.h"
#include "report/table.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/intern.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSION_PARTS = 4 };

/* Rows of names that stand once: a row is the numbers of its texts, 0 for none, or of other rows.
 */
struct dimension {
	uint32_t (*rows)[DIMENSION_PARTS];
	size_t room;
	struct index index;
	struct database_statement *insert;
};

/* The database in the making. */
struct sqlite {
	const struct runexport_view *view;
	struct database *db;
	struct dimension dimensions[NR_SQLITE_DIMENSIONS];
	struct intern texts;
	char *clean; /* texts of a row made UTF-8 */
	size_t nr_clean, clean_room;
	bool failed; /* memory is out */
};

/* The table that is being written. */
struct sqlite_table {
	struct sqlite *to;
	struct sqliteview view;
	struct database_statement *insert;
};

/* ---- names that stand once ------------------------------------------------------------------- */

static uint32_t number_of_text(struct sqlite *to, const struct cell *cell)
{
	uint32_t number = 0;

	if (cell->type == CELL_TEXT && cell->text.len)
		number = intern(&to->texts, cell->text.bytes, cell->text.len);
	to->failed |= number == INTERN_NOMEM;
	return to->failed ? 0 : number;
}

/* Invalid bytes become U+FFFD, as in CSV. The text is valid until the next row. */
static void set_text(struct sqlite *to, struct database_value *value, const char *text, size_t len)
{
	char *at = to->clean + to->nr_clean;

	len = (size_t)(text_repair(at, text, len) - at);
	*value = (struct database_value){.kind = DATABASE_TEXT, .text = {at, len}};
	to->nr_clean += len;
}

/* Makes room for texts of @len bytes in all, and forgets those before. */
static bool start_texts(struct sqlite *to, size_t len)
{
	to->nr_clean = 0;
	to->failed |= !array_grow(to->clean, to->clean_room, 3 * len + 1);
	return !to->failed;
}

static void insert_names(struct sqlite *to, enum sqlite_dimension which, uint32_t id)
{
	struct dimension *dimension = &to->dimensions[which];
	const uint32_t *row = dimension->rows[id - 1];
	struct database_value values[1 + DIMENSION_PARTS] = {{DATABASE_INT, {.integer = id}}};
	const size_t nr = sqliteview_parts(which);
	size_t len = 0;

	for (size_t i = 0; i < nr; i++)
		len += strlen(sqliteview_refers(which, i) ? "" : intern_get(&to->texts, row[i]));
	if (!start_texts(to, len))
		return;
	for (size_t i = 0; i < nr; i++) {
		struct database_value *value = &values[1 + i];
		const char *text;

		if (!row[i])
			continue;
		if (sqliteview_refers(which, i)) {
			*value = (struct database_value){DATABASE_INT, {.integer = row[i]}};
			continue;
		}
		text = intern_get(&to->texts, row[i]);
		set_text(to, value, text, strlen(text));
	}
	database_insert(to->db, dimension->insert, values, 1 + nr);
}

/* The id of the row, which is there from now on; 0 if all of it is empty. */
static uint32_t id_of(struct sqlite *to, enum sqlite_dimension which,
		      const uint32_t row[DIMENSION_PARTS])
{
	struct dimension *dimension = &to->dimensions[which];
	const size_t size = sizeof(dimension->rows[0]);
	static const uint32_t none[DIMENSION_PARTS];
	uint64_t hash = 0;
	uint32_t number;

	if (memcmp(row, none, size) == 0)
		return 0;
	for (size_t i = 0; i < DIMENSION_PARTS; i++)
		hash = hash_add(hash, row[i]);
	for (size_t at = index_first(&dimension->index, hash);
	     index_next(&dimension->index, hash, &at, &number);)
		if (memcmp(dimension->rows[number], row, size) == 0)
			return number + 1;
	number = (uint32_t)dimension->index.nr;
	if (!array_grow(dimension->rows, dimension->room, (size_t)number + 1) ||
	    !index_add(&dimension->index, hash)) {
		to->failed = true;
		return 0;
	}
	memcpy(dimension->rows[number], row, size);
	insert_names(to, which, number + 1);
	return number + 1;
}

static uint32_t id_of_role(struct sqlite *to, const struct sqliteview_role *role,
			   const struct cell *cells)
{
	uint32_t parts[SQLITEVIEW_ROLE_PARTS] = {0};
	uint32_t row[DIMENSION_PARTS] = {0};

	for (size_t i = 0; i < SQLITEVIEW_ROLE_PARTS; i++)
		if (role->columns[i] >= 0)
			parts[i] = number_of_text(to, &cells[role->columns[i]]);
	if (role->of != SQLITE_FUNCTION) {
		memcpy(row, parts, sizeof(row));
		return id_of(to, role->of, row);
	}
	row[0] = parts[3];
	row[1] = parts[4];
	row[0] = id_of(to, SQLITE_BINARY, row);
	memcpy(row + 1, parts, 3 * sizeof(*row));
	return id_of(to, SQLITE_FUNCTION, row);
}

/* ---- rows of facts --------------------------------------------------------------------------- */

/* What is beyond 64 bits with a sign, or a double, stays exact, as digits. */
static void set_number(const struct sqlite *to, struct database_value *value,
		       const struct cell *cell, char *digits, unsigned decimals)
{
	csvform_number(digits, cell);
	*value = (struct database_value){DATABASE_REAL, {.real = strtod(digits, NULL)}};
	if (*digits && database_prints(to->db, value->real, decimals, digits))
		return;
	value->kind = *digits ? DATABASE_DIGITS : DATABASE_NULL;
	value->text.bytes = digits;
	value->text.len = strlen(digits);
}

static void set_u64(struct database_value *value, const struct cell *cell, char *digits)
{
	*value = (struct database_value){DATABASE_INT, {.integer = (int64_t)cell->u64}};
	if (cell->u64 <= INT64_MAX)
		return;
	csvform_number(digits, cell);
	value->kind = DATABASE_DIGITS;
	value->text.bytes = digits;
	value->text.len = strlen(digits);
}

/* Digits in a text: an integer, if it is written as SQL would. */
static void set_digits(struct database_value *value, const struct cell *cell)
{
	char again[24];
	const long long integer = strtoll(cell->text.bytes, NULL, 10);

	snprintf(again, sizeof(again), "%lld", integer);
	*value = (struct database_value){DATABASE_INT, {.integer = integer}};
	if (strlen(again) == cell->text.len && memcmp(again, cell->text.bytes, cell->text.len) == 0)
		return;
	value->kind = DATABASE_DIGITS;
	value->text.bytes = cell->text.bytes;
	value->text.len = cell->text.len;
}

static void set_cell(struct sqlite *to, struct database_value *value, const struct cell *cell,
		     char *digits, unsigned decimals)
{
	*value = (struct database_value){.kind = DATABASE_NULL};
	switch (cell->type) {
	case CELL_U64:
		set_u64(value, cell, digits);
		break;
	case CELL_I32:
		*value = (struct database_value){DATABASE_INT, {.integer = cell->i32}};
		break;
	case CELL_HEX:
		csvform_number(digits, cell);
		set_text(to, value, digits, strlen(digits));
		break;
	case CELL_DECIMAL:
	case CELL_PERCENT:
	case CELL_RATIO:
		set_number(to, value, cell, digits, decimals);
		break;
	case CELL_NUMBER:
		set_digits(value, cell);
		break;
	case CELL_TEXT:
		if (cell->text.len)
			set_text(to, value, cell->text.bytes, cell->text.len);
		break;
	default:
		break;
	}
}

/* The first cell of a column of decimals says how many it has. */
static unsigned decimals_of(struct sqlite_table *table, size_t column, const struct cell *cell)
{
	unsigned *decimals = &table->view.decimals[column];

	if (cell->type == CELL_RATIO)
		return cell->decimals;
	if (cell->type == CELL_DECIMAL && *decimals == SQLITEVIEW_NO_DECIMALS)
		*decimals = cell->decimals;
	return *decimals == SQLITEVIEW_NO_DECIMALS ? CELL_PERCENT_DECIMALS : *decimals;
}

static size_t texts_of(const struct cell *cells, size_t nr)
{
	size_t len = nr * CSVFORM_HEX_MAX;

	for (size_t i = 0; i < nr; i++)
		if (cells[i].type == CELL_TEXT)
			len += cells[i].text.len;
	return len;
}

static void put_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	struct sqlite_table *table = writer->state;
	struct sqlite *to = table->to;
	struct database_value values[1 + TABLE_COLUMNS_MAX];
	char digits[TABLE_COLUMNS_MAX][CSVFORM_NUMBER_MAX];
	size_t nr_values = 0;
	uint32_t ids[SQLITEVIEW_ROLES_MAX];

	if (to->failed || database_failed(to->db))
		return;
	for (size_t i = 0; i < table->view.nr_roles; i++)
		ids[i] = id_of_role(to, &table->view.roles[i], cells);
	if (!start_texts(to, texts_of(cells, nr)))
		return;
	values[nr_values++] =
		(struct database_value){DATABASE_INT, {.integer = (int64_t)++table->view.nr_rows}};
	for (size_t i = 0; i < table->view.nr_roles; i++)
		values[nr_values++] = (struct database_value){ids[i] ? DATABASE_INT : DATABASE_NULL,
							      {.integer = ids[i]}};
	for (size_t i = 0; i < nr; i++)
		if (!table->view.in_role[i])
			set_cell(to, &values[nr_values++], &cells[i], digits[i],
				 decimals_of(table, i, &cells[i]));
	database_insert(to->db, table->insert, values, nr_values);
}

/* ---- tables and views ------------------------------------------------------------------------ */

static void run(struct sqlite *to, char *sql)
{
	to->failed |= !sql;
	if (sql)
		database_run(to->db, sql);
	free(sql);
}

static struct database_statement *prepare(struct sqlite *to, char *sql)
{
	struct database_statement *statement = NULL;

	to->failed |= !sql;
	if (sql)
		statement = database_prepare(to->db, sql);
	free(sql);
	return statement;
}

static void start_table(struct writer *writer, const struct column *columns, size_t nr)
{
	struct sqlite_table *table = writer->state;

	sqliteview_start(&table->view, columns, nr);
	run(table->to, sqliteview_create_table(&table->view));
	table->insert = prepare(table->to, sqliteview_insert(&table->view));
}

static const struct form sqlite_form = {.start = start_table, .row = put_row};

static void put_table(struct sqlite *to, int number)
{
	struct sqlite_table table = {.to = to, .view = {.table = table_list[number].table}};
	const struct writer writer = {.form = &sqlite_form, .out = to->view->out, .state = &table};

	tablerows_write(to->view->tables, number, &writer);
	run(to, sqliteview_create_view(&table.view));
	run(to, sqliteview_create_csv(&table.view, to->view->settings->raw));
}

static void put_database(struct sqlite *to)
{
	for (int i = 0; i < NR_SQLITE_DIMENSIONS; i++) {
		run(to, sqliteview_create_names((enum sqlite_dimension)i));
		to->dimensions[i].insert =
			prepare(to, sqliteview_insert_names((enum sqlite_dimension)i));
	}
	for (int i = 0; i < REPORT_NR_TABLES && !to->failed; i++)
		if (to->view->tables->chosen & 1u << i)
			put_table(to, i);
	run(to, strdup("PRAGMA user_version = 1"));
}

static void free_all(struct sqlite *to)
{
	for (int i = 0; i < NR_SQLITE_DIMENSIONS; i++) {
		free(to->dimensions[i].rows);
		index_free(&to->dimensions[i].index);
	}
	intern_free(&to->texts);
	free(to->clean);
	database_destroy(to->db);
}

void sqlite_write(const struct runexport_view *view)
{
	struct error err;
	struct sqlite to = {.view = view, .db = database_create(&err)};

	if (!to.db) {
		outfile_fail(view->out, &err);
		return;
	}
	put_database(&to);
	if (to.failed) {
		error_nomem(&err, "making the database");
		outfile_fail(view->out, &err);
	} else if (outfile_check(view->out, NULL) == 0) {
		database_copy(to.db, view->out);
	}
	free_all(&to);
}

/* A database's header has the version that put_database() gives it. */
bool sqlite_is_own(const struct ownfile *file)
{
	static const char magic[] = "SQLite format 3", version[] = {0, 0, 0, 1};
	enum { VERSION = 60 };

	return file->head_len >= VERSION + sizeof(version) &&
	       memcmp(file->head, magic, sizeof(magic)) == 0 &&
	       memcmp(file->head + VERSION, version, sizeof(version)) == 0;
}
