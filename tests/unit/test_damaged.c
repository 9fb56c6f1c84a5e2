/*
 * Recordings that are cut, bent or none at all: a clear error, or what is whole is read and what is
 * missing is accounted for.
 */
#include "tests/support/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const uint64_t ids[] = {11, 12};

static struct mkperf *new_recording(bool swap, uint64_t sample_type, uint64_t flags)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap});
	struct mkperf_event event = {.name = "alpha",
				     .type = PERF_TYPE_SOFTWARE,
				     .sample_type = sample_type,
				     .flags = flags,
				     .ids = ids,
				     .nr_ids = 2};

	mkperf_event(m, &event);
	return m;
}

/* ---- not a recording ---- */

static void assert_cannot_open(const char *path, enum error_kind kind, const char *text)
{
	struct error err = {0};

	ck_assert_ptr_null(perffile_open(path, &err));
	ck_assert_int_eq(err.kind, kind);
	ck_assert_str_eq(err.text, text);
	ck_assert_ptr_null(perffile_open(path, NULL));
}

START_TEST(not_a_recording)
{
	struct scratch_path dir = scratch_make();
	const char *text = "this is no recording at all, only some text of sufficient length";

	ck_assert_int_eq(rename(dir.text, "d"), 0);
	ck_assert_int_eq(mkdir("d/sub", 0700), 0);
	scratch_write("d", "empty", "");
	scratch_write("d", "short", "PERF");
	scratch_write("d", "cut", "PERFILE2.");
	scratch_write("d", "text", text);
	scratch_write("d", "old", "PERFFILE........................");
	assert_cannot_open("d/missing", ERROR_IO,
			   "d/missing: cannot open it: No such file or directory");
	assert_cannot_open(
		"d/sub", ERROR_FORMAT,
		"d/sub: is a directory, but not a recording: it contains no file named data");
	assert_cannot_open("d/empty", ERROR_FORMAT,
			   "d/empty: is empty, expected a recording made by perf record");
	assert_cannot_open("d/text", ERROR_FORMAT,
			   "d/text: is not a perf.data file: neither PERFILE2 nor PERFFILE at "
			   "byte 0");
	assert_cannot_open("d/short", ERROR_FORMAT,
			   "d/short: is not a perf.data file: neither PERFILE2 nor PERFFILE at "
			   "byte 0");
	assert_cannot_open("d/cut", ERROR_FORMAT,
			   "d/cut: ends within its header: the header size at byte 8 is missing");
	assert_cannot_open("d/old", ERROR_FORMAT,
			   "d/old: header size 3327647950551526958 at byte 8, expected 104, 72 or "
			   "16");
	assert_cannot_open("/dev/null", ERROR_UNSUPPORTED,
			   "/dev/null: is a device, expected a file or a pipe");
	scratch_remove("d");
}
END_TEST

/* A small file with one word of it bent: 8 bytes at @offset become @value. */
static struct perffile *open_bent(size_t offset, uint64_t value, struct error *err)
{
	struct mkperf *m =
		new_recording(false, PERF_SAMPLE_IP | PERF_SAMPLE_TIME, MKPERF_ATTR_SAMPLE_ID_ALL);
	struct perffile *file;
	const uint8_t *bytes;
	uint8_t *bent;
	size_t len;

	mkperf_sample(m, &(struct mkperf_sample){.ip = 1, .time = 2});
	bytes = mkperf_finish(m, &len);
	bent = malloc(len);
	ck_assert_ptr_nonnull(bent);
	memcpy(bent, bytes, len);
	memcpy(bent + offset, &value, sizeof(value));
	file = recording_open_bytes(bent, len, err);
	free(bent);
	mkperf_free(m);
	return file;
}

