/* The command line of the main job: its table of options, and what they set. */
#ifndef READPERF_MAIN_SETTINGS_H
#define READPERF_MAIN_SETTINGS_H

#include "decode/filter.h"
#include "decode/roots.h"
#include "decode/symbol/symbol.h"
#include "report/report.h"
#include "util/error.h"
#include "util/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Texts are borrowed from the command line. */
struct settings {
	struct report_settings report;
	struct filter filter;
	struct symbol_settings symbols;
	struct given_roots roots;
	uint64_t interval; /* ns between rewrites of the tables; 0: none before the end */
	uint64_t top;	   /* functions of each event on standard output; 0: all */
	bool verbose, quiet, version, help;
	const char *describe; /* the part of the documentation to print, or NULL */
	const char *input;    /* the recording's path; "-" is standard input */
};

/**
 * The options: the single source of --help, of the man page's list and of the shell completion.
 * Lives forever; *@nr is set to how many there are.
 */
const struct option_spec *settings_options(size_t *nr);

/**
 * Reads the command line into @settings, what it leaves out by default. @argv is reordered.
 *
 * @return 0, or -1 with @err filled (ERROR_USAGE); settings_free() is due in both cases.
 */
int settings_parse(struct settings *settings, int argc, char **argv, struct error *err);

void settings_free(struct settings *settings);

#endif
