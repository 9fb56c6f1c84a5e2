/*
 * Packed files of symbols and .gnu_debugdata: what comes out of unpacking is within its limit, and
 * what was packed well comes out as it was.
 *
 * An even first byte: the rest is taken for packed; an odd one: it is packed first.
 */
#include "util/codec/unpack.h"

#include "tests/fuzz/fuzz.h"
#include "tests/writer/mkperf.h"

#include <string.h>

enum { LIMIT = 1 << 20 };

static void unpack_any(const uint8_t *bytes, size_t size)
{
	struct span packed = span_make(bytes, size, false);
	bool nomem = false;
	size_t len = 0;

	free(unpack(packed, LIMIT, &len, &nomem));
	fuzz_check(len <= LIMIT + 1);
}

static void unpack_packed(const uint8_t *bytes, size_t size, enum mkperf_wrapper wrapper)
{
	size_t packed_size = 0, len = 0;
	uint8_t *packed = mkperf_wrap(wrapper, bytes, size, &packed_size);
	bool nomem = false;
	uint8_t *plain;

	fuzz_check(packed);
	plain = unpack(span_make(packed, packed_size, false), LIMIT, &len, &nomem);
	if (size > 0 && size < LIMIT && unpack_knows(packed))
		fuzz_check(plain && len == size && memcmp(plain, bytes, size) == 0);
	free(plain);
	free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] & 1)
		unpack_packed(data + 1, size - 1,
			      (enum mkperf_wrapper)(data[0] / 2 % MKPERF_WRAPPERS));
	else
		unpack_any(data + 1, size - 1);
	return 0;
}
