#include "main/settings.h"

#include "decode/replay/bundle.h"
#include "main/habits.h"
#include "report/diffreport.h"
#include "util/clock.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTIONS "columns|tables|options|reasons|completion|completion-zsh|completion-fish"

enum option_key {
	OPT_TABLES = OPTION_LONG_ONLY + NR_DIFF_OPTIONS,
	OPT_DIFF_TABLES,
	OPT_FORCE,
	OPT_TOP,
	OPT_WIDTH,
	OPT_COLOR,
	OPT_CSV,
	OPT_INTERVAL,
	OPT_WINDOW,
	OPT_DEMANGLE,
	OPT_VMLINUX,
	OPT_INLINE,
	OPT_KALLSYMS,
	OPT_BUILDID_DIR,
	OPT_DEBUG_DIR,
	OPT_SYMFS,
	OPT_ROOT,
	OPT_DEBUGINFOD,
	OPT_THREADS,
	OPT_EVENT,
	OPT_COMM,
	OPT_PID,
	OPT_TID,
	OPT_CPU,
	OPT_BINARY,
	OPT_SYMBOL,
	OPT_TIME,
	OPT_DESCRIBE,
	OPT_STDIO,
	OPT_WITH_CHILDREN,
	OPT_WITHOUT_CHILDREN,
};

