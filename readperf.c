/*
 * The program: reads the command line, wires the rooms together, prints errors and chooses the exit
 * status. Nothing else prints and nothing else exits.
 */
#include "decode/filter.h"
#include "decode/replay.h"
#include "decode/symbol/symbol.h"
#include "perffile/perffile.h"
#include "report/report.h"
#include "util/error.h"
#include "util/options.h"
#include "util/progress.h"
#include "util/text.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef READPERF_VERSION
#error "the Makefile says which version this is"
#endif

/* Documented in man/readperf.1. */
enum exit_status { EXIT_OK = 0, EXIT_UNUSABLE = 1, EXIT_USAGE = 2, EXIT_INCOMPLETE = 3 };

enum option_key {
	OPT_TABLES = OPTION_LONG_ONLY,
	OPT_TOP,
	OPT_CSV,
	OPT_DEMANGLE,
	OPT_INLINE,
	OPT_KALLSYMS,
	OPT_BUILDID_DIR,
	OPT_DEBUG_DIR,
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
};

/* The single source of --help, of the man page's option list and of the shell completion. */
static const struct option_spec options[] = {
	{.help = "Output"},
	{'o', "output", "DIR",
	 "Write the tables into DIR, made if missing, in place of the current "
	 "directory."},
	{OPT_TABLES, "tables", "LIST",
	 "Write only these tables: stat, overview, processes, results (these four are the "
	 "default), events, header, lines, addresses, separated by commas; or all, or none."},
	{OPT_TOP, "top", "N",
	 "Print at most N functions of each event on standard output; 0 for "
	 "all. The default is 40."},
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
	{OPT_BUILDID_DIR, "buildid-dir", "DIR",
	 "Look for binaries by build id in DIR in place of "
	 "~/.debug."},
	{OPT_DEBUG_DIR, "debug-dir", "DIR",
	 "Look for separate debug files in DIR in place of "
	 "/usr/lib/debug."},
	{OPT_KALLSYMS, "kallsyms", "FILE",
	 "Take the kernel's symbols from FILE, whatever kernel was "
	 "recorded."},
	{OPT_THREADS, "threads", "N",
	 "Read N binaries at a time; the default is one for each core. "
	 "The tables are the same."},
	{.help = "Other"},
	{'v', "verbose", NULL, "Say more on standard error about what was read."},
	{'q', "quiet", NULL,
	 "Print neither the overview nor notes; only errors and what is missing."},
	{'V', "version", NULL, "Print the version."},
	{'h', "help", NULL, "Print this help."},
	{OPT_DESCRIBE, "describe", "columns|tables|options|reasons|completion",
	 "Print a part of the documentation that is made from the program: the columns of all "
	 "tables "
	 "(as CSV), the options or the reasons for missing names (as roff), the bash completion."},
};

enum { NR_OPTIONS = sizeof(options) / sizeof(options[0]) };

struct settings {
	struct report_settings report;
	struct filter filter;
	struct symbol_settings symbols;
	uint64_t top;
	bool verbose, quiet, version, help;
	const char *describe;
	const char *input;
};

static int apply_number(const char *name, const char *arg, uint64_t max, uint64_t *value,
			struct error *err)
{
	return option_number(name, arg, 0, max, value, err);
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

static int apply_filter(struct settings *settings, int key, const char *arg, struct error *err)
{
	for (size_t i = 0; i < NR_OPTIONS; i++) {
		if (options[i].key == key && options[i].name)
			return filter_add(&settings->filter, options[i].name, arg, err);
	}
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
		return report_parse_tables(arg, &settings->report.tables, err);
	case OPT_TOP:
		return apply_number("top", arg, SIZE_MAX, &settings->top, err);
	case OPT_CSV:
	case OPT_DEMANGLE:
		return apply_choice(settings, key, arg, err);
	case OPT_INLINE:
		settings->symbols.inlined = true;
		return 0;
	case OPT_BUILDID_DIR:
		settings->symbols.build_id_cache = arg;
		return 0;
	case OPT_DEBUG_DIR:
		settings->symbols.debug_dir = arg;
		return 0;
	case OPT_KALLSYMS:
		settings->symbols.kallsyms = arg;
		return 0;
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
	case OPT_DESCRIBE:
		settings->describe = arg;
		return option_choice("describe", arg, "columns|tables|options|reasons|completion",
				     err);
	default:
		return apply_filter(settings, key, arg, err);
	}
}

static void print_help(void)
{
	size_t columns = text_terminal_columns(stdout);

	printf("Usage: readperf [OPTIONS] [FILE]\n"
	       "Turn FILE, a recording made by perf record (perf.data by default), into tables of\n"
	       "where the time went: stat.csv, overview.csv, processes.csv and results.csv, and "
	       "an\n"
	       "overview of the functions on standard output.\n\n");
	options_print_help(stdout, options, NR_OPTIONS, columns ? columns : 80);
	printf("\nExit status: 0 all is well; 1 the input cannot be used or an output cannot be\n"
	       "written; 2 wrong usage; 3 the tables are written, but part of the input was "
	       "damaged\n"
	       "and is missing from them.\n");
}

