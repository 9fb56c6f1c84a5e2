/* The file descriptors that a run starts with: the standard ones, and room for those it needs. */
#ifndef READPERF_MAIN_DESCRIPTORS_H
#define READPERF_MAIN_DESCRIPTORS_H

#include "util/error.h"

/**
 * The next file that is opened would take the place of a standard stream that is closed, and what
 * is printed. In its place is put what can be neither read from nor printed to.
 */
void descriptors_fill_standard(void);

/**
 * Sees to it that enough files may be open at a time: below that, binaries could not be opened and
 * their names would be missing for no reason of theirs. A soft limit is raised if it may be.
 * Returns 0, or -1 with @err filled.
 */
int descriptors_ensure(struct error *err);

#endif
