/*
 * Streams: what compressed records hold, in whatever pieces it comes, and what trails a record.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NR_SAMPLES = 300 };

static struct mkperf *new_recording(const struct mkperf_options *options)
{
	struct mkperf *m = mkperf_new(options);

	mkperf_event(m, &(struct mkperf_event){
				.type = PERF_TYPE_SOFTWARE,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
			});
	return m;
}

static void put_samples(struct mkperf *m, uint64_t first, uint64_t end)
{
	for (uint64_t i = first; i < end; i++)
		mkperf_sample(m, &(struct mkperf_sample){.ip = i, .time = 1000 + i});
}

/* Samples with these addresses, one after the other. */
static void assert_samples(struct perffile *file, uint64_t first, uint64_t end)
{
	for (uint64_t i = first; i < end; i++) {
		const struct record *rec = recording_next_kernel(file);

		ck_assert_msg(rec && rec->type == RECORD_SAMPLE && rec->sample.ip == i, "sample %d",
			      (int)i);
	}
}

static void assert_whole(const struct perffile *file)
{
	const struct perffile_counts *counts = perffile_counts(file);

	ck_assert_uint_eq(counts->damaged, 0);
	ck_assert_uint_eq(counts->truncated_bytes, 0);
	ck_assert_uint_eq(counts->missing_bytes, 0);
}

/* ---- compressed ---- */

/* Each record given has its index among all that there are; the containers have none. */
START_TEST(containers_are_not_given)
{
	struct mkperf_options options = {
		.swap = _i & 1,
		.packing = {.type = _i & 2 ? MKPERF_RECORD_COMPRESSED2 : MKPERF_RECORD_COMPRESSED,
			    .flush = 33}};
	struct mkperf *m = new_recording(&options);
	struct perffile *file;

	put_samples(m, 0, NR_SAMPLES);
	mkperf_round(m);
	file = recording_open(m);
	ck_assert_uint_eq(recording_next(file)->type, RECORD_FINISHED_ROUND);
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		const struct record *rec = recording_next(file);

		ck_assert(rec->nr == i && rec->sample.ip == i && rec->size == 24);
	}
	ck_assert_ptr_null(recording_next(file));
	assert_whole(file);
	ck_assert_uint_eq(perffile_bytes_read(file), perffile_bytes_total(file));
	perffile_close(file);
}
END_TEST

/* Records of nearly 64 KiB, so that blocks fill, and more in one flush than a block holds. */
START_TEST(big_records)
{
	struct mkperf_options options = {
		.packing = {.type = MKPERF_RECORD_COMPRESSED2, .flush = _i ? 1 << 20 : 100000}};
	struct mkperf *m = mkperf_new(&options);
	enum { RAW_BYTES = 65524 - 24, NR_BIG = 40 };
	uint8_t *raw = calloc(1, RAW_BYTES);
	struct perffile *file;

	ck_assert_ptr_nonnull(raw);
	mkperf_event(m, &(struct mkperf_event){.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_RAW});
	for (unsigned i = 0; i < NR_BIG; i++) {
		for (unsigned k = 0; k < RAW_BYTES; k++)
			raw[k] = (uint8_t)(k * (i + 1) / 3);
		mkperf_sample(m,
			      &(struct mkperf_sample){.ip = i, .raw = raw, .raw_size = RAW_BYTES});
	}
	file = recording_open(m);
	for (unsigned i = 0; i < NR_BIG; i++) {
		const struct record *rec = recording_next(file);

		ck_assert_uint_eq(rec->sample.ip, i);
		ck_assert_uint_eq(span_left(&rec->sample.extra.raw), RAW_BYTES);
		ck_assert_uint_eq(rec->sample.extra.raw.pos[999], (uint8_t)(999 * (i + 1) / 3));
	}
	ck_assert_ptr_null(recording_next(file));
	assert_whole(file);
	perffile_close(file);
	free(raw);
}
END_TEST

