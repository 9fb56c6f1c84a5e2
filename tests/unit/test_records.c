/*
 * The records that test_perffile.c leaves: the kernel's rarer ones with their trailers, perf's own,
 * each with its exact values in both byte orders.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <string.h>

static const uint64_t ids[] = {11};
static const struct mkperf_id at = {.pid = 7, .tid = 8, .cpu = 3, .time = 1000};

static struct mkperf *new_recording(int swap)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap & 1});

	mkperf_event(m, &(struct mkperf_event){
				.type = PERF_TYPE_SOFTWARE,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
				.read_format = PERF_FORMAT_ID,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.ids = ids,
				.nr_ids = 1,
			});
	return m;
}

static void put_words(struct mkperf *m, size_t nr, const uint64_t *words)
{
	for (size_t i = 0; i < nr; i++)
		mkperf_u64(m, words[i]);
}

#define PUT_WORDS(m, ...) \
	put_words(m, sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})

/* A recording whose record of @type is begun. */
static struct mkperf *new_record(int swap, uint32_t type)
{
	struct mkperf *m = new_recording(swap);

	mkperf_begin(m, type, 0);
	return m;
}

static void close_only(struct perffile *file)
{
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
}

/* The last record's file. It stands at file scope as Check passes nothing to a teardown. */
static struct perffile *opened;

static void close_opened(void)
{
	if (opened)
		close_only(opened);
	opened = NULL;
}

/* Ends the only record of the file and reads it; it lives until the next call. */
static const struct record *only_record(struct mkperf *m)
{
	const struct record *rec;

	close_opened();
	mkperf_end(m);
	opened = recording_open(m);
	rec = recording_next(opened);
	ck_assert_msg(rec, "damaged %d", (int)perffile_counts(opened)->damaged);
	return rec;
}

/* Likewise with the kernel's trailer; @pid and @tid are the body's, where it has its own. */
static const struct record *kernel_record(struct mkperf *m, uint32_t type, uint32_t pid,
					  uint32_t tid)
{
	const struct record *rec;

	mkperf_trailer(m, &at);
	rec = only_record(m);
	ck_assert_uint_eq(rec->type, type);
	ck_assert_uint_eq(rec->has, HAS_PID | HAS_TID | HAS_TIME | HAS_CPU);
	ck_assert_uint_eq(rec->pid, pid);
	ck_assert_uint_eq(rec->tid, tid);
	ck_assert_uint_eq(rec->time, 1000);
	ck_assert_uint_eq(rec->cpu, 3);
	return rec;
}

static void assert_words(struct span s, size_t nr, const uint64_t *words)
{
	ck_assert_uint_eq(span_left(&s), 8 * nr);
	for (size_t i = 0; i < nr; i++)
		ck_assert_uint_eq(span_u64(&s), words[i]);
}

#define ASSERT_WORDS(s, ...) \
	assert_words(s, sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})

/* ---- the kernel's ---- */

START_TEST(read_and_itrace_start)
{
	static const uint32_t types[] = {RECORD_READ, RECORD_ITRACE_START};

	for (unsigned i = 0; i < 2; i++) {
		struct mkperf *m = new_record(_i, types[i]);

		mkperf_u32(m, 100);
		mkperf_u32(m, 101);
		if (i == 0)
			PUT_WORDS(m, 99, 11);
		kernel_record(m, types[i], 100, 101);
	}
}
END_TEST

START_TEST(aux)
{
	struct mkperf *m = new_record(_i, RECORD_AUX);
	const struct record *rec;

	PUT_WORDS(m, 0x1000, 0x2345, 5);
	rec = kernel_record(m, RECORD_AUX, 7, 8);
	ck_assert(rec->aux.offset == 0x1000 && rec->aux.len == 0x2345 && rec->aux.flags == 5);
}
END_TEST

START_TEST(switches)
{
	struct mkperf *m = new_recording(_i);
	const struct record *rec;

	mkperf_begin(m, RECORD_SWITCH, MISC_SWITCH_OUT | MISC_SWITCH_PREEMPT);
	rec = kernel_record(m, RECORD_SWITCH, 7, 8);
	ck_assert_uint_eq(rec->misc, MISC_SWITCH_OUT | MISC_SWITCH_PREEMPT);
	m = new_record(_i, RECORD_SWITCH_CPU_WIDE);
	mkperf_u32(m, 300);
	mkperf_u32(m, 301);
	rec = kernel_record(m, RECORD_SWITCH_CPU_WIDE, 7, 8);
	ck_assert(rec->cpu_switch.next_prev_pid == 300 && rec->cpu_switch.next_prev_tid == 301);
}
END_TEST