/* Words of the header (1.2 of the format) and of the first attr, at bytes 104 + 16. */
static const struct {
	size_t offset;
	uint64_t value;
	uint64_t bent; /* fields put right */
} bends[] = {
	{8, 103, 1},
	{8, 0, 1},
	{16, 0, 1},
	{16, 79, 1},
	{16, UINT64_MAX, 1},
	{24, 100000, 1},
	{24, UINT64_MAX - 8, 1},
	{24, 0, 1},
	{32, 0, 1},
	{32, 1, 1},
	{32, UINT64_MAX, 1},
	{40, 100000, 1},
	{40, UINT64_MAX, 1},
	{40, 0, 1},
	{40, 120, 1},
	{48, UINT64_MAX, 1},
	{120 + 128, 100000, 0},
	{120 + 128, UINT64_MAX, 0},
	{120 + 136, UINT64_MAX, 0},
	{120 + 136, 1000, 0},
};

/* What else the file says takes their place, and the sample is read; so it is without its ids. */
START_TEST(bent_headers)
{
	struct error err = {0};
	struct perffile *file = open_bent(bends[_i].offset, bends[_i].value, &err);
	const struct perffile_counts *counts;

	ck_assert_msg(file, "%s", err.text);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_next(file)->sample.ip, 1);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(counts->bent_fields, bends[_i].bent);
	ck_assert_uint_eq(counts->missing_ids, bends[_i].bent == 0);
	ck_assert_uint_eq(counts->damaged, 0);
	perffile_close(file);
}
END_TEST

/* The attr itself. */
START_TEST(bent_attr)
{
	struct error err = {0};

	ck_assert_ptr_null(open_bent(120, UINT64_C(63) << 32, &err));
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, "attr 0 has a size of less than 64 bytes"));
	ck_assert_int_eq(strncmp(err.text, "recording-", 10), 0); /* names the file first */
}
END_TEST

/* Whatever stands in a header's or attr's byte: an error or a reading that ends. */
START_TEST(every_byte_bent)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	struct mkperf *m =
		new_recording(_i & 1, PERF_SAMPLE_IP | PERF_SAMPLE_TIME, MKPERF_ATTR_SAMPLE_ID_ALL);
	const uint8_t *bytes;
	uint8_t *bent;
	size_t len;

	mkperf_feature_string(m, MKPERF_HOSTNAME, "h");
	mkperf_event_desc(m);
	mkperf_comm(m, NULL, 0, 1, 2, "name");
	mkperf_sample(m, &(struct mkperf_sample){.ip = 1, .time = 2});
	mkperf_build_id(m, PERF_RECORD_MISC_USER, 0, (const uint8_t *)"id", 2, "/x");
	bytes = mkperf_finish(m, &len);
	bent = malloc(len);
	ck_assert_ptr_nonnull(bent);
	for (size_t at = 0; at < len; at++) {
		struct error err = {0};
		struct perffile *file;

		memcpy(bent, bytes, len);
		bent[at] = values[(at + (size_t)_i) % sizeof(values)];
		file = recording_open_bytes(bent, len, &err);
		if (file)
			ck_assert_uint_lt(recording_drain(file), len / 8);
		else
			ck_assert(err.kind != ERROR_NONE && err.text[0]);
		perffile_close(file);
	}
	free(bent);
	mkperf_free(m);
}
END_TEST

/* ---- what the header repeats ---- */

/* Two events with an id each at bytes 104 and 112, attrs at 120 and 264; a sample of the second and
 * one of the first, then the features HOSTNAME and EVENT_DESC, if it is @described. */
static struct mkperf *two_events(bool swap, bool described)
{
	const uint64_t flags = MKPERF_ATTR_SAMPLE_ID_ALL;
	const uint64_t sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME;
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap});

	mkperf_event(m, &(struct mkperf_event){.name = "first",
					       .type = PERF_TYPE_SOFTWARE,
					       .sample_type = sample_type,
					       .flags = flags,
					       .ids = &ids[0],
					       .nr_ids = 1});
	mkperf_event(m, &(struct mkperf_event){.name = "second",
					       .type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_PAGE_FAULTS,
					       .sample_type = sample_type,
					       .flags = flags,
					       .ids = &ids[1],
					       .nr_ids = 1});
	mkperf_feature_string(m, MKPERF_HOSTNAME, "h");
	if (described)
		mkperf_event_desc(m);
	mkperf_sample(m, &(struct mkperf_sample){.event = 1, .ip = 1, .time = 2});
	mkperf_sample(m, &(struct mkperf_sample){.event = 0, .ip = 2, .time = 3});
	return m;
}

