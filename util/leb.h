/* LEB128: the variable-length integers of DWARF. */
#ifndef READPERF_UTIL_LEB_H
#define READPERF_UTIL_LEB_H

#include "util/span.h"

/** Reads the unsigned LEB128 number at the cursor; bits beyond the 64th are dropped. */
static inline uint64_t span_uleb(struct span *s)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = span_u8(s);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift = shift < 64 ? shift + 7 : shift;
	} while (byte & 0x80);
	return value;
}

/** Reads the signed LEB128 number at the cursor; bits beyond the 64th are dropped. */
static inline int64_t span_sleb(struct span *s)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = span_u8(s);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift = shift < 64 ? shift + 7 : shift;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

/** Skips a LEB128 number, signed or unsigned. */
static inline void span_skip_leb(struct span *s)
{
	while (span_u8(s) & 0x80)
		;
}

#endif
