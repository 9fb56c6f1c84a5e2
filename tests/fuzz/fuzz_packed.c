/*
 * A recording with compressed records of which some bytes are damaged: the unpacking of records,
 * and records of any type over any words.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/fuzz/scenario.h"

#include <string.h>

/* Changes some of the @size bytes, cuts off some; returns how many are left. */
static size_t damage(uint8_t *bytes, size_t size, struct fuzz_choices *choices)
{
	unsigned nr = fuzz_pick(choices, 8);

	for (unsigned i = 0; i < nr; i++) {
		size_t at = (fuzz_u8(choices) * 256U + fuzz_u8(choices)) % size;

		bytes[at] ^= (uint8_t)(1U << fuzz_pick(choices, 8));
	}
	return size - (fuzz_u8(choices) & 1 ? fuzz_u8(choices) % size : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choices choices = fuzz_choices_of(data, size), damages;
	struct mkperf_options shape = scenario_shape(&choices);
	const struct fuzz_way way = {.spilled = fuzz_u8(&choices) & 1};
	size_t len = 0, got;
	const uint8_t *bytes = fuzz_bytes(&choices, 24, &got);
	struct mkperf *m;
	uint8_t *copy;

	damages = fuzz_choices_of(bytes, got);
	m = scenario_make(&shape, choices, true);
	bytes = mkperf_finish(m, &len);
	if (bytes) { /* a loose record may ask for what cannot be */
		copy = malloc(len);
		fuzz_check(copy);
		memcpy(copy, bytes, len);
		fuzz_replay_bytes(copy, damage(copy, len, &damages), &way);
		free(copy);
	}
	mkperf_free(m);
	return 0;
}
