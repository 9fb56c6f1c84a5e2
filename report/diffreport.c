#include "report/diffreport.h"

#include "report/csvform.h"
#include "report/export/export.h"
#include "report/place.h"
#include "report/table.h"
#include "util/options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const struct table *const diffreport_tables[NR_DIFF_TABLES] = {&table_diff, &table_diff_wide,
							       &table_ratios};

enum { NR_OUTPUTS = NR_DIFF_TABLES + NR_EXPORTS };

struct diffreport {
	struct report_settings settings;
	int dirfd;
	struct outfile *outs[NR_OUTPUTS]; /* tables first, then exports; NULL: not chosen */
	struct table_file tables[NR_DIFF_TABLES];
};

int diffreport_parse_tables(const char *list, unsigned *ret, struct error *err)
{
	static const struct {
		const char *word;
		unsigned tables;
	} words[] = {{"diff", DIFFREPORT_DIFF},
		     {"wide", DIFFREPORT_WIDE},
		     {"ratios", DIFFREPORT_RATIOS},
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
			return error_set(
				err, ERROR_USAGE,
				"option --tables: '%.*s' is not one of diff, wide, ratios, "
				"all, none",
				(int)len, word);
		chosen |= words[i].tables;
	}
	*ret = chosen;
	return 0;
}

/* Whether a column of the wide table is called @name, for databases also in the other case. */
static bool is_wide_column(const char *name)
{
	for (size_t i = 0; i < table_diff_wide.nr_columns; i++)
		if (strcasecmp(table_diff_wide.columns[i].name, name) == 0)
			return true;
	return false;
}

static int check_label(const char *const *labels, size_t number, struct error *err)
{
	const char *label = labels[number];

	if (!*label)
		return error_set(err, ERROR_USAGE, "option --label: a name is empty");
	if (is_wide_column(label))
		return error_set(err, ERROR_USAGE,
				 "option --label: '%s' is a column of wide.csv: choose another "
				 "name",
				 label);
	for (size_t i = 0; i < number; i++)
		if (strcasecmp(labels[i], label) == 0)
			return error_set(err, ERROR_USAGE,
					 "option --label: '%s' is given twice: each side or run "
					 "has a name of its own",
					 label);
	return 0;
}

int diffreport_check_labels(const char *const *labels, size_t nr, struct error *err)
{
	for (size_t i = 0; i < nr; i++)
		if (check_label(labels, i, err) < 0)
			return -1;
	return 0;
}

static bool is_chosen(const struct report_settings *settings, int number)
{
	if (number < NR_DIFF_TABLES)
		return settings->tables & 1u << number;
	return settings->exports && settings->exports->chosen & 1u << (number - NR_DIFF_TABLES);
}

static struct outfile *create_output(struct diffreport *report, const char *name, struct error *err)
{
	if (report->settings.to_stdout)
		return outfile_stream(STDOUT_FILENO, "standard output", err);
	return outfile_create(report->dirfd, report->settings.dir, name, err);
}

static int open_table(struct diffreport *report, int number, struct error *err)
{
	const struct report_settings *settings = &report->settings;
	const struct table_place place = {settings->dir, report->dirfd, settings->force};
	struct table_file *file = &report->tables[number];
	char name[64];

	file->table = diffreport_tables[number];
	file->writer = (struct writer){.form = &csv_form, .raw = settings->raw};
	snprintf(name, sizeof(name), "%s%s", file->table->name, csv_form.ending);
	if (!settings->to_stdout && place_check(&place, name, file, err) < 0)
		return -1;
	file->writer.out = report->outs[number] = create_output(report, name, err);
	return file->writer.out ? 0 : -1;
}

static int open_export(struct diffreport *report, int number, struct error *err)
{
	const struct report_settings *settings = &report->settings;
	const struct table_place place = {settings->dir, report->dirfd, settings->force};
	const struct export_form *form = &export_forms[number - NR_DIFF_TABLES];

	if (!settings->to_stdout && place_check_export(&place, form->file, &form->mark, err) < 0)
		return -1;
	report->outs[number] = create_output(report, form->file, err);
	return report->outs[number] ? 0 : -1;
}

static int open_output(struct diffreport *report, int number, struct error *err)
{
	return number < NR_DIFF_TABLES ? open_table(report, number, err)
				       : open_export(report, number, err);
}

static int open_outputs(struct diffreport *report, struct error *err)
{
	const struct report_settings *settings = &report->settings;

	for (int i = 0; i < NR_OUTPUTS; i++) {
		if (!is_chosen(settings, i))
			continue;
		if (report->dirfd < 0 && !settings->to_stdout)
			report->dirfd = outfile_open_dir(settings->dir, err);
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

static void write_output(struct diffreport *report, int number, const struct diff *diff)
{
	const struct export_view view = {diff, report->settings.exports, report->outs[number]};

	if (number < NR_DIFF_TABLES)
		table_diff_write(&report->tables[number], diff);
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
			fprintf(out, "%s%s%s", separator, diffreport_tables[i]->name,
				csv_form.ending);
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
