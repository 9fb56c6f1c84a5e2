/* Opening a recording: its files, header and sections; repairs wrong header fields. */
#ifndef READPERF_PERFFILE_OPENING_H
#define READPERF_PERFFILE_OPENING_H

#include "perffile/handle.h"

/**
 * Opens the file with the header, from the descriptor @fd unless that is -1, and reads the header unless the file is a stream, which could
 * block. Returns 0, or -1 with @err filled.
 */
int opening_first(struct perffile *file, int fd, struct error *err);

/** Reads the header and opens the other files. Returns 0, or -1 with @err filled. */
int opening_start(struct perffile *file, struct error *err);

#endif
