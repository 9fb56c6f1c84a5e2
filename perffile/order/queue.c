#include "perffile/order/queue.h"

void queue_init(struct queue *queue, struct event_finder *finder, struct block_pool *pool)
{
	*queue = (struct queue){.pool = pool};
	run_store_init(&queue->store, pool);
	queue_set_memory(queue, QUEUE_BYTES_MAX);
	waiting_init(&queue->waiting, finder);
}

void queue_set_swap(struct queue *queue, bool swap)
{
	queue->waiting.swap = swap;
	queue->store.swap = swap;
}

void queue_use_gaps(struct queue *queue)
{
	queue->waiting.has_gaps = true;
}

void queue_use_leaps(struct queue *queue)
{
	waiting_use_leaps(&queue->waiting);
}

void queue_end_leaps(struct queue *queue)
{
	waiting_end_leaps(&queue->waiting);
}

/* Gives back the block of the run that was popped empty. */
static void drop_spent(struct queue *queue)
{
	block_put(queue->pool, queue->spent);
	queue->spent = NULL;
}

void queue_set_memory(struct queue *queue, size_t bytes)
{
	queue->bytes_max = bytes;
	queue->store.most_copied = bytes / 8;
}

/* Notes the end of a round: records of two wait at a time. If they fit in memory, they may stay. */
static void expect_warm(struct queue *queue)
{
	if (queue->round_bytes + queue->last_round_bytes <= queue->bytes_max / 2)
		queue->waiting.expects_cold = false;
	queue->last_round_bytes = queue->round_bytes;
	queue->round_bytes = 0;
}

/*
 * Returns how many bytes blocks of @kind may have. If most records that are read once become cold,
 * those of a file do so at once, while their block is in the processor's cache, and its memory is
 * used again. Those of a spool are written first, and as many as possible are not.
 */
static size_t most_bytes(const struct queue *queue, enum block_kind kind)
{
	if (kind == BLOCK_READ && !queue->waiting.expects_cold)
		return queue->bytes_max;
	return queue->bytes_max / (kind == BLOCK_REREAD || queue->store.spool.size > 0 ? 2 : 32);
}

static bool is_full(const struct queue *queue, enum block_kind kind)
{
	return queue->pool->bytes[kind] > most_bytes(queue, kind);
}

/* Makes runs cold if their blocks take too much memory. */
static int make_room(struct queue *queue, struct error *err)
{
	const enum block_kind kind = is_full(queue, BLOCK_READ) ? BLOCK_READ : BLOCK_REREAD;

	if (!is_full(queue, kind))
		return 0;
	queue->open = NULL;
	if (run_cool_all(&queue->store, kind, err) < 0)
		return -1;
	queue->waiting.expects_cold |= kind == BLOCK_READ;
	return queue->tick ? queue->tick(queue->tick_arg, err) : 0;
}

/* Whether @raw is kept apart from samples. */
static inline bool is_other(const struct queue *queue, const struct raw_record *raw)
{
	return queue->waiting.has_gaps && raw->type != RECORD_SAMPLE;
}

/* Starts a run with @raw. */
static int push_run(struct queue *queue, const struct raw_record *raw, uint64_t time,
		    struct error *err)
{
	struct run *run;

	if (make_room(queue, err) < 0)
		return -1;
	run = run_new(&queue->store);
	if (!run)
		return error_nomem(err, "sorting records");
	*run = (struct run){.time = time,
			    .last = time,
			    .nr = raw->nr,
			    .len = raw->size,
			    .size = raw->size,
			    .other = is_other(queue, raw)};
	run_set_warm(&queue->store, run, raw->bytes, block_ref(raw->block));
	waiting_add_near(&queue->waiting, run);
	queue->open = run;
	return 0;
}

/* Adds to @run records of @len bytes, each of @size if that is not 0, the last with @time. */
static void run_grow(struct run *run, uint32_t len, uint16_t size, uint64_t time)
{
	run->len += len;
	run->last = time;
	if (size != run->size)
		run->size = 0;
}

