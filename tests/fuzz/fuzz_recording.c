/* A recording as a file, from its bytes to the answers. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fuzz_way way = {
		.inlined = size & 1,
		.spilled = size & 2, /* everything is read twice */
		.update = size & 4 ? size % 64 : 0,
	};

	const uint64_t digest = fuzz_replay_bytes(data, size, &way);

	if (!way.inlined) /* else samples are looked at one by one */
		fuzz_check(fuzz_replay_bytes(data, size,
					     &(struct fuzz_way){.spilled = way.spilled,
								.gaps = true}) == digest);
	return 0;
}
