/* Samples that come CPU by CPU between two other records, or before those of other processes: the
 * same sums as in the order of time. */
#include "decode/process/process.h"
#include "perffile/order/queue.h"
#include "tests/support/recording.h"
#include "tests/support/resulttext.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The address sanitizer makes each recording take ten times as long. */
#ifdef __SANITIZE_ADDRESS__
enum { NR_ROUNDS = 60, NR_SEEDS = 1 };
#else
enum { NR_ROUNDS = 120, NR_SEEDS = 3 };
#endif

enum {
	ROUND_NS = 10 << 20, /* longer than the first slices of time, shorter than the last ones */
	PROCESSES = 24,
	BUSY = 5, /* so many of them are started, or map files, at a time */
	PAGE = 4096,
	STEPS = 16,
	NO_MEMORY = 1,		/* most records are read twice */
	LITTLE_MEMORY = 200000, /* so are samples, but not records of other kinds */
};

/* What a recording has. */
struct shape {
	unsigned nr_cpus;    /* with several, rounds overlap */
	unsigned nr_samples; /* of a CPU and a round, on average */
	unsigned others;     /* one of so many records is another one; 0: none but the first ones */
	unsigned strangers;  /* one of so many samples is of a thread that is not known; 0: none */
	unsigned late;	     /* one of so many records comes two rounds too late; 0: none */
	unsigned untimed;    /* one of so many samples has the time 0; 0: none */
	bool chains;
	bool swap, packed;
	bool leaps; /* other records come so often that samples leap over them */
};

static const struct shape shapes[] = {
	{.nr_cpus = 1, .nr_samples = 60, .others = 30},
	{.nr_cpus = 2, .nr_samples = 60, .others = 30},
	{.nr_cpus = 4, .nr_samples = 40, .others = 6},
	{.nr_cpus = 9, .nr_samples = 30, .others = 50, .strangers = 40},
	{.nr_cpus = 3, .nr_samples = 30, .others = 20, .strangers = 3, .late = 50},
	{.nr_cpus = 4, .nr_samples = 60, .strangers = 25},
	{.nr_cpus = 4, .nr_samples = 40, .others = 40, .strangers = 100, .late = 90, .swap = true},
	{.nr_cpus = 5,
	 .nr_samples = 30,
	 .others = 40,
	 .strangers = 100,
	 .late = 90,
	 .untimed = 40,
	 .packed = true},
	{.nr_cpus = 3, .nr_samples = 30, .others = 20, .strangers = 3, .late = 50, .untimed = 30},
	{.nr_cpus = 4,
	 .nr_samples = 40,
	 .others = 40,
	 .strangers = 100,
	 .late = 90,
	 .chains = true},
	{.nr_cpus = 9,
	 .nr_samples = 30,
	 .others = 50,
	 .strangers = 40,
	 .untimed = 40,
	 .chains = true,
	 .swap = true},
	{.nr_cpus = 3,
	 .nr_samples = 30,
	 .others = 20,
	 .strangers = 3,
	 .late = 50,
	 .chains = true,
	 .packed = true},
	{.nr_cpus = 60, .nr_samples = 5, .others = 100},
	{.nr_cpus = 12, .nr_samples = 60, .others = 4, .leaps = true},
	{.nr_cpus = 8,
	 .nr_samples = 60,
	 .others = 3,
	 .strangers = 60,
	 .late = 300,
	 .untimed = 50,
	 .packed = true,
	 .leaps = true},
	{.nr_cpus = 8,
	 .nr_samples = 60,
	 .others = 3,
	 .strangers = 60,
	 .chains = true,
	 .swap = true,
	 .leaps = true},
};

enum { NR_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

struct writing {
	struct mkperf *m;
	const struct shape *shape;
	uint64_t random;
};

static uint64_t draw(struct writing *writing, uint64_t below)
{
	writing->random ^= writing->random << 13;
	writing->random ^= writing->random >> 7;
	writing->random ^= writing->random << 17;
	return (writing->random >> 16) % below;
}

/* Whether it is one of @nr; never if that is 0. */
static bool is_one_of(struct writing *writing, unsigned nr)
{
	return nr && draw(writing, nr) == 0;
}

/* @pid maps @name, at the page number @page. @time: 0: as of before the recording. */
static void map_page(struct mkperf *m, uint32_t pid, uint64_t time, uint64_t page, const char *name)
{
	const struct mkperf_id at = {.pid = pid, .tid = pid, .time = time};

	mkperf_mmap(m, time ? &at : NULL,
		    &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					  .pid = pid,
					  .tid = pid,
					  .start = 0x400000 + page * PAGE,
					  .len = PAGE,
					  .filename = name});
}