static const struct option_spec options[] = {
	{.key = COMMAND_TABLES, .help = "Tables"},
	{OPT_TABLES, "tables", "LIST:" REPORT_WORDS,
	 "Write only these tables, separated by commas: " REPORT_DEFAULT_NAMES
	 "which are the default; " REPORT_OTHER_NAMES "or all, or none."},
	{OPT_INTERVAL, "interval", "SECONDS",
	 "Rewrite the tables and the overview every SECONDS (at least 0.1) while the recording is "
	 "read."},
	{OPT_WINDOW, "window", "SECONDS",
	 "With --interval, show only the last SECONDS (at least one interval) in the overview; the "
	 "tables still contain everything."},
	{.help = "Output"},
	{'o', "output", "DIR",
	 "Write the tables into DIR instead of the current directory, and create DIR if necessary; "
	 "- writes the one table chosen by --tables to standard output, in place of the overview."},
	{OPT_FORCE, "force", NULL,
	 "Also overwrite files that are not tables. Without this option, readperf refuses to "
	 "replace a file that does not begin with the table's header."},
	{OPT_TOP, "top", "N",
	 "Print at most N functions per event on standard output; 0 prints all. The default is "
	 "40."},
	{OPT_WIDTH, "width", "N",
	 "Limit lines on standard output to N columns; 0 sets no limit. The default is the width "
	 "of the terminal, or 100 if standard output is not a terminal. Long names are shortened "
	 "in the middle."},
	{OPT_COLOR, "color", "auto|always|never",
	 "Colour high shares, and changes in a comparison. auto (the default) uses colour on "
	 "terminals that support it, unless NO_COLOR is set."},
	{OPT_CSV, "csv", "safe|raw",
	 "safe (the default) puts ' in front of text cells that a spreadsheet would take for a "
	 "formula; raw writes them unchanged."},
	{OPT_DEMANGLE, "demangle", "full|short|none",
	 "Print C++, Rust and D functions with their parameters (the default), without them, or as "
	 "the linker's names."},
	{OPT_INLINE, "inline", NULL,
	 "Count each sample for the innermost function inlined at its address instead of the "
	 "function that contains the code. This takes longer, because inlined functions must be "
	 "read."},
	{.key = COMMAND_DIFF, .help = "Comparison"},
	{OPT_BY, "by", "period|rate|share",
	 "Compare periods per run, periods per second of the recording, or shares of the event's "
	 "period. The default is period if perf started the program in every run, and share "
	 "otherwise."},
	{OPT_RUN_DEVIATION, "run-deviation", "PERCENT",
	 "The standard deviation to expect between runs of an unchanged function, in percent "
	 "(default 3; ten times that in the kernel). It matters most with one run per side, which "
	 "cannot show it."},
	{OPT_CHILDREN, "children", NULL,
	 "Compare functions including everything they called, as far as call chains were "
	 "recorded."},
	{OPT_RENAME, "rename", "OLD=NEW",
	 "Treat function OLD of the old side as NEW, or binary OLD as binary NEW of the new side. "
	 "/REGEX/=NEW renames every function that matches the POSIX extended regular expression; "
	 "\\1 to \\9 in NEW stand for the text matched by its parentheses. Can be given several "
	 "times."},
	{OPT_LABEL, "label", "NAME",
	 "Use these names in place of old and new, or in place of the runs: two names, or one per "
	 "run, separated by commas or given one per option."},
	{OPT_FAIL_ON, "fail-on", "slower[:POINTS[:RATIO]]|total:PERCENT",
	 "Exit with status 4 if a function is slower with a q value below 0.01, by at least POINTS "
	 "percent of the old side's total (default 0) and by at least the factor RATIO (default "
	 "1); or if the total is slower by at least PERCENT with a p value below 0.01. Both can be "
	 "given, separated by a comma or by repeating the option. When rates are compared, say "
	 "higher instead of slower; when shares are, larger."},
	{OPT_DIFF_TABLES, "tables", "LIST:diff|wide|all|none",
	 "Write only these tables: diff (the default), wide, separated by commas; or all, or "
	 "none."},
	{OPT_EXPORT, "export", "LIST:markdown|junit|json|sarif|codequality|benchmark|github",
	 "Also write the comparison in these formats, separated by commas: markdown (for a pull "
	 "request), junit, json, sarif, codequality (GitLab), benchmark (github-action-benchmark), "
	 "github (annotations). With --output=- the one chosen table or export goes to standard "
	 "output, in place of the changes."},
	{OPT_STRIP_PREFIX, "strip-prefix", "DIR",
	 "In exports, show source files below DIR relative to it. DIR is the directory in which "
	 "the program was compiled. Can be given several times."},
	{.help = "Filters"},
	{OPT_EVENT, "event", "LIST",
	 "Only samples of these events. Every filter takes a comma-separated list, names may be "
	 "shell patterns, and each filter applies to every table."},
	{OPT_COMM, "comm", "LIST",
	 "Only samples of threads that had one of these names at the time."},
	{OPT_PID, "pid", "LIST", "Only samples of these processes."},
	{OPT_TID, "tid", "LIST", "Only samples of these threads."},
	{OPT_CPU, "cpu", "LIST", "Only samples taken on these CPUs."},
	{OPT_BINARY, "binary", "LIST",
	 "Only samples in these binaries, given by path or base name."},
	{OPT_SYMBOL, "symbol", "LIST",
	 "Only samples in these functions, given by name as printed."},
	{OPT_TIME, "time", "FROM,TO",
	 "Only samples from FROM up to, but not including, TO: in ns of the recording's clock, or "
	 "in seconds if written with a decimal point. Either may be omitted."},
	{.help = "Symbols"},
	{OPT_BUILDID_DIR, "buildid-dir", "DIR|FILE",
	 "Look for binaries by build id in DIR instead of ~/.debug, or in the archive FILE "
	 "(perf.data.tar.bz2) made by perf archive."},
	{OPT_DEBUG_DIR, "debug-dir", "DIR",
	 "Look for separate debug files in DIR instead of /usr/lib/debug."},
	{OPT_SYMFS, "symfs", "DIR",
	 "Look for the recorded paths, and for /usr/lib/debug, below DIR: the root directory of "
	 "another machine or of a container. Symbolic links cannot lead out of DIR."},
	{OPT_ROOT, "root", "PID=DIR",
	 "Look for the files of process PID and its children below DIR, as --symfs does for all "
	 "processes. Meant for containers; can be given several times."},
	{OPT_DEBUGINFOD, "debuginfod", NULL,
	 "Ask the debuginfod servers in DEBUGINFOD_URLS for binaries and debug files that are "
	 "found nowhere else. The kernel's are large: they are fetched for source files only with "
	 "--inline or the tables lines or addresses. Without this option readperf never uses the "
	 "network."},
	{OPT_VMLINUX, "vmlinux", "FILE",
	 "Look for the kernel's symbols in FILE first. It must have the recorded build id, if one "
	 "was recorded. With debugging information it also provides source files."},
	{OPT_KALLSYMS, "kallsyms", "FILE",
	 "Take the kernel's symbols from FILE, whichever kernel was recorded."},
	{OPT_THREADS, "threads", "N",
	 "Read N binaries, or N tables to compare, at a time. The default is one per core. The "
	 "results do not depend on N."},
	{.help = "Other"},
	{'v', "verbose", NULL, "Report more about what was read on standard error."},
	{'q', "quiet", NULL,
	 "Print only errors and what is missing: no overview, no notes, no list of files written."},
	{'V', "version", NULL, "Print the version."},
	{'h', "help", NULL, "Print this help."},
	{OPT_DESCRIBE, "describe", DESCRIPTIONS,
	 "Print a part of the documentation that the program generates: the columns of all tables "
	 "(as CSV), the options or the reasons for missing names (as roff), or the completion for "
	 "bash, zsh or fish."},
	/* habits: not in the list */
	{.key = COMMAND_TABLES},
	{'i', "input", "FILE", NULL},
	{'s', "sort", "KEYS", NULL},
	{'g', "call-graph", NULL, NULL},
	{OPT_STDIO, "stdio", NULL, NULL},
	{OPT_WITH_CHILDREN, "children", NULL, NULL},
	{OPT_WITHOUT_CHILDREN, "no-children", NULL, NULL},
};

