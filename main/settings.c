#include "main/settings.h"

#include "decode/replay/bundle.h"
#include "main/habits.h"
#include "main/optionlist.h"
#include "main/outputname.h"
#include "report/diffreport.h"
#include "report/export/runexport.h"
#include "util/clock.h"
#include "util/cores.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Applies an option whose argument is one of some words. */
static int apply_choice(struct settings *settings, int key, const char *arg, struct error *err)
{
	const int choice = optionlist_choice(key, arg, err);

	if (choice < 0)
		return -1;
	switch (key) {
	case OPT_COLOR:
		settings->screen.color = (enum screen_color)choice;
		break;
	case OPT_CSV:
		settings->report.raw = choice == 1;
		break;
	case OPT_DEMANGLE:
		settings->symbols.demangle = (enum demangle)choice;
		break;
	case OPT_EVENT_NAMES:
		settings->vendor_names = choice == 1;
		break;
	case OPT_UNWIND:
		settings->stacks.mode = (enum user_part_mode)choice;
		break;
	case OPT_SLICE_BY:
		settings->slice_by = (enum slice_by)choice;
		break;
	case OPT_WEIGHT:
		settings->report.run_exports.periods = choice == 1;
		break;
	}
	return 0;
}

/* Applies an option for the size of what is printed. */
static int apply_screen(struct settings *settings, int key, const char *arg, struct error *err)
{
	struct screen_settings *screen = &settings->screen;
	uint64_t number;

	if (option_number(optionlist_name(key), arg, 0, SIZE_MAX, &number, err) < 0)
		return -1;
	if (key == OPT_TOP)
		screen->top = (size_t)number;
	else
		screen->width = (size_t)number;
	screen->has_width |= key == OPT_WIDTH;
	screen->has_top |= key == OPT_TOP;
	return 0;
}

/* Whether @arg names nothing, or is the option after one whose list was forgotten. Names of
 * Objective-C may begin with "-[". */
static bool is_no_function(const char *arg)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";

	return arg[strspn(arg, ",")] == '\0' || (arg[0] == '-' && strspn(arg + 1, letters) > 0);
}

/* Calls around functions, in place of the overview. */
static int apply_calls(struct settings *settings, int key, const char *arg, struct error *err)
{
	const bool callers = key == OPT_CALLERS;
	struct filter *of = callers ? &settings->callers_of : &settings->callees_of;

	if (is_no_function(arg))
		return error_set(err, ERROR_USAGE,
				 "option --%s needs an argument: LIST, the names of functions, "
				 "not '%s'",
				 callers ? "callers" : "callees", arg);
	if (filter_add(of, "symbol", arg, err) < 0)
		return -1;
	settings->screen.callers = settings->callers_of.symbols;
	settings->screen.callees = settings->callees_of.symbols;
	return 0;
}

static int apply_metric(struct settings *settings, int key, const char *arg, struct error *err)
{
	(void)key;
	return replay_add_metric(&settings->metrics, arg, err);
}

static int apply_stack(struct settings *settings, int key, const char *arg, struct error *err)
{
	uint64_t number;

	(void)key;
	if (option_number("max-stack", arg, 1, UINT16_MAX, &number, err) < 0)
		return -1;
	settings->stacks.max_frames = (size_t)number;
	return 0;
}

static int apply_debuginfod(struct symbol_settings *symbols, struct error *err)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!urls || !urls[strspn(urls, " ")])
		return error_set(err, ERROR_USAGE,
				 "option --debuginfod: DEBUGINFOD_URLS names no server");
	symbols->debuginfod = true;
	return 0;
}

static int apply_filter(struct settings *settings, int key, const char *arg, struct error *err)
{
	return filter_add(&settings->filter, optionlist_name(key), arg, err);
}

static int apply_per(struct settings *settings, int key, const char *arg, struct error *err)
{
	(void)key;
	return perkeys_add(&settings->per, arg, err);
}

/* Applies an option of perf report. The tables have counts both with callees and without. */
static int apply_habit(struct settings *settings, int key, const char *arg, struct error *err)
{
	if (key == 'g')
		return habits_refuse_graph(err);
	if (key == 's')
		return habits_check_sort(arg, err);
	return key == 'i' ? inputs_add(&settings->inputs, arg, err) : 0;
}

