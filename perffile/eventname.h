/* The name of an event that the recording does not name, made from its attr as perf makes it. */
#ifndef READPERF_PERFFILE_EVENTNAME_H
#define READPERF_PERFFILE_EVENTNAME_H

#include "perffile/event.h"

enum { EVENT_NAME_MAX = 96 };

/** Writes the name of the event with @attr to @name: "cycles:u", "L1-dcache-load-misses". */
void event_name_make(const struct attr *attr, char name[EVENT_NAME_MAX]);

#endif
