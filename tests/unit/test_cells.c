/* Typed cells: what the writer of CSV makes of each type, and that each is of its column's type. */
#include "report/csvform.h"

#include "decode/compare/diff.h"
#include "decode/replay.h"
#include "decode/trace/ptlibrary.h"
#include "perffile/perffile.h"
#include "report/report.h"
#include "report/table.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes the @nr rows of @width cells at @cells below a header; to be freed. */
static char *write_rows(const struct cell *cells, size_t nr, size_t width, bool raw)
{
	static const struct column columns[] = {{"first", CELL_TEXT, "", ""},
						{"=second, quoted", CELL_TEXT, "", ""}};
	struct scratch_path dir = scratch_make();
	struct error err = {0};
	const int fd = outfile_open_dir(dir.text, &err);
	struct writer writer = {
		.form = &csv_form, .out = outfile_create(fd, dir.text, "t.csv", &err), .raw = raw};
	char *text;

	ck_assert_msg(writer.out, "%s", err.text);
	writer_start(&writer, columns, 2);
	for (size_t i = 0; i < nr; i++)
		writer_row(&writer, cells + i * width, width);
	ck_assert_msg(outfile_finish(writer.out, &err) == 0, "%s", err.text);
	ck_assert_msg(outfile_publish(writer.out, &err) == 0, "%s", err.text);
	outfile_close(writer.out);
	close(fd);
	text = scratch_read(dir.text, "t.csv");
	scratch_remove(dir.text);
	return text;
}

static void check_cells(const struct cell *cells, size_t nr, bool raw, const char *lines)
{
	static const char *const headers[] = {"first,\"'=second, quoted\"\n",
					      "first,\"=second, quoted\"\n"};
	const size_t len = strlen(headers[raw]);
	char *text = write_rows(cells, nr, 1, raw);

	ck_assert_int_eq(strncmp(text, headers[raw], len), 0);
	ck_assert_str_eq(text + len, lines);
	free(text);
}

START_TEST(numbers)
{
	struct cell cells[24], *cell = cells;

	cell_u64(cell++, 0);
	cell_u64(cell++, UINT64_MAX);
	cell_u64_if(cell++, true, 5);
	cell_u64_if(cell++, false, 5);
	cell_u64_known(cell++, 6);
	cell_u64_known(cell++, 0);
	cell_i32(cell++, INT32_MIN);
	cell_i32_if(cell++, true, -1);
	cell_i32_if(cell++, false, -1);
	cell_hex(cell++, 0);
	cell_hex(cell++, UINT64_MAX);
	cell_hex_if(cell++, true, 0xabc);
	cell_hex_if(cell++, false, 0xabc);
	cell_decimal(cell++, 1.5, 0);
	cell_decimal(cell++, -2.00005, 4);
	cell_decimal(cell++, -0.0000001, 6);
	cell_decimal(cell++, NAN, 4);
	cell_decimal(cell++, INFINITY, 4);
	cell_percent(cell++, 1, 3);
	cell_percent(cell++, 0, 0);
	cell_percent(cell++, UINT64_MAX, UINT64_MAX - 1);
	check_cells(cells, (size_t)(cell - cells), false,
		    "0\n18446744073709551615\n5\n\n6\n\n-2147483648\n-1\n\n0x0\n"
		    "0xffffffffffffffff\n0xabc\n\n2\n-2.0000\n0.000000\n\n\n"
		    "33.3333\n0.0000\n100.0000\n");
}
END_TEST

/* @_i: raw. A number that starts with - is no formula, a text is. */
START_TEST(texts)
{
	static const char *const lines[] = {
		"main\n\n\"a,b\"\n\"say \"\"x\"\"\"\n'=1+1\n'-1\n\"'@a,\"\n'\tx\n"
		"a\xef\xbf\xbd"
		"b\n\xc3\xa4\nab\n-1\n\n",
		"main\n\n\"a,b\"\n\"say \"\"x\"\"\"\n=1+1\n-1\n\"@a,\"\n\tx\n"
		"a\xef\xbf\xbd"
		"b\n\xc3\xa4\nab\n-1\n\n",
	};
	struct cell cells[16], *cell = cells;

	cell_text(cell++, "main");
	cell_text(cell++, "");
	cell_text(cell++, "a,b");
	cell_text(cell++, "say \"x\"");
	cell_text(cell++, "=1+1");
	cell_text(cell++, "-1");
	cell_text(cell++, "@a,");
	cell_text(cell++, "\tx");
	cell_text(cell++, "a\xff"
			  "b");
	cell_text(cell++, "\xc3\xa4");
	cell_bytes(cell++, "abc", 2);
	cell_i32(cell++, -1);
	cell_empty(cell++);
	check_cells(cells, (size_t)(cell - cells), _i, lines[_i]);
}
END_TEST

