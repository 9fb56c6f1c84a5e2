/*
 * Samples of perf record --off-cpu: how long a thread waited, and where.
 *
 * perf's BPF program adds up waits by thread and stack, and perf record writes the sums when it
 * ends; a long wait is written at once. Since perf 6.16 the fields of a sample are empty and their
 * values are in its raw data (tools/perf/util/bpf_off_cpu.c).
 */
#ifndef READPERF_PERFFILE_RECORD_OFFCPU_H
#define READPERF_PERFFILE_RECORD_OFFCPU_H

#include "perffile/event.h"
#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** Whether an event with @attr may be an off-CPU event, if its name is right. */
bool offcpu_may_be(const struct attr *attr);

/** Whether the event with @attr and @name is an off-CPU event. */
bool offcpu_is(const struct attr *attr, const char *name);

/** Whether perf has invented @time, in ns, for a sum of waits. */
bool offcpu_is_invented(uint64_t time);

/**
 * Completes the sample @rec after all its fields were read; does nothing if its event is not an
 * off-CPU event. Takes thread, period, address, call chain and cgroup from the raw data, and
 * removes time and CPU from a sum of waits, as perf invents them. Fails @s, the rest of the body,
 * if the raw data is invalid.
 */
void offcpu_decode(struct span *s, struct record *rec);

#endif
