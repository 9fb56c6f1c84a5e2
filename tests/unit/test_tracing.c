/* TRACING_DATA: blobs of libtraceevent, written here field by field in either byte order. */
#include "perffile/feature/tracing.h"

#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/writer/mkperf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct blob {
	uint8_t bytes[4096];
	size_t len;
	bool big;
};

static void put(struct blob *b, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++)
		b->bytes[b->len++] = (uint8_t)(value >> 8 * (b->big ? width - 1 - i : i));
}

static void put_text(struct blob *b, const char *text)
{
	memcpy(b->bytes + b->len, text, strlen(text) + 1);
	b->len += strlen(text) + 1;
}

/* u64 size, then the text without a NUL. */
static void put_file(struct blob *b, const char *text)
{
	put(b, 8, strlen(text));
	memcpy(b->bytes + b->len, text, strlen(text));
	b->len += strlen(text);
}

static const char function_format[] = "name: function\nID: 1\nformat:\n"
				      "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
				      "\nprint fmt: \" %ps\", (void *)REC->ip\n";
static const char switch_format[] = "name: sched_switch\nID: 316\nformat:\n"
				    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
				    "\n\tfield:int prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
				    "\nprint fmt: \"%d\", REC->prev_pid\n";
static const char open_format[] = "name: sys_enter_openat\nID: 782\nformat:\n";

static void put_head(struct blob *b)
{
	memcpy(b->bytes, "\x17\x08\x44tracing", 10);
	b->len = 10;
	put_text(b, "0.6");
	put(b, 1, b->big);
	put(b, 1, 8);
	put(b, 4, 4096);
	put_text(b, "header_page");
	put_file(b, "\tfield: u64 timestamp;\n");
	put_text(b, "header_event");
	put_file(b, "# compressed entry header\n");
}

static void put_blob(struct blob *b)
{
	put_head(b);
	put(b, 4, 1);
	put_file(b, function_format);
	put(b, 4, 3);
	put_text(b, "sched");
	put(b, 4, 1);
	put_file(b, switch_format);
	put_text(b, "empty");
	put(b, 4, 0);
	put_text(b, "syscalls");
	put(b, 4, 1);
	put_file(b, open_format);
	put(b, 4, 0); /* kallsyms */
	put(b, 4, 5);
	memcpy(b->bytes + b->len, "0x: x", 5);
	b->len += 5;
	put(b, 8, 0); /* commands */
}

static void expect_event(struct tracing *tracing, const char *system, const char *name, uint64_t id,
			 const char *format)
{
	struct tracing_event event;

	ck_assert(tracing_next(tracing, &event));
	ck_assert_str_eq(event.system, system);
	ck_assert_uint_eq(span_left(&event.name), strlen(name));
	ck_assert_mem_eq(event.name.pos, name, strlen(name));
	ck_assert(event.has_id);
	ck_assert_uint_eq(event.id, id);
	ck_assert_uint_eq(span_left(&event.format), strlen(format));
}

START_TEST(formats_in_both_orders)
{
	struct blob blob = {.big = _i};
	struct tracing tracing;
	struct tracing_event event;

	put_blob(&blob);
	/* the order of the section around it does not matter */
	ck_assert(tracing_open(&tracing, span_make(blob.bytes, blob.len, true)));
	ck_assert_str_eq(tracing.version, "0.6");
	ck_assert(tracing.big_endian == _i);
	ck_assert_uint_eq(tracing.long_size, 8);
	ck_assert_uint_eq(tracing.page_size, 4096);
	ck_assert_uint_eq(span_left(&tracing.header_page), 23);
	ck_assert_uint_eq(span_left(&tracing.header_event), 26);
	expect_event(&tracing, "ftrace", "function", 1, function_format);
	expect_event(&tracing, "sched", "sched_switch", 316, switch_format);
	expect_event(&tracing, "syscalls", "sys_enter_openat", 782, open_format);
	ck_assert(!tracing_next(&tracing, &event));
	ck_assert(!tracing.rest.failed);
	ck_assert_uint_eq(span_left(&tracing.rest), 4 + 4 + 5 + 8);
}
END_TEST

/* However short: the events that are whole, and no more. */
START_TEST(cut_anywhere)
{
	struct blob blob = {.big = false};
	size_t nr_last = 0;

	put_blob(&blob);
	for (size_t len = 0; len <= blob.len; len++) {
		uint8_t *copy = malloc(len + 1);
		struct tracing tracing;
		struct tracing_event event;
		size_t nr = 0;

		memcpy(copy, blob.bytes, len);
		if (tracing_open(&tracing, span_make(copy, len, false))) {
			while (tracing_next(&tracing, &event))
				nr++;
		}
		ck_assert_uint_ge(nr, nr_last);
		ck_assert_uint_le(nr, 3);
		nr_last = nr;
		free(copy);
	}
	ck_assert_uint_eq(nr_last, 3);
}
END_TEST

