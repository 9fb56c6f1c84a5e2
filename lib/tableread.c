/* Tables: readperf/table.h, filled by a writer like those that make files. */
#include "lib/apierror.h"
#include "lib/cellstore.h"
#include "lib/replaying.h"
#include "report/export/tablerows.h"
#include "report/table.h"

#include <readperf/table.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct readperf_column {
	const char *name, *unit, *meaning; /* @name may be one of ours */
	enum cell_type type;
	struct cellstore cells;
};

struct readperf_table {
	struct handle_mark mark;
	struct readperf_column columns[TABLE_COLUMNS_MAX];
	size_t nr_columns, nr_rows;
	struct intern names; /* of the keys of --per */
	bool failed;	     /* memory is out */
};

static const struct readperf_table *alive(const struct readperf_table *table)
{
	handlemark_check(&table->mark, HANDLE_TABLE);
	return table;
}

/* ---- filling --------------------------------------------------------------------------------- */

static void start_table(struct writer *writer, const struct column *columns, size_t nr)
{
	struct readperf_table *table = writer->state;

	for (size_t i = 0; i < nr; i++) {
		struct readperf_column *to = &table->columns[i];

		to->name = intern_keep(&table->names, columns[i].name);
		to->unit = columns[i].unit ? columns[i].unit : "";
		to->meaning = columns[i].meaning ? columns[i].meaning : "";
		to->type = columns[i].type;
		to->cells.kind = cellstore_kind_of(columns[i].type);
		table->failed |= !to->name;
	}
	table->nr_columns = nr;
}

static void add_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	struct readperf_table *table = writer->state;
	struct cell cell;

	for (size_t i = 0; i < nr && !table->failed; i++) {
		cell = cells[i];
		if ((cell.type == CELL_DECIMAL || cell.type == CELL_RATIO) &&
		    !isfinite(cell.decimal))
			cell_empty(&cell);
		table->failed = !cellstore_add(&table->columns[i].cells, table->nr_rows, &cell);
	}
	table->nr_rows += !table->failed;
}

static const struct form array_form = {.ending = "", .start = start_table, .row = add_row};

static int find_number(const char *name)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (strcmp(table_list[i].table->name, name) == 0)
			return i;
	return -1;
}

/* Returns the number of the table, -1 with @err filled if it cannot be read. */
static int check_table(const struct readperf_replay *replay, const char *name, struct error *err)
{
	const int number = find_number(name);

	if (number < 0)
		return error_set(err, ERROR_USAGE, "table %s: there is none", name);
	if (!(replay->settings->report.tables & 1u << number))
		return error_set(err, ERROR_USAGE, "table %s: the setting tables does not name it",
				 name);
	if (!replay->results)
		return error_set(err, ERROR_USAGE,
				 "table %s: there are no results before readperf_replay_finish()",
				 name);
	return number;
}

static int fill(struct readperf_table *table, const struct readperf_replay *replay, int number,
		struct error *err)
{
	const struct report_settings *settings = &replay->settings->report;
	const struct tablerows rows = {.results = replay->results,
				       .chosen = settings->tables,
				       .records = replay->records,
				       .keys = settings->keys,
				       .nr_keys = settings->nr_keys,
				       .tags = &replay->tags};
	struct outfile out = {.fd = -1}; /* takes errors only */
	const struct writer writer = {.form = &array_form, .out = &out, .state = table};

	tablerows_write(&rows, number, &writer);
	if (table->failed)
		return error_nomem(err, "reading a table");
	return outfile_check(&out, err);
}

struct readperf_table *readperf_table_read(struct readperf_replay *replay, const char *name,
					   struct readperf_error *err)
{
	struct readperf_table *table = NULL;
	struct error why = {0};
	int number;

	if (!replay || !name) {
		apierror_null(err, replay ? "name" : "replay");
		return NULL;
	}
	handlemark_check(&replay->mark, HANDLE_REPLAY);
	number = check_table(replay, name, &why);
	if (number >= 0) {
		table = calloc(1, sizeof(*table));
		if (!table)
			error_nomem(&why, "reading a table");
	}
	if (table) {
		handlemark_begin(&table->mark, HANDLE_TABLE);
		if (fill(table, replay, number, &why) == 0)
			return table;
	}
	apierror_copy(err, &why);
	readperf_table_free(table);
	return NULL;
}

