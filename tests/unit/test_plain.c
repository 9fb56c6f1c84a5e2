/* Plain samples, many at a time: the same samples as one by one, and none that is not plain. */
#include "perffile/perffile.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct perffile *open_recording(const char *path)
{
	struct error err = {0};
	struct perffile *file = perffile_open(path, &err);

	ck_assert_msg(file != NULL, "%s", err.text);
	return file;
}

/* The sample is the record, which is no other. */
static void check_sample(const struct plain_sample *sample, bool swap, const struct record *rec)
{
	const struct span *ips = &rec->sample.callchain.ips;

	ck_assert_ptr_nonnull(rec);
	ck_assert_uint_eq(rec->type, RECORD_SAMPLE);
	ck_assert_uint_eq(sample->nr, rec->nr);
	ck_assert_str_eq(sample->event->name, rec->event->name);
	ck_assert_uint_eq(sample->time, rec->time);
	ck_assert_uint_eq(sample->ip, rec->sample.ip);
	ck_assert_uint_eq(sample->period, rec->sample.period);
	ck_assert_uint_eq(sample->pid, rec->pid);
	ck_assert_uint_eq(sample->tid, rec->tid);
	ck_assert_uint_eq(sample->cpu, record_cpu(rec));
	ck_assert_uint_eq(sample->cpumode, record_cpumode(rec));
	ck_assert_uint_eq(sample->nr_ips * sizeof(uint64_t), span_left(ips));
	if (sample->nr_ips) {
		const struct span chain = plain_sample_chain(sample, swap);

		ck_assert_mem_eq(chain.pos, ips->pos, span_left(ips));
		ck_assert_uint_eq(span_left(&chain), span_left(ips));
		ck_assert(swap == ips->swap);
	}
}

struct taken {
	size_t plain, singly;
	size_t packed; /* of the plain ones */
	size_t ahead;  /* of the plain ones, those that a thread has read ahead */
};

/* Compares @packed samples with those of @singly. Returns how many there are. */
static size_t check_packed(const struct plain_samples *packed, struct perffile *singly)
{
	size_t nr = 0;

	for (size_t i = 0; i < packed->nr_runs; i++) {
		const struct packed_run *run = &packed->runs[i];
		uint64_t period = 0;

		ck_assert_uint_gt(run->nr, 0);
		for (size_t j = 0; j < run->nr; j++) {
			const struct plain_sample sample = packed_run_at(run, j);

			check_sample(&sample, false, recording_next(singly));
			period += sample.period;
		}
		ck_assert_uint_eq(run->period, period);
		ck_assert_uint_eq(run->first, packed_run_at(run, 0).time);
		ck_assert_uint_eq(run->last, packed_run_at(run, run->nr - 1).time);
		nr += run->nr;
	}
	return nr;
}

/* Takes the plain samples of @file that come next, and compares them with those of @singly. */
static int take_plain(struct perffile *file, struct perffile *singly, struct taken *taken,
		      struct error *err)
{
	struct plain_samples samples;
	int rc;

	while ((rc = perffile_next_plain(file, &samples, err)) > 0) {
		ck_assert_uint_gt(samples.nr, 0);
		if (!samples.samples) {
			ck_assert(!samples.are_held);
			ck_assert_uint_eq(check_packed(&samples, singly), samples.nr);
			taken->packed += samples.nr;
		}
		for (size_t i = 0; samples.samples && i < samples.nr; i++)
			check_sample(&samples.samples[i], samples.swap, recording_next(singly));
		taken->plain += samples.nr;
		taken->ahead += perffile_batch(file) > 0 ? samples.nr : 0;
	}
	return rc;
}

/*
 * Reads @file to its end, plain samples first, and @singly one by one; of @file, a thread reads on
 * after the first @alone records that are not plain.
 */
