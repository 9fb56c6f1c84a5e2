/*
 * The recording writer: its bytes against the format's tables, and its recordings against perf.
 *
 * Nothing of readperf's reader takes part: what both had wrong alike would not be seen otherwise.
 */
#include "tests/writer/mkperf.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- bytes ---- */

/* The bytes that a recording must have, put one field after the other. */
struct expected {
	uint8_t bytes[4096];
	size_t len;
	bool big; /* the byte order */
};

static void expect(struct expected *e, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned shift = 8 * (e->big ? width - 1 - i : i);

		e->bytes[e->len++] = (uint8_t)(value >> shift);
	}
}

static void expect_words(struct expected *e, const uint64_t *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		expect(e, 8, words[i]);
}

/* @text and zeros behind it, @len bytes in all: the bytes are zero from the start. */
static void expect_text(struct expected *e, const char *text, size_t len)
{
	memcpy(e->bytes + e->len, text, strlen(text) < len ? strlen(text) : len);
	e->len += len;
}

static void expect_record(struct expected *e, uint32_t type, uint16_t misc, uint16_t size)
{
	expect(e, 4, type);
	expect(e, 2, misc);
	expect(e, 2, size);
}

static void assert_bytes(struct mkperf *m, const struct expected *e)
{
	size_t len = 0;
	const uint8_t *bytes = mkperf_finish(m, &len);

	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < len && i < e->len; i++) {
		if (bytes[i] != e->bytes[i])
			ck_abort_msg("byte %zu is %#x, expected %#x", i, bytes[i], e->bytes[i]);
	}
	ck_assert_uint_eq(len, e->len);
}

static bool swap_for(bool big)
{
	return big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static const uint64_t one_id[] = {0x1122};

static const struct mkperf_event small_event = {
	.name = "e",
	.type = PERF_TYPE_SOFTWARE,
	.config = 2,
	.sample_period = 1000,
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	.read_format = PERF_FORMAT_ID,
	.flags = MKPERF_ATTR_SAMPLE_ID_ALL | MKPERF_ATTR_FREQ | 1 << 15, /* precise_ip 1 */
	.config1 = 0x55,
	.ids = one_id,
	.nr_ids = 1,
};

/* small_event in 64 bytes. */
static void expect_attr(struct expected *e)
{
	/* Each byte's bits reversed, and precise_ip's upper bit first. */
	static const uint8_t flags_little[8] = {0, 0x84, 0x04}, flags_big[8] = {0, 0x20, 0xa0};

	expect(e, 4, 1);
	expect(e, 4, 64);
	expect_words(e, (uint64_t[]){2, 1000, 6, 4}, 4);
	memcpy(e->bytes + e->len, e->big ? flags_big : flags_little, 8);
	e->len += 8;
	expect_words(e, (uint64_t[]){0, 0x55}, 2);
}

static void put_comm(struct mkperf *m)
{
	struct mkperf_id at = {.pid = 42, .tid = 43, .time = 7};

	mkperf_comm(m, &at, 0x2000, 42, 43, "sh");
}

static void expect_comm(struct expected *e)
{
	expect_record(e, 3, 0x2000, 40);
	expect(e, 4, 42);
	expect(e, 4, 43);
	expect_text(e, "sh", 8);
	expect(e, 4, 42);
	expect(e, 4, 43);
	expect(e, 8, 7);
}

START_TEST(file_in_both_orders)
{
	struct expected e = {.big = _i};
	struct mkperf_options options = {.swap = swap_for(e.big), .attr_size = 64};
	struct mkperf *m = mkperf_new(&options);

	mkperf_event(m, &small_event);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "h");
	ck_assert_uint_eq(mkperf_offset(m), 192);
	put_comm(m);
	ck_assert_uint_eq(mkperf_offset(m), 232);

	expect_text(&e, e.big ? "2ELIFREP" : "PERFILE2", 8);
	expect_words(&e, (uint64_t[]){104, 80, 112, 80, 192, 40, 0, 0}, 8);
	expect_words(&e, (uint64_t[]){1 << 3, 0, 0, 0}, 4); /* HOSTNAME */
	expect(&e, 8, 0x1122);
	expect_attr(&e);
	expect_words(&e, (uint64_t[]){104, 8}, 2);
	expect_comm(&e);
	expect_words(&e, (uint64_t[]){248, 68}, 2);
	expect(&e, 4, 64);
	expect_text(&e, "h", 64);
	assert_bytes(m, &e);
	mkperf_free(m);
}
END_TEST

