#include "report/report.h"

#include "report/csvform.h"
#include "report/export/recordlog.h"
#include "report/export/runexport.h"
#include "report/export/tablerows.h"
#include "report/overviewrows.h"
#include "report/place.h"
#include "report/table.h"
#include "util/array.h"
#include "util/options.h"
#include "util/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct report {
	struct report_settings settings;
	int dirfd;
	struct table_file
		files[REPORT_NR_TABLES]; /* out is NULL unless the table is being written */
	struct table_file *growing;	 /* the table that gets each record; NULL: not chosen */
	bool grown;			 /* it gets no more: it is complete and in place, or lost */
	bool lost;			 /* rows of it could not be written */
	struct overviewrows overview;	 /* of @growing, for samples in bulk */
	struct recordlog *records;	 /* its rows, for exports that need them; or NULL */
	struct outfile **exports;	 /* the exports that are being written */
	size_t nr_exports, exports_room;
};

enum { PART_CHUNK = 1 << 16 };

static int find_table(const char *word, size_t len)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (strlen(table_list[i].table->name) == len &&
		    memcmp(table_list[i].table->name, word, len) == 0)
			return i;
	return -1;
}

int report_parse_tables(const char *list, unsigned *ret, struct error *err)
{
	unsigned chosen = 0;
	const char *word;
	size_t len;

	while ((word = option_list_next(&list, &len)) != NULL) {
		int number = find_table(word, len);

		if (number >= 0)
			chosen |= 1u << number;
		else if (len == 3 && memcmp(word, "all", len) == 0)
			chosen |= REPORT_ALL;
		else if (len != 4 || memcmp(word, "none", len) != 0)
			return error_set(
				err, ERROR_USAGE,
				"option --tables: '%.*s' is not one of " REPORT_DEFAULT_NAMES
					REPORT_OTHER_NAMES "all, none",
				(int)len, word);
	}
	*ret = chosen;
	return 0;
}

/* Databases take letters of either case for the same. */
static bool has_column(const struct table *table, const char *name)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		if (strcasecmp(table->columns[i].name, name) == 0)
			return true;
	return false;
}

/* The name of a table or key that has a column called @name already; NULL if there is none. */
static const char *find_name(const struct report_settings *settings, const char *name)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (has_column(table_list[i].table, name))
			return table_list[i].table->name;
	for (size_t i = 0; i < settings->nr_keys; i++)
		if (strcasecmp(settings->keys[i], name) == 0)
			return table_list[REPORT_NUMBER_results].table->name;
	return NULL;
}

static int check_tags(const struct report_settings *settings, struct error *err)
{
	for (size_t i = 0; i < settings->tags.nr; i++) {
		const char *key = settings->tags.list[i].key, *table = find_name(settings, key);

		if (table)
			return error_set(err, ERROR_USAGE,
					 "option --tag: '%s' is a column of %s.csv: choose another "
					 "name",
					 key, table);
	}
	return 0;
}

int report_check_keys(const struct report_settings *settings, struct error *err)
{
	const struct table *table = table_list[REPORT_NUMBER_results].table;

	for (size_t i = 0; i < settings->nr_keys; i++)
		if (has_column(table, settings->keys[i]))
			return error_set(err, ERROR_USAGE,
					 "option --per: '%s' is a column of results.csv: "
					 "name it as EVENT.%s",
					 settings->keys[i], settings->keys[i]);
	return check_tags(settings, err);
}

/* Starts the table if it is not started yet. Returns 0, or -1 with @err filled. */
static int open_table(struct report *report, int number, struct error *err)
{
	const struct report_settings *settings = &report->settings;
	struct table_file *file = &report->files[number];
	const struct table_place place = {settings->dir, report->dirfd, settings->force};
	struct writer *writer = &file->writer;
	char name[64], called[TEMPFILE_CALLED_MAX];

	if (writer->out)
		return 0;
	file->table = table_list[number].table;
	*writer = (struct writer){.form = &csv_form, .raw = settings->raw};
	table_set_run(file, &settings->tags);
	snprintf(name, sizeof(name), "%s%s", file->table->name, csv_form.ending);
	tempfile_called(called);
	if (settings->parts)
		writer->out = outfile_stream(settings->parts[number], called, err);
	else if (settings->to_stdout)
		writer->out = outfile_stream(STDOUT_FILENO, "standard output", err);
	else if (place_check(&place, name, file, err) == 0)
		writer->out = outfile_create(report->dirfd, settings->dir, name, err);
	if (!writer->out)
		return -1;
	if (!settings->parts)
		table_start_split(file, settings->keys, settings->nr_keys);
	outfile_mark(writer->out);
	if (!file->table->each_record)
		return 0;
	report->growing = report->overview.file = file;
	if (settings->threads > 1)
		outfile_write_behind(writer->out);
	return 0;
}

