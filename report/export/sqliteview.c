#include "report/export/sqliteview.h"

#include "report/csvform.h"
#include "util/textfile.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what refers to names -------------------------------------------------------------------- */

/* Tables whose columns on functions tell what results.csv does: their filename is where the
 * function is defined, and not a statement. */
static const char *const of_functions[] = {"results", "calls",	    "paths",  "offcpu",
					   "memory",  "cachelines", "metrics"};

static const struct sqliteview_kind {
	const char *key;
	enum sqlite_dimension of;
	const char *columns[SQLITEVIEW_ROLE_PARTS];
} kinds[] = {
	{"event", SQLITE_EVENT, {"event"}},
	{"function", SQLITE_FUNCTION, {"function", "filename", "reason", "binary", "build_id"}},
	{"caller",
	 SQLITE_FUNCTION,
	 {"caller", "caller_filename", "caller_reason", "caller_binary", "caller_build_id"}},
	{"callee",
	 SQLITE_FUNCTION,
	 {"callee", "callee_filename", "callee_reason", "callee_binary", "callee_build_id"}},
	{"binary", SQLITE_BINARY, {"binary", "build_id"}},
};

static const struct sqliteview_names {
	const char *name;
	size_t nr;
	const char *parts[SQLITEVIEW_ROLE_PARTS];
} names[NR_SQLITE_DIMENSIONS] = {
	[SQLITE_EVENT] = {"event", 1, {"name"}},
	[SQLITE_BINARY] = {"binary", 2, {"path", "build_id"}},
	[SQLITE_FUNCTION] = {"function", 4, {"binary", "name", "filename", "reason"}},
};

/* As parts of a role are numbered: the table of names and the column that has each. */
static const struct sqliteview_source {
	enum sqlite_dimension of;
	const char *column;
} function_parts[SQLITEVIEW_ROLE_PARTS] = {
	{SQLITE_FUNCTION, "name"}, {SQLITE_FUNCTION, "filename"}, {SQLITE_FUNCTION, "reason"},
	{SQLITE_BINARY, "path"},   {SQLITE_BINARY, "build_id"},
};

static bool is_of_functions(const struct sqliteview *view)
{
	for (size_t i = 0; i < sizeof(of_functions) / sizeof(of_functions[0]); i++)
		if (strcmp(view->table->name, of_functions[i]) == 0)
			return true;
	return false;
}