int queue_push(struct queue *queue, const struct raw_record *raw, uint64_t time, struct error *err)
{
	struct run *run = queue->open;
	const bool other = is_other(queue, raw);

	if (time > queue->newest)
		queue->newest = time;
	if (run && run->warm.bytes + run->len == raw->bytes && run->warm.block == raw->block &&
	    queue->open_end_nr == raw->nr && queue->open_time <= time && run->other == other)
		run_grow(run, raw->size, raw->size, time);
	else if (push_run(queue, raw, time, err) < 0)
		return -1;
	queue->open_end_nr = raw->nr + 1;
	queue->open_time = time;
	queue->round_bytes += raw->size;
	return 0;
}

void queue_push_on(struct queue *queue, const struct sample_stretch *stretch)
{
	run_grow(queue->open, stretch->len, stretch->size, stretch->time);
	queue->open_end_nr += stretch->nr;
	queue->open_time = stretch->time;
	queue->round_bytes += stretch->len;
	if (stretch->time > queue->newest)
		queue->newest = stretch->time;
}

/* Releases the records up to queue->waiting.limit. */
static void release(struct queue *queue)
{
	queue->releasing = true;
	queue->gap_taken = 0; /* what was taken before is before all that comes */
	waiting_find_first(&queue->waiting);
}

void queue_round(struct queue *queue)
{
	/* After a round without records, none older than the previous newest can come. */
	const uint64_t newest = queue->newest ? queue->newest : queue->next_limit;

	expect_warm(queue);
	if (queue_is_empty(queue))
		return;
	if (newest >= queue->next_limit)
		queue->waiting.limit = queue->next_limit;
	queue->next_limit = newest;
	queue->newest = 0;
	release(queue);
}

void queue_finish(struct queue *queue)
{
	queue->waiting.limit = UINT64_MAX;
	release(queue);
}

/* Removes the first run, whose last record was taken. */
static void retire(struct queue *queue, struct run *run)
{
	waiting_remove(&queue->waiting, run);
	if (queue->open == run)
		queue->open = NULL;
	queue->spent = run->warm.block;
	run_leave_warm(&queue->store, run);
	run_drop(&queue->store, run);
}

/* The end of the gap that the first run is in; 0: in none. What is taken next is from there. */
static uint64_t enter_gap(struct queue *queue)
{
	const uint64_t end = queue->waiting.in_gap ? queue->waiting.bound_time : 0;

	if (end == 0 || end != queue->gap_taken)
		queue->newest_before = queue->waiting.newest_taken;
	queue->gap_taken = end;
	return end;
}

/* Sets @taken to the records of @run, which is warm, up to where its bound is, or up to one that is
 * not released. */
static void begin_taking(const struct queue *queue, const struct run *run, struct taken *taken)
{
	const struct waiting *waiting = &queue->waiting;

	*taken = (struct taken){.finder = waiting->finder,
				.swap = waiting->swap,
				.bound = waiting_released_end(waiting)};
	if (waiting->bound_time < taken->bound)
		taken->bound = waiting->bound_time;
	taken_begin(taken, run);
}

/* Sets @stretch to the records of @run that were @taken. */
static void give(struct queue *queue, const struct run *run, const struct taken *taken,
		 struct raw_stretch *stretch)
{
	*stretch = (struct raw_stretch){.bytes = run->warm.bytes,
					.end = taken->bytes,
					.block = run->warm.block,
					.nr = run->nr,
					.gap_end = enter_gap(queue),
					.sorted = true};
	stretch->newest = queue->newest_before;
}

/* Leaves in the first run, @run, what is left. */
static void leave(struct queue *queue, struct run *run, const struct taken *taken)
{
	struct waiting *waiting = &queue->waiting;

	waiting_note_taken(waiting, taken->last);
	if (taken->bytes == taken->end) {
		retire(queue, run);
		return;
	}
	run->warm.bytes = taken->bytes;
	run->len = (uint32_t)(taken->end - taken->bytes);
	run->nr += taken->nr;
	run->time = taken->time;
	if (waiting->in_gap || run->time > waiting->bound_time ||
	    (run->time == waiting->bound_time && run->nr > waiting->bound_nr))
		waiting_move(waiting, run);
}