/* In a pipe: ATTR, EVENT_UPDATE, FEATURE, BUILD_ID are records, and there is nothing else. */
START_TEST(pipe_in_both_orders)
{
	static const uint8_t id[] = {1, 2, 3};
	struct expected e = {.big = _i};
	struct mkperf_options options = {.swap = swap_for(e.big), .pipe = true, .attr_size = 64};
	struct mkperf *m = mkperf_new(&options);

	mkperf_event(m, &small_event);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "h");
	mkperf_build_id(m, PERF_RECORD_MISC_USER, -1, id, sizeof(id), "/x");
	put_comm(m);
	mkperf_round(m);

	expect_text(&e, e.big ? "2ELIFREP" : "PERFILE2", 8);
	expect(&e, 8, 16);
	expect_record(&e, 64, 0, 80);
	expect_attr(&e);
	expect(&e, 8, 0x1122);
	expect_record(&e, 78, 0, 32);
	expect_words(&e, (uint64_t[]){2, 0x1122}, 2);
	expect_text(&e, "e", 8);
	expect_record(&e, 80, 0, 84);
	expect(&e, 8, 3);
	expect(&e, 4, 64);
	expect_text(&e, "h", 64);
	expect_record(&e, 67, 0x8002, 100);
	expect(&e, 4, 0xffffffff);
	expect_text(&e, "\1\2\3", 20);
	expect_text(&e, "\3", 4);
	expect_text(&e, "/x", 64);
	expect_comm(&e);
	expect_record(&e, 68, 0, 8);
	assert_bytes(m, &e);
	mkperf_free(m);
}
END_TEST

/* The attr is cut or padded, and padding between it and its ids moves the ids' place only. */
START_TEST(attr_sizes)
{
	static const uint32_t sizes[] = {64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct mkperf_options options = {.attr_size = sizes[i], .attr_padding = 8};
		struct mkperf *m = mkperf_new(&options);
		const uint8_t *bytes;
		uint64_t words[13], attr[8], place[2];
		size_t len;

		mkperf_event(m, &small_event);
		bytes = mkperf_finish(m, &len);
		ck_assert_uint_eq(len, 104 + 8 + sizes[i] + 8 + 16);
		memcpy(words, bytes, sizeof(words));
		memcpy(attr, bytes + 112, sizeof(attr));
		memcpy(place, bytes + len - 16, sizeof(place));
		ck_assert_uint_eq(words[2], sizes[i] + 8 + 16);
		ck_assert_uint_eq(attr[1], 2);
		ck_assert_uint_eq(attr[7], 0x55);
		ck_assert(place[0] == 104 && place[1] == 8);
		mkperf_free(m);
	}
}
END_TEST

/* As a killed recorder leaves it: no data size, no features. */
START_TEST(unfinished)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.unfinished = true});
	uint64_t words[13];
	const uint8_t *bytes;
	size_t len;

	mkperf_event(m, &small_event);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "h");
	put_comm(m);
	bytes = mkperf_finish(m, &len);
	memcpy(words, bytes, sizeof(words));
	ck_assert_uint_eq(words[6], 0);
	ck_assert_uint_eq(words[9], 0);
	ck_assert_uint_eq(len, words[5] + 40);
	mkperf_free(m);
}
END_TEST

static void put_named(struct mkperf *m, const char *comm)
{
	mkperf_comm(m, NULL, 0, 1, 1, comm);
}

/* What was written to the files of a directory lies behind each other, by the files' numbers, but
 * for those of a file that is lost. */
