/* Words for the measure, as tables and exports write them. */
#ifndef READPERF_REPORT_MEASURE_H
#define READPERF_REPORT_MEASURE_H

#include "decode/compare/diff.h"

#include <stdbool.h>

/** "period", "rate" or "share". */
const char *measure_word(enum measure measure);

/**
 * The unit of values: "ns" if the event's periods are a time, else "events", for rates with "/s";
 * for shares "%".
 */
const char *measure_unit(enum measure measure, bool is_time);

#endif
