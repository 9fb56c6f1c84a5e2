#include "util/keysort.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Writes @from to @to, sorted by the digit at bit @shift. */
static void sort_digit(struct keyed *to, const struct keyed *from, size_t nr, int shift)
{
	size_t starts[DIGITS] = {0}, start = 0;

	for (size_t i = 0; i < nr; i++)
		starts[from[i].key >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		const size_t count = starts[i];

		starts[i] = start;
		start += count;
	}
	for (size_t i = 0; i < nr; i++)
		to[starts[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

void keysort(struct keyed *list, struct keyed *spare, size_t nr)
{
	struct keyed *from = list, *to = spare;
	uint64_t differ = 0;

	for (size_t i = 1; i < nr; i++)
		differ |= list[i].key ^ list[0].key;
	/* Digits begin at bits that differ: most keys have few of them. */
	while (differ) {
		const int shift = __builtin_ctzll(differ);
		struct keyed *sorted = to;

		sort_digit(to, from, nr, shift);
		to = from;
		from = sorted;
		differ &= ~((uint64_t)(DIGITS - 1) << shift);
	}
	if (from != list)
		memcpy(list, from, nr * sizeof(*list));
}
