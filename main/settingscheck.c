#include "main/settingscheck.h"

#include <string.h>
#include <sys/stat.h>

int settings_check_several(struct settings *settings, struct error *err)
{
	const char *only = NULL;

	for (size_t i = 0; i < settings->inputs.nr; i++)
		if (strcmp(settings->inputs.paths[i], "-") == 0)
			only = "standard input";
	if (settings->interval)
		only = "--interval";
	if (settings->report.run_exports.chosen)
		only = "--export";
	settings->report.tags.on = true;
	return only ? error_set(err, ERROR_USAGE,
				"%s is for one recording at a time: of several, readperf makes "
				"one set of tables",
				only)
		    : 0;
}

/* If the output directory is named like a file, the user may want only that table. */
static int check_directory(const struct settings *settings, struct error *err)
{
	static const char *const endings[] = {".csv", ".json", ".md", ".xml"};
	const char *dir = settings->report.dir, *ending = strrchr(dir, '.');
	struct stat st;

	for (size_t i = 0; ending && i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (strcmp(ending, endings[i]) != 0)
			continue;
		if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode))
			return 0;
		return error_set(err, ERROR_USAGE,
				 "option --output: '%s' would be a directory: did you mean "
				 "%s--output=- >%s? Write %s/ for a directory of that name",
				 dir, settings->command == COMMAND_DIFF ? "" : "--tables=results ",
				 dir, dir);
	}
	return 0;
}

/* Standard output takes one table or export: the chosen one, or the default table. */
static int choose_stdout(struct settings *settings, struct error *err)
{
	struct report_settings *report = &settings->report;
	const unsigned exports = settings->diff.exports | report->run_exports.chosen;

	report->to_stdout = true;
	report->if_any = 0;
	if (exports && !settings->has_tables)
		report->tables = 0;
	if (settings->interval)
		return error_set(err, ERROR_USAGE,
				 "option --interval: cannot rewrite tables on standard output "
				 "(--output=-): name a directory");
	if (__builtin_popcount(report->tables) + __builtin_popcount(exports) == 1)
		return 0;
	if (settings->command == COMMAND_DIFF)
		return error_set(err, ERROR_USAGE,
				 "option --output: - takes only one table or one export, such as "
				 "--tables=diff or --tables=none --export=markdown; name a "
				 "directory for more");
	return error_set(err, ERROR_USAGE,
			 "option --output: - takes only one table or one export, such as "
			 "--tables=results or --export=folded; name a directory for more");
}

static int choose_output(struct settings *settings, struct error *err)
{
	if (strcmp(settings->report.dir, "-") == 0)
		return choose_stdout(settings, err);
	return check_directory(settings, err);
}

/* Checks that no overview misses a sample: they are shown at intervals within the window. */
static int check_window(const struct settings *settings, struct error *err)
{
	if (settings->window && !settings->interval)
		return error_set(err, ERROR_USAGE,
				 "option --window: needs --interval, which says how often the "
				 "overview is shown: add --interval=1");
	if (settings->window && (settings->screen.callers || settings->screen.callees))
		return error_set(err, ERROR_USAGE,
				 "option --window: calls are shown of the whole recording: leave "
				 "out --callers and --callees, or --window");
	if (settings->window && settings->window < settings->interval)
		return error_set(err, ERROR_USAGE,
				 "option --window: shorter than --interval, it would leave out "
				 "what comes between two overviews: make it as long or longer");
	return 0;
}

/* Checks that what is to be shown is split by keys at all. */
static int check_per(const struct settings *settings, struct error *err)
{
	if (settings->per.nr && settings->diff.calls)
		return error_set(err, ERROR_USAGE,
				 "option --per: functions are split, calls are not: leave out "
				 "--calls or --per");
	if (settings->per.nr && (settings->screen.callers || settings->screen.callees))
		return error_set(err, ERROR_USAGE,
				 "option --per: functions are split, calls are not: leave out "
				 "--callers and --callees, or --per");
	return report_check_keys(&settings->report, err);
}

int settings_check(struct settings *settings, struct error *err)
{
	if (choose_output(settings, err) < 0 || check_window(settings, err) < 0)
		return -1;
	return check_per(settings, err);
}