/* The habits are those from perf report. */
static int apply_unknown(struct settings *settings, int key, const char *arg, struct error *err)
{
	(void)key;
	return settings->command == COMMAND_TABLES ? habits_check_option(arg, err) : 0;
}

static int apply_tables(struct settings *settings, int key, const char *arg, struct error *err)
{
	settings->has_tables = true;
	return key == OPT_TABLES ? report_parse_tables(arg, &settings->report.tables, err)
				 : diffreport_parse_tables(arg, &settings->report.tables, err);
}

static int apply_tag(struct settings *settings, int key, const char *arg, struct error *err)
{
	(void)key;
	return runtags_add(&settings->report.tags, arg, err);
}

static int apply_export(struct settings *settings, int key, const char *arg, struct error *err)
{
	struct runexport_settings *exports = &settings->report.run_exports;

	if (key == OPT_RUN_EXPORT)
		return runexport_parse(arg, &exports->chosen, err);
	return option_bytes("html-size", arg, RUNEXPORT_HTML_MIN, UINT32_MAX, &exports->html_bytes,
			    err);
}

/* Applies an option whose argument is a length of time. */
static int apply_length(struct settings *settings, int key, const char *arg, struct error *err)
{
	if (key == OPT_SLICE)
		return option_length("slice", arg, &settings->slice, err);
	return option_seconds(optionlist_name(key), arg, 100 * NS_PER_MS,
			      key == OPT_INTERVAL ? &settings->interval : &settings->window, err);
}

/* Applies an option on files and how they are read. */
static int apply_files(struct settings *settings, int key, const char *arg, struct error *err)
{
	uint64_t number;

	switch (key) {
	case 'o':
		settings->report.dir = arg;
		return *arg ? 0
			    : error_set(err, ERROR_USAGE,
					"option --output: the name of the directory is empty");
	case OPT_ROOT:
		return roots_given_add(&settings->roots, arg, err);
	case OPT_SOURCE_DIR:
		return sourcefile_add_dir(&settings->source_dirs, arg, err);
	case OPT_DEBUGINFOD:
		return apply_debuginfod(&settings->symbols, err);
	case OPT_THREADS:
		if (option_number("threads", arg, 0, CORES_THREADS_MAX, &number, err) < 0)
			return -1;
		settings->symbols.threads = (unsigned)number;
		return 0;
	default:
		return symbol_settings_set_path(&settings->symbols, optionlist_name(key), arg, err);
	}
}

static int apply_description(struct settings *settings, int key, const char *arg, struct error *err)
{
	settings->describe = arg;
	return optionlist_choice(key, arg, err);
}

/* Applies an option that sets a flag. */
static bool apply_flag(struct settings *settings, int key)
{
	static const struct {
		int key;
		size_t offset; /* offset of the bool in struct settings */
	} flags[] = {
		{OPT_FORCE, offsetof(struct settings, report.force)},
		{OPT_INLINE, offsetof(struct settings, symbols.inlined)},
		{'v', offsetof(struct settings, verbose)},
		{'q', offsetof(struct settings, quiet)},
		{'V', offsetof(struct settings, version)},
		{'h', offsetof(struct settings, help)},
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (flags[i].key != key)
			continue;
		*(bool *)((char *)settings + flags[i].offset) = true;
		return true;
	}
	return false;
}

