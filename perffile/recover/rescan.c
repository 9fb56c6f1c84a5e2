#include "perffile/recover/rescan.h"

#include "perffile/format.h"

/* Returns the size in the header at @s, or 0 if it is less than a header's. */
static uint16_t header_size(struct span s)
{
	uint16_t size;

	span_skip(&s, 6);
	size = span_u16(&s);
	return size < RECORD_HEADER_BYTES ? 0 : size;
}

static uint32_t header_type(struct span s)
{
	return span_u32(&s);
}

/* Returns bytes [from, end) of @s. */
static struct span part(struct span s, size_t from, size_t end)
{
	return span_make(s.pos + from, end - from, s.swap);
}

/* Whether record sizes lead from the start of @s to its byte @target. */
static bool sizes_lead_to(struct span s, size_t target)
{
	size_t at = 0;

	while (at < target && span_left(&s) >= RECORD_HEADER_BYTES) {
		uint16_t size = header_size(s);

		if (size == 0)
			return false;
		at += size;
		span_skip(&s, size);
	}
	return at == target;
}

/*
 * Looks for records inside the first @size bytes: a size that is too large may by chance lead to a
 * later record, or to the end. They must end at byte @size. Returns their offset, or 0 if there are
 * none.
 */
static size_t find_swallowed(const struct plausibility *plausible, struct span s, uint16_t size)
{
	for (size_t at = RECORD_HEADER_BYTES; at + RECORD_HEADER_BYTES <= size; at++) {
		if (plausible_chain(plausible, part(s, at, size), END_EXACT) == CHAIN_HOLDS)
			return at;
	}
	return 0;
}

/* Whether the first record's size leads to records; *@swallowed: where some are inside it, or 0. */
static enum record_chain check_size(const struct plausibility *plausible, struct span s,
				    enum plausible_end end, size_t *swallowed)
{
	const size_t left = span_left(&s);
	uint16_t size;
	enum record_chain next;

	*swallowed = 0;
	if (left < RECORD_HEADER_BYTES)
		return end == END_OPEN ? CHAIN_MORE : CHAIN_NONE;
	size = header_size(s);
	if (size == 0)
		return CHAIN_NONE;
	if (size > left)
		return end == END_OPEN ? CHAIN_MORE : CHAIN_NONE;
	next = plausible_next(plausible, part(s, size, left), end);
	if (next == CHAIN_HOLDS && !plausible_new_type(header_type(s), size))
		*swallowed = find_swallowed(plausible, s, size);
	return next;
}

/* Skips zeros of @s from byte @at on: a header there would have size 0. Returns where they end. */
static size_t pass_zeros(const struct span *s, size_t at)
{
	const size_t left = span_left(s);

	while (at + 16 <= left && span_peek_u64(s, at) == 0 && span_peek_u64(s, at + 8) == 0)
		at += 8;
	return at;
}

/* Looks for the next records, from the first byte not yet scanned on. */
static enum rescan_result search(struct rescan *rescan, const struct plausibility *plausible,
				 struct span s, enum plausible_end end, size_t *bytes)
{
	const size_t left = span_left(&s);
	size_t at = rescan->scanned;

	if (at == 0 && !rescan->lost)
		at = 1;
	for (at = pass_zeros(&s, at); at + RECORD_HEADER_BYTES <= left;
	     at = pass_zeros(&s, at + 1)) {
		enum record_chain chain;

		if (header_type(part(s, at, left)) >= RECORD_SIZES_TYPES)
			continue;
		chain = plausible_chain(plausible, part(s, at, left), end);
		if (chain == CHAIN_NONE)
			continue;
		rescan->scanned = at;
		*bytes = at;
		return chain == CHAIN_HOLDS ? RESCAN_STEP : RESCAN_MORE;
	}
	rescan->scanned = at < left ? at : left;
	*bytes = left;
	return end == END_OPEN ? RESCAN_MORE : RESCAN_NONE;
}

enum rescan_result rescan_look(struct rescan *rescan, const struct plausibility *plausible,
			       struct span s, bool at_end, size_t *bytes)
{
	const enum plausible_end end = at_end ? END_LOOSE : END_OPEN;
	enum rescan_result verdict;

	if (!rescan->lost && rescan->scanned == 0) {
		enum record_chain chain = check_size(plausible, s, end, bytes);

		if (chain == CHAIN_MORE)
			return RESCAN_MORE;
		if (chain == CHAIN_HOLDS && *bytes)
			return RESCAN_STEP;
		if (chain == CHAIN_HOLDS) {
			*bytes = header_size(s);
			return RESCAN_KEEP;
		}
	}
	verdict = search(rescan, plausible, s, end, bytes);
	if (verdict == RESCAN_MORE || rescan->lost || !sizes_lead_to(s, *bytes))
		return verdict;
	return RESCAN_KEEP;
}
