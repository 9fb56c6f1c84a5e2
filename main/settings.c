#include "main/settings.h"

#include "decode/bundle.h"
#include "main/habits.h"
#include "report/diff.h"
#include "util/clock.h"

#include <errno.h>
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
	{OPT_TABLES, "tables",
	 "LIST:stat|overview|processes|results|events|header|threads|binaries|lines|addresses|all|"
	 "none",
	 "Write only these tables: stat, overview, processes, results (these four are the "
	 "default), events, header, threads, binaries, lines, addresses, "
	 "separated by commas; or all, or none."},
	{OPT_INTERVAL, "interval", "SECONDS",
	 "Rewrite the tables and the overview every SECONDS, 0.1 or more, while the recording is "
	 "read."},
	{.help = "Output"},
	{'o', "output", "DIR",
	 "Write the tables into DIR, made if missing, in place of the current "
	 "directory; - writes the one table that --tables names to standard output, in place of "
	 "the overview."},
	{OPT_FORCE, "force", NULL,
	 "Replace also files at the tables' names that are no tables: without it, what does not "
	 "begin with the table's header is refused."},
	{OPT_TOP, "top", "N",
	 "Print at most N functions of each event on standard output; 0 for "
	 "all. The default is 40."},
	{OPT_WIDTH, "width", "N",
	 "Cut the lines on standard output to N columns; 0 for none. The default is the width of "
	 "the terminal, and 100 where it is none. Of a long name the middle is cut out."},
	{OPT_COLOR, "color", "auto|always|never",
	 "Colour high shares, and changes in a comparison: auto (the default) does so on a "
	 "terminal that can, unless NO_COLOR is set."},
	{OPT_CSV, "csv", "safe|raw",
	 "safe (the default) puts ' before text cells that a spreadsheet "
	 "would take for a formula; raw writes them as they are."},
	{OPT_DEMANGLE, "demangle", "full|short|none",
	 "Print C++, Rust and D functions with their "
	 "parameters (the default), without, or by "
	 "the linker's name."},
	{OPT_INLINE, "inline", NULL,
	 "Count a sample for the innermost function that was inlined at its address, in place of "
	 "the function with the code. Takes longer: inlined functions are read."},
	{.key = COMMAND_DIFF, .help = "Comparison"},
	{OPT_BY, "by", "period|rate|share",
	 "Compare periods per run, periods per second of the recording, or shares of the event's "
	 "period. The default is the period where perf started the program in every run, and else "
	 "the share."},
	{OPT_RUN_DEVIATION, "run-deviation", "PERCENT",
	 "Expect that a function takes this much more or less from run to run without any change, "
	 "by standard deviation, and one in the kernel ten times that; 3 by default. One run a "
	 "side "
	 "cannot show it."},
	{OPT_CHILDREN, "children", NULL,
	 "Compare functions with everything that they called, as far as call chains were "
	 "recorded."},
	{OPT_RENAME, "rename", "OLD=NEW",
	 "Take the function OLD of the old side for NEW, or the binary OLD for the binary NEW of "
	 "the new side. /REGEX/=NEW renames all functions that the POSIX extended regular "
	 "expression fits; \\1 to \\9 in NEW stand for what its parentheses "
	 "hold. Can be given several times."},
	{OPT_LABEL, "label", "NAME",
	 "Call the sides by these names in place of old and new, or the runs: two names or as many "
	 "as "
	 "there are runs, with commas or by giving the option several times."},
	{OPT_FAIL_ON, "fail-on", "slower[:POINTS[:RATIO]]|total:PERCENT",
	 "Exit with status 4 if a function's verdict is slower with a q value below 0.01, its "
	 "change POINTS percents of the old side's whole or more (0 by default) and its ratio "
	 "RATIO or more (1 by default); or if the whole is slower with a p value below 0.01, by "
	 "PERCENT or more. Both may be given, with a comma or by giving the option twice. Of "
	 "rates the word is higher in place of slower, of shares larger."},
	{OPT_DIFF_TABLES, "tables", "LIST:diff|wide|all|none",
	 "Write only these tables: diff (the default), wide, separated by commas; or all, or "
	 "none."},
	{OPT_EXPORT, "export", "LIST:markdown|junit|json|sarif|codequality|benchmark|github",
	 "Write the comparison in these forms, too, separated by commas: markdown (for a pull "
	 "request), junit, json, sarif, codequality (GitLab), benchmark (github-action-benchmark), "
	 "github (annotations). With --output=- the one table or export that is chosen goes to "
	 "standard output, in place of the changes."},
	{OPT_STRIP_PREFIX, "strip-prefix", "DIR",
	 "In exports, show source files below DIR relative to it: the directory of the checkout "
	 "that "
	 "was compiled. Can be given several times."},
	{.help = "Filters"},
	{OPT_EVENT, "event", "LIST",
	 "Only samples of these events. All filters take lists with commas, "
	 "names may be shell patterns, and each narrows every table."},
	{OPT_COMM, "comm", "LIST", "Only samples of threads with these names at the time."},
	{OPT_PID, "pid", "LIST", "Only samples of these processes."},
	{OPT_TID, "tid", "LIST", "Only samples of these threads."},
	{OPT_CPU, "cpu", "LIST", "Only samples taken on these CPUs."},
	{OPT_BINARY, "binary", "LIST", "Only samples in these binaries, by path or by base name."},
	{OPT_SYMBOL, "symbol", "LIST",
	 "Only samples in these functions, by the name as it is "
	 "printed."},
	{OPT_TIME, "time", "FROM,TO",
	 "Only samples from FROM up to, not including, TO: ns of the "
	 "recording's clock, or seconds if written with a point. Either "
	 "may be left out."},
	{.help = "Symbols"},
	{OPT_BUILDID_DIR, "buildid-dir", "DIR|FILE",
	 "Look for binaries by build id in DIR in place of ~/.debug, or in the archive FILE "
	 "(perf.data.tar.bz2) that perf archive has made."},
	{OPT_DEBUG_DIR, "debug-dir", "DIR",
	 "Look for separate debug files in DIR in place of "
	 "/usr/lib/debug."},
	{OPT_SYMFS, "symfs", "DIR",
	 "Look for the recorded paths, and for /usr/lib/debug, below DIR: the root directory of "
	 "another machine or of a container. Links in it do not lead out of it."},
	{OPT_ROOT, "root", "PID=DIR",
	 "Look for the files of process PID and of its children below DIR, as --symfs does for "
	 "all: "
	 "for a container. May be given for several."},
	{OPT_DEBUGINFOD, "debuginfod", NULL,
	 "Ask the debuginfod servers in the environment variable DEBUGINFOD_URLS for binaries and "
	 "debug files that are found nowhere else. Those of the kernel are large: for their source "
	 "files they are fetched only with --inline or the tables lines or addresses. Without this "
	 "option nothing goes over the network."},
	{OPT_VMLINUX, "vmlinux", "FILE",
	 "Look for the kernel's symbols in FILE first, which must have the recorded build id if "
	 "there is one. With debugging information it tells source files, too."},
	{OPT_KALLSYMS, "kallsyms", "FILE",
	 "Take the kernel's symbols from FILE, whatever kernel was "
	 "recorded."},
	{OPT_THREADS, "threads", "N",
	 "Read N binaries, or tables to be compared, at a time; the default is one for each core. "
	 "What comes out is the same."},
	{.help = "Other"},
	{'v', "verbose", NULL, "Say more on standard error about what was read."},
	{'q', "quiet", NULL,
	 "Print neither the overview nor notes nor which files were written; only errors and what "
	 "is missing."},
	{'V', "version", NULL, "Print the version."},
	{'h', "help", NULL, "Print this help."},
	{OPT_DESCRIBE, "describe", DESCRIPTIONS,
	 "Print a part of the documentation that is made from the program: the columns of all "
	 "tables "
	 "(as CSV), the options or the reasons for missing names (as roff), the completion of "
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
static int apply_screen(struct screen_settings *screen, int key, const char *arg, struct error *err)
{
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
			return error_set(err, ERROR_USAGE, "option --symfs: '%s' is no directory",
					 arg);
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

static int apply_option(void *to, int key, const char *arg, struct error *err)
{
	struct settings *settings = to;
	uint64_t number;

	switch (key) {
	case 'o':
		settings->report.dir = arg;
		return 0;
	case OPT_TABLES:
		settings->has_tables = true;
		return report_parse_tables(arg, &settings->report.tables, err);
	case OPT_DIFF_TABLES:
		settings->has_tables = true;
		return diffreport_parse_tables(arg, &settings->report.tables, err);
	case OPT_TOP:
	case OPT_WIDTH:
	case OPT_COLOR:
		return apply_screen(&settings->screen, key, arg, err);
	case OPT_CSV:
	case OPT_DEMANGLE:
		return apply_choice(settings, key, arg, err);
	case OPT_FORCE:
		settings->report.force = true;
		return 0;
	case OPT_INLINE:
		settings->symbols.inlined = true;
		return 0;
	case OPT_INTERVAL:
		return option_seconds("interval", arg, 100 * NS_PER_MS, &settings->interval, err);
	case OPT_BUILDID_DIR:
	case OPT_DEBUG_DIR:
	case OPT_SYMFS:
	case OPT_VMLINUX:
	case OPT_KALLSYMS:
		return apply_path(&settings->symbols, key, arg, err);
	case OPT_ROOT:
		return given_roots_add(&settings->roots, arg, err);
	case OPT_DEBUGINFOD:
		return apply_debuginfod(&settings->symbols, err);
	case OPT_THREADS:
		if (apply_number("threads", arg, 1024, &number, err) < 0)
			return -1;
		settings->symbols.threads = (unsigned)number;
		return 0;
	case 'v':
		settings->verbose = true;
		return 0;
	case 'q':
		settings->quiet = true;
		return 0;
	case 'V':
		settings->version = true;
		return 0;
	case 'h':
		settings->help = true;
		return 0;
	case 'i':
	case 's':
	case 'g':
	case OPT_STDIO:
	case OPT_WITH_CHILDREN:
	case OPT_WITHOUT_CHILDREN:
		return apply_habit(settings, key, arg, err);
	case OPT_DESCRIBE:
		settings->describe = arg;
		return option_choice("describe", arg, DESCRIPTIONS, err);
	default:
		if (key < OPTION_LONG_ONLY + NR_DIFF_OPTIONS)
			return diffsettings_apply(&settings->diff, key, arg, err);
		return apply_filter(settings, key, arg, err);
	}
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
				 "option --interval: rewrites tables, which standard output "
				 "(--output=-) cannot do: name a directory");
	if (__builtin_popcount(report->tables) + __builtin_popcount(exports) == 1)
		return 0;
	if (settings->command == COMMAND_DIFF)
		return error_set(err, ERROR_USAGE,
				 "option --output: - takes one table or one export, as "
				 "--tables=diff or --tables=none --export=markdown; a directory "
				 "takes more");
	return error_set(err, ERROR_USAGE,
			 "option --output: - takes one table, as --tables=results; a directory "
			 "takes more");
}

static int choose_output(struct settings *settings, struct error *err)
{
	if (strcmp(settings->report.dir, "-") == 0)
		return choose_stdout(settings, err);
	return check_directory(settings, err);
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
	if (first < 0 || choose_output(settings, err) < 0)
		return -1;
	first += taken;
	return take_operands(settings, argc - first, argv + first, err);
}

void settings_free(struct settings *settings)
{
	bundle_close(settings->archive);
	filter_free(&settings->filter);
	given_roots_free(&settings->roots);
	diffsettings_free(&settings->diff);
}
