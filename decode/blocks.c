#include "decode/blocks.h"

#include "util/array.h"

#include <stdlib.h>

enum {
	DEFAULT_MOST = 1 << 24,	 /* counts: 128 MB */
	FEWEST = BLOCKS_MAX / 4, /* blocks that are not joined for want of memory */
	FEWEST_FOR_NOISE = 8,	 /* blocks that tell anything */
};

/* Joins two neighbours' counts, both by ascending number, into @to. */
static void join_counts(struct block *to, const struct block *a, const struct block *b)
{
	size_t i = 0, j = 0;

	while (i < a->nr || j < b->nr) {
		struct block_count *out = &to->counts[to->nr++];

		if (j == b->nr || (i < a->nr && a->counts[i].number < b->counts[j].number)) {
			*out = a->counts[i++];
		} else if (i == a->nr || b->counts[j].number < a->counts[i].number) {
			*out = b->counts[j++];
		} else {
			*out = a->counts[i++];
			out->period += b->counts[j++].period;
		}
	}
}

/* Makes @a the block of both. False, with nothing changed: no memory. */
static bool join_blocks(struct block *a, struct block *b)
{
	struct block both = {.counts = calloc(a->nr + b->nr + 1, sizeof(*both.counts))};
	struct block_count *smaller;

	if (!both.counts)
		return false;
	join_counts(&both, a, b);
	smaller = realloc(both.counts, (both.nr + 1) * sizeof(*both.counts));
	if (smaller)
		both.counts = smaller;
	free(a->counts);
	free(b->counts);
	*a = both;
	*b = (struct block){0};
	return true;
}

/* Makes each two blocks one; the next ones are twice as long. */
static bool join_all(struct blocks *blocks)
{
	size_t nr = 0;

	blocks->nr_counts = 0;
	for (size_t i = 0; i < blocks->nr; i += 2) {
		if (i + 1 < blocks->nr && !join_blocks(&blocks->list[i], &blocks->list[i + 1]))
			return false;
		blocks->list[nr] = blocks->list[i];
		if (nr != i)
			blocks->list[i] = (struct block){0};
		blocks->nr_counts += blocks->list[nr++].nr;
	}
	blocks->nr = nr;
	blocks->length *= 2;
	return true;
}

/* How many addresses have counted since the last block ended. */
static size_t count_changed(const struct blocks *blocks, const struct address *addresses, size_t nr)
{
	size_t changed = 0;

	for (size_t i = 0; i < nr; i++)
		changed += addresses[i].self.period != blocks->seen[i];
	return changed;
}

/* Room in @seen for as many addresses as there are; new ones have counted nothing before. */
static bool see_all(struct blocks *blocks, size_t nr)
{
	if (!array_grow(blocks->seen, blocks->seen_room, nr))
		return false;
	while (blocks->nr_seen < nr)
		blocks->seen[blocks->nr_seen++] = 0;
	return true;
}

/* Notes what was counted since the last block ended as a block of its own. */
static bool note_block(struct blocks *blocks, struct address_table *table)
{
	struct block *block = &blocks->list[blocks->nr];
	size_t nr;

	if (!address_flush(table) || !see_all(blocks, address_count(table)))
		return false;
	nr = count_changed(blocks, table->addresses, blocks->nr_seen);
	block->counts = calloc(nr + 1, sizeof(*block->counts));
	if (!block->counts)
		return false;
	for (size_t i = 0; block->nr < nr; i++) {
		uint64_t period = table->addresses[i].self.period;

		if (period == blocks->seen[i])
			continue;
		block->counts[block->nr++] = (struct block_count){
			.number = (uint32_t)i,
			.period = (float)(period - blocks->seen[i]),
		};
		blocks->seen[i] = period;
	}
	blocks->nr++;
	blocks->nr_counts += nr;
	return true;
}

static bool too_many(const struct blocks *blocks)
{
	size_t most = blocks->most ? blocks->most : DEFAULT_MOST;

	return blocks->nr == BLOCKS_MAX || (blocks->nr_counts > most && blocks->nr > FEWEST);
}

bool blocks_end(struct blocks *blocks, struct address_table *addresses, uint64_t time)
{
	if (!blocks->begun) {
		blocks->begun = true;
		if (blocks->length == 0)
			blocks->length = BLOCKS_FIRST_LENGTH;
	} else if (!note_block(blocks, addresses)) {
		return false;
	}
	if (too_many(blocks) && !join_all(blocks))
		return false;
	/* A pause is no row of empty blocks; the next one begins with this sample. */
	if (__builtin_add_overflow(time, blocks->length, &blocks->end))
		blocks->end = UINT64_MAX;
	return true;
}

