/*
 * Recordings written by mkperf and read back: values of every record type, events and their ids,
 * attrs of any size, features, and what cannot be opened. Order is test_queue.c's, damage
 * test_damaged.c's subject.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "util/clock.h"

#include <check.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMON_TYPE \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static const uint64_t ids_one[] = {11, 12}, ids_two[] = {21}, ids_three[] = {31, 32, 33};

static struct mkperf_event event_of(uint64_t sample_type, const uint64_t *ids, size_t nr_ids)
{
	return (struct mkperf_event){
		.type = PERF_TYPE_SOFTWARE,
		.sample_period = 5000,
		.sample_type = sample_type,
		.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
		.ids = ids,
		.nr_ids = nr_ids,
	};
}

static struct mkperf *new_swapped(int swap)
{
	return mkperf_new(&(struct mkperf_options){.swap = swap & 1});
}

/* ---- every record type ---- */

static const uint8_t build_id[20] = {1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10,
				     11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

static const struct mkperf_mmap mapping = {
	.misc = PERF_RECORD_MISC_USER,
	.pid = 100,
	.tid = 101,
	.start = 0x7f0000001000,
	.len = 0x2000,
	.pgoff = 0x3000,
	.filename = "/usr/lib/libc.so.6",
	.maj = 8,
	.min = 1,
	.ino = 123456,
	.prot = 5,
	.flags = 2,
};

/* The trailer of the @nr-th record: its time tells them apart. */
static struct mkperf_id trailer(uint64_t nr)
{
	return (struct mkperf_id){
		.pid = 100, .tid = 101, .cpu = 3, .time = 1000 + nr, .stream_id = 11};
}

enum { NR_RECORDS = 15 };

static void put_losses(struct mkperf *m, const struct mkperf_id *at, uint64_t *offsets)
{
	offsets[6] = mkperf_offset(m);
	mkperf_lost(m, &at[6], 11, 50);
	offsets[7] = mkperf_offset(m);
	mkperf_lost_samples(m, &at[7], 0, 7);
	offsets[8] = mkperf_offset(m);
	mkperf_lost_samples(m, &at[8], 1 << 15, 1000);
	offsets[9] = mkperf_offset(m);
	mkperf_throttle(m, &at[9], false, 11, 12);
	offsets[10] = mkperf_offset(m);
	mkperf_throttle(m, &at[10], true, 12, 13);
}

static void put_rest(struct mkperf *m, const struct mkperf_id *at, uint64_t *offsets)
{
	static const uint8_t body[24] = {0};
	struct mkperf_sample sample = {.misc = PERF_RECORD_MISC_KERNEL,
				       .pid = 100,
				       .tid = 101,
				       .cpu = 3,
				       .time = 1011,
				       .ip = 0xffffffff81000000,
				       .period = 250000};

	offsets[11] = mkperf_offset(m);
	mkperf_sample(m, &sample);
	offsets[12] = mkperf_offset(m);
	mkperf_begin(m, PERF_RECORD_READ, 0);
	mkperf_u32(m, 100);
	mkperf_u32(m, 101);
	mkperf_u64(m, 99);
	mkperf_trailer(m, &at[12]);
	mkperf_end(m);
	offsets[13] = mkperf_offset(m);
	mkperf_begin(m, 48, 5); /* no such type yet */
	mkperf_trailer(m, &at[13]);
	mkperf_end(m);
	offsets[14] = mkperf_offset(m);
	mkperf_record(m, 300, 6, body, sizeof(body)); /* nor in perf's own range */
	mkperf_round(m);
}

static void put_every_type(struct mkperf *m, uint64_t *offsets)
{
	struct mkperf_mmap map = mapping;
	struct mkperf_task task = {.pid = 200, .ppid = 100, .tid = 202, .ptid = 101, .time = 77};
	struct mkperf_id at[NR_RECORDS];

	for (unsigned i = 0; i < NR_RECORDS; i++)
		at[i] = trailer(i);
	offsets[0] = mkperf_offset(m);
	mkperf_mmap(m, &at[0], &map);
	offsets[1] = mkperf_offset(m);
	mkperf_mmap2(m, &at[1], &map);
	map.build_id = build_id;
	map.build_id_size = 20;
	offsets[2] = mkperf_offset(m);
	mkperf_mmap2(m, &at[2], &map);
	offsets[3] = mkperf_offset(m);
	mkperf_comm(m, &at[3], PERF_RECORD_MISC_COMM_EXEC, 100, 101, "a name of 15 ch");
	offsets[4] = mkperf_offset(m);
	mkperf_fork(m, &at[4], &task);
	offsets[5] = mkperf_offset(m);
	mkperf_exit(m, &at[5], &task);
	put_losses(m, at, offsets);
	put_rest(m, at, offsets);
}

static void assert_common(const struct record *rec, uint64_t nr, uint64_t offset, uint32_t type,
			  uint16_t misc)
{
	ck_assert_ptr_nonnull(rec);
	ck_assert_uint_eq(rec->nr, nr);
	ck_assert_uint_eq(rec->file_offset, offset);
	ck_assert_uint_eq(rec->type, type);
	ck_assert_uint_eq(rec->misc, misc);
}

/* What the trailer says, where the body does not say otherwise. */
static void assert_trailer(const struct record *rec, uint32_t pid, uint32_t tid, uint64_t time)
{
	ck_assert_uint_eq(rec->has, HAS_PID | HAS_TID | HAS_TIME | HAS_CPU);
	ck_assert_uint_eq(rec->pid, pid);
	ck_assert_uint_eq(rec->tid, tid);
	ck_assert_uint_eq(rec->cpu, 3);
	ck_assert_uint_eq(rec->time, time);
}

static void assert_mmap(const struct record *rec, bool second)
{
	ck_assert_uint_eq(rec->mmap.start, 0x7f0000001000);
	ck_assert_uint_eq(rec->mmap.len, 0x2000);
	ck_assert_uint_eq(rec->mmap.pgoff, 0x3000);
	ck_assert_str_eq(rec->mmap.filename, "/usr/lib/libc.so.6");
	ck_assert_uint_eq(rec->mmap.filename_len, 18);
	if (second) {
		ck_assert_uint_eq(rec->mmap.prot, 5);
		ck_assert_uint_eq(rec->mmap.flags, 2);
	}
}

static void assert_counts(const struct perffile_counts *counts)
{
	ck_assert_uint_eq(counts->lost, 57); /* what a filter dropped was not lost */
	ck_assert_uint_eq(counts->damaged, 0);
	ck_assert_uint_eq(counts->late, 0);
	ck_assert_uint_eq(counts->truncated_bytes, 0);
	ck_assert_uint_eq(counts->missing_bytes, 0);
	ck_assert_uint_eq(counts->missing_features, 0);
	ck_assert(counts->rounds && !counts->unfinished);
}

static void assert_maps_and_comm(struct perffile *file, const uint64_t *offsets)
{
	const struct record *rec = recording_next_kernel(file);

	assert_common(rec, 0, offsets[0], RECORD_MMAP, 2);
	assert_trailer(rec, 100, 101, 1000);
	assert_mmap(rec, false);
	ck_assert(!file_id_known(&rec->mmap.file));
	ck_assert_uint_eq(rec->mmap.build_id.len, 0);
	ck_assert_uint_eq(rec->size, offsets[1] - offsets[0]);
	rec = recording_next_kernel(file);
	assert_common(rec, 1, offsets[1], RECORD_MMAP2, 2);
	assert_trailer(rec, 100, 101, 1001);
	assert_mmap(rec, true);
	ck_assert_uint_eq(rec->mmap.build_id.len, 0);
	ck_assert(file_id_same(
		&rec->mmap.file,
		&(struct file_id){mapping.maj, mapping.min, mapping.ino, mapping.ino_generation}));
	rec = recording_next_kernel(file);
	assert_common(rec, 2, offsets[2], RECORD_MMAP2, 2 | MISC_MMAP_BUILD_ID);
	assert_mmap(rec, true);
	ck_assert_uint_eq(rec->mmap.build_id.len, 20);
	ck_assert(!file_id_known(&rec->mmap.file));
	ck_assert_mem_eq(rec->mmap.build_id.bytes, build_id, 20);
	rec = recording_next_kernel(file);
	assert_common(rec, 3, offsets[3], RECORD_COMM, MISC_COMM_EXEC);
	assert_trailer(rec, 100, 101, 1003);
	ck_assert_str_eq(rec->comm.comm, "a name of 15 ch");
	ck_assert_uint_eq(rec->comm.comm_len, 15);
}

static void assert_tasks(struct perffile *file, const uint64_t *offsets)
{
	for (unsigned i = 4; i < 6; i++) {
		const struct record *rec = recording_next_kernel(file);

		assert_common(rec, i, offsets[i], i == 4 ? RECORD_FORK : RECORD_EXIT, 0);
		assert_trailer(rec, 200, 202, 1000 + i);
		ck_assert_uint_eq(rec->task.ppid, 100);
		ck_assert_uint_eq(rec->task.ptid, 101);
		ck_assert_uint_eq(rec->task.time, 77);
	}
}

static void assert_losses(struct perffile *file, const uint64_t *offsets)
{
	const struct record *rec = recording_next_kernel(file);

	assert_common(rec, 6, offsets[6], RECORD_LOST, 0);
	ck_assert(rec->lost.id == 11 && rec->lost.lost == 50);
	rec = recording_next_kernel(file);
	assert_common(rec, 7, offsets[7], RECORD_LOST_SAMPLES, 0);
	ck_assert(rec->lost.id == 0 && rec->lost.lost == 7);
	rec = recording_next_kernel(file);
	assert_common(rec, 8, offsets[8], RECORD_LOST_SAMPLES, MISC_LOST_BY_FILTER);
	ck_assert(rec->lost.id == 0 && rec->lost.lost == 1000);
	rec = recording_next_kernel(file);
	assert_common(rec, 9, offsets[9], RECORD_THROTTLE, 0);
	ck_assert(rec->throttle.id == 11 && rec->throttle.stream_id == 12);
	rec = recording_next_kernel(file);
	assert_common(rec, 10, offsets[10], RECORD_UNTHROTTLE, 0);
	ck_assert(rec->throttle.id == 12 && rec->throttle.stream_id == 13);
	assert_trailer(rec, 100, 101, 1010);
}

static void assert_rest(struct perffile *file, const uint64_t *offsets)
{
	const struct record *rec = recording_next_kernel(file);

	assert_common(rec, 11, offsets[11], RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	ck_assert_int_eq(record_cpumode(rec), CPUMODE_KERNEL);
	assert_trailer(rec, 100, 101, 1011);
	ck_assert_uint_eq(rec->sample.ip, 0xffffffff81000000);
	ck_assert_uint_eq(rec->sample.period, 250000);
	rec = recording_next_kernel(file);
	assert_common(rec, 12, offsets[12], RECORD_READ, 0);
	assert_trailer(rec, 100, 101, 1012);
	rec = recording_next_kernel(file);
	assert_common(rec, 13, offsets[13], 48, 5);
	assert_trailer(rec, 100, 101, 1013);
	ck_assert_ptr_null(recording_next_kernel(file));
}

/* _i: bit 0 the byte order, bit 1 IDENTIFIER in the trailer. */
START_TEST(every_record_type)
{
	struct mkperf *m = new_swapped(_i);
	struct mkperf_event event =
		event_of(COMMON_TYPE | (_i & 2 ? PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_STREAM_ID),
			 ids_one, 2);
	uint64_t offsets[NR_RECORDS];
	struct perffile *file;
	const struct record *rec;

	mkperf_event(m, &event);
	put_every_type(m, offsets);
	file = recording_open(m);
	/* perf's own records act where they stand, before those that wait for their round. */
	rec = recording_next(file);
	assert_common(rec, 14, offsets[14], 300, 6);
	ck_assert_uint_eq(rec->has, 0);
	ck_assert_ptr_null(rec->event);
	assert_maps_and_comm(file, offsets);
	assert_tasks(file, offsets);
	assert_losses(file, offsets);
	assert_rest(file, offsets);
	assert_counts(perffile_counts(file));
	ck_assert_uint_eq(perffile_bytes_read(file), perffile_bytes_total(file));
	perffile_close(file);
}
END_TEST

/* Synthesized records: the trailer is there but zero. */
START_TEST(synthesized_records)
{
	struct mkperf *m = new_swapped(_i);
	struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);
	struct perffile *file;
	const struct record *rec;

	mkperf_event(m, &event);
	mkperf_comm(m, NULL, 0, 7, 8, "init");
	mkperf_mmap2(m, NULL, &mapping);
	file = recording_open(m);
	rec = recording_next(file);
	ck_assert_str_eq(rec->comm.comm, "init");
	ck_assert(rec->pid == 7 && rec->tid == 8 && rec->time == 0 && rec->cpu == 0);
	rec = recording_next(file);
	assert_mmap(rec, true);
	ck_assert(rec->pid == 100 && rec->tid == 101);
	ck_assert_ptr_null(recording_next(file));
	perffile_close(file);
}
END_TEST

/*
 * Old writers synthesize without a trailer, or without padding; both are read, and no part of the
 * name is taken for a time.
 */
START_TEST(synthesized_without_trailer)
{
	struct mkperf *m = new_swapped(_i);
	struct mkperf_event event =
		event_of(PERF_SAMPLE_TID | (_i & 2 ? PERF_SAMPLE_TIME : PERF_SAMPLE_CPU), NULL, 0);
	struct perffile *file;
	const struct record *rec;

	mkperf_event(m, &event);
	mkperf_begin(m, PERF_RECORD_COMM, 0);
	mkperf_u32(m, 7);
	mkperf_u32(m, 8);
	mkperf_string(m, "0123456789abcde0123456789abcde0");
	mkperf_end(m);
	mkperf_begin(m, PERF_RECORD_COMM, 0);
	mkperf_u32(m, 9);
	mkperf_u32(m, 10);
	mkperf_bytes(m, "x", 2);
	mkperf_end(m);
	file = recording_open(m);
	for (unsigned i = 0; i < 2; i++) {
		rec = recording_next(file);
		ck_assert_str_eq(rec->comm.comm, i ? "x" : "0123456789abcde0123456789abcde0");
		ck_assert(rec->pid == 7 + 2 * i && rec->tid == 8 + 2 * i);
		ck_assert_uint_eq(rec->has, HAS_PID | HAS_TID);
	}
	ck_assert_ptr_null(recording_next(file));
	perffile_close(file);
}
END_TEST

/* With several events, whose ids are not part of a name; what follows them in a name is no time. */
START_TEST(synthesized_without_trailer_of_several)
{
	enum { TYPE = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER };
	static const uint32_t types[] = {PERF_RECORD_COMM, PERF_RECORD_CGROUP,
					 PERF_RECORD_NAMESPACES, PERF_RECORD_TEXT_POKE};
	struct mkperf *m = new_swapped(_i);
	struct mkperf_event one = event_of(TYPE, ids_one, 2), two = event_of(TYPE, ids_two, 1);
	struct perffile *file;

	mkperf_event(m, &one);
	mkperf_event(m, &two);
	for (unsigned i = 0; i < 4; i++) {
		mkperf_begin(m, types[i], 0);
		mkperf_u64(m, 7); /* two words, a word, an address */
		if (i < 2)
			mkperf_string(m, "0123456789abcde0123456789abcde0123456789");
		else if (i == 2)
			mkperf_u64(m, 3);
		else
			mkperf_u32(m, 25 << 16 | 23);
		for (unsigned k = 0; i >= 2 && k < 48; k++)
			mkperf_bytes(m, "x", 1);
		if (i == 3)
			mkperf_u32(m, 0);
		mkperf_end(m);
	}
	mkperf_sample(m, &(struct mkperf_sample){.id = ids_one[0], .time = 5});
	file = recording_open(m);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(recording_next(file)->type, types[i]);
	ck_assert_uint_eq(recording_next(file)->type, RECORD_SAMPLE);
	ck_assert_ptr_null(recording_next(file));
	perffile_close(file);
}
END_TEST

/* ---- events ---- */

/* IDENTIFIER, ID, and events that differ but all have IDENTIFIER. */
static const uint64_t types_of_events[][3] = {
	{COMMON_TYPE | PERF_SAMPLE_IDENTIFIER, COMMON_TYPE | PERF_SAMPLE_IDENTIFIER,
	 COMMON_TYPE | PERF_SAMPLE_IDENTIFIER},
	{COMMON_TYPE | PERF_SAMPLE_ID, COMMON_TYPE | PERF_SAMPLE_ID, COMMON_TYPE | PERF_SAMPLE_ID},
	{COMMON_TYPE | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_ADDR,
	 COMMON_TYPE | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_ADDR,
	 COMMON_TYPE | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_ADDR},
	{COMMON_TYPE | PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER,
	 COMMON_TYPE | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ADDR},
	{COMMON_TYPE | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME,
	 PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ADDR | PERF_SAMPLE_TIME,
	 PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_TIME |
		 PERF_SAMPLE_IP},
};

enum { NR_TYPES_OF_EVENTS = sizeof(types_of_events) / sizeof(types_of_events[0]) };

static void put_three_events(struct mkperf *m, const uint64_t *types)
{
	static const uint64_t *const ids[] = {ids_one, ids_two, ids_three};
	static const size_t nr_ids[] = {2, 1, 3};
	static const char *const names[] = {"alpha", "beta", "gamma"};

	for (unsigned i = 0; i < 3; i++) {
		struct mkperf_event event = event_of(types[i], ids[i], nr_ids[i]);

		event.name = names[i];
		event.config = i;
		mkperf_event(m, &event);
	}
}

/* Each id leads to its event, in samples by their body, in other records by their trailer. */
START_TEST(events_by_id)
{
	static const uint64_t ids[] = {11, 12, 21, 31, 32, 33};
	static const unsigned events[] = {0, 0, 1, 2, 2, 2};
	struct mkperf *m = new_swapped(_i);
	const struct record *rec;
	struct perffile *file;

	put_three_events(m, types_of_events[_i / 2]);
	mkperf_event_desc(m);
	for (unsigned i = 0; i < 6; i++) {
		struct mkperf_id at = {.event = events[i], .id = ids[i], .time = 100 + 2 * i};

		mkperf_sample(m, &(struct mkperf_sample){.event = events[i],
							 .id = ids[i],
							 .ip = 1000 + i,
							 .time = 99 + 2 * i});
		mkperf_lost(m, &at, 0, i);
	}
	file = recording_open(m);
	ck_assert_uint_eq(perffile_nr_events(file), 3);
	for (unsigned nr = 0; nr < 12; nr++) {
		rec = recording_next(file);
		ck_assert_ptr_nonnull(rec);
		ck_assert_ptr_eq(rec->event, perffile_event(file, events[rec->nr / 2]));
		if (rec->type == RECORD_SAMPLE)
			ck_assert_uint_eq(rec->sample.ip, 1000 + rec->nr / 2);
		else
			ck_assert_uint_eq(rec->lost.lost, rec->nr / 2);
	}
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	perffile_close(file);
}
END_TEST

/* Ids of many CPUs, of two events in turn, some with the same lowest bits. */
START_TEST(events_by_many_ids)
{
	enum { NR = 200 };
	struct mkperf *m = new_swapped(_i);
	uint64_t ids[2][NR];
	const struct record *rec;
	struct perffile *file;

	for (unsigned i = 0; i < 2; i++) {
		struct mkperf_event event = event_of(types_of_events[0][i], ids[i], NR);

		for (unsigned k = 0; k < NR; k++)
			ids[i][k] = 1 + 2 * k + i;
		event.config = i;
		mkperf_event(m, &event);
	}
	for (unsigned i = 0; i < 4 * NR; i++)
		mkperf_sample(m, &(struct mkperf_sample){.event = i % 2,
							 .id = ids[i % 2][i * 7 % NR],
							 .ip = 1000 + i,
							 .time = 100 + i});
	file = recording_open(m);
	for (unsigned i = 0; i < 4 * NR; i++) {
		rec = recording_next(file);
		ck_assert_ptr_nonnull(rec);
		ck_assert_uint_eq(rec->sample.ip, 1000 + i);
		ck_assert_ptr_eq(rec->event, perffile_event(file, i % 2));
	}
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	perffile_close(file);
}
END_TEST

START_TEST(events_with_their_names)
{
	struct mkperf *m = new_swapped(_i);
	struct perffile *file;

	put_three_events(m, types_of_events[0]);
	mkperf_event_desc(m);
	mkperf_round(
		m); /* a file without data counts as unfinished: its features are not looked at */
	file = recording_open(m);
	ck_assert_str_eq(perffile_event(file, 0)->name, "alpha");
	ck_assert_str_eq(perffile_event(file, 1)->name, "beta");
	ck_assert_str_eq(perffile_event(file, 2)->name, "gamma");
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(perffile_event(file, i)->number, i);
		ck_assert_uint_eq(perffile_event(file, i)->attr.config, i);
	}
	ck_assert_uint_eq(perffile_event(file, 2)->nr_ids, 3);
	ck_assert_mem_eq(perffile_event(file, 2)->ids, ids_three, sizeof(ids_three));
	perffile_close(file);
}
END_TEST