static bool is_chosen(const struct report *report, int number)
{
	return report->settings.tables & 1u << number &&
	       !(report->grown && table_list[number].table->each_record);
}

/* The tables to write for @results. */
static unsigned tables_of(const struct report_settings *settings, const struct results *results)
{
	unsigned tables = settings->tables;

	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (settings->if_any & 1u << i && results_rows(results, table_list[i].answer).nr)
			tables |= 1u << i;
	return tables;
}

/* The tables that exports are made of: @tables, or those of the default if none is chosen. */
static unsigned exported_tables(const struct report_settings *settings, unsigned tables)
{
	return settings->tables ? tables : REPORT_DEFAULT;
}

/* Begins to keep the rows of records if an export will have them. Returns false without memory. */
static bool keep_records(struct report *report, struct error *err)
{
	const struct report_settings *settings = &report->settings;

	if (!runexport_of_tables(settings->run_exports.chosen) ||
	    !(exported_tables(settings, settings->tables) & REPORT_BIT(overview)))
		return true;
	report->records = recordlog_create();
	if (!report->records)
		error_nomem(err, "exporting records");
	return report->records;
}

/* Checks whether what stands at @name may be replaced by an export of @form. */
static int check_export(const struct report *report, const struct runexport_form *form,
			const char *name, struct error *err)
{
	const struct report_settings *settings = &report->settings;
	const struct table_place place = {settings->dir, report->dirfd, settings->force};

	return settings->to_stdout ? 0 : place_check_export(&place, name, &form->mark, err);
}

static void name_of_table(char name[RUNEXPORT_NAME_MAX], const struct runexport_form *form,
			  int table)
{
	snprintf(name, RUNEXPORT_NAME_MAX, "%s%s", table_list[table].table->name, form->ending);
}

static int check_tables_of(const struct report *report, const struct runexport_form *form,
			   struct error *err)
{
	const unsigned tables = exported_tables(&report->settings, report->settings.tables);
	char name[RUNEXPORT_NAME_MAX];

	for (int i = 0; i < REPORT_NR_TABLES; i++) {
		name_of_table(name, form, i);
		if (tables & 1u << i && check_export(report, form, name, err) < 0)
			return -1;
	}
	return 0;
}

/* Checks the exports whose names do not depend on what events will have samples. */
static int check_exports(const struct report *report, struct error *err)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++) {
		const struct runexport_form *form = &runexport_forms[i];
		char name[RUNEXPORT_NAME_MAX];
		int rc = 0;

		if (!(report->settings.run_exports.chosen & 1u << i))
			continue;
		if (form->files == RUNEXPORT_EACH_TABLE) {
			rc = check_tables_of(report, form, err);
		} else if (form->files == RUNEXPORT_ALL_EVENTS) {
			runexport_name(name, form, NULL, 0);
			rc = check_export(report, form, name, err);
		}
		if (rc < 0)
			return -1;
	}
	return 0;
}

struct report *report_open(const struct report_settings *settings, struct error *err)
{
	struct report *report = calloc(1, sizeof(*report));

	if (!report) {
		error_nomem(err, "opening the tables");
		return NULL;
	}
	report->settings = *settings;
	report->settings.run_exports.raw = settings->raw;
	report->dirfd = -1;
	if (!settings->tables && !settings->run_exports.chosen)
		return report;
	if (!settings->to_stdout && !settings->parts) {
		report->dirfd = outfile_open_dir(settings->dir, err);
		if (report->dirfd < 0)
			goto fail;
	}
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_chosen(report, i) && open_table(report, i, err) < 0)
			goto fail;
	if (check_exports(report, err) < 0 || !keep_records(report, err))
		goto fail;
	return report;
fail:
	if (!settings->to_stdout && !settings->parts)
		place_advise(err);
	report_close(report);
	return NULL;
}

int report_record(struct report *report, const struct record *rec, struct error *err)
{
	struct table_file *file = report->growing;

	if (report->records &&
	    recordlog_put(report->records, table_list[REPORT_NUMBER_overview].table, rec, err) < 0)
		return -1;
	if (!file)
		return 0;
	/* It may give an event another name. */
	overviewrows_forget(&report->overview);
	table_put_row(file, rec);
	outfile_mark(file->writer.out);
	return outfile_check(file->writer.out, err);
}