static void map(struct writing *writing, uint32_t pid, uint64_t time)
{
	char name[32];

	snprintf(name, sizeof(name), "/lib/number-%u", (unsigned)draw(writing, 5));
	map_page(writing->m, pid, time, draw(writing, 3), name);
}

/* A process maps a file, or is replaced by another one. */
static void add_other(struct writing *writing, uint64_t time)
{
	const uint64_t first = time >> 26; /* ns: 67 ms */
	const uint32_t pid = 100 + (uint32_t)((first + draw(writing, BUSY)) % PROCESSES),
		       parent = 100;
	const struct mkperf_id at = {.pid = pid, .tid = pid, .time = time};
	const struct mkperf_task exit = {.pid = pid, .tid = pid, .time = time};
	const struct mkperf_task fork = {
		.pid = pid, .ppid = parent, .tid = pid, .ptid = parent, .time = time};

	if (pid == parent || !is_one_of(writing, 3)) {
		map(writing, pid, time);
		return;
	}
	mkperf_exit(writing->m, &at, &exit);
	mkperf_fork(writing->m, &at, &fork);
	mkperf_comm(writing->m, &at, 0, pid, pid, "next");
}

static void add_sample(struct writing *writing, uint32_t cpu, uint64_t time)
{
	/* a thread stays on its CPU for a while, and moves in the end */
	const uint32_t pid = 100 + (uint32_t)((cpu + time / (3 << 20)) % PROCESSES);
	const bool is_stranger = is_one_of(writing, writing->shape->strangers);
	const uint64_t ip = 0x400000 + draw(writing, 4 * PAGE);
	const uint64_t ips[] = {PERF_CONTEXT_USER, ip, 0x400010, 0x400020};

	mkperf_sample(writing->m,
		      &(struct mkperf_sample){
			      .misc = PERF_RECORD_MISC_USER,
			      .pid = is_stranger ? 500 + (uint32_t)draw(writing, 40) : pid,
			      .tid = is_stranger ? 900 + (uint32_t)draw(writing, 40) : pid,
			      .cpu = cpu,
			      .ip = ip,
			      .ips = ips,
			      .nr_ips = 4,
			      .period = 1 + draw(writing, 1000),
			      .time = time});
}

/* Writes what a CPU has in its buffer at the end of a round. */
static void add_buffer(struct writing *writing, uint32_t cpu, uint64_t begin)
{
	const struct shape *shape = writing->shape;
	const unsigned nr = (unsigned)draw(writing, 2 * shape->nr_samples);
	const uint64_t length = shape->nr_cpus > 1 ? 2 * ROUND_NS : ROUND_NS;
	uint64_t time = begin;

	for (unsigned i = 0; i < nr; i++) {
		const uint64_t back = is_one_of(writing, shape->late) ? 2 * ROUND_NS : 0;

		/* often at the same time as on another CPU */
		time += draw(writing, STEPS) * (length / STEPS / (nr + 1));
		if (is_one_of(writing, shape->others))
			add_other(writing, time - back);
		else
			add_sample(writing, cpu,
				   is_one_of(writing, shape->untimed) ? 0 : time - back);
	}
}

/* @number: the shape, and the seed. */
static struct mkperf *make(unsigned number)
{
	const struct shape *shape = &shapes[number % NR_SHAPES];
	struct mkperf_options options = {.swap = shape->swap};
	struct writing writing = {.shape = shape, .random = 88172645463325252 + number};

	if (shape->packed)
		options.packing.type = MKPERF_RECORD_COMPRESSED;
	writing.m = mkperf_new(&options);
	mkperf_event(writing.m,
		     &(struct mkperf_event){
			     .name = "clock",
			     .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
			     .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
					    (shape->chains ? PERF_SAMPLE_CALLCHAIN : 0),
		     });
	for (uint32_t pid = 100; pid < 100 + PROCESSES; pid++)
		map(&writing, pid, 3 * ROUND_NS);
	for (uint64_t round = 4; round < NR_ROUNDS; round++) {
		for (uint32_t cpu = 0; cpu < shape->nr_cpus; cpu++)
			add_buffer(&writing, cpu, round * ROUND_NS);
		mkperf_round(writing.m);
	}
	return writing.m;
}