/* Id 0 stands for the first event; one that the file does not have makes a sample unusable. */
START_TEST(unknown_ids)
{
	struct mkperf *m = new_swapped(_i);
	uint64_t type = COMMON_TYPE | (_i & 2 ? PERF_SAMPLE_ID : PERF_SAMPLE_IDENTIFIER);
	uint64_t types[] = {type, type, type};
	struct mkperf_id at = {.event = 2, .id = 999, .time = 40};
	struct perffile *file;
	const struct record *rec;
	uint64_t offset;

	put_three_events(m, types);
	mkperf_sample(m, &(struct mkperf_sample){.event = 1, .time = 10, .ip = 1});
	offset = mkperf_offset(m);
	mkperf_sample(m, &(struct mkperf_sample){.id = 999, .time = 20, .ip = 2});
	mkperf_sample(m, &(struct mkperf_sample){.id = UINT64_MAX, .time = 30, .ip = 3});
	mkperf_lost(m, &at, 0, 5);
	mkperf_lost(m, NULL, 0, 6);
	file = recording_open(m);
	rec = recording_next(file);
	ck_assert_uint_eq(rec->lost.lost, 6);
	ck_assert_ptr_eq(rec->event, perffile_event(file, 0));
	rec = recording_next(file);
	ck_assert_uint_eq(rec->sample.ip, 1);
	ck_assert_ptr_eq(rec->event, perffile_event(file, 1));
	rec = recording_next(file);
	ck_assert_uint_eq(rec->lost.lost, 5);
	ck_assert_ptr_null(rec->event);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damages[DAMAGE_ID].records, 2);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 2);
	ck_assert_uint_eq(perffile_counts(file)->damaged_offset, offset);
	ck_assert_uint_eq(perffile_counts(file)->lost, 11);
	perffile_close(file);
}
END_TEST

