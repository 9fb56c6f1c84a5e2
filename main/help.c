#include "main/help.h"

#include "decode/replay.h"
#include "decode/symbol/symbol.h"
#include "decode/vendor/vendornames.h"
#include "report/export/runexport.h"
#include "report/report.h"
#include "util/completion.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

static void print_options(enum command command)
{
	struct option_spec options[OPTIONLIST_MAX];
	size_t columns = text_terminal_columns(stdout), nr = optionlist_of(command, options);

	options_print_help(stdout, options, nr, columns ? columns : 80);
}

static void print_diff_help(void)
{
	fputs("Usage: readperf diff [OPTIONS] OLD NEW\n"
	      "       readperf diff [OPTIONS] OLD... vs NEW...\n"
	      "Compare where the time went in two runs, or in several runs per side: write\n"
	      "diff.csv and print the largest changes. A run is a recording made by perf record,\n"
	      "or the results.csv of an earlier one; a directory stands for those in it.\n\n",
	      stdout);
	print_options(COMMAND_DIFF);
	fputs("\nExit status: 0 success; 1 an input cannot be used or an output cannot be "
	      "written;\n"
	      "2 wrong usage; 3 the tables are written, but lack damaged parts of an input;\n"
	      "4 a change that --fail-on forbids was found, in undamaged inputs.\n",
	      stdout);
}

void help_print(enum command command)
{
	if (command == COMMAND_DIFF) {
		print_diff_help();
		return;
	}
	fputs("Usage: readperf [OPTIONS] [FILE...]\n"
	      "       readperf diff [OPTIONS] OLD NEW     (see readperf diff --help)\n"
	      "Turn FILE, a recording made by perf record (default: perf.data), into tables of "
	      "where\n"
	      "the time went: stat.csv, overview.csv, processes.csv and results.csv. Print an\n"
	      "overview of the functions on standard output. Several FILEs, or a directory of\n"
	      "recordings, become one set of tables, with a column that tells the run.\n\n",
	      stdout);
	print_options(COMMAND_TABLES);
	fputs("\nExit status: 0 success; 1 the input cannot be used or an output cannot be "
	      "written;\n"
	      "2 wrong usage; 3 the tables are written, but lack damaged parts of the input, or "
	      "what\n"
	      "came after you stopped a stream.\n",
	      stdout);
}

/* Loads each library to ask it, which takes longer than all else that --version does. */
static void print_libraries(void)
{
	char name[32];

	printf("instructions: %s\n",
	       symbolizer_disassembler(name) ? name : "none, there is no capstone");
	printf("databases: %s\n", runexport_database(name) ? name : "none, there is no libsqlite3");
	printf("vendors' names of events: %s\n",
	       vendornames_are_there() ? "libpfm4" : "none, there is no libpfm4");
	printf("Intel PT traces: %s\n", replay_trace_decoder(TRACE_INTEL_PT, name)
						? name
						: "none, it was built without libipt");
}

void help_version(bool verbose)
{
	printf("readperf %s\n", READPERF_VERSION);
	if (verbose)
		print_libraries();
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

static void describe_completion(enum completion_shell shell)
{
	struct option_spec main_options[OPTIONLIST_MAX], diff_options[OPTIONLIST_MAX];
	const struct option_command commands[] = {
		{NULL, main_options, optionlist_of(COMMAND_TABLES, main_options)},
		{"diff", diff_options, optionlist_of(COMMAND_DIFF, diff_options)},
	};

	completion_print(stdout, shell, "readperf", commands, 2);
}

void help_describe(enum command command, const char *what)
{
	struct option_spec options[OPTIONLIST_MAX];

	if (strcmp(what, "options") == 0)
		options_print_roff(stdout, options, optionlist_of(command, options));
	else if (strcmp(what, "tables") == 0)
		report_describe_columns(stdout, REPORT_ROFF);
	else if (strcmp(what, "reasons") == 0)
		describe_reasons();
	else if (strcmp(what, "completion") == 0)
		describe_completion(COMPLETION_BASH);
	else if (strcmp(what, "completion-zsh") == 0)
		describe_completion(COMPLETION_ZSH);
	else if (strcmp(what, "completion-fish") == 0)
		describe_completion(COMPLETION_FISH);
	else
		report_describe_columns(stdout, REPORT_CSV);
}
