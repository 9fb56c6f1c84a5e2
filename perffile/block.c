#include "perffile/block.h"

#include <stdlib.h>

struct block *block_get(struct block_pool *pool)
{
	struct block *block = pool->free;

	if (block)
		pool->free = block->next_free;
	else
		block = malloc(sizeof(*block));
	if (!block)
		return NULL;
	block->next_free = NULL;
	block->refs = 1;
	block->file_offset = 0;
	block->len = 0;
	return block;
}

struct block *block_ref(struct block *block)
{
	block->refs++;
	return block;
}

void block_put(struct block_pool *pool, struct block *block)
{
	if (!block || --block->refs > 0)
		return;
	block->next_free = pool->free;
	pool->free = block;
}

void block_pool_free(struct block_pool *pool)
{
	for (struct block *block = pool->free, *next; block; block = next) {
		next = block->next_free;
		free(block);
	}
	pool->free = NULL;
}
