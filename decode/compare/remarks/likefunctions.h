/* Finds functions of an event that may be the same: one gone, one new. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_LIKEFUNCTIONS_H
#define READPERF_DECODE_COMPARE_REMARKS_LIKEFUNCTIONS_H

#include "decode/compare/changes.h"
#include "decode/compare/remarks/likeness.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A function with a name. */
struct named_function {
	const struct diff_row *row;
	bool alone; /* a renaming from or to it affects only this one, whatever the keys of --per */
};

/** All zero is empty. */
struct likefunctions {
	struct named_function *named; /* by name, then by keys of --per, then by binary */
	size_t nr_named;
	/* Functions that the other side does not have, by side, the largest first. */
	const struct diff_row *left[2][LIKENESS_PLACES_MAX];
	size_t nr_left[2];
};

/** Lists the functions of @event. False if memory is out; call likefunctions_free() even then. */
bool likefunctions_make(struct likefunctions *functions, const struct diff_event *event);

/** The number of the binary of @named. */
static inline uint32_t likefunctions_code(const struct named_function *named)
{
	return named->row->matched->code;
}

/** The number of named functions from index @first on with the same name and keys as that one. */
size_t likefunctions_namesakes(const struct likefunctions *functions, size_t first);

/** Whether the old side has a function called @name. */
bool likefunctions_is_old(const struct likefunctions *functions, const char *name);

/** Adds the pairs that may be the same function; their places are indices in @left. */
void likefunctions_pair(const struct likefunctions *functions, struct likenesses *likes);

void likefunctions_free(struct likefunctions *functions);

#endif
