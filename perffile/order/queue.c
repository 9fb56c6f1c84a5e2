#include "perffile/order/queue.h"

#include "perffile/record/events.h"

static int compare_runs(const struct tree_node *a, const struct tree_node *b)
{
	const struct run *x = tree_entry(a, struct run, node), *y = tree_entry(b, struct run, node);

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

static struct run *node_run(struct tree_node *node)
{
	return node ? tree_entry(node, struct run, node) : NULL;
}

void queue_init(struct queue *queue, struct event_finder *finder, struct block_pool *pool)
{
	*queue = (struct queue){.finder = finder, .pool = pool, .bytes_max = QUEUE_BYTES_MAX};
	run_store_init(&queue->store, pool);
}

void queue_set_swap(struct queue *queue, bool swap)
{
	queue->swap = swap;
	queue->store.swap = swap;
}

void queue_use_gaps(struct queue *queue)
{
	queue->has_gaps = true;
}

/* Gives back the block of the run that was popped empty. */
static void drop_spent(struct queue *queue)
{
	block_put(queue->pool, queue->spent);
	queue->spent = NULL;
}

/* Makes all runs cold if blocks take too much memory. */
static int make_room(struct queue *queue, struct error *err)
{
	if (queue->pool->bytes_held <= queue->bytes_max)
		return 0;
	queue->open = NULL;
	if (run_cool_all(&queue->store, err) < 0)
		return -1;
	return queue->tick ? queue->tick(queue->tick_arg, err) : 0;
}

/* The tree that @run belongs to. */
static struct tree *tree_of(struct queue *queue, const struct run *run)
{
	return run->other ? &queue->others : &queue->runs;
}

/* Whether @raw is kept apart from samples. */
static inline bool is_other(const struct queue *queue, const struct raw_record *raw)
{
	return queue->has_gaps && raw->type != RECORD_SAMPLE;
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
	tree_insert_near(tree_of(queue, run), &run->node, compare_runs);
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

	if (time > queue->newest)
		queue->newest = time;
	if (run && run->warm.bytes + run->len == raw->bytes && run->warm.block == raw->block &&
	    queue->open_end_nr == raw->nr && queue->open_time <= time &&
	    run->other == is_other(queue, raw))
		run_grow(run, raw->size, raw->size, time);
	else if (push_run(queue, raw, time, err) < 0)
		return -1;
	queue->open_end_nr = raw->nr + 1;
	queue->open_time = time;
	return 0;
}

void queue_push_on(struct queue *queue, const struct sample_stretch *stretch)
{
	run_grow(queue->open, stretch->len, stretch->size, stretch->time);
	queue->open_end_nr += stretch->nr;
	queue->open_time = stretch->time;
	if (stretch->time > queue->newest)
		queue->newest = stretch->time;
}

static struct run *run_after(const struct run *run)
{
	return run ? node_run(tree_next(&run->node)) : NULL;
}

/* The one of two runs that has the earlier record; each may be NULL. */
static struct run *earlier(struct run *a, struct run *b)
{
	if (!a || !b)
		return a ? a : b;
	return compare_runs(&a->node, &b->node) < 0 ? a : b;
}

static uint64_t earliest(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Bounds the first run, which has samples, by the end of the gap that they are in. */
static void bound_by_gap(struct queue *queue)
{
	const uint64_t time = queue->first->time;
	uint64_t end;

	if (time >= queue->gap_limit)
		queue->gap_limit = time < UINT64_MAX - GAP_NS ? time + GAP_NS : UINT64_MAX;
	end = queue->gap_limit;
	if (queue->limit < UINT64_MAX)
		end = earliest(end, queue->limit + 1);
	if (end <= queue->bound_time) {
		queue->bound_time = end;
		queue->bound_nr = 0;
	}
}

/* A run with samples in the gap that are not taken yet; NULL: there is none. */
static struct run *run_in_gap(struct queue *queue)
{
	struct run *run = started_next(&queue->started, queue->bound_time);

	if (run)
		return run;
	run = node_run(tree_first(&queue->runs));
	return run && run->time < queue->bound_time ? run : NULL;
}

/* Puts all runs back into the tree: from now on, samples come in order. */
static void order_started(struct queue *queue)
{
	while (queue->started.nr > 0) {
		struct run *run = queue->started.runs[--queue->started.nr];

		run->started = false;
		tree_insert(&queue->runs, &run->node, compare_runs);
	}
}

/* Finds the run with the earliest record, and how far it may be taken. */
static void set_first(struct queue *queue)
{
	const bool may_be_gap = queue->has_gaps && queue->finder->set->all_plain;
	struct run *run, *other, *next;

	if (!may_be_gap)
		order_started(queue);
	run = earlier(node_run(tree_first(&queue->runs)), started_first(&queue->started));
	other = node_run(tree_first(&queue->others));
	queue->first = earlier(run, other);
	queue->in_gap = may_be_gap && run && queue->first == run;
	if (queue->in_gap)
		next = other;
	else
		next = queue->first == run ? earlier(other, run_after(run))
					   : earlier(run, run_after(other));
	queue->bound_time = next ? next->time : UINT64_MAX;
	queue->bound_nr = next ? next->nr : UINT64_MAX;
	if (queue->in_gap)
		bound_by_gap(queue);
}

/* Finds the next run to take from: one in the same gap, if there is any. */
static void go_on(struct queue *queue)
{
	struct run *run = queue->in_gap && queue->finder->set->all_plain ? run_in_gap(queue) : NULL;

	if (run)
		queue->first = run;
	else
		set_first(queue);
}

/* Releases the records up to queue->limit. */
static void release(struct queue *queue)
{
	queue->releasing = true;
	queue->gap_taken = 0; /* what was taken before is before all that comes */
	set_first(queue);
}

void queue_round(struct queue *queue)
{
	/* After a round without records, none older than the previous newest can come. */
	const uint64_t newest = queue->newest ? queue->newest : queue->next_limit;

	if (queue_is_empty(queue))
		return;
	if (newest >= queue->next_limit)
		queue->limit = queue->next_limit;
	queue->next_limit = newest;
	queue->newest = 0;
	release(queue);
}

void queue_finish(struct queue *queue)
{
	queue->limit = UINT64_MAX;
	release(queue);
}

/* Removes the first run, whose last record was taken. */
static void retire(struct queue *queue, struct run *run)
{
	if (run->started)
		started_remove(&queue->started);
	else
		tree_remove(tree_of(queue, run), &run->node);
	go_on(queue);
	if (queue->open == run)
		queue->open = NULL;
	queue->spent = run->warm.block;
	run_leave_warm(&queue->store, run);
	run_drop(&queue->store, run);
}

/* Moves the first run to where its first record belongs. */
static void sort_anew(struct queue *queue, struct run *run)
{
	struct tree *tree = tree_of(queue, run);

	if (run->started) {
		started_move(&queue->started);
	} else {
		tree_remove(tree, &run->node);
		run->started = queue->in_gap && !started_full(&queue->started);
		if (run->started)
			started_add(&queue->started, run);
		else
			tree_insert(tree, &run->node, compare_runs);
	}
	go_on(queue);
}

/* Returns the time in ns by which the record at @bytes, which is whole, is sorted. */
static inline uint64_t record_time(struct queue *queue, const uint8_t *bytes)
{
	struct raw_stretch one = {.bytes = bytes};
	const struct raw_record raw = raw_take(&one, queue->swap);
	const struct span body = raw_body(&raw, queue->swap);

	return events_time(queue->finder, raw.type, &body);
}

/* The last one of the records that are taken is from @time. */
static inline void note_taken(struct queue *queue, uint64_t time)
{
	if (time > queue->newest_taken)
		queue->newest_taken = time;
}

/* The end of the gap that the first run is in; 0: in none. What is taken next is from there. */
static uint64_t enter_gap(struct queue *queue)
{
	const uint64_t end = queue->in_gap ? queue->bound_time : 0;

	if (end == 0 || end != queue->gap_taken)
		queue->newest_before = queue->newest_taken;
	queue->gap_taken = end;
	return end;
}

/* Whether records from @time on are not to be taken from the first run now. */
static inline bool is_beyond(const struct queue *queue, uint64_t time)
{
	return time >= queue->bound_time || time > queue->limit;
}

/*
 * What is left of a run when the records that may be taken are: none, or those from one on that may
 * not.
 */
struct taken {
	const uint8_t *bytes, *end;
	uint64_t nr;   /* records that were taken */
	uint64_t time; /* ns, of the first one left */
	uint64_t last; /* ns, of the last one taken */
};

/* Moves over the records that may be taken; the first may. */
static void take_one_by_one(struct queue *queue, struct taken *taken)
{
	struct raw_stretch left = {.bytes = taken->bytes};

	do {
		taken->last = taken->time;
		(void)raw_take(&left, queue->swap);
		if (left.bytes == taken->end)
			break;
		taken->time = record_time(queue, left.bytes);
	} while (!is_beyond(queue, taken->time));
	taken->bytes = left.bytes;
	taken->nr = left.nr;
}

/* As take_one_by_one(), where each record has @size bytes: only some of them are looked at. */
static void take_equal(struct queue *queue, uint16_t size, struct taken *taken)
{
	const uint8_t *bytes = taken->bytes;
	const size_t nr = (size_t)(taken->end - bytes) / size;
	size_t in = 0, step = 1, out;

	/* Record @in may be taken; @out may not, or is the end. */
	while (in + step < nr &&
	       !is_beyond(queue, record_time(queue, bytes + (in + step) * size))) {
		in += step;
		step *= 2;
	}
	out = in + step < nr ? in + step : nr;
	while (out - in > 1) {
		const size_t middle = in + (out - in) / 2;

		if (is_beyond(queue, record_time(queue, bytes + middle * size)))
			out = middle;
		else
			in = middle;
	}
	taken->last = record_time(queue, bytes + in * size);
	taken->bytes = bytes + out * size;
	taken->nr = out;
	if (out < nr)
		taken->time = record_time(queue, taken->bytes);
}

/*
 * Takes the records of the first run, which is warm, up to where its bound is, or up to one that is
 * not released.
 */
static void take_stretch(struct queue *queue, struct run *run, struct raw_stretch *stretch)
{
	struct taken taken = {
		.bytes = run->warm.bytes, .end = run->warm.bytes + run->len, .time = run->time};

	stretch->bytes = taken.bytes;
	stretch->block = run->warm.block;
	stretch->nr = run->nr;
	stretch->gap_end = enter_gap(queue);
	stretch->newest = queue->newest_before;
	stretch->sorted = true;
	if (!is_beyond(queue, run->last)) {
		taken.last = run->last;
		taken.bytes = taken.end;
	} else if (run->size) {
		take_equal(queue, run->size, &taken);
	} else {
		take_one_by_one(queue, &taken);
	}
	stretch->end = taken.bytes;
	note_taken(queue, taken.last);
	if (taken.bytes == taken.end) {
		retire(queue, run);
		return;
	}
	run->warm.bytes = taken.bytes;
	run->len = (uint32_t)(taken.end - taken.bytes);
	run->nr += taken.nr;
	run->time = taken.time;
	if (queue->in_gap || run->time > queue->bound_time ||
	    (run->time == queue->bound_time && run->nr > queue->bound_nr))
		sort_anew(queue, run);
}

/* Makes the rest of @run, of which @part was read, a cold run of its own. */
static int split(struct queue *queue, struct run *run, const struct run_part *part,
		 struct error *err)
{
	struct run *rest;

	if (part->len == run->len)
		return 0;
	rest = run_new(&queue->store);
	if (!rest)
		return error_nomem(err, "sorting records");
	*rest = (struct run){
		.time = record_time(queue, part->block->bytes + part->last),
		.last = run->last,
		.nr = run->nr + part->nr_records,
		.len = run->len - part->len,
		.size = run->size,
		.cold = true,
		.packed = run->packed,
		.other = run->other,
		.at = run->at,
	};
	rest->at.offset += part->len;
	rest->at.file_offset += run->packed ? 0 : part->len;
	run->len = part->len;
	tree_insert(tree_of(queue, rest), &rest->node, compare_runs);
	return 0;
}

/* Reads the first run's bytes again. Its time, maybe only a lower bound, becomes exact. */
static int warm_first(struct queue *queue, struct error *err)
{
	struct run *run = queue->first;
	struct run_part part;

	if (make_room(queue, err) < 0 || run_read(&queue->store, run, &part, err) < 0)
		return -1;
	if (split(queue, run, &part, err) < 0) {
		block_put(queue->pool, part.block);
		return -1;
	}
	run->time = record_time(queue, part.block->bytes);
	run_set_warm(&queue->store, run, part.block->bytes, part.block);
	sort_anew(queue, run);
	return 0;
}

int queue_pop(struct queue *queue, struct raw_stretch *stretch, struct error *err)
{
	struct run *run;

	drop_spent(queue);
	if (!queue->releasing)
		return 0;
	while ((run = queue->first) && run->time <= queue->limit && run->cold) {
		if (warm_first(queue, err) < 0)
			return -1;
	}
	if (!run || run->time > queue->limit) {
		queue->releasing = false;
		return 0;
	}
	take_stretch(queue, run, stretch);
	return 1;
}

void queue_free(struct queue *queue)
{
	drop_spent(queue);
	run_store_free(&queue->store);
	*queue = (struct queue){0};
}
