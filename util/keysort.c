#include "util/keysort.h"

#include <stdint.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* The functions below are made for each of the two sizes of elements. */
#define FOR_EACH_SIZE static inline __attribute__((always_inline))

FOR_EACH_SIZE uint64_t key_at(const uint8_t *list, size_t i, size_t size)
{
	uint64_t wide;
	uint32_t narrow;

	if (size == sizeof(struct keyed)) {
		memcpy(&wide, list + i * size + offsetof(struct keyed, key), sizeof(wide));
		return wide;
	}
	memcpy(&narrow, list + i * size, sizeof(narrow));
	return narrow;
}

/* Writes @from to @to, sorted by the digit at bit @shift. */
FOR_EACH_SIZE void sort_digit(uint8_t *to, const uint8_t *from, size_t nr, int shift, size_t size)
{
	size_t starts[DIGITS] = {0}, start = 0;

	for (size_t i = 0; i < nr; i++)
		starts[key_at(from, i, size) >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		const size_t count = starts[i];

		starts[i] = start;
		start += count;
	}
	for (size_t i = 0; i < nr; i++) {
		const size_t at = starts[key_at(from, i, size) >> shift & (DIGITS - 1)]++;

		memcpy(to + at * size, from + i * size, size);
	}
}

FOR_EACH_SIZE void sort(uint8_t *list, uint8_t *spare, size_t nr, size_t size)
{
	uint8_t *from = list, *to = spare;
	uint64_t differ = 0;

	for (size_t i = 1; i < nr; i++)
		differ |= key_at(list, i, size) ^ key_at(list, 0, size);
	/* Digits begin at bits that differ: most keys have few of them. */
	while (differ) {
		const int shift = __builtin_ctzll(differ);
		uint8_t *sorted = to;

		sort_digit(to, from, nr, shift, size);
		to = from;
		from = sorted;
		differ &= ~((uint64_t)(DIGITS - 1) << shift);
	}
	if (from != list)
		memcpy(list, from, nr * size);
}

void keysort(struct keyed *list, struct keyed *spare, size_t nr)
{
	sort((uint8_t *)list, (uint8_t *)spare, nr, sizeof(*list));
}

void keysort_pairs(void *list, void *spare, size_t nr)
{
	sort(list, spare, nr, 2 * sizeof(uint32_t));
}
