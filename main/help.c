#include "main/help.h"

#include "decode/symbol/symbol.h"
#include "report/report.h"
#include "util/completion.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

static void print_options(enum command command)
{
	struct option_spec options[SETTINGS_OPTIONS_MAX];
	size_t columns = text_terminal_columns(stdout), nr = settings_options(command, options);

	options_print_help(stdout, options, nr, columns ? columns : 80);
}

static void print_diff_help(void)
{
	printf("Usage: readperf diff [OPTIONS] OLD NEW\n"
	       "       readperf diff [OPTIONS] OLD... vs NEW...\n"
	       "Compare where the time went in two runs, or in several runs a side: write "
	       "diff.csv\n"
	       "and print the largest changes. Runs are recordings made by perf record, or the\n"
	       "results.csv of earlier ones.\n\n");
	print_options(COMMAND_DIFF);
	printf("\nExit status: 0 all is well; 1 an input cannot be used or an output cannot be\n"
	       "written; 2 wrong usage; 3 the tables are written, but part of an input was "
	       "damaged\n"
	       "and is missing from them; 4 a change is one that --fail-on stops.\n");
}

void help_print(enum command command)
{
	if (command == COMMAND_DIFF) {
		print_diff_help();
		return;
	}
	printf("Usage: readperf [OPTIONS] [FILE]\n"
	       "       readperf diff [OPTIONS] OLD NEW     (see readperf diff --help)\n"
	       "Turn FILE, a recording made by perf record (perf.data by default), into tables of\n"
	       "where the time went: stat.csv, overview.csv, processes.csv and results.csv, and "
	       "an\n"
	       "overview of the functions on standard output.\n\n");
	print_options(COMMAND_TABLES);
	printf("\nExit status: 0 all is well; 1 the input cannot be used or an output cannot be\n"
	       "written; 2 wrong usage; 3 the tables are written, but part of the input was "
	       "damaged\n"
	       "and is missing from them, or it was a stream that you stopped before its end.\n");
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
	struct option_spec main_options[SETTINGS_OPTIONS_MAX], diff_options[SETTINGS_OPTIONS_MAX];
	const struct option_command commands[] = {
		{NULL, main_options, settings_options(COMMAND_TABLES, main_options)},
		{"diff", diff_options, settings_options(COMMAND_DIFF, diff_options)},
	};

	completion_print(stdout, shell, "readperf", commands, 2);
}

void help_describe(enum command command, const char *what)
{
	struct option_spec options[SETTINGS_OPTIONS_MAX];

	if (strcmp(what, "options") == 0)
		options_print_roff(stdout, options, settings_options(command, options));
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
