/* The settings from the command line. */
#ifndef READPERF_MAIN_SETTINGS_H
#define READPERF_MAIN_SETTINGS_H

#include "decode/process/roots.h"
#include "decode/replay.h"
#include "decode/replay/filter.h"
#include "decode/replay/perkeys.h"
#include "decode/stack/stacksettings.h"
#include "decode/symbol/symbol.h"
#include "main/diffsettings.h"
#include "main/inputs.h"
#include "main/optionlist.h"
#include "main/screen.h"
#include "report/report.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

/** Strings are borrowed from the command line. */
struct settings {
	enum command command;
	struct report_settings report;
	bool has_tables; /* tables were chosen on the command line */
	struct filter filter;
	struct perkeys per;
	struct symbol_settings symbols;
	struct stack_settings stacks;
	struct archive *archive; /* the archive named by --buildid-dir, see cache_open(); or NULL */
	struct given_roots roots;
	struct source_dirs source_dirs;
	size_t cores; /* that the process may use, see cores_choose(); set once, and symbols.threads
		       */
	uint64_t interval; /* ns between updates of the tables; 0: only at the end */
	/* ns: the overview is of this last part of the recording; 0: of all of it */
	uint64_t window;
	uint64_t slice; /* ns; 0: the default */
	enum slice_by slice_by;
	struct screen_settings screen;
	struct filter callers_of,
		callees_of; /* their symbols: of functions whose calls are shown */
	struct replay_metrics metrics;
	bool vendor_names; /* events are called by their vendor's names */
	bool verbose, quiet, version, help;
	const char *describe; /* part of the documentation to print, or NULL */
	struct inputs inputs;
	const char *input;  /* path of the only recording; "-" is standard input */
	bool without_notes; /* of single recordings, but of their traces */
	struct diff_settings diff;
};

/**
 * Parses the command line into @settings; unset options get their defaults. Reorders @argv.
 *
 * @return 0, or -1 with @err filled (ERROR_USAGE); call settings_free() in both cases.
 */
int settings_parse(struct settings *settings, int argc, char **argv, struct error *err);

/** Whether results are shown on standard output: not with --quiet, unless calls are asked for. */
bool settings_shows_results(const struct settings *settings);

void settings_free(struct settings *settings);

#endif