int report_plain(struct report *report, const struct plain_samples *samples, struct error *err)
{
	if (!report->growing)
		return 0;
	if (!overviewrows_put(&report->overview, samples))
		return error_nomem(err, "writing rows");
	return outfile_check(report->growing->writer.out, err);
}

/* Writes the rest of the table without putting it in place. Returns 0, or -1 with @err filled. */
static int write_table(struct report *report, int number, const struct results *results,
		       struct error *err)
{
	const struct table_line *line = &table_list[number];
	const struct rows rows = results_rows(results, line->answer);

	if (open_table(report, number, err) < 0)
		return -1;
	table_write(&report->files[number], &rows, results);
	return outfile_finish(report->files[number].writer.out, err);
}

/* Where the next export, of @form, goes, under @name. NULL with @err filled if it cannot. */
static struct outfile *add_export(struct report *report, const struct runexport_form *form,
				  const char *name, struct error *err)
{
	const struct report_settings *settings = &report->settings;
	struct outfile *out;

	if (!array_grow(report->exports, report->exports_room, report->nr_exports + 1)) {
		error_nomem(err, "exporting the results");
		return NULL;
	}
	if (check_export(report, form, name, err) < 0) {
		place_advise(err);
		return NULL;
	}
	if (settings->to_stdout)
		out = outfile_stream(STDOUT_FILENO, "standard output", err);
	else
		out = outfile_create(report->dirfd, settings->dir, name, err);
	if (out)
		report->exports[report->nr_exports++] = out;
	return out;
}

/* Completes a file of @form with @name but for putting it in place. */
static int write_file(struct report *report, const struct runexport_form *form,
		      struct runexport_view *view, const char *name, struct error *err)
{
	view->out = add_export(report, form, name, err);
	if (!view->out)
		return -1;
	form->write(view);
	return outfile_finish(view->out, err);
}

static int check_events(const struct report *report, size_t nr, struct error *err)
{
	if (report->settings.to_stdout && nr > 1)
		return error_set(err, ERROR_USAGE,
				 "option --output: - takes the export of one event, but %zu have "
				 "samples: choose one with --event, or name a directory",
				 nr);
	if (nr > RUNEXPORT_EVENTS_MAX)
		return error_set(err, ERROR_USAGE,
				 "option --export: %zu events have samples, which would be as many "
				 "files: choose some with --event",
				 nr);
	return 0;
}

/* A file of @form for each table. */
static int write_tables(struct report *report, const struct runexport_form *form,
			struct runexport_view *view, struct error *err)
{
	const unsigned tables = view->tables->chosen;

	if (report->settings.to_stdout && __builtin_popcount(tables) > 1)
		return error_set(err, ERROR_USAGE,
				 "option --output: - takes one file, but %d tables have one each: "
				 "name a directory",
				 __builtin_popcount(tables));
	for (view->table = 0; view->table < REPORT_NR_TABLES; view->table++) {
		char name[RUNEXPORT_NAME_MAX];

		name_of_table(name, form, view->table);
		if (tables & 1u << view->table && write_file(report, form, view, name, err) < 0)
			return -1;
	}
	return 0;
}

/* A file of @form for each event, or for all. */
static int write_events(struct report *report, const struct runexport_form *form,
			struct runexport_view *view, struct error *err)
{
	const struct results *results = view->results;
	const size_t nr = runexport_count(form, results);

