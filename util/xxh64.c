#include "util/xxh64.h"

#include <endian.h>
#include <string.h>

static const uint64_t P1 = 0x9e3779b185ebca87u, P2 = 0xc2b2ae3d27d4eb4fu, P3 = 0x165667b19e3779f9u,
		      P4 = 0x85ebca77c2b2ae63u, P5 = 0x27d4eb2f165667c5u;

static uint64_t rotate(uint64_t value, unsigned bits)
{
	return value << bits | value >> (64 - bits);
}

static uint64_t read64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

static uint64_t read32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

static uint64_t mix(uint64_t lane, uint64_t word)
{
	return rotate(lane + word * P2, 31) * P1;
}

void xxh64_start(struct xxh64 *hash)
{
	*hash = (struct xxh64){.lanes = {P1 + P2, P2, 0, -P1}};
}

static void add_stripe(struct xxh64 *hash, const uint8_t *at)
{
	for (size_t i = 0; i < XXH64_LANES; i++)
		hash->lanes[i] = mix(hash->lanes[i], read64(at + 8 * i));
}

void xxh64_add(struct xxh64 *hash, const void *bytes, size_t len)
{
	const size_t kept = hash->total % XXH64_STRIPE, lacks = XXH64_STRIPE - kept;
	const uint8_t *at = bytes;

	hash->total += len;
	if (kept && len >= lacks) {
		memcpy(hash->rest + kept, at, lacks);
		add_stripe(hash, hash->rest);
		at += lacks;
		len -= lacks;
	} else if (kept) {
		memcpy(hash->rest + kept, at, len);
		return;
	}
	for (; len >= XXH64_STRIPE; at += XXH64_STRIPE, len -= XXH64_STRIPE)
		add_stripe(hash, at);
	memcpy(hash->rest, at, len);
}

/* The lanes as one. */
static uint64_t join(const struct xxh64 *hash)
{
	static const unsigned turns[XXH64_LANES] = {1, 7, 12, 18};
	uint64_t sum = 0;

	if (hash->total < XXH64_STRIPE)
		return P5;
	for (size_t i = 0; i < XXH64_LANES; i++)
		sum += rotate(hash->lanes[i], turns[i]);
	for (size_t i = 0; i < XXH64_LANES; i++)
		sum = (sum ^ mix(0, hash->lanes[i])) * P1 + P4;
	return sum;
}

uint64_t xxh64_sum(const struct xxh64 *hash)
{
	const uint8_t *at = hash->rest, *end = at + hash->total % XXH64_STRIPE;
	uint64_t sum = join(hash) + hash->total;

	for (; end - at >= 8; at += 8)
		sum = rotate(sum ^ mix(0, read64(at)), 27) * P1 + P4;
	if (end - at >= 4) {
		sum = rotate(sum ^ read32(at) * P1, 23) * P2 + P3;
		at += 4;
	}
	for (; at < end; at++)
		sum = rotate(sum ^ *at * P5, 11) * P1;
	sum = (sum ^ sum >> 33) * P2;
	sum = (sum ^ sum >> 29) * P3;
	return sum ^ sum >> 32;
}