/* ---- the same sums --------------------------------------------------------------------------- */

/* Compares @way to read the recording @m, which is freed, sample after sample, with others. */
static void compare_ways_of(struct mkperf *m, struct resulttext_way way)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	const size_t memories[] = {0, 0, NO_MEMORY, LITTLE_MEMORY};
	char *ordered;

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	ordered = resulttext_read(path.text, way, NULL);
	way.gaps = true;
	for (way.nr_threads = 1; way.nr_threads < 4; way.nr_threads++) {
		char *by_gaps;

		way.memory = memories[way.nr_threads];
		by_gaps = resulttext_read(path.text, way, NULL);

		/* not ck_assert_str_eq(): they are too long for a message */
		ck_assert_int_eq(strcmp(by_gaps, ordered), 0);
		free(by_gaps);
	}
	free(ordered);
	scratch_remove(dir.text);
}

static void compare_ways(unsigned number, struct resulttext_way way)
{
	compare_ways_of(make(number), way);
}

START_TEST(same_results)
{
	compare_ways((unsigned)_i, (struct resulttext_way){0});
}
END_TEST

START_TEST(same_if_leaping)
{
	compare_ways((unsigned)_i, (struct resulttext_way){.leaps = true});
}
END_TEST

_Static_assert((int)GAP_NS <= (int)RECENT_NS && (int)LEAP_RECORDS_MAX < (int)RECENT_EXITS_MAX,
	       "who ends in a leap is remembered up to its end");

/* What the recordings below are of. */
static struct mkperf *make_plain(void)
{
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){
				.name = "clock",
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
			});
	return m;
}

static void sample_at(struct mkperf *m, uint32_t pid, uint64_t time)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = pid,
						 .tid = pid,
						 .ip = 0x400000,
						 .time = time,
						 .period = 1});
}

static void map_at(struct mkperf *m, uint32_t pid, uint64_t time, const char *name)
{
	map_page(m, pid, time, 0, name);
}

static void exit_at(struct mkperf *m, uint32_t pid, uint64_t time)
{
	const struct mkperf_id at = {.pid = pid, .tid = pid, .time = time};

	mkperf_exit(m, &at, &(struct mkperf_task){.pid = pid, .tid = pid, .time = time});
}

/* A process has a sample after its end, when more others end than are remembered. */
START_TEST(same_if_many_end)
{
	enum { NR = 2 * RECENT_EXITS, STEP_NS = 1000, FIRST = 100 };
	struct mkperf *m = make_plain();

	sample_at(m, 1, 1);
	for (uint32_t i = 0; i < NR; i++)
		exit_at(m, FIRST + i, 2 + (uint64_t)i * STEP_NS);
	sample_at(m, FIRST, 3);
	compare_ways_of(m, (struct resulttext_way){.leaps = true});
}
END_TEST

/* The same, and the others are the threads of a process that calls exec. */
START_TEST(same_if_exec_ends_many)
{
	enum { NR = RECENT_EXITS + 100, MANY = 5000, START = 1000000 };
	const struct mkperf_id at = {.pid = MANY, .tid = MANY, .time = START + 100};
	struct mkperf *m = make_plain();

	map_at(m, 7, 0, "/bin/seven");
	for (uint32_t i = 0; i < NR; i++) {
		const struct mkperf_id now = {.pid = MANY, .tid = MANY + 1 + i, .time = 10 + i};

		mkperf_fork(m, &now,
			    &(struct mkperf_task){.pid = MANY,
						  .ppid = MANY,
						  .tid = now.tid,
						  .ptid = MANY,
						  .time = now.time});
	}
	sample_at(m, 1, START);
	for (uint32_t i = 0; i < LEAP_RECORDS_MIN; i++)
		map_at(m, 8, START + 1 + i, "/lib/x");
	exit_at(m, 7, START + 90);
	mkperf_comm(m, &at, PERF_RECORD_MISC_COMM_EXEC, MANY, MANY, "new");
	sample_at(m, 7, START + 95);
	sample_at(m, 1, START + 200);
	compare_ways_of(m, (struct resulttext_way){.leaps = true});
}
END_TEST

