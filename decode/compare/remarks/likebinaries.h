/* Finds binaries that may be the same: one gone, one new, with the same functions. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_LIKEBINARIES_H
#define READPERF_DECODE_COMPARE_REMARKS_LIKEBINARIES_H

#include "decode/compare/changes.h"
#include "decode/compare/remarks/likefunctions.h"
#include "decode/compare/remarks/likeness.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIKEBINARIES_MAX = 32 }; /* number of binaries of a side that are compared, the largest */

/** The sum of all functions of a binary. */
struct likebinary {
	const char *path;      /* path in the row of its largest function */
	double largest, value; /* value of the largest function, and of all functions */
	uint64_t samples[2];   /* by side, summed over its functions */
	uint32_t code;	       /* number of the binary */
	uint8_t place;	       /* index in @left + 1; 0: none */
};

/** What two binaries have in common. */
struct likebinaries_common {
	double values[2]; /* values by side */
	size_t nr;	  /* number of function names in common */
	/* at least one of these functions has code of nearly the same size on both sides */
	bool sized;
};

/** All zero is empty. */
struct likebinaries {
	struct likebinary *all; /* by binary number */
	/* Binaries that the other side does not have, by side, the largest first. */
	struct likebinary *left[2][LIKEBINARIES_MAX];
	size_t nr_left[2];
	/* by indices in @left: old, new */
	struct likebinaries_common common[LIKEBINARIES_MAX][LIKEBINARIES_MAX];
};

/**
 * Sums the binaries of the @functions of @event of @diff. Returns false if memory is out; call
 * likebinaries_free() even then.
 */
bool likebinaries_make(struct likebinaries *binaries, const struct diff *diff,
		       const struct diff_event *event, const struct likefunctions *functions);

/** Adds the pairs that may be the same binary; their places are indices in @left. */
void likebinaries_pair(const struct likebinaries *binaries, struct likenesses *likes);

void likebinaries_free(struct likebinaries *binaries);

#endif
