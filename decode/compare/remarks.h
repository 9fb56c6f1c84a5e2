/* What is worth knowing of a comparison beside its rows: lines of text, said before them. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_H
#define READPERF_DECODE_COMPARE_REMARKS_H

#include "decode/compare/match.h"
#include "decode/compare/verdict.h"
#include "util/error.h"

#include <stddef.h>

/** All zero is an empty list. */
struct remarks {
	char **lines; /* sentences, without a newline; names in them are as they come */
	size_t nr, room;
};

/**
 * Adds what tells the runs of @input apart besides their functions: events, sampling, loss, CPUs;
 * and which renamings fit nothing.
 *
 * @return 0, or -1 with @err filled if they cannot be compared by @measure, or memory is out.
 */
int remarks_make(struct remarks *remarks, const struct match_input *input,
		 const struct match *match, enum measure measure, struct error *err);

void remarks_free(struct remarks *remarks);

#endif