static void take_stretch(struct queue *queue, struct run *run, struct raw_stretch *stretch)
{
	struct taken taken;

	begin_taking(queue, run, &taken);
	taken_fill(&taken, run);
	give(queue, run, &taken, stretch);
	leave(queue, run, &taken);
}

/* Keeps the samples of @run that were @taken, of @process. */
static int keep(struct queue *queue, const struct run *run, const struct taken *taken,
		struct leap_process *process, struct error *err)
{
	struct run *part = run_new(&queue->store);

	if (!part)
		return error_nomem(err, "sorting records");
	*part = (struct run){.time = run->time,
			     .last = taken->last,
			     .nr = run->nr,
			     .len = (uint32_t)(taken->bytes - run->warm.bytes),
			     .size = run->size};
	run_set_warm(&queue->store, part, run->warm.bytes, block_ref(run->warm.block));
	leap_keep(process, part);
	return 0;
}

/*
 * In a leap, takes samples of calm processes from @run, or keeps those of others. Returns 1, 0 if
 * they were kept, or -1 with @err filled.
 */
static int take_calm(struct queue *queue, struct run *run, struct raw_stretch *stretch,
		     struct error *err)
{
	struct leap_process *process;
	struct taken taken;

	begin_taking(queue, run, &taken);
	process = leap_take(queue->waiting.leap, &taken);
	if (process && keep(queue, run, &taken, process, err) < 0)
		return -1;
	if (!process)
		give(queue, run, &taken, stretch);
	leave(queue, run, &taken);
	return !process;
}

/* Takes records of @run, the first, which is warm. As take_calm(). */
static int take_some(struct queue *queue, struct run *run, struct raw_stretch *stretch,
		     struct error *err)
{
	drop_spent(queue);
	if (waiting_is_calm(&queue->waiting))
		return take_calm(queue, run, stretch, err);
	take_stretch(queue, run, stretch);
	return 1;
}

/* Makes the rest of @run, of which @part was read, a cold run of its own. */
static int split(struct queue *queue, struct run *run, const struct run_part *part,
		 struct error *err)
{
	struct run *rest;

	if (part->len == run->len)
		return 0;
	rest = run_split(&queue->store, run, part,
			 waiting_time(&queue->waiting, part->block->bytes + part->last));
	if (!rest)
		return error_nomem(err, "sorting records");
	waiting_add(&queue->waiting, rest);
	return 0;
}

/* Reads the first run's bytes again. Its time, maybe only a lower bound, becomes exact. */
static int warm_first(struct queue *queue, struct error *err)
{
	struct run *run = queue->waiting.first;
	struct run_part part;

	if (make_room(queue, err) < 0 || run_read(&queue->store, run, &part, err) < 0)
		return -1;
	if (split(queue, run, &part, err) < 0) {
		block_put(queue->pool, part.block);
		return -1;
	}
	run->time = waiting_time(&queue->waiting, part.block->bytes);
	if (run_warm(&queue->store, run, part.block, err) < 0)
		return -1;
	waiting_move(&queue->waiting, run);
	return 0;
}

int queue_pop(struct queue *queue, struct raw_stretch *stretch, struct error *err)
{
	const struct waiting *waiting = &queue->waiting;
	int rc = 0;

	drop_spent(queue);
	if (!queue->releasing)
		return 0;
	while (rc == 0 && waiting->first && waiting->first->time <= waiting->limit) {
		if (waiting->first->cold)
			rc = warm_first(queue, err);
		else
			rc = take_some(queue, waiting->first, stretch, err);
	}
	queue->releasing = rc != 0;
	return rc;
}

void queue_free(struct queue *queue)
{
	drop_spent(queue);
	waiting_end_leaps(&queue->waiting);
	run_store_free(&queue->store);
	*queue = (struct queue){0};
}
