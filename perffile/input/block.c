#include "perffile/input/block.h"

#include "util/largemem.h"

#include <stdlib.h>

/* As block_get_sized(); the first @written bytes are all used soon. */
static struct block *get(struct block_pool *pool, size_t room, size_t written)
{
	struct block *block = room == BLOCK_BYTES ? pool->free : NULL;

	if (block)
		pool->free = block->next_free;
	else
		block = largemem_get_all(sizeof(*block) + room, written);
	if (!block)
		return NULL;
	*block = (struct block){.refs = 1, .room = room};
	pool->bytes_held += room;
	return block;
}

struct block *block_get(struct block_pool *pool, bool whole)
{
	return get(pool, BLOCK_BYTES, whole ? BLOCK_BYTES : 0);
}

struct block *block_get_sized(struct block_pool *pool, size_t room)
{
	return get(pool, room, room);
}

struct block *block_ref(struct block *block)
{
	block->refs++;
	return block;
}

/* Frees @block, or keeps it for block_get(). */
static void reuse(struct block_pool *pool, struct block *block)
{
	if (block->room != BLOCK_BYTES) {
		free(block);
		return;
	}
	block->next_free = pool->free;
	pool->free = block;
}

void block_put(struct block_pool *pool, struct block *block)
{
	if (!block || --block->refs > 0)
		return;
	pool->bytes_held -= block->room;
	if (block->nr_holders == 0)
		reuse(pool, block);
}

bool block_hold(struct block *block, uint64_t holder)
{
	if (block->holder == holder)
		return false;
	block->holder = holder;
	block->nr_holders++;
	return true;
}

void block_release(struct block_pool *pool, struct block *block)
{
	if (--block->nr_holders == 0 && block->refs == 0)
		reuse(pool, block);
}

void block_pool_trim(struct block_pool *pool)
{
	for (struct block *block = pool->free, *next; block; block = next) {
		next = block->next_free;
		free(block);
	}
	pool->free = NULL;
}