START_TEST(namespaces)
{
	struct mkperf *m = new_record(_i, RECORD_NAMESPACES);
	const struct record *rec;

	mkperf_u32(m, 100);
	mkperf_u32(m, 101);
	PUT_WORDS(m, 2, 3, 0xf0000001, 3, 0xf0000002);
	rec = kernel_record(m, RECORD_NAMESPACES, 100, 101);
	ck_assert_uint_eq(rec->namespaces.nr, 2);
	ASSERT_WORDS(rec->namespaces.entries, 3, 0xf0000001, 3, 0xf0000002);
}
END_TEST

START_TEST(ksymbol)
{
	struct mkperf *m = new_record(_i, RECORD_KSYMBOL);
	const struct record *rec;

	mkperf_u64(m, 0xffffffffc0001000);
	mkperf_u32(m, 0x123);
	mkperf_u16(m, 1);
	mkperf_u16(m, 1);
	mkperf_string(m, "bpf_prog_6deef7357e7b4530");
	rec = kernel_record(m, RECORD_KSYMBOL, 7, 8);
	ck_assert(rec->ksymbol.addr == 0xffffffffc0001000 && rec->ksymbol.len == 0x123 &&
		  rec->ksymbol.type == 1 && rec->ksymbol.flags == 1);
	ck_assert_str_eq(rec->ksymbol.name, "bpf_prog_6deef7357e7b4530");
	ck_assert_uint_eq(rec->ksymbol.name_len, 25);
}
END_TEST

START_TEST(bpf_event)
{
	struct mkperf *m = new_record(_i, RECORD_BPF_EVENT);
	const struct record *rec;

	mkperf_u16(m, 2);
	mkperf_u16(m, 9);
	mkperf_u32(m, 77);
	mkperf_bytes(m, "\1\2\3\4\5\6\7\x8", 8);
	rec = kernel_record(m, RECORD_BPF_EVENT, 7, 8);
	ck_assert(rec->bpf_event.type == 2 && rec->bpf_event.flags == 9 && rec->bpf_event.id == 77);
	ck_assert_mem_eq(rec->bpf_event.tag, "\1\2\3\4\5\6\7\x8", 8);
}
END_TEST

START_TEST(cgroup)
{
	struct mkperf *m = new_record(_i, RECORD_CGROUP);
	const struct record *rec;

	mkperf_u64(m, 12345);
	mkperf_string(m, "/system.slice");
	rec = kernel_record(m, RECORD_CGROUP, 7, 8);
	ck_assert_uint_eq(rec->cgroup.id, 12345);
	ck_assert_str_eq(rec->cgroup.path, "/system.slice");
	ck_assert_uint_eq(rec->cgroup.path_len, 13);
}
END_TEST

START_TEST(text_poke)
{
	struct mkperf *m = new_record(_i, RECORD_TEXT_POKE);
	const struct record *rec;

	mkperf_u64(m, 0xffffffff81000005);
	mkperf_u16(m, 5);
	mkperf_u16(m, 2);
	mkperf_bytes(m, "\x0f\x1f\x44\0\0\xeb\x05", 7);
	mkperf_bytes(m, NULL, 5); /* to whole words */
	rec = kernel_record(m, RECORD_TEXT_POKE, 7, 8);
	ck_assert_uint_eq(rec->text_poke.addr, 0xffffffff81000005);
	ck_assert_uint_eq(span_left(&rec->text_poke.old_bytes), 5);
	ck_assert_mem_eq(rec->text_poke.old_bytes.pos, "\x0f\x1f\x44\0\0", 5);
	ck_assert_uint_eq(span_left(&rec->text_poke.new_bytes), 2);
	ck_assert_mem_eq(rec->text_poke.new_bytes.pos, "\xeb\x05", 2);
}
END_TEST

START_TEST(aux_output_hw_id)
{
	struct mkperf *m = new_record(_i, RECORD_AUX_OUTPUT_HW_ID);
	const struct record *rec;

	mkperf_u64(m, 0xabcdef0123456789);
	rec = kernel_record(m, RECORD_AUX_OUTPUT_HW_ID, 7, 8);
	ck_assert_uint_eq(rec->hw_id, 0xabcdef0123456789);
}
END_TEST