/* A COMPRESSED2 whose size cannot be right is taken whole, without padding. */
START_TEST(sizes_not_to_be_believed)
{
	struct mkperf_options options = {
		.swap = _i & 1,
		.packing = {.type = MKPERF_RECORD_COMPRESSED2, .flush = 50, .bad_size = true}};
	struct mkperf *m = new_recording(&options);
	struct perffile *file;

	put_samples(m, 0, NR_SAMPLES);
	file = recording_open(m);
	assert_samples(file, 0, NR_SAMPLES);
	ck_assert_ptr_null(recording_next(file));
	assert_whole(file);
	perffile_close(file);
}
END_TEST

/* A lost piece of the stream makes the rest unreadable; plain records go on, losses are counted. */
START_TEST(bent_stream)
{
	struct mkperf_options options = {
		.packing = {.type = MKPERF_RECORD_COMPRESSED, .flush = 240}};
	struct mkperf *m = new_recording(&options);
	struct error err = {0};
	struct perffile *file;
	const uint8_t *bytes;
	uint8_t *bent;
	size_t len, nr;

	put_samples(m, 0, NR_SAMPLES);
	mkperf_round(m);
	bytes = mkperf_finish(m, &len);
	bent = malloc(len);
	ck_assert_ptr_nonnull(bent);
	memcpy(bent, bytes, len);
	/* The first record's zstd bytes: header 104, attr 144, record header 8. */
	memset(bent + 104 + 144 + 8, 0xff, 16);
	file = recording_open_bytes(bent, len, &err);
	ck_assert_ptr_nonnull(file);
	nr = recording_drain(file);
	ck_assert_uint_eq(nr, 1);
	ck_assert_uint_eq(perffile_counts(file)->damaged, NR_SAMPLES * 24 / 240);
	ck_assert_uint_eq(perffile_counts(file)->damaged_offset, 104 + 144);
	perffile_close(file);
	free(bent);
	mkperf_free(m);
}
END_TEST

/* The last record of the stream is cut off inside a container that is whole. */
START_TEST(tail_that_never_came)
{
	struct mkperf_options options = {
		.packing = {.type = MKPERF_RECORD_COMPRESSED, .flush = 1 << 20}};
	struct mkperf *m = new_recording(&options);
	struct perffile *file;

	put_samples(m, 0, 10);
	mkperf_begin(m, 1, 0);
	mkperf_bytes(m, NULL, 88);
	mkperf_end(m);
	mkperf_begin(m, 1, 0); /* its end stays away: no size is written */
	file = NULL;
	{
		struct error err = {0};
		size_t len;
		const uint8_t *bytes = mkperf_finish(m, &len);

		ck_assert_ptr_nonnull(bytes);
		file = recording_open_bytes(bytes, len, &err);
		ck_assert_ptr_nonnull(file);
	}
	ck_assert_uint_eq(recording_next(file)->type, RECORD_MMAP); /* no time: at once */
	assert_samples(file, 0, 10);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 8);
	perffile_close(file);
	mkperf_free(m);
}
END_TEST

/* Containers with nothing in them. */
START_TEST(empty_containers)
{
	struct mkperf *m = new_recording(NULL);
	struct perffile *file;

	put_samples(m, 0, 2);
	for (unsigned i = 0; i < 40; i++) {
		mkperf_record(m, MKPERF_RECORD_COMPRESSED, 0, NULL, 0);
		mkperf_record(m, MKPERF_RECORD_COMPRESSED2, 0, NULL, 8);
		mkperf_record(m, MKPERF_RECORD_COMPRESSED2, 0, NULL, 0);
	}
	put_samples(m, 2, 4);
	file = recording_open(m);
	assert_samples(file, 0, 4);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

/* Container or not, what is no zstd at all is a damaged record. */
START_TEST(no_zstd_at_all)
{
	struct mkperf *m = new_recording(NULL);
	struct perffile *file;

	put_samples(m, 0, 2);
	mkperf_record(m, MKPERF_RECORD_COMPRESSED, 0, "no zstd at all..", 16);
	put_samples(m, 2, 4);
	file = recording_open(m);
	assert_samples(file, 0, 4);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damaged, 1);
	perffile_close(file);
}
END_TEST

