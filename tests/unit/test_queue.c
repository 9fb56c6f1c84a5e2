/*
 * The order of records: the queue alone against a naive model, then whole recordings: rounds, late
 * records, records without a time.
 */
#include "perffile/order/queue.h"

#include "perffile/record/events.h"
#include "perffile/record/sample.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 16;
}

/* ---- the queue and its model ---- */

enum { RECORD_BYTES = 16, LARGER_BYTES = 24, NR_PUSHED = 4000, BURST_MAX = 24 };

struct model_item {
	uint64_t time, nr;
	uint16_t size;
};

/* What is waiting, in no order; rounds as perf describes them, but for those that lie. */
struct model {
	struct model_item items[NR_PUSHED];
	size_t nr_items;
	bool releasing;
	uint64_t limit;	 /* what may be popped */
	uint64_t before; /* newest of the last round that had records */
	uint64_t newest; /* of this one */
};

struct bench {
	struct queue queue;
	struct event event, *event_list[1];
	struct event_set events;
	struct event_finder finder;
	struct block_pool pool;
	struct block *block;	 /* where the next records go; its reference is ours */
	struct raw_stretch left; /* popped and not compared yet */
	struct model model;
	uint64_t nr, random;
	bool mixes; /* records have two sizes */
};

static void bench_init(struct bench *bench, uint64_t seed)
{
	memset(bench, 0, sizeof(*bench));
	bench->random = seed * 2 + 1;
	bench->event.attr.sample_type = PERF_SAMPLE_TIME;
	sample_layout_make(&bench->event.layout, &bench->event.attr);
	bench->event_list[0] = &bench->event;
	bench->events = (struct event_set){.first = &bench->event,
					   .events = bench->event_list,
					   .nr_events = 1,
					   .same_layout = true,
					   .timed = true};
	bench->finder.set = &bench->events;
	queue_init(&bench->queue, &bench->finder, &bench->pool);
	bench->block = block_get(&bench->pool, true);
	ck_assert_ptr_nonnull(bench->block);
}

/* As the reader does when a block is full. */
static void change_block(struct bench *bench)
{
	block_put(&bench->pool, bench->block);
	bench->block = block_get(&bench->pool, true);
	ck_assert_ptr_nonnull(bench->block);
}

static void bench_free(struct bench *bench)
{
	block_put(&bench->pool, bench->block);
	queue_free(&bench->queue);
	block_pool_trim(&bench->pool);
}

/* A SAMPLE that holds its time alone, in the block and in the queue. */
static void push(struct bench *bench, uint64_t time)
{
	uint8_t *bytes = bench->block->bytes + bench->block->len;
	const uint32_t type = PERF_RECORD_SAMPLE;
	const uint16_t size = bench->mixes && bench->nr % 3 == 0 ? LARGER_BYTES : RECORD_BYTES;
	struct raw_record raw = {
		.bytes = bytes, .block = bench->block, .nr = bench->nr, .type = type, .size = size};

	memcpy(bytes, &type, sizeof(type));
	memset(bytes + 4, 0, 2);
	memcpy(bytes + 6, &size, sizeof(size));
	memcpy(bytes + 8, &time, sizeof(time));
	memset(bytes + RECORD_BYTES, 0, (size_t)size - RECORD_BYTES);
	bench->block->len += size;
	if (queue_push(&bench->queue, &raw, time, NULL) < 0)
		ck_abort_msg("out of memory");
	bench->model.items[bench->model.nr_items++] = (struct model_item){time, bench->nr++, size};
	if (time > bench->model.newest)
		bench->model.newest = time;
}

static void model_round(struct model *model)
{
	if (model->nr_items == 0)
		return;
	model->releasing = true;
	if (model->newest == 0) {
		model->limit = model->before;
		return;
	}
	if (model->newest >= model->before)
		model->limit = model->before;
	model->before = model->newest;
	model->newest = 0;
}

static bool model_pop(struct model *model, struct model_item *item)
{
	size_t first = 0;

	for (size_t i = 1; i < model->nr_items; i++) {
		const struct model_item *a = &model->items[i], *b = &model->items[first];

		if (a->time < b->time || (a->time == b->time && a->nr < b->nr))
			first = i;
	}
	if (!model->releasing || model->nr_items == 0 || model->items[first].time > model->limit) {
		model->releasing = false;
		return false;
	}
	*item = model->items[first];
	model->items[first] = model->items[--model->nr_items];
	return true;
}

