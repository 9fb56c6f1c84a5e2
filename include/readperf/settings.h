/*
 * Settings: what a replay or symbols are made with, named and written as on the command line of
 * readperf.
 *
 *	#include <readperf/settings.h>
 *	#include <stdio.h>
 *
 *	int main(void)
 *	{
 *		struct readperf_error err;
 *		struct readperf_settings *settings = readperf_settings_create(&err);
 *
 *		if (!settings || readperf_settings_set(settings, "event", "cycles*", &err) < 0 ||
 *		    readperf_settings_set(settings, "inline", "perhaps", &err) < 0)
 *			puts(err.text);
 *		readperf_settings_free(settings);
 *		return 0;
 *	}
 */
#ifndef READPERF_SETTINGS_H
#define READPERF_SETTINGS_H

#include <readperf/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct readperf_settings;

/**
 * Makes settings that have all defaults. The caller frees them with readperf_settings_free(). NULL
 * with @err filled if memory is out.
 */
READPERF_API struct readperf_settings *readperf_settings_create(struct readperf_error *err);

/**
 * Sets @option to @value, which is copied. There are these options, which readperf(1) explains:
 *
 * "tables": names, or "all"; the default is none.
 * "event", "comm", "binary", "symbol", "pid", "tid", "cpu", "time", "where": filters, which add up.
 * "per": what tables are split by.
 * "tag": KEY=VALUE, a column at the end of every table, with one for the run.
 * "metric": NAME=EVENT/EVENT, a ratio for the table metrics.
 * "slice", "slice-by" (process, function, cpu, none): the rows of the table slices.
 * "symfs", "buildid-dir", "debug-dir", "vmlinux", "kallsyms": where symbols are.
 * "root": PID=DIR, where the files of a process are. "source-dir": where source files are.
 * "demangle" (full, short, none), "inline" (yes, no): how names look.
 * "unwind" (auto, dwarf, lbr, fp, none): which call chains are used.
 * "max-stack": at most how many functions of a stack are unwound.
 * "debuginfod" (yes, no): whether to ask servers.
 * "threads": how many load symbols; 0: one for each core.
 *
 * "per", "tag", "metric", "root", "source-dir" and filters but "time" add to what was set before;
 * the others replace it.
 *
 * Files and directories must be there, but for the directories of "buildid-dir" and "debug-dir". An
 * archive for "buildid-dir" is opened.
 *
 * Returns 0, or -1 with @err filled (READPERF_ERROR_USAGE; others if such an archive cannot be
 * unpacked).
 */
READPERF_API int readperf_settings_set(struct readperf_settings *settings, const char *option,
				       const char *value, struct readperf_error *err);

/** Frees @settings. What was made with them must be freed before. NULL is fine. */
READPERF_API void readperf_settings_free(struct readperf_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