bool blocks_finish(struct blocks *blocks, struct address_table *addresses)
{
	if (!blocks->begun)
		return true;
	if (!note_block(blocks, addresses) || (too_many(blocks) && !join_all(blocks)))
		return false;
	blocks->begun = false; /* what comes later has blocks of its own */
	return true;
}

/* A row or an event, while its blocks are gone through. */
struct running {
	double total;	/* period of all blocks */
	double now;	/* of the current one */
	double last;	/* y - p * Y of the block before */
	double squares; /* of the differences */
	size_t nr;	/* blocks in which the event counted */
};

static void add_block(const struct block *block, const struct row_link *links,
		      const uint32_t *link_of, const struct function_stat *rows,
		      struct running *of_rows, struct running *of_events)
{
	for (size_t i = 0; i < block->nr; i++) {
		uint32_t row = links[link_of[block->counts[i].number]].row;

		of_rows[row].now += (double)block->counts[i].period;
		of_events[rows[row].event->number].now += (double)block->counts[i].period;
	}
}

/* The step from the block before to this one, of all rows whose event counted in it. */
static void step_block(const struct function_stat *rows, struct running *of_rows, size_t nr_rows,
		       const struct running *of_events)
{
	for (size_t i = 0; i < nr_rows; i++) {
		const struct running *event = &of_events[rows[i].event->number];
		struct running *row = &of_rows[i];
		double rest;

		if (event->now <= 0)
			continue;
		rest = row->now - row->total / event->total * event->now;
		if (row->nr++)
			row->squares += (rest - row->last) * (rest - row->last);
		row->last = rest;
		row->now = 0;
	}
}

static void end_block(struct running *of_events, size_t nr_events)
{
	for (size_t i = 0; i < nr_events; i++)
		of_events[i].now = 0;
}

/*
 * The variance of the sum of B blocks is B times that of one, which is half the mean square of the
 * B - 1 differences. Its degrees of freedom are 2 / (3 / B) for normal residuals, and fewer as the
 * samples get few, which makes them less normal.
 */
static void set_noise(struct function_stat *row, const struct running *running, double event_total)
{
	double nr = (double)running->nr, samples = (double)row->self.samples;
	double part = running->total / event_total;
	double all = (double)row->children.period / event_total;

	if (running->nr < FEWEST_FOR_NOISE || !(running->total > 0) || !(running->squares > 0))
		return;
	row->noise = nr / (2 * (nr - 1)) * running->squares / (event_total * event_total);
	row->noise_df = 2 / (3 / nr + 1 / samples);
	if (all < 1)
		row->children_noise = row->noise * (all * (1 - all)) / (part * (1 - part));
}

static void sum_rows(const struct function_stat *rows, struct running *of_rows, size_t nr_rows,
		     struct running *of_events)
{
	for (size_t i = 0; i < nr_rows; i++) {
		of_rows[i].total = (double)rows[i].self.period;
		of_events[rows[i].event->number].total += of_rows[i].total;
	}
}

bool blocks_noise(const struct blocks *blocks, const struct row_link *links,
		  const uint32_t *link_of, struct function_stat *rows, size_t nr_rows,
		  size_t nr_events)
{
	struct running *of_rows = calloc(nr_rows + 1, sizeof(*of_rows));
	struct running *of_events = calloc(nr_events + 1, sizeof(*of_events));
	bool ok = of_rows && of_events;

	if (ok)
		sum_rows(rows, of_rows, nr_rows, of_events);
	for (size_t i = 0; ok && i < blocks->nr; i++) {
		add_block(&blocks->list[i], links, link_of, rows, of_rows, of_events);
		step_block(rows, of_rows, nr_rows, of_events);
		end_block(of_events, nr_events);
	}
	for (size_t i = 0; ok && i < nr_rows; i++)
		set_noise(&rows[i], &of_rows[i], of_events[rows[i].event->number].total);
	free(of_rows);
	free(of_events);
	return ok;
}

void blocks_free(struct blocks *blocks)
{
	for (size_t i = 0; i < BLOCKS_MAX; i++)
		free(blocks->list[i].counts);
	free(blocks->seen);
	*blocks = (struct blocks){.most = blocks->most};
}