void readperf_table_free(struct readperf_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < alive(table)->nr_columns; i++)
		cellstore_free(&table->columns[i].cells);
	intern_free(&table->names);
	handlemark_free(&table->mark);
}

/* ---- columns --------------------------------------------------------------------------------- */

const char *readperf_table_name(size_t number)
{
	return number < REPORT_NR_TABLES ? table_list[number].table->name : NULL;
}

size_t readperf_table_nr_rows(const struct readperf_table *table)
{
	return table ? alive(table)->nr_rows : 0;
}

size_t readperf_table_nr_columns(const struct readperf_table *table)
{
	return table ? alive(table)->nr_columns : 0;
}

size_t readperf_table_find(const struct readperf_table *table, const char *name)
{
	const size_t nr = readperf_table_nr_columns(table);
	size_t i = 0;

	if (!name)
		return nr;
	while (i < nr && strcmp(table->columns[i].name, name) != 0)
		i++;
	return i;
}

static const struct readperf_column *column_at(const struct readperf_table *table, size_t column)
{
	return column < readperf_table_nr_columns(table) ? &table->columns[column] : NULL;
}

int readperf_table_column_type(const struct readperf_table *table, size_t column)
{
	const struct readperf_column *of = column_at(table, column);

	if (!of)
		return 0;
	switch (of->cells.kind) {
	case CELLSTORE_NUMBER:
		return of->type == CELL_HEX ? READPERF_COLUMN_ADDRESS : READPERF_COLUMN_NUMBER;
	case CELLSTORE_SIGNED:
		return READPERF_COLUMN_SIGNED;
	case CELLSTORE_REAL:
		return READPERF_COLUMN_REAL;
	default:
		return READPERF_COLUMN_TEXT;
	}
}

const char *readperf_table_column_name(const struct readperf_table *table, size_t column)
{
	const struct readperf_column *of = column_at(table, column);

	return of ? of->name : NULL;
}

const char *readperf_table_column_unit(const struct readperf_table *table, size_t column)
{
	const struct readperf_column *of = column_at(table, column);

	return of ? of->unit : NULL;
}

const char *readperf_table_column_meaning(const struct readperf_table *table, size_t column)
{
	const struct readperf_column *of = column_at(table, column);

	return of ? of->meaning : NULL;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The cells of @column if they are of @kind, else NULL. */
static const struct cellstore *cells_of(const struct readperf_table *table, size_t column,
					enum cellstore_kind kind)
{
	const struct readperf_column *of = column_at(table, column);

	return of && of->cells.kind == kind ? &of->cells : NULL;
}

const uint64_t *readperf_table_numbers(const struct readperf_table *table, size_t column)
{
	const struct cellstore *cells = cells_of(table, column, CELLSTORE_NUMBER);

	return cells ? cells->numbers : NULL;
}

const int64_t *readperf_table_signed(const struct readperf_table *table, size_t column)
{
	const struct cellstore *cells = cells_of(table, column, CELLSTORE_SIGNED);

	return cells ? cells->signeds : NULL;
}

const double *readperf_table_reals(const struct readperf_table *table, size_t column)
{
	const struct cellstore *cells = cells_of(table, column, CELLSTORE_REAL);

	return cells ? cells->reals : NULL;
}

const uint32_t *readperf_table_codes(const struct readperf_table *table, size_t column)
{
	const struct cellstore *cells = cells_of(table, column, CELLSTORE_TEXT);

	return cells ? cells->codes : NULL;
}

const uint8_t *readperf_table_known(const struct readperf_table *table, size_t column)
{
	const struct readperf_column *of = column_at(table, column);

	return of ? of->cells.known : NULL;
}

size_t readperf_table_nr_texts(const struct readperf_table *table, size_t column)
{
	const struct cellstore *cells = cells_of(table, column, CELLSTORE_TEXT);

	return cells ? cells->texts.nr_strings + 1 : 0;
}

const char *readperf_table_text(const struct readperf_table *table, size_t column, uint32_t code)
{
	const struct cellstore *cells = cells_of(table, column, CELLSTORE_TEXT);

	return cells && code <= cells->texts.nr_strings ? intern_get(&cells->texts, code) : NULL;
}
