/* Settings of readperf diff in addition to those of the main job. */
#ifndef READPERF_MAIN_DIFFSETTINGS_H
#define READPERF_MAIN_DIFFSETTINGS_H

#include "decode/compare/diff.h"
#include "main/inputs.h"
#include "report/export/export.h"
#include "util/error.h"
#include "util/options.h"

#include <stdbool.h>
#include <stddef.h>

/** Keys of the options that only readperf diff has. */
enum diff_option_key {
	OPT_BY = OPTION_LONG_ONLY,
	OPT_RUN_DEVIATION,
	OPT_CHILDREN,
	OPT_CALLS,
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
	double run_deviation; /* 0.03 is 3 %; if @has_run_deviation */
	bool children;
	bool calls; /* calls are compared, with all that was done in them: @children is set */
	bool has_gate;
	enum measure gate_measure; /* measure of the gate; if @has_gate */
	struct diff_gate gate;	   /* if @has_gate */
	bool has_total_gate;
	double total_gate; /* percent; if @has_total_gate */
	struct renames renames;
	struct inputs inputs;	 /* the runs, the old side's first */
	const char *const *runs; /* their paths */
	size_t nr_runs, nr_old;
	char **labels; /* none, two (one for each side), or one for each run */
	size_t nr_labels, labels_room;
	unsigned exports;      /* bits of the export formats */
	const char **prefixes; /* directories to remove from the paths of source files; borrowed */
	size_t nr_prefixes, prefixes_room;
};

/** Applies one of the options above. Returns 0, or -1 with @err filled. */
int diffsettings_apply(struct diff_settings *settings, int key, const char *arg, struct error *err);

/**
 * Takes the @nr operands, OLD NEW or OLD... vs NEW..., of which a directory stands for the
 * recordings in it, or else for its results.csv; call it after all options are applied.
 * Returns 0, or -1 with @err filled.
 */
int diffsettings_operands(struct diff_settings *settings, int nr, char **operands,
			  struct error *err);

/** The label or path of run @number. */
const char *diffsettings_run(const struct diff_settings *settings, size_t number);

/** The name of the old (0) or the new (1) side. */
const char *diffsettings_side(const struct diff_settings *settings, int number);

/** The settings of the exports; valid as long as @settings. */
struct export_settings diffsettings_exports(const struct diff_settings *settings);

void diffsettings_free(struct diff_settings *settings);

#endif
