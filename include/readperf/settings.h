/*
 * Settings of a replay or of symbols: words and values as on the command line of readperf.
 *
 *	struct readperf_settings *settings = readperf_settings_create(&err);
 *
 *	readperf_settings_set(settings, "tables", "results,lines", &err);
 *	readperf_settings_set(settings, "event", "cycles*", &err);
 *	...
 *	readperf_settings_free(settings);
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
 * Sets @option to @value, which is copied: "tables" (names, or "all"; the default is none); the
 * filters "event", "comm", "binary", "symbol", "pid", "tid", "cpu", "time", "where"; "per"; where
 * symbols are: "symfs", "buildid-dir", "debug-dir", "vmlinux", "kallsyms"; how names look:
 * "demangle" (full, short, none), "inline" (yes, no); "unwind" (auto, dwarf, lbr, fp, none);
 * "debuginfod" (yes, no); "threads" (a number; 0: one for each core). readperf(1) explains them.
 * Filters add up. Returns 0, or -1 with @err filled (READPERF_ERROR_USAGE).
 */
READPERF_API int readperf_settings_set(struct readperf_settings *settings, const char *option,
				       const char *value, struct readperf_error *err);

/** Frees @settings. What was made with them must be freed before. NULL is fine. */
READPERF_API void readperf_settings_free(struct readperf_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