static struct taken compare_from(struct perffile *file, struct perffile *singly, size_t alone)
{
	const struct record *rec, *one;
	struct taken taken = {0};
	struct error err = {0};
	size_t nr = 0;

	do {
		if (nr++ == alone)
			perffile_read_ahead(file);
		ck_assert_int_eq(take_plain(file, singly, &taken, &err), 0);
		rec = recording_next(file);
		one = recording_next(singly);
		ck_assert(!rec == !one);
		if (!rec)
			break;
		ck_assert_uint_eq(rec->nr, one->nr);
		ck_assert_uint_eq(rec->type, one->type);
		ck_assert_uint_eq(rec->late, one->late);
		taken.singly += rec->type == RECORD_SAMPLE;
	} while (rec);
	ck_assert_mem_eq(perffile_counts(file), perffile_counts(singly),
			 sizeof(struct perffile_counts));
	perffile_close(file);
	perffile_close(singly);
	return taken;
}

static struct taken compare(struct perffile *file, struct perffile *singly)
{
	return compare_from(file, singly, SIZE_MAX);
}

static const struct {
	const char *path;
	size_t plain, singly;
} recordings[] = {
	{"data/demo.data", 786, 0},
	{"data/demo-pipe.data", 786, 0},
	{"data/service.data", 42, 369},
	{"data/demo-callgraph.data", 404, 0},
	{"data/demo-callgraph-be.data", 404, 0},
	{"data/counters.data", 0, 0},
	{"data/waits.data", 0, 9},
};

enum { NR_RECORDINGS = sizeof(recordings) / sizeof(recordings[0]) };

START_TEST(same_samples)
{
	const char *path = recordings[_i].path;
	const struct taken taken =
		compare_from(open_recording(path), open_recording(path), _i % 2 ? SIZE_MAX : 0);

	ck_assert_msg(taken.plain == recordings[_i].plain && taken.singly == recordings[_i].singly,
		      "%s: %zu plain, %zu singly", path, taken.plain, taken.singly);
}
END_TEST

/* A thread may start to read after any record. */
START_TEST(same_samples_from_anywhere)
{
	const char *path = recordings[_i].path;

	for (size_t alone = 1; alone < 200; alone += 1 + alone / 4) {
		struct taken taken =
			compare_from(open_recording(path), open_recording(path), alone);

		ck_assert_uint_eq(taken.plain, recordings[_i].plain);
		ck_assert_uint_eq(taken.singly, recordings[_i].singly);
		ck_assert(taken.ahead > 0 || taken.plain == 0 || alone > 1);
	}
}
END_TEST

enum { NR_SAMPLES = 3000, ROUND = 100, TIMED = MKPERF_ATTR_SAMPLE_ID_ALL };

/* The last one is not plain: it has data addresses. */
static const uint64_t layouts[] = {
	PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
	PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
	PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
	PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
		PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
};

enum { NR_LAYOUTS = sizeof(layouts) / sizeof(layouts[0]) };

static void add_event(struct mkperf *m, const char *name, uint64_t sample_type, uint64_t id)
{
	mkperf_event(m, &(struct mkperf_event){.name = name,
					       .sample_type = sample_type,
					       .sample_period = 7,
					       .flags = TIMED,
					       .ids = &id,
					       .nr_ids = 1});
}

/*
 * Samples of the events with the ids 1 to @nr_events, out of order within rounds; one of a thousand
 * comes a round too late, the user part of one chain of seven hundred comes later, and before one
 * of five hundred comes another record.
 */