/* Pops from both; true if both had the same to give, be it nothing. */
static bool pop_agrees(struct bench *bench, bool *more)
{
	struct model_item item = {0};
	struct raw_stretch *left = &bench->left;
	struct raw_record raw;
	uint64_t time;

	*more = model_pop(&bench->model, &item);
	if (left->bytes == left->end && queue_pop(&bench->queue, left, NULL) != *more)
		return false;
	if (!*more) /* nor has what was popped before more than the model */
		return left->bytes == left->end;
	raw = raw_take(left, false);
	memcpy(&time, raw.bytes + 8, sizeof(time));
	return time == item.time && raw.nr == item.nr && left->sorted && raw.size == item.size &&
	       raw.type == PERF_RECORD_SAMPLE && raw.block->refs > 0;
}

static void pop_all(struct bench *bench)
{
	bool more = true, same = true;

	while (more && same)
		same = pop_agrees(bench, &more);
	ck_assert(same);
}

/* A burst as a buffer is written out: ascending, with equal times, sometimes one out of order. */
static void push_burst(struct bench *bench, uint64_t base)
{
	uint64_t time = base + next_random(&bench->random) % 50;

	bench->mixes = next_random(&bench->random) % 2;
	for (unsigned n = (unsigned)(next_random(&bench->random) % BURST_MAX); n > 0; n--) {
		time += next_random(&bench->random) % 3;
		if (next_random(&bench->random) % 32 == 0)
			time -= time > base / 2 ? time - base / 2 : 0;
		push(bench, time + 1);
		if (next_random(&bench->random) % 16 == 0)
			change_block(bench);
	}
}

START_TEST(queue_against_model)
{
	struct bench *bench = malloc(sizeof(*bench));
	uint64_t base = 0;

	ck_assert_ptr_nonnull(bench);
	bench_init(bench, (uint64_t)_i);
	if (_i % 2 == 1)
		queue_set_memory(&bench->queue, 0); /* every change of run makes all others cold */
	while (bench->nr < NR_PUSHED - BURST_MAX) {
		unsigned what = (unsigned)(next_random(&bench->random) % 8);

		if (what < 5) {
			push_burst(bench, base);
		} else if (what < 7) {
			queue_round(&bench->queue);
			model_round(&bench->model);
			pop_all(bench);
			base += 30;
		} else { /* taken only in part: what is pushed meanwhile may be released, too */
			bool more = true;

			queue_round(&bench->queue);
			model_round(&bench->model);
			for (unsigned n = 0; more && (n < 5 || bench->left.bytes < bench->left.end);
			     n++)
				ck_assert(pop_agrees(bench, &more));
		}
	}
	queue_finish(&bench->queue);
	bench->model.releasing = true;
	bench->model.limit = UINT64_MAX;
	pop_all(bench);
	ck_assert_uint_eq(bench->model.nr_items, 0);
	ck_assert(tree_empty(&bench->queue.waiting.runs));
	bench_free(bench);
	free(bench);
}
END_TEST

/* Nor does it release what comes afterwards. */
START_TEST(empty_round_releases_nothing)
{
	struct bench *bench = malloc(sizeof(*bench));

	ck_assert_ptr_nonnull(bench);
	bench_init(bench, 1);
	push(bench, 20);
	for (unsigned i = 0; i < 2; i++) {
		queue_round(&bench->queue);
		model_round(&bench->model);
		pop_all(bench);
	}
	ck_assert(tree_empty(&bench->queue.waiting.runs));
	queue_round(&bench->queue);
	model_round(&bench->model);
	push(bench, 10);
	pop_all(bench);
	ck_assert(!tree_empty(&bench->queue.waiting.runs));
	bench_free(bench);
	free(bench);
}
END_TEST