/* Of a CPU's idle time, before any sample of it. */
START_TEST(same_if_throttled_in_idle)
{
	enum { START = 1000000 };
	struct mkperf *m = make_plain();
	struct filter filter = {0};
	struct error err;

	sample_at(m, 1, START);
	for (uint32_t i = 0; i < LEAP_RECORDS_MIN; i++)
		map_at(m, 8, START + 1 + i, "/lib/x");
	mkperf_throttle(m, &(struct mkperf_id){.time = START + 100}, false, 0, 0);
	sample_at(m, 0, START + 200);
	ck_assert_int_eq(filter_add(&filter, "comm", "swapper", &err), 0);
	compare_ways_of(m, (struct resulttext_way){.filter = &filter, .leaps = true});
	filter_free(&filter);
}
END_TEST

/* Packed ones, in order and by gaps. More than two threads count them as they are. */
START_TEST(same_if_packed)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	const struct shape *shape = &shapes[_i % NR_SHAPES];
	struct resulttext_way way = {.packs = true};
	struct mkperf *m = make((unsigned)_i);
	char *singly;

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	singly = resulttext_read(path.text, way, NULL);
	for (int i = 0; i < 9; i++) {
		size_t nr_packed;
		char *packed;

		way.gaps = i / 3;
		way.leaps = i / 3 > 1;
		way.nr_threads = 1 + (size_t)i % 3;
		way.nr_alone = 5;
		way.nr_packed = &nr_packed;
		packed = resulttext_read(path.text, way, NULL);
		ck_assert_int_eq(strcmp(packed, singly), 0);
		if (shape->chains || shape->swap || way.nr_threads > 2)
			ck_assert_uint_eq(nr_packed, 0);
		else
			ck_assert_uint_ge(nr_packed, 256);
		free(packed);
	}
	free(singly);
	scratch_remove(dir.text);
}
END_TEST

/* What filters leave, some of them samples of a thread on one CPU only. */
START_TEST(same_if_filtered)
{
	static const char *const filters[][2] = {
		{"pid", "101,103-500"},
		{"tid", "0-910"},
		{"cpu", "1-2"},
		{"comm", "next"},
		{"event", "clock"},
		{"event", "no"},
		{"time", "300000000,800000000"},
		{"binary", "*-3"},
	};

	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		struct filter filter = {0};
		struct error err;

		ck_assert_int_eq(filter_add(&filter, filters[i][0], filters[i][1], &err), 0);
		compare_ways((unsigned)_i,
			     (struct resulttext_way){.filter = &filter, .leaps = true});
		filter_free(&filter);
	}
}
END_TEST

/* What is split by keys, with a filter or without. */
START_TEST(same_if_split)
{
	static const char *const keys[] = {"comm", "pid,cpu", "tid,slice:1us"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct perkeys per = {0};
		struct filter filter = {0};
		struct error err;

		ck_assert_int_eq(perkeys_add(&per, keys[i], &err), 0);
		ck_assert_int_eq(filter_add(&filter, "pid", "102-600", &err), 0);
		compare_ways((unsigned)_i, (struct resulttext_way){.per = &per});
		compare_ways((unsigned)_i, (struct resulttext_way){.filter = &filter, .per = &per});
		filter_free(&filter);
		perkeys_free(&per);
	}
}
END_TEST

/* ---- the order ------------------------------------------------------------------------------- */

/* The plain samples of one gap, in the order of time. */
struct gap {
	struct plain_sample *samples;
	size_t nr, room;
	uint64_t end; /* gap_end of all */
	bool moved;   /* some came in another order */
};