START_TEST(callchain_deferred)
{
	struct mkperf *m = new_record(_i, RECORD_CALLCHAIN_DEFERRED);
	const struct record *rec;

	PUT_WORDS(m, 0xc00c1e, 3, 0x401000, 0x402000, 0x403000);
	rec = kernel_record(m, RECORD_CALLCHAIN_DEFERRED, 7, 8);
	ck_assert_uint_eq(rec->deferred.cookie, 0xc00c1e);
	ASSERT_WORDS(rec->deferred.ips, 0x401000, 0x402000, 0x403000);
}
END_TEST

/* ---- perf's own ---- */

START_TEST(lists_of_entries)
{
	static const uint64_t lists[][9] = {
		{2, 11, 0, 0, 100, 12, 1, 1, 101}, /* ID_INDEX: id, index, cpu, tid */
		{1, 42, 0x6161616161616161, 0},	   /* THREAD_MAP: pid, comm[16] */
		{3, 0, 1, 1, 1000, 2, 1},	   /* STAT_CONFIG: tag, value */
	};
	static const uint32_t types[] = {RECORD_ID_INDEX, RECORD_THREAD_MAP, RECORD_STAT_CONFIG};
	static const size_t nr_words[] = {9, 4, 7};

	for (unsigned i = 0; i < 3; i++) {
		struct mkperf *m = new_record(_i, types[i]);
		const struct record *rec;

		put_words(m, nr_words[i], lists[i]);
		rec = only_record(m);
		ck_assert(rec->type == types[i] && rec->has == 0 && rec->event == NULL);
		ck_assert_uint_eq(rec->list.nr, lists[i][0]);
		assert_words(rec->list.entries, nr_words[i] - 1, lists[i] + 1);
	}
}
END_TEST

/* Counts that the record cannot hold. */
START_TEST(lists_that_lie)
{
	static const uint32_t types[] = {RECORD_ID_INDEX, RECORD_THREAD_MAP, RECORD_STAT_CONFIG,
					 RECORD_CALLCHAIN_DEFERRED, RECORD_NAMESPACES};
	static const uint64_t counts[] = {2, UINT64_MAX, UINT64_C(1) << 60, UINT64_C(1) << 59};

	for (unsigned i = 0; i < 5; i++) {
		for (unsigned k = 0; k < 4; k++) {
			struct mkperf *m = new_record(_i, types[i]);
			struct perffile *file;

			if (types[i] < 64)
				mkperf_u64(m, 1);
			PUT_WORDS(m, counts[k], 7);
			mkperf_end(m);
			file = recording_open(m);
			ck_assert_uint_eq(recording_drain(file), 0);
			ck_assert_uint_eq(perffile_counts(file)->damaged, 1);
			perffile_close(file);
		}
	}
}
END_TEST

START_TEST(auxtrace_info)
{
	struct mkperf *m = new_record(_i, RECORD_AUXTRACE_INFO);
	const struct record *rec;

	mkperf_u32(m, 4);
	mkperf_u32(m, 0);
	PUT_WORDS(m, 8, 1);
	rec = only_record(m);
	ck_assert_uint_eq(rec->type, RECORD_AUXTRACE_INFO);
	ck_assert_uint_eq(rec->auxtrace_info.type, 4);
	ASSERT_WORDS(rec->auxtrace_info.priv, 8, 1);
}
END_TEST

/* _i / 2: its format, which says what stands before the message. */
START_TEST(auxtrace_error)
{
	unsigned format = (unsigned)_i / 2;
	struct mkperf *m = new_record(_i, RECORD_AUXTRACE_ERROR);
	const struct record *rec;

	for (uint32_t field = 1; field <= 5; field++) /* type, code, cpu, pid, tid */
		mkperf_u32(m, 10 * field);
	mkperf_u32(m, format);
	mkperf_u64(m, 0x401000);
	if (format >= 1)
		mkperf_u64(m, 5000);
	mkperf_bytes(m, "lost some", 9);
	mkperf_bytes(m, NULL, 64 - 9);
	if (format >= 2)
		PUT_WORDS(m, 0);
	rec = only_record(m);
	ck_assert(rec->auxtrace_error.type == 10 && rec->auxtrace_error.code == 20);
	ck_assert(rec->cpu == 30 && rec->pid == 40 && rec->tid == 50);
	ck_assert_uint_eq(rec->has, HAS_CPU | HAS_PID | HAS_TID | (format ? HAS_TIME : 0u));
	if (format)
		ck_assert_uint_eq(rec->time, 5000);
	ck_assert_str_eq(rec->auxtrace_error.message, "lost some");
	ck_assert_uint_eq(rec->auxtrace_error.message_len, 9);
}
END_TEST

