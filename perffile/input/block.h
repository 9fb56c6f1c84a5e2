/*
 * Blocks of the data section's bytes, kept until their records have been returned.
 *
 * The reader fills them in sequence; each run of records in the queue holds a reference. Blocks
 * given back are used again, so memory use depends on the time between two rounds, not on the
 * file's size.
 */
#ifndef READPERF_PERFFILE_INPUT_BLOCK_H
#define READPERF_PERFFILE_INPUT_BLOCK_H

#include "util/apart.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BLOCK_BYTES = 256 * 1024, /* at least twice a record, small enough for the cache */
	BLOCK_COPY_MAX = BLOCK_BYTES / 4,
};

struct source;

/** Where a block's bytes can be read again. */
struct block_origin {
	enum { ORIGIN_NONE, ORIGIN_SOURCE, ORIGIN_SPOOL } kind;
	struct source *source; /* borrowed; ORIGIN_SOURCE */
	uint64_t offset;       /* of bytes[0] in it */
};

/** What bytes a block has. */
enum block_kind {
	BLOCK_READ,   /* in sequence, BLOCK_BYTES */
	BLOCK_REREAD, /* that have been in memory before */
	BLOCK_COPIED, /* of another block, few */
	NR_BLOCK_KINDS,
};

struct block {
	struct block *next_free;
	unsigned refs;
	unsigned nr_holders; /* as block_hold() has it, and the last one that held it */
	uint64_t holder;
	size_t room, len;     /* capacity, and bytes filled in */
	struct apart unused;  /* whoever holds the block reads only what follows */
	uint64_t file_offset; /* of bytes[0], or of the compressed record that they come from */
	bool packed;	      /* the bytes come from a compressed record */
	enum block_kind kind;
	struct block *within; /* BLOCK_COPIED: a large block, which holds it; a reference */
	struct block_origin origin;
	uint8_t bytes[];
};

/** All zero is an empty pool. */
struct block_pool {
	struct block *free;	      /* of BLOCK_BYTES each */
	struct block *copies;	      /* the large block for the next copies; NULL: none yet */
	size_t bytes[NR_BLOCK_KINDS]; /* capacity of all blocks with a reference */
};

/**
 * Returns an empty block of BLOCK_BYTES with one reference, or NULL if memory is out. @whole: all
 * of it will be filled; else it takes memory as it is filled, as there may be many small files.
 */
struct block *block_get(struct block_pool *pool, bool whole);

/** Like block_get(), but with room for @room bytes, which have been read before. */
struct block *block_get_again(struct block_pool *pool, size_t room);

/**
 * Returns a block with a copy of the @len bytes at @bytes in @from, and one reference. NULL: memory
 * is out, or they are more than BLOCK_COPY_MAX. Copies share large blocks, which come back when all
 * in them have been given back: copy what is needed for about as long as what is copied next.
 */
struct block *block_copy(struct block_pool *pool, const struct block *from, const uint8_t *bytes,
			 size_t len);

/**
 * Leaves @block, which another thread fills, out of pool->bytes until block_count(): what is kept
 * in memory for sorting must not depend on threads.
 */
void block_leave_out(struct block_pool *pool, const struct block *block);

/** Ends what block_leave_out() began. */
void block_count(struct block_pool *pool, const struct block *block);

/** Takes another reference to @block and returns it. */
struct block *block_ref(struct block *block);

/** Gives a reference back; with the last one the block returns to @pool. NULL is fine. */
void block_put(struct block_pool *pool, struct block *block);

/**
 * Lets @holder, a number, keep the bytes of @block when its last reference is given back, until
 * block_release(). Held blocks are not in pool->bytes: what is kept in memory for sorting must
 * not depend on how fast others use what they hold. Returns false if @holder, the last one that
 * held @block, holds it already.
 */
bool block_hold(struct block *block, uint64_t holder);

/** Ends what block_hold() began. */
void block_release(struct block_pool *pool, struct block *block);

/** Frees the blocks that were given back. What is copied later has new ones. */
void block_pool_trim(struct block_pool *pool);

#endif
