/*
 * A recording wrapped in gzip, xz, zstd or bzip2, whole or as two wrapped parts one behind the
 * other, with some bytes of the wrapping damaged or cut off.
 *
 * Two bytes say how; the wrapped bytes follow.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/writer/mkperf.h"

#include <string.h>

/* The bytes wrapped, in two parts if @twice; to be freed. */
static uint8_t *wrap(enum mkperf_wrapper wrapper, const uint8_t *data, size_t size, bool twice,
		     size_t *len)
{
	size_t first_size = twice ? size / 2 : size, first_len = 0, second_len = 0;
	uint8_t *first = mkperf_wrap(wrapper, data, first_size, &first_len);
	uint8_t *second = mkperf_wrap(wrapper, data + first_size, size - first_size, &second_len);
	uint8_t *all;

	fuzz_check(first && second);
	*len = first_len + (twice ? second_len : 0);
	all = malloc(*len);
	fuzz_check(all);
	memcpy(all, first, first_len);
	if (twice)
		memcpy(all + first_len, second, second_len);
	free(first);
	free(second);
	return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fuzz_way way = {0};
	struct fuzz_choices choices = fuzz_choices_of(data, size);
	uint8_t how = fuzz_u8(&choices), place = fuzz_u8(&choices);
	unsigned kind = how % 8U % (MKPERF_WRAPPERS + 1);
	uint64_t plain_digest, digest;
	uint8_t *wrapped;
	size_t left, len;
	const uint8_t *plain = fuzz_bytes(&choices, size, &left);

	if (kind == MKPERF_WRAPPERS) { /* what the fuzzer takes for a wrapper */
		fuzz_replay_bytes(plain, left, &way);
		return 0;
	}
	wrapped = wrap((enum mkperf_wrapper)kind, plain, left, how & 4, &len);
	if (how & 8)
		wrapped[place * len / 256] ^= (uint8_t)(1 << (how >> 5));
	digest = fuzz_replay_bytes(wrapped, how & 16 ? place * len / 256 : len, &way);
	free(wrapped);
	if (how & (8 | 16) || !digest)
		return 0;
	plain_digest = fuzz_replay_bytes(plain, left, &way);
	fuzz_check(digest == plain_digest);
	return 0;
}
