/*
 * Events that a pipe's recording describes behind its samples, as perf record --tail-synthesize
 * writes it: what they say is known before the first sample.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	RECORD_HEADER = 8,
	NR_SAMPLES = 20000, /* more than is looked at at once */
	SAMPLE_BYTES = 32,
	TRACE_BYTES = 48,
};

/* A recording, and where it begins to describe its events. */
struct late {
	uint8_t *bytes;
	size_t len, description;
};

/* Two events, of which the second has a name. */
static struct mkperf *new_recording(bool swap, uint32_t packing)
{
	const uint64_t ids[] = {7, 8};
	const struct mkperf_options options = {
		.swap = swap, .pipe = true, .late = true, .packing = {.type = packing}};
	struct mkperf *m = mkperf_new(&options);
	struct mkperf_event event = {
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
		.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
		.ids = &ids[0],
		.nr_ids = 1,
	};

	mkperf_event(m, &event);
	event.ids = &ids[1];
	event.name = "late";
	mkperf_event(m, &event);
	return m;
}

static void put_samples(struct mkperf *m)
{
	for (unsigned i = 0; i < NR_SAMPLES; i++)
		mkperf_sample(m,
			      &(struct mkperf_sample){.event = i % 2, .ip = i, .time = 1000 + i});
}

/* What @m writes; it is freed. */
static struct late finish(struct mkperf *m)
{
	struct late late = {.description = (size_t)mkperf_offset(m)};
	const uint8_t *bytes = mkperf_finish(m, &late.len);

	ck_assert_ptr_nonnull(bytes);
	late.bytes = malloc(late.len);
	ck_assert_ptr_nonnull(late.bytes);
	memcpy(late.bytes, bytes, late.len);
	mkperf_free(m);
	return late;
}

static struct perffile *open_late(const struct late *late)
{
	struct error err = {0};
	struct perffile *file = recording_open_bytes(late->bytes, late->len, &err);

	ck_assert_msg(file, "%s", err.text);
	return file;
}

static const struct record *next_sample(struct perffile *file)
{
	const struct record *rec;

	do
		rec = recording_next(file);
	while (rec && rec->type != RECORD_SAMPLE);
	return rec;
}

static unsigned count_samples(struct perffile *file)
{
	unsigned nr = 0;

	while (next_sample(file))
		nr++;
	return nr;
}

/* All samples come, of the events that they are of, and nothing is amiss. */
static void assert_samples(struct perffile *file)
{
	for (unsigned i = 0; i < NR_SAMPLES; i++) {
		const struct record *rec = next_sample(file);

		ck_assert_msg(rec && rec->sample.ip == i && rec->event->number == i % 2,
			      "sample %u", i);
		if (i % 2)
			ck_assert_str_eq(rec->event->name, "late");
	}
	(void)recording_drain(file);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	ck_assert_uint_eq(perffile_nr_events(file), 2);
}

/* As assert_samples(), of what @m writes; it is freed. */
static void check_samples(struct mkperf *m)
{
	struct late late = finish(m);
	struct perffile *file = open_late(&late);

	assert_samples(file);
	perffile_close(file);
	free(late.bytes);
}

static uint64_t damaged_bytes(const struct perffile *file)
{
	uint64_t sum = 0;

	for (unsigned cause = 0; cause < NR_DAMAGES; cause++)
		sum += perffile_counts(file)->damages[cause].bytes;
	return sum;
}

START_TEST(samples_come_first)
{
	struct mkperf *m = new_recording(_i & 1, _i & 2 ? MKPERF_RECORD_COMPRESSED : 0);

	if (_i & 4)
		mkperf_round(m);
	put_samples(m);
	check_samples(m);
}
END_TEST

static void put_trace(struct mkperf *m, uint64_t size)
{
	mkperf_begin(m, MKPERF_RECORD_AUXTRACE, 0);
	mkperf_u64(m, size);
	mkperf_bytes(m, NULL, TRACE_BYTES - RECORD_HEADER - sizeof(uint64_t));
	mkperf_end(m);
}

/* The bytes behind a record are no records, whatever they look like. */
START_TEST(data_is_passed_over)
{
	uint8_t payload[4096] = {MKPERF_RECORD_ATTR, 0, 0, 0, 0, 0, 8, 0};
	struct mkperf *m = new_recording(_i, 0);

	mkperf_comm(m, NULL, 0, 1, 1, "first");
	put_trace(m, sizeof(payload));
	mkperf_payload(m, payload, sizeof(payload));
	put_samples(m);
	check_samples(m);
}
END_TEST

/* Data that would go beyond the end is none: records follow at once. */
START_TEST(data_beyond_the_end)
{
	static const uint64_t sizes[] = {1ull << 40, INT64_MAX - 99, 1ull << 63, UINT64_MAX};
	struct mkperf *m = new_recording(false, 0);
	struct perffile *file;
	struct late late;

	mkperf_comm(m, NULL, 0, 1, 1, "first");
	put_trace(m, sizes[_i]);
	for (unsigned i = 0; i < 4; i++)
		mkperf_sample(m, &(struct mkperf_sample){.ip = i, .time = i + 1});
	late = finish(m);
	file = open_late(&late);
	ck_assert_uint_eq(count_samples(file), 4);
	ck_assert_uint_eq(perffile_nr_events(file), 2);
	ck_assert_uint_eq(perffile_counts(file)->damages[DAMAGE_PAYLOAD].records, 1);
	perffile_close(file);
	free(late.bytes);
}
END_TEST