/* Without trailers other records are the first event's; nothing of their bodies is an id. */
START_TEST(sample_id_all_off)
{
	struct mkperf *m = new_swapped(_i);
	struct perffile *file;
	const struct record *rec;

	for (unsigned i = 0; i < 2; i++) {
		struct mkperf_event event =
			event_of(COMMON_TYPE | PERF_SAMPLE_ID, i ? ids_two : ids_one, i ? 1 : 2);
		event.flags = 0;
		mkperf_event(m, &event);
	}
	mkperf_lost(m, NULL, 7, 21); /* ends with the other event's id */
	mkperf_sample(m, &(struct mkperf_sample){.event = 1, .time = 50, .ip = 1});
	mkperf_comm(m, NULL, 0, 5, 6, "late");
	mkperf_sample(m, &(struct mkperf_sample){.event = 0, .time = 40, .ip = 2});
	file = recording_open(m);
	rec = recording_next(file);
	ck_assert_uint_eq(rec->lost.lost, 21);
	ck_assert_uint_eq(rec->has, 0);
	ck_assert_ptr_eq(rec->event, perffile_event(file, 0));
	rec = recording_next(file);
	ck_assert(rec->sample.ip == 1 && rec->event == perffile_event(file, 1));
	rec = recording_next(file);
	ck_assert_str_eq(rec->comm.comm, "late");
	ck_assert(rec->has == (HAS_PID | HAS_TID) && rec->pid == 5 && rec->tid == 6);
	/* Times cannot be trusted to order such a file: it is read as it stands. */
	rec = recording_next(file);
	ck_assert(rec->sample.ip == 2 && rec->event == perffile_event(file, 0));
	ck_assert_ptr_null(recording_next(file));
	perffile_close(file);
}
END_TEST