static void describe_reasons(void)
{
	for (int reason = REASON_NONE + 1; reason < REASON_NR; reason++) {
		printf(".TP\n.B ");
		text_print_roff(stdout, reason_name((enum reason)reason));
		putchar('\n');
		text_print_roff(stdout, reason_meaning((enum reason)reason));
		putchar('\n');
	}
}

static void describe(const char *what)
{
	if (strcmp(what, "options") == 0)
		options_print_roff(stdout, options, NR_OPTIONS);
	else if (strcmp(what, "tables") == 0)
		report_describe_columns(stdout, REPORT_ROFF);
	else if (strcmp(what, "reasons") == 0)
		describe_reasons();
	else if (strcmp(what, "completion") == 0)
		options_print_completion(stdout, "readperf", options, NR_OPTIONS);
	else
		report_describe_columns(stdout, REPORT_CSV);
}

/* The signals that end a run early; blocked, and asked for where nothing is half done. */
static sigset_t ending_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

/*
 * Whether the user ended the run. Ctrl-C in a pipeline ends the recorder, too, which then closes
 * the pipe: what it has sent is the recording, and gets its tables.
 */
static bool interrupted(const struct perffile *file, struct error *err)
{
	sigset_t ending = ending_signals(), pending;

	if (perffile_bytes_total(file) == 0)
		sigdelset(&ending, SIGINT);

	sigpending(&pending);
	for (int sig = 1; sig < SIGRTMIN; sig++) {
		if (sigismember(&ending, sig) == 1 && sigismember(&pending, sig) == 1) {
			error_set(err, ERROR_INTERRUPTED, "interrupted");
			return true;
		}
	}
	return false;
}

/* Everything that a run of the main job holds. */
struct run {
	const struct settings *settings;
	struct perffile *file;
	struct replay *replay;
	struct report *report;
	const struct results *results; /* NULL until the run is done */
	struct progress progress;
	struct error err;
};

static int read_records(struct run *run)
{
	enum { CHECK_EVERY = 1 << 16 };
	const struct record *rec;
	uint64_t nr = 0;
	int rc;

	while ((rc = perffile_next(run->file, &rec, &run->err)) > 0) {
		rc = replay_apply(run->replay, rec, &run->err);
		if (rc > 0)
			rc = report_record(run->report, rec, &run->err);
		if (rc < 0)
			return -1;
		if (++nr % CHECK_EVERY != 0)
			continue;
		progress_bytes(&run->progress, "reading", perffile_bytes_read(run->file),
			       perffile_bytes_total(run->file));
		if (interrupted(run->file, &run->err))
			return -1;
	}
	return rc;
}

static void tick_binaries(void *arg, size_t done, size_t total)
{
	struct run *run = arg;

	progress_count(&run->progress, "symbolizing binaries", done, total);
}

static int run_job(struct run *run)
{
	const struct settings *settings = run->settings;
	const struct replay_settings replay = {.filter = &settings->filter,
					       .symbols = settings->symbols,
					       .header = settings->report.tables & REPORT_HEADER,
					       .lines = settings->report.tables & REPORT_LINES,
					       .addresses =
						       settings->report.tables & REPORT_ADDRESSES};
	const struct results *results;

	run->file = perffile_open(settings->input, &run->err);
	if (!run->file)
		return -1;
	run->report = report_open(&settings->report, &run->err);
	if (!run->report)
		return -1;
	run->replay = replay_create(&replay, run->file, &run->err);
	if (!run->replay || read_records(run) < 0)
		return -1;
	results = replay_finish(run->replay, tick_binaries, run, &run->err);
	run->results = results;
	progress_erase(&run->progress);
	if (!results || interrupted(run->file, &run->err) ||
	    report_finish(run->report, results, &run->err) < 0)
		return -1;
	if (settings->quiet)
		return 0;
	return report_console(stdout, results, (size_t)settings->top, text_terminal_columns(stdout),
			      &run->err);
}

/* A line on standard error about the recording. */
__attribute__((format(printf, 2, 3))) static void say(const struct run *run, const char *fmt, ...)
{
	struct error line = {0};
	va_list args;
	char text[512];

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* Through an error, because its text is fit for a terminal whatever the file is called. */
	error_set(&line, ERROR_FORMAT, "%s: %s", run->settings->input, text);
	fprintf(stderr, "readperf: %s\n", line.text);
}

