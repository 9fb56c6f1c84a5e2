/* The forms of a run's results, each in a file of its name; runexport.c lists them. */
#ifndef READPERF_REPORT_EXPORT_RUNFORMS_H
#define READPERF_REPORT_EXPORT_RUNFORMS_H

#include <stdbool.h>

struct ownfile;
struct runexport_view;

/** Folded stacks: a line for each path of functions of the event that counted something itself. */
void folded_write(const struct runexport_view *view);
bool folded_is_own(const struct ownfile *file);

/** Callgrind's format, of all events: lines of functions, and calls. */
void callgrind_write(const struct runexport_view *view);

/** A processed profile of the Firefox Profiler: the event's samples by thread and time. */
void firefox_write(const struct runexport_view *view);

/** The profile of pprof of the event, packed. */
void pprof_write(const struct runexport_view *view);
bool pprof_is_own(const struct ownfile *file);

/** The rows of results.csv as lines of JSON. */
void resultsjson_write(const struct runexport_view *view);

/** The JSON of speedscope, a profile for each event. */
void speedscope_write(const struct runexport_view *view);

/** The chosen tables as a SQLite database. */
void sqlite_write(const struct runexport_view *view);
bool sqlite_is_own(const struct ownfile *file);

/** The table as a file of Apache Parquet. */
void parquet_write(const struct runexport_view *view);

/** A page for a browser, of all events. */
void html_write(const struct runexport_view *view);

/** Branches of the event in its main binary, for perf2bolt. */
void bolt_write(const struct runexport_view *view);
bool bolt_is_own(const struct ownfile *file);

#endif
