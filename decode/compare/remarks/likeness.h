/* Pairs of what is gone and what is new that may be one, and the best of them. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_LIKENESS_H
#define READPERF_DECODE_COMPARE_REMARKS_LIKENESS_H

#include "decode/compare/changes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LIKENESS_SAMPLES_MIN = 10, /* chance takes so many from one side in 1 of 20000 cases */
	LIKENESS_PLACES_MAX = 256, /* of a side */
};

/** The code of two that are alike differs in size by at most this factor. */
#define LIKENESS_SIZE_FACTOR 1.1

/** One that may be another: their places in lists of the old and the new side. */
struct likeness {
	size_t places[2]; /* below LIKENESS_PLACES_MAX */
	double badness;
};

/** All zero is an empty list. */
struct likenesses {
	struct likeness *list;
	size_t nr, room;
	bool nomem; /* not all are in it */
};

/** Samples of @row on a side: 0 is the old one. */
static inline uint64_t likeness_samples(const struct diff_row *row, int side)
{
	return side ? row->new_sum.samples : row->old_sum.samples;
}

/** Whether only @side has @row, and that not by chance. */
static inline bool likeness_is_left(const struct diff_row *row, int side)
{
	return likeness_samples(row, !side) == 0 &&
	       likeness_samples(row, side) >= LIKENESS_SAMPLES_MIN;
}

/** Whether the larger of @a and @b, both above 0, is at most @factor times the other. */
bool likeness_is_near(double a, double b, double factor);

/** Whether @name comes through a terminal unchanged, and so can be pasted. */
bool likeness_is_plain(const char *name);

void likeness_add(struct likenesses *likes, size_t old_place, size_t new_place, double badness);

/** Keeps the best pairs, each place of a side once, in the order of the old side. */
void likeness_keep_best(struct likenesses *likes);

#endif
