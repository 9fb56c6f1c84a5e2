/* What the command line sets. */
#ifndef READPERF_MAIN_SETTINGS_H
#define READPERF_MAIN_SETTINGS_H

#include "decode/process/roots.h"
#include "decode/replay/filter.h"
#include "decode/symbol/symbol.h"
#include "main/diffsettings.h"
#include "main/optionlist.h"
#include "main/screen.h"
#include "report/report.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

/** Texts are borrowed from the command line. */
struct settings {
	enum command command;
	struct report_settings report;
	bool has_tables; /* they were chosen on the command line */
	struct filter filter;
	struct symbol_settings symbols;
	struct archive *archive; /* that --buildid-dir names, see cache_open(); or NULL */
	struct given_roots roots;
	uint64_t interval; /* ns between rewrites of the tables; 0: none before the end */
	uint64_t window;   /* ns, the last of the recording, that the overview is of; 0: all */
	struct screen_settings screen;
	struct filter callers_of,
		callees_of; /* their symbols: of functions whose calls are shown */
	bool verbose, quiet, version, help;
	const char *describe; /* the part of the documentation to print, or NULL */
	const char *input;    /* the recording's path; "-" is standard input */
	struct diff_settings diff;
};

/**
 * Reads the command line into @settings, what it leaves out by default. @argv is reordered.
 *
 * @return 0, or -1 with @err filled (ERROR_USAGE); settings_free() is due in both cases.
 */
int settings_parse(struct settings *settings, int argc, char **argv, struct error *err);

void settings_free(struct settings *settings);

#endif
