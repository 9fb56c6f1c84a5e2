/*
 * Samples of every sample_type: each of the 2048 combinations of the fields up to the call chain,
 * in both byte orders, with the later fields behind them; and the trailers of the same types.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

/* Bits 0-9 and 16. */
enum { NR_TYPES = 1 << 11, NR_SAMPLES = 3, NR_IPS = 4 };

static uint64_t type_of(unsigned number)
{
	return (number & 0x3ff) | (number & 0x400 ? PERF_SAMPLE_IDENTIFIER : 0);
}

/* Behind the call chain; the later combinations add them in turn. */
static const uint64_t later_types[] = {
	0,
	PERF_SAMPLE_RAW,
	PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT,
	PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
		PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
		PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | 1 << 20 |
		1 << 21 | 1 << 22 | 1 << 23,
};

enum { NR_LATER = sizeof(later_types) / sizeof(later_types[0]) };

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

struct values {
	struct mkperf_sample sample;
	uint64_t ips[NR_IPS], read[8];
};

static const struct mkperf_branch branches[] = {{1, 2, 3}, {4, 5, 6}};
static const uint64_t regs[64] = {9, 8, 7};

/* Random values in all fields, time and id apart: they find the record. */
static void make_values(struct values *values, uint64_t *random, unsigned number)
{
	struct mkperf_sample *sample = &values->sample;

	*sample = (struct mkperf_sample){
		.misc = (uint16_t)(number % 6),
		.pid = (uint32_t)next_random(random),
		.tid = (uint32_t)next_random(random),
		.cpu = (uint32_t)next_random(random),
		.ip = next_random(random),
		.time = 1000 + number,
		.addr = next_random(random),
		.stream_id = next_random(random),
		.period = next_random(random),
		.ips = values->ips,
		.nr_ips = number % (NR_IPS + 1),
		.raw = "raw bytes...",
		.raw_size = 12,
		.branches = branches,
		.nr_branches = 2,
		.regs_user_abi = 2,
		.regs_intr_abi = number % 3,
		.regs_user = regs,
		.regs_intr = regs,
		.stack = "sixteen bytes...",
		.stack_size = 16,
		.stack_dyn_size = 3,
		.aux = "8 bytes.",
		.aux_size = 8,
	};
	for (unsigned i = 0; i < NR_IPS; i++)
		values->ips[i] = next_random(random);
}

static void assert_callchain(const struct record *rec, const struct mkperf_sample *want)
{
	const struct span *ips = &rec->sample.callchain.ips;
	size_t nr = rec->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN ? want->nr_ips : 0;
	bool same = true;

	ck_assert_uint_eq(span_left(ips), 8 * nr);
	for (size_t i = 0; i < nr; i++)
		same = same && recording_ip(&rec->sample, i) == want->ips[i];
	ck_assert(same);
}

/* Gathered in one assertion: there are many samples, and each assertion writes to a file. */
static bool same_fields(const struct record *rec, const struct mkperf_sample *want)
{
	uint64_t type = rec->event->attr.sample_type;
	const struct record_sample *sample = &rec->sample;
	unsigned has = 0;

	has |= type & PERF_SAMPLE_TID ? HAS_PID | HAS_TID : 0;
	has |= type & PERF_SAMPLE_TIME ? HAS_TIME : 0;
	has |= type & PERF_SAMPLE_CPU ? HAS_CPU : 0;
	return rec->has == has && rec->misc == want->misc &&
	       (!(has & HAS_PID) || (rec->pid == want->pid && rec->tid == want->tid)) &&
	       (!(has & HAS_TIME) || rec->time == want->time) &&
	       (!(has & HAS_CPU) || rec->cpu == want->cpu) &&
	       sample->ip == (type & PERF_SAMPLE_IP ? want->ip : 0) &&
	       sample->addr == (type & PERF_SAMPLE_ADDR ? want->addr : 0) &&
	       sample->id == (type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? 77 : 0) &&
	       sample->stream_id == (type & PERF_SAMPLE_STREAM_ID ? want->stream_id : 0) &&
	       sample->period == (type & PERF_SAMPLE_PERIOD ? want->period : 4321);
}

static const uint64_t one_id[] = {77};

static struct mkperf_event event_of(uint64_t sample_type)
{
	return (struct mkperf_event){
		.sample_type = sample_type,
		.sample_period = 4321,
		.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
		.sample_regs_user = 0xf0f0,
		.sample_regs_intr = 3,
		.ids = one_id,
		.nr_ids = 1,
	};
}

