/* Sorts integers that carry one more, in linear time. */
#ifndef READPERF_UTIL_KEYSORT_H
#define READPERF_UTIL_KEYSORT_H

#include <stddef.h>
#include <stdint.h>

struct keyed {
	uint64_t key, value;
};

/**
 * Sorts the @nr elements of @list by their keys, ascending; those with equal keys stay in their
 * order. @spare is room for as many.
 */
void keysort(struct keyed *list, struct keyed *spare, size_t nr);

/** As keysort() of pairs of two uint32_t: the key, then what it carries. Half the memory. */
void keysort_pairs(void *list, void *spare, size_t nr);

#endif