enum { NR_OPTIONS = sizeof(options) / sizeof(options[0]) };

_Static_assert((int)NR_OPTIONS <= (int)SETTINGS_OPTIONS_MAX, "there is room for all of them");

size_t settings_options(enum command command, struct option_spec to[SETTINGS_OPTIONS_MAX])
{
	return options_select(options, NR_OPTIONS, command, to);
}

static int apply_number(const char *name, const char *arg, uint64_t max, uint64_t *value,
			struct error *err)
{
	return option_number(name, arg, 0, max, value, err);
}

/* How standard output looks. */
static int apply_screen(struct settings *settings, int key, const char *arg, struct error *err)
{
	struct screen_settings *screen = &settings->screen;
	uint64_t number;
	int choice;

	if (key == OPT_COLOR) {
		choice = option_choice("color", arg, "auto|always|never", err);
		screen->color = choice < 0 ? SCREEN_COLOR_AUTO : (enum screen_color)choice;
		return choice < 0 ? -1 : 0;
	}
	if (apply_number(key == OPT_TOP ? "top" : "width", arg, SIZE_MAX, &number, err) < 0)
		return -1;
	if (key == OPT_TOP)
		screen->top = (size_t)number;
	else
		screen->width = (size_t)number;
	screen->has_width |= key == OPT_WIDTH;
	return 0;
}

static int apply_choice(struct settings *settings, int key, const char *arg, struct error *err)
{
	int choice = key == OPT_CSV ? option_choice("csv", arg, "safe|raw", err)
				    : option_choice("demangle", arg, "full|short|none", err);

	if (choice < 0)
		return -1;
	if (key == OPT_CSV)
		settings->report.raw = choice == 1;
	else
		settings->symbols.demangle = (enum demangle)choice;
	return 0;
}

/* What is named as a file of the kernel's symbols must be one: else they would lack their names. */
static int check_readable(const char *option, const char *path, struct error *err)
{
	const bool is_readable = access(path, R_OK) == 0;
	struct stat st;

	if (is_readable && (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)))
		return 0;
	if (is_readable)
		errno = EISDIR;
	return error_set(err, ERROR_USAGE, "option --%s: '%s' cannot be read: %s", option, path,
			 strerror(errno));
}

