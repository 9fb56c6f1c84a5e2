#include "main/diffsettings.h"

#include "report/diffreport.h"
#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a decimal number up to a colon or the end; NULL if there is none. */
static const char *read_decimal(const char *text, double *value)
{
	size_t digits = strspn(text, "0123456789"), len = digits;

	if (text[len] == '.')
		len += 1 + strspn(text + len + 1, "0123456789");
	if (digits == 0 || len > 16 || (text[len] != ':' && text[len]))
		return NULL;
	*value = strtod(text, NULL);
	return text + len;
}

/*
 * Reads "slower:0.5:1.1", or with the word of another measure; returns false if it is not a gate.
 */
static bool read_gate(struct diff_settings *settings, const char *text)
{
	for (int measure = MEASURE_PERIOD; measure <= MEASURE_SHARE; measure++) {
		const char *word = verdict_name(VERDICT_MORE, (enum measure)measure);
		const char *rest = text + strlen(word);

		if (strncmp(text, word, strlen(word)) != 0)
			continue;
		settings->has_gate = true;
		settings->gate_measure = (enum measure)measure;
		settings->gate = (struct diff_gate){.points = 0, .ratio = 1};
		if (*rest == ':')
			rest = read_decimal(rest + 1, &settings->gate.points);
		if (rest && *rest == ':')
			rest = read_decimal(rest + 1, &settings->gate.ratio);
		return rest && *rest == '\0' && settings->gate.ratio >= 1;
	}
	return false;
}

/* Reads "total:5"; returns false if it is not such a gate. */
static bool read_total_gate(struct diff_settings *settings, const char *text)
{
	static const char word[] = "total:";
	const char *rest;

	if (strncmp(text, word, sizeof(word) - 1) != 0)
		return false;
	settings->has_total_gate = true;
	rest = read_decimal(text + sizeof(word) - 1, &settings->total_gate);
	return rest && *rest == '\0';
}

static int set_gates(struct diff_settings *settings, const char *list, struct error *err)
{
	const char *word;
	size_t len;

	while ((word = option_list_next(&list, &len)) != NULL) {
		const int nr_before = settings->has_gate + settings->has_total_gate;
		char text[64];

		snprintf(text, sizeof(text), "%.*s", (int)len, word);
		if (len >= sizeof(text) ||
		    (!read_gate(settings, text) && !read_total_gate(settings, text)))
			return error_set(
				err, ERROR_USAGE,
				"option --fail-on: '%.*s' is not slower[:POINTS[:RATIO]] with a "
				"ratio of 1 or more, as "
				"slower:0.5:1.1 (of rates higher, of shares larger), nor "
				"total:PERCENT, as total:5",
				(int)len, word);
		if (settings->has_gate + settings->has_total_gate == nr_before)
			return error_set(
				err, ERROR_USAGE,
				"option --fail-on: '%s' is one too many: one condition for "
				"functions and one for the total can be given",
				text);
	}
	return 0;
}

static int set_run_deviation(struct diff_settings *settings, const char *arg, struct error *err)
{
	double percent = 0;
	const char *rest = read_decimal(arg, &percent);

	if (!rest || *rest || percent > 100)
		return error_set(err, ERROR_USAGE,
				 "option --run-deviation: '%s' is not a percentage from 0 to 100",
				 arg);
	settings->has_run_deviation = true;
	settings->run_deviation = percent / 100;
	return 0;
}

static int add_labels(struct diff_settings *settings, const char *list, struct error *err)
{
	const char *word;
	size_t len;

	while ((word = option_list_next(&list, &len)) != NULL) {
		char *label;

		if (!array_grow(settings->labels, settings->labels_room, settings->nr_labels + 1))
			return error_nomem(err, "reading the command line");
		label = strndup(word, len);
		if (!label)
			return error_nomem(err, "reading the command line");
		settings->labels[settings->nr_labels++] = label;
	}
	return 0;
}

static int add_prefix(struct diff_settings *settings, const char *dir, struct error *err)
{
	if (!array_grow(settings->prefixes, settings->prefixes_room, settings->nr_prefixes + 1))
		return error_nomem(err, "reading the command line");
	settings->prefixes[settings->nr_prefixes++] = dir;
	return 0;
}