/* With records still in it. */
START_TEST(queue_is_freed_when_full)
{
	struct bench *bench = malloc(sizeof(*bench));

	ck_assert_ptr_nonnull(bench);
	bench_init(bench, 1);
	for (uint64_t i = 0; i < 100; i++) {
		push(bench, 1 + i * 37 % 100);
		if (i % 10 == 0)
			change_block(bench);
	}
	queue_round(&bench->queue);
	queue_round(&bench->queue);
	for (unsigned i = 0; i < 30; i++) {
		bool more;

		model_round(&bench->model);
		model_round(&bench->model);
		ck_assert(pop_agrees(bench, &more) && more);
	}
	bench_free(bench);
	free(bench);
}
END_TEST

/* Pops one record, whose time is in [@start, @end) and which did not come before. */
static void pop_between(struct bench *bench, uint64_t start, uint64_t end, bool *came)
{
	struct raw_stretch stretch;
	struct raw_record raw;
	uint64_t time;

	ck_assert_int_eq(queue_pop(&bench->queue, &stretch, NULL), 1);
	raw = raw_take(&stretch, false);
	ck_assert_ptr_eq(stretch.bytes, stretch.end);
	memcpy(&time, raw.bytes + 8, sizeof(time));
	ck_assert_uint_ge(time, start);
	ck_assert_uint_lt(time, end);
	ck_assert(!came[raw.nr]);
	came[raw.nr] = true;
}

/* Each run has a sample in the first gap, and one in the second. Some stay in the tree. */
START_TEST(more_runs_than_are_looked_through)
{
	enum { NR = STARTED_MAX + 50 };
	struct bench *bench = malloc(sizeof(*bench));
	bool came[2 * NR] = {false};

	ck_assert_ptr_nonnull(bench);
	bench_init(bench, 1);
	bench->events.all_plain = true;
	queue_use_gaps(&bench->queue);
	for (uint64_t i = 0; i < NR; i++) {
		push(bench, 1 + i * 7 % NR);
		push(bench, 2 * GAP_NS + i * 11 % NR);
	}
	queue_finish(&bench->queue);
	for (size_t i = 0; i < NR; i++)
		pop_between(bench, 1, 1 + NR, came);
	ck_assert_uint_eq(bench->queue.waiting.started.nr, STARTED_MAX);
	ck_assert(!tree_empty(&bench->queue.waiting.runs));
	ck_assert(!queue_is_empty(&bench->queue));
	for (size_t i = 0; i < NR; i++)
		pop_between(bench, 2 * GAP_NS, 2 * GAP_NS + NR, came);
	ck_assert(queue_is_empty(&bench->queue));
	bench_free(bench);
	free(bench);
}
END_TEST

/* One run for records in order: the tree works per change of buffer, not per record. */
START_TEST(ascending_records_are_one_run)
{
	struct bench *bench = malloc(sizeof(*bench));

	ck_assert_ptr_nonnull(bench);
	bench_init(bench, 1);
	for (uint64_t i = 0; i < 1000; i++)
		push(bench, 1 + i / 3);
	ck_assert_ptr_nonnull(bench->queue.waiting.runs.root);
	ck_assert_ptr_null(bench->queue.waiting.runs.root->left);
	ck_assert_ptr_null(bench->queue.waiting.runs.root->right);
	queue_finish(&bench->queue);
	bench->model.releasing = true;
	bench->model.limit = UINT64_MAX;
	pop_all(bench);
	bench_free(bench);
	free(bench);
}
END_TEST

/* Records that lie side by side in a block, but not in the recording: perf's own stood between. */
START_TEST(indices_with_gaps)
{
	struct bench *bench = malloc(sizeof(*bench));

	ck_assert_ptr_nonnull(bench);
	bench_init(bench, 1);
	for (uint64_t i = 0; i < 20; i++) {
		push(bench, 1 + i / 2);
		bench->nr += i % 3;
	}
	queue_finish(&bench->queue);
	bench->model.releasing = true;
	bench->model.limit = UINT64_MAX;
	pop_all(bench);
	ck_assert_uint_eq(bench->model.nr_items, 0);
	bench_free(bench);
	free(bench);
}
END_TEST

/* ---- whole recordings ---- */

#define TIMED_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

static struct mkperf *new_recording(uint64_t sample_type, uint64_t flags)
{
	struct mkperf *m = mkperf_new(NULL);
	struct mkperf_event event = {.sample_type = sample_type, .flags = flags};

	mkperf_event(m, &event);
	return m;
}