START_TEST(stat_and_stat_round)
{
	struct mkperf *m = new_record(_i, RECORD_STAT);
	const struct record *rec;

	mkperf_u64(m, 11);
	mkperf_u32(m, 2);
	mkperf_u32(m, 4);
	PUT_WORDS(m, 1000, 900, 800);
	rec = only_record(m);
	ck_assert(rec->stat_value.id == 11 && rec->stat_value.thread == 4 &&
		  rec->stat_value.value == 1000 && rec->stat_value.enabled == 900 &&
		  rec->stat_value.running == 800);
	ck_assert(rec->has == HAS_CPU && rec->cpu == 2);
	m = new_record(_i, RECORD_STAT_ROUND);
	PUT_WORDS(m, 1, 123456);
	rec = only_record(m);
	ck_assert_uint_eq(rec->stat_round.type, 1);
	ck_assert(rec->has == HAS_TIME && rec->time == 123456);
}
END_TEST

/* A name for the event is taken over when it is read. */
START_TEST(event_update)
{
	struct mkperf *m = new_record(_i, RECORD_EVENT_UPDATE);
	const struct record *rec;

	PUT_WORDS(m, 2, 11);
	mkperf_string(m, "renamed");
	rec = only_record(m);
	ck_assert(rec->event_update.type == 2 && rec->event_update.id == 11);
	ck_assert_uint_eq(span_left(&rec->event_update.data), 8);
	ck_assert_str_eq((const char *)rec->event_update.data.pos, "renamed");
	ck_assert_str_eq(perffile_event(opened, 0)->name, "renamed");
}
END_TEST

/* The short form of older perfs, and the long one. */
START_TEST(time_conv)
{
	for (unsigned i = 0; i < 2; i++) {
		struct mkperf *m = new_record(_i, RECORD_TIME_CONV);
		const struct record *rec;

		PUT_WORDS(m, 31, 0x12345678, UINT64_MAX - 5);
		if (i) {
			PUT_WORDS(m, 77, 0xff);
			mkperf_bytes(m, "\1\1\0\0\0\0\0", 8);
		}
		rec = only_record(m);
		ck_assert(rec->time_conv.shift == 31 && rec->time_conv.mult == 0x12345678 &&
			  rec->time_conv.zero == UINT64_MAX - 5);
		ck_assert(rec->time_conv.is_short == i && rec->time_conv.cycles == i * 77 &&
			  rec->time_conv.mask == i * 0xff);
	}
}
END_TEST

/* Those of which nothing is wanted, types without a name, and any future one: all are given. */
START_TEST(others_pass)
{
	static const uint32_t types[] = {RECORD_CPU_MAP, 82, 84, 85, 86, 87, 1000, 65535};
	struct mkperf *m = new_recording(_i);
	struct perffile *file;

	for (unsigned i = 0; i < 8; i++) {
		mkperf_begin(m, types[i], (uint16_t)i);
		PUT_WORDS(m, i, i);
		mkperf_end(m);
	}
	file = recording_open(m);
	for (unsigned i = 0; i < 8; i++) {
		const struct record *rec = recording_next(file);

		ck_assert(rec->type == types[i] && rec->misc == i && rec->size == 24 &&
			  rec->nr == i && rec->has == 0 && rec->event == NULL);
	}
	close_only(file);
}
END_TEST

