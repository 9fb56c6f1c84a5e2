/* The records of an Arm SPE trace: what an operation that was sampled did, put together of packets.
 */
#ifndef READPERF_DECODE_TRACE_SPERECORD_H
#define READPERF_DECODE_TRACE_SPERECORD_H

#include <stddef.h>
#include <stdint.h>

/** Members that a record has. */
enum sperecord_has {
	SPE_HAS_IP = 1,
	SPE_HAS_TARGET = 2,
	SPE_HAS_DATA = 4,
	SPE_HAS_PHYSICAL = 8,
	SPE_HAS_PREVIOUS = 16,
	SPE_HAS_SOURCE = 32,
	SPE_HAS_CONTEXT = 64,
	SPE_HAS_TIME = 128,
	SPE_HAS_OPERATION = 256,
};

/** Classes of operations. */
enum sperecord_class { SPE_CLASS_OTHER, SPE_CLASS_MEMORY, SPE_CLASS_BRANCH };

/** Bits of @events: what happened to the operation. */
enum sperecord_event {
	SPE_EXCEPTION = 1 << 0,
	SPE_RETIRED = 1 << 1,
	SPE_L1D_ACCESS = 1 << 2,
	SPE_L1D_MISS = 1 << 3,
	SPE_TLB_ACCESS = 1 << 4,
	SPE_TLB_WALK = 1 << 5,
	SPE_NOT_TAKEN = 1 << 6,
	SPE_MISPREDICTED = 1 << 7,
	SPE_LLC_ACCESS = 1 << 8,
	SPE_LLC_MISS = 1 << 9,
	SPE_REMOTE_ACCESS = 1 << 10,
	SPE_L2_ACCESS = 1 << 19,
	SPE_L2_MISS = 1 << 20,
	SPE_DATA_MODIFIED = 1 << 21, /* in another cache */
	SPE_RECENTLY_FETCHED = 1 << 22,
	SPE_DATA_SNOOPED = 1 << 23,
};

/** Counters of cycles. */
enum sperecord_latency {
	SPE_LATENCY_TOTAL,
	SPE_LATENCY_ISSUE,	 /* until it was issued */
	SPE_LATENCY_TRANSLATION, /* of its address */
	NR_SPE_LATENCIES,
};

struct sperecord {
	unsigned has;		 /* enum sperecord_has */
	unsigned has_latency;	 /* a bit for each enum sperecord_latency */
	uint64_t ip;		 /* of the operation; in the kernel its top bit is set */
	uint64_t target;	 /* of a branch */
	uint64_t data, physical; /* addresses of data */
	uint64_t previous;	 /* target of the branch before */
	uint64_t events;
	uint64_t time; /* count of the generic timer */
	uint64_t source;
	uint32_t context; /* thread id in the system's first pid namespace */
	uint8_t class, operation;
	uint16_t latency[NR_SPE_LATENCIES]; /* cycles */
};

enum sperecord_found {
	SPERECORD_END,	   /* of the bytes */
	SPERECORD_WHOLE,   /* a record */
	SPERECORD_CUT,	   /* its begin or its end is missing */
	SPERECORD_DAMAGED, /* bytes that are not packets, before a record or in it */
};

/** Bytes that are read record by record; borrowed. */
struct spereader {
	const uint8_t *bytes;
	size_t size, at;
	uint64_t place; /* of the first byte in what the processor wrote */
};

/**
 * Reads the next record into *@record, and sets *@bytes to the size of what was found, without
 * padding before it.
 */
enum sperecord_found sperecord_next(struct spereader *reader, struct sperecord *record,
				    size_t *bytes);

#endif