static void put_sample(struct mkperf *m, uint64_t time, uint64_t ip)
{
	mkperf_sample(m, &(struct mkperf_sample){.time = time, .ip = ip});
}

/* Reads all: the times, in order, 0 for a FINISHED_ROUND; must be @expected. */
static void assert_times(struct perffile *file, const uint64_t *expected, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct record *rec = recording_next(file);
		uint64_t time;

		ck_assert_msg(rec, "ends after %zu records, expected %zu", i, nr);
		time = rec->type == RECORD_FINISHED_ROUND ? 0 : rec->time;
		ck_assert_msg(time == expected[i], "record %zu has time %llu, expected %llu", i,
			      (unsigned long long)time, (unsigned long long)expected[i]);
	}
	ck_assert_ptr_null(recording_next(file));
}

/*
 * The passes that the comment above process_finished_round() in tools/perf/util/session.c draws,
 * each cpu's records as it wrote them: a pass releases what was the newest in the pass before.
 */
START_TEST(rounds_as_perf_draws_them)
{
	static const uint64_t passes[3][2][3] = {
		{{1, 2, 0}, {2, 3, 4}}, {{3, 4, 6}, {5, 6, 7}}, {{6, 7, 0}, {8, 9, 10}}};
	static const uint64_t expected[] = {0, 0, 1, 2, 2, 3, 3, 4, 4, 0,
					    5, 6, 6, 6, 7, 7, 8, 9, 10};
	struct mkperf *m = new_recording(TIMED_TYPE, MKPERF_ATTR_SAMPLE_ID_ALL);
	struct perffile *file;

	for (unsigned pass = 0; pass < 3; pass++) {
		for (unsigned cpu = 0; cpu < 2; cpu++) {
			for (unsigned i = 0; i < 3; i++) {
				if (passes[pass][cpu][i])
					put_sample(m, passes[pass][cpu][i], cpu);
			}
		}
		mkperf_round(m);
	}
	file = recording_open(m);
	assert_times(file, expected, sizeof(expected) / sizeof(expected[0]));
	ck_assert_uint_eq(perffile_counts(file)->late, 0);
	perffile_close(file);
}
END_TEST

/* A round without records moves nothing, the limit included. */
START_TEST(empty_rounds)
{
	static const uint64_t expected[] = {0, 0, 0, 10, 20, 0, 0, 0, 30};
	struct mkperf *m = new_recording(TIMED_TYPE, MKPERF_ATTR_SAMPLE_ID_ALL);
	struct perffile *file;

	mkperf_round(m);
	put_sample(m, 10, 0);
	put_sample(m, 20, 0);
	mkperf_round(m);
	mkperf_round(m);
	mkperf_round(m);
	mkperf_round(m);
	put_sample(m, 30, 0);
	mkperf_round(m);
	file = recording_open(m);
	assert_times(file, expected, sizeof(expected) / sizeof(expected[0]));
	perffile_close(file);
}
END_TEST

struct timed {
	uint64_t time, ip;
};

static int compare_timed(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

enum { CPUS = 6, ROUNDS = 40, PER_BURST = 100, NR_TIMED = CPUS * ROUNDS * PER_BURST };

/*
 * What several cpus record, one million ns a round: each burst ascending, or, if @shuffled, every
 * round's records in any order. The ip is the index in the file.
 */
static void make_rounds(struct timed *timed, uint64_t seed, bool shuffled)
{
	uint64_t random = seed * 2 + 1;
	size_t nr = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		size_t start = nr;

		for (unsigned cpu = 0; cpu < CPUS; cpu++) {
			uint64_t time = 1 + round * UINT64_C(1000000);

			for (unsigned i = 0; i < PER_BURST; i++) {
				time += next_random(&random) % 4 ? next_random(&random) % 9000 : 0;
				timed[nr++].time = time;
			}
		}
		for (size_t i = nr - 1; shuffled && i > start; i--) {
			size_t with = start + next_random(&random) % (i - start + 1);
			uint64_t time = timed[i].time;

			timed[i].time = timed[with].time;
			timed[with].time = time;
		}
	}
	for (size_t i = 0; i < NR_TIMED; i++)
		timed[i].ip = i;
}

