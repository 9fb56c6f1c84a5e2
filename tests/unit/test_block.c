/* Blocks of bytes: what they count for, and copies, which share large blocks. */
#include "perffile/input/block.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdint.h>

static struct block *block_from(struct block_pool *pool, uint64_t offset, bool packed)
{
	struct block *block = block_get(pool, false);

	ck_assert_ptr_nonnull(block);
	for (size_t i = 0; i < BLOCK_BYTES; i++)
		block->bytes[i] = (uint8_t)(i * 7);
	block->len = BLOCK_BYTES;
	block->file_offset = offset;
	block->packed = packed;
	return block;
}

START_TEST(a_copy_knows_where_its_bytes_were)
{
	struct block_pool pool = {0};
	struct block *plain = block_from(&pool, 5000, false);
	struct block *packed = block_from(&pool, 7000, true);
	struct block *a = block_copy(&pool, plain, plain->bytes + 101, 33);
	struct block *b = block_copy(&pool, packed, packed->bytes + 101, 33);

	ck_assert_mem_eq(a->bytes, plain->bytes + 101, 33);
	ck_assert_mem_eq(b->bytes, packed->bytes + 101, 33);
	ck_assert_uint_eq(a->len, 33);
	ck_assert_uint_eq(a->file_offset, 5101);
	ck_assert_uint_eq(b->file_offset, 7000);
	ck_assert(!a->packed && b->packed);
	ck_assert_uint_eq((uintptr_t)b % _Alignof(struct block), 0);
	ck_assert_ptr_eq(a->within, b->within);
	ck_assert_uint_eq(pool.bytes[BLOCK_READ], 2 * BLOCK_BYTES);
	ck_assert_uint_eq(pool.bytes[BLOCK_COPIED], 66);
	ck_assert_ptr_null(block_copy(&pool, plain, plain->bytes, BLOCK_COPY_MAX + 1));
	block_put(&pool, plain);
	block_put(&pool, packed);
	block_put(&pool, a);
	block_put(&pool, b);
	ck_assert_uint_eq(pool.bytes[BLOCK_READ] + pool.bytes[BLOCK_COPIED], 0);
	block_pool_trim(&pool);
	ck_assert_ptr_null(pool.free);
}
END_TEST

/* Of many copies, a few of which are needed at a time, few large blocks are left. */
START_TEST(copies_use_large_blocks_again)
{
	enum { NR = 10000, KEPT = 50, LEN = 1000 };
	struct block_pool pool = {0};
	struct block *from = block_from(&pool, 0, false), *kept[KEPT] = {NULL};
	size_t nr_large = 0;

	for (size_t i = 0; i < NR; i++) {
		block_put(&pool, kept[i % KEPT]);
		kept[i % KEPT] = block_copy(&pool, from, from->bytes + i, LEN);
		ck_assert_ptr_nonnull(kept[i % KEPT]);
		ck_assert_mem_eq(kept[i % KEPT]->bytes, from->bytes + i, LEN);
	}
	ck_assert_uint_eq(pool.bytes[BLOCK_COPIED], KEPT * LEN);
	for (size_t i = 0; i < KEPT; i++)
		block_put(&pool, kept[i]);
	for (const struct block *block = pool.free; block; block = block->next_free)
		nr_large++;
	ck_assert_uint_le(nr_large, 1); /* and the one for the next copies */
	block_put(&pool, from);
	block_pool_trim(&pool);
}
END_TEST

/* Whoever holds a copy keeps its large block, too. */
START_TEST(a_held_copy_stays)
{
	struct block_pool pool = {0};
	struct block *from = block_from(&pool, 0, false);
	struct block *copy = block_copy(&pool, from, from->bytes + 3, 8);

	ck_assert(block_hold(copy, 1));
	block_put(&pool, copy);
	ck_assert_uint_eq(pool.bytes[BLOCK_COPIED], 0);
	block_pool_trim(&pool);
	ck_assert_ptr_null(pool.free);
	ck_assert_mem_eq(copy->bytes, from->bytes + 3, 8);
	block_release(&pool, copy);
	ck_assert_ptr_nonnull(pool.free);
	block_put(&pool, from);
	block_pool_trim(&pool);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("block");
	TCase *tcase = tcase_create("block");

	tcase_add_test(tcase, a_copy_knows_where_its_bytes_were);
	tcase_add_test(tcase, copies_use_large_blocks_again);
	tcase_add_test(tcase, a_held_copy_stays);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
