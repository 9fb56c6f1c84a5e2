/*
 * Mixing of integers and bytes for hash tables. Not for anything that needs secrecy.
 *
 * Where the system loads programs at random places, the hashes of each run are others: so nobody
 * can write a file whose keys all fall together, and nothing may depend on their order.
 */
#ifndef READPERF_UTIL_HASH_H
#define READPERF_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Nothing is read from it: its address is what differs between runs. */
extern const char hash_anchor;

/** The product of @a and @b with its upper half folded into the lower. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	__extension__ const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/** Spreads the bits of @v over the whole word: the upper and lower bits are equally good. */
static inline uint64_t hash_u64(uint64_t v)
{
	return hash_fold(v ^ (uint64_t)(uintptr_t)&hash_anchor, 0x9e3779b97f4a7c15u);
}

/** Adds @v to the running hash @h. */
static inline uint64_t hash_add(uint64_t h, uint64_t v)
{
	return hash_fold(h ^ (v ^ (uint64_t)(uintptr_t)&hash_anchor), 0xbf58476d1ce4e5b9u);
}

/** Adds the @len bytes at @bytes, none of which is zero if others follow, to the running hash @h.
 */
static inline uint64_t hash_add_bytes(uint64_t h, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t word = 0;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		h = hash_add(h, word);
	}
	word = 0; /* it ends in a zero byte, which tells where the bytes end */
	memcpy(&word, p, len);
	return hash_add(h, word);
}

/** A hash of the @len bytes at @bytes. */
static inline uint64_t hash_bytes(const void *bytes, size_t len)
{
	return hash_u64(hash_add_bytes(len, bytes, len));
}

#endif
