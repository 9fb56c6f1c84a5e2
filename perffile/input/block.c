#include "perffile/input/block.h"

#include "util/largemem.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_ALIGN = _Alignof(struct block) };

/* Sets up @block with @room, and one reference. */
static struct block *begin(struct block *block, enum block_kind kind, size_t room)
{
	*block = (struct block){.refs = 1, .room = room, .kind = kind};
	return block;
}

/* As block_get(), but pool->bytes does not count it. */
static struct block *get_large(struct block_pool *pool, bool whole)
{
	struct block *block = pool->free;

	if (block)
		pool->free = block->next_free;
	else
		block = largemem_get_all(sizeof(*block) + BLOCK_BYTES, whole ? BLOCK_BYTES : 0);
	return block ? begin(block, BLOCK_READ, BLOCK_BYTES) : NULL;
}

struct block *block_get(struct block_pool *pool, bool whole)
{
	struct block *block = get_large(pool, whole);

	if (block)
		pool->bytes[BLOCK_READ] += BLOCK_BYTES;
	return block;
}

struct block *block_get_again(struct block_pool *pool, size_t room)
{
	struct block *block = largemem_get_all(sizeof(struct block) + room, room);

	if (!block)
		return NULL;
	pool->bytes[BLOCK_REREAD] += room;
	return begin(block, BLOCK_REREAD, room);
}

/* Keeps @large for get_large(). */
static void keep_large(struct block_pool *pool, struct block *large)
{
	large->next_free = pool->free;
	pool->free = large;
}

/* Gives back a reference to a large block with copies. NULL is fine. */
static void put_large(struct block_pool *pool, struct block *large)
{
	if (large && --large->refs == 0)
		keep_large(pool, large);
}

/* Room for @size bytes in a large block, which gets a reference; NULL: memory is out. */
static void *room_for_copy(struct block_pool *pool, size_t size)
{
	struct block *large = pool->copies;
	void *room;

	if (!large || large->room - large->len < size) {
		put_large(pool, large);
		large = pool->copies = get_large(pool, true);
	}
	if (!large)
		return NULL;
	room = large->bytes + large->len;
	large->len += size;
	block_ref(large);
	return room;
}

struct block *block_copy(struct block_pool *pool, const struct block *from, const uint8_t *bytes,
			 size_t len)
{
	const size_t size = sizeof(struct block) + (len + COPY_ALIGN - 1) / COPY_ALIGN * COPY_ALIGN;
	struct block *block = len <= BLOCK_COPY_MAX ? room_for_copy(pool, size) : NULL;

	if (!block)
		return NULL;
	begin(block, BLOCK_COPIED, len);
	pool->bytes[BLOCK_COPIED] += len;
	memcpy(block->bytes, bytes, len);
	block->len = len;
	block->within = pool->copies;
	block->packed = from->packed;
	block->file_offset = from->file_offset;
	if (!from->packed)
		block->file_offset += (uint64_t)(bytes - from->bytes);
	return block;
}

void block_leave_out(struct block_pool *pool, const struct block *block)
{
	pool->bytes[block->kind] -= block->room;
}

void block_count(struct block_pool *pool, const struct block *block)
{
	pool->bytes[block->kind] += block->room;
}

struct block *block_ref(struct block *block)
{
	block->refs++;
	return block;
}

/* Frees @block, or keeps it for block_get(). */
static void reuse(struct block_pool *pool, struct block *block)
{
	switch (block->kind) {
	case BLOCK_COPIED:
		put_large(pool, block->within);
		break;
	case BLOCK_READ:
		keep_large(pool, block);
		break;
	default:
		free(block);
	}
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
	put_large(pool, pool->copies);
	pool->copies = NULL;
	for (struct block *block = pool->free, *next; block; block = next) {
		next = block->next_free;
		free(block);
	}
	pool->free = NULL;
}
