#include "report/report.h"

#include "report/csvform.h"
#include "report/place.h"
#include "report/table.h"
#include "util/options.h"

#include <stdlib.h>
#include <unistd.h>

struct report {
	struct report_settings settings;
	int dirfd;
	struct table_file files[NR_TABLES]; /* have no out while they are not being written */
};

static int find_table(const char *word, size_t len)
{
	for (int i = 0; i < NR_TABLES; i++)
		if (strlen(all_tables[i]->name) == len &&
		    memcmp(all_tables[i]->name, word, len) == 0)
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
			return error_set(err, ERROR_USAGE,
					 "option --tables: '%.*s' is not one of stat, overview, "
					 "processes, results, events, header, threads, binaries, "
					 "lines, addresses, all, none",
					 (int)len, word);
	}
	*ret = chosen;
	return 0;
}

/* Starts the table unless that was done. */
static int open_table(struct report *report, int number, struct error *err)
{
	const struct report_settings *settings = &report->settings;
	struct table_file *file = &report->files[number];
	struct writer *writer = &file->writer;
	char name[64];

	if (writer->out)
		return 0;
	file->table = all_tables[number];
	*writer = (struct writer){.form = &csv_form, .raw = settings->raw};
	snprintf(name, sizeof(name), "%s%s", file->table->name, csv_form.ending);
	if (settings->to_stdout)
		writer->out = outfile_stream(STDOUT_FILENO, "standard output", err);
	else if (place_check(settings, report->dirfd, name, file, err) == 0)
		writer->out = outfile_create(report->dirfd, settings->dir, name, err);
	if (!writer->out)
		return -1;
	table_start(file);
	outfile_mark(writer->out);
	return 0;
}

static bool is_chosen(const struct report *report, int number)
{
	return report->settings.tables & 1u << number;
}

struct report *report_open(const struct report_settings *settings, struct error *err)
{
	struct report *report = calloc(1, sizeof(*report));

	if (!report) {
		error_nomem(err, "opening the tables");
		return NULL;
	}
	report->settings = *settings;
	report->dirfd = -1;
	if (!settings->tables)
		return report;
	if (!settings->to_stdout)
		report->dirfd = outdir_open(settings->dir, err);
	if (!settings->to_stdout && report->dirfd < 0)
		goto fail;
	for (int i = 0; i < NR_TABLES; i++)
		if (is_chosen(report, i) && open_table(report, i, err) < 0)
			goto fail;
	return report;
fail:
	if (!settings->to_stdout)
		place_advise(err);
	report_close(report);
	return NULL;
}

int report_record(struct report *report, const struct record *rec, struct error *err)
{
	struct table_file *file = &report->files[TABLE_OVERVIEW];

	if (!file->writer.out)
		return 0;
	table_put_row(file, rec);
	outfile_mark(file->writer.out);
	return outfile_check(file->writer.out, err);
}

/* Completes the table but for putting it in place. */
static int write_table(struct report *report, int number, const struct results *results,
		       struct error *err)
{
	const struct table *table = all_tables[number];

	if (open_table(report, number, err) < 0)
		return -1;
	if (table->write)
		table->write(&report->files[number], results);
	return outfile_finish(report->files[number].writer.out, err);
}

static int publish_table(struct report *report, int number, struct error *err)
{
	struct writer *writer = &report->files[number].writer;

	if (outfile_publish(writer->out, err) < 0)
		return -1;
	outfile_close(writer->out);
	writer->out = NULL;
	return 0;
}

int report_finish(struct report *report, const struct results *results, struct error *err)
{
	for (int i = 0; i < NR_TABLES; i++)
		if (is_chosen(report, i) && write_table(report, i, results, err) < 0)
			return -1;
	for (int i = 0; i < NR_TABLES; i++)
		if (is_chosen(report, i) && publish_table(report, i, err) < 0)
			return -1;
	return 0;
}

int report_update(struct report *report, const struct results *results, struct error *err)
{
	const bool overview = is_chosen(report, TABLE_OVERVIEW);

	for (int i = 0; i < NR_TABLES; i++)
		if (is_chosen(report, i) && i != TABLE_OVERVIEW &&
		    write_table(report, i, results, err) < 0)
			return -1;
	if (overview && outfile_grow(report->files[TABLE_OVERVIEW].writer.out, err) < 0)
		return -1;
	for (int i = 0; i < NR_TABLES; i++)
		if (is_chosen(report, i) && i != TABLE_OVERVIEW &&
		    publish_table(report, i, err) < 0)
			return -1;
	return 0;
}

void report_list_files(FILE *out, const struct report_settings *settings)
{
	const char *separator = "";

	for (int i = 0; i < NR_TABLES; i++) {
		if (!(settings->tables & 1u << i))
			continue;
		fprintf(out, "%s%s%s", separator, all_tables[i]->name, csv_form.ending);
		separator = ", ";
	}
}

bool report_vanishes(const struct report *report)
{
	for (int i = 0; i < NR_TABLES; i++)
		if (report->files[i].writer.out && !outfile_vanishes(report->files[i].writer.out))
			return false;
	return true;
}

void report_close(struct report *report)
{
	if (!report)
		return;
	for (int i = 0; i < NR_TABLES; i++)
		outfile_close(report->files[i].writer.out);
	if (report->dirfd >= 0)
		close(report->dirfd);
	free(report);
}
