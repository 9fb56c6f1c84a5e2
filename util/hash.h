/* Mixing of integers and bytes for hash tables. Not for anything that needs secrecy. */
#ifndef READPERF_UTIL_HASH_H
#define READPERF_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Spreads the bits of @v over the whole word: the upper and lower bits are equally good. */
static inline uint64_t hash_u64(uint64_t v)
{
	v ^= v >> 32;
	v *= 0x9e3779b97f4a7c15u;
	v ^= v >> 29;
	v *= 0xbf58476d1ce4e5b9u;
	return v ^ (v >> 32);
}

/** Adds @v to the running hash @h. */
static inline uint64_t hash_add(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ (h >> 29);
}

/** A hash of the @len bytes at @bytes. */
static inline uint64_t hash_bytes(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t h = len, word = 0;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		h = hash_add(h, word);
	}
	word = 0;
	memcpy(&word, p, len);
	return hash_u64(hash_add(h, word));
}

#endif
