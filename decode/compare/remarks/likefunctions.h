/* Functions of an event that may be one: gone in the old runs, new in the new ones. */
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
	bool alone; /* a renaming of it or to it affects no other function */
};

/** All zero is empty. */
struct likefunctions {
	struct named_function *named; /* by name, then by binary */
	size_t nr_named;
	/* Those that the other side lacks, by side, the largest first. */
	const struct diff_row *left[2][LIKENESS_PLACES_MAX];
	size_t nr_left[2];
};

/** Gathers the functions of @event. Returns false if memory is out; likefunctions_free() is due in
 * both cases. */
bool likefunctions_make(struct likefunctions *functions, const struct diff_event *event);

/** The number of the binary of @named. */
static inline uint32_t likefunctions_code(const struct named_function *named)
{
	return named->row->matched->code;
}

/** How many of the named functions from @first on have its name. */
size_t likefunctions_namesakes(const struct likefunctions *functions, size_t first);

/** Whether a function of the old side is called @name. */
bool likefunctions_is_old(const struct likefunctions *functions, const char *name);

/** Adds the pairs that may be one; their places are those in @left. */
void likefunctions_pair(const struct likefunctions *functions, struct likenesses *likes);

void likefunctions_free(struct likefunctions *functions);

#endif
