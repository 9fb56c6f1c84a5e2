/* How far the cores are from each other. */
#ifndef READPERF_UTIL_COREDISTANCE_H
#define READPERF_UTIL_COREDISTANCE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Whether this core waits long to overwrite what another one has read, as where they share no
 * cache: it is tried, in some 0.2 ms, a few ms if all cores are busy. A virtual machine's cores may
 * be far at one time and near at another. False if there is no other core, or no way to write past
 * the cache.
 */
bool coredistance_is_far(void);

/**
 * The same by what was measured: to overwrite something took @cached ns, and @past ns past the
 * cache.
 */
bool coredistance_means_far(uint64_t cached, uint64_t past);

#endif