/* A word of @width bytes in the file's byte order. */
struct bend {
	size_t offset;
	unsigned width;
	uint64_t value;
};

/* What @m writes, in bytes as of @swap, with @bend; @m is freed. */
static struct perffile *open_with(struct mkperf *m, bool swap, const struct bend *bend,
				  struct error *err)
{
	struct perffile *file;
	size_t len;
	const uint8_t *good = mkperf_finish(m, &len);
	uint8_t *bad = malloc(len);

	ck_assert(good && bad && bend->offset + bend->width <= len);
	memcpy(bad, good, len);
	for (unsigned i = 0; i < bend->width; i++) {
		unsigned shift = 8 * (swap ? bend->width - 1 - i : i);

		bad[bend->offset + i] = (uint8_t)(bend->value >> shift);
	}
	file = recording_open_bytes(bad, len, err);
	free(bad);
	mkperf_free(m);
	return file;
}

static void assert_both_samples(struct perffile *file)
{
	const struct record *rec = recording_next(file);

	ck_assert_ptr_nonnull(rec);
	ck_assert_str_eq(rec->event->name, "second");
	ck_assert_uint_eq(rec->sample.ip, 1);
	rec = recording_next(file);
	ck_assert_ptr_nonnull(rec);
	ck_assert_str_eq(rec->event->name, "first");
	ck_assert_uint_eq(rec->sample.ip, 2);
	ck_assert_ptr_null(recording_next(file));
}

/* Attrs that are too short for any, ids outside of the file, ids that are not whole. */
static const struct bend bent_events[] = {
	{120 + 4, 4, 63},     {264 + 4, 4, 1},	 {120 + 128, 8, UINT64_MAX},
	{264 + 136, 8, 1000}, {264 + 136, 8, 7},
};

/* EVENT_DESC repeats attrs and ids, so each sample is its own event's. */
START_TEST(events_described_again)
{
	const bool swap = _i & 1;
	struct error err = {0};
	struct perffile *file = open_with(two_events(swap, true), swap, &bent_events[_i / 2], &err);

	ck_assert_msg(file, "%s", err.text);
	assert_both_samples(file);
	ck_assert_uint_eq(perffile_counts(file)->bent_fields, 1);
	ck_assert_uint_eq(perffile_counts(file)->missing_ids, 0);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	perffile_close(file);
}
END_TEST

/* An id that is not what it was is still told of there; it names no sample, so nothing is lost. */
START_TEST(ids_described_again)
{
	static const struct bend bend = {112, 8, 0x80000000000c};
	const bool swap = _i & 1;
	struct error err = {0};
	struct perffile *file = open_with(two_events(swap, true), swap, &bend, &err);

	ck_assert_msg(file, "%s", err.text);
	assert_both_samples(file);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	perffile_close(file);
}
END_TEST

/*
 * Where the table of features is must be looked for if the size of the data is lost: it is the one
 * whose every section follows the one before, not a word that could be its first one, nor one whose
 * second section is elsewhere.
 */
START_TEST(table_among_others_like_it)
{
	static const struct bend sizes[] = {{48, 8, UINT64_MAX}, {48, 8, 8}, {48, 8, 1 << 20}};
	const bool swap = _i & 1;
	struct mkperf *m = two_events(swap, true);
	struct error err = {0};
	struct perffile *file;
	uint64_t at;

	mkperf_begin(m, MKPERF_RECORD_AUXTRACE, 0);
	mkperf_u64(m, 4 * 8 * 2);
	mkperf_bytes(m, NULL, 32);
	mkperf_end(m);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t words[4];

		at = mkperf_offset(m);
		words[0] = at + 2 * 16;
		words[1] = i ? 8 : UINT64_MAX;
		words[2] = i ? at : 0;
		words[3] = 8;
		for (unsigned k = 0; swap && k < 4; k++)
			words[k] = __builtin_bswap64(words[k]);
		mkperf_payload(m, words, sizeof(words));
	}
	file = open_with(m, swap, &sizes[_i / 2], &err);
	ck_assert_msg(file, "%s", err.text);
	ck_assert_uint_eq(recording_next(file)->type, MKPERF_RECORD_AUXTRACE); /* has no time */
	assert_both_samples(file);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	ck_assert_uint_eq(perffile_counts(file)->missing_features, 0);
	ck_assert_uint_eq(perffile_counts(file)->bent_fields, _i / 2 == 0 ? 2 : 1);
	perffile_close(file);
}
END_TEST

