#include "perffile/batch.h"

#include "perffile/input/block.h"

#include <stdlib.h>

bool batch_is_full(const struct record_batch *batch)
{
	return batch->nr_records == BATCH_RECORDS || batch->nr_blocks == BATCH_BLOCKS;
}

void batch_hold(struct record_batch *batch, struct block *block)
{
	if (batch->nr_blocks == 0 || batch->blocks[batch->nr_blocks - 1] != block)
		batch->blocks[batch->nr_blocks++] = block_ref(block);
}

struct record_batch *batch_get(struct record_batch **spare)
{
	struct record_batch *batch = *spare;

	if (!batch)
		return calloc(1, sizeof(*batch));
	*spare = batch->next_spare;
	batch->nr_records = 0;
	batch->nr_blocks = 0;
	return batch;
}

void batch_put(struct record_batch *batch, struct block_pool *pool, struct record_batch **spare)
{
	if (!batch)
		return;
	for (size_t i = 0; i < batch->nr_blocks; i++)
		block_put(pool, batch->blocks[i]);
	batch->next_spare = *spare;
	*spare = batch;
}

void batch_free_spare(struct record_batch **spare)
{
	while (*spare) {
		struct record_batch *batch = *spare;

		*spare = batch->next_spare;
		free(batch);
	}
}
