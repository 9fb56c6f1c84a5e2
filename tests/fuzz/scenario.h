/* A well-formed recording that is chosen byte by byte, by way of the recording writer. */
#ifndef READPERF_TESTS_FUZZ_SCENARIO_H
#define READPERF_TESTS_FUZZ_SCENARIO_H

#include "tests/fuzz/fuzz.h"
#include "tests/writer/mkperf.h"

#include <stdbool.h>

/**
 * Writes the events and records that @choices make, up to their end, in the shape of @options; the
 * same in each shape. With @loose there are records of any type over any words, too, whose meaning
 * depends on the byte order.
 */
struct mkperf *scenario_make(const struct mkperf_options *options, struct fuzz_choices choices,
			     bool loose);

/**
 * As scenario_make(), without records of any type, as a directory of @nr_files data files of which
 * any may stay empty, and which has no rounds, but one for all files. Joined it says the same.
 */
struct mkperf *scenario_make_directory(const struct mkperf_options *options,
				       struct fuzz_choices choices, unsigned nr_files);

/** A shape: file or pipe, byte order, sizes of attrs, compressed or not; all can be replayed. */
struct mkperf_options scenario_shape(struct fuzz_choices *choices);

#endif