/* Without it there is nothing to go by, and the line is about the attr. */
START_TEST(events_described_nowhere)
{
	const bool swap = _i & 1;
	struct error err = {0};

	ck_assert_ptr_null(open_with(two_events(swap, false), swap, &bent_events[1], &err));
	ck_assert_ptr_nonnull(strstr(err.text, "attr 1 has a size of less than 64 bytes"));
}
END_TEST

/* ---- cut ---- */

enum { NR_CUT_RECORDS = 14 };

static struct mkperf *new_cut_recording(bool swap)
{
	struct mkperf *m = new_recording(
		swap, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
		MKPERF_ATTR_SAMPLE_ID_ALL);
	static const uint64_t ips[] = {PERF_CONTEXT_USER, 1, 2};
	struct mkperf_mmap map = {.filename = "/usr/bin/program"};
	struct mkperf_id at = {.time = 5};

	mkperf_event_desc(m);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "h");
	mkperf_build_id(m, PERF_RECORD_MISC_USER, 0, (const uint8_t *)"id", 2, "/x");
	mkperf_comm(m, NULL, 0, 1, 2, "name");
	mkperf_mmap2(m, &at, &map);
	for (unsigned i = 0; i < 10; i++) {
		mkperf_sample(m, &(struct mkperf_sample){
					 .time = 20 - i, .ip = i, .ips = ips, .nr_ips = i % 4});
		if (i % 5 == 4)
			mkperf_round(m);
	}
	return m;
}

/* Where each record of the whole file ends, by its index; the start of the first in @start. */
static size_t find_ends(struct perffile *file, uint64_t *ends, uint64_t *start)
{
	const struct record *rec;
	size_t nr = 0;

	*start = UINT64_MAX;
	while ((rec = recording_next(file))) {
		ck_assert_uint_lt(rec->nr, NR_CUT_RECORDS);
		ends[rec->nr] = rec->file_offset + rec->size;
		if (rec->file_offset < *start)
			*start = rec->file_offset;
		nr++;
	}
	return nr;
}

struct cut {
	uint64_t start, ends[NR_CUT_RECORDS];
	size_t file_len;
};

/* The first @len bytes of the file, opened as @file. */
static void check_cut(const struct cut *cut, size_t len, struct perffile *file)
{
	uint64_t data_end = cut->ends[NR_CUT_RECORDS - 1], whole_end = cut->start;
	const struct perffile_counts *counts = perffile_counts(file);
	size_t whole = 0;

	while (whole < NR_CUT_RECORDS && cut->ends[whole] <= len)
		whole_end = cut->ends[whole++];
	ck_assert_uint_eq(recording_drain(file), whole);
	ck_assert_uint_eq(counts->damaged, 0);
	ck_assert_uint_eq(counts->truncated_bytes, len < data_end ? len - whole_end : 0);
	if (counts->truncated_bytes)
		ck_assert_uint_eq(counts->truncated_offset, whole_end);
	ck_assert_uint_eq(counts->missing_bytes, len < data_end ? data_end - len : 0);
	ck_assert((counts->missing_features > 0) == (len < cut->file_len));
	ck_assert(!counts->unfinished);
}