/* One event needs no ids at all. */
START_TEST(one_event_without_ids)
{
	struct mkperf *m = new_swapped(_i);
	struct mkperf_event event = event_of(PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER, NULL, 0);
	struct perffile *file;
	const struct record *rec;

	mkperf_event(m, &event);
	mkperf_sample(m, &(struct mkperf_sample){.id = 12345, .ip = 9});
	file = recording_open(m);
	rec = recording_next(file);
	ck_assert_ptr_eq(rec->event, perffile_event(file, 0));
	ck_assert(rec->sample.ip == 9 && rec->sample.id == 12345 && rec->sample.period == 5000);
	ck_assert_ptr_null(recording_next(file));
	perffile_close(file);
}
END_TEST

/* ---- attrs ---- */

static const uint32_t attr_sizes[] = {64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 200, 4096};

enum { NR_ATTR_SIZES = sizeof(attr_sizes) / sizeof(attr_sizes[0]) };

static const struct mkperf_event full_event = {
	.type = 4,
	.config = 0x1122334455667788,
	.sample_period = 1000,
	.sample_type = PERF_SAMPLE_IP,
	.read_format = 5,
	.flags = 0x8000000000000401,
	.config1 = 0x1111,
	.config2 = 0x2222,
	.branch_sample_type = 0x3333,
	.sample_regs_user = 0x4444,
	.sample_regs_intr = 0x5555,
	.ids = ids_three,
	.nr_ids = 3,
};

