/* How far the cores are from each other. */
#ifndef READPERF_UTIL_COREDISTANCE_H
#define READPERF_UTIL_COREDISTANCE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Whether a word takes long to another core and back, as where they share no cache: it is tried, in
 * some 0.1 ms, a few ms if all cores are busy. A virtual machine's cores may be far at one time and
 * near at another. False if there is no other core.
 */
bool coredistance_is_far(void);

/** The same by what was measured: the way there and back took @ns. */
bool coredistance_means_far(uint64_t ns);

#endif
