/*
 * The section TRACING_DATA: which tracepoints there are and what their records hold.
 *
 * A blob that libtraceevent made, with a byte order of its own: header_page and header_event, the
 * formats of ftrace's own events, those of the events by system, then kallsyms, printk formats and
 * (version 0.6) commands (read_tracing_data() of tools/perf/util/trace-event-info.c).
 *
 *	if (tracing_open(&tracing, section))
 *		while (tracing_next(&tracing, &event))
 *			...
 */
#ifndef READPERF_PERFFILE_FEATURE_TRACING_H
#define READPERF_PERFFILE_FEATURE_TRACING_H

#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** All is borrowed from the section's bytes. */
struct tracing {
	const char *version; /* "0.5" */
	bool big_endian;
	uint8_t long_size;  /* bytes of a long of the recorded kernel */
	uint32_t page_size; /* bytes */
	struct span header_page, header_event;
	/* the walk */
	struct span rest;
	const char *system; /* of the formats that come next */
	uint32_t nr_formats, nr_systems;
};

/** A file events/SYSTEM/NAME/format of tracefs. */
struct tracing_event {
	const char *system;
	struct span name; /* empty if the format does not say it */
	uint64_t id;	  /* the config of its events, valid if @has_id */
	bool has_id;
	struct span format; /* its text */
};

/** Reads the start of section @s. Returns false if it cannot be tracing data. */
bool tracing_open(struct tracing *tracing, struct span s);

/** Takes the next event. Returns false at the end of them or, with tracing->rest.failed, of what is
 * whole. */
bool tracing_next(struct tracing *tracing, struct tracing_event *event);

/** Takes the next line off @text, without its end; false if there is none. */
bool tracing_line(struct span *text, struct span *line);

/** Whether @line starts with @key, blanks before it passed over; then it is cut behind it. */
bool tracing_key(struct span *line, const char *key);

#endif