static void check_type(uint64_t sample_type, bool swap, uint64_t *random)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap});
	struct mkperf_event event = event_of(sample_type);
	struct values values[NR_SAMPLES];
	struct perffile *file;

	mkperf_event(m, &event);
	for (unsigned i = 0; i < NR_SAMPLES; i++) {
		make_values(&values[i], random, i + (unsigned)next_random(random) % 5 * NR_SAMPLES);
		values[i].sample.time = 1000 + i;
		mkperf_sample(m, &values[i].sample);
	}
	file = recording_open(m);
	for (unsigned i = 0; i < NR_SAMPLES; i++) {
		const struct record *rec = recording_next(file);

		ck_assert_msg(rec && same_fields(rec, &values[i].sample),
			      "sample_type %#llx, sample %u", (unsigned long long)sample_type, i);
		assert_callchain(rec, &values[i].sample);
	}
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	perffile_close(file);
}

/* _i: a sixteenth of the combinations. */
START_TEST(every_combination)
{
	uint64_t random = (uint64_t)_i * 2 + 1;

	for (unsigned number = (unsigned)_i; number < NR_TYPES; number += 16) {
		uint64_t later = later_types[number / 16 % NR_LATER];

		check_type(type_of(number) | later, number / 16 % 2, &random);
		check_type(type_of(number), number / 16 % 2 == 0, &random);
	}
}
END_TEST

/* Each read_format, with the group sizes 0, 1 and 3; what stands behind must be found. */
START_TEST(every_read_format)
{
	uint64_t format = (uint64_t)_i % 32, words[32] = {0};
	size_t group = (size_t)_i / 32, nr = 0, per_value;
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i & 1});
	struct mkperf_event event =
		event_of(PERF_SAMPLE_IP | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN);
	struct mkperf_sample sample = {.ip = 5, .ips = regs, .nr_ips = 3, .read = words};
	const struct record *rec;
	struct perffile *file;

	event.read_format = format;
	per_value = 1 + (format >> 2 & 1) + (format >> 4 & 1);
	if (format & PERF_FORMAT_GROUP)
		words[nr++] = group == 2 ? 3 : group;
	nr += (format & 1) + (format >> 1 & 1);
	nr += per_value * (format & PERF_FORMAT_GROUP ? words[0] : 1);
	sample.nr_read = nr;
	mkperf_event(m, &event);
	mkperf_sample(m, &sample);
	sample.read = NULL; /* the writer's own: a group of one */
	mkperf_sample(m, &sample);
	file = recording_open(m);
	for (int i = 0; i < 2; i++) {
		rec = recording_next(file);
		ck_assert_ptr_nonnull(rec);
		ck_assert_uint_eq(rec->sample.ip, 5);
		ck_assert_uint_eq(span_left(&rec->sample.callchain.ips), 24);
		ck_assert_uint_eq(recording_ip(&rec->sample, 2), 7);
	}
	ck_assert_ptr_null(recording_next(file));
	perffile_close(file);
}
END_TEST

/* The trailer of each of the 64 combinations of its fields. */
START_TEST(every_trailer)
{
	static const uint64_t bits[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
					PERF_SAMPLE_ID,	 PERF_SAMPLE_STREAM_ID,
					PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};

	for (unsigned number = 0; number < 64; number++) {
		struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i});
		struct mkperf_id at = {.pid = 1, .tid = 2, .cpu = 3, .time = 4, .stream_id = 5};
		uint64_t type = PERF_SAMPLE_IP;
		struct mkperf_event event;
		struct perffile *file;
		const struct record *rec;

		for (unsigned i = 0; i < 6; i++)
			type |= number >> i & 1 ? bits[i] : 0;
		event = event_of(type);
		mkperf_event(m, &event);
		mkperf_lost(m, &at, 8, 9);
		file = recording_open(m);
		rec = recording_next(file);
		ck_assert_ptr_nonnull(rec);
		ck_assert_uint_eq(rec->lost.lost, 9);
		ck_assert_ptr_eq(rec->event, perffile_event(file, 0));
		ck_assert_uint_eq(rec->has, (number & 1 ? HAS_PID | HAS_TID : 0u) |
						    (number & 2 ? HAS_TIME : 0u) |
						    (number & 16 ? HAS_CPU : 0u));
		if (rec->has & HAS_PID)
			ck_assert(rec->pid == 1 && rec->tid == 2);
		if (rec->has & HAS_TIME)
			ck_assert_uint_eq(rec->time, 4);
		if (rec->has & HAS_CPU)
			ck_assert_uint_eq(rec->cpu, 3);
		perffile_close(file);
	}
}
END_TEST

