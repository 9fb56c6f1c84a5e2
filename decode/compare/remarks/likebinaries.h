/* Binaries that may be one: gone in the old runs, new in the new ones, with the same functions. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_LIKEBINARIES_H
#define READPERF_DECODE_COMPARE_REMARKS_LIKEBINARIES_H

#include "decode/compare/changes.h"
#include "decode/compare/remarks/likefunctions.h"
#include "decode/compare/remarks/likeness.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIKEBINARIES_MAX = 32 }; /* the largest of a side, which are looked at */

/** All functions of a binary. */
struct likebinary {
	const char *path;      /* of its largest function */
	double largest, value; /* of that one, of all */
	uint64_t samples[2];   /* by side; of all events */
	uint32_t code;	       /* its number */
	uint8_t place;	       /* in @left + 1; 0: none */
};

/** What two binaries have in common. */
struct likebinaries_common {
	double values[2]; /* by side */
	size_t nr;	  /* names of functions */
	bool sized;	  /* one of these functions has code of nearly the same size */
};

/** All zero is empty. */
struct likebinaries {
	struct likebinary *all; /* by number */
	/* Those that the other side lacks, by side, the largest first. */
	struct likebinary *left[2][LIKEBINARIES_MAX];
	size_t nr_left[2];
	struct likebinaries_common common[LIKEBINARIES_MAX][LIKEBINARIES_MAX]; /* by place */
};

/** Gathers the binaries of the @functions of @event of @diff. Returns false if memory is out;
 * likebinaries_free() is due in both cases. */
bool likebinaries_make(struct likebinaries *binaries, const struct diff *diff,
		       const struct diff_event *event, const struct likefunctions *functions);

/** Adds the pairs that may be one; their places are those in @left. */
void likebinaries_pair(const struct likebinaries *binaries, struct likenesses *likes);

void likebinaries_free(struct likebinaries *binaries);

#endif
