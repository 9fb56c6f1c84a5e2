/* A temporary file without a name: gone when it is closed, however the program ends. */
#ifndef READPERF_UTIL_TEMPFILE_H
#define READPERF_UTIL_TEMPFILE_H

#include "util/error.h"

/**
 * Makes one, to be read and written, in the directory TMPDIR of the environment, or /tmp. Returns
 * its descriptor, which the caller closes, or -1 with @err filled.
 */
int tempfile_create(struct error *err);

#endif
