/*
 * Samples of perf record --off-cpu: how long a thread waited, and where.
 *
 * perf's BPF program adds up waits by thread and stack, and perf record writes the sums when it
 * ends; a long wait is a sample at once. Since perf 6.16 a sample's fields are empty, and what they
 * should say stands in its raw data (tools/perf/util/bpf_off_cpu.c).
 */
#ifndef READPERF_PERFFILE_RECORD_OFFCPU_H
#define READPERF_PERFFILE_RECORD_OFFCPU_H

#include "perffile/event.h"
#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>

/** Whether an event of this @attr may be one that is written so: its name decides. */
bool offcpu_may_be(const struct attr *attr);

/** Whether the event of @attr is one, now that it is called @name. */
bool offcpu_is(const struct attr *attr, const char *name);

/**
 * Puts right what the sample @rec says, if its event is one, when all its fields are read: thread,
 * period, address, call chain and cgroup are those of its raw data. A sum of waits loses time and
 * CPU, which are made up. Fails @s, the rest of the body, if the raw data cannot be a wait's.
 */
void offcpu_decode(struct span *s, struct record *rec);

#endif