static int compare_samples(const void *a, const void *b)
{
	const struct plain_sample *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

/* Passes over records that are late, and those that have no time. */
static const struct record *next_in_time(struct perffile *file)
{
	const struct record *rec;

	do
		rec = recording_next(file);
	while (rec && (rec->late || rec->type == RECORD_FINISHED_ROUND));
	return rec;
}

/* Ends the gap: its samples are the next ones of @ordered. */
static void end_gap(struct gap *gap, struct perffile *ordered)
{
	if (gap->nr)
		qsort(gap->samples, gap->nr, sizeof(*gap->samples), compare_samples);
	for (size_t i = 0; i < gap->nr; i++) {
		const struct record *rec = next_in_time(ordered);

		ck_assert_ptr_nonnull(rec);
		ck_assert_uint_eq(rec->type, RECORD_SAMPLE);
		ck_assert_uint_eq(gap->samples[i].nr, rec->nr);
		ck_assert_uint_eq(gap->samples[i].time, rec->time);
		if (gap->end == 0)
			continue;
		ck_assert_uint_le(rec->time, gap->end);
		ck_assert_uint_le(gap->end - rec->time, GAP_NS);
	}
	gap->nr = 0;
}

static void add_to_gap(struct gap *gap, const struct plain_samples *samples,
		       struct perffile *ordered)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < samples->nr; i++) {
		const struct plain_sample *sample = &samples->samples[i];

		first = sample->time < first ? sample->time : first;
		last = sample->time > last ? sample->time : last;
		if (gap->nr && (samples->gap_end == 0 || samples->gap_end != gap->end))
			end_gap(gap, ordered);
		gap->end = samples->gap_end;
		gap->moved |= gap->nr && gap->samples[gap->nr - 1].time > sample->time;
		ck_assert_uint_lt(gap->nr, gap->room);
		gap->samples[gap->nr++] = *sample;
	}
	ck_assert_uint_eq(samples->first, first);
	ck_assert_uint_eq(samples->last, last);
}

/* Reads to the end: other records are where they were, as are samples that are late. Returns
 * whether samples came in another order. */
static bool compare(struct perffile *file, struct perffile *ordered)
{
	enum { GAP_SAMPLES = 1 << 16 };
	struct gap gap = {.samples = calloc(GAP_SAMPLES, sizeof(*gap.samples)),
			  .room = GAP_SAMPLES};
	struct plain_samples samples;
	const struct record *rec, *other;
	struct error err = {0};

	ck_assert_ptr_nonnull(gap.samples);
	do {
		while (perffile_next_plain(file, &samples, &err) > 0)
			add_to_gap(&gap, &samples, ordered);
		rec = recording_next(file);
		if (rec && (rec->late || rec->type == RECORD_FINISHED_ROUND))
			continue;
		end_gap(&gap, ordered);
		other = next_in_time(ordered);
		ck_assert(!rec == !other);
		ck_assert(!rec || rec->nr == other->nr);
	} while (rec);
	ck_assert_mem_eq(perffile_counts(file), perffile_counts(ordered),
			 sizeof(struct perffile_counts));
	free(gap.samples);
	return gap.moved;
}

enum { NR_HOWS = 4 };

/* Opens the recording @number / NR_HOWS. How: it is read here, by a thread that reads ahead, or
 * with little memory. */
static struct perffile *open_gaps(unsigned number)
{
	struct perffile *file = recording_open(make(number / NR_HOWS));

	perffile_use_gaps(file);
	if (number % NR_HOWS == 1)
		perffile_read_ahead(file);
	if (number % NR_HOWS > 1)
		perffile_set_memory(file, number % NR_HOWS == 2 ? NO_MEMORY : LITTLE_MEMORY);
	return file;
}

START_TEST(sorted_they_are_in_order)
{
	const unsigned number = (unsigned)_i / NR_HOWS;
	const struct shape *shape = &shapes[number % NR_SHAPES];
	struct perffile *file = open_gaps((unsigned)_i), *ordered = recording_open(make(number));
	bool moved;

	moved = compare(file, ordered);
	ck_assert(moved == (shape->nr_cpus > 1));
	perffile_close(file);
	perffile_close(ordered);
}
END_TEST

/* ---- the order of each process --------------------------------------------------------------- */

enum { PIDS = 1000 };

/* By number of a record: how many others had come before it that are about its process, if it is a
 * sample, or at all, if not. */
struct order {
	uint32_t *before; /* and 1 */
	size_t nr, room;
	uint32_t about[PIDS], others;
	uint64_t newest;  /* ns, of all samples */
	size_t nr_leaped; /* samples that were newer than an other record after them */
};

static void put_record(struct order *order, uint64_t nr, uint32_t before)
{
	ck_assert_uint_lt(nr, order->room);
	ck_assert_uint_eq(order->before[nr], 0);
	order->before[nr] = before + 1;
	order->nr++;
}