START_TEST(joined_files)
{
	struct mkperf *joined = mkperf_new(NULL), *plain = mkperf_new(NULL);
	const uint8_t *bytes, *expected;
	size_t len, expected_len;

	mkperf_event(joined, &small_event);
	mkperf_event(plain, &small_event);
	mkperf_stream(joined, 2);
	put_named(joined, "third");
	mkperf_stream(joined, 0);
	put_named(joined, "first");
	mkperf_stream(joined, 1);
	put_named(joined, "second");
	mkperf_stream(joined, 3);
	put_named(joined, "lost");
	mkperf_join(joined, 1 << 3);
	put_named(joined, "fourth");
	put_named(plain, "first");
	put_named(plain, "second");
	put_named(plain, "third");
	put_named(plain, "fourth");
	bytes = mkperf_finish(joined, &len);
	expected = mkperf_finish(plain, &expected_len);
	ck_assert_uint_eq(len, expected_len);
	ck_assert_mem_eq(bytes, expected, len);
	mkperf_free(joined);
	mkperf_free(plain);
}
END_TEST

/* PERFFILE: the magic is the same bytes in both orders, names stand behind the attrs. */
START_TEST(first_version)
{
	struct mkperf *m =
		mkperf_new(&(struct mkperf_options){.swap = _i, .v1 = true, .attr_size = 64});
	struct mkperf_event event = {.name = "alpha", .config = 7, .sample_type = 1};
	const uint8_t *bytes;
	uint64_t words[13], config;
	size_t len;

	mkperf_event(m, &event);
	mkperf_sample(m, &(struct mkperf_sample){.ip = 1});
	ck_assert_uint_eq(mkperf_offset(m), 104 + 80 + 72 + 16);
	bytes = mkperf_finish(m, &len);
	ck_assert_uint_eq(len, 104 + 80 + 72 + 16);
	ck_assert_mem_eq(bytes, "PERFFILE", 8);
	memcpy(words, bytes, sizeof(words));
	memcpy(&config, bytes + 104 + 80, sizeof(config));
	for (unsigned i = 0; i < 13 && _i; i++)
		words[i] = __builtin_bswap64(words[i]);
	ck_assert_uint_eq(_i ? __builtin_bswap64(config) : config, 7);
	ck_assert_str_eq((const char *)bytes + 104 + 80 + 8, "alpha");
	ck_assert(words[1] == 104 && words[2] == 80 && words[3] == 104 && words[4] == 80);
	ck_assert(words[5] == 104 + 80 + 72 && words[6] == 16);
	ck_assert(words[7] == 104 + 80 && words[8] == 72);
	mkperf_free(m);
}
END_TEST

/* The bitmap of a 32-bit writer: each 4 bytes in its byte order. */
START_TEST(bitmap_of_32_bits)
{
	struct mkperf *m = mkperf_new(
		&(struct mkperf_options){.swap = swap_for(true), .long32 = true, .attr_size = 64});
	struct mkperf_event event = {.sample_type = 1};
	static const uint8_t bitmap[] = {0, 0, 0, 1 << 3, 0, 0, 0, 1 << 2};
	const uint8_t *bytes;
	size_t len;

	mkperf_event(m, &event);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "h");
	mkperf_feature_begin(m, 34);
	mkperf_feature_end(m);
	bytes = mkperf_finish(m, &len);
	ck_assert_mem_eq(bytes + 72, bitmap, sizeof(bitmap));
	mkperf_free(m);
}
END_TEST

START_TEST(impossible_requests)
{
	static const uint8_t big[65536];
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.attr_size = 56});
	size_t len;

	ck_assert_ptr_null(mkperf_finish(m, &len));
	mkperf_free(m);
	m = mkperf_new(NULL);
	mkperf_record(m, 99, 0, big, sizeof(big) - 8);
	ck_assert_ptr_null(mkperf_finish(m, &len));
	ck_assert(!mkperf_save(m, "/dev/null"));
	mkperf_free(m);
	m = mkperf_new(NULL);
	mkperf_round(m);
	mkperf_event(m, &small_event); /* too late: the data has begun */
	ck_assert_ptr_null(mkperf_finish(m, &len));
	mkperf_free(m);
}
END_TEST

/* ---- perf itself ---- */

static struct scratch_path dir, data;

static void make_scratch(void)
{
	dir = scratch_make();
	data = scratch_join(dir.text, "perf.data");
}

static void remove_scratch(void)
{
	scratch_remove(dir.text);
}

