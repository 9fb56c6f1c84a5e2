#include "decode/compare/remarks/likeness.h"

#include "util/array.h"
#include "util/charwidth.h"
#include "util/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool likeness_is_near(double a, double b, double factor)
{
	return a > 0 && b > 0 && fabs(log(a / b)) <= log(factor);
}

bool likeness_is_plain(const char *name)
{
	for (size_t left = strlen(name); left;) {
		uint32_t code;
		size_t len = text_decode(name, left, &code);

		if (code == TEXT_INVALID || charwidth(code) < 0)
			return false;
		name += len;
		left -= len;
	}
	return true;
}

void likeness_add(struct likenesses *likes, size_t old_place, size_t new_place, double badness)
{
	if (!array_grow(likes->list, likes->room, likes->nr + 1))
		likes->nomem = true;
	else
		likes->list[likes->nr++] = (struct likeness){{old_place, new_place}, badness};
}

static int compare_places(const void *a, const void *b)
{
	const struct likeness *x = a, *y = b;

	for (int side = 0; side < 2; side++)
		if (x->places[side] != y->places[side])
			return x->places[side] < y->places[side] ? -1 : 1;
	return 0;
}

static int compare_badness(const void *a, const void *b)
{
	const struct likeness *x = a, *y = b;

	if (x->badness != y->badness)
		return x->badness < y->badness ? -1 : 1;
	return compare_places(a, b);
}

void likeness_keep_best(struct likenesses *likes)
{
	bool used[2][LIKENESS_PLACES_MAX] = {{false}};
	size_t nr = 0;

	if (likes->nr > 1)
		qsort(likes->list, likes->nr, sizeof(*likes->list), compare_badness);
	for (size_t i = 0; i < likes->nr; i++) {
		const size_t *places = likes->list[i].places;

		if (used[0][places[0]] || used[1][places[1]])
			continue;
		used[0][places[0]] = used[1][places[1]] = true;
		likes->list[nr++] = likes->list[i];
	}
	likes->nr = nr;
	if (nr > 1)
		qsort(likes->list, nr, sizeof(*likes->list), compare_places);
}
