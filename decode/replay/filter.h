/*
 * Filters: which samples, and which other records, the tables are about.
 *
 * Each filter that is set must be passed. A record is held against those properties that it has;
 * one that lacks a property asked for does not pass.
 */
#ifndef READPERF_DECODE_REPLAY_FILTER_H
#define READPERF_DECODE_REPLAY_FILTER_H

#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Shell patterns (fnmatch), or numbers; NULL-terminated lists, borrowed. */
struct filter {
	char **events, **comms, **binaries, **symbols;
	uint32_t *pids, *tids, *cpus;
	size_t nr_pids, nr_tids, nr_cpus;
	uint64_t from, to; /* ns, [from, to) */
	bool has_time;
};

/**
 * Adds the comma-separated patterns of @list to the filter that @option names: "event", "comm",
 * "binary", "symbol", "pid", "tid", "cpu", "time" ("FROM,TO"; ns, or seconds if it has a point;
 * either end may be left out). Returns 0, or -1 with @err filled if it cannot be understood.
 */
int filter_add(struct filter *filter, const char *option, const char *list, struct error *err);

/** True if any filter is set. */
bool filter_active(const struct filter *filter);

/**
 * What the filters ask for and samples with the fields @sample_type (PERF_SAMPLE_...) do not have:
 * "CPU", with how to record it in *@how; NULL if there is no such thing.
 */
const char *filter_lacks(const struct filter *filter, uint64_t sample_type, const char **how);

/** Whether @rec passes the filters by its own fields: event, pid, tid, cpu, time. */
bool filter_record(const struct filter *filter, const struct record *rec);

/** As filter_record(), whatever the event: counter values in a sample are of one each. */
bool filter_record_of_any_event(const struct filter *filter, const struct record *rec);

/** Whether the time of @rec passes. */
bool filter_time(const struct filter *filter, const struct record *rec);

/** Whether a sample of the event with this @name passes. */
bool filter_event(const struct filter *filter, const char *name);

/** Whether a sample of a thread called @comm passes. */
bool filter_comm(const struct filter *filter, const char *comm);

/** Whether code of the binary at @path passes: by the path or by what follows its last slash. */
bool filter_binary(const struct filter *filter, const char *path);

bool filter_symbol(const struct filter *filter, const char *function);

void filter_free(struct filter *filter);

#endif
