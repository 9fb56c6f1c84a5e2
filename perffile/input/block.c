#include "perffile/input/block.h"

#include "util/largemem.h"

#include <stdlib.h>

/* Sets up @block, which may be NULL, with @room. */
static struct block *begin(struct block_pool *pool, struct block *block, enum block_kind kind,
			   size_t room)
{
	if (!block)
		return NULL;
	*block = (struct block){.refs = 1, .room = room, .kind = kind};
	pool->bytes[kind] += room;
	return block;
}

struct block *block_get(struct block_pool *pool, bool whole)
{
	struct block *block = pool->free;

	if (block)
		pool->free = block->next_free;
	else
		block = largemem_get_all(sizeof(*block) + BLOCK_BYTES, whole ? BLOCK_BYTES : 0);
	return begin(pool, block, BLOCK_READ, BLOCK_BYTES);
}

struct block *block_get_sized(struct block_pool *pool, enum block_kind kind, size_t room)
{
	return begin(pool, largemem_get_all(sizeof(struct block) + room, room), kind, room);
}

struct block *block_ref(struct block *block)
{
	block->refs++;
	return block;
}

/* Frees @block, or keeps it for block_get(). */
static void reuse(struct block_pool *pool, struct block *block)
{
	if (block->kind != BLOCK_READ) {
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
	pool->bytes[block->kind] -= block->room;
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
