/*
 * The section TRACING_DATA: the tracepoints and the layouts of their records.
 *
 * The section is in libtraceevent's format and has its own byte order: header_page and
 * header_event, the formats of ftrace's own events, the formats of other events by system, then
 * kallsyms, printk formats and (version 0.6) saved cmdlines (read_tracing_data() of
 * tools/perf/util/trace-event-info.c).
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

/** All pointers and spans refer to the section's bytes. */
struct tracing {
	const char *version; /* "0.5" */
	bool big_endian;
	uint8_t long_size;  /* bytes of a long of the recorded kernel */
	uint32_t page_size; /* bytes */
	struct span header_page, header_event;
	/* position of tracing_next() */
	struct span rest;
	const char *system; /* of the next formats */
	uint32_t nr_formats, nr_systems;
};

/** A file events/SYSTEM/NAME/format of tracefs. */
struct tracing_event {
	const char *system;
	struct span name; /* empty if the format has no name */
	uint64_t id;	  /* attr.config of its events, valid if @has_id */
	bool has_id;
	struct span format; /* text of the file */
};

/** Reads the start of section @s. Returns false if it is not tracing data. */
bool tracing_open(struct tracing *tracing, struct span s);

/** Takes the next event. Returns false at the end or, with tracing->rest.failed, at damage. */
bool tracing_next(struct tracing *tracing, struct tracing_event *event);

/** Takes the next line, without its newline, from @text. Returns false if there is none. */
bool tracing_line(struct span *text, struct span *line);

/**
 * Whether @line starts with blanks and @key; if so, they are removed from @line, with blanks after
 * @key.
 */
bool tracing_key(struct span *line, const char *key);

#endif