/* The table's own column, not a key of --per. */
static int find_column(const struct sqliteview *view, const char *name)
{
	for (size_t i = 0; name && i < view->table->nr_columns; i++)
		if (!view->in_role[i] && strcmp(view->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* Takes the role if the table has all of its columns. */
static void add_role(struct sqliteview *view, const struct sqliteview_kind *kind)
{
	struct sqliteview_role role = {kind->key, kind->of, {0}};

	for (size_t i = 0; i < SQLITEVIEW_ROLE_PARTS; i++) {
		role.columns[i] = find_column(view, kind->columns[i]);
		if (kind->columns[i] && role.columns[i] < 0)
			return;
	}
	for (size_t i = 0; i < SQLITEVIEW_ROLE_PARTS; i++)
		if (role.columns[i] >= 0)
			view->in_role[role.columns[i]] = true;
	view->roles[view->nr_roles++] = role;
}

void sqliteview_start(struct sqliteview *view, const struct column *columns, size_t nr)
{
	memcpy(view->columns, columns, nr * sizeof(*columns));
	view->nr_columns = nr;
	for (size_t i = 0; i < nr; i++)
		view->decimals[i] = SQLITEVIEW_NO_DECIMALS;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].of != SQLITE_FUNCTION || is_of_functions(view))
			add_role(view, &kinds[i]);
}

/* ---- words of SQL ---------------------------------------------------------------------------- */

/* @text in @quotes, which are doubled inside. */
static void put_quoted(FILE *out, const char *text, char quote)
{
	putc(quote, out);
	for (; *text; text++) {
		if (*text == quote)
			putc(quote, out);
		putc(*text, out);
	}
	putc(quote, out);
}

/* SQL takes letters of either case for the same; a name that is there before gets its number. */
static void put_column_name(FILE *out, const struct sqliteview *view, size_t number)
{
	const char *name = view->columns[number].name;
	char longer[256];
	bool taken = strcasecmp(name, "row") == 0;

	for (size_t i = 0; i < number; i++)
		taken |= strcasecmp(name, view->columns[i].name) == 0;
	snprintf(longer, sizeof(longer), "%s_%zu", name, number + 1);
	put_quoted(out, taken ? longer : name, '"');
}

static void put_table_name(FILE *out, const struct sqliteview *view)
{
	const char *name = view->table->name;

	if (strcmp(name, "results") == 0)
		fputs("hot", out);
	else if (strcmp(name, "calls") == 0)
		fputs("edge", out);
	else if (strcmp(name, "paths") == 0)
		fputs("path", out);
	else
		fprintf(out, "%s_row", name);
}

/* What the @number-th column is in a query: of the facts t, or of the names of a role. */
static void put_column(FILE *out, const struct sqliteview *view, size_t number)
{
	for (size_t i = 0; i < view->nr_roles; i++) {
		const struct sqliteview_role *role = &view->roles[i];

		for (size_t part = 0; part < SQLITEVIEW_ROLE_PARTS; part++) {
			if (role->columns[part] != (int)number)
				continue;
			if (role->of != SQLITE_FUNCTION)
				fprintf(out, "n%zu.%s", i, names[role->of].parts[part]);
			else
				fprintf(out, "%c%zu.%s",
					function_parts[part].of == SQLITE_BINARY ? 'b' : 'n', i,
					function_parts[part].column);
			return;
		}
	}
	fputs("t.", out);
	put_column_name(out, view, number);
}

static void put_from(FILE *out, const struct sqliteview *view)
{
	fputs(" FROM ", out);
	put_table_name(out, view);
	fputs(" t", out);
	for (size_t i = 0; i < view->nr_roles; i++) {
		const struct sqliteview_role *role = &view->roles[i];

		fprintf(out, " LEFT JOIN %s n%zu ON n%zu.id = t.%s", names[role->of].name, i, i,
			role->key);
		if (role->of == SQLITE_FUNCTION)
			fprintf(out, " LEFT JOIN binary b%zu ON b%zu.id = n%zu.binary", i, i, i);
	}
}

/* ---- tables ---------------------------------------------------------------------------------- */

size_t sqliteview_parts(enum sqlite_dimension which)
{
	return names[which].nr;
}

bool sqliteview_refers(enum sqlite_dimension which, size_t part)
{
	return which == SQLITE_FUNCTION && part == 0;
}

char *sqliteview_create_names(enum sqlite_dimension which)
{
	struct textfile sql;

	if (!textfile_open(&sql))
		return textfile_close(&sql);
	fprintf(sql.out, "CREATE TABLE %s (id INTEGER PRIMARY KEY", names[which].name);
	for (size_t i = 0; i < names[which].nr; i++)
		fprintf(sql.out, ", %s %s", names[which].parts[i],
			sqliteview_refers(which, i) ? "INTEGER REFERENCES binary" : "TEXT");
	putc(')', sql.out);
	return textfile_close(&sql);
}

/* An insertion with @nr parameters into the table that was named last. */
static void put_parameters(FILE *out, size_t nr)
{
	fputs(" VALUES (?", out);
	for (size_t i = 1; i < nr; i++)
		fputs(", ?", out);
	putc(')', out);
}

char *sqliteview_insert_names(enum sqlite_dimension which)
{
	struct textfile sql;

	if (textfile_open(&sql)) {
		fprintf(sql.out, "INSERT INTO %s", names[which].name);
		put_parameters(sql.out, 1 + names[which].nr);
	}
	return textfile_close(&sql);
}

static const char *type_of(enum cell_type type)
{
	switch (type) {
	case CELL_U64:
	case CELL_I32:
		return " INTEGER";
	case CELL_DECIMAL:
	case CELL_PERCENT:
	case CELL_RATIO:
		return " REAL";
	case CELL_TEXT:
	case CELL_HEX:
		return " TEXT";
	default:
		return "";
	}
}

char *sqliteview_create_table(const struct sqliteview *view)
{
	struct textfile sql;

	if (!textfile_open(&sql))
		return textfile_close(&sql);
	fputs("CREATE TABLE ", sql.out);
	put_table_name(sql.out, view);
	fputs(" (row INTEGER PRIMARY KEY", sql.out);
	for (size_t i = 0; i < view->nr_roles; i++)
		fprintf(sql.out, ", %s INTEGER REFERENCES %s", view->roles[i].key,
			names[view->roles[i].of].name);
	for (size_t i = 0; i < view->nr_columns; i++) {
		if (view->in_role[i])
			continue;
		fputs(", ", sql.out);
		put_column_name(sql.out, view, i);
		fputs(type_of(view->columns[i].type), sql.out);
	}
	putc(')', sql.out);
	return textfile_close(&sql);
}

char *sqliteview_insert(const struct sqliteview *view)
{
	size_t nr = 1 + view->nr_roles;
	struct textfile sql;

	for (size_t i = 0; i < view->nr_columns; i++)
		nr += !view->in_role[i];
	if (textfile_open(&sql)) {
		fputs("INSERT INTO ", sql.out);
		put_table_name(sql.out, view);
		put_parameters(sql.out, nr);
	}
	return textfile_close(&sql);
}

/* ---- views ----------------------------------------------------------------------------------- */

/*
 * Cells of any type are read as text, as everywhere else. The facts keep their types: the lines of
 * the file guard texts, and not numbers.
 */
static void put_typed_column(FILE *out, const struct sqliteview *view, size_t number)
{
	const bool is_mixed = view->columns[number].type == CELL_MIXED;

	fputs(is_mixed ? "CAST(" : "", out);
	put_column(out, view, number);
	fputs(is_mixed ? " AS TEXT)" : "", out);
}

char *sqliteview_create_view(const struct sqliteview *view)
{
	struct textfile sql;

	if (!textfile_open(&sql))
		return textfile_close(&sql);
	fprintf(sql.out, "CREATE VIEW %s AS SELECT ", view->table->name);
	for (size_t i = 0; i < view->nr_columns; i++) {
		fputs(i ? ", " : "", sql.out);
		put_typed_column(sql.out, view, i);
		fputs(" AS ", sql.out);
		put_column_name(sql.out, view, i);
	}
	put_from(sql.out, view);
	return textfile_close(&sql);
}

static void put_guarded(FILE *out, const struct sqliteview *view, size_t number, bool raw)
{
	if (raw)
		return;
	fputs("CASE WHEN substr(", out);
	put_column(out, view, number);
	fputs(", 1, 1) IN ('=', '+', '-', '@', char(9), char(13)) THEN '''' ELSE '' END || ", out);
}

/* A text as a cell of CSV: guarded, and quoted if necessary. */
static void put_text_cell(FILE *out, const struct sqliteview *view, size_t number, bool raw)
{
	fputs("CASE WHEN ", out);
	put_column(out, view, number);
	fputs(" GLOB '*[\",' || char(10, 13) || ']*' THEN '\"' || ", out);
	put_guarded(out, view, number, raw);
	fputs("replace(", out);
	put_column(out, view, number);
	fputs(", '\"', '\"\"') || '\"' ELSE ", out);
	put_guarded(out, view, number, raw);
	fputs("ifnull(", out);
	put_column(out, view, number);
	fputs(", '') END", out);
}

/* The decimals of a ratio, as cell_ratio_if() chooses them. */
static void put_ratio_decimals(FILE *out, const struct sqliteview *view, size_t number)
{
	fprintf(out, "CASE WHEN ");
	put_column(out, view, number);
	fprintf(out, " = 0 THEN %d", CELL_RATIO_DECIMALS_MIN);
	for (unsigned i = CELL_RATIO_DECIMALS_MIN; i < CELL_RATIO_DECIMALS_MAX; i++) {
		fputs(" WHEN abs(", out);
		put_column(out, view, number);
		fprintf(out, ") >= %.17g THEN %u", cell_ratio_from(i), i);
	}
	fprintf(out, " ELSE %d END", CELL_RATIO_DECIMALS_MAX);
}

/* What is of another type than the column's, or of none, is written as it is. */
static void put_cell(FILE *out, const struct sqliteview *view, size_t number, bool raw)
{
	const unsigned decimals = view->decimals[number];

	switch (view->columns[number].type) {
	case CELL_TEXT:
		put_text_cell(out, view, number, raw);
		return;
	case CELL_MIXED:
		fputs("CASE typeof(", out);
		put_column(out, view, number);
		fputs(") WHEN 'text' THEN ", out);
		put_text_cell(out, view, number, raw);
		break;
	case CELL_DECIMAL:
	case CELL_PERCENT:
		fputs("CASE typeof(", out);
		put_column(out, view, number);
		fprintf(out, ") WHEN 'real' THEN printf('%%.%uf', ",
			decimals == SQLITEVIEW_NO_DECIMALS ? CELL_PERCENT_DECIMALS : decimals);
		put_column(out, view, number);
		putc(')', out);
		break;
	case CELL_RATIO:
		fputs("CASE typeof(", out);
		put_column(out, view, number);
		fputs(") WHEN 'real' THEN printf('%.*f', ", out);
		put_ratio_decimals(out, view, number);
		fputs(", ", out);
		put_column(out, view, number);
		putc(')', out);
		break;
	default:
		fputs("ifnull(", out);
		put_column(out, view, number);
		fputs(", '')", out);
		return;
	}
	fputs(" ELSE ifnull(", out);
	put_column(out, view, number);
	fputs(", '') END", out);
}

/* The first line of the file, as a text of SQL. Returns false if memory is out. */
static bool put_header(FILE *out, const struct sqliteview *view)
{
	const char *columns[TABLE_COLUMNS_MAX];
	struct textfile line;
	char *text;
	bool whole;

	for (size_t i = 0; i < view->nr_columns; i++)
		columns[i] = view->columns[i].name;
	if (textfile_open(&line))
		csvform_print(line.out, columns, view->nr_columns);
	text = textfile_close(&line);
	whole = text;
	if (whole) {
		text[strlen(text) - 1] = '\0'; /* the end of the line */
		put_quoted(out, text, '\'');
	}
	free(text);
	return whole;
}

char *sqliteview_create_csv(const struct sqliteview *view, bool raw)
{
	struct textfile sql;

	if (!textfile_open(&sql))
		return textfile_close(&sql);
	fprintf(sql.out, "CREATE VIEW %s_csv AS SELECT line FROM (SELECT 0 AS nr, ",
		view->table->name);
	if (!put_header(sql.out, view)) {
		free(textfile_close(&sql));
		return NULL;
	}
	fputs(" AS line UNION ALL SELECT t.row, ", sql.out);
	for (size_t i = 0; i < view->nr_columns; i++) {
		fputs(i ? " || ',' || " : "", sql.out);
		put_cell(sql.out, view, i, raw);
	}
	put_from(sql.out, view);
	fputs(" ORDER BY nr)", sql.out);
	return textfile_close(&sql);
}
