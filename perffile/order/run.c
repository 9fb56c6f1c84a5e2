#include "perffile/order/run.h"

#include "perffile/format.h"
#include "perffile/input/source.h"
#include "util/span.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SLAB_RUNS = 512, READ_BYTES = 32 * 1024, READ_BYTES_MIN = 1024 };

struct run_slab {
	struct run_slab *next;
	struct run runs[SLAB_RUNS];
};

int run_compare(const struct tree_node *a, const struct tree_node *b)
{
	const struct run *x = tree_entry(a, struct run, node), *y = tree_entry(b, struct run, node);

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

void run_store_init(struct run_store *store, struct block_pool *pool)
{
	*store = (struct run_store){.pool = pool, .read_bytes = READ_BYTES};
}

static bool add_slab(struct run_store *store)
{
	struct run_slab *slab = malloc(sizeof(*slab));

	if (!slab)
		return false;
	slab->next = store->slabs;
	store->slabs = slab;
	for (size_t i = SLAB_RUNS; i-- > 0;)
		run_drop(store, &slab->runs[i]);
	return true;
}

struct run *run_new(struct run_store *store)
{
	struct run *run;

	if (!store->free && !add_slab(store))
		return NULL;
	run = store->free;
	store->free = run->next_free;
	return run;
}

void run_drop(struct run_store *store, struct run *run)
{
	run->next_free = store->free;
	store->free = run;
}

void run_set_warm(struct run_store *store, struct run *run, const uint8_t *bytes,
		  struct block *block)
{
	run->cold = false;
	run->warm = (struct warm_run){.bytes = bytes, .block = block, .prev = store->warm_last};
	if (store->warm_last)
		store->warm_last->warm.next = run;
	else
		store->warm_first = run;
	store->warm_last = run;
}

void run_leave_warm(struct run_store *store, struct run *run)
{
	struct run *prev = run->warm.prev, *next = run->warm.next;

	if (prev)
		prev->warm.next = next;
	else
		store->warm_first = next;
	if (next)
		next->warm.prev = prev;
	else
		store->warm_last = prev;
}

/* Makes @run cold. Its bytes are put into the spool unless they can be read again already. */
static int cool(struct run_store *store, struct run *run, struct error *err)
{
	const struct warm_run warm = run->warm;
	const struct block *block = warm.block;
	uint64_t pos = (uint64_t)(warm.bytes - block->bytes);
	struct cold_run at = {.source = block->origin.source,
			      .offset = block->origin.offset + pos,
			      .file_offset = block->file_offset + (block->packed ? 0 : pos)};

	if (block->origin.kind == ORIGIN_NONE) {
		at.offset = store->spool.size;
		if (spool_put(&store->spool, warm.bytes, run->len, err) < 0)
			return -1;
	}
	if (block->reread)
		store->bytes_reread -= run->len; /* to be read once more */
	else
		store->bytes_cooled += run->len;
	run->packed = block->packed;
	run_leave_warm(store, run);
	block_put(store->pool, warm.block);
	run->cold = true;
	run->at = at;
	return 0;
}

/*
 * If most of the cooled runs had been read again before, too many runs are in use at the same time
 * to have so many bytes of each in memory: read fewer bytes at a time from now on.
 */
int run_cool_all(struct run_store *store, struct error *err)
{
	uint64_t nr_again = 0, nr = 0;

	while (store->warm_first) {
		nr++;
		nr_again += store->warm_first->warm.block->reread;
		if (cool(store, store->warm_first, err) < 0)
			return -1;
	}
	if (nr_again > nr / 2 && store->read_bytes > READ_BYTES_MIN)
		store->read_bytes /= 2;
	return 0;
}

/*
 * Frames the bytes read, up to an incomplete record. Returns false if they cannot be the records of
 * @run.
 */
static bool frame(const struct run *run, struct run_part *part, bool swap)
{
	struct span s = span_make(part->block->bytes, part->block->len, swap);

	while (span_left(&s) >= RECORD_HEADER_BYTES) {
		struct span header = s;
		uint16_t size;

		span_skip(&header, 6);
		size = span_u16(&header);
		if (size < RECORD_HEADER_BYTES || (run->size && size != run->size))
			return false;
		if (size > span_left(&s))
			break;
		part->last = part->len;
		part->len += size;
		part->nr_records++;
		span_skip(&s, size);
	}
	return true;
}

static int get_bytes(struct run_store *store, const struct run *run, struct block *block,
		     struct error *err)
{
	const struct cold_run *at = &run->at;
	ssize_t got;

	if (!at->source) {
		block->len = block->room;
		return spool_get(&store->spool, at->offset, block->bytes, block->len, err);
	}
	got = source_read(at->source, at->offset, block->bytes, block->room, err);
	block->len = got < 0 ? 0 : (size_t)got;
	return got < 0 ? -1 : 0;
}

/* Reads the next @len bytes of @run again into a block. Returns NULL with @err filled on error. */
static struct block *read_block(struct run_store *store, const struct run *run, size_t len,
				struct error *err)
{
	const struct cold_run *at = &run->at;
	struct block *block = block_get_sized(store->pool, len);

	if (!block) {
		error_nomem(err, "sorting records");
		return NULL;
	}
	block->file_offset = at->file_offset;
	block->packed = run->packed;
	block->reread = true;
	block->origin = (struct block_origin){at->source ? ORIGIN_SOURCE : ORIGIN_SPOOL, at->source,
					      at->offset};
	if (get_bytes(store, run, block, err) < 0) {
		block_put(store->pool, block);
		return NULL;
	}
	return block;
}

static int report_change(const struct run *run, struct error *err)
{
	const struct source *source = run->at.source;

	return error_at(err, ERROR_IO, run->at.offset,
			"%s: changed while it was being read, at byte %" PRIu64,
			source ? source->name : "temporary file", run->at.offset);
}

int run_read(struct run_store *store, const struct run *run, struct run_part *part,
	     struct error *err)
{
	size_t len = store->read_bytes;

	for (;; len = RECORD_BYTES_MAX) {
		bool whole;

		len = len < run->len ? len : run->len;
		*part = (struct run_part){.block = read_block(store, run, len, err)};
		if (!part->block)
			return -1;
		whole = part->block->len == len && frame(run, part, store->swap);
		if (whole && part->len && (len < run->len || part->len == len))
			break;
		block_put(store->pool, part->block);
		if (!whole || len == run->len || len >= RECORD_BYTES_MAX)
			return report_change(run, err);
	}
	store->bytes_reread += part->len;
	return 0;
}

void run_store_free(struct run_store *store)
{
	while (store->warm_first) {
		struct run *run = store->warm_first;

		run_leave_warm(store, run);
		block_put(store->pool, run->warm.block);
	}
	for (struct run_slab *slab = store->slabs, *next; slab; slab = next) {
		next = slab->next;
		free(slab);
	}
	spool_free(&store->spool);
	*store = (struct run_store){0};
}