/*
 * The kernel leaves out hw_idx where the processor recorded no branches. Read with it, the sample
 * ends at its end as well, but the size of the stack is the ABI of registers then, which has no
 * such number.
 */
START_TEST(no_branches_and_no_hw_idx)
{
	enum { NO_REGS = 0, CGROUP = 5 };
	/* nr; abi; size, stack, bytes of it that are valid; cgroup */
	static const uint64_t body[] = {0, NO_REGS, 8, 0x1122, 0, CGROUP};
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i});
	struct mkperf_event event = event_of(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
					     PERF_SAMPLE_STACK_USER | PERF_SAMPLE_CGROUP);
	const struct sample_extra *extra;
	const struct record *rec;
	struct perffile *file;

	event.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX;
	event.sample_regs_user = 1;
	event.sample_stack_user = 8;
	mkperf_event(m, &event);
	mkperf_begin(m, PERF_RECORD_SAMPLE, 0);
	for (size_t i = 0; i < sizeof(body) / sizeof(body[0]); i++)
		mkperf_u64(m, body[i]);
	mkperf_end(m);
	file = recording_open(m);
	rec = recording_next(file);
	ck_assert_ptr_nonnull(rec);
	extra = &rec->sample.extra;
	ck_assert_uint_eq(extra->branches.nr, 0);
	ck_assert_uint_eq(extra->branches.hw_idx, UINT64_MAX);
	ck_assert_uint_eq(extra->regs_user.abi, NO_REGS);
	ck_assert_uint_eq(span_left(&extra->regs_user.values), 0);
	ck_assert_uint_eq(extra->cgroup, CGROUP);
	perffile_close(file);
}
END_TEST

/* A sample cut at each length is damaged up to the end of its last field. */
START_TEST(cut_samples)
{
	struct mkperf_event event = event_of(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD |
					     PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PHYS_ADDR);
	enum { WHOLE = 8 + 8 + 8 + 8 + 2 * 8 + 8 };

	for (size_t len = 0; len <= WHOLE + 8; len++) {
		struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i});
		uint64_t body[WHOLE / 8 + 1] = {1, 2, 3, 2, 5, 6, 7};
		struct perffile *file;

		if (_i)
			body[3] = __builtin_bswap64(body[3]);
		mkperf_event(m, &event);
		mkperf_record(m, PERF_RECORD_SAMPLE, 0, body, len);
		file = recording_open(m);
		ck_assert_uint_eq(recording_drain(file), len >= WHOLE);
		ck_assert_uint_eq(perffile_counts(file)->damaged, len < WHOLE);
		ck_assert_uint_eq(perffile_counts(file)->damages[DAMAGE_ID].records, 0);
		perffile_close(file);
	}
}
END_TEST

/* Counts that no record can hold: of the chain's words, of a group's values. */
START_TEST(counts_too_big)
{
	static const uint64_t counts[] = {
		3, 4, UINT64_C(1) << 61, (UINT64_C(1) << 61) + 2, UINT64_MAX, UINT64_C(1) << 32};
	struct mkperf *m = mkperf_new(NULL);
	struct mkperf_event event = event_of(_i ? PERF_SAMPLE_READ : PERF_SAMPLE_CALLCHAIN);
	struct perffile *file;

	event.read_format = PERF_FORMAT_GROUP;
	mkperf_event(m, &event);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint64_t body[3] = {counts[i], 5, 6};

		mkperf_record(m, PERF_RECORD_SAMPLE, 0, body, sizeof(body));
	}
	file = recording_open(m);
	ck_assert_uint_eq(recording_drain(file), 0);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 6);
	perffile_close(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sample");
	TCase *tcase = tcase_create("sample");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, every_combination, 0, 16);
	tcase_add_loop_test(tcase, every_read_format, 0, 96);
	tcase_add_loop_test(tcase, every_trailer, 0, 2);
	tcase_add_loop_test(tcase, no_branches_and_no_hw_idx, 0, 2);
	tcase_add_loop_test(tcase, cut_samples, 0, 2);
	tcase_add_loop_test(tcase, counts_too_big, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
