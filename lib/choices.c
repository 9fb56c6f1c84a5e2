/* Settings: readperf/settings.h. */
#include "lib/choices.h"

#include "lib/apierror.h"
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
	(void)option;
	if (perkeys_add(&settings->per, value, err) < 0)
		return -1;
	settings->report.keys = settings->per.names;
	settings->report.nr_keys = settings->per.nr;
	return report_check_keys(&settings->report, err);
}

/* The settings that are paths. */
static const char **path_of(struct symbol_settings *symbols, const char *option)
{
	if (strcmp(option, "symfs") == 0)
		return &symbols->symfs;
	if (strcmp(option, "buildid-dir") == 0)
		return &symbols->build_id_cache;
	if (strcmp(option, "debug-dir") == 0)
		return &symbols->debug_dir;
	return strcmp(option, "vmlinux") == 0 ? &symbols->vmlinux : &symbols->kallsyms;
}

static int set_path(struct readperf_settings *settings, const char *option, const char *value,
		    struct error *err)
{
	*path_of(&settings->symbols, option) = value;
	(void)err;
	return 0;
}

static int set_word(struct readperf_settings *settings, const char *option, const char *value,
		    struct error *err)
{
	const char *words = strcmp(option, "demangle") == 0 ? "full|short|none"
			    : strcmp(option, "unwind") == 0 ? "auto|dwarf|lbr|fp|none"
							    : "no|yes";
	const int choice = option_choice(option, value, words, err);

	if (choice < 0)
		return -1;
	if (strcmp(option, "demangle") == 0)
		settings->symbols.demangle = (enum demangle)choice;
	else if (strcmp(option, "unwind") == 0)
		settings->stacks.mode = (enum user_part_mode)choice;
	else if (strcmp(option, "inline") == 0)
		settings->symbols.inlined = choice;
	else
		settings->symbols.debuginfod = choice;
	return 0;
}

static int set_tag(struct readperf_settings *settings, const char *option, const char *value,
		   struct error *err)
{
	(void)option;
	settings->report.tags.on = true;
	return runtags_add(&settings->report.tags, value, err);
}

static int set_threads(struct readperf_settings *settings, const char *option, const char *value,
		       struct error *err)
{
	enum { THREADS_MAX = 1024 };
	char *end;
	const unsigned long nr = strtoul(value, &end, 10);

	if (!*value || *value == '-' || *end || nr > THREADS_MAX)
		return error_set(err, ERROR_USAGE, "option %s: '%s' is no number from 0 to %d",
				 option, value, THREADS_MAX);
	settings->symbols.threads = (unsigned)nr;
	return 0;
}

static const struct known_setting {
	const char *option;
	int (*set)(struct readperf_settings *settings, const char *option, const char *value,
		   struct error *err);
} choices[] = {
	{"tables", set_tables},	   {"event", set_filter},    {"comm", set_filter},
	{"binary", set_filter},	   {"symbol", set_filter},   {"pid", set_filter},
	{"tid", set_filter},	   {"cpu", set_filter},	     {"time", set_filter},
	{"where", set_filter},	   {"per", set_per},	     {"symfs", set_path},
	{"buildid-dir", set_path}, {"debug-dir", set_path},  {"vmlinux", set_path},
	{"kallsyms", set_path},	   {"demangle", set_word},   {"inline", set_word},
	{"unwind", set_word},	   {"debuginfod", set_word}, {"threads", set_threads},
	{"tag", set_tag},
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
	error_set(&why, ERROR_USAGE, "option %s: there is none", option);
	return apierror_copy(err, &why);
}

void readperf_settings_free(struct readperf_settings *settings)
{
	if (!settings)
		return;
	handlemark_check(&settings->mark, HANDLE_SETTINGS);
	filter_free(&settings->filter);
	perkeys_free(&settings->per);
	intern_free(&settings->strings);
	handlemark_free(&settings->mark);
}