/* As they stand in a pipe: the event and its names come as records, and are given as such. */
START_TEST(what_a_pipe_tells)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i, .pipe = true});
	static const uint32_t types[] = {RECORD_HEADER_ATTR,	   RECORD_EVENT_UPDATE,
					 RECORD_HEADER_FEATURE,	   RECORD_HEADER_BUILD_ID,
					 RECORD_HEADER_EVENT_TYPE, RECORD_SAMPLE};
	struct perffile *file;

	mkperf_event(m, &(struct mkperf_event){.name = "alpha",
					       .type = PERF_TYPE_SOFTWARE,
					       .config = 5,
					       .sample_type = PERF_SAMPLE_IP,
					       .ids = ids,
					       .nr_ids = 1});
	mkperf_feature_string(m, MKPERF_HOSTNAME, "host");
	mkperf_build_id(m, PERF_RECORD_MISC_USER, 0, (const uint8_t *)"\1\2\3", 3, "/x");
	mkperf_begin(m, RECORD_HEADER_EVENT_TYPE, 0);
	mkperf_u64(m, 5);
	mkperf_bytes(m, "by its config", 14);
	mkperf_bytes(m, NULL, 50);
	mkperf_end(m);
	mkperf_sample(m, &(struct mkperf_sample){.ip = 5});
	file = recording_open(m);
	ck_assert_uint_eq(perffile_nr_events(file), 0);
	for (unsigned i = 0; i < 6; i++)
		ck_assert_uint_eq(recording_next(file)->type, types[i]);
	ck_assert_uint_eq(perffile_nr_events(file), 1);
	ck_assert_str_eq(perffile_event(file, 0)->name, "alpha"); /* the better name stays */
	ck_assert_ptr_eq(perffile_event_by_id(file, 11), perffile_event(file, 0));
	ck_assert_uint_eq(perffile_nr_build_ids(file), 1);
	ck_assert_str_eq(perffile_build_ids(file)[0].filename, "/x");
	ck_assert_uint_eq(perffile_build_ids(file)[0].id.len, 3);
	close_only(file);
}
END_TEST

/* perf before 3.9 in a pipe: names by config, in records. */
START_TEST(event_types_in_a_pipe)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i, .pipe = true});
	struct perffile *file;

	mkperf_event(m, &(struct mkperf_event){.type = 4, .config = 0x1a8, .sample_type = 1});
	/* the kernel's clock in place of cycles has the same config, but is named by its type */
	mkperf_event(m, &(struct mkperf_event){.type = 1, .config = 0x1a8, .sample_type = 1});
	mkperf_begin(m, RECORD_HEADER_EVENT_TYPE, 0);
	mkperf_u64(m, 0x1a8);
	mkperf_bytes(m, "lsd.uops", 9);
	mkperf_bytes(m, NULL, 55);
	mkperf_end(m);
	file = recording_open(m);
	ck_assert_uint_eq(recording_drain(file), 3);
	ck_assert_str_eq(perffile_event(file, 0)->name, "lsd.uops");
	ck_assert_str_eq(perffile_event(file, 1)->name, "unknown-software");
	perffile_close(file);
}
END_TEST

static TCase *kernel_tests(void)
{
	TCase *tcase = tcase_create("kernel");

	tcase_add_checked_fixture(tcase, NULL, close_opened);
	tcase_add_loop_test(tcase, read_and_itrace_start, 0, 2);
	tcase_add_loop_test(tcase, aux, 0, 2);
	tcase_add_loop_test(tcase, switches, 0, 2);
	tcase_add_loop_test(tcase, namespaces, 0, 2);
	tcase_add_loop_test(tcase, ksymbol, 0, 2);
	tcase_add_loop_test(tcase, bpf_event, 0, 2);
	tcase_add_loop_test(tcase, cgroup, 0, 2);
	tcase_add_loop_test(tcase, text_poke, 0, 2);
	tcase_add_loop_test(tcase, aux_output_hw_id, 0, 2);
	tcase_add_loop_test(tcase, callchain_deferred, 0, 2);
	return tcase;
}

static TCase *user_tests(void)
{
	TCase *tcase = tcase_create("user");

	tcase_add_checked_fixture(tcase, NULL, close_opened);
	tcase_add_loop_test(tcase, lists_of_entries, 0, 2);
	tcase_add_loop_test(tcase, lists_that_lie, 0, 2);
	tcase_add_loop_test(tcase, auxtrace_info, 0, 2);
	tcase_add_loop_test(tcase, auxtrace_error, 0, 6);
	tcase_add_loop_test(tcase, stat_and_stat_round, 0, 2);
	tcase_add_loop_test(tcase, event_update, 0, 2);
	tcase_add_loop_test(tcase, time_conv, 0, 2);
	tcase_add_loop_test(tcase, others_pass, 0, 2);
	tcase_add_loop_test(tcase, what_a_pipe_tells, 0, 2);
	tcase_add_loop_test(tcase, event_types_in_a_pipe, 0, 2);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("records");

	suite_add_tcase(suite, kernel_tests());
	suite_add_tcase(suite, user_tests());
	return suite_run(suite);
}