/* _i: bit 0 shuffled within the round, bit 1 without rounds, then the seed. */
START_TEST(merge_of_many_buffers)
{
	struct timed *timed = calloc(NR_TIMED, sizeof(*timed));
	struct mkperf *m = new_recording(TIMED_TYPE, MKPERF_ATTR_SAMPLE_ID_ALL);
	bool same = true;
	struct perffile *file;

	ck_assert_ptr_nonnull(timed);
	make_rounds(timed, (uint64_t)_i / 4, _i & 1);
	for (size_t i = 0; i < NR_TIMED; i++) {
		put_sample(m, timed[i].time, timed[i].ip);
		if (i % (CPUS * PER_BURST) == CPUS * PER_BURST - 1 && !(_i & 2))
			mkperf_round(m);
	}
	qsort(timed, NR_TIMED, sizeof(*timed), compare_timed);
	file = recording_open(m);
	for (size_t i = 0; i < NR_TIMED && same; i++) {
		const struct record *rec = recording_next_kernel(file);

		same = rec && rec->time == timed[i].time && rec->sample.ip == timed[i].ip;
	}
	ck_assert(same);
	ck_assert_ptr_null(recording_next_kernel(file));
	ck_assert_uint_eq(perffile_counts(file)->late, 0);
	ck_assert(perffile_counts(file)->rounds == !(_i & 2));
	perffile_close(file);
	free(timed);
}
END_TEST

/* Equal times: the file's order, over changes of type, round and buffer. */
START_TEST(equal_times_keep_file_order)
{
	struct mkperf *m = new_recording(TIMED_TYPE, MKPERF_ATTR_SAMPLE_ID_ALL);
	struct mkperf_id at = {.time = 100};
	uint64_t before = 0;
	struct perffile *file;
	const struct record *rec;

	for (uint64_t i = 0; i < 200; i++) {
		if (i % 3 == 0)
			mkperf_comm(m, &at, 0, 1, 1, "x");
		else
			put_sample(m, 100, i);
		if (i % 7 == 0)
			put_sample(m, 50, i);
		if (_i && i % 20 == 19)
			mkperf_round(m);
	}
	file = recording_open(m);
	while ((rec = recording_next(file))) {
		if (rec->type == RECORD_FINISHED_ROUND || rec->time == 50)
			continue;
		ck_assert_uint_eq(rec->time, 100);
		ck_assert(before == 0 || rec->nr > before);
		before = rec->nr;
	}
	perffile_close(file);
}
END_TEST

/* Older than what was delivered: still delivered, with its round, and counted. */
START_TEST(late_records)
{
	static const uint64_t expected[] = {0, 0, 10, 20, 0, 5, 6, 20, 7, 30, 40};
	struct mkperf *m = new_recording(TIMED_TYPE, MKPERF_ATTR_SAMPLE_ID_ALL);
	struct mkperf_mmap map = {.filename = "/late"};
	struct mkperf_id at = {.time = 6};
	struct perffile *file;

	put_sample(m, 10, 0);
	put_sample(m, 20, 0);
	mkperf_round(m);
	put_sample(m, 30, 0);
	mkperf_round(m); /* releases 10 and 20 */
	put_sample(m, 5, 0);
	mkperf_mmap2(m, &at, &map);
	put_sample(m, 20, 0); /* not older than the newest delivered: in time */
	mkperf_round(m);      /* older than the round before: releases no more than that did */
	at.time = 7;
	mkperf_mmap(m, &at, &map);
	put_sample(m, 40, 0);
	file = recording_open(m);
	assert_times(file, expected, sizeof(expected) / sizeof(expected[0]));
	ck_assert_uint_eq(perffile_counts(file)->late, 3);
	ck_assert_uint_eq(perffile_counts(file)->late_by_type[RECORD_SAMPLE], 1);
	ck_assert_uint_eq(perffile_counts(file)->late_by_type[RECORD_MMAP], 1);
	ck_assert_uint_eq(perffile_counts(file)->late_by_type[RECORD_MMAP2], 1);
	perffile_close(file);
}
END_TEST