static void add_samples(struct mkperf *m, unsigned nr_events)
{
	static const uint64_t ips[] = {UINT64_C(-512), 3, 4, 5, 6, UINT64_C(-640), 8};

	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		const bool late = i % 1000 == 999;

		if (i % 500 == 499)
			mkperf_comm(m, &(struct mkperf_id){.pid = 1, .tid = 1, .time = 1000 + i}, 0,
				    1, 1, "c");
		mkperf_sample(m, &(struct mkperf_sample){.event = (unsigned)(i % nr_events),
							 .pid = 1,
							 .tid = 1 + (uint32_t)(i & 3),
							 .cpu = (uint32_t)(i & 7),
							 .id = 1 + i % nr_events,
							 .ip = i,
							 .period = i * 3,
							 .ips = ips,
							 .nr_ips = i % 700 == 699 ? 7 : i % 7,
							 .time = late ? 1 : 1000 + (i ^ 21)});
		if (i % ROUND == ROUND - 1)
			mkperf_round(m);
	}
}

static struct mkperf *make(uint64_t layout, bool swap, unsigned nr_events)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap});

	add_event(m, "first", layout, 1);
	if (nr_events == 2)
		add_event(m, "second", layout, 2);
	add_samples(m, nr_events);
	return m;
}

static bool is_swapped(int i)
{
	return i / NR_LAYOUTS % 2;
}

/* Number @i of the recordings, and how it is read: alone, and with a thread. */
static struct taken compare_layout(int i, bool packs)
{
	static const size_t alone[] = {SIZE_MAX, 2, 1};
	const uint64_t layout = layouts[i % NR_LAYOUTS];
	const unsigned nr_events = layout & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? 2 : 1;
	struct perffile *file = recording_open(make(layout, is_swapped(i), nr_events)),
			*singly = recording_open(make(layout, is_swapped(i), nr_events));

	if (packs)
		perffile_pack(file);
	return compare_from(file, singly, alone[i / NR_LAYOUTS / 2]);
}

START_TEST(same_layouts)
{
	const uint64_t layout = layouts[_i % NR_LAYOUTS];
	const struct taken taken = compare_layout(_i, false);

	ck_assert_uint_eq(taken.plain + taken.singly, NR_SAMPLES);
	ck_assert_uint_eq(taken.singly, layout & PERF_SAMPLE_ADDR	 ? NR_SAMPLES
					: layout & PERF_SAMPLE_CALLCHAIN ? 3 + 4
									 : 3);
	ck_assert(_i / NR_LAYOUTS / 2 == 0 ? taken.ahead == 0 : taken.ahead + 500 >= taken.plain);
}
END_TEST

/* The same packed, unless they have chains, or the other byte order. */
START_TEST(same_layouts_packed)
{
	const uint64_t layout = layouts[_i % NR_LAYOUTS];
	const struct taken taken = compare_layout(_i, true);

	ck_assert_uint_eq(taken.plain + taken.singly, NR_SAMPLES);
	if (is_swapped(_i) || layout & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ADDR)) {
		ck_assert_uint_eq(taken.packed, 0);
	} else { /* no two in a row are of one thread, so the rest is not packed */
		ck_assert_uint_ge(taken.packed, 256);
		ck_assert_uint_le(taken.packed, 600);
	}
}
END_TEST

enum { NR_WIDE = 4000 };

/* Samples of one event, some with a period or after a time that cannot be packed. */
static struct mkperf *make_wide(void)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){0});
	uint64_t time = 1000;

	add_event(m, "wide", layouts[1], 1);
	for (uint64_t i = 0; i < NR_WIDE; i++) {
		time += i % 50 == 7 ? (UINT64_C(1) << PACKED_TIME_BITS) - 5 + i % 9 : 1;
		mkperf_sample(
			m, &(struct mkperf_sample){
				   .misc = (uint16_t)(i % 6),
				   .pid = 1,
				   .tid = 1 + (uint32_t)(i / 100),
				   .ip = i % 3 ? i : UINT64_MAX - i,
				   .period = i % 40 == 39
						     ? (UINT64_C(1) << PACKED_PERIOD_BITS) + i
						     : (UINT64_C(1) << PACKED_PERIOD_BITS) - i - 1,
				   .time = time});
	}
	mkperf_round(m);
	return m;
}

