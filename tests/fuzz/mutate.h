/*
 * Mutants of recordings: damage as disks and strangers do it, and changes to records, attrs and
 * header that leave the rest well-formed, so that they are read far into.
 */
#ifndef READPERF_TESTS_FUZZ_MUTATE_H
#define READPERF_TESTS_FUZZ_MUTATE_H

#include "tests/fuzz/layout.h"

/** The next of a series of random numbers; the state may be any number. */
uint64_t mutate_random(uint64_t *state);

/** A number from 0 to @nr - 1; 0 if @nr is 0. */
uint64_t mutate_below(uint64_t *state, uint64_t nr);

/** A number at an edge of something. */
uint64_t mutate_interesting(uint64_t *state);

/** What a mutation works on. */
struct mutation {
	struct layout layout;
	const struct layout *other; /* another recording, to take pieces from; or NULL */
	uint64_t random;
};

/** A way to change a recording; it may do nothing if that one lacks what it changes. */
struct mutator {
	const char *name;
	void (*run)(struct mutation *mutation);
};

/** Ways that leave the records well-formed, but for what they change. */
extern const struct mutator mutate_records[];
extern const unsigned mutate_nr_records;

/** Ways that take a recording for bytes. */
extern const struct mutator mutate_bytes[];
extern const unsigned mutate_nr_bytes;

/**
 * Changes the recording of @size bytes at @bytes in some ways that @seed chooses, with pieces of
 * @other, which may be NULL. It may grow to @room bytes. What is no recording is changed as bytes.
 *
 * @return its new size
 */
size_t mutate(uint8_t *bytes, size_t size, size_t room, const struct layout *other, uint64_t seed);

#endif
