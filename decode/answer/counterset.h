/*
 * What perf stat record counted: its records, added up.
 *
 * A STAT record has the value of a counter since the start; STAT_ROUND ends an interval. So an
 * interval's value is the difference from the counter's record before.
 */
#ifndef READPERF_DECODE_ANSWER_COUNTERSET_H
#define READPERF_DECODE_ANSWER_COUNTERSET_H

#include "decode/results/counterrows.h"
#include "perffile/perffile.h"
#include "util/error.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A STAT record; after counterset_finish() its values are those of the interval. */
struct counter_read {
	uint64_t value, enabled, running;
	uint32_t event;	      /* number */
	uint32_t cpu, thread; /* as recorded: UINT32_MAX is none; index in THREAD_MAP */
	uint32_t round;
};

/** An entry of THREAD_MAP. */
struct counter_thread {
	uint64_t tid;
	uint32_t comm; /* in strings */
};

/** From EVENT_UPDATE. */
struct counter_unit {
	uint32_t unit; /* in strings */
	double scale;  /* 0: not given */
};

/** All zero is empty. */
struct counterset {
	struct counter_read *reads, *rows; /* as recorded; for each the difference */
	size_t nr_reads, room;
	bool full;	  /* there were more records than are kept */
	uint64_t *rounds; /* times, ns since the start */
	size_t nr_rounds, rounds_room;
	struct counter_thread *threads;
	size_t nr_threads, threads_room;
	struct counter_unit *units; /* by event number */
	size_t nr_units, units_room;
	uint64_t mode; /* STAT_CONFIG's aggr_mode, whose meaning depends on perf's version */
	struct intern strings;
	struct counter_total *totals, *whole; /* by place; of everything, by event */
	size_t nr_totals, nr_whole;
};

/** Takes @rec if it is one of perf stat record's. Returns false if memory is out. */
bool counterset_record(struct counterset *set, const struct perffile *file,
		       const struct record *rec);

/**
 * Adds up the records so far: rows, totals, whole. perf stat -I reads the counters once more after
 * the last interval: that is in the rows, but as in perf not in totals and whole. Returns 0, or -1
 * with @err filled.
 */
int counterset_finish(struct counterset *set, const struct perffile *file, struct error *err);

/** A count and what it would be, had the counter run all the time. Times in ns. */
struct counter_value counterset_count(uint64_t value, uint64_t enabled, uint64_t running);

/** The counter that @read is of. */
struct stat_counter counterset_counter(const struct counterset *set, const struct perffile *file,
				       const struct counter_read *read);

/** What @event counted of everything; NULL if it was not counted. */
const struct counter_total *counterset_whole(const struct counterset *set,
					     const struct event *event);

/** What makes the unit of a count of @event; 0 if the recording does not tell. */
double counterset_scale(const struct counterset *set, const struct event *event);

void counterset_free(struct counterset *set);

#endif