/* perf 4.14 writes what it says of the machine first. */
START_TEST(features_before_events)
{
	struct mkperf *m = new_recording(_i, 0);
	struct perffile *file;
	struct late late;

	put_samples(m);
	mkperf_begin(m, MKPERF_RECORD_FEATURE, 0);
	mkperf_u64(m, MKPERF_HOSTNAME);
	mkperf_u32(m, 64);
	mkperf_bytes(m, "vm", 2);
	mkperf_bytes(m, NULL, 62);
	mkperf_bytes(m, NULL, 4);
	mkperf_end(m);
	late = finish(m);
	file = open_late(&late);
	assert_samples(file);
	ck_assert_str_eq(perffile_hostname(file), "vm");
	perffile_close(file);
	free(late.bytes);
}
END_TEST

START_TEST(from_a_pipe)
{
	struct mkperf *m = new_recording(false, 0);
	struct error err = {0};
	struct perffile *file;
	struct late late;
	char path[64];
	int ends[2];

	for (unsigned i = 0; i < 3; i++)
		mkperf_sample(m, &(struct mkperf_sample){.event = 1, .ip = i, .time = 9 - i});
	late = finish(m);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], late.bytes, late.len), (ssize_t)late.len);
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	file = perffile_open(path, &err);
	ck_assert_msg(file, "%s", err.text);
	for (unsigned i = 3; i-- > 0;)
		ck_assert_uint_eq(next_sample(file)->sample.ip, i);
	(void)recording_drain(file);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	perffile_close(file);
	close(ends[0]);
	free(late.bytes);
}
END_TEST

/* Nothing says what the samples are: each of them is damaged, as far as one can tell. */
START_TEST(no_description_at_all)
{
	struct mkperf *m = new_recording(false, 0);
	struct perffile *file;
	struct late late;

	mkperf_comm(m, NULL, 0, 1, 1, "first");
	for (unsigned i = 0; i < 5; i++)
		mkperf_sample(m, &(struct mkperf_sample){.ip = i, .time = i + 1});
	late = finish(m);
	late.len = late.description;
	file = open_late(&late);
	ck_assert_uint_eq(recording_drain(file), 1);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 5);
	ck_assert_uint_eq(damaged_bytes(file), 5 * SAMPLE_BYTES);
	perffile_close(file);
	free(late.bytes);
}
END_TEST

/* A description that is cut off is none; what is before it is read with those that are whole. */
START_TEST(cut_anywhere)
{
	struct mkperf *m = new_recording(false, 0);
	struct late late;

	for (unsigned i = 0; i < 4; i++)
		mkperf_sample(m, &(struct mkperf_sample){.ip = i, .time = i + 1});
	late = finish(m);
	for (size_t len = late.len - 1; len >= late.description; len--) {
		const struct late cut = {late.bytes, len, late.description};
		/* two attrs of 128 bytes with an id, then a name */
		const unsigned whole = (unsigned)((len - late.description) / (8 + 128 + 8));
		struct perffile *file = open_late(&cut);

		ck_assert_uint_eq(count_samples(file), whole ? 4 : 0);
		ck_assert_uint_eq(perffile_nr_events(file), whole);
		perffile_close(file);
	}
	free(late.bytes);
}
END_TEST

/* One of two descriptions has a size that cannot be: it is counted once, the other one is used. */
START_TEST(damaged_description)
{
	const uint32_t wrong = 4096;
	struct mkperf *m = new_recording(false, 0);
	struct perffile *file;
	struct late late;

	for (unsigned i = 0; i < 4; i++)
		mkperf_sample(m, &(struct mkperf_sample){.event = 1, .ip = i, .time = i + 1});
	late = finish(m);
	memcpy(late.bytes + late.description + RECORD_HEADER + 4, &wrong, sizeof(wrong));
	file = open_late(&late);
	ck_assert_uint_eq(count_samples(file), 4);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 1);
	ck_assert_uint_eq(perffile_nr_events(file), 1);
	perffile_close(file);
	free(late.bytes);
}
END_TEST

/* A size that leads nowhere ends the search: what is before it cannot be told from damage. */
START_TEST(damage_before_the_description)
{
	struct mkperf *m = new_recording(false, 0);
	struct perffile *file;
	struct late late;

	for (unsigned i = 0; i < 5; i++)
		mkperf_sample(m, &(struct mkperf_sample){.ip = i, .time = i + 1});
	late = finish(m);
	memset(late.bytes + late.description - SAMPLE_BYTES + 6, 0, 2);
	file = open_late(&late);
	ck_assert_uint_eq(count_samples(file), 0);
	ck_assert_uint_eq(damaged_bytes(file), 5 * SAMPLE_BYTES);
	ck_assert_uint_eq(perffile_nr_events(file), 2);
	perffile_close(file);
	free(late.bytes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lateevents");
	TCase *tcase = tcase_create("lateevents");

	tcase_add_loop_test(tcase, samples_come_first, 0, 8);
	tcase_add_loop_test(tcase, data_is_passed_over, 0, 2);
	tcase_add_loop_test(tcase, data_beyond_the_end, 0, 4);
	tcase_add_loop_test(tcase, features_before_events, 0, 2);
	tcase_add_test(tcase, from_a_pipe);
	tcase_add_test(tcase, no_description_at_all);
	tcase_add_test(tcase, cut_anywhere);
	tcase_add_test(tcase, damaged_description);
	tcase_add_test(tcase, damage_before_the_description);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
