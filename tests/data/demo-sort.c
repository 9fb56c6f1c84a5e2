#include "demo.h"

/* <0 if @a belongs before @b. */
__attribute__((noinline)) static int compare(const struct entry *a, const struct entry *b)
{
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return a->hash < b->hash ? -1 : a->hash > b->hash;
}

static void swap(struct entry *a, struct entry *b)
{
	struct entry old = *a;

	*a = *b;
	*b = old;
}

/* Recursive: the same function several times in one call chain. */
void sort_entries(struct entry *entries, int low, int high)
{
	struct entry pivot = entries[(low + high) / 2];
	int left = low, right = high;

	while (left <= right) {
		while (compare(&entries[left], &pivot) < 0)
			left++;
		while (compare(&entries[right], &pivot) > 0)
			right--;
		if (left <= right)
			swap(&entries[left++], &entries[right--]);
	}
	if (low < right)
		sort_entries(entries, low, right);
	if (left < high)
		sort_entries(entries, left, high);
}
