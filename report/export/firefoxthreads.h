/* The threads of a profile for the Firefox Profiler, with their samples. */
#ifndef READPERF_REPORT_EXPORT_FIREFOXTHREADS_H
#define READPERF_REPORT_EXPORT_FIREFOXTHREADS_H

struct firefox;

/** Writes them. */
void firefoxthreads_put(struct firefox *to);

#endif
