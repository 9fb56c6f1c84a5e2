/*
 * A well-formed recording that the bytes choose: it can be read, and the answers are the same in
 * whatever shape it comes and with next to nothing kept in memory.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/fuzz/scenario.h"

static uint64_t digest_of(const struct mkperf_options *options, struct fuzz_choices choices,
			  const struct fuzz_way *way)
{
	struct mkperf *m = scenario_make(options, choices, false);
	size_t size = 0;
	const uint8_t *bytes = mkperf_finish(m, &size);
	uint64_t digest;

	fuzz_check(bytes);
	digest = fuzz_replay_bytes(bytes, size, way);
	fuzz_check(digest != 0);
	mkperf_free(m);
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mkperf_options plain = {0};
	struct fuzz_choices choices = fuzz_choices_of(data, size);
	struct mkperf_options other = scenario_shape(&choices);
	const unsigned how = fuzz_u8(&choices);
	struct fuzz_way way = {.spilled = how & 1, .gaps = how & 2, .update = fuzz_u8(&choices)};

	fuzz_check(digest_of(&plain, choices, &(struct fuzz_way){0}) ==
		   digest_of(&other, choices, &way));
	return 0;
}
