#include "decode/trace/sperecord.h"

#include "decode/trace/spepacket.h"

#include <stdbool.h>

enum {
	ADDRESS_IP,
	ADDRESS_TARGET,
	ADDRESS_DATA,
	ADDRESS_PHYSICAL,
	ADDRESS_PREVIOUS,
};

#define LOW_56	 ((UINT64_C(1) << 56) - 1)
#define TOP_BYTE (UINT64_C(0xff) << 56)

/* An address of code: its top byte has the exception level, and whether it is the normal world. */
static uint64_t code_address(uint64_t value)
{
	const unsigned level = value >> 61 & 3;
	const bool normal = value >> 63;

	return (value & LOW_56) | (normal && (level == 1 || level == 2) ? TOP_BYTE : 0);
}

/* An address of data, without its tag: those of the kernel have all bits set. */
static uint64_t data_address(uint64_t value)
{
	return (value & LOW_56) | ((value >> 52 & 0xf) == 0xf ? TOP_BYTE : 0);
}

static void take_address(struct sperecord *record, const struct spepacket *packet)
{
	switch (packet->index) {
	case ADDRESS_IP:
		record->has |= SPE_HAS_IP;
		record->ip = code_address(packet->value);
		break;
	case ADDRESS_TARGET:
		record->has |= SPE_HAS_TARGET;
		record->target = code_address(packet->value);
		break;
	case ADDRESS_DATA:
		record->has |= SPE_HAS_DATA;
		record->data = data_address(packet->value);
		break;
	case ADDRESS_PHYSICAL:
		record->has |= SPE_HAS_PHYSICAL;
		record->physical = packet->value & LOW_56;
		break;
	case ADDRESS_PREVIOUS:
		record->has |= SPE_HAS_PREVIOUS;
		record->previous = code_address(packet->value);
		break;
	default:
		break;
	}
}

static void take_counter(struct sperecord *record, const struct spepacket *packet)
{
	if (packet->index >= NR_SPE_LATENCIES)
		return;
	record->has_latency |= 1u << packet->index;
	record->latency[packet->index] =
		(uint16_t)(packet->value < UINT16_MAX ? packet->value : UINT16_MAX);
}

static void take_packet(struct sperecord *record, const struct spepacket *packet)
{
	switch (packet->kind) {
	case SPEPACKET_TIMESTAMP:
		record->has |= SPE_HAS_TIME;
		record->time = packet->value;
		break;
	case SPEPACKET_EVENTS:
		record->events = packet->value;
		break;
	case SPEPACKET_SOURCE:
		record->has |= SPE_HAS_SOURCE;
		record->source = packet->value;
		break;
	case SPEPACKET_CONTEXT:
		record->has |= SPE_HAS_CONTEXT;
		record->context = (uint32_t)packet->value;
		break;
	case SPEPACKET_OPERATION:
		record->has |= SPE_HAS_OPERATION;
		record->class = packet->index;
		record->operation = (uint8_t)packet->value;
		break;
	case SPEPACKET_ADDRESS:
		take_address(record, packet);
		break;
	case SPEPACKET_COUNTER:
		take_counter(record, packet);
		break;
	default:
		break;
	}
}

static struct spepacket read_packet(const struct spereader *reader)
{
	return spepacket_read(reader->bytes + reader->at, reader->size - reader->at,
			      reader->place + reader->at);
}

/* Skips padding, and counts bytes before a record that are no packets. */
static size_t skip_to_record(struct spereader *reader)
{
	size_t bad = 0;

	while (reader->at < reader->size) {
		const struct spepacket packet = read_packet(reader);

		if (packet.kind != SPEPACKET_PADDING && packet.kind != SPEPACKET_BAD)
			break;
		bad += packet.kind == SPEPACKET_BAD;
		reader->at += packet.size;
	}
	return bad;
}

/* Reads packets up to the end of a record. */
static enum sperecord_found read_record(struct spereader *reader, struct sperecord *record)
{
	bool damaged = false, ended = false;

	while (reader->at < reader->size && !ended) {
		const struct spepacket packet = read_packet(reader);

		reader->at += packet.size;
		damaged |= packet.kind == SPEPACKET_BAD;
		ended = packet.kind == SPEPACKET_END || packet.kind == SPEPACKET_TIMESTAMP;
		take_packet(record, &packet);
	}
	if (damaged)
		return SPERECORD_DAMAGED;
	return ended && record->has & SPE_HAS_IP ? SPERECORD_WHOLE : SPERECORD_CUT;
}

enum sperecord_found sperecord_next(struct spereader *reader, struct sperecord *record,
				    size_t *bytes)
{
	enum sperecord_found found;
	size_t start;

	*record = (struct sperecord){0};
	*bytes = skip_to_record(reader);
	if (*bytes)
		return SPERECORD_DAMAGED;
	start = reader->at;
	if (start == reader->size)
		return SPERECORD_END;
	found = read_record(reader, record);
	*bytes = reader->at - start;
	return found;
}