static int apply_option(void *to, int key, const char *arg, struct error *err)
{
	static const struct {
		int key;
		int (*apply)(struct settings *settings, int key, const char *arg,
			     struct error *err);
	} appliers[] = {
		{OPT_TABLES, apply_tables},
		{OPT_DIFF_TABLES, apply_tables},
		{OPT_RUN_EXPORT, apply_export},
		{OPT_TAG, apply_tag},
		{OPT_WEIGHT, apply_choice},
		{OPT_HTML_SIZE, apply_export},
		{OPT_INTERVAL, apply_length},
		{OPT_WINDOW, apply_length},
		{OPT_PER, apply_per},
		{OPT_SLICE, apply_length},
		{OPT_SLICE_BY, apply_choice},
		{OPT_TOP, apply_screen},
		{OPT_WIDTH, apply_screen},
		{OPT_COLOR, apply_choice},
		{OPT_METRIC, apply_metric},
		{OPT_CALLERS, apply_calls},
		{OPT_CALLEES, apply_calls},
		{OPT_CSV, apply_choice},
		{OPT_DEMANGLE, apply_choice},
		{OPT_EVENT_NAMES, apply_choice},
		{'o', apply_files},
		{OPT_BUILDID_DIR, apply_files},
		{OPT_DEBUG_DIR, apply_files},
		{OPT_SYMFS, apply_files},
		{OPT_VMLINUX, apply_files},
		{OPT_KALLSYMS, apply_files},
		{OPT_ROOT, apply_files},
		{OPT_SOURCE_DIR, apply_files},
		{OPT_DEBUGINFOD, apply_files},
		{OPT_THREADS, apply_files},
		{OPT_UNWIND, apply_choice},
		{OPT_MAX_STACK, apply_stack},
		{OPT_DESCRIBE, apply_description},
		{'i', apply_habit},
		{'s', apply_habit},
		{'g', apply_habit},
		{OPT_STDIO, apply_habit},
		{OPT_WITH_CHILDREN, apply_habit},
		{OPT_WITHOUT_CHILDREN, apply_habit},
		{OPTION_UNKNOWN, apply_unknown},
	};
	struct settings *settings = to;

	if (apply_flag(settings, key))
		return 0;
	for (size_t i = 0; i < sizeof(appliers) / sizeof(appliers[0]); i++)
		if (appliers[i].key == key)
			return appliers[i].apply(settings, key, arg, err);
	if (key < OPTION_LONG_ONLY + NR_DIFF_OPTIONS)
		return diffsettings_apply(&settings->diff, key, arg, err);
	return apply_filter(settings, key, arg, err);
}

/* Of several recordings there is one set of tables, and nothing else. */
static int check_several(struct settings *settings, struct error *err)
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
		    : inputs_check_pipes(&settings->inputs, err);
}

/* Takes the recording that perf writes if it is told no name. */
static int take_default(struct inputs *inputs, struct error *err)
{
	static const char name[] = "perf.data";

	if (access(name, F_OK) < 0 && errno == ENOENT)
		return error_set(err, ERROR_IO,
				 "%s: no such file here: name a recording, or - for standard input",
				 name);
	return inputs_add(inputs, name, err);
}

static int take_operands(struct settings *settings, int nr, char **operands, struct error *err)
{
	if (settings->help || settings->version || settings->describe)
		return 0;
	if (settings->command == COMMAND_DIFF)
		return diffsettings_operands(&settings->diff, nr, operands, err);
	if (nr && habits_check_operand(operands[0], err) < 0)
		return -1;
	for (int i = 0; i < nr; i++)
		if (inputs_add(&settings->inputs, operands[i], err) < 0)
			return -1;
	if (!settings->inputs.nr && take_default(&settings->inputs, err) < 0)
		return -1;
	settings->input = settings->inputs.paths[0];
	return settings->inputs.several ? check_several(settings, err) : 0;
}

/* An export of tables takes the chosen ones, which are not written beside it. */
static int choose_export_to_stdout(struct report_settings *report, struct error *err)
{
	const int nr = __builtin_popcount(report->tables ? report->tables : REPORT_DEFAULT);

	report->export_tables = report->tables;
	report->tables = 0;
	if (nr == 1 || !runexport_of_each_table(report->run_exports.chosen))
		return 0;
	return error_set(
		err, ERROR_USAGE,
		"option --output: - takes one file, but %d tables have one each: choose one "
		"with --tables, or name a directory",
		nr);
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
	if (__builtin_popcount(exports) == 1 && runexport_of_tables(report->run_exports.chosen))
		return choose_export_to_stdout(report, err);
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

/* The options that are missing to make the file @settings name as a directory; NULL: others stand
 * in the way. @usual are those for such a name, if no tables or exports are chosen. */
static const char *options_of_file(const struct settings *settings, const char *usual)
{
	struct settings trial = *settings;

	if (!settings->has_tables && !settings->diff.exports &&
	    !settings->report.run_exports.chosen)
		return usual;
	return choose_stdout(&trial, NULL) == 0 ? "" : NULL;
}

/* If the output directory is named like a file, the user may want only that. */
static int check_directory(const struct settings *settings, struct error *err)
{
	const char *dir = settings->report.dir, *options;
	struct stat st;

	if (!outputname_is_file(dir, settings->command, &options) ||
	    (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)))
		return 0;
	options = options_of_file(settings, options);
	if (!options)
		return error_set(err, ERROR_USAGE,
				 "option --output: '%s' would be a directory: write %s/ for a "
				 "directory of that name",
				 dir, dir);
	return error_set(err, ERROR_USAGE,
			 "option --output: '%s' would be a directory: did you mean "
			 "%s--output=- >%s? Write %s/ for a directory of that name",
			 dir, options, dir, dir);
}

