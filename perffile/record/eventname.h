/*
 * Names of events that the recording does not name, made from the attr as perf makes them
 * (evsel__name() of tools/perf/util/evsel.c).
 *
 * An attr has only numbers. The recording may have names for some: PMUs in the feature
 * PMU_MAPPINGS, tracepoints in TRACING_DATA.
 */
#ifndef READPERF_PERFFILE_RECORD_EVENTNAME_H
#define READPERF_PERFFILE_RECORD_EVENTNAME_H

#include "perffile/event.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>

enum { EVENT_NAME_MAX = 512 };

enum event_number {
	NUMBER_PMU,	   /* an attr's type */
	NUMBER_TRACEPOINT, /* a tracepoint's config */
};

struct number_name;

/** Names of numbers in attrs. All zero: no names. */
struct event_numbers {
	struct number_name *names;
	size_t room;
	struct index index;
	struct intern strings;
};

/**
 * Names @number of @kind by the first @len bytes of @name, up to a NUL; a number keeps its first
 * name. @name is copied. Returns false if memory is out.
 */
bool eventname_add_number(struct event_numbers *numbers, enum event_number kind, uint64_t number,
			  const char *name, size_t len);

/** Returns the name of @number, valid until eventname_free_numbers(), or NULL. */
const char *eventname_find_number(const struct event_numbers *numbers, enum event_number kind,
				  uint64_t number);

void eventname_free_numbers(struct event_numbers *numbers);

/**
 * Writes the name of the event with @attr to @name, never empty: "cycles:u",
 * "L1-dcache-load-misses", "sched:sched_switch", "uncore_imc_0/config=0x304/", and
 * "pmu8/config=0x1/" if the recording does not name the PMU. Longer names are cut.
 */
void event_name_make(const struct attr *attr, const struct event_numbers *numbers,
		     char name[EVENT_NAME_MAX]);

#endif