/* At each byte: an error while the header or the events are not whole, then every whole record. */
START_TEST(every_truncation)
{
	struct mkperf *m = new_cut_recording(_i);
	struct error err = {0};
	struct cut cut;
	const uint8_t *bytes = mkperf_finish(m, &cut.file_len);
	struct perffile *file = recording_open_bytes(bytes, cut.file_len, &err);

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(find_ends(file, cut.ends, &cut.start), NR_CUT_RECORDS);
	perffile_close(file);
	for (size_t len = 0; len <= cut.file_len; len++) {
		err = (struct error){0};
		file = recording_open_bytes(bytes, len, &err);
		ck_assert_msg((file != NULL) == (len >= cut.start), "cut at %zu: %s", len,
			      err.text);
		if (file)
			check_cut(&cut, len, file);
		else
			ck_assert(err.kind == ERROR_FORMAT && err.text[0]);
		perffile_close(file);
	}
	mkperf_free(m);
}
END_TEST

/* Zeros between records are stepped over; behind the last one, as a preallocated file has them,
 * they are cut off. */
START_TEST(zeros_at_the_end)
{
	static const uint8_t zeros[100];
	struct mkperf *m = new_recording(_i, PERF_SAMPLE_IP, MKPERF_ATTR_SAMPLE_ID_ALL);
	const struct perffile_counts *counts;
	struct perffile *file;
	uint64_t offset, end;

	mkperf_sample(m, &(struct mkperf_sample){.ip = 1});
	offset = mkperf_offset(m);
	mkperf_bytes(m, zeros, sizeof(zeros));
	for (uint64_t ip = 2; ip < 5; ip++)
		mkperf_sample(m, &(struct mkperf_sample){.ip = ip});
	end = mkperf_offset(m);
	mkperf_bytes(m, zeros, sizeof(zeros) / 2);
	file = recording_open(m);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_drain(file), 4);
	ck_assert_uint_eq(counts->damaged, 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_SIZE].records, 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_SIZE].bytes, sizeof(zeros));
	ck_assert_uint_eq(counts->damages[DAMAGE_SIZE].offset, offset);
	ck_assert_uint_eq(counts->truncated_bytes, sizeof(zeros) / 2);
	ck_assert_uint_eq(counts->truncated_offset, end);
	perffile_close(file);
}
END_TEST

/* A record that says it has fewer bytes than its header. */
START_TEST(sizes_below_a_header)
{
	for (uint16_t size = 0; size < 8; size++) {
		uint16_t header[4] = {1, 0, 0, size};
		struct mkperf *m = new_recording(false, PERF_SAMPLE_IP, 0);
		struct perffile *file;

		mkperf_sample(m, &(struct mkperf_sample){.ip = 1});
		mkperf_bytes(m, header, sizeof(header));
		mkperf_bytes(m, NULL, 8);
		file = recording_open(m);
		ck_assert_uint_eq(recording_drain(file), 1);
		ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 16);
		perffile_close(file);
	}
}
END_TEST

/* ---- damaged records ---- */

/* The least body of each type, a string being at least its NUL. */
static const struct {
	uint32_t type;
	size_t least; /* bytes behind the header */
	bool string;  /* ends in one */
} types[] = {
	{RECORD_MMAP, 33, true},
	{RECORD_LOST, 16, false},
	{RECORD_COMM, 9, true},
	{RECORD_EXIT, 24, false},
	{RECORD_THROTTLE, 24, false},
	{RECORD_UNTHROTTLE, 24, false},
	{RECORD_FORK, 24, false},
	{RECORD_MMAP2, 65, true},
	{RECORD_LOST_SAMPLES, 8, false},
	{RECORD_SAMPLE, 8, false},
	{RECORD_READ, 8, false},
	{RECORD_AUX, 24, false},
	{RECORD_ITRACE_START, 8, false},
	{RECORD_SWITCH, 0, false},
	{RECORD_SWITCH_CPU_WIDE, 8, false},
	{RECORD_KSYMBOL, 17, true},
	{RECORD_BPF_EVENT, 16, false},
	{RECORD_CGROUP, 9, true},
	{RECORD_AUX_OUTPUT_HW_ID, 8, false},
	{RECORD_AUXTRACE_INFO, 8, false},
	{RECORD_STAT, 40, false},
	{RECORD_STAT_ROUND, 16, false},
	{RECORD_EVENT_UPDATE, 16, false},
	{RECORD_TIME_CONV, 24, false},
	{RECORD_HEADER_EVENT_TYPE, 8, false},
};