static void put_sample(struct order *order, uint64_t nr, uint32_t pid, uint64_t time)
{
	ck_assert_uint_lt(pid, PIDS);
	put_record(order, nr, order->about[pid]);
	order->newest = time > order->newest ? time : order->newest;
}

static void put_other(struct order *order, const struct record *rec)
{
	put_record(order, rec->nr, order->others++);
	if (rec->type == RECORD_FINISHED_ROUND)
		return;
	order->about[rec->pid]++;
	if (rec->type == RECORD_FORK && rec->task.ppid != rec->pid)
		order->about[rec->task.ppid]++;
	order->nr_leaped += !rec->late && order->newest > rec->time;
}

static struct order order_of(struct perffile *file)
{
	enum { ROOM = 1 << 18 };
	struct order order = {.before = calloc(ROOM, sizeof(*order.before)), .room = ROOM};
	struct plain_samples samples;
	const struct record *rec;
	struct error err = {0};

	ck_assert_ptr_nonnull(order.before);
	do {
		while (perffile_next_plain(file, &samples, &err) > 0)
			for (size_t i = 0; i < samples.nr; i++)
				put_sample(&order, samples.samples[i].nr, samples.samples[i].pid,
					   samples.samples[i].time);
		rec = recording_next(file);
		if (rec && rec->type == RECORD_SAMPLE)
			put_sample(&order, rec->nr, rec->pid, rec->time);
		else if (rec)
			put_other(&order, rec);
	} while (rec);
	return order;
}

/* Little leaps where records of other kinds are not in memory. */
START_TEST(leaps_keep_the_order_of_each_process)
{
	const unsigned number = (unsigned)_i / NR_HOWS;
	const struct shape *shape = &shapes[number % NR_SHAPES];
	struct perffile *file = open_gaps((unsigned)_i), *ordered = recording_open(make(number));
	struct order order, by_leaps;

	perffile_use_leaps(file);
	order = order_of(ordered);
	by_leaps = order_of(file);
	ck_assert_uint_eq(by_leaps.nr, order.nr);
	ck_assert_mem_eq(by_leaps.before, order.before, order.room * sizeof(*order.before));
	ck_assert_mem_eq(perffile_counts(file), perffile_counts(ordered),
			 sizeof(struct perffile_counts));
	ck_assert_uint_eq(order.nr_leaped, 0);
	if (shape->leaps && _i % NR_HOWS != 2)
		ck_assert_uint_ge(by_leaps.nr_leaped,
				  by_leaps.others / (_i % NR_HOWS == 3 ? 6 : 2));
	free(order.before);
	free(by_leaps.before);
	perffile_close(file);
	perffile_close(ordered);
}
END_TEST

/* Samples of one process on a CPU, while on another CPU a second one maps files; @name at @time, 0:
 * before the recording. */
static struct perffile *open_two(const char *name, uint64_t time)
{
	enum { NR = 200, STEP_NS = 1000 };
	struct mkperf *m = make_plain();

	map_at(m, 2, time, name);
	for (uint64_t i = 1; i <= NR; i++)
		sample_at(m, 1, i * STEP_NS + STEP_NS / 2);
	for (uint64_t i = 1; i <= NR; i++)
		map_at(m, 2, i * STEP_NS, "/lib/one");
	return recording_open(m);
}

