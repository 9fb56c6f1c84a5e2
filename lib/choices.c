/* Settings: readperf/settings.h. */
#include "lib/choices.h"

#include "decode/replay/bundle.h"
#include "lib/apierror.h"
#include "util/cores.h"
#include "util/options.h"

#include <stdlib.h>
#include <string.h>

struct readperf_settings *readperf_settings_create(struct readperf_error *err)
{
	struct readperf_settings *settings = calloc(1, sizeof(*settings));

	if (!settings)
		apierror_nomem(err, "making settings");
	else
		handlemark_begin(&settings->mark, HANDLE_SETTINGS);
	return settings;
}

static int set_filter(struct readperf_settings *settings, const char *option, const char *value,
		      struct error *err)
{
	return filter_add(&settings->filter, option, value, err);
}

static int set_tables(struct readperf_settings *settings, const char *option, const char *value,
		      struct error *err)
{
	(void)option;
	return report_parse_tables(value, &settings->report.tables, err);
}

static int set_per(struct readperf_settings *settings, const char *option, const char *value,
		   struct error *err)
{
	struct report_settings *report = &settings->report;
	const size_t before = settings->per.nr;
	int rc;

	(void)option;
	rc = perkeys_add(&settings->per, value, err);
	report->keys = settings->per.names;
	report->nr_keys = settings->per.nr;
	if (rc == 0)
		rc = report_check_keys(report, err);
	if (rc < 0) {
		perkeys_cut(&settings->per, before);
		report->nr_keys = before;
	}
	return rc;
}

static int set_path(struct readperf_settings *settings, const char *option, const char *value,
		    struct error *err)
{
	return symbol_settings_set_path(&settings->symbols, option, value, err);
}

/* The directory of build ids may be an archive of it. */
static int set_cache(struct readperf_settings *settings, const char *option, const char *value,
		     struct error *err)
{
	struct symbol_settings *symbols = &settings->symbols;
	struct error note;

	bundle_close(settings->archive);
	symbols->archive = settings->archive = NULL;
	if (symbol_settings_set_path(symbols, option, value, err) < 0)
		return -1;
	if (!bundle_is_file(value))
		return 0;
	symbols->archive = settings->archive = bundle_open(value, NULL, NULL, &note, err);
	return settings->archive ? 0 : -1;
}

static int set_word(struct readperf_settings *settings, const char *option, const char *value,
		    struct error *err)
{
	const char *words = strcmp(option, "demangle") == 0   ? DEMANGLE_WORDS
			    : strcmp(option, "unwind") == 0   ? USER_PART_WORDS
			    : strcmp(option, "slice-by") == 0 ? SLICE_BY_WORDS
							      : "no|yes";
	const int choice = option_choice(option, value, words, err);

	if (choice < 0)
		return -1;
	if (strcmp(option, "demangle") == 0)
		settings->symbols.demangle = (enum demangle)choice;
	else if (strcmp(option, "unwind") == 0)
		settings->stacks.mode = (enum user_part_mode)choice;
	else if (strcmp(option, "slice-by") == 0)
		settings->slice_by = (enum slice_by)choice;
	else if (strcmp(option, "inline") == 0)
		settings->symbols.inlined = choice;
	else
		settings->symbols.debuginfod = choice;
	return 0;
}

static int set_tag(struct readperf_settings *settings, const char *option, const char *value,
		   struct error *err)
{
	struct runtags *tags = &settings->report.tags;

	(void)option;
	if (runtags_add(tags, value, err) < 0)
		return -1;
	if (report_check_keys(&settings->report, err) == 0)
		return 0;
	tags->on = --tags->nr > 0;
	return -1;
}

static int set_slice(struct readperf_settings *settings, const char *option, const char *value,
		     struct error *err)
{
	return option_length(option, value, &settings->slice, err);
}

static int set_metric(struct readperf_settings *settings, const char *option, const char *value,
		      struct error *err)
{
	(void)option;
	return replay_add_metric(&settings->metrics, value, err);
}

static int set_root(struct readperf_settings *settings, const char *option, const char *value,
		    struct error *err)
{
	(void)option;
	return roots_given_add(&settings->roots, value, err);
}

static int set_source_dir(struct readperf_settings *settings, const char *option, const char *value,
			  struct error *err)
{
	(void)option;
	settings->symbols.source_dirs = &settings->source_dirs;
	return sourcefile_add_dir(&settings->source_dirs, value, err);
}

static int set_max_stack(struct readperf_settings *settings, const char *option, const char *value,
			 struct error *err)
{
	uint64_t number = 0;

	if (option_number(option, value, 1, UINT16_MAX, &number, err) < 0)
		return -1;
	settings->stacks.max_frames = (size_t)number;
	return 0;
}

static int set_threads(struct readperf_settings *settings, const char *option, const char *value,
		       struct error *err)
{
	uint64_t number = 0;

	if (option_number(option, value, 0, CORES_THREADS_MAX, &number, err) < 0)
		return -1;
	settings->symbols.threads = (unsigned)number;
	return 0;
}

static const struct known_setting {
	const char *option;
	int (*set)(struct readperf_settings *settings, const char *option, const char *value,
		   struct error *err);
} choices[] = {
	{"tables", set_tables},	    {"event", set_filter},
	{"comm", set_filter},	    {"binary", set_filter},
	{"symbol", set_filter},	    {"pid", set_filter},
	{"tid", set_filter},	    {"cpu", set_filter},
	{"time", set_filter},	    {"where", set_filter},
	{"per", set_per},	    {"symfs", set_path},
	{"buildid-dir", set_cache}, {"debug-dir", set_path},
	{"vmlinux", set_path},	    {"kallsyms", set_path},
	{"demangle", set_word},	    {"inline", set_word},
	{"unwind", set_word},	    {"debuginfod", set_word},
	{"threads", set_threads},   {"tag", set_tag},
	{"slice", set_slice},	    {"slice-by", set_word},
	{"metric", set_metric},	    {"max-stack", set_max_stack},
	{"root", set_root},	    {"source-dir", set_source_dir},
};

int readperf_settings_set(struct readperf_settings *settings, const char *option, const char *value,
			  struct readperf_error *err)
{
	struct error why = {0};
	const char *kept;

	if (!settings || !option || !value)
		return apierror_null(err, !settings ? "settings" : option ? "value" : "option");
	handlemark_check(&settings->mark, HANDLE_SETTINGS);
	kept = intern_keep(&settings->strings, value);
	if (!kept)
		return apierror_nomem(err, "keeping a setting");
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		if (strcmp(choices[i].option, option) != 0)
			continue;
		/* by the name of ours, which lives as long as the settings */
		if (choices[i].set(settings, choices[i].option, kept, &why) == 0)
			return 0;
		return apierror_copy(err, &why);
	}
	error_set(&why, ERROR_USAGE, "option --%s: there is none", option);
	return apierror_copy(err, &why);
}

void readperf_settings_free(struct readperf_settings *settings)
{
	if (!settings)
		return;
	handlemark_check(&settings->mark, HANDLE_SETTINGS);
	filter_free(&settings->filter);
	perkeys_free(&settings->per);
	roots_given_free(&settings->roots);
	sourcefile_free_dirs(&settings->source_dirs);
	bundle_close(settings->archive);
	intern_free(&settings->strings);
	handlemark_free(&settings->mark);
}
