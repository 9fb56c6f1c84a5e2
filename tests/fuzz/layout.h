/*
 * The rough layout of a recording under mutation: where its records and attrs are, as far as the
 * bytes can be believed, and pieces put in and taken out with the header following.
 *
 * Offsets are in bytes from the recording's start. A read outside gives 0, a write there nothing.
 */
#ifndef READPERF_TESTS_FUZZ_LAYOUT_H
#define READPERF_TESTS_FUZZ_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYOUT_RECORD_HEADER = 8 };

struct layout {
	uint8_t *bytes;
	size_t size, room;
	bool swap; /* in the other byte order */
	bool pipe;
	size_t first, end; /* the records are [first, end) */
	size_t attrs;	   /* a file's; 0 if they cannot be found */
	size_t attr_size, nr_attrs;
};

/** Looks at the @size bytes at @bytes, which may grow to @room. False if it is no recording. */
bool layout_find(struct layout *layout, uint8_t *bytes, size_t size, size_t room);

/** The number of 2, 4 or 8 bytes at @at, in the recording's byte order. */
uint64_t layout_get(const struct layout *layout, size_t at, size_t width);
void layout_put(struct layout *layout, size_t at, size_t width, uint64_t value);

/** Where the record behind the one at @at starts; layout->end if that is none or the last. */
size_t layout_next(const struct layout *layout, size_t at);

size_t layout_nr_records(const struct layout *layout);

/** The @number-th record's offset; layout->end if there are not as many. */
size_t layout_record(const struct layout *layout, size_t number);

/** Where attr @number starts, in a pipe that of its @number-th ATTR record; 0 if there is none. */
size_t layout_attr(const struct layout *layout, size_t number);

/**
 * Replaces @old_len bytes of the records at @at by @len bytes from @from, zeros if that is NULL,
 * which must not lie in the recording. Sections behind move. Returns false if there is no room.
 */
bool layout_replace(struct layout *layout, size_t at, size_t old_len, const void *from, size_t len);

#endif
