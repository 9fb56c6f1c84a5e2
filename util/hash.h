/*
 * Hash functions for hash tables; not cryptographic.
 *
 * If the system loads programs at random addresses, hashes differ between runs, so nobody can
 * prepare a file whose keys collide. Nothing may depend on their order.
 */
#ifndef READPERF_UTIL_HASH_H
#define READPERF_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Its address is what differs between runs; its value is not read. */
extern const char hash_anchor;

/** Returns the product of @a and @b with its upper half folded into the lower. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	__extension__ const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/** Spreads the bits of @v over the whole word; upper and lower bits are equally good. */
static inline uint64_t hash_u64(uint64_t v)
{
	return hash_fold(v ^ (uint64_t)(uintptr_t)&hash_anchor, 0x9e3779b97f4a7c15u);
}

/** Returns the running hash @h with @v added. */
static inline uint64_t hash_add(uint64_t h, uint64_t v)
{
	return hash_fold(h ^ (v ^ (uint64_t)(uintptr_t)&hash_anchor), 0xbf58476d1ce4e5b9u);
}

/** Adds the @len bytes at @bytes to the hash @h. No byte may be 0 if others follow. */
static inline uint64_t hash_add_bytes(uint64_t h, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t word = 0;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		h = hash_add(h, word);
	}
	word = 0; /* it ends in a zero byte, which marks the end of the bytes */
	memcpy(&word, p, len);
	return hash_add(h, word);
}

/** Returns a hash of the @len bytes at @bytes. */
static inline uint64_t hash_bytes(const void *bytes, size_t len)
{
	return hash_u64(hash_add_bytes(len, bytes, len));
}

#endif
