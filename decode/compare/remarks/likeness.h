/* Pairs of something gone and something new that may be the same, and the best of them. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_LIKENESS_H
#define READPERF_DECODE_COMPARE_REMARKS_LIKENESS_H

#include "decode/compare/changes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* so many on one side only have a probability of 1 in 20000 by chance */
	LIKENESS_SAMPLES_MIN = 10,
	LIKENESS_PLACES_MAX = 256, /* maximum for each side */
};

/** The maximum factor between the code sizes of two that are alike. */
#define LIKENESS_SIZE_FACTOR 1.1

/** A pair that may be the same: indices in the lists of the old and the new side. */
struct likeness {
	size_t places[2]; /* below LIKENESS_PLACES_MAX */
	double badness;
};

/** All zero is an empty list. */
struct likenesses {
	struct likeness *list;
	size_t nr, room;
	bool nomem; /* memory was out: pairs are missing */
};

/** The samples of @row on @side; 0 is the old side. */
static inline uint64_t likeness_samples(const struct diff_row *row, int side)
{
	return side ? row->new_sum.samples : row->old_sum.samples;
}

/** Whether only @side has samples of @row, and enough of them that this is not chance. */
static inline bool likeness_is_left(const struct diff_row *row, int side)
{
	return likeness_samples(row, !side) == 0 &&
	       likeness_samples(row, side) >= LIKENESS_SAMPLES_MIN;
}

/** Whether the larger of @a and @b, both above 0, is at most @factor times the other. */
bool likeness_is_near(double a, double b, double factor);

/** Whether a terminal shows @name unchanged, so that it can be pasted. */
bool likeness_is_plain(const char *name);

void likeness_add(struct likenesses *likes, size_t old_place, size_t new_place, double badness);

/** Keeps the best pairs, so that each place of a side occurs once, in the order of the old side. */
void likeness_keep_best(struct likenesses *likes);

#endif