/* ---- payloads ---- */

static void put_auxtrace(struct mkperf *m, uint64_t len)
{
	mkperf_begin(m, MKPERF_RECORD_AUXTRACE, 0);
	mkperf_u64(m, len);
	mkperf_u64(m, 0x1000);
	mkperf_u64(m, 77);
	mkperf_u32(m, 1);
	mkperf_u32(m, 42);
	mkperf_u32(m, 3);
	mkperf_u32(m, 0);
	mkperf_end(m);
}

/* Trace that looks like records is none. _i: bit 0 the byte order, bit 1 a pipe, then the length.
 */
START_TEST(trace_is_passed_over)
{
	static const size_t lens[] = {0, 8, 4096, 300000, 1000000};
	size_t len = lens[_i / 4];
	struct mkperf *m = new_recording(&(struct mkperf_options){.swap = _i & 1, .pipe = _i & 2});
	uint8_t *trace = malloc(len + 1);
	struct perffile *file;
	const struct record *rec;

	ck_assert_ptr_nonnull(trace);
	memset(trace, 9, len);
	put_samples(m, 0, 3);
	put_auxtrace(m, len);
	mkperf_payload(m, trace, len);
	put_samples(m, 3, 5);
	file = recording_open(m);
	do
		rec = recording_next(file);
	while (rec && rec->type != RECORD_AUXTRACE);
	ck_assert_ptr_nonnull(rec);
	ck_assert(rec->auxtrace.len == len && rec->auxtrace.offset == 0x1000 &&
		  rec->auxtrace.reference == 77 && rec->auxtrace.idx == 1);
	ck_assert(rec->has == (HAS_TID | HAS_CPU) && rec->tid == 42 && rec->cpu == 3);
	assert_samples(file, 0, 5);
	ck_assert_ptr_null(recording_next(file));
	assert_whole(file);
	perffile_close(file);
	free(trace);
}
END_TEST

/* Opens what @m writes as a pipe on the standard input. */
static struct perffile *open_piped(struct mkperf *m)
{
	size_t len = 0;
	const uint8_t *bytes = mkperf_finish(m, &len);
	struct perffile *file;
	int fds[2];

	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(pipe(fds), 0);
	if (fork() == 0)
		_exit(write(fds[1], bytes, len) != (ssize_t)len);
	close(fds[1]);
	ck_assert_int_ge(dup2(fds[0], STDIN_FILENO), 0);
	close(fds[0]);
	file = perffile_open("-", NULL);
	ck_assert_ptr_nonnull(file);
	mkperf_free(m);
	return file;
}

/* Its bytes can be read all the same. _i: bit 0 a pipe, bit 1 compressed, bit 2 they are not kept.
 */
START_TEST(trace_is_read)
{
	struct mkperf *m = new_recording(&(struct mkperf_options){
		.pipe = _i & 1, .packing.type = _i & 2 ? MKPERF_RECORD_COMPRESSED : 0});
	const size_t len = (_i & 1) && (_i & 4) ? 0 : 300000;
	const struct record *rec;
	struct trace_place place;
	struct perffile *file;
	uint8_t bytes[16];

	put_samples(m, 0, 3);
	put_auxtrace(m, 300000);
	for (uint32_t i = 0; i < 300000 / 4; i++)
		mkperf_u32(m, i);
	put_samples(m, 3, 5);
	file = _i & 1 ? open_piped(m) : recording_open(m);
	if (!(_i & 4))
		ck_assert_int_eq(perffile_keep_traces(file, NULL), 0);
	do
		rec = recording_next(file);
	while (rec && rec->type != RECORD_AUXTRACE);
	ck_assert_ptr_nonnull(rec);
	place = rec->auxtrace.place;
	recording_drain(file);
	ck_assert_uint_eq(place.len, len);
	ck_assert_int_eq(perffile_read_trace(file, &place, 80, bytes, 16, NULL), len ? 16 : 0);
	for (uint32_t i = 0; len && i < 4; i++)
		ck_assert_uint_eq(bytes[4 * i], 20 + i);
	ck_assert_int_eq(perffile_read_trace(file, &place, len - 8, bytes, 16, NULL), len ? 8 : 0);
	ck_assert_int_eq(perffile_read_trace(file, &place, len, bytes, 16, NULL), 0);
	perffile_close(file);
}
END_TEST

