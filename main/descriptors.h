/* Whether the process may open as many files at a time as a run needs. */
#ifndef READPERF_MAIN_DESCRIPTORS_H
#define READPERF_MAIN_DESCRIPTORS_H

#include "util/error.h"

/**
 * Sees to it that enough files may be open at a time: below that, binaries could not be opened and
 * their names would be missing for no reason of theirs. A soft limit is raised if it may be.
 * Returns 0, or -1 with @err filled.
 */
int descriptors_ensure(struct error *err);

#endif