/* Records without a time act where they stand: before all that waits for its round. */
START_TEST(records_without_time)
{
	static const uint32_t expected[] = {
		RECORD_COMM,   RECORD_MMAP2,	      300,	   RECORD_LOST,
		RECORD_SAMPLE, RECORD_FINISHED_ROUND, RECORD_COMM, RECORD_FINISHED_ROUND,
		RECORD_SAMPLE, RECORD_SAMPLE};
	static const uint8_t body[8] = {0};
	struct mkperf *m = new_recording(TIMED_TYPE, MKPERF_ATTR_SAMPLE_ID_ALL);
	struct mkperf_mmap map = {.filename = "/bin/x"};
	struct mkperf_id never = {.time = UINT64_MAX};
	struct perffile *file;

	mkperf_comm(m, NULL, 0, 1, 1, "x");
	put_sample(m, 10, 0);
	mkperf_mmap2(m, NULL, &map);
	mkperf_record(m, 300, 0, body, sizeof(body));
	put_sample(m, 20, 0);
	mkperf_lost(m, &never, 0, 1);
	put_sample(m, 0, 0);
	mkperf_round(m);
	mkperf_comm(m, NULL, 0, 1, 1, "y");
	mkperf_round(m);
	file = recording_open(m);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		ck_assert_uint_eq(recording_next(file)->type, expected[i]);
	ck_assert_ptr_null(recording_next(file));
	perffile_close(file);
}
END_TEST

/* _i 0: no sample_id_all. 1: no TIME. Either way the file's order is all there is. */
START_TEST(file_order)
{
	struct mkperf *m = _i ? new_recording(PERF_SAMPLE_IP, MKPERF_ATTR_SAMPLE_ID_ALL)
			      : new_recording(TIMED_TYPE, 0);
	struct perffile *file;
	const struct record *rec;

	for (uint64_t i = 0; i < 30; i++) {
		if (i % 5)
			put_sample(m, 1000 - i, i);
		else
			mkperf_comm(m, NULL, 0, 1, 1, "x");
		if (i % 10 == 9)
			mkperf_round(m);
	}
	file = recording_open(m);
	for (uint64_t nr = 0; (rec = recording_next(file)); nr++)
		ck_assert_uint_eq(rec->nr, nr);
	perffile_close(file);
}
END_TEST

/* Several events with their times at different places, all found by IDENTIFIER. */
START_TEST(events_with_different_layouts)
{
	static const uint64_t ids[] = {1, 2};
	static const uint64_t expected[] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109};
	static const uint64_t types[] = {
		PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME};
	struct mkperf *m = mkperf_new(NULL);
	struct perffile *file;

	for (unsigned i = 0; i < 2; i++) {
		struct mkperf_event event = {.sample_type = types[i],
					     .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					     .ids = &ids[i],
					     .nr_ids = 1};
		mkperf_event(m, &event);
	}
	for (unsigned i = 0; i < 10; i++) {
		struct mkperf_id at = {.event = i % 2, .time = 100 + i * 7 % 10};

		if (i % 3)
			mkperf_sample(m, &(struct mkperf_sample){.event = i % 2, .time = at.time});
		else
			mkperf_comm(m, &at, 0, 1, 1, "x");
	}
	file = recording_open(m);
	assert_times(file, expected, sizeof(expected) / sizeof(expected[0]));
	perffile_close(file);
}
END_TEST

static TCase *recording_tests(void)
{
	TCase *tcase = tcase_create("recordings");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, rounds_as_perf_draws_them);
	tcase_add_test(tcase, empty_rounds);
	tcase_add_loop_test(tcase, merge_of_many_buffers, 0, 12);
	tcase_add_loop_test(tcase, equal_times_keep_file_order, 0, 2);
	tcase_add_test(tcase, late_records);
	tcase_add_test(tcase, records_without_time);
	tcase_add_loop_test(tcase, file_order, 0, 2);
	tcase_add_test(tcase, events_with_different_layouts);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("queue");
	TCase *tcase = tcase_create("queue");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, queue_against_model, 0, 10);
	tcase_add_test(tcase, empty_round_releases_nothing);
	tcase_add_test(tcase, queue_is_freed_when_full);
	tcase_add_test(tcase, ascending_records_are_one_run);
	tcase_add_test(tcase, more_runs_than_are_looked_through);
	tcase_add_test(tcase, indices_with_gaps);
	suite_add_tcase(suite, tcase);
	suite_add_tcase(suite, recording_tests());
	return suite_run(suite);
}
