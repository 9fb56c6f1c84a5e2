/* The settings of a replay, as words and values. */
#ifndef READPERF_LIB_CHOICES_H
#define READPERF_LIB_CHOICES_H

#include "decode/replay.h"
#include "lib/handlemark.h"
#include "report/report.h"
#include "util/intern.h"

#include <readperf/settings.h>

/** All zero is the default. */
struct readperf_settings {
	struct handle_mark mark;
	struct filter filter;
	struct perkeys per;
	struct symbol_settings symbols;
	struct stack_settings stacks;
	struct given_roots roots;
	struct source_dirs source_dirs;
	uint64_t slice; /* ns */
	enum slice_by slice_by;
	struct replay_metrics metrics;
	struct report_settings report; /* its tables */
	struct archive *archive;       /* the one that buildid-dir names; or NULL */
	struct intern strings;	       /* the values that the others point to */
};

#endif