static void assert_attr(const struct attr *attr, uint32_t size, uint64_t flags)
{
	ck_assert(attr->type == 4 && attr->size == size && attr->config == 0x1122334455667788);
	ck_assert(attr->sample_period == 1000 && attr->sample_type == 1 && attr->read_format == 5);
	ck_assert_uint_eq(attr->flags, flags);
	ck_assert_uint_eq(attr->config1, 0x1111);
	ck_assert_uint_eq(attr->config2, size >= 72 ? 0x2222 : 0);
	ck_assert_uint_eq(attr->branch_sample_type, size >= 80 ? 0x3333 : 0);
	ck_assert_uint_eq(attr->sample_regs_user, size >= 88 ? 0x4444 : 0);
	ck_assert_uint_eq(attr->sample_regs_intr, size >= 104 ? 0x5555 : 0);
}

/*
 * What the attr's size cuts off reads as zero; what is unknown behind it, or is none of it, is
 * passed over. _i: bit 0 the byte order, bit 1 bytes between attr and ids, both the precise_ip.
 */
START_TEST(attrs_of_any_size)
{
	uint32_t size = attr_sizes[_i / 4];
	struct mkperf_options options = {
		.swap = _i & 1, .attr_size = size, .attr_padding = _i & 2 ? 24 : 0};
	struct mkperf *m = mkperf_new(&options);
	struct mkperf_event event = full_event;
	uint64_t flags = event.flags | (uint64_t)(_i % 4) << 15;
	struct perffile *file;

	event.flags = flags;
	mkperf_event(m, &event);
	event.config = 0x99;
	event.ids = ids_two;
	event.nr_ids = 1;
	mkperf_event(m, &event);
	file = recording_open(m);
	ck_assert_uint_eq(perffile_nr_events(file), 2);
	assert_attr(&perffile_event(file, 0)->attr, size, flags);
	ck_assert_uint_eq(perffile_event(file, 0)->nr_ids, 3);
	ck_assert_mem_eq(perffile_event(file, 0)->ids, ids_three, sizeof(ids_three));
	ck_assert_uint_eq(perffile_event(file, 1)->attr.config, 0x99);
	ck_assert_uint_eq(perffile_event(file, 1)->ids[0], 21);
	perffile_close(file);
}
END_TEST

