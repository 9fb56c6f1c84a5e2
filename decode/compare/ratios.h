/* What changed in the ratios of events, such as instructions per cycle: rows beside those of diff.
 */
#ifndef READPERF_DECODE_COMPARE_RATIOS_H
#define READPERF_DECODE_COMPARE_RATIOS_H

#include "decode/compare/changes.h"
#include "util/error.h"

/**
 * Makes diff->ratios from its rows: the metrics of decode/metric.h whose events both sides have.
 * Returns 0, or -1 with @err filled if memory is out; the caller frees diff->ratios in both cases.
 */
int ratios_make(struct diff *diff, struct error *err);

#endif
