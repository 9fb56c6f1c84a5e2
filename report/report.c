#include "report/report.h"

#include "report/csvform.h"
#include "report/export/recordlog.h"
#include "report/export/runexport.h"
#include "report/overviewrows.h"
#include "report/place.h"
#include "report/reportexports.h"
#include "report/table.h"
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
	struct report_exports exports;
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

/* Whether anything is put into settings->dir. */
static bool writes_files(const struct report_settings *settings)
{
	return (settings->tables || settings->run_exports.chosen) && !settings->to_stdout &&
	       !settings->parts;
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
	if (writes_files(settings)) {
		report->dirfd = outfile_open_dir(settings->dir, err);
		if (report->dirfd < 0)
			goto fail;
	}
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_chosen(report, i) && open_table(report, i, err) < 0)
			goto fail;
	if (report_exports_open(&report->exports, &report->settings, report->dirfd, err) < 0)
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

	if (report->exports.records &&
	    recordlog_put(report->exports.records, table_list[REPORT_NUMBER_overview].table, rec,
			  err) < 0)
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

/* Whether a table is written at this time: the one that grows is so at the end. */
static bool is_due(const struct report *report, int number, bool at_end)
{
	return is_chosen(report, number) && (at_end || !table_list[number].table->each_record);
}

/* Writes the tables and exports, and puts them in place. The one that grows goes on, unless this is
 * the end. */
static int write_all(struct report *report, const struct results *results, bool at_end,
		     struct error *err)
{
	if (find_dir(report, err) < 0 || check_growing(report, err) < 0)
		return -1;
	report->settings.tables = tables_of(&report->settings, results);
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_due(report, i, at_end) && write_table(report, i, results, err) < 0)
			return -1;
	if (report_exports_write(&report->exports, results, report->settings.tables, err) < 0)
		return -1;
	if (!at_end && report->growing && outfile_grow(report->growing->writer.out, err) < 0)
		return -1;
	remove_lost(report);
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (is_due(report, i, at_end) && publish_table(report, i, err) < 0)
			return -1;
	return report_exports_publish(&report->exports, err);
}

int report_update(struct report *report, const struct results *results, struct error *err)
{
	return write_all(report, results, false, err);
}

int report_finish(struct report *report, const struct results *results, struct error *err)
{
	return write_all(report, results, true, err);
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
	report_exports_close(&report->exports);
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
		tables |= report_exports_tables(settings, settings->tables);
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
	/* Call paths of a hardware trace are beside those of samples, but not in every export. */
	if (needs_have(needs, &pathstat_paths) || needs_have(needs, &pathstat_calls) ||
	    runexport_of_traces(settings->run_exports.chosen))
		needs_add(needs, &tracestat_profile);
	runexport_add_needs(settings->run_exports.chosen, needs);
}

void report_list_files(FILE *out, const struct report_settings *settings,
		       const struct results *results)
{
	const unsigned tables = tables_of(settings, results);
	const char *separator = "";

	for (int i = 0; i < REPORT_NR_TABLES; i++) {
		if (!(tables & 1u << i))
			continue;
		fprintf(out, "%s%s%s", separator, table_list[i].table->name, csv_form.ending);
		separator = ", ";
	}
	report_exports_list(out, separator, settings, results, tables);
}

uint64_t report_page_bytes(const struct report *report)
{
	return report->exports.page_bytes;
}

bool report_takes_plain(const struct report *report)
{
	return report->growing;
}

bool report_takes_records(const struct report *report)
{
	return report->exports.records;
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
	report_exports_free(&report->exports);
	overviewrows_free(&report->overview);
	if (report->dirfd >= 0)
		close(report->dirfd);
	free(report);
}
