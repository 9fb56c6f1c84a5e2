/* The optional sections as facts: one key and value for each thing that they say. */
#ifndef READPERF_PERFFILE_FEATURE_FEATURETEXT_H
#define READPERF_PERFFILE_FEATURE_FEATURETEXT_H

#include "perffile/fact.h"
#include "perffile/feature/feature.h"

#include <stdbool.h>

/**
 * Adds what @features say to @facts, by ascending number of the section. @swap: the recording is in
 * the other byte order. Returns 0, or -1 if memory is out.
 */
int features_describe(const struct features *features, bool swap, struct facts *facts);

#endif