/* perf's names for what the recording leaves unnamed. */
static const struct {
	uint32_t type;
	uint64_t config, flags;
	const char *name;
} unnamed[] = {
	{0, 0, 0, "cycles"},
	{0, 5, 0, "branch-misses"},
	{0, 9, 0, "ref-cycles"},
	{0, 0x400000001, 0, "pmu4/instructions/"}, /* the PMU of a hybrid processor above */
	{1, 0, 0, "cpu-clock"},
	{1, 1, 0, "task-clock"},
	{1, 2, 0, "page-faults"},
	{1, 9, 0, "dummy"},
	{1, 11, 0, "cgroup-switches"},
	{3, 0, 0, "L1-dcache-loads"},
	{3, 0x10000, 0, "L1-dcache-load-misses"},
	{3, 0x00102, 0, "LLC-stores"},
	{3, 0x10005, 0, "branch-load-misses"},
	{4, 0x1a8, 0, "raw 0x1a8"},
	{0, 0, 1 << 5 | 1 << 6, "cycles:u"},
	{0, 0, 1 << 4 | 1 << 6, "cycles:k"},
	{0, 0, 1 << 15, "cycles:p"},
	{0, 0, UINT64_C(2) << 15 | 1 << 5 | 1 << 6, "cycles:upp"},
	{0, 0, 1 << 20, "cycles:H"},
	{0, 0, 1 << 19, "cycles:G"},
};

START_TEST(names_from_attrs)
{
	struct mkperf *m = new_swapped(_i);
	struct perffile *file;

	for (unsigned i = 0; i < sizeof(unnamed) / sizeof(unnamed[0]); i++) {
		struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);

		event.type = unnamed[i].type;
		event.config = unnamed[i].config;
		event.flags = unnamed[i].flags;
		mkperf_event(m, &event);
	}
	file = recording_open(m);
	for (unsigned i = 0; i < sizeof(unnamed) / sizeof(unnamed[0]); i++) {
		ck_assert_str_eq(perffile_event(file, i)->name, unnamed[i].name);
		ck_assert_int_eq(perffile_event(file, i)->dummy,
				 strcmp(unnamed[i].name, "dummy") == 0);
		ck_assert_int_eq(perffile_event(file, i)->is_time,
				 strcmp(unnamed[i].name, "cpu-clock") == 0 ||
					 strcmp(unnamed[i].name, "task-clock") == 0);
	}
	perffile_close(file);
}
END_TEST

/* ---- features ---- */

START_TEST(build_ids)
{
	struct mkperf *m = new_swapped(_i);
	struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);
	const struct named_build_id *table;
	struct perffile *file;

	mkperf_event(m, &event);
	mkperf_build_id(m, PERF_RECORD_MISC_KERNEL, -1, build_id, 20, "[kernel.kallsyms]");
	mkperf_build_id(m, PERF_RECORD_MISC_USER, 0, build_id, 8, "/usr/bin/x");
	/* As older perfs wrote it: no size byte, the id always of 20 bytes. */
	mkperf_feature_begin(m, MKPERF_BUILD_ID);
	mkperf_u32(m, 0);
	mkperf_u16(m, PERF_RECORD_MISC_USER);
	mkperf_u16(m, 36 + 8);
	mkperf_u32(m, 0);
	mkperf_bytes(m, build_id, 20);
	mkperf_bytes(m, "\xff\xff\xff\xff", 4);
	mkperf_string(m, "/old");
	mkperf_feature_end(m);
	mkperf_round(m);
	file = recording_open(m);
	ck_assert_uint_eq(perffile_nr_build_ids(file), 3);
	table = perffile_build_ids(file);
	ck_assert_str_eq(table[0].filename, "[kernel.kallsyms]");
	ck_assert_uint_eq(table[0].misc & CPUMODE_MASK, CPUMODE_KERNEL);
	ck_assert_uint_eq(table[0].id.len, 20);
	ck_assert_str_eq(table[1].filename, "/usr/bin/x");
	ck_assert_uint_eq(table[1].misc & CPUMODE_MASK, CPUMODE_USER);
	ck_assert_uint_eq(table[1].id.len, 8);
	ck_assert_mem_eq(table[1].id.bytes, build_id, 8);
	ck_assert_str_eq(table[2].filename, "/old");
	ck_assert_uint_eq(table[2].id.len, 20);
	ck_assert_mem_eq(table[2].id.bytes, build_id, 20);
	perffile_close(file);
}
END_TEST

/* The table of sections has an entry for each bit, known or not: none may shift the others. */
START_TEST(unknown_features)
{
	static const unsigned bits[] = {1, 9, 13, 40, 63, 64, 130, 255};
	struct mkperf *m = new_swapped(_i);
	struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);
	struct perffile *file;

	event.name = "alpha";
	mkperf_event(m, &event);
	for (unsigned i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		mkperf_feature_begin(m, bits[i]);
		mkperf_bytes(m, NULL, 8 * i);
		mkperf_feature_end(m);
	}
	mkperf_event_desc(m);
	mkperf_build_id(m, PERF_RECORD_MISC_USER, 0, build_id, 20, "/x");
	mkperf_round(m);
	file = recording_open(m);
	ck_assert_str_eq(perffile_event(file, 0)->name, "alpha");
	ck_assert_uint_eq(perffile_nr_build_ids(file), 1);
	perffile_close(file);
}
END_TEST

/* Left by a killed recorder: all its records, names made from the attrs. */
START_TEST(unfinished_file)
{
	struct mkperf_options options = {.swap = _i, .unfinished = true};
	struct mkperf *m = mkperf_new(&options);
	struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);
	struct perffile *file;

	event.name = "alpha";
	mkperf_event(m, &event);
	mkperf_event_desc(m);
	for (unsigned i = 0; i < 10; i++)
		mkperf_sample(m, &(struct mkperf_sample){.time = 100 + i});
	file = recording_open(m);
	ck_assert_str_eq(perffile_event(file, 0)->name, "cpu-clock");
	ck_assert_uint_eq(recording_drain(file), 10);
	ck_assert(perffile_counts(file)->unfinished);
	ck_assert_uint_eq(perffile_counts(file)->missing_bytes, 0);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

