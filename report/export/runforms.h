/* The forms of a run's results, each in a file of its name; runexport.c lists them. */
#ifndef READPERF_REPORT_EXPORT_RUNFORMS_H
#define READPERF_REPORT_EXPORT_RUNFORMS_H

struct runexport_view;

/** Folded stacks: a line for each path of functions of the event that counted something itself. */
void folded_write(const struct runexport_view *view);

/** A page for a browser, of all events. */
void html_write(const struct runexport_view *view);

/** Branches of the event in its main binary, for perf2bolt. */
void bolt_write(const struct runexport_view *view);

#endif