/* Code that a process makes comes at times of its own, so all samples stay in the order of time. */
START_TEST(a_file_with_code_to_come_ends_leaps)
{
	static const struct {
		const char *name;
		uint64_t time;
		size_t nr_leaped;
	} cases[] = {{"/lib/two", 500, 199},
		     {"/lib/two", 0, 199},
		     {"/tmp/jit-2.dump", 500, 0},
		     {"/tmp/jit-2.dump", 0, 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct perffile *file = open_two(cases[i].name, cases[i].time);
		struct order order;

		perffile_use_gaps(file);
		perffile_use_leaps(file);
		order = order_of(file);
		ck_assert_uint_eq(order.nr_leaped, cases[i].nr_leaped);
		free(order.before);
		perffile_close(file);
	}
}
END_TEST

/* Maps of process 2 that take more memory than there is, then samples of @nr_pids processes, one on
 * each CPU. */
static struct perffile *open_large(uint32_t nr_pids)
{
	enum { NR = 1000, STEP_NS = 1000, START = 1000000, FILL = 25000 };
	struct mkperf *m = make_plain();

	for (uint64_t i = 1; i <= NR; i++) {
		char name[100];

		snprintf(name, sizeof(name), "/lib/%060u", (unsigned)i);
		map_at(m, 2, START + i * STEP_NS, name);
	}
	for (uint64_t i = 1; i <= FILL; i++)
		sample_at(m, 1, i);
	for (uint32_t pid = nr_pids; pid > 0; pid--)
		for (uint64_t i = 1; i <= NR + 2; i++)
			sample_at(m, pid, START + i * STEP_NS + STEP_NS / (pid + 2));
	return recording_open(m);
}

/* Checks that samples of @file, read with @memory bytes, keep the order that each process has in
 * @ordered, and that they leap, or do not. Closes both. */
static void check_leaps(struct perffile *file, struct perffile *ordered, size_t memory, bool leap)
{
	struct order order, by_leaps;

	perffile_use_gaps(file);
	perffile_use_leaps(file);
	perffile_set_memory(file, memory);
	order = order_of(ordered);
	by_leaps = order_of(file);
	ck_assert_mem_eq(by_leaps.before, order.before, order.room * sizeof(*order.before));
	ck_assert_uint_eq(by_leaps.nr_leaped > 0, leap);
	free(order.before);
	free(by_leaps.before);
	perffile_close(file);
	perffile_close(ordered);
}

/* @nr_pids processes on a CPU each, the second of which maps files now and then. */
static struct perffile *open_busy(uint32_t nr_pids)
{
	enum { NR = 6000, STEP_NS = 1000, START = 1000000, MAPS = 2 * LEAP_RECORDS_MIN };
	struct mkperf *m = make_plain();

	for (uint64_t i = 0; i < MAPS; i++)
		map_at(m, 2, START + i * NR / MAPS * STEP_NS, "/lib/one");
	for (uint32_t pid = 1; pid <= nr_pids; pid++)
		for (uint64_t i = 1; i <= NR; i++)
			sample_at(m, pid, START + i * STEP_NS + pid);
	return recording_open(m);
}

/* What a leap keeps may have to leave memory, and come back in parts. */
START_TEST(kept_samples_may_be_read_again)
{
	check_leaps(open_busy(4), open_busy(4), 40000, true);
}
END_TEST

/* A leap begins when the last record that had to be read again is back in memory. */
START_TEST(a_leap_may_begin_when_all_is_in_memory)
{
	check_leaps(open_large(4), open_large(4), 600 * 1024, true);
}
END_TEST

/* Where samples are read again, leaps are for machines with several CPUs. */
START_TEST(few_cpus_do_without_leaps_in_little_memory)
{
	check_leaps(open_busy(3), open_busy(3), 40000, false);
	check_leaps(open_busy(3), open_busy(3), 1 << 24, true);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gaps");
	TCase *tcase = tcase_create("gaps");

	tcase_add_loop_test(tcase, same_results, 0, NR_SEEDS * NR_SHAPES);
	tcase_add_loop_test(tcase, same_if_leaping, 0, NR_SEEDS * NR_SHAPES);
	tcase_add_test(tcase, same_if_many_end);
	tcase_add_test(tcase, same_if_exec_ends_many);
	tcase_add_test(tcase, same_if_throttled_in_idle);
	tcase_add_loop_test(tcase, same_if_packed, 0, NR_SEEDS * NR_SHAPES);
	tcase_add_loop_test(tcase, same_if_filtered, 0, NR_SHAPES);
	tcase_add_loop_test(tcase, same_if_split, 0, NR_SHAPES);
	tcase_add_loop_test(tcase, sorted_they_are_in_order, 0, NR_HOWS * NR_SHAPES);
	tcase_add_loop_test(tcase, leaps_keep_the_order_of_each_process, 0, NR_HOWS * NR_SHAPES);
	tcase_add_test(tcase, a_file_with_code_to_come_ends_leaps);
	tcase_add_test(tcase, kept_samples_may_be_read_again);
	tcase_add_test(tcase, a_leap_may_begin_when_all_is_in_memory);
	tcase_add_test(tcase, few_cpus_do_without_leaps_in_little_memory);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