/* Killed when it had just begun: header, ids and attrs are there in part. */
START_TEST(unfinished_before_its_events)
{
	enum { HEADER = 104, ATTRS = HEADER + sizeof(ids_one), DATA = ATTRS + 128 + 16 };
	static const size_t lengths[] = {HEADER, ATTRS - 1, ATTRS, ATTRS + 24, DATA - 1, DATA};
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i, .unfinished = true});
	struct mkperf_event event = event_of(COMMON_TYPE, ids_one, 2);
	uint8_t bytes[DATA];
	char expected[200];
	size_t len;

	mkperf_event(m, &event);
	memcpy(bytes, mkperf_finish(m, &len), DATA);
	ck_assert_uint_eq(len, DATA);
	mkperf_free(m);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct error err = {0};

		if (lengths[i] == DATA) /* the same without an attrs section */
			memset(bytes + 24, 0, 16);
		ck_assert_ptr_null(recording_open_bytes(bytes, lengths[i], &err));
		ck_assert_int_eq(err.kind, ERROR_FORMAT);
		snprintf(expected, sizeof(expected),
			 ": was never closed by its recorder, which ended before it had described "
			 "its events: the %zu bytes cannot be read",
			 lengths[i]);
		ck_assert_str_eq(strchr(err.text, ':'), expected);
	}
}
END_TEST

/* A header that describes no events is damaged: the recording was ended well. */
START_TEST(ended_without_events)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i});
	struct mkperf_event event = event_of(COMMON_TYPE, ids_one, 2);
	struct error err = {0};
	uint8_t bytes[4096];
	size_t len;
	const uint8_t *made;

	mkperf_event(m, &event);
	mkperf_sample(m, &(struct mkperf_sample){.time = 100});
	made = mkperf_finish(m, &len);
	ck_assert_uint_le(len, sizeof(bytes));
	memcpy(bytes, made, len);
	mkperf_free(m);
	memset(bytes + 24, 0, 16); /* offset and size of the attrs section */
	ck_assert_ptr_null(recording_open_bytes(bytes, len, &err));
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_str_eq(strchr(err.text, ':'),
			 ": has no descriptions of its events: the header gives them 0 bytes at "
			 "byte 0, expected 144 or more");
}
END_TEST

/* ---- when it ended ---- */

#define IN_2023 UINT64_C(1700000000000000000) /* ns since 1970 */

/* A recording with a sample at @time, of which CLOCK_DATA says what clocks showed (NULL: no). */
static struct mkperf *new_with_clock(uint64_t time, const uint64_t wall_and_clock[2])
{
	struct mkperf *m = mkperf_new(NULL);
	struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);

	mkperf_event(m, &event);
	mkperf_sample(m, &(struct mkperf_sample){.time = time});
	if (!wall_and_clock)
		return m;
	mkperf_feature_begin(m, MKPERF_CLOCK_DATA);
	mkperf_u32(m, 1);
	mkperf_u32(m, 1);
	mkperf_u64(m, wall_and_clock[0]);
	mkperf_u64(m, wall_and_clock[1]);
	mkperf_feature_end(m);
	return m;
}

/* The end of the recording, which is freed and whose file was written 5 ns after IN_2023. */
static int64_t end_of(struct mkperf *m)
{
	const struct timespec times[2] = {{.tv_sec = IN_2023 / NS_PER_SECOND, .tv_nsec = 5},
					  {.tv_sec = IN_2023 / NS_PER_SECOND, .tv_nsec = 5}};
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct error err = {0};
	struct perffile *file;
	int64_t end;

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	ck_assert_int_eq(utimensat(AT_FDCWD, path.text, times, 0), 0);
	file = perffile_open(path.text, &err);
	ck_assert_msg(file, "%s", err.text);
	recording_drain(file);
	end = perffile_end(file);
	perffile_close(file);
	scratch_remove(dir.text);
	return end;
}

START_TEST(nothing_is_recorded_when_the_file_was_written)
{
	ck_assert_int_eq(end_of(new_with_clock(100, NULL)), IN_2023 + 5);
}
END_TEST

/* The clocks were read at the start: 70 ns before the sample. */
START_TEST(nothing_is_recorded_behind_the_last_record)
{
	const uint64_t early[2] = {IN_2023 - 1000, 30}, late[2] = {IN_2023 - 60, 30};

	ck_assert_int_eq(end_of(new_with_clock(100, early)), IN_2023 - 1000 + 70);
	ck_assert_int_eq(end_of(new_with_clock(100, late)), IN_2023 + 5);
}
END_TEST

/* Times before the clocks were read, and one that no clock shows: what they say is not known. */
START_TEST(clocks_that_do_not_fit)
{
	const uint64_t clocks[2] = {IN_2023 - 1000, 101};

	ck_assert_int_eq(end_of(new_with_clock(100, clocks)), IN_2023 + 5);
	ck_assert_int_eq(end_of(new_with_clock((uint64_t)UINT32_MAX << 32, clocks)), IN_2023 + 5);
}
END_TEST

START_TEST(the_end_of_a_pipe_is_not_known)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.pipe = true});
	struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);
	struct error err = {0};
	struct perffile *file;
	const uint8_t *bytes;
	char path[64];
	int ends[2];
	size_t len;

	mkperf_event(m, &event);
	mkperf_sample(m, &(struct mkperf_sample){.time = 100});
	bytes = mkperf_finish(m, &len);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], bytes, len), (ssize_t)len);
	close(ends[1]);
	mkperf_free(m);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	file = perffile_open(path, &err);
	ck_assert_msg(file, "%s", err.text);
	ck_assert_uint_eq(recording_drain(file), 2);
	ck_assert_int_eq(perffile_end(file), INT64_MAX);
	perffile_close(file);
	close(ends[0]);
}
END_TEST

