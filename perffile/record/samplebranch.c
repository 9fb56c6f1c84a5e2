/*
 * Entries of branch stacks. Their flags are bit fields, which a big-endian machine lays out from
 * bit 63 on: swapping the bytes is not enough.
 */
#include "perffile/record.h"

enum { ENTRY_BYTES = 24 };

static bool is_big_endian(const struct span *s)
{
	return s->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* The flags of a big-endian machine as a little-endian one has them. */
static uint64_t turn_flags(uint64_t flags)
{
	/* Of struct perf_branch_entry: mispred, predicted, in_tx, abort, cycles, type, spec,
	 * new_type, priv, and what newer kernels use. */
	static const unsigned char widths[] = {1, 1, 1, 1, 16, 4, 2, 4, 3, 31};
	uint64_t turned = 0;
	unsigned at = 0;

	for (size_t i = 0; i < sizeof(widths); i++) {
		const uint64_t mask = (UINT64_C(1) << widths[i]) - 1;

		turned |= (flags >> (64 - at - widths[i]) & mask) << at;
		at += widths[i];
	}
	return turned;
}

bool sample_branch_next(struct span *entries, struct branch_entry *entry)
{
	if (span_left(entries) < ENTRY_BYTES)
		return false;
	entry->from = span_u64(entries);
	entry->to = span_u64(entries);
	entry->flags = span_u64(entries);
	if (is_big_endian(entries))
		entry->flags = turn_flags(entry->flags);
	return true;
}