/* What `perf ARGUMENTS -i FILE` prints, errors included; the caller frees it. */
static char *perf_output(const char *arguments)
{
	char command[512], *text = NULL;
	size_t len = 0, room = 1 << 20;
	FILE *pipe;

	snprintf(command, sizeof(command), "perf %s -i '%s' 2>&1 </dev/null", arguments, data.text);
	pipe = popen(command, "r");
	text = malloc(room);
	ck_assert(pipe && text);
	len = fread(text, 1, room - 1, pipe);
	text[len] = '\0';
	pclose(pipe);
	return text;
}

static unsigned count(const char *text, const char *word)
{
	unsigned found = 0;

	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		found++;
	return found;
}

static void assert_counts(const char *text, const char *const *words, const unsigned *counts,
			  size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (count(text, words[i]) != counts[i])
			ck_abort_msg("perf shows \"%s\" %u times, expected %u", words[i],
				     count(text, words[i]), counts[i]);
	}
}

static const uint64_t ids_alpha[] = {11, 12}, ids_beta[] = {21, 22};

static const uint8_t build_id[20] = {1, 2, 3, 4, 5};
static const uint64_t ips[] = {PERF_CONTEXT_USER, 0x400100, 0x400200};

static const struct mkperf_mmap mapping = {
	.misc = PERF_RECORD_MISC_USER,
	.pid = 42,
	.tid = 42,
	.start = 0x400000,
	.len = 0x10000,
	.filename = "/opt/demo/demo",
	.build_id = build_id,
	.build_id_size = 20,
	.prot = 5,
	.flags = 2,
};

static void put_events(struct mkperf *m, uint64_t sample_type)
{
	struct mkperf_event event = {
		.name = "alpha",
		.type = PERF_TYPE_SOFTWARE,
		.sample_period = 1000,
		.sample_type = sample_type,
		.read_format = PERF_FORMAT_ID,
		.flags = MKPERF_ATTR_SAMPLE_ID_ALL | MKPERF_ATTR_FREQ,
		.ids = ids_alpha,
		.nr_ids = 2,
	};

	mkperf_event(m, &event);
	event.name = "beta";
	event.config = 1;
	event.ids = ids_beta;
	mkperf_event(m, &event);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "somehost");
	mkperf_feature_string(m, MKPERF_ARCH, "x86_64");
	mkperf_event_desc(m);
	mkperf_build_id(m, PERF_RECORD_MISC_USER, -1, build_id, 20, "/opt/demo/demo");
}

/* Alternately of each event; the periods tell them apart. */
static void put_ten_samples(struct mkperf *m)
{
	for (unsigned i = 0; i < 10; i++) {
		struct mkperf_sample sample = {
			.event = i % 2,
			.misc = PERF_RECORD_MISC_USER,
			.pid = 42,
			.tid = 42,
			.cpu = 1,
			.ip = 0x400100 + 16 * i,
			.time = 2000 + i,
			.addr = 0xadd,
			.stream_id = 11,
			.period = 100 + i,
			.ips = ips,
			.nr_ips = 3,
		};
		mkperf_sample(m, &sample);
	}
}

/* Ten samples, five of each event, and one or two of every other record. */
static void put_two_events(struct mkperf *m, uint64_t sample_type)
{
	struct mkperf_mmap map = mapping;
	struct mkperf_task task = {.pid = 43, .ppid = 42, .tid = 43, .ptid = 42, .time = 1000};
	struct mkperf_id at = {.pid = 42, .tid = 42, .cpu = 1, .time = 1000, .stream_id = 11};

	put_events(m, sample_type);
	mkperf_comm(m, NULL, 0, 42, 42, "demo");
	mkperf_mmap2(m, NULL, &map);
	map.filename = "/opt/demo/other";
	map.start = 0x800000;
	mkperf_mmap(m, NULL, &map);
	mkperf_fork(m, &at, &task);
	put_ten_samples(m);
	mkperf_round(m);
	at.time = 3000;
	mkperf_lost(m, &at, 11, 7);
	mkperf_lost_samples(m, &at, 0, 5);
	mkperf_throttle(m, &at, false, 11, 11);
	mkperf_throttle(m, &at, true, 11, 11);
	mkperf_throttle(m, &at, true, 11, 11);
	mkperf_exit(m, &at, &task);
	mkperf_round(m);
}

