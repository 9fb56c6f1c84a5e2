#include "decode/replay/gapsamples.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* Records, as far as plain_sample_chain() reads them. */
struct gap_records {
	struct gap_records *next;
	uint8_t bytes[];
};

static size_t bytes_of(const struct plain_sample *sample)
{
	if (!sample->event->chains)
		return 0;
	return (size_t)(plain_sample_chain(sample, false).pos - sample->bytes) +
	       sample->nr_ips * sizeof(uint64_t);
}

/* Copies the records of the @nr samples @list, which may go soon. Returns false if memory is out.
 */
static bool keep_records(struct gap_samples *gap, struct plain_sample *list, size_t nr)
{
	struct gap_records *records;
	size_t bytes = 0;

	for (size_t i = 0; i < nr; i++)
		bytes += bytes_of(&list[i]);
	if (bytes == 0)
		return true;
	records = malloc(sizeof(*records) + bytes);
	if (!records)
		return false;
	records->next = gap->records;
	gap->records = records;
	gap->bytes += bytes;
	bytes = 0;
	for (size_t i = 0; i < nr; i++) {
		const size_t len = bytes_of(&list[i]);

		memcpy(&records->bytes[bytes], list[i].bytes, len);
		list[i].bytes = &records->bytes[bytes];
		bytes += len;
	}
	return true;
}

bool gap_samples_hold(struct gap_samples *gap, const struct plain_sample *samples, size_t nr,
		      bool swap)
{
	struct plain_sample *list;

	if (nr == 0)
		return true;
	if (!array_grow(gap->list, gap->room, gap->nr + nr))
		return false;
	list = &gap->list[gap->nr];
	memcpy(list, samples, nr * sizeof(*list));
	if (!keep_records(gap, list, nr))
		return false;
	gap->nr += nr;
	gap->bytes += nr * sizeof(*list);
	gap->swap = swap;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct plain_sample *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

void gap_samples_sort(struct gap_samples *gap)
{
	if (gap->nr)
		qsort(gap->list, gap->nr, sizeof(*gap->list), compare);
}

void gap_samples_clear(struct gap_samples *gap)
{
	for (struct gap_records *records = gap->records, *next; records; records = next) {
		next = records->next;
		free(records);
	}
	gap->records = NULL;
	gap->nr = gap->bytes = 0;
}

void gap_samples_free(struct gap_samples *gap)
{
	gap_samples_clear(gap);
	free(gap->list);
	*gap = (struct gap_samples){0};
}
