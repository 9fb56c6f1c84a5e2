/* What the command line of readperf diff sets beside that of the main job. */
#ifndef READPERF_MAIN_DIFFSETTINGS_H
#define READPERF_MAIN_DIFFSETTINGS_H

#include "decode/compare/diff.h"
#include "report/export/export.h"
#include "util/error.h"
#include "util/options.h"

#include <stdbool.h>
#include <stddef.h>

/** Keys of the options that only readperf diff takes. */
enum diff_option_key {
	OPT_BY = OPTION_LONG_ONLY,
	OPT_RUN_DEVIATION,
	OPT_CHILDREN,
	OPT_RENAME,
	OPT_LABEL,
	OPT_FAIL_ON,
	OPT_EXPORT,
	OPT_STRIP_PREFIX,
	OPT_DIFF_KEYS_END,
	NR_DIFF_OPTIONS = OPT_DIFF_KEYS_END - OPTION_LONG_ONLY,
};

/** All zero is the default. */
struct diff_settings {
	bool has_measure;
	enum measure measure; /* if @has_measure */
	bool has_run_deviation;
	double run_deviation; /* of 1; if @has_run_deviation */
	bool children;
	bool has_gate;
	enum measure gate_measure; /* whose word it was given by; if @has_gate */
	struct diff_gate gate;	   /* if @has_gate */
	bool has_total_gate;
	double total_gate; /* percent; if @has_total_gate */
	struct renames renames;
	const char **runs; /* paths, borrowed; those of the old side first */
	size_t nr_runs, nr_old;
	char **labels; /* none, two (of the sides), or one for each run */
	size_t nr_labels, labels_room;
	unsigned exports;      /* bits of the forms to be exported */
	const char **prefixes; /* directories that source files are shown relative to; borrowed */
	size_t nr_prefixes, prefixes_room;
};

/** Applies one of the options above. Returns 0, or -1 with @err filled. */
int diffsettings_apply(struct diff_settings *settings, int key, const char *arg, struct error *err);

/**
 * Takes the @nr operands: OLD NEW, or OLD... vs NEW...; to be called when all options are applied.
 * Returns 0, or -1 with @err filled.
 */
int diffsettings_operands(struct diff_settings *settings, int nr, char **operands,
			  struct error *err);

/** What the run with @number is called: its label or its path. */
const char *diffsettings_run(const struct diff_settings *settings, size_t number);

/** What the old (0) or the new (1) side is called. */
const char *diffsettings_side(const struct diff_settings *settings, int number);

/** How the comparison is exported; for as long as @settings. */
struct export_settings diffsettings_exports(const struct diff_settings *settings);

void diffsettings_free(struct diff_settings *settings);

#endif