static void put_aux(struct mkperf *m, uint64_t flags)
{
	const uint64_t body[] = {0, 4096, flags};

	mkperf_record(m, RECORD_AUX, 0, body, sizeof(body));
}

/* What the recording says of its trace, also as facts. */
START_TEST(trace_is_described)
{
	static const char *const expected[] = {"Intel PT", "1", "64", "4", "2", "1", "1", "1"};
	static const uint64_t info[] = {TRACE_INTEL_PT, 8};
	struct mkperf *m = new_recording(NULL);
	struct facts facts = {0};
	struct perffile *file;
	size_t first;

	mkperf_record(m, RECORD_AUXTRACE_INFO, 0, info, sizeof(info));
	put_aux(m, AUX_TRUNCATED);
	put_aux(m, AUX_TRUNCATED | AUX_OVERWRITE);
	put_aux(m, AUX_PARTIAL);
	put_aux(m, AUX_COLLISION);
	put_auxtrace(m, 64);
	mkperf_payload(m, NULL, 64);
	file = recording_open(m);
	recording_drain(file);
	ck_assert_uint_eq(perffile_trace(file)->type, TRACE_INTEL_PT);
	ck_assert_uint_eq(perffile_trace(file)->nr_truncated, 2);
	ck_assert_int_eq(perffile_describe(file, &facts, NULL), 0);
	ck_assert_uint_ge(facts.nr_rows, 8);
	first = facts.nr_rows - 8;
	ck_assert_str_eq(facts.rows[first].key, "trace");
	ck_assert_str_eq(facts.rows[first + 4].key, "trace.aux.truncated");
	for (size_t i = 0; i < 8; i++)
		ck_assert_str_eq(facts.rows[first + i].value, expected[i]);
	facts_free(&facts);
	perffile_close(file);
}
END_TEST

/* Of trace that is cut off, what is missing is counted. */
START_TEST(cut_trace)
{
	struct mkperf *m = new_recording(&(struct mkperf_options){.pipe = _i & 1});
	struct perffile *file;

	put_samples(m, 0, 3);
	put_auxtrace(m, 5000);
	mkperf_payload(m, NULL, 1000);
	file = recording_open(m);
	ck_assert_uint_eq(recording_drain(file), _i & 1 ? 5 : 4);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 4000);
	perffile_close(file);
}
END_TEST

