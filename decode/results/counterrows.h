/*
 * Counters of perf stat, and ratios of events.
 */
#ifndef READPERF_DECODE_RESULTS_COUNTERROWS_H
#define READPERF_DECODE_RESULTS_COUNTERROWS_H

#include "decode/results/functionrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a counter counted (perf stat record), and for how long it did. */
struct counter_value {
	uint64_t value;	  /* as read */
	uint64_t enabled; /* ns in which it was to count */
	uint64_t running; /* ns in which it did, because counters take turns */
	/* @value as it would be, had it run all the time; at most 2^64 - 1. Valid if @running is
	 * not 0. */
	uint64_t scaled;
};

/** What the values of counters are of. */
enum counter_place {
	COUNTER_OF_ALL,
	COUNTER_OF_CPU,
	COUNTER_OF_SOCKET,
	COUNTER_OF_DIE,
	COUNTER_OF_CORE,
	COUNTER_OF_THREAD,
};

/** A counter: of an event, of all threads on a CPU, or of a thread. */
struct stat_counter {
	const struct event *event;
	bool has_cpu, has_place, has_tid;
	uint32_t cpu;		    /* if @has_cpu */
	uint32_t socket, die, core; /* of the CPU, if @has_place */
	uint32_t tid;		    /* if @has_tid */
	const char *comm;	    /* of the thread; "" if unknown */
	const char *unit;	    /* of value * @scale; "" if there is none */
	double scale;
};

/** What a counter counted in an interval. */
struct counter_stat {
	struct stat_counter counter;
	bool has_time; /* the recording has the end of the interval */
	/* ns since the start: the end of the interval, and its length */
	uint64_t time, interval;
	struct counter_value counted;
};

/** What an event counted in the whole run at one place; a sum of counters. */
struct counter_total {
	struct stat_counter counter; /* only the members that @place needs are valid */
	enum counter_place place;
	struct counter_value counted;
	double metric;		 /* what follows from it and from other counters of the place */
	const char *metric_text; /* "insn per cycle"; NULL: nothing */
	bool metric_percent;	 /* @metric is in percent */
	uint64_t time;		 /* ns that the run took; 0: unknown */
	size_t nr_intervals;	 /* 1 without intervals */
};

/** A ratio of two events, of a function or of the whole run. */
struct metric_stat {
	const struct function_stat *function; /* NULL: the whole run */
	const char *name, *unit;
	bool known; /* @value, @low and @high are valid; else there are too few samples */
	double value;
	bool has_interval;
	double low, high;		     /* 95 % interval */
	bool has_numerator, has_denominator; /* else an event that it needs is missing */
	uint64_t numerator, denominator;
	/* what they count, by names of events; denominator_event may be "": ns of wall clock */
	const char *numerator_event, *denominator_event;
	uint64_t samples;
	const char *method; /* "group", "separate", "counted" */
	const char *note;   /* words separated by spaces; "" if there are none */
};

#endif
