#include "report/diff.h"

#include "report/export/export.h"
#include "report/place.h"
#include "report/table.h"
#include "util/options.h"

#include <stdlib.h>
#include <unistd.h>

const struct table *const diff_tables[NR_DIFF_TABLES] = {&diff_table, &wide_table};

enum { NR_OUTPUTS = NR_DIFF_TABLES + NR_EXPORTS };

struct diffreport {
	struct report_settings settings;
	int dirfd;
	struct outfile *outs[NR_OUTPUTS]; /* the tables, then the exports; NULL: not chosen */
};

int diffreport_parse_tables(const char *list, unsigned *ret, struct error *err)
{
	static const struct {
		const char *word;
		unsigned tables;
	} words[] = {{"diff", DIFFREPORT_DIFF},
		     {"wide", DIFFREPORT_WIDE},
		     {"all", DIFFREPORT_ALL},
		     {"none", 0}};
	enum { NR_WORDS = sizeof(words) / sizeof(words[0]) };
	unsigned chosen = 0;
	const char *word;
	size_t len, i;

	while ((word = option_list_next(&list, &len)) != NULL) {
		for (i = 0; i < NR_WORDS; i++) {
			if (strlen(words[i].word) == len && memcmp(words[i].word, word, len) == 0)
				break;
		}
		if (i == NR_WORDS)
			return error_set(err, ERROR_USAGE,
					 "option --tables: '%.*s' is not one of diff, wide, all, "
					 "none",
					 (int)len, word);
		chosen |= words[i].tables;
	}
	*ret = chosen;
	return 0;
}

static bool is_chosen(const struct report_settings *settings, int number)
{
	if (number < NR_DIFF_TABLES)
		return settings->tables & 1u << number;
	return settings->exports && settings->exports->chosen & 1u << (number - NR_DIFF_TABLES);
}

static int open_output(struct diffreport *report, int number, struct error *err)
{
	const struct report_settings *settings = &report->settings;
	char table[64];
	const char *name = table;

	if (number < NR_DIFF_TABLES)
		snprintf(table, sizeof(table), "%s.csv", diff_tables[number]->name);
	else
		name = export_forms[number - NR_DIFF_TABLES].file;
	if (settings->to_stdout)
		report->outs[number] = outfile_stream(STDOUT_FILENO, "standard output", err);
	else if (number >= NR_DIFF_TABLES ||
		 place_check(settings, report->dirfd, name, diff_tables[number], err) == 0)
		report->outs[number] = outfile_create(report->dirfd, settings->dir, name, err);
	return report->outs[number] ? 0 : -1;
}

static int open_outputs(struct diffreport *report, struct error *err)
{
	const struct report_settings *settings = &report->settings;

	for (int i = 0; i < NR_OUTPUTS; i++) {
		if (!is_chosen(settings, i))
			continue;
		if (report->dirfd < 0 && !settings->to_stdout)
			report->dirfd = outdir_open(settings->dir, err);
		if (report->dirfd < 0 && !settings->to_stdout)
			return -1;
		if (open_output(report, i, err) < 0)
			return -1;
	}
	return 0;
}

struct diffreport *diffreport_open(const struct report_settings *settings, struct error *err)
{
	struct diffreport *report = calloc(1, sizeof(*report));

	if (!report) {
		error_nomem(err, "opening the tables");
		return NULL;
	}
	report->settings = *settings;
	report->dirfd = -1;
	if (open_outputs(report, err) == 0)
		return report;
	if (!settings->to_stdout)
		place_advise(err);
	diffreport_close(report);
	return NULL;
}

/* The names of the runs end the header line of the wide table. */
static void write_table(struct csv *csv, const struct table *table, const struct diff *diff)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		csv_ready(csv, table->columns[i].name, strlen(table->columns[i].name));
	for (size_t i = 0; table == &wide_table && i < diff->nr_runs; i++)
		csv_string(csv, diff->runs[i].label);
	csv_end_row(csv);
	for (size_t i = 0; i < diff->nr_rows; i++) {
		if (table == &wide_table)
			wide_put_row(csv, diff, &diff->rows[i]);
		else
			table_put_row(csv, table, &diff->rows[i]);
	}
}

static void write_output(struct diffreport *report, int number, const struct diff *diff)
{
	struct csv csv = {.out = report->outs[number], .raw = report->settings.raw};
	const struct export_view view = {diff, report->settings.exports, report->outs[number]};

	if (number < NR_DIFF_TABLES)
		write_table(&csv, diff_tables[number], diff);
	else
		export_forms[number - NR_DIFF_TABLES].write(&view);
}

int diffreport_finish(struct diffreport *report, const struct diff *diff, struct error *err)
{
	for (int i = 0; i < NR_OUTPUTS; i++) {
		if (!report->outs[i])
			continue;
		write_output(report, i, diff);
		if (outfile_finish(report->outs[i], err) < 0)
			return -1;
	}
	for (int i = 0; i < NR_OUTPUTS; i++) {
		if (report->outs[i] && outfile_publish(report->outs[i], err) < 0)
			return -1;
	}
	return 0;
}

void diffreport_list_files(FILE *out, const struct report_settings *settings)
{
	const char *separator = "";

	for (int i = 0; i < NR_OUTPUTS; i++) {
		if (!is_chosen(settings, i))
			continue;
		if (i < NR_DIFF_TABLES)
			fprintf(out, "%s%s.csv", separator, diff_tables[i]->name);
		else
			fprintf(out, "%s%s", separator, export_forms[i - NR_DIFF_TABLES].file);
		separator = ", ";
	}
}

void diffreport_close(struct diffreport *report)
{
	if (!report)
		return;
	for (int i = 0; i < NR_OUTPUTS; i++)
		outfile_close(report->outs[i]);
	if (report->dirfd >= 0)
		close(report->dirfd);
	free(report);
}