/* Texts made for a row stand beside each other; what does not fit is cut. */
START_TEST(made_texts)
{
	struct scratch scratch = {0};
	struct cell cells[4];
	char *text;

	cell_format(&cells[0], &scratch, "UNKNOWN_%u", 77u);
	cell_format(&cells[1], &scratch, "%d lost", 12);
	cell_format(&cells[2], &scratch, "%300s", "x");
	cell_format(&cells[3], &scratch, "%s", "none left");
	ck_assert_uint_eq(cells[2].text.len, sizeof(scratch.bytes) - 1 - 17);
	cells[2].text.len = 1;
	text = write_rows(cells, 1, 4, false);
	ck_assert_ptr_nonnull(strstr(text, "\nUNKNOWN_77,12 lost, ,\n"));
	free(text);
}
END_TEST

/* Six digits, however small the ratio; what is rounded up to one more has those of that. */
START_TEST(ratios)
{
	static const double values[] = {0,	    12.5,	  0.1,	      0.0999999499,
					0.09999996, 0.0123456789, 3.25e-8,    5.4e-20,
					-2e-7,	    1e-40,	  (double)NAN};
	struct cell cells[sizeof(values) / sizeof(values[0])];
	const size_t nr = sizeof(values) / sizeof(values[0]);
	char *text;

	for (size_t i = 0; i < nr; i++)
		cell_ratio_if(&cells[i], true, values[i]);
	text = write_rows(cells, 1, nr, false);
	ck_assert_ptr_nonnull(strstr(text,
				     "\n0.000000,12.500000,0.100000,0.0999999,0.100000,0.0123457,"
				     "0.0000000325000,0.0000000000000000000540000,-0.000000200000,"
				     "0.000000000000000000000000000000,\n"));
	free(text);
}
END_TEST

START_TEST(names_of_types)
{
	static const char *const names[] = {"empty",   "u64",	  "i32",     "number", "hex",
					    "decimal", "decimal", "decimal", "text",   "text"};

	ck_assert_uint_eq(sizeof(names) / sizeof(names[0]), NR_CELL_TYPES);

	ck_assert_str_eq(cell_type_name((enum cell_type)_i), names[_i]);
}
END_TEST

/* ---- each cell is of the type that its column declares ---- */

/* What the table that is written now has declared, and how many rows it had. */
static const struct column *declared;
static size_t nr_declared, nr_checked;

static void declare(struct writer *writer, const struct column *columns, size_t nr)
{
	(void)writer;
	ck_assert_uint_le(nr, TABLE_COLUMNS_MAX);
	declared = columns;
	nr_declared = nr;
	nr_checked = 0;
}

static void check_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	(void)writer;
	ck_assert_uint_eq(nr, nr_declared);
	for (size_t i = 0; i < nr; i++) {
		const enum cell_type type = cells[i].type, column = declared[i].type;

		ck_assert_msg(type == column || type == CELL_EMPTY ||
				      (column == CELL_MIXED && type < CELL_MIXED),
			      "column %s is a %s", declared[i].name, cell_type_name(type));
		ck_assert(type != CELL_TEXT || cells[i].text.bytes);
		ck_assert(type != CELL_DECIMAL || cells[i].decimals <= 9);
	}
	nr_checked++;
}

static const struct form checking_form = {.start = declare, .row = check_row};

/* Recordings that have rows for all tables between them. */
static const struct {
	const char *path;
	unsigned tables; /* the further ones that have rows; 0: all that others do not tell */
} demos[] = {
#define TABLE(name) (1u << REPORT_NUMBER_##name)
	{"data/demo.data", 0},
	{"data/demo-callgraph.data", 0},
	{"data/counters.data", TABLE(counters) | TABLE(metrics)},
	{"data/branches.data", TABLE(branches) | TABLE(blocks)},
	{"data/memory.data", TABLE(memory) | TABLE(cachelines)},
	{"data/waits.data", TABLE(offcpu)},
	{"data/service.data", TABLE(syscalls)},
	{"data/trace-snapshot.data", TABLE(trace) | TABLE(traceloss)},
	{"data/spe.data", TABLE(spe) | TABLE(memory) | TABLE(cachelines)},
};