	if (check_events(report, nr, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++) {
		char name[RUNEXPORT_NAME_MAX];

		runexport_name(name, form, results, i);
		if (form->files == RUNEXPORT_EACH_EVENT)
			view->event = runexport_event(form, results, i);
		if (write_file(report, form, view, name, err) < 0)
			return -1;
	}
	return 0;
}

static int write_exports(struct report *report, const struct results *results, struct error *err)
{
	const struct report_settings *settings = &report->settings;
	const struct tablerows tables = {
		results,	   exported_tables(settings, tables_of(settings, results)),
		report->records,   settings->keys,
		settings->nr_keys, &settings->tags};

	for (int i = 0; i < NR_RUNEXPORTS; i++) {
		const struct runexport_form *form = &runexport_forms[i];
		struct runexport_view view = {
			.results = results, .settings = &settings->run_exports, .tables = &tables};
		int rc = 0;

		if (settings->run_exports.chosen & 1u << i)
			rc = form->files == RUNEXPORT_EACH_TABLE
				     ? write_tables(report, form, &view, err)
				     : write_events(report, form, &view, err);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static void close_exports(struct report *report)
{
	while (report->nr_exports > 0)
		outfile_close(report->exports[--report->nr_exports]);
}

static int publish_exports(struct report *report, struct error *err)
{
	for (size_t i = 0; i < report->nr_exports; i++)
		if (outfile_publish(report->exports[i], err) < 0)
			return -1;
	close_exports(report);
	return 0;
}

static int publish_table(struct report *report, int number, struct error *err)
{
	struct writer *writer = &report->files[number].writer;

	if (outfile_publish(writer->out, err) < 0)
		return -1;
	outfile_close(writer->out);
	writer->out = NULL;
	if (report->growing == &report->files[number]) {
		report->growing = NULL;
		report->grown = true;
	}
	return 0;
}

/*
 * Finds the directory again if it was moved or removed, so that the tables come where they are said
 * to be. Files that are open are put there, too. Returns 0, or -1 with @err filled.
 */
static int find_dir(struct report *report, struct error *err)
{
	const char *dir = report->settings.dir;
	struct stat here, there;
	int fd, rc;

	if (report->dirfd < 0 || (fstat(report->dirfd, &here) == 0 && stat(dir, &there) == 0 &&
				  here.st_dev == there.st_dev && here.st_ino == there.st_ino))
		return 0;
	fd = outfile_open_dir(dir, err);
	if (fd < 0)
		return -1;
	rc = dup3(fd, report->dirfd, O_CLOEXEC);
	close(fd);
	return rc < 0 ? error_io(err, dir, "cannot be used as the output directory", errno) : 0;
}

/* Whether what is in the place of the table @file is a table of its kind, by its @name. */
static int check_present(const struct report *report, const struct table_file *file, char name[64],
			 struct error *err)
{
	const struct report_settings *settings = &report->settings;
	const struct table_place place = {settings->dir, report->dirfd, settings->force};

	snprintf(name, 64, "%s%s", file->table->name, csv_form.ending);
	return place_check(&place, name, file, err);
}

/* Whether the table that grows may be put in its place, should another file be there by now. */
static int check_growing(const struct report *report, struct error *err)
{
	char name[64];

	if (!report->growing || report->dirfd < 0)
		return 0;
	return check_present(report, report->growing, name, err);
}

/* Removes the overview if its rows are lost: an older one does not belong to the other tables. */
static void remove_lost(const struct report *report)
{
	char name[64];

	if (report->lost &&
	    check_present(report, &report->files[REPORT_NUMBER_overview], name, NULL) == 0)
		(void)unlinkat(report->dirfd, name, 0);
}

int report_finish(struct report *report, const struct results *results, struct error *err)
{
	if (find_dir(report, err) < 0 || check_growing(report, err) < 0)
		return -1;
	report->settings.tables = tables_of(&report->settings, results);
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_chosen(report, i) && write_table(report, i, results, err) < 0)
			return -1;
	if (write_exports(report, results, err) < 0)
		return -1;
	remove_lost(report);
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_chosen(report, i) && publish_table(report, i, err) < 0)
			return -1;
	return publish_exports(report, err);
}

/* Appends what is in the file @part. */
static int add_part(struct report *report, int number, int part, struct error *err)
{
	struct outfile *out;
	off_t at = 0;
	ssize_t n;

	if (!is_chosen(report, number) && lseek(part, 0, SEEK_END) == 0)
		return 0;
	if (open_table(report, number, err) < 0)
		return -1;
	report->settings.tables |= 1u << number;
	out = report->files[number].writer.out;
	do {
		char *to = outfile_reserve(out, PART_CHUNK);

		n = pread(part, to, PART_CHUNK, at);
		if (n < 0)
			return error_io(err, "a temporary file", "cannot be read", errno);
		out->pos += n;
		at += n;
	} while (n > 0);
	return outfile_check(out, err);
}

int report_add_parts(struct report *report, const int *parts, struct error *err)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (parts[i] >= 0 && add_part(report, i, parts[i], err) < 0)
			return -1;
	return 0;
}

int report_finish_parts(struct report *report, struct error *err)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_chosen(report, i) && outfile_finish(report->files[i].writer.out, err) < 0)
			return -1;
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_chosen(report, i) && publish_table(report, i, err) < 0)
			return -1;
	return 0;
}