enum { NR_TYPES = sizeof(types) / sizeof(types[0]) };

/* Between two good ones, which must be read whatever stands between them. */
START_TEST(too_short_for_their_type)
{
	uint8_t body[80];

	memset(body, 0x41, sizeof(body));
	for (size_t len = 0; len <= types[_i].least; len++) {
		struct mkperf *m = new_recording(false, PERF_SAMPLE_IP, 0);
		bool good = len == types[_i].least;
		struct perffile *file;
		uint64_t offset;

		mkperf_sample(m, &(struct mkperf_sample){.ip = 1});
		offset = mkperf_offset(m);
		if (types[_i].string && good)
			body[len - 1] = 0;
		mkperf_record(m, types[_i].type, 0, body, len);
		mkperf_sample(m, &(struct mkperf_sample){.ip = 2});
		file = recording_open(m);
		ck_assert_uint_eq(recording_next(file)->sample.ip, 1);
		if (good)
			ck_assert_uint_eq(recording_next(file)->type, types[_i].type);
		ck_assert_uint_eq(recording_next(file)->sample.ip, 2);
		ck_assert_ptr_null(recording_next(file));
		ck_assert_uint_eq(perffile_counts(file)->damaged, !good);
		ck_assert_uint_eq(perffile_counts(file)->damaged_offset, good ? 0 : offset);
		perffile_close(file);
	}
}
END_TEST

START_TEST(strings_without_end)
{
	static const uint32_t string_types[] = {RECORD_MMAP, RECORD_MMAP2, RECORD_COMM};
	struct mkperf *m = new_recording(_i, PERF_SAMPLE_IP, 0);
	uint8_t body[200];
	struct perffile *file;

	memset(body, 'x', sizeof(body));
	for (size_t i = 0; i < 3; i++)
		mkperf_record(m, string_types[i], 0, body, sizeof(body));
	mkperf_sample(m, &(struct mkperf_sample){.ip = 2});
	file = recording_open(m);
	ck_assert_uint_eq(recording_next(file)->sample.ip, 2);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damaged, 3);
	perffile_close(file);
}
END_TEST

/* Those of which more than the record itself is read: test_stream.c's subject. */
static bool holds_or_trails(uint32_t type)
{
	return type == RECORD_HEADER_TRACING_DATA || type == RECORD_AUXTRACE ||
	       type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2;
}

