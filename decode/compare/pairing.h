/*
 * Which names of two sides are one: those that are the same first, then those that only versions
 * and the like tell apart.
 */
#ifndef READPERF_DECODE_COMPARE_PAIRING_H
#define READPERF_DECODE_COMPARE_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pairing_sides { SIDE_OLD = 1, SIDE_NEW = 2, SIDE_BOTH = 3 };

/** A name that some run has; numbers of strings. */
struct paired_name {
	uint32_t exact;	 /* the name itself, different for each element */
	uint32_t common; /* the name without what does not tell apart (decode/compare/name.h) */
	unsigned sides;	 /* bits: which sides have it */
	uint32_t class;	 /* out: equal for names that are one; the exact name of one of them */
};

/**
 * Sets the classes of the @nr @names, which are reordered. A name that both sides have is a class
 * of its own. Of the others, those with one common name are one. If @join, what is left on both
 * sides then is one class, too.
 */
void pairing_make(struct paired_name *names, size_t nr, bool join);

#endif