START_TEST(packed_as_far_as_they_fit)
{
	struct perffile *file = recording_open(make_wide());
	struct taken taken;

	perffile_pack(file);
	taken = compare_from(file, recording_open(make_wide()), _i ? 0 : SIZE_MAX);
	ck_assert_uint_eq(taken.plain + taken.singly, NR_WIDE);
	ck_assert_uint_eq(taken.singly, NR_WIDE / 40);
	ck_assert_uint_eq(taken.packed, NR_WIDE - NR_WIDE / 40);
}
END_TEST

/* Who asks for records all the same gets them, with all that they have. */
START_TEST(packed_as_records)
{
	struct perffile *file = recording_open(make(layouts[2], false, 2)),
			*singly = recording_open(make(layouts[2], false, 2));
	struct taken taken = {0};
	struct error err = {0};
	const struct record *rec;
	size_t nr = 0;

	perffile_pack(file);
	ck_assert_int_eq(take_plain(file, singly, &taken, &err), 0);
	perffile_read_ahead(file);
	while ((rec = recording_next(file))) {
		const struct record *one = recording_next(singly);

		ck_assert_ptr_nonnull(one);
		ck_assert_uint_eq(rec->nr, one->nr);
		ck_assert_uint_eq(rec->type, one->type);
		ck_assert_uint_eq(rec->late, one->late);
		if (rec->type == RECORD_SAMPLE) {
			ck_assert_uint_eq(rec->time, one->time);
			ck_assert_uint_eq(rec->sample.ip, one->sample.ip);
		}
		nr += rec->type == RECORD_SAMPLE;
		/* Of each ten records, those that come then are taken many at a time. */
		if (_i && nr % 10 == 0)
			ck_assert_int_eq(take_plain(file, singly, &taken, &err), 0);
	}
	ck_assert_ptr_null(recording_next(singly));
	ck_assert_uint_eq(taken.plain + nr, NR_SAMPLES);
	perffile_close(file);
	perffile_close(singly);
}
END_TEST

/* A thread has samples to decode if all are plain, and somebody wants them. */
START_TEST(work_to_read)
{
	struct perffile *plain = open_recording("data/demo.data"),
			*stacks = open_recording("data/stacks.data");
	struct plain_samples samples;
	struct error err = {0};

	ck_assert(!perffile_is_work_to_read(plain));
	ck_assert_int_ge(perffile_next_plain(plain, &samples, &err), 0);
	ck_assert(perffile_is_work_to_read(plain));
	ck_assert_int_ge(perffile_next_plain(stacks, &samples, &err), 0);
	ck_assert(!perffile_is_work_to_read(stacks));
	perffile_close(plain);
	perffile_close(stacks);
}
END_TEST

/* Samples of a batch that is held stay as they are while those of the next one are taken. */
START_TEST(held)
{
	struct perffile *file = recording_open(make(layouts[3], false, 1));
	struct plain_samples samples = {0}, later;
	struct plain_sample *copy = NULL;
	uint64_t batch = 0, nr = 0;
	uint8_t *bytes = NULL;
	struct error err = {0};
	size_t len;

	perffile_read_ahead(file);
	ck_assert_uint_eq(perffile_batch(file), 0);
	do {
		while (perffile_next_plain(file, &later, &err) > 0) {
			nr += later.nr;
			if (!batch && later.are_held) {
				samples = later;
				batch = perffile_batch(file);
				perffile_hold(file);
				len = samples.nr * sizeof(*copy);
				copy = malloc(len);
				memcpy(copy, samples.samples, len);
				bytes = malloc(32);
				memcpy(bytes, copy[0].bytes, 32);
			}
			if (batch && perffile_batch(file) != batch && copy) {
				ck_assert_mem_eq(samples.samples, copy, len);
				ck_assert_mem_eq(samples.samples[0].bytes, bytes, 32);
				perffile_let_go(file, batch);
				free(copy);
				copy = NULL;
			}
		}
	} while (recording_next(file));
	ck_assert_uint_gt(batch, 0);
	ck_assert_ptr_null(copy);
	ck_assert_uint_gt(nr, NR_SAMPLES - 100);
	free(bytes);
	perffile_close(file);
}
END_TEST