static int choose_output(struct settings *settings, struct error *err)
{
	if (strcmp(settings->report.dir, "-") == 0)
		return choose_stdout(settings, err);
	return check_directory(settings, err);
}

/* Checks that what --time selects is known before all has been read. */
static int check_time(const struct settings *settings, struct error *err)
{
	if (settings->interval && settings->filter.time.unit == TIME_PERCENT)
		return error_set(
			err, ERROR_USAGE,
			"option --interval: percentages are not known before all is recorded: "
			"write --time in seconds, such as --time=+1.5,+2");
	return 0;
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

/* Takes the command from the first words. Returns the number of words, or -1 with @err filled. */
static int take_command(struct settings *settings, int argc, char **argv, struct error *err)
{
	const char *word = argc > 1 ? argv[1] : "";
	const bool habit = habits_is_word(word), help = habit && strcmp(word, "help") == 0;
	const char *command = argc > 1 + help ? argv[1 + help] : "";
	const bool diff = strcmp(command, "diff") == 0;

	settings->help = help;
	settings->command = diff ? COMMAND_DIFF : COMMAND_TABLES;
	settings->report.tables = diff ? DIFFREPORT_DEFAULT : REPORT_DEFAULT;
	if (habit && habits_check_word(word, err) < 0)
		return -1;
	return habit + diff;
}

/* Tables of runs to be put together go with the one that describes the runs. */
static void add_run_table(struct settings *settings)
{
	struct report_settings *report = &settings->report;

	if (report->tags.on && !settings->has_tables && !report->to_stdout)
		report->tables |= REPORT_BIT(run);
}

int settings_parse(struct settings *settings, int argc, char **argv, struct error *err)
{
	struct option_spec specs[OPTIONLIST_MAX];
	int first, taken;
	size_t nr;

	*settings = (struct settings){
		.report = {.dir = ".", .run_exports = {.html_bytes = RUNEXPORT_HTML_BYTES}},
		.screen = {.top = 40}};
	taken = take_command(settings, argc, argv, err);
	if (taken < 0)
		return -1;
	nr = optionlist_of(settings->command, specs);
	first = options_parse(specs, nr, argc - taken, argv + taken, apply_option, settings, err);
	settings->report.keys = settings->per.names;
	settings->report.nr_keys = settings->per.nr;
	/* Written for recordings that have any; standard output takes the one table named. */
	if (settings->command == COMMAND_TABLES && !settings->has_tables)
		settings->report.if_any = REPORT_BIT(counters);
	if (first < 0 || choose_output(settings, err) < 0 || check_window(settings, err) < 0 ||
	    check_per(settings, err) < 0 || check_time(settings, err) < 0)
		return -1;
	first += taken;
	if (take_operands(settings, argc - first, argv + first, err) < 0)
		return -1;
	add_run_table(settings);
	return 0;
}

bool settings_shows_results(const struct settings *settings)
{
	const bool asked = settings->screen.callers || settings->screen.callees;

	return !settings->report.to_stdout && (!settings->quiet || asked);
}

void settings_free(struct settings *settings)
{
	bundle_close(settings->archive);
	inputs_free(&settings->inputs);
	filter_free(&settings->filter);
	perkeys_free(&settings->per);
	filter_free(&settings->callers_of);
	filter_free(&settings->callees_of);
	roots_given_free(&settings->roots);
	sourcefile_free_dirs(&settings->source_dirs);
	diffsettings_free(&settings->diff);
}
