/* Decodes a perf_event_attr of any size, in either byte order. */
#ifndef READPERF_PERFFILE_RECORD_ATTR_H
#define READPERF_PERFFILE_RECORD_ATTR_H

#include "perffile/event.h"
#include "util/span.h"

#include <stdbool.h>

/**
 * Decodes the attr that fills @s, which must hold at least the first 64 bytes. Fields beyond
 * attr.size or beyond @s are zero, fields after the known ones are ignored.
 *
 * @return true, or false if the attr is invalid (size under 64, @s too short).
 */
bool attr_decode(struct attr *attr, struct span s);

#endif