/* Names and counts each loss. True if part of the input is missing from the tables. */
static bool report_losses(const struct run *run)
{
	const struct perffile_counts *counts = perffile_counts(run->file);

	if (counts->cut_wrapper)
		say(run, "the compressed file around the recording is cut off or damaged");
	if (counts->unfinished)
		say(run, "was never closed by its recorder: records were read up to the end of the "
			 "file; event names and build ids may be missing");
	if (counts->missing_bytes)
		say(run, "ends %" PRIu64 " bytes before the end of its data",
		    counts->missing_bytes);
	if (counts->missing_features)
		say(run,
		    "%" PRIu64 " header sections are cut off: event names and build ids may be "
		    "missing",
		    counts->missing_features);
	if (counts->damaged)
		say(run, "%" PRIu64 " damaged records were skipped, the first at byte %" PRIu64,
		    counts->damaged, counts->damaged_offset);
	if (counts->unknown_id)
		say(run,
		    "%" PRIu64 " of them are samples of an event that the file does not describe",
		    counts->unknown_id);
	if (counts->truncated_bytes)
		say(run,
		    "%" PRIu64 " bytes from byte %" PRIu64
		    " on are no whole record and were not read",
		    counts->truncated_bytes, counts->truncated_offset);
	return counts->cut_wrapper || counts->unfinished || counts->missing_bytes ||
	       counts->missing_features || counts->damaged || counts->truncated_bytes;
}

/* How many records of the type @name there are. */
static uint64_t record_count(const struct results *results, const char *name)
{
	for (size_t i = 0; i < results->nr_records; i++) {
		if (strcmp(results->records[i].record, name) == 0)
			return results->records[i].count;
	}
	return 0;
}

/* Why the tables are empty. */
static void report_no_samples(const struct run *run, const struct results *results)
{
	if (record_count(results, "STAT") > 0)
		say(run, "holds no samples: perf stat record made it, which counts and does not "
			 "sample");
	else if (record_count(results, "AUXTRACE") > 0)
		say(run, "holds no samples, but a hardware trace (AUXTRACE), which is not decoded");
	else
		say(run, results->filtered ? "no sample passes the filters" : "holds no samples");
}

/* What a user should know though nothing is missing. */
static void report_notes(const struct run *run, const struct results *results)
{
	const struct perffile_counts *counts = perffile_counts(run->file);
	uint64_t samples = 0;

	for (size_t i = 0; i < results->nr_events; i++)
		samples += results->events[i].total.samples;
	if (samples == 0)
		report_no_samples(run, results);
	else if (record_count(results, "AUXTRACE") > 0)
		say(run, "note: its hardware trace (AUXTRACE) is not decoded");
	if (counts->late_maps)
		say(run, "warning: %" PRIu64 " mappings came after samples that may need them",
		    counts->late_maps);
	if (counts->lost)
		say(run, "note: the kernel dropped %" PRIu64 " records while perf recorded",
		    counts->lost);
	if (!counts->rounds && run->settings->verbose)
		say(run, "no FINISHED_ROUND records: everything was held in memory to sort it");
}

/* Ends the program by the signal that interrupted it, as the shell expects. */
static void die_of_signal(void)
{
	sigset_t set = ending_signals();

	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static int main_job(const struct settings *settings)
{
	struct run run = {.settings = settings};
	sigset_t ending = ending_signals();
	int status = EXIT_OK;

	sigprocmask(SIG_BLOCK, &ending, NULL);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
	progress_start(&run.progress, settings->quiet ? NULL : stderr);
	if (run_job(&run) < 0) {
		status = EXIT_UNUSABLE;
		progress_erase(&run.progress);
		if (run.err.kind != ERROR_INTERRUPTED)
			fprintf(stderr, "readperf: %s\n", run.err.text);
	} else {
		status = report_losses(&run) ? EXIT_INCOMPLETE : EXIT_OK;
		if (!settings->quiet)
			report_notes(&run, run.results);
	}
	report_close(run.report);
	replay_destroy(run.replay);
	perffile_close(run.file);
	if (run.err.kind == ERROR_INTERRUPTED)
		die_of_signal();
	return status;
}

static int usage_error(const struct error *err)
{
	fprintf(stderr, "readperf: %s\nTry 'readperf --help'.\n", err->text);
	return EXIT_USAGE;
}

static int run_settings(const struct settings *settings)
{
	if (settings->help)
		print_help();
	else if (settings->version)
		printf("readperf %s\n", READPERF_VERSION);
	else if (settings->describe)
		describe(settings->describe);
	else
		return main_job(settings);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "readperf: cannot write to standard output\n");
		return EXIT_UNUSABLE;
	}
	return EXIT_OK;
}

int main(int argc, char **argv)
{
	struct settings settings = {
		.report = {.dir = ".", .tables = REPORT_DEFAULT},
		.top = 40,
		.input = "perf.data",
	};
	struct error err = {0};
	int status, first;

	first = options_parse(options, NR_OPTIONS, argc, argv, apply_option, &settings, &err);
	if (first >= 0 && argc - first > 1) {
		error_set(&err, ERROR_USAGE, "one recording at a time, but '%s' follows '%s'",
			  argv[first + 1], argv[first]);
		first = -1;
	}
	if (first < 0) {
		status = usage_error(&err);
	} else {
		if (first < argc)
			settings.input = argv[first];
		status = run_settings(&settings);
	}
	filter_free(&settings.filter);
	return status;
}