/* A tracepoint's format behind its record gives the event its name, 12 bytes of record or 16. */
START_TEST(tracing_data)
{
	static const char format[] = "name: sched_switch\nID: 314\nformat:\n";
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i & 1, .pipe = true});
	struct mkperf_event event = {
		.type = PERF_TYPE_TRACEPOINT, .config = 314, .sample_type = PERF_SAMPLE_IP};
	const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != (_i & 1);
	size_t len = 10 + 4 + 1 + 1 + 4 + 12 + 8 + 13 + 8 + 4 + 4 + 6 + 4 + 8 + sizeof(format) - 1 +
		     4 + 4;
	size_t padded = (len + 7) / 8 * 8;
	struct perffile *file;

	mkperf_event(m, &event);
	mkperf_begin(m, MKPERF_RECORD_TRACING_DATA, 0);
	mkperf_u32(m, (uint32_t)padded);
	if (_i & 2)
		mkperf_u32(m, 0);
	mkperf_end(m);
	mkperf_bytes(m, "\x17\x08\x44tracing", 10);
	mkperf_bytes(m, "0.6", 4); /* with its NUL */
	mkperf_u8(m, big);
	mkperf_u8(m, 8);
	mkperf_u32(m, 4096);
	mkperf_bytes(m, "header_page", 12);
	mkperf_u64(m, 0);
	mkperf_bytes(m, "header_event", 13);
	mkperf_u64(m, 0);
	mkperf_u32(m, 0); /* formats of ftrace's own */
	mkperf_u32(m, 1); /* systems */
	mkperf_bytes(m, "sched", 6);
	mkperf_u32(m, 1);
	mkperf_u64(m, sizeof(format) - 1);
	mkperf_bytes(m, format, sizeof(format) - 1);
	mkperf_u32(m, 0); /* kallsyms */
	mkperf_u32(m, 0); /* printk formats */
	mkperf_bytes(m, NULL, padded - len);
	mkperf_sample(m, &(struct mkperf_sample){.ip = 5});
	file = recording_open(m);
	ck_assert_uint_eq(recording_next(file)->type, RECORD_HEADER_ATTR);
	ck_assert_uint_eq(recording_next(file)->type, RECORD_HEADER_TRACING_DATA);
	ck_assert_str_eq(perffile_event(file, 0)->name, "sched:sched_switch");
	ck_assert_uint_eq(recording_next(file)->sample.ip, 5);
	ck_assert_ptr_null(recording_next(file));
	assert_whole(file);
	perffile_close(file);
}
END_TEST

/* ChromeOS' perf of the 3.x kernels: records 69 to 80 are header features. */
START_TEST(old_pipe)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i & 1, .pipe = true});
	struct perffile *file;
	const struct record *rec;

	mkperf_begin(m, 69, 0); /* HOSTNAME */
	mkperf_u32(m, 64);
	mkperf_bytes(m, "localhost", 9);
	mkperf_bytes(m, NULL, 55);
	mkperf_end(m);
	mkperf_event(m, &(struct mkperf_event){.type = 0, .config = 0, .sample_type = 1});
	mkperf_begin(m, 71, 0); /* VERSION, 48 bytes as an AUXTRACE has */
	mkperf_u32(m, 36);
	mkperf_bytes(m, "3.4", 3);
	mkperf_bytes(m, NULL, 33);
	mkperf_end(m);
	mkperf_sample(m, &(struct mkperf_sample){.ip = 5});
	file = recording_open(m);
	ck_assert_uint_eq(recording_next(file)->type, RECORD_HEADER_FEATURE);
	ck_assert_uint_eq(recording_next(file)->type, RECORD_HEADER_ATTR);
	rec = recording_next(file);
	ck_assert_ptr_nonnull(rec);
	ck_assert_uint_eq(rec->type, RECORD_HEADER_FEATURE);
	rec = recording_next(file);
	ck_assert_ptr_nonnull(rec);
	ck_assert_uint_eq(rec->sample.ip, 5);
	ck_assert_ptr_null(recording_next(file));
	assert_whole(file);
	perffile_close(file);
}
END_TEST

static TCase *packed_tests(void)
{
	TCase *tcase = tcase_create("compressed");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, containers_are_not_given, 0, 4);
	tcase_add_loop_test(tcase, big_records, 0, 2);
	tcase_add_loop_test(tcase, sizes_not_to_be_believed, 0, 2);
	tcase_add_test(tcase, bent_stream);
	tcase_add_test(tcase, tail_that_never_came);
	tcase_add_test(tcase, empty_containers);
	tcase_add_test(tcase, no_zstd_at_all);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("stream");
	TCase *tcase = tcase_create("payloads");

	tcase_add_loop_test(tcase, trace_is_passed_over, 0, 20);
	tcase_add_loop_test(tcase, trace_is_read, 0, 8);
	tcase_add_test(tcase, trace_is_described);
	tcase_add_loop_test(tcase, cut_trace, 0, 2);
	tcase_add_loop_test(tcase, tracing_data, 0, 4);
	tcase_add_loop_test(tcase, old_pipe, 0, 2);
	suite_add_tcase(suite, packed_tests());
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