unsigned report_tables(const struct report *report)
{
	return report->settings.tables;
}

/* Whether an update writes the whole table again. */
static bool is_rewritten(const struct report *report, int number)
{
	return is_chosen(report, number) && !table_list[number].table->each_record;
}

int report_update(struct report *report, const struct results *results, struct error *err)
{
	if (find_dir(report, err) < 0 || check_growing(report, err) < 0)
		return -1;
	report->settings.tables = tables_of(&report->settings, results);
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_rewritten(report, i) && write_table(report, i, results, err) < 0)
			return -1;
	if (write_exports(report, results, err) < 0)
		return -1;
	if (report->growing && outfile_grow(report->growing->writer.out, err) < 0)
		return -1;
	remove_lost(report);
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_rewritten(report, i) && publish_table(report, i, err) < 0)
			return -1;
	return publish_exports(report, err);
}

void report_abandon(struct report *report)
{
	const struct table_file *growing = report->growing;

	if (growing && outfile_check(growing->writer.out, NULL) < 0) {
		report->lost = report->grown = true;
		report->growing = NULL;
	}
	for (int i = 0; i < REPORT_NR_TABLES; i++) {
		if (&report->files[i] == report->growing)
			continue;
		outfile_close(report->files[i].writer.out);
		report->files[i].writer.out = NULL;
	}
	close_exports(report);
}

bool report_lost_rows(const struct report *report)
{
	return report->lost;
}

/* Returns the tables that may be written. */
static unsigned possible_tables(const struct report_settings *settings)
{
	unsigned tables = settings->tables | settings->if_any;

	if (runexport_of_tables(settings->run_exports.chosen))
		tables |= exported_tables(settings, settings->tables);
	return tables;
}

bool report_needs_sources(const struct report_settings *settings)
{
	return possible_tables(settings) & ~REPORT_WITHOUT_SOURCES ||
	       runexport_needs_sources(settings->run_exports.chosen);
}

void report_add_needs(const struct report_settings *settings, struct needs *needs)
{
	const unsigned tables = possible_tables(settings);

	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (tables & 1u << i)
			needs_add(needs, table_list[i].answer);
	runexport_add_needs(settings->run_exports.chosen, needs);
	/* Call paths of a hardware trace are beside those of samples. */
	if (needs_have(needs, &pathstat_paths) || needs_have(needs, &pathstat_calls))
		needs_add(needs, &tracestat_profile);
}

/* Prints the names with @ending of the @tables after @separator, and what stands before the next.
 */
static const char *list_tables(FILE *out, const char *separator, unsigned tables,
			       const char *ending)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++) {
		if (!(tables & 1u << i))
			continue;
		fprintf(out, "%s%s%s", separator, table_list[i].table->name, ending);
		separator = ", ";
	}
	return separator;
}

static const char *list_events(FILE *out, const char *separator, const struct runexport_form *form,
			       const struct results *results)
{
	for (size_t at = 0; at < runexport_count(form, results); at++) {
		char name[RUNEXPORT_NAME_MAX];

		runexport_name(name, form, results, at);
		fprintf(out, "%s%s", separator, name);
		separator = ", ";
	}
	return separator;
}

void report_list_files(FILE *out, const struct report_settings *settings,
		       const struct results *results)
{
	const char *separator = list_tables(out, "", tables_of(settings, results), csv_form.ending);

	for (int i = 0; i < NR_RUNEXPORTS; i++) {
		const struct runexport_form *form = &runexport_forms[i];

		if (!(settings->run_exports.chosen & 1u << i))
			continue;
		if (form->files == RUNEXPORT_EACH_TABLE)
			separator =
				list_tables(out, separator,
					    exported_tables(settings, tables_of(settings, results)),
					    form->ending);
		else
			separator = list_events(out, separator, form, results);
	}
}

bool report_takes_plain(const struct report *report)
{
	return report->growing;
}

bool report_takes_records(const struct report *report)
{
	return report->records;
}

bool report_vanishes(const struct report *report)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (report->files[i].writer.out && !outfile_vanishes(report->files[i].writer.out))
			return false;
	return true;
}

void report_close(struct report *report)
{
	if (!report)
		return;
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		outfile_close(report->files[i].writer.out);
	close_exports(report);
	free(report->exports);
	recordlog_free(report->records);
	overviewrows_free(&report->overview);
	if (report->dirfd >= 0)
		close(report->dirfd);
	free(report);
}