/* A format may lack what names it. */
static const char *const strange[] = {
	"",
	"name:",
	"ID: \nname: x\n",
	"ID: 99999999999999999999999\n",
	"format:\nname: x\nID: 3\n",
};

START_TEST(formats_without_an_id)
{
	struct blob blob = {.big = false};
	struct tracing tracing;
	struct tracing_event event;

	put_head(&blob);
	put(&blob, 4, 1);
	put_file(&blob, strange[_i]);
	put(&blob, 4, 0);
	ck_assert(tracing_open(&tracing, span_make(blob.bytes, blob.len, false)));
	ck_assert(tracing_next(&tracing, &event));
	ck_assert(!event.has_id);
	ck_assert(!tracing_next(&tracing, &event));
	ck_assert(!tracing.rest.failed);
}
END_TEST

START_TEST(not_tracing_data)
{
	struct tracing tracing;
	struct blob blob = {.big = false};

	ck_assert(!tracing_open(&tracing, span_make("", 0, false)));
	ck_assert(!tracing_open(&tracing, span_make("\x17\x08\x45tracing0.6", 14, false)));
	put_head(&blob);
	blob.bytes[25] = 'x'; /* in header_page */
	put(&blob, 4, 0);
	ck_assert(!tracing_open(&tracing, span_make(blob.bytes, blob.len, false)));
}
END_TEST

/* The tracing data of another machine than the recording's: it has an order of its own. */
START_TEST(tracepoints_by_name)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i & 1});
	struct blob blob = {.big = _i & 2};
	struct perffile *file;

	put_blob(&blob);
	mkperf_event(m, &(struct mkperf_event){.type = 2, .config = 316});
	mkperf_event(m, &(struct mkperf_event){.type = 2, .config = 782, .name = "opened"});
	mkperf_event(m, &(struct mkperf_event){.type = 2, .config = 783});
	mkperf_event_desc(m);
	mkperf_feature_begin(m, 1);
	mkperf_bytes(m, blob.bytes, blob.len);
	mkperf_feature_end(m);
	mkperf_round(m); /* a file without records counts as never finished */
	file = recording_open(m);
	ck_assert_str_eq(perffile_event(file, 0)->name, "sched:sched_switch");
	ck_assert_str_eq(perffile_event(file, 1)->name, "opened");
	ck_assert_str_eq(perffile_event(file, 2)->name, "pmu2/config=0x30f/");
	perffile_close(file);
}
END_TEST

/* In a pipe it follows its record: u32 size, u32 padding. */
START_TEST(tracepoints_in_a_pipe)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.pipe = true});
	struct blob blob = {.big = true};
	struct perffile *file;

	put_blob(&blob);
	while (blob.len % 8)
		blob.bytes[blob.len++] = 0;
	mkperf_event(m, &(struct mkperf_event){.type = 2, .config = 316});
	mkperf_begin(m, MKPERF_RECORD_TRACING_DATA, 0);
	mkperf_u32(m, (uint32_t)blob.len);
	mkperf_u32(m, 0);
	mkperf_end(m);
	mkperf_bytes(m, blob.bytes, blob.len);
	mkperf_round(m);
	file = recording_open(m);
	ck_assert_uint_gt(recording_drain(file), 0);
	ck_assert_str_eq(perffile_event(file, 0)->name, "sched:sched_switch");
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	perffile_close(file);
}
END_TEST

/* Old simpleperf puts it into the record, in a file: u32 size, the data, padding up to 64 bytes. */
START_TEST(tracepoints_inside_their_record)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i & 1});
	struct blob blob = {.big = _i & 2};
	struct perffile *file;
	size_t len;

	put_blob(&blob);
	len = blob.len;
	while (blob.len % 64)
		blob.bytes[blob.len++] = 0;
	mkperf_event(m, &(struct mkperf_event){.type = 2, .config = 316, .sample_type = 1});
	mkperf_begin(m, MKPERF_RECORD_TRACING_DATA, 0);
	mkperf_u32(m, (uint32_t)len);
	mkperf_bytes(m, blob.bytes, blob.len);
	mkperf_end(m);
	mkperf_sample(m, &(struct mkperf_sample){.ip = 5});
	file = recording_open(m);
	ck_assert_uint_eq(recording_next(file)->type, RECORD_HEADER_TRACING_DATA);
	ck_assert_str_eq(perffile_event(file, 0)->name, "sched:sched_switch");
	ck_assert_uint_eq(recording_next(file)->sample.ip, 5);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tracing");
	TCase *tcase = tcase_create("tracing");

	tcase_add_loop_test(tcase, formats_in_both_orders, 0, 2);
	tcase_add_test(tcase, cut_anywhere);
	tcase_add_loop_test(tcase, formats_without_an_id, 0,
			    (int)(sizeof(strange) / sizeof(strange[0])));
	tcase_add_test(tcase, not_tracing_data);
	tcase_add_loop_test(tcase, tracepoints_by_name, 0, 4);
	tcase_add_test(tcase, tracepoints_in_a_pipe);
	tcase_add_loop_test(tcase, tracepoints_inside_their_record, 0, 4);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
