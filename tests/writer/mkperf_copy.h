/*
 * A recording that perf itself made, taken apart record by record and written anew in another
 * shape: the other byte order, a pipe, compressed.
 */
#ifndef READPERF_TESTS_WRITER_MKPERF_COPY_H
#define READPERF_TESTS_WRITER_MKPERF_COPY_H

#include "tests/writer/mkperf.h"

#include <stddef.h>
#include <stdint.h>

/**
 * A writer with the events, the records and the common features of the recording of @len bytes at
 * @bytes, a file in this machine's byte order. NULL if there is something in it that cannot be
 * copied, which goes for the fields of a sample behind the raw data.
 */
struct mkperf *mkperf_copy(const uint8_t *bytes, size_t len, const struct mkperf_options *options);

#endif