/* ---- two handles, and none ---- */

START_TEST(handles_share_nothing)
{
	struct perffile *files[2];

	for (unsigned i = 0; i < 2; i++) {
		struct mkperf *m = new_swapped((int)i);
		struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);

		event.config = i;
		mkperf_event(m, &event);
		for (unsigned k = 0; k < 5; k++)
			mkperf_sample(m, &(struct mkperf_sample){.ip = 10 * i + k, .time = 9 - k});
		files[i] = recording_open(m);
	}
	for (unsigned k = 0; k < 5; k++) {
		const struct record *first = recording_next(files[0]);
		const struct record *second = recording_next(files[1]);

		ck_assert_uint_eq(first->sample.ip, 4 - k);
		ck_assert_uint_eq(second->sample.ip, 14 - k);
		ck_assert_str_eq(first->event->name, "cpu-clock");
		ck_assert_str_eq(second->event->name, "task-clock");
	}
	perffile_close(files[0]);
	ck_assert_ptr_null(recording_next(files[1]));
	perffile_close(files[1]);
	perffile_close(NULL);
}
END_TEST

START_TEST(end_stays_the_end)
{
	struct mkperf *m = mkperf_new(NULL);
	struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);
	struct perffile *file;

	mkperf_event(m, &event);
	mkperf_sample(m, &(struct mkperf_sample){.time = 1});
	file = recording_open(m);
	ck_assert_ptr_nonnull(recording_next(file));
	for (unsigned i = 0; i < 3; i++)
		ck_assert_ptr_null(recording_next(file));
	perffile_close(file);
}
END_TEST

/* Recordings that are left half-read give everything back. */
START_TEST(closed_early)
{
	for (unsigned stop = 0; stop < 40; stop += 3) {
		struct mkperf *m = mkperf_new(NULL);
		struct mkperf_event event = event_of(COMMON_TYPE, NULL, 0);
		struct perffile *file;

		mkperf_event(m, &event);
		for (unsigned i = 0; i < 40; i++) {
			mkperf_sample(m, &(struct mkperf_sample){.time = 1 + i * 7 % 40});
			if (i % 10 == 9)
				mkperf_round(m);
		}
		file = recording_open(m);
		for (unsigned i = 0; i < stop; i++)
			ck_assert_ptr_nonnull(recording_next(file));
		perffile_close(file);
	}
}
END_TEST

/* ---- names of types ---- */

START_TEST(type_names)
{
	ck_assert_str_eq(record_type_name(RECORD_MMAP), "MMAP");
	ck_assert_str_eq(record_type_name(RECORD_MMAP2), "MMAP2");
	ck_assert_str_eq(record_type_name(RECORD_FINISHED_ROUND), "FINISHED_ROUND");
	ck_assert_str_eq(record_type_name(22), "CALLCHAIN_DEFERRED");
	ck_assert_ptr_null(record_type_name(0));
	ck_assert_ptr_null(record_type_name(23));
	ck_assert_ptr_null(record_type_name(63));
	ck_assert_ptr_null(record_type_name(87));
	ck_assert_ptr_null(record_type_name(UINT32_MAX));
	for (uint32_t type = 0; type < RECORD_NAMED_MAX; type++)
		ck_assert((record_type_name(type) != NULL) ==
			  ((type >= 1 && type <= 22) || type >= 64));
}
END_TEST

static TCase *record_tests(void)
{
	TCase *tcase = tcase_create("records");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, every_record_type, 0, 4);
	tcase_add_loop_test(tcase, synthesized_records, 0, 2);
	tcase_add_loop_test(tcase, synthesized_without_trailer, 0, 4);
	tcase_add_loop_test(tcase, synthesized_without_trailer_of_several, 0, 2);
	tcase_add_loop_test(tcase, unfinished_file, 0, 2);
	tcase_add_loop_test(tcase, unfinished_before_its_events, 0, 2);
	tcase_add_loop_test(tcase, ended_without_events, 0, 2);
	tcase_add_test(tcase, nothing_is_recorded_when_the_file_was_written);
	tcase_add_test(tcase, nothing_is_recorded_behind_the_last_record);
	tcase_add_test(tcase, clocks_that_do_not_fit);
	tcase_add_test(tcase, the_end_of_a_pipe_is_not_known);
	tcase_add_test(tcase, handles_share_nothing);
	tcase_add_test(tcase, end_stays_the_end);
	tcase_add_test(tcase, closed_early);
	tcase_add_test(tcase, type_names);
	return tcase;
}

static TCase *event_tests(void)
{
	TCase *tcase = tcase_create("events");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, events_by_id, 0, 2 * NR_TYPES_OF_EVENTS);
	tcase_add_loop_test(tcase, events_by_many_ids, 0, 2);
	tcase_add_loop_test(tcase, events_with_their_names, 0, 2);
	tcase_add_loop_test(tcase, unknown_ids, 0, 4);
	tcase_add_loop_test(tcase, sample_id_all_off, 0, 2);
	tcase_add_loop_test(tcase, one_event_without_ids, 0, 2);
	tcase_add_loop_test(tcase, attrs_of_any_size, 0, 4 * NR_ATTR_SIZES);
	tcase_add_loop_test(tcase, names_from_attrs, 0, 2);
	tcase_add_loop_test(tcase, build_ids, 0, 2);
	tcase_add_loop_test(tcase, unknown_features, 0, 2);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("perffile");

	suite_add_tcase(suite, record_tests());
	suite_add_tcase(suite, event_tests());
	return suite_run(suite);
}
