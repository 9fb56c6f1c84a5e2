/* Opening a recording: its files, its header, what the header leads to; repaired where it lies. */
#ifndef READPERF_PERFFILE_OPENING_H
#define READPERF_PERFFILE_OPENING_H

#include "perffile/handle.h"

/**
 * Opens the file that has the header, and reads it unless that could mean to wait. Returns 0, or -1
 * with @err filled.
 */
int opening_first(struct perffile *file, struct error *err);

/** Reads the header and opens the other files. Returns 0, or -1 with @err filled. */
int opening_start(struct perffile *file, struct error *err);

#endif
