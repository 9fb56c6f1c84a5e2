/*
 * The hash XXH64 with seed 0, as xxh64sum(1) prints it: it names files by what is in them. It is
 *not cryptographic: who wants to can make two files with one hash.
 *
 *	struct xxh64 hash;
 *
 *	xxh64_start(&hash);
 *	xxh64_add(&hash, bytes, len);          any number of times
 *	value = xxh64_sum(&hash);
 */
#ifndef READPERF_UTIL_XXH64_H
#define READPERF_UTIL_XXH64_H

#include <stddef.h>
#include <stdint.h>

enum { XXH64_LANES = 4, XXH64_STRIPE = 32 };

struct xxh64 {
	uint64_t lanes[XXH64_LANES];
	uint64_t total;		    /* bytes so far */
	uint8_t rest[XXH64_STRIPE]; /* those that fill no stripe yet: total % XXH64_STRIPE */
};

void xxh64_start(struct xxh64 *hash);

/** Adds @len bytes. */
void xxh64_add(struct xxh64 *hash, const void *bytes, size_t len);

/** Returns the hash of the bytes so far; more may follow. */
uint64_t xxh64_sum(const struct xxh64 *hash);

#endif
