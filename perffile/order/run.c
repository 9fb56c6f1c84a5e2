#include "perffile/order/run.h"

#include "perffile/format.h"
#include "perffile/input/source.h"
#include "util/span.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLAB_RUNS = 512,
	READ_BYTES = 32 * 1024,
	READ_BYTES_MIN = 1024,
	BETWEEN_BYTES_MAX = 4096, /* of records between two runs that are read together */
};

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
	struct warm_runs *runs = &store->warm[block->kind];

	run->cold = false;
	run->warm = (struct warm_run){.bytes = bytes, .block = block, .prev = runs->last};
	if (runs->last)
		runs->last->warm.next = run;
	else
		runs->first = run;
	runs->last = run;
}

void run_leave_warm(struct run_store *store, struct run *run)
{
	struct warm_runs *runs = &store->warm[run->warm.block->kind];
	struct run *prev = run->warm.prev, *next = run->warm.next;

	if (prev)
		prev->warm.next = next;
	else
		runs->first = next;
	if (next)
		next->warm.prev = prev;
	else
		runs->last = prev;
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
	if (block->kind == BLOCK_REREAD)
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

/* Gives @run a copy of its bytes. Returns false if it has too many, or memory is out. */
static bool copy(struct run_store *store, struct run *run)
{
	const struct warm_run warm = run->warm;
	struct block *own = block_copy(store->pool, warm.block, warm.bytes, run->len);

	if (!own)
		return false;
	run_leave_warm(store, run);
	block_put(store->pool, warm.block);
	run_set_warm(store, run, own->bytes, own);
	return true;
}

/* Whether @run is to be copied, not cooled. */
static bool is_for_copy(const struct run_store *store, const struct run *run)
{
	return run->other && run->warm.block->kind == BLOCK_READ &&
	       store->pool->bytes[BLOCK_COPIED] + run->len <= store->most_copied;
}

/* Notes that cold @run follows cold @before, which may be NULL, if its bytes do soon. */
static void follow(struct run *before, struct run *run)
{
	const struct cold_run *a, *b = &run->at;
	uint64_t distance;

	if (!before || before->packed != run->packed || before->at.source != b->source)
		return;
	a = &before->at;
	distance = b->offset - a->offset;
	if (distance < before->len || distance > before->len + BETWEEN_BYTES_MAX ||
	    b->file_offset - a->file_offset != (run->packed ? 0 : distance))
		return;
	before->at.next = run;
	run->at.prev = before;
}

/*
 * If runs that were read again become cold once more, too many are in use at the same time to have
 * so many bytes of each in memory.
 */
int run_cool_all(struct run_store *store, enum block_kind kind, struct error *err)
{
	const struct warm_runs *runs = &store->warm[kind];
	struct run *before = NULL;

	if (kind == BLOCK_REREAD && store->read_bytes > READ_BYTES_MIN)
		store->read_bytes /= 2;
	for (struct run *run = runs->first; run; run = runs->first) {
		if (is_for_copy(store, run) && copy(store, run))
			continue;
		if (cool(store, run, err) < 0)
			return -1;
		follow(before, run);
		before = run;
	}
	return 0;
}

/*
 * Frames the @len bytes at @bytes, up to an incomplete record, as the first ones of @run. Returns
 * false if they cannot be these.
 */
static bool frame(const struct run *run, const uint8_t *bytes, size_t len, bool swap,
		  struct run_part *part)
{
	struct span s = span_make(bytes, len, swap);

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
	struct block *block = block_get_again(store->pool, len);

	if (!block) {
		error_nomem(err, "sorting records");
		return NULL;
	}
	block->file_offset = at->file_offset;
	block->packed = run->packed;
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

/* Where cold @run ends, as bytes from @offset on, at or before its start. */
static uint64_t end_of(const struct run *run, uint64_t offset)
{
	return run->at.offset - offset + run->len;
}

/* How many bytes of @run, and of those that follow it, to read at a time. */
static size_t bytes_to_read(const struct run *run, size_t most)
{
	const uint64_t offset = run->at.offset;
	size_t len = run->len;

	if (len > most)
		return most;
	for (run = run->at.next; run && end_of(run, offset) <= most; run = run->at.next)
		len = (size_t)end_of(run, offset);
	return len;
}

int run_read(struct run_store *store, const struct run *run, struct run_part *part,
	     struct error *err)
{
	for (size_t most = store->read_bytes;; most = RECORD_BYTES_MAX) {
		const size_t len = bytes_to_read(run, most);
		const size_t own = len < run->len ? len : run->len;
		bool whole;

		*part = (struct run_part){.block = read_block(store, run, len, err)};
		if (!part->block)
			return -1;
		whole = part->block->len == len &&
			frame(run, part->block->bytes, own, store->swap, part);
		if (whole && part->len && (own < run->len || part->len == own))
			return 0;
		block_put(store->pool, part->block);
		if (!whole || own == run->len || len >= RECORD_BYTES_MAX)
			return report_change(run, err);
	}
}

struct run *run_split(struct run_store *store, struct run *run, const struct run_part *part,
		      uint64_t time)
{
	struct run *rest = run_new(store);

	if (!rest)
		return NULL;
	*rest = *run;
	rest->time = time;
	rest->nr += part->nr_records;
	rest->len -= part->len;
	rest->started = false;
	rest->at.offset += part->len;
	rest->at.file_offset += run->packed ? 0 : part->len;
	rest->at.prev = NULL;
	if (rest->at.next)
		rest->at.next->at.prev = rest;
	run->at.next = NULL;
	run->len = part->len;
	return rest;
}

/* Parts @run, which is to be warm, from those before and after it. */
static void part_from_neighbours(struct run *run)
{
	if (run->at.prev)
		run->at.prev->at.next = NULL;
	if (run->at.next)
		run->at.next->at.prev = NULL;
}

int run_warm(struct run_store *store, struct run *run, struct block *block, struct error *err)
{
	const uint64_t offset = run->at.offset;

	for (struct run *next; run && end_of(run, offset) <= block->len; run = next) {
		const uint8_t *bytes = block->bytes + (run->at.offset - offset);
		struct run_part part = {0};

		if (bytes != block->bytes) {
			if (!frame(run, bytes, run->len, store->swap, &part) ||
			    part.len != run->len)
				return report_change(run, err);
			block_ref(block);
		}
		next = run->at.next;
		part_from_neighbours(run);
		run_set_warm(store, run, bytes, block);
		store->bytes_reread += run->len;
	}
	return 0;
}

static void drop_all(struct run_store *store, struct warm_runs *runs)
{
	for (struct run *run = runs->first; run; run = runs->first) {
		struct block *block = run->warm.block;

		run_leave_warm(store, run);
		block_put(store->pool, block);
	}
}

void run_store_free(struct run_store *store)
{
	for (int kind = 0; kind < NR_BLOCK_KINDS; kind++)
		drop_all(store, &store->warm[kind]);
	for (struct run_slab *slab = store->slabs, *next; slab; slab = next) {
		next = slab->next;
		free(slab);
	}
	spool_free(&store->spool);
	*store = (struct run_store){0};
}
