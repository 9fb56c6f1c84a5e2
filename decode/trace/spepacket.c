#include "decode/trace/spepacket.h"

#include "util/span.h"

#include <stdbool.h>

/* A header is a byte; an extended one has a byte before it. */
struct header_kind {
	enum spepacket_kind kind;
	uint8_t mask, bits, index_mask;
	bool extended; /* it can be */
};

static const struct header_kind kinds[] = {
	{SPEPACKET_END, 0xff, 0x01, 0, false},	   {SPEPACKET_TIMESTAMP, 0xff, 0x71, 0, false},
	{SPEPACKET_EVENTS, 0xcf, 0x42, 0, false},  {SPEPACKET_SOURCE, 0xcf, 0x43, 0, false},
	{SPEPACKET_CONTEXT, 0xfc, 0x64, 3, false}, {SPEPACKET_OPERATION, 0xfc, 0x48, 3, false},
	{SPEPACKET_ADDRESS, 0xf8, 0xb0, 7, true},  {SPEPACKET_COUNTER, 0xf8, 0x98, 7, true},
};

static const struct header_kind *find_kind(uint8_t header, bool extended)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if ((header & kinds[i].mask) == kinds[i].bits && (kinds[i].extended || !extended))
			return &kinds[i];
	return NULL;
}

/* Reads a value of 1, 2, 4 or 8 bytes, as bits 4 and 5 of @header say. */
static uint64_t read_value(struct span *from, uint8_t header)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < 1u << (header >> 4 & 3); i++)
		value |= (uint64_t)span_u8(from) << 8 * i;
	return value;
}

/* Reads what follows @header, the last byte of it; its kind has been found. */
static void read_body(struct span *from, uint8_t header, const struct header_kind *kind,
		      struct spepacket *packet)
{
	packet->kind = kind->kind;
	packet->index |= header & kind->index_mask;
	if (kind->kind != SPEPACKET_END)
		packet->value = read_value(from, header);
}

/* Bytes from @place up to the next multiple of 2, 4, 8 or 16, as the low bits of @header say. */
static size_t alignment(uint8_t header, uint64_t place)
{
	const size_t unit = (size_t)2 << (header & 3);

	return unit - (size_t)(place & (unit - 1));
}

struct spepacket spepacket_read(const uint8_t *bytes, size_t len, uint64_t place)
{
	const struct spepacket bad = {.kind = SPEPACKET_BAD, .size = 1};
	const struct spepacket cut = {.kind = SPEPACKET_CUT, .size = len};
	struct span from = span_make(bytes, len, false);
	struct spepacket packet = {.kind = SPEPACKET_PADDING, .size = 1};
	const struct header_kind *kind;
	const uint8_t first = span_u8(&from);
	const bool extended = (first & 0xfc) == 0x20;
	const uint8_t header = extended ? span_u8(&from) : first;

	if (from.failed)
		return cut;
	if (first == 0)
		return packet;
	if (extended && header == 0) {
		packet.size = alignment(first, place);
		return packet.size <= len ? packet : cut;
	}
	kind = find_kind(header, extended);
	if (!kind)
		return bad;
	packet.index = extended ? (uint8_t)((first & 3) << 3) : 0;
	read_body(&from, header, kind, &packet);
	packet.size = (size_t)(from.pos - bytes);
	return from.failed ? cut : packet;
}
