/* How far the cores are from each other. */
#ifndef READPERF_UTIL_COREDISTANCE_H
#define READPERF_UTIL_COREDISTANCE_H

#include <stdbool.h>

/**
 * Whether another core than this one waits long for what this one has written, as where they share
 * no cache: it is tried, which takes 0.2 to 0.5 ms. A virtual machine's cores may be far at one
 * time and near at another. False if there is no other core, or no way to write past the cache.
 */
bool coredistance_is_far(void);

#endif