/* Directories and files that symbols are looked for in. */
static int apply_path(struct symbol_settings *symbols, int key, const char *arg, struct error *err)
{
	struct stat st;

	switch (key) {
	case OPT_BUILDID_DIR:
		symbols->build_id_cache = arg;
		if (stat(arg, &st) == 0 && !S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
			return error_set(err, ERROR_USAGE,
					 "option --buildid-dir: '%s' is neither a directory nor an "
					 "archive",
					 arg);
		return 0;
	case OPT_SYMFS:
		symbols->symfs = arg;
		if (stat(arg, &st) < 0 || !S_ISDIR(st.st_mode))
			return error_set(err, ERROR_USAGE,
					 "option --symfs: '%s' is not a directory", arg);
		return 0;
	case OPT_DEBUG_DIR:
		symbols->debug_dir = arg;
		return 0;
	case OPT_VMLINUX:
		symbols->vmlinux = arg;
		return check_readable("vmlinux", arg, err);
	default:
		symbols->kallsyms = arg;
		return check_readable("kallsyms", arg, err);
	}
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
	for (size_t i = 0; i < NR_OPTIONS; i++) {
		if (options[i].key == key && options[i].name)
			return filter_add(&settings->filter, options[i].name, arg, err);
	}
	return 0;
}

/* Options of perf report's. The tables have both what takes callees in and what does not. */
static int apply_habit(struct settings *settings, int key, const char *arg, struct error *err)
{
	if (key == 'g')
		return habits_refuse_graph(err);
	if (key == 's')
		return habits_check_sort(arg, err);
	if (key == 'i')
		settings->input = arg;
	return 0;
}

static int apply_tables(struct settings *settings, int key, const char *arg, struct error *err)
{
	settings->has_tables = true;
	return key == OPT_TABLES ? report_parse_tables(arg, &settings->report.tables, err)
				 : diffreport_parse_tables(arg, &settings->report.tables, err);
}

static int apply_seconds(struct settings *settings, int key, const char *arg, struct error *err)
{
	return key == OPT_INTERVAL
		       ? option_seconds("interval", arg, 100 * NS_PER_MS, &settings->interval, err)
		       : option_seconds("window", arg, 100 * NS_PER_MS, &settings->window, err);
}

/* Where files are, and how they are read. */
static int apply_files(struct settings *settings, int key, const char *arg, struct error *err)
{
	uint64_t number;

	switch (key) {
	case 'o':
		settings->report.dir = arg;
		return 0;
	case OPT_ROOT:
		return roots_given_add(&settings->roots, arg, err);
	case OPT_DEBUGINFOD:
		return apply_debuginfod(&settings->symbols, err);
	case OPT_THREADS:
		if (apply_number("threads", arg, 1024, &number, err) < 0)
			return -1;
		settings->symbols.threads = (unsigned)number;
		return 0;
	default:
		return apply_path(&settings->symbols, key, arg, err);
	}
}

static int apply_description(struct settings *settings, int key, const char *arg, struct error *err)
{
	(void)key;
	settings->describe = arg;
	return option_choice("describe", arg, DESCRIPTIONS, err);
}

/* Options that set a flag. */
static bool apply_flag(struct settings *settings, int key)
{
	static const struct {
		int key;
		size_t offset; /* of the bool in struct settings */
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
		{OPT_INTERVAL, apply_seconds},
		{OPT_WINDOW, apply_seconds},
		{OPT_TOP, apply_screen},
		{OPT_WIDTH, apply_screen},
		{OPT_COLOR, apply_screen},
		{OPT_CSV, apply_choice},
		{OPT_DEMANGLE, apply_choice},
		{'o', apply_files},
		{OPT_BUILDID_DIR, apply_files},
		{OPT_DEBUG_DIR, apply_files},
		{OPT_SYMFS, apply_files},
		{OPT_VMLINUX, apply_files},
		{OPT_KALLSYMS, apply_files},
		{OPT_ROOT, apply_files},
		{OPT_DEBUGINFOD, apply_files},
		{OPT_THREADS, apply_files},
		{OPT_DESCRIBE, apply_description},
		{'i', apply_habit},
		{'s', apply_habit},
		{'g', apply_habit},
		{OPT_STDIO, apply_habit},
		{OPT_WITH_CHILDREN, apply_habit},
		{OPT_WITHOUT_CHILDREN, apply_habit},
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

static int take_operands(struct settings *settings, int nr, char **operands, struct error *err)
{
	if (settings->help || settings->version || settings->describe)
		return 0;
	if (settings->command == COMMAND_DIFF)
		return diffsettings_operands(&settings->diff, nr, operands, err);
	for (int i = 0; i < nr; i++) {
		if (settings->input)
			return error_set(err, ERROR_USAGE,
					 "one recording at a time, but '%s' follows '%s'",
					 operands[i], settings->input);
		settings->input = operands[i];
	}
	if (!settings->input)
		settings->input = "perf.data";
	return 0;
}

/* Whoever names a table where a directory is expected may want the table alone. */
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

/* Standard output takes one table or export: what is chosen, or the table that is by default. */
static int choose_stdout(struct settings *settings, struct error *err)
{
	struct report_settings *report = &settings->report;
	const unsigned exports = settings->diff.exports;

	report->to_stdout = true;
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
			 "option --output: - takes only one table, such as --tables=results; name "
			 "a directory for more");
}

static int choose_output(struct settings *settings, struct error *err)
{
	if (strcmp(settings->report.dir, "-") == 0)
		return choose_stdout(settings, err);
	return check_directory(settings, err);
}

/* The window is that of overviews which are shown again and again; none may miss a sample. */
static int check_window(const struct settings *settings, struct error *err)
{
	if (settings->window && !settings->interval)
		return error_set(err, ERROR_USAGE,
				 "option --window: needs --interval, which says how often the "
				 "overview is shown: add --interval=1");
	if (settings->window && settings->window < settings->interval)
		return error_set(err, ERROR_USAGE,
				 "option --window: shorter than --interval, it would leave out "
				 "what comes between two overviews: make it as long or longer");
	return 0;
}

/* Takes what is done from the first words. Returns how many these are, or -1 with @err filled. */
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

int settings_parse(struct settings *settings, int argc, char **argv, struct error *err)
{
	struct option_spec specs[SETTINGS_OPTIONS_MAX];
	int first, taken;
	size_t nr;

	*settings = (struct settings){.report = {.dir = "."}, .screen = {.top = 40}};
	taken = take_command(settings, argc, argv, err);
	if (taken < 0)
		return -1;
	nr = settings_options(settings->command, specs);
	first = options_parse(specs, nr, argc - taken, argv + taken, apply_option, settings, err);
	if (first < 0 || choose_output(settings, err) < 0 || check_window(settings, err) < 0)
		return -1;
	first += taken;
	return take_operands(settings, argc - first, argv + first, err);
}

void settings_free(struct settings *settings)
{
	bundle_close(settings->archive);
	filter_free(&settings->filter);
	roots_given_free(&settings->roots);
	diffsettings_free(&settings->diff);
}