static void assert_perf_reads_two_events(void)
{
	static const char *const records[] = {
		"PERF_RECORD_SAMPLE(",
		"PERF_RECORD_COMM: demo:42/42",
		"PERF_RECORD_MMAP2 42/42:",
		"PERF_RECORD_MMAP 42/42:",
		"PERF_RECORD_FORK(43:43)",
		"PERF_RECORD_EXIT(43:43)",
		"PERF_RECORD_THROTTLE",
		"PERF_RECORD_UNTHROTTLE",
		"PERF_RECORD_LOST: id:11: lost:7",
		"PERF_RECORD_LOST_SAMPLES:",
		"PERF_RECORD_FINISHED_ROUND",
	};
	static const unsigned counts[] = {10, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2};
	static const char *const totals[] = {
		"Samples: 5  of event 'alpha'", "Event count (approx.): 520",
		"Samples: 5  of event 'beta'", "Event count (approx.): 525"};
	static const unsigned once[] = {1, 1, 1, 1};
	char *text = perf_output("script -D");

	assert_counts(text, records, counts, sizeof(counts) / sizeof(counts[0]));
	free(text);
	text = perf_output("report --stdio -g none");
	assert_counts(text, totals, once, sizeof(once) / sizeof(once[0]));
	free(text);
	text = perf_output("buildid-list");
	ck_assert_uint_eq(count(text, "0102030405000000000000000000000000000000 /opt/demo/demo"),
			  1);
	free(text);
}

/* The id first and last, or where sample_type puts it. */
static const uint64_t id_types[] = {PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_ID};

#define COMMON_TYPE                                                               \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CALLCHAIN)

/* _i: bit 0 the byte order, bit 1 where the id is, then the attr's size. */
START_TEST(perf_reads_the_file)
{
	static const uint32_t sizes[] = {64, 96, 112, 128};
	struct mkperf_options options = {.swap = _i & 1, .attr_size = sizes[_i >> 2]};
	struct mkperf *m = mkperf_new(&options);

	put_two_events(m, COMMON_TYPE | id_types[_i >> 1 & 1]);
	ck_assert(mkperf_save(m, data.text));
	mkperf_free(m);
	assert_perf_reads_two_events();
}
END_TEST

/*
 * perf wants something to come out of each container, so no flush is cut. _i: bit 0 the byte order,
 * bit 1 a flush for each byte, bit 2 records that go on behind a round.
 */
START_TEST(perf_reads_the_compressed_file)
{
	struct mkperf_options options = {.swap = _i & 1,
					 .packing = {.type = MKPERF_RECORD_COMPRESSED,
						     .flush = _i & 2 ? 1 : 100,
						     .straddle = _i & 4}};
	struct mkperf *m = mkperf_new(&options);

	put_two_events(m, COMMON_TYPE | PERF_SAMPLE_IDENTIFIER);
	mkperf_feature_begin(m, MKPERF_COMPRESSED);
	mkperf_u32(m, 1); /* version */
	mkperf_u32(m, 1); /* zstd */
	mkperf_u32(m, 1); /* level */
	mkperf_u32(m, 2); /* ratio */
	mkperf_u32(m, 1 << 20);
	mkperf_feature_end(m);
	ck_assert(mkperf_save(m, data.text));
	mkperf_free(m);
	assert_perf_reads_two_events();
}
END_TEST

/* perf has no names for it: it looks at EVENT_DESC, which is there as well. */
START_TEST(perf_reads_the_first_version)
{
	static const uint32_t sizes[] = {64, 72, 80, 96, 104};
	struct mkperf_options options = {.v1 = true, .attr_size = sizes[_i]};
	struct mkperf *m = mkperf_new(&options);

	put_two_events(m, COMMON_TYPE | PERF_SAMPLE_ID);
	ck_assert(mkperf_save(m, data.text));
	mkperf_free(m);
	assert_perf_reads_two_events();
}
END_TEST

/* perf takes the ids of a swapped ATTR record from a wrong place unless its size is perf's own. */
START_TEST(perf_reads_the_pipe)
{
	static const uint32_t sizes[] = {64, 112, 128};
	struct mkperf_options options = {.pipe = true, .attr_size = sizes[_i]};
	struct mkperf *m = mkperf_new(&options);

	put_two_events(m, COMMON_TYPE | PERF_SAMPLE_IDENTIFIER);
	ck_assert(mkperf_save(m, data.text));
	mkperf_free(m);
	assert_perf_reads_two_events();
}
END_TEST

