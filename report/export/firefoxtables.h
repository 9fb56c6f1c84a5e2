/* The tables that the threads of a profile for the Firefox Profiler share: stacks, frames,
 * functions, binaries, source files and strings. */
#ifndef READPERF_REPORT_EXPORT_FIREFOXTABLES_H
#define READPERF_REPORT_EXPORT_FIREFOXTABLES_H

struct firefox;

/** Writes them, with the strings of all that was written before. */
void firefoxtables_put(struct firefox *to);

#endif
