/*
 * Filters: select the samples and other records for the tables.
 *
 * A record must pass each filter that is set. A record that does not have the property that a
 * filter checks does not pass.
 */
#ifndef READPERF_DECODE_REPLAY_FILTER_H
#define READPERF_DECODE_REPLAY_FILTER_H

#include "decode/replay/timerange.h"
#include "decode/replay/where.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perffile;

/** Numbers, both ends included. */
struct number_range {
	uint32_t first, last;
};

/** Shell patterns (fnmatch), as NULL-terminated lists, or numbers; borrowed. */
struct filter {
	char **events, **comms, **binaries, **symbols;
	struct number_range *pids, *tids, *cpus;
	size_t nr_pids, nr_tids, nr_cpus;
	struct where where; /* of samples only */
	struct time_range time;
	uint64_t from, to; /* ns, [from, to): where @time is in the recording */
	bool has_time;
	bool awaits_times; /* that is not known yet: filter_place() */
};

/**
 * Adds the comma-separated patterns of @list to the filter called @option: "event", "comm",
 * "binary", "symbol" (with a backslash before a comma in a name), "pid", "tid", "cpu" (numbers, or
 * ranges of them: "0-3"), "time" ("FROM,TO", timerange.h), "where" (where.h). Returns 0, or -1 with
 * @err filled if @list is invalid or memory is out.
 */
int filter_add(struct filter *filter, const char *option, const char *list, struct error *err);

/**
 * Places @filter in @file, of which no record has been read, if it waits for that. @show is called
 * with @arg meanwhile as in struct times_search. The first sample of a stream has not come yet:
 * filter_first() is to be called for that, and percent of a stream are refused. Returns 0, or -1
 * with @err filled.
 */
int filter_find_times(struct filter *filter, const struct perffile *file,
		      void (*show)(void *arg, uint64_t done, uint64_t total), void *arg,
		      struct error *err);

/** Ends awaits_times: the samples of the recording were taken at @times. */
void filter_place(struct filter *filter, const struct sample_times *times);

/** Says that the first sample is that of @time, in ns; for later ones it does nothing. */
static inline void filter_first(struct filter *filter, uint64_t time)
{
	if (filter->awaits_times)
		filter_place(filter, &(struct sample_times){time, time});
}

/** Whether any filter is set. */
bool filter_active(const struct filter *filter);

/**
 * Returns what the filters check and samples with the fields @sample_type (PERF_SAMPLE_...) do not
 * have, for example "CPU", and sets *@how to the way to record it; NULL if nothing is missing.
 */
const char *filter_lacks(const struct filter *filter, uint64_t sample_type, const char **how);

/** Whether @rec passes the filters by its own fields: event, pid, tid, cpu, time. */
bool filter_record(const struct filter *filter, const struct record *rec);

/** As filter_record() without the event: a sample with counter values has several events. */
bool filter_record_of_any_event(const struct filter *filter, const struct record *rec);

/** Whether all samples of a thread and an event on one CPU pass, or none does, but for the time. */
bool filter_is_of_threads(const struct filter *filter);

/** Whether @time, in ns, passes. */
static inline bool filter_takes_time(const struct filter *filter, uint64_t time)
{
	return !filter->has_time || (time >= filter->from && time < filter->to);
}

/** Whether @sample, of a thread called @comm, passes: if filter_is_of_threads(). */
bool filter_plain(const struct filter *filter, const struct plain_sample *sample, const char *comm);

/** Whether the time of @rec passes. */
bool filter_time(const struct filter *filter, const struct record *rec);

/** Whether a sample of the event with this @name passes, or with it without ":H" at its end. */
bool filter_event(const struct filter *filter, const char *name);

/** The same for @event, by its name or its recorded name. */
bool filter_of_event(const struct filter *filter, const struct event *event);

/** Whether a sample of a thread called @comm passes. */
bool filter_comm(const struct filter *filter, const char *comm);

/** Whether code of the binary at @path passes, by the path or the part after its last slash. */
bool filter_binary(const struct filter *filter, const char *path);

bool filter_symbol(const struct filter *filter, const char *function);

void filter_free(struct filter *filter);

#endif
