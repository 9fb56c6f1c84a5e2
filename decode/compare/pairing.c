#include "decode/compare/pairing.h"

#include <stdlib.h>

/* Names of both sides last, the others by their common name. */
static int compare_names(const void *a, const void *b)
{
	const struct paired_name *x = a, *y = b;

	if ((x->sides == SIDE_BOTH) != (y->sides == SIDE_BOTH))
		return x->sides == SIDE_BOTH ? 1 : -1;
	if (x->common != y->common)
		return x->common < y->common ? -1 : 1;
	return x->exact < y->exact ? -1 : x->exact > y->exact;
}

/* Gives the names from @first on that have its common name its class; returns how many. */
static size_t make_class(struct paired_name *first, size_t nr, unsigned *sides)
{
	size_t i;

	*sides = 0;
	for (i = 0; i < nr && first[i].sides != SIDE_BOTH && first[i].common == first->common;
	     i++) {
		first[i].class = first->exact;
		*sides |= first[i].sides;
	}
	return i;
}

/* Joins the classes that only one side has, if there are such on both sides. */
static void join_rest(struct paired_name *names, size_t nr)
{
	const struct paired_name *rest = NULL;
	unsigned sides, all = 0;

	for (size_t i = 0; i < nr && names[i].sides != SIDE_BOTH;) {
		size_t size = make_class(&names[i], nr - i, &sides);

		all |= sides == SIDE_BOTH ? 0 : sides;
		i += size;
	}
	for (size_t i = 0; all == SIDE_BOTH && i < nr && names[i].sides != SIDE_BOTH;) {
		size_t size = make_class(&names[i], nr - i, &sides);

		if (sides != SIDE_BOTH) {
			rest = rest ? rest : &names[i];
			for (size_t k = i; k < i + size; k++)
				names[k].class = rest->exact;
		}
		i += size;
	}
}

void pairing_make(struct paired_name *names, size_t nr, bool join)
{
	unsigned sides;
	size_t i = 0;

	if (nr > 1)
		qsort(names, nr, sizeof(*names), compare_names);
	while (i < nr && names[i].sides != SIDE_BOTH)
		i += make_class(&names[i], nr - i, &sides);
	for (; i < nr; i++)
		names[i].class = names[i].exact;
	if (join)
		join_rest(names, nr);
}
