/*
 * The cycles of an Intel PT trace: those that its CYC packets tell of, and up to which branch.
 */
#ifndef READPERF_DECODE_TRACE_PTCLOCK_H
#define READPERF_DECODE_TRACE_PTCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a decoder may have read ahead. */
enum ptclock_ahead {
	PTCLOCK_NOTHING, /* but the clock of the next packet */
	PTCLOCK_TNT,	 /* and the next packet, if it is a TNT */
	PTCLOCK_EVENT,	 /* and the next TNT or event, but no TIP */
};

/** Of a piece; all zero is its start. */
struct ptclock {
	size_t at;     /* offset up to which packets have been read */
	bool in_psb;   /* they end between a PSB and its PSBEND */
	uint64_t read; /* cycles up to there */
	uint64_t told; /* of them, those up to the last packet that tells of code */
	uint8_t ahead; /* enum ptclock_ahead */
};

/**
 * Reads the packets up to offset @end of the piece at @bytes. Returns the number of branches that
 * the last one which tells of code tells of. A decoder has already read the clock of the next
 * packet, but its time is that of this one.
 */
unsigned ptclock_read(struct ptclock *clock, const uint8_t *bytes, size_t end);

#endif