int diffsettings_apply(struct diff_settings *settings, int key, const char *arg, struct error *err)
{
	int choice;

	switch (key) {
	case OPT_BY:
		choice = option_choice("by", arg, MEASURE_WORDS, err);
		if (choice < 0)
			return -1;
		settings->has_measure = true;
		settings->measure = (enum measure)choice;
		return 0;
	case OPT_RUN_DEVIATION:
		return set_run_deviation(settings, arg, err);
	case OPT_CHILDREN:
		settings->children = true;
		return 0;
	case OPT_CALLS:
		settings->children = settings->calls = true;
		return 0;
	case OPT_RENAME:
		return rename_add(&settings->renames, arg, err);
	case OPT_LABEL:
		return add_labels(settings, arg, err);
	case OPT_EXPORT:
		return export_parse(arg, &settings->exports, err);
	case OPT_STRIP_PREFIX:
		return add_prefix(settings, arg, err);
	default:
		return set_gates(settings, arg, err);
	}
}

/* Only one run can be read from standard input. */
static int check_streams(const struct diff_settings *settings, struct error *err)
{
	size_t nr = 0;

	for (size_t i = 0; i < settings->nr_runs; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): there are nr_runs */
		nr += strcmp(settings->runs[i], "-") == 0;
	return nr > 1 ? error_set(err, ERROR_USAGE, "only one run can come from standard input")
		      : 0;
}

static int check_labels(const struct diff_settings *settings, struct error *err)
{
	const size_t nr = settings->nr_labels;

	if (nr == 0 || nr == 2 || nr == settings->nr_runs)
		return diffreport_check_labels((const char *const *)settings->labels, nr, err);
	return error_set(err, ERROR_USAGE,
			 "option --label: %zu name%s for %zu runs: give one for each side or one "
			 "for each run",
			 nr, nr == 1 ? "" : "s", settings->nr_runs);
}

/* Adds the run, or the runs in the directory, or the table in it, at @path. */
static int add_runs(struct inputs *inputs, const char *path, struct error *err)
{
	char *table;
	int rc = inputs_add(inputs, path, err);

	if (rc == 0)
		return 0;
	if (asprintf(&table, "%s%sresults.csv", path, path[strlen(path) - 1] == '/' ? "" : "/") < 0)
		return error_nomem(err, "reading the command line");
	if (access(table, F_OK) == 0)
		rc = inputs_add(inputs, table, err);
	else if (err->kind == ERROR_FORMAT)
		error_set(err, ERROR_FORMAT,
			  "%s: is a directory, but contains neither a file named data, nor "
			  "recordings, nor results.csv: tables of other names are given one by one",
			  path);
	free(table);
	return rc;
}

int diffsettings_operands(struct diff_settings *settings, int nr, char **operands,
			  struct error *err)
{
	size_t nr_words = 0;

	for (int i = 0; i < nr; i++) {
		const bool is_word = strcmp(operands[i], "vs") == 0;

		nr_words += is_word;
		if (is_word || (i == 1 && nr == 2))
			settings->nr_old = settings->inputs.nr;
		if (!is_word && add_runs(&settings->inputs, operands[i], err) < 0)
			return -1;
	}
	settings->runs = (const char *const *)settings->inputs.paths;
	settings->nr_runs = settings->inputs.nr;
	if (nr_words > 1 || settings->nr_old == 0 || settings->nr_old == settings->nr_runs)
		return error_set(err, ERROR_USAGE,
				 "two runs are compared, OLD NEW, or several a side, OLD... vs "
				 "NEW...");
	return check_streams(settings, err) < 0 ? -1 : check_labels(settings, err);
}

const char *diffsettings_run(const struct diff_settings *settings, size_t number)
{
	return settings->nr_labels == settings->nr_runs ? settings->labels[number]
							: settings->runs[number];
}

const char *diffsettings_side(const struct diff_settings *settings, int number)
{
	if (settings->nr_labels == 2)
		return settings->labels[number];
	return number ? "new" : "old";
}

struct export_settings diffsettings_exports(const struct diff_settings *settings)
{
	return (struct export_settings){
		.chosen = settings->exports,
		.sides = {diffsettings_side(settings, 0), diffsettings_side(settings, 1)},
		.prefixes = settings->prefixes,
		.nr_prefixes = settings->nr_prefixes,
		.gate = settings->has_gate ? &settings->gate : NULL,
		.total_percent = settings->has_total_gate ? &settings->total_gate : NULL,
	};
}

void diffsettings_free(struct diff_settings *settings)
{
	for (size_t i = 0; i < settings->nr_labels; i++)
		free(settings->labels[i]);
	free(settings->labels);
	free(settings->prefixes);
	inputs_free(&settings->inputs);
	renames_free(&settings->renames);
	*settings = (struct diff_settings){0};
}
