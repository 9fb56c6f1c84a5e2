/* The optional sections as facts: a key and a value for each item. */
#ifndef READPERF_PERFFILE_FEATURE_FEATURETEXT_H
#define READPERF_PERFFILE_FEATURE_FEATURETEXT_H

#include "perffile/fact.h"
#include "perffile/feature/feature.h"

#include <stdbool.h>

/**
 * Adds the contents of @features to @facts, by ascending section number. @swap: the recording is in
 * the other byte order. Returns 0, or -1 if memory is out.
 */
int features_describe(const struct features *features, bool swap, struct facts *facts);

#endif
