/*
 * The packets of an Intel PT trace, as far as their lengths, their clocks and their cycles.
 *
 * Layouts from the Intel 64 SDM, volume 3, "Trace packets and data types".
 */
#ifndef READPERF_DECODE_TRACE_PTPACKET_H
#define READPERF_DECODE_TRACE_PTPACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PTPACKET_PSB_BYTES = 16 };

enum ptpacket_kind {
	PTPACKET_BAD, /* unknown, or cut off */
	PTPACKET_OTHER,
	PTPACKET_PSB,
	PTPACKET_PSBEND,
	PTPACKET_TSC,
	PTPACKET_CYC,
	PTPACKET_OVF,
	PTPACKET_FUP,	 /* the address of what comes next, or of what an event belongs to */
	PTPACKET_TNT,	 /* of conditional branches and returns */
	PTPACKET_TIMING, /* MTC, TMA, CBR, and the padding between packets */
};

/** It fits into two registers. */
struct ptpacket {
	enum ptpacket_kind kind;
	uint32_t size;	/* bytes; 0 if BAD */
	uint64_t value; /* of TSC: the low 56 bits of the counter; of CYC: cycles; of TNT: branches;
			 * of FUP: the address as it is behind a PSB, 0: none */
};

/** Bytes of a TIP or FUP that begins with @first; 0: there is none of such a size. */
static inline uint32_t ptpacket_ip_bytes(uint8_t first)
{
	static const uint8_t bytes[8] = {1, 3, 5, 7, 7, 0, 9, 0};

	return bytes[first >> 5];
}

/** Reads the packet at the first of the @len bytes at @bytes. */
struct ptpacket ptpacket_read(const uint8_t *bytes, size_t len);

/** The offset of the first PSB in bytes[from, len); @len if there is none. */
size_t ptpacket_find_psb(const uint8_t *bytes, size_t len, size_t from);

/** What the packets of a PSB tell, up to the one that ends them. */
struct ptpacket_psb {
	size_t end;   /* offset behind them; where they are broken off: there */
	uint64_t tsc; /* the low 56 bits of the counter; 0: unknown */
	uint64_t ip;  /* of the code there; 0: tracing is off */
};

/** Reads the PSB at offset @psb of the @len bytes at @bytes, and what belongs to it. */
struct ptpacket_psb ptpacket_read_psb(const uint8_t *bytes, size_t len, size_t psb);

/** Sets *@tsc to the last TSC in the @len bytes. Returns false if there is none. */
bool ptpacket_last_tsc(const uint8_t *bytes, size_t len, uint64_t *tsc);

/**
 * Where what was not seen before begins in a piece of @len bytes: at the first PSB with a TSC later
 * than @seen; @len if there is none.
 */
size_t ptpacket_skip_seen(const uint8_t *bytes, size_t len, uint64_t seen);

#endif
