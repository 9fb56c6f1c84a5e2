/*
 * libFuzzer's mutations of recordings: in part its own, which know what comparisons the target
 * makes, in part those of mutate.c, which keep a recording well-formed.
 *
 * Bytes that choose what is done with a recording may stand before it.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
				 size_t size2, uint8_t *out, size_t max_out_size, unsigned seed);

/* Where the recording starts; @size if there is none. */
static size_t recording_at(const uint8_t *data, size_t size)
{
	enum { CHOICES_MAX = 2 };

	for (size_t at = 0; at <= CHOICES_MAX && at + 8 <= size; at++)
		if (memcmp(data + at, "PERFILE2", 8) == 0 || memcmp(data + at, "2ELIFREP", 8) == 0)
			return at;
	return size;
}

/* libFuzzer's mutation of the body of one record, which keeps its size. */
static void mutate_body(uint8_t *data, size_t size, uint64_t random)
{
	struct layout layout;
	size_t at, len;

	if (!layout_find(&layout, data, size, size))
		return;
	at = layout_record(&layout, mutate_below(&random, layout_nr_records(&layout)));
	len = layout_next(&layout, at) - at;
	if (len > LAYOUT_RECORD_HEADER)
		LLVMFuzzerMutate(data + at + LAYOUT_RECORD_HEADER, len - LAYOUT_RECORD_HEADER,
				 len - LAYOUT_RECORD_HEADER);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	size_t at = recording_at(data, size);

	if (at == size || seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	if (at > 0 && seed % 8 == 1)
		return LLVMFuzzerMutate(data, at, at), size;
	if (seed % 8 < 4)
		return mutate_body(data + at, size - at, seed), size;
	return at + mutate(data + at, size - at, max_size - at, NULL, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
				 size_t size2, uint8_t *out, size_t max_out_size, unsigned seed)
{
	size_t at = recording_at(data1, size1), at2 = recording_at(data2, size2);
	uint8_t *second = (uint8_t *)fuzz_text(data2, size2);
	size_t size = size1 < max_out_size ? size1 : max_out_size;
	struct layout other;

	memcpy(out, data1, size);
	if (at < size && layout_find(&other, second + at2, size2 - at2, size2 - at2))
		size = at + mutate(out + at, size - at, max_out_size - at, &other, seed);
	free(second);
	return size;
}
