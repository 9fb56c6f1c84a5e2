/*
 * Fields of tracepoints: their layout, from the format that the recording has of each tracepoint,
 * and their values in the raw data of samples.
 *
 *	if (perffile_tracepoint(file, event->attr.config, &point) &&
 *	    tracefield_find(&point, "prev_pid", 8, &field) &&
 *	    tracefield_number(&field, rec->sample.extra.raw, &value))
 *
 * Formats and raw data are untrusted: a format may lie about sizes, and raw data may be shorter
 * than it says. A value that is not whole is no value.
 */
#ifndef READPERF_PERFFILE_TRACEFIELD_H
#define READPERF_PERFFILE_TRACEFIELD_H

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A tracepoint as the recording describes it. Borrowed from its perffile handle. */
struct tracepoint {
	const char *system; /* "sched" */
	struct span name;   /* "sched_switch" */
	struct span format; /* tracefs' file format; format.swap: byte order of raw data, too */
	uint8_t long_size;  /* bytes of a long of the recorded kernel */
};

enum tracefield_kind {
	TRACEFIELD_NUMBER, /* an integer of 1, 2, 4 or 8 bytes */
	TRACEFIELD_TEXT,   /* characters, up to a NUL if there is one */
	TRACEFIELD_ARRAY,  /* anything else: elements of 1, 2, 4 or 8 bytes */
};

/** Where the bytes of a field are. */
enum tracefield_place {
	TRACEFIELD_HERE,     /* at its offset */
	TRACEFIELD_DATA_LOC, /* at its offset: u16 offset from the start of the data, u16 length */
	TRACEFIELD_REL_LOC,  /* the same, with an offset from the end of these 4 bytes */
};

/** A field of a tracepoint. All but @name is by value. */
struct tracefield {
	struct span name;      /* in the format */
	uint32_t offset, size; /* bytes in the raw data, as the format says */
	enum tracefield_kind kind;
	enum tracefield_place place;
	uint8_t element; /* bytes of the number, or of an element of the array */
	bool is_signed;	 /* the numbers are */
	bool is_pointer; /* the number is an address of the recorded machine */
	bool swap;	 /* byte order of the numbers is not the host's */
};

/**
 * Takes the next field from @text, which starts as @point->format. Lines that are no fields, and
 * fields without a name or size, are stepped over. Returns false at the end.
 */
bool tracefield_next(const struct tracepoint *point, struct span *text, struct tracefield *field);

/**
 * Finds the field with the @len bytes @name, also a common one ("common_pid"). Returns false if
 * there is none.
 */
bool tracefield_find(const struct tracepoint *point, const char *name, size_t len,
		     struct tracefield *field);

/** Makes of an array or number @field its element @number. Returns false if there is none. */
bool tracefield_element(struct tracefield *field, uint32_t number);

/**
 * Sets *@value to the number @field in the @raw data of a sample, sign extended. Returns false if
 * it is not a number, or not within the data.
 */
bool tracefield_number(const struct tracefield *field, struct span raw, uint64_t *value);

/**
 * Sets *@bytes to the bytes of the field in the @raw data: a text's without its NUL, an array's
 * elements. Returns false if it is a number, or not within the data.
 */
bool tracefield_bytes(const struct tracefield *field, struct span raw, struct span *bytes);

/** Takes the next element of the array @field from @bytes. Returns false if none is left. */
bool tracefield_take(const struct tracefield *field, struct span *bytes, uint64_t *value);

#endif
