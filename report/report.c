#include "report/report.h"

#include "report/table.h"
#include "util/options.h"

#include <stdlib.h>
#include <unistd.h>

struct report {
	int dirfd;
	struct csv csvs[NR_TABLES]; /* out is NULL for a table that is not chosen */
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
					 "processes, results, events, header, lines, "
					 "addresses, all, none",
					 (int)len, word);
	}
	*ret = chosen;
	return 0;
}

static int open_table(struct report *report, const struct report_settings *settings, int number,
		      struct error *err)
{
	struct csv *csv = &report->csvs[number];
	char name[64];

	snprintf(name, sizeof(name), "%s.csv", all_tables[number]->name);
	csv->raw = settings->raw;
	csv->out = outfile_create(report->dirfd, settings->dir, name, err);
	if (!csv->out)
		return -1;
	table_put_header(csv, all_tables[number]);
	return 0;
}

struct report *report_open(const struct report_settings *settings, struct error *err)
{
	struct report *report = calloc(1, sizeof(*report));

	if (!report) {
		error_nomem(err, "opening the tables");
		return NULL;
	}
	report->dirfd = -1;
	if (!settings->tables)
		return report;
	report->dirfd = outdir_open(settings->dir, err);
	if (report->dirfd < 0)
		goto fail;
	for (int i = 0; i < NR_TABLES; i++)
		if (settings->tables & 1u << i && open_table(report, settings, i, err) < 0)
			goto fail;
	return report;
fail:
	report_close(report);
	return NULL;
}

int report_record(struct report *report, const struct record *rec, struct error *err)
{
	struct csv *csv = &report->csvs[TABLE_OVERVIEW];

	if (!csv->out)
		return 0;
	table_put_row(csv, all_tables[TABLE_OVERVIEW], rec);
	return outfile_check(csv->out, err);
}

int report_finish(struct report *report, const struct results *results, struct error *err)
{
	for (int i = 0; i < NR_TABLES; i++) {
		struct csv *csv = &report->csvs[i];

		if (!csv->out)
			continue;
		if (all_tables[i]->write)
			all_tables[i]->write(csv, all_tables[i], results);
		if (outfile_finish(csv->out, err) < 0)
			return -1;
	}
	for (int i = 0; i < NR_TABLES; i++)
		if (report->csvs[i].out && outfile_publish(report->csvs[i].out, err) < 0)
			return -1;
	return 0;
}

void report_close(struct report *report)
{
	if (!report)
		return;
	for (int i = 0; i < NR_TABLES; i++)
		outfile_close(report->csvs[i].out);
	if (report->dirfd >= 0)
		close(report->dirfd);
	free(report);
}
