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

	fuzz_replay_bytes(data, size, &way);
	return 0;
}