/* Two whole samples, and between them one that says @nr words of which there is one. */
static struct mkperf *make_cut(uint64_t nr)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){0});
	const uint64_t one = 1;
	struct mkperf_sample sample = {
		.pid = 1, .tid = 1, .time = 100, .ip = 1, .ips = &one, .nr_ips = 1};
	const struct {
		uint32_t type;
		uint16_t misc, size;
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time, nr, word;
	} cut = {PERF_RECORD_SAMPLE, 2, sizeof(cut), 2, 1, 1, 101, nr, 7};

	add_event(m, "e",
		  PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN, 1);
	mkperf_sample(m, &sample);
	mkperf_bytes(m, &cut, sizeof(cut));
	sample.time = 102;
	mkperf_sample(m, &sample);
	return m;
}

START_TEST(a_chain_that_is_not_all_there)
{
	static const uint64_t counts[] = {1, 2, 8191, UINT64_C(1) << 61, UINT64_MAX};
	const uint64_t nr = counts[_i];
	const struct taken taken =
		compare(recording_open(make_cut(nr)), recording_open(make_cut(nr)));

	/* Who asks for the record after the first one gets the third. */
	ck_assert_uint_eq(taken.plain, nr == 1 ? 3 : 1);
	ck_assert_uint_eq(taken.singly, nr == 1 ? 0 : 1);
}
END_TEST

/* In each round ten samples, and then ten that are older; the chains of every other one are its
 * own. */
static struct mkperf *make_mixed(void)
{
	const uint64_t layout = layouts[2];
	struct mkperf *m = mkperf_new(&(struct mkperf_options){0});

	add_event(m, "without", layout, 1);
	add_event(m, "with", layout | PERF_SAMPLE_CALLCHAIN, 2);
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		const uint64_t ips[] = {i, i + 1, i + 2, i + 3};

		mkperf_sample(m, &(struct mkperf_sample){.event = (unsigned)(i % 2),
							 .pid = 1,
							 .tid = 1,
							 .id = 1 + i % 2,
							 .ip = i,
							 .ips = ips,
							 .nr_ips = i % 2 ? 4 : 0,
							 .time = 1000 + i + (i / 10 % 2 ? 0 : 20)});
		if (i % 20 == 19)
			mkperf_round(m);
	}
	return m;
}

/* Chains stay where the first sample at hand has none, though bytes are read again. */
START_TEST(chains_among_others)
{
	struct perffile *file = recording_open(make_mixed());
	struct taken taken;

	perffile_set_memory(file, 0);
	taken = compare(file, recording_open(make_mixed()));
	ck_assert_uint_eq(taken.plain, NR_SAMPLES);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("plain");
	TCase *tcase = tcase_create("plain");

	tcase_add_loop_test(tcase, same_samples, 0, NR_RECORDINGS);
	tcase_add_loop_test(tcase, same_samples_from_anywhere, 0, NR_RECORDINGS);
	tcase_add_loop_test(tcase, same_layouts, 0, NR_LAYOUTS * 2 * 3);
	tcase_add_loop_test(tcase, same_layouts_packed, 0, NR_LAYOUTS * 2 * 3);
	tcase_add_loop_test(tcase, packed_as_far_as_they_fit, 0, 2);
	tcase_add_loop_test(tcase, packed_as_records, 0, 2);
	tcase_add_test(tcase, work_to_read);
	tcase_add_test(tcase, held);
	tcase_add_loop_test(tcase, a_chain_that_is_not_all_there, 0, 5);
	tcase_add_test(tcase, chains_among_others);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
