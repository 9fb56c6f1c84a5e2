/* The options of all commands, in one table. */
#ifndef READPERF_MAIN_OPTIONLIST_H
#define READPERF_MAIN_OPTIONLIST_H

#include "main/diffsettings.h"
#include "util/options.h"

#include <stddef.h>

/** Commands, as bits for the headings of options. */
enum command {
	COMMAND_TABLES = 1 << 0, /* the main job */
	COMMAND_DIFF = 1 << 1,
};

/** Keys of long options; those that only readperf diff has are in enum diff_option_key. */
enum option_key {
	OPT_TABLES = OPTION_LONG_ONLY + NR_DIFF_OPTIONS,
	OPT_PER,
	OPT_DIFF_TABLES,
	OPT_RUN_EXPORT,
	OPT_TAG,
	OPT_WEIGHT,
	OPT_HTML_SIZE,
	OPT_METRIC,
	OPT_CALLERS,
	OPT_CALLEES,
	OPT_FORCE,
	OPT_TOP,
	OPT_WIDTH,
	OPT_COLOR,
	OPT_CSV,
	OPT_INTERVAL,
	OPT_WINDOW,
	OPT_SLICE,
	OPT_SLICE_BY,
	OPT_DEMANGLE,
	OPT_EVENT_NAMES,
	OPT_VMLINUX,
	OPT_INLINE,
	OPT_KALLSYMS,
	OPT_BUILDID_DIR,
	OPT_DEBUG_DIR,
	OPT_SYMFS,
	OPT_ROOT,
	OPT_SOURCE_DIR,
	OPT_DEBUGINFOD,
	OPT_THREADS,
	OPT_UNWIND,
	OPT_MAX_STACK,
	OPT_EVENT,
	OPT_COMM,
	OPT_PID,
	OPT_TID,
	OPT_CPU,
	OPT_BINARY,
	OPT_SYMBOL,
	OPT_TIME,
	OPT_WHERE,
	OPT_DESCRIBE,
	OPT_STDIO,
	OPT_WITH_CHILDREN,
	OPT_WITHOUT_CHILDREN,
};

enum { OPTIONLIST_MAX = 128 };

/**
 * Copies the options of @command to @to: the only source of --help, the lists in the man pages and
 * the shell completion. Returns their number.
 */
size_t optionlist_of(enum command command, struct option_spec to[OPTIONLIST_MAX]);

/** The long name of the option with @key, which must be in the table, such as "tables". */
const char *optionlist_name(int key);

/**
 * Finds @arg among the words of the option with @key, which must be in the table with the words as
 * its argument. Returns its index, or -1 with @err filled (ERROR_USAGE).
 */
int optionlist_choice(int key, const char *arg, struct error *err);

#endif
