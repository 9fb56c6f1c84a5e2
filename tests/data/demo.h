/* A word by its hash and how often it was seen. */
struct entry {
	unsigned hash, count;
};

/* Sorts entries[low..high], both inclusive, by count, the most frequent first. */
void sort_entries(struct entry *entries, int low, int high);