enum { NR_DEMOS = sizeof(demos) / sizeof(demos[0]) };

static struct perffile *open_demo(int number)
{
	struct error err = {0};
	struct perffile *file = perffile_open(demos[number].path, &err);

	ck_assert_msg(file, "%s", err.text);
	return file;
}

/* Whether table @number must have rows for recording @demo. */
static bool has_rows(int number, int demo)
{
	unsigned others = 0;
	char library[32];

	if (number == REPORT_NUMBER_trace && !ptlibrary_name(library))
		return false;
	for (int i = 0; i < NR_DEMOS; i++)
		others |= demos[i].tables;
	if (demos[demo].tables)
		return demos[demo].tables & 1u << number;
	return !(others & 1u << number);
}

static void check_table(int number, const struct results *results, int demo)
{
	const struct table_line *line = &table_list[number];
	const struct rows rows = results_rows(results, line->answer);
	struct table_file file = {.table = line->table, .writer = {.form = &checking_form}};

	table_start(&file);
	table_write(&file, &rows, results);
	ck_assert_msg(nr_checked > 0 || !has_rows(number, demo), "%s: %s has no rows",
		      demos[demo].path, line->table->name);
}

/* All tables of a recording: that of each record as it is read, the others at its end. */
START_TEST(cells_are_of_their_columns_types)
{
	const struct filter filter = {0};
	struct replay_settings settings = {
		.filter = &filter,
		.symbols = {.inlined = _i % 2, .build_id_cache = "data/buildid"}};
	struct table_file overview = {.table = table_list[REPORT_NUMBER_overview].table,
				      .writer = {.form = &checking_form}};
	struct perffile *file = open_demo(_i / 2);
	const struct results *results;
	const struct record *rec;
	struct replay *replay;
	struct error err = {0};

	report_add_needs(&(struct report_settings){.tables = REPORT_ALL}, &settings.needs);
	replay = replay_create(&settings, file, &err);
	table_start(&overview);
	while ((rec = recording_next(file))) {
		ck_assert_int_eq(replay_apply(replay, rec, &err), 1);
		table_put_row(&overview, rec);
	}
	ck_assert_uint_gt(nr_checked, 0);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (!table_list[i].table->each_record)
			check_table(i, results, _i / 2);
	replay_destroy(replay);
	perffile_close(file);
}
END_TEST

/* @_i: what is compared, which the wide table's columns of runs depend on. */
START_TEST(cells_of_a_comparison)
{
	static const struct run_share shares[2] = {{30, 300, 0, 0}, {60, 1200, 0, 0}};
	static const struct run_total totals[2] = {{100, 1000, 2}, {100, 2000, 4}};
	const enum measure measure = (enum measure)_i;
	struct diff_row row = {.event = "cycles",
			       .function = "f",
			       .filename = "",
			       .binary = "b",
			       .measure = measure,
			       .ratio = INFINITY,
			       .shares = shares,
			       .totals = totals};
	const struct profile runs[2] = {{.label = "old"}, {.label = "new"}};
	struct diff_ratio ratio = {.metric = "ipc", .unit = "", .above = &row, .below = &row};
	const struct diff diff = {.measure = measure,
				  .runs = runs,
				  .nr_runs = 2,
				  .rows = &row,
				  .nr_rows = 1,
				  .ratios = &ratio,
				  .nr_ratios = 1};

	for (int i = 0; i < NR_DIFF_TABLES; i++) {
		struct table_file file = {.table = diffreport_tables[i],
					  .writer = {.form = &checking_form}};

		table_diff_write(&file, &diff);
		ck_assert_uint_eq(nr_checked, 1);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cells");
	TCase *tcase = tcase_create("cells");

	tcase_add_test(tcase, numbers);
	tcase_add_loop_test(tcase, texts, 0, 2);
	tcase_add_test(tcase, made_texts);
	tcase_add_test(tcase, ratios);
	tcase_add_loop_test(tcase, names_of_types, 0, NR_CELL_TYPES);
	tcase_add_loop_test(tcase, cells_are_of_their_columns_types, 0, 2 * NR_DEMOS);
	tcase_add_loop_test(tcase, cells_of_a_comparison, MEASURE_PERIOD, MEASURE_SHARE + 1);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
