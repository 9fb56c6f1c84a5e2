#include "decode/trace/csframe.h"

#include <string.h>

/* Adds a byte of trace @id to the last of @nr runs, or to a new one. Returns their number. */
static size_t add(struct csframe_run *runs, size_t nr, uint8_t id, uint8_t byte)
{
	if (nr == 0 || runs[nr - 1].id != id)
		runs[nr++] = (struct csframe_run){.id = id};
	runs[nr - 1].bytes[runs[nr - 1].nr++] = byte;
	return nr;
}

size_t csframe_divide(const uint8_t frame[CSFRAME_BYTES], uint8_t *id,
		      struct csframe_run runs[CSFRAME_DATA_MAX])
{
	const uint8_t flags = frame[CSFRAME_BYTES - 1];
	size_t nr = 0;

	for (unsigned i = 0; i < CSFRAME_BYTES / 2; i++) {
		const uint8_t even = frame[2 * i], flag = flags >> i & 1;
		const bool has_odd = 2 * i + 1 < CSFRAME_BYTES - 1;

		/* A new id comes into force before the odd byte or, with the flag, behind it. */
		if (!(even & 1))
			nr = add(runs, nr, *id, even | flag);
		else if (!flag)
			*id = even >> 1;
		if (has_odd)
			nr = add(runs, nr, *id, frame[2 * i + 1]);
		if (even & 1)
			*id = even >> 1;
	}
	return nr;
}

bool csframe_is_barrier(const uint8_t frame[CSFRAME_BYTES])
{
	static const uint8_t barrier[CSFRAME_BYTES] = {
		0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
		0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
	};

	return memcmp(frame, barrier, sizeof(barrier)) == 0;
}
