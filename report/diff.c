#include "report/diff.h"

#include "report/table.h"
#include "util/options.h"

#include <stdlib.h>
#include <unistd.h>

const struct table *const diff_tables[NR_DIFF_TABLES] = {&diff_table, &wide_table};

struct diffreport {
	struct report_settings settings;
	int dirfd;
	struct csv csvs[NR_DIFF_TABLES]; /* out is NULL if the table is not chosen */
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

static int open_table(struct diffreport *report, int number, struct error *err)
{
	struct csv *csv = &report->csvs[number];
	char name[64];

	snprintf(name, sizeof(name), "%s.csv", diff_tables[number]->name);
	csv->raw = report->settings.raw;
	csv->out = outfile_create(report->dirfd, report->settings.dir, name, err);
	return csv->out ? 0 : -1;
}

struct diffreport *diffreport_open(const struct report_settings *settings, struct error *err)
{
	struct diffreport *report = calloc(1, sizeof(*report));

	if (!report) {
		error_nomem(err, "opening the tables");
		return NULL;
	}
	report->settings = *settings;
	report->dirfd = settings->tables ? outdir_open(settings->dir, err) : -1;
	if (settings->tables && report->dirfd < 0)
		goto fail;
	for (int i = 0; i < NR_DIFF_TABLES; i++) {
		if (settings->tables & 1u << i && open_table(report, i, err) < 0)
			goto fail;
	}
	return report;
fail:
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

int diffreport_finish(struct diffreport *report, const struct diff *diff, struct error *err)
{
	for (int i = 0; i < NR_DIFF_TABLES; i++) {
		struct csv *csv = &report->csvs[i];

		if (!csv->out)
			continue;
		write_table(csv, diff_tables[i], diff);
		if (outfile_finish(csv->out, err) < 0)
			return -1;
	}
	for (int i = 0; i < NR_DIFF_TABLES; i++) {
		if (report->csvs[i].out && outfile_publish(report->csvs[i].out, err) < 0)
			return -1;
	}
	return 0;
}

void diffreport_close(struct diffreport *report)
{
	if (!report)
		return;
	for (int i = 0; i < NR_DIFF_TABLES; i++)
		outfile_close(report->csvs[i].out);
	if (report->dirfd >= 0)
		close(report->dirfd);
	free(report);
}
