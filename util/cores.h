/* How many threads are worth having. */
#ifndef READPERF_UTIL_CORES_H
#define READPERF_UTIL_CORES_H

#include <stddef.h>

/** So many threads can be asked for. */
enum { CORES_THREADS_MAX = 1024 };

/**
 * Returns @threads, or if it is 0, the number of cores that this process may use: those of its CPU
 * affinity, and no more than the processor time that its control group is given (cpuquota_cores()).
 * At least 1.
 */
size_t cores_choose(size_t threads);

#endif
