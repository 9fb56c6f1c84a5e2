/* Folded stacks: the form of FlameGraph's scripts, which speedscope and others read, too. */
#ifndef READPERF_REPORT_EXPORT_FOLDED_H
#define READPERF_REPORT_EXPORT_FOLDED_H

struct runexport_view;

/** Appends a line for each path of functions of the event that counted something itself. */
void folded_write(const struct runexport_view *view);

#endif
