/*
 * What a finished run hands to the reports: values only, nothing to compute.
 *
 * Everything here is borrowed from the run and lives until replay_destroy().
 */
#ifndef READPERF_DECODE_RESULTS_H
#define READPERF_DECODE_RESULTS_H

#include "perffile/event.h"
#include "perffile/fact.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Samples and the sum of their periods, in the event's own unit. */
struct tally {
	uint64_t samples, period;
};

/** One function of one binary under one event, or one reason for having no function. */
struct function_stat {
	const struct event *event;
	const char *binary;   /* as recorded, "[kernel.kallsyms]", "[unmapped]" */
	const char *function; /* "[unknown]" if @reason is not "" */
	const char *filename; /* "" if unknown */
	uint32_t line;	      /* 0 if unknown */
	struct tally self;
	struct tally children; /* self included */
	const char *build_id;  /* lower-case hex, "" if unknown */
	const char *reason;    /* "" for a named function */
	struct tally inlined;  /* part of self: in copies that were inlined into other functions */
};

/** One source line of one binary under one event, or one reason for having no line. */
struct line_stat {
	const struct event *event;
	const char *binary;   /* as in struct function_stat */
	const char *filename; /* "" if unknown */
	uint32_t line;	      /* 0 if unknown */
	struct tally self;
	const char *build_id;
	const char *reason; /* "" where there is a line */
};

/** One address of one binary under one event. */
struct address_stat {
	const struct event *event;
	const char *binary;   /* as in struct function_stat */
	uint64_t address;     /* as nm shows it; see struct place_detail */
	const char *function; /* "[unknown]" if it has none */
	uint64_t offset;      /* bytes from the start of @physical */
	const char *filename; /* of the statement; "" if unknown */
	uint32_t line;	      /* of the statement; 0 if unknown */
	struct tally self;
	const char *physical; /* the function that @function was inlined into, or @function */
	bool named;	      /* there is a function */
	const char *build_id;
	const char *reason; /* why there is no name or no line, "" where there is */
};

/** One life of one process: a pid that is used again is another life. */
struct process_stat {
	int64_t pid;   /* -1 for the samples of no known process */
	uint64_t life; /* order in which lives began */
	const char *comm;
	uint64_t nr_mmaps;
	bool has_fork, has_exit, has_ppid;
	uint64_t fork, exit; /* ns of the recording's clock */
	int64_t ppid;
	uint64_t threads;
	const char *exe;	      /* "" if unknown */
	const struct tally *by_event; /* nr_events of them */
};

struct event_stat {
	const struct event *event;
	struct tally total;
	uint64_t lost;	 /* samples that the kernel dropped, where it says of which event */
	const char *pmu; /* as the recording calls the PMU of attr.type; NULL if it does not */
};

/** A row of stat.csv. */
struct record_stat {
	const char *record; /* "MMAP2", "UNKNOWN_200", "[lost]" */
	uint64_t count;
};

struct results {
	const struct event_stat *events; /* in the file's order */
	size_t nr_events;
	const struct function_stat *functions; /* by event, then period descending, then name */
	size_t nr_functions;
	const struct line_stat *lines; /* as functions are; none unless asked for */
	size_t nr_lines;
	const struct address_stat *addresses; /* by event, binary, address; none unless asked for */
	size_t nr_addresses;
	bool inlined;			      /* functions are the innermost inlined ones */
	const struct process_stat *processes; /* by pid, then by life */
	size_t nr_processes;
	const struct record_stat *records; /* types ascending, then the bookkeeping rows */
	size_t nr_records;
	const struct fact *header; /* what the recording says of itself; empty unless asked for */
	size_t nr_header;
	bool filtered; /* a filter was set: rows without a chosen sample were left out */
};

#endif