static const uint64_t regs[20] = {1, 2, 3};
static const struct mkperf_branch branches[] = {{0x40, 0x41, 2}, {0x42, 0x43, 1}};

static const struct mkperf_sample full_sample = {
	.misc = PERF_RECORD_MISC_USER,
	.ip = 0x400100,
	.time = 2000,
	.period = 100,
	.read = (const uint64_t[]){99, 5, 11},
	.nr_read = 3,
	.ips = ips,
	.nr_ips = 3,
	.raw = "twelve bytes",
	.raw_size = 12,
	.branches = branches,
	.nr_branches = 2,
	.hw_idx = 7,
	.regs_user_abi = 2,
	.regs_user = regs,
	.regs_intr_abi = 2,
	.regs_intr = regs,
	.stack = "sixteen bytes...",
	.stack_size = 16,
	.stack_dyn_size = 8,
	.weight = 9,
	.data_src = 0x68100142,
	.transaction = 4,
	.phys_addr = 0xf00d,
	.cgroup = 6,
	.data_page_size = 4096,
	.code_page_size = 8192,
	.aux = "8 bytes.",
	.aux_size = 8,
};

/* A sample with every field that there is; perf shows those behind the ones of variable length. */
START_TEST(perf_reads_every_sample_field)
{
	static const char *const shown[] = {
		"PERF_RECORD_SAMPLE(",
		"FP chain: nr:3",
		"branch stack: nr:2",
		"mask 0x3f ABI 64-bit",
		"mask 0x101 ABI",
		"ustack: size 8",
		"weight: 9",
		"phys_addr: 0xf00d",
		"code page size: 8K",
		"transaction: 4",
		"id 000000000000000b, value 0000000000000063",
	};
	static const unsigned once[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	struct mkperf_event event = {
		.name = "alpha",
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = (1 << 24) - 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_ID,
		.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
		.branch_sample_type = _i ? 1 << 17 : 0, /* hw_idx */
		.sample_regs_user = 0x3f,
		.sample_regs_intr = 0x101,
		.ids = ids_alpha,
		.nr_ids = 1,
	};
	struct mkperf *m = mkperf_new(NULL);
	char *text;

	mkperf_event(m, &event);
	mkperf_feature_string(m, MKPERF_ARCH, "x86_64");
	mkperf_sample(m, &full_sample);
	ck_assert(mkperf_save(m, data.text));
	mkperf_free(m);
	text = perf_output("script -D");
	assert_counts(text, shown, once, sizeof(once) / sizeof(once[0]));
	free(text);
}
END_TEST

static bool perf_works(void)
{
	int status = system("perf --version >/dev/null 2>&1");

	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static TCase *perf_tests(void)
{
	TCase *tcase = tcase_create("perf");

	tcase_set_timeout(tcase, 120);
	tcase_add_unchecked_fixture(tcase, make_scratch, remove_scratch);
	tcase_add_loop_test(tcase, perf_reads_the_file, 0, 16);
	tcase_add_loop_test(tcase, perf_reads_the_compressed_file, 0, 8);
	tcase_add_loop_test(tcase, perf_reads_the_first_version, 0, 5);
	tcase_add_loop_test(tcase, perf_reads_the_pipe, 0, 3);
	tcase_add_loop_test(tcase, perf_reads_every_sample_field, 0, 2);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("mkperf");
	TCase *tcase = tcase_create("bytes");

	tcase_add_loop_test(tcase, file_in_both_orders, 0, 2);
	tcase_add_loop_test(tcase, pipe_in_both_orders, 0, 2);
	tcase_add_test(tcase, attr_sizes);
	tcase_add_test(tcase, unfinished);
	tcase_add_test(tcase, joined_files);
	tcase_add_loop_test(tcase, first_version, 0, 2);
	tcase_add_test(tcase, bitmap_of_32_bits);
	tcase_add_test(tcase, impossible_requests);
	suite_add_tcase(suite, tcase);
	if (perf_works())
		suite_add_tcase(suite, perf_tests());
	else
		puts("mkperf: perf is not installed: its view of the recordings is not tested");
	return suite_run(suite);
}
