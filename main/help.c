#include "main/help.h"

#include "decode/symbol/symbol.h"
#include "main/settings.h"
#include "report/report.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

void help_print(void)
{
	size_t nr, columns = text_terminal_columns(stdout);
	const struct option_spec *options = settings_options(&nr);

	printf("Usage: readperf [OPTIONS] [FILE]\n"
	       "Turn FILE, a recording made by perf record (perf.data by default), into tables of\n"
	       "where the time went: stat.csv, overview.csv, processes.csv and results.csv, and "
	       "an\n"
	       "overview of the functions on standard output.\n\n");
	options_print_help(stdout, options, nr, columns ? columns : 80);
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

void help_describe(const char *what)
{
	size_t nr;
	const struct option_spec *options = settings_options(&nr);

	if (strcmp(what, "options") == 0)
		options_print_roff(stdout, options, nr);
	else if (strcmp(what, "tables") == 0)
		report_describe_columns(stdout, REPORT_ROFF);
	else if (strcmp(what, "reasons") == 0)
		describe_reasons();
	else if (strcmp(what, "completion") == 0)
		options_print_completion(stdout, "readperf", options, nr);
	else
		report_describe_columns(stdout, REPORT_CSV);
}
