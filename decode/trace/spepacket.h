/*
 * The packets of an Arm SPE trace.
 *
 * Layouts from the Arm Architecture Reference Manual for A-profile, "Statistical Profiling
 * Extension sample record specification".
 */
#ifndef READPERF_DECODE_TRACE_SPEPACKET_H
#define READPERF_DECODE_TRACE_SPEPACKET_H

#include <stddef.h>
#include <stdint.h>

enum spepacket_kind {
	SPEPACKET_BAD,	   /* unknown */
	SPEPACKET_CUT,	   /* the bytes end in it */
	SPEPACKET_PADDING, /* also what aligns the next packet */
	SPEPACKET_END,
	SPEPACKET_TIMESTAMP, /* of the generic timer; it ends the record, too */
	SPEPACKET_EVENTS,
	SPEPACKET_SOURCE, /* where the data was, by the processor's own codes */
	SPEPACKET_CONTEXT,
	SPEPACKET_OPERATION,
	SPEPACKET_ADDRESS,
	SPEPACKET_COUNTER,
};

struct spepacket {
	enum spepacket_kind kind;
	/* of an ADDRESS, COUNTER or CONTEXT: which; of an OPERATION: its class */
	uint8_t index;
	size_t size; /* bytes; 1 if BAD, all that are left if CUT */
	uint64_t value;
};

/**
 * Reads the packet at the first of the @len bytes at @bytes, of which there is one at least. @place
 * is the offset of the first in what the processor wrote: packets are aligned by it.
 */
struct spepacket spepacket_read(const uint8_t *bytes, size_t len, uint64_t place);

#endif
