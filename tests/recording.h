/* Written recordings, read back: what the tests of perffile/ share. */
#ifndef READPERF_TESTS_RECORDING_H
#define READPERF_TESTS_RECORDING_H

#include "perffile/perffile.h"
#include "tests/mkperf.h"

#include <stddef.h>
#include <stdint.h>

/** Opens what @m writes and frees @m; the test fails if the recording cannot be used. */
struct perffile *recording_open(struct mkperf *m);

/** Opens the @len bytes at @bytes as a recording; NULL with @err filled if it cannot be used. */
struct perffile *recording_open_bytes(const void *bytes, size_t len, struct error *err);

/** The next record, or NULL at the end; the test fails on an error. */
const struct record *recording_next(struct perffile *file);

/** As recording_next(), but FINISHED_ROUND is passed over. */
const struct record *recording_next_kernel(struct perffile *file);

/** Reads to the end; returns the number of records. */
size_t recording_drain(struct perffile *file);

/** The @number-th word of @sample's call chain, which must have as many. */
uint64_t recording_ip(const struct record_sample *sample, size_t number);

#endif