/* Any bytes as a record of any type: an answer for each, and the good one behind is read. */
START_TEST(random_bodies)
{
	uint64_t state = (uint64_t)_i * 2 + 1;
	struct mkperf *m =
		new_recording(_i & 1, (uint64_t)_i * 2654435761 % (1 << 24) | PERF_SAMPLE_TIME,
			      _i & 2 ? MKPERF_ATTR_SAMPLE_ID_ALL : 0);
	const struct record *rec;
	struct perffile *file;
	size_t nr = 0;

	for (unsigned i = 0; i < 2000; i++) {
		uint64_t body[16];

		for (unsigned k = 0; k < 16; k++) {
			state = state * 6364136223846793005 + 1442695040888963407;
			body[k] = state >> (state >> 59);
		}
		mkperf_record(m, holds_or_trails(i % 100) ? 99 : i % 100, (uint16_t)state, body,
			      state >> 33 & 0x7f);
	}
	file = recording_open(m);
	while ((rec = recording_next(file)))
		nr++;
	ck_assert_uint_eq(nr + perffile_counts(file)->damaged, 2000);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

/* ---- damaged features ---- */

/* What they would have told is lost, the records are not. */
START_TEST(event_desc_that_lies)
{
	static const uint32_t words[][5] = {
		{UINT32_MAX, 128, 0, 0, 0}, {1, UINT32_MAX, 0, 0, 0}, {1, 0, 0, UINT32_MAX, 65},
		{1, 0, UINT32_MAX, 1, 65},  {0, 0, 0, 0, 0},
	};
	struct mkperf *m = new_recording(_i & 1, PERF_SAMPLE_IP, 0);
	struct perffile *file;

	mkperf_sample(m, &(struct mkperf_sample){.ip = 2});
	mkperf_feature_begin(m, MKPERF_EVENT_DESC);
	for (unsigned i = 0; i < 5; i++)
		mkperf_u32(m, words[_i / 2][i]);
	mkperf_feature_end(m);
	file = recording_open(m);
	ck_assert_str_eq(perffile_event(file, 0)->name, "cpu-clock");
	ck_assert_uint_eq(recording_drain(file), 1);
	perffile_close(file);
}
END_TEST

START_TEST(build_ids_that_lie)
{
	static const uint16_t sizes[] = {0, 7, 8, 12, 35, 36, 200, 65535};
	struct mkperf *m = new_recording(false, PERF_SAMPLE_IP, 0);
	struct perffile *file;

	mkperf_sample(m, &(struct mkperf_sample){.ip = 2});
	mkperf_build_id(m, PERF_RECORD_MISC_USER, 0, (const uint8_t *)"id", 2, "/good");
	mkperf_feature_begin(m, MKPERF_BUILD_ID);
	mkperf_u32(m, 0);
	mkperf_u16(m, 1 << 15);
	mkperf_u16(m, sizes[_i]);
	mkperf_bytes(m, "\xff\xff\xff\xff", 4);
	mkperf_bytes(m, "0123456789abcdefghij\xff\0\0", 24); /* more bytes than an id can have */
	mkperf_feature_end(m);
	file = recording_open(m);
	ck_assert_uint_ge(perffile_nr_build_ids(file), 1);
	ck_assert_str_eq(perffile_build_ids(file)[0].filename, "/good");
	for (size_t i = 0; i < perffile_nr_build_ids(file); i++)
		ck_assert_uint_le(perffile_build_ids(file)[i].id.len, 20);
	ck_assert_uint_eq(recording_drain(file), 1);
	perffile_close(file);
}
END_TEST

/* The kernel's own counts may add up to more than fits. */
START_TEST(lost_does_not_wrap)
{
	struct mkperf *m = new_recording(false, PERF_SAMPLE_IP, 0);
	struct perffile *file;

	mkperf_lost(m, NULL, 1, UINT64_MAX - 1);
	mkperf_lost(m, NULL, 1, 5);
	file = recording_open(m);
	ck_assert_uint_eq(recording_drain(file), 2);
	ck_assert_uint_eq(perffile_counts(file)->lost, UINT64_MAX);
	perffile_close(file);
}
END_TEST

static TCase *record_tests(void)
{
	TCase *tcase = tcase_create("records");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, too_short_for_their_type, 0, NR_TYPES);
	tcase_add_loop_test(tcase, strings_without_end, 0, 2);
	tcase_add_loop_test(tcase, random_bodies, 0, 20);
	tcase_add_loop_test(tcase, event_desc_that_lies, 0, 10);
	tcase_add_loop_test(tcase, build_ids_that_lie, 0, 8);
	tcase_add_test(tcase, lost_does_not_wrap);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("damaged");
	TCase *tcase = tcase_create("files");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, not_a_recording);
	tcase_add_loop_test(tcase, bent_headers, 0, sizeof(bends) / sizeof(bends[0]));
	tcase_add_test(tcase, bent_attr);
	tcase_add_loop_test(tcase, every_byte_bent, 0, 10);
	tcase_add_loop_test(tcase, events_described_again, 0,
			    2 * sizeof(bent_events) / sizeof(bent_events[0]));
	tcase_add_loop_test(tcase, ids_described_again, 0, 2);
	tcase_add_loop_test(tcase, events_described_nowhere, 0, 2);
	tcase_add_loop_test(tcase, table_among_others_like_it, 0, 6);
	tcase_add_loop_test(tcase, every_truncation, 0, 2);
	tcase_add_loop_test(tcase, zeros_at_the_end, 0, 2);
	tcase_add_test(tcase, sizes_below_a_header);
	suite_add_tcase(suite, tcase);
	suite_add_tcase(suite, record_tests());
	return suite_run(suite);
}
