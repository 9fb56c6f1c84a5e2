/* Arm SPE traces: packets, records, where data was, whose operations they are, and damage. */
#include "decode/answer/memoryaccess.h"
#include "decode/trace/speinfo.h"
#include "decode/trace/spepacket.h"
#include "decode/trace/sperecord.h"
#include "decode/trace/spesource.h"
#include "tests/support/answers.h"
#include "tests/support/replaying.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define N2	 UINT64_C(0x410fd490)
#define HIP12	 UINT64_C(0x480fd060)
#define AMPERE1A UINT64_C(0xc00fac40)

enum { TEXT_MAX = 4000, STREAM_MAX = 1000 };

/* ---- packets ---- */

static const struct {
	const char *bytes;
	size_t len;
	struct spepacket packet;
} packets[] = {
	{"\0", 1, {SPEPACKET_PADDING, 0, 1, 0}},
	{"\1", 1, {SPEPACKET_END, 0, 1, 0}},
	{"\x71\1\2\3\4\5\6\7\x8", 9, {SPEPACKET_TIMESTAMP, 0, 9, 0x0807060504030201}},
	{"\x71\1\2\3\4\5\6\7", 8, {SPEPACKET_CUT, 0, 8, 0}},
	{"\x42\x12", 2, {SPEPACKET_EVENTS, 0, 2, 0x12}},
	{"\x52\x12\x34", 3, {SPEPACKET_EVENTS, 0, 3, 0x3412}},
	{"\x62\1\0\0\x80", 5, {SPEPACKET_EVENTS, 0, 5, 0x80000001}},
	{"\x72\1\0\0\0\0\0\0\x80", 9, {SPEPACKET_EVENTS, 0, 9, UINT64_C(1) << 63 | 1}},
	{"\x72\1\0\0\0\0\0\0", 8, {SPEPACKET_CUT, 0, 8, 0}},
	{"\x43\xe", 2, {SPEPACKET_SOURCE, 0, 2, 14}},
	{"\x53\xe\1", 3, {SPEPACKET_SOURCE, 0, 3, 0x10e}},
	{"\x64\1\2\0\0", 5, {SPEPACKET_CONTEXT, 0, 5, 0x201}},
	{"\x65\1\2\0\0", 5, {SPEPACKET_CONTEXT, 1, 5, 0x201}},
	{"\x48\5", 2, {SPEPACKET_OPERATION, 0, 2, 5}},
	{"\x49\5", 2, {SPEPACKET_OPERATION, 1, 2, 5}},
	{"\x4a\5", 2, {SPEPACKET_OPERATION, 2, 2, 5}},
	{"\xb0\1\0\0\0\0\0\0\xc0", 9, {SPEPACKET_ADDRESS, 0, 9, UINT64_C(0xc0) << 56 | 1}},
	{"\xb4\1\0\0\0\0\0\0\0", 9, {SPEPACKET_ADDRESS, 4, 9, 1}},
	{"\xb4\1\0\0\0\0\0\0", 8, {SPEPACKET_CUT, 0, 8, 0}},
	{"\x98\1\2", 3, {SPEPACKET_COUNTER, 0, 3, 0x201}},
	{"\x9a\1\2", 3, {SPEPACKET_COUNTER, 2, 3, 0x201}},
	{"\x9a\1", 2, {SPEPACKET_CUT, 0, 2, 0}},
	/* extended: a second byte, and more of the index */
	{"\x21\x99\1\2", 4, {SPEPACKET_COUNTER, 9, 4, 0x201}},
	{"\x23\xb7\1\0\0\0\0\0\0\0", 10, {SPEPACKET_ADDRESS, 31, 10, 1}},
	{"\x23\xb7\1\0\0\0\0\0\0", 9, {SPEPACKET_CUT, 0, 9, 0}},
	{"\x21\x71\1\0\0\0\0\0\0\0", 10, {SPEPACKET_BAD, 0, 1, 0}},
	{"\x21", 1, {SPEPACKET_CUT, 0, 1, 0}},
	/* up to a multiple of 2, 4, 8, 16 */
	{"\x20\0", 2, {SPEPACKET_PADDING, 0, 2, 0}},
	{"\x21\0\0\0", 4, {SPEPACKET_PADDING, 0, 4, 0}},
	{"\x22\0\0\0\0\0\0\0", 8, {SPEPACKET_PADDING, 0, 8, 0}},
	{"\x23\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, {SPEPACKET_PADDING, 0, 16, 0}},
	{"\x22\0\0\0\0\0\0", 7, {SPEPACKET_CUT, 0, 7, 0}},
	{"\xff\1", 2, {SPEPACKET_BAD, 0, 1, 0}},
	{"\x02\1", 2, {SPEPACKET_BAD, 0, 1, 0}},
	{"\x4c\1", 2, {SPEPACKET_BAD, 0, 1, 0}},
};

START_TEST(packet)
{
	const struct spepacket got =
		spepacket_read((const uint8_t *)packets[_i].bytes, packets[_i].len, 0);

	ck_assert_int_eq(got.kind, packets[_i].packet.kind);
	ck_assert_uint_eq(got.size, packets[_i].packet.size);
	if (got.kind == SPEPACKET_CUT || got.kind == SPEPACKET_BAD)
		return;
	ck_assert_uint_eq(got.index, packets[_i].packet.index);
	ck_assert_uint_eq(got.value, packets[_i].packet.value);
}
END_TEST

START_TEST(alignment_counts_from_the_buffers_start)
{
	const uint8_t bytes[16] = {0x22};

	ck_assert_uint_eq(spepacket_read(bytes, sizeof(bytes), 5).size, 3);
	ck_assert_uint_eq(spepacket_read(bytes, sizeof(bytes), 8).size, 8);
	ck_assert_int_eq(spepacket_read(bytes, sizeof(bytes), 5).kind, SPEPACKET_PADDING);
}
END_TEST

/* ---- records ---- */

/* A trace that is being written. */
struct stream {
	uint8_t bytes[STREAM_MAX];
	size_t len;
};

static void put(struct stream *to, uint8_t header, uint64_t value, size_t size)
{
	ck_assert_uint_le(to->len + 1 + size, STREAM_MAX);
	to->bytes[to->len++] = header;
	for (size_t i = 0; i < size; i++)
		to->bytes[to->len++] = (uint8_t)(value >> 8 * i);
}

static void put_address(struct stream *to, unsigned index, uint64_t address)
{
	put(to, (uint8_t)(0xb0 | index), address, 8);
}

/* A load at @ip; 33 bytes. */
static void put_load(struct stream *to, uint64_t ip, uint64_t time)
{
	put_address(to, 0, ip);
	put(to, 0x49, 0, 1);
	put(to, 0x52, SPE_RETIRED | SPE_L1D_ACCESS, 2);
	put(to, 0x98, 9, 2);
	put(to, 0x64, 5, 4);
	put(to, 0x43, 8, 1);
	put(to, 0x71, time, 8);
}

enum { LOAD_BYTES = 9 + 2 + 3 + 3 + 5 + 2 + 9 };

START_TEST(whole_record)
{
	struct stream to = {0};
	struct spereader reader = {.bytes = to.bytes};
	struct sperecord record;
	size_t bytes;

	put(&to, 0, 0, 3);
	put_address(&to, 0, UINT64_C(0xc0ff800008081000)); /* EL2, normal world */
	put_address(&to, 1, UINT64_C(0x0000000000401000));
	put_address(&to, 2, UINT64_C(0xb4fff00000000040)); /* a tag */
	put_address(&to, 3, UINT64_C(0x8000000012345678));
	put_address(&to, 4, UINT64_C(0xa000000000401004)); /* EL1 */
	put(&to, 0x65, 77, 4);
	put(&to, 0x4a, 3, 1);
	put(&to, 0x62, SPE_MISPREDICTED | SPE_L2_MISS, 4);
	put(&to, 0x98, 0xffff, 2);
	put(&to, 0x99, 4, 2);
	put(&to, 0x9b, 6, 2); /* a counter that is not known */
	put(&to, 1, 0, 0);
	reader.size = to.len;
	ck_assert_int_eq(sperecord_next(&reader, &record, &bytes), SPERECORD_WHOLE);
	ck_assert_uint_eq(bytes, to.len - 4);
	ck_assert_uint_eq(record.has, SPE_HAS_IP | SPE_HAS_TARGET | SPE_HAS_DATA |
					      SPE_HAS_PHYSICAL | SPE_HAS_PREVIOUS |
					      SPE_HAS_CONTEXT | SPE_HAS_OPERATION);
	ck_assert_uint_eq(record.ip, UINT64_C(0xffff800008081000));
	ck_assert_uint_eq(record.target, 0x401000);
	ck_assert_uint_eq(record.data, UINT64_C(0xfffff00000000040));
	ck_assert_uint_eq(record.physical, 0x12345678);
	ck_assert_uint_eq(record.previous, UINT64_C(0xff00000000401004));
	ck_assert(record.context == 77 && record.class == SPE_CLASS_BRANCH);
	ck_assert_uint_eq(record.operation, 3);
	ck_assert_uint_eq(record.events, SPE_MISPREDICTED | SPE_L2_MISS);
	ck_assert_uint_eq(record.has_latency, 3);
	ck_assert(record.latency[0] == 0xffff && record.latency[1] == 4);
	ck_assert_int_eq(sperecord_next(&reader, &record, &bytes), SPERECORD_END);
}
END_TEST

/* Counts what is in @bytes: number and sum of bytes of each enum sperecord_found. */
static void count_found(const uint8_t *bytes, size_t size, unsigned nr[4], size_t sum[4])
{
	struct spereader reader = {.bytes = bytes, .size = size};
	enum sperecord_found found;
	struct sperecord record;
	size_t of_one;

	memset(nr, 0, 4 * sizeof(*nr));
	memset(sum, 0, 4 * sizeof(*sum));
	while ((found = sperecord_next(&reader, &record, &of_one)) != SPERECORD_END) {
		nr[found]++;
		sum[found] += of_one;
	}
	ck_assert_uint_eq(reader.at, size);
}

/* Wherever a trace ends, the records before are whole, and the one that is cut is told. */
START_TEST(cut_anywhere)
{
	struct stream to = {0};
	unsigned nr[4];
	size_t sum[4];

	for (unsigned i = 0; i < 4; i++)
		put_load(&to, 0x400000 + i, i);
	ck_assert_uint_eq(to.len, 4 * LOAD_BYTES);
	for (size_t end = 0; end <= to.len; end++) {
		count_found(to.bytes, end, nr, sum);
		ck_assert_uint_eq(nr[SPERECORD_WHOLE], end / LOAD_BYTES);
		ck_assert_uint_eq(nr[SPERECORD_CUT], end % LOAD_BYTES != 0);
		ck_assert_uint_eq(sum[SPERECORD_CUT], end % LOAD_BYTES);
		ck_assert_uint_eq(nr[SPERECORD_DAMAGED], 0);
	}
	/* It begins anywhere: no more than the first record is lost. */
	for (size_t start = 0; start <= LOAD_BYTES; start++) {
		count_found(to.bytes + start, to.len - start, nr, sum);
		ck_assert_uint_ge(nr[SPERECORD_WHOLE], 3);
		ck_assert_uint_le(sum[SPERECORD_CUT] + sum[SPERECORD_DAMAGED], LOAD_BYTES);
	}
}
END_TEST

/* Bad bytes before a record leave it whole, those in it do not. */
START_TEST(bytes_that_are_no_packets)
{
	struct stream to = {0};
	unsigned nr[4];
	size_t sum[4];

	put(&to, 0xff, 0xffff, 2);
	put_load(&to, 0x400000, 1);
	put_load(&to, 0x400000, 2);
	to.bytes[3 + LOAD_BYTES + 9] = 0xff; /* instead of the class of the operation */
	put_load(&to, 0x400000, 3);
	count_found(to.bytes, to.len, nr, sum);
	ck_assert_uint_eq(nr[SPERECORD_WHOLE], 2);
	ck_assert_uint_eq(nr[SPERECORD_DAMAGED], 2);
	ck_assert_uint_eq(sum[SPERECORD_DAMAGED], 3 + LOAD_BYTES);
	ck_assert_uint_eq(nr[SPERECORD_CUT], 0);
}
END_TEST

/* ---- where data was ---- */

static const struct {
	uint64_t midr, events;
	int source; /* -1: none */
	unsigned operation;
	const char *words;
} sources[] = {
	{N2, 0, 0, 0, "load L1 none"},
	{N2, 0, 8, 0, "load L2 none"},
	{N2, 0, 9, 0, "load L2 peer peer"},
	{N2, 0, 10, 0, "load L3 peer peer"},
	{N2, 0, 11, 0, "load L3 hit"},
	{N2, 0, 12, 0, "load L3 peer peer"},
	{N2, 0, 13, 0, "load remote peer"},
	{N2, 0, 14, 0, "load RAM none"},
	{N2, SPE_REMOTE_ACCESS, 14, 0, "load remote RAM none"},
	{N2, SPE_L1D_ACCESS, 3, 0, "load L1 n/a"}, /* no such code: the events tell */
	{N2, SPE_L1D_ACCESS, 0x108, 0, "load L1 n/a"},
	{0x410fd0c0, 0, 14, 0, "load RAM none"},	    /* Neoverse N1 */
	{0x413fd400, 0, 14, 0, "load RAM none"},	    /* V1, another revision */
	{0x4e0f0100, 0, 14, 0, "load RAM none"},	    /* Olympus */
	{0x410fd410, SPE_L1D_ACCESS, 14, 0, "load L1 n/a"}, /* Cortex-A78: no codes */
	{0, 0, 14, 0, "load n/a n/a"},
	{AMPERE1A, 0, 0, 0, "load L2 peer peer"},
	{AMPERE1A, 0, 3, 0, "load L3 hit"},
	{AMPERE1A, 0, 5, 0, "load remote peer"},
	{AMPERE1A, 0, 7, 0, "load RAM none"},
	{AMPERE1A, 0, 8, 0, "load L1 none"},
	{AMPERE1A, 0, 9, 0, "load L2 none"},
	{HIP12, 0, 0, 0, "load L2 peer peer"},
	{HIP12, 0, 1, 0, "load L2 peer hitm"},
	{HIP12, 0, 3, 0, "load L3 hitm"},
	{HIP12, 0, 4, 0, "load L3 peer peer"},
	{HIP12, 0, 7, 0, "load remote cache hitm"},
	{HIP12, 0, 8, 0, "load RAM none"},
	{HIP12, 0, 9, 0, "load remote RAM n/a"},
	{HIP12, 0, 13, 0, "load I/O none"},
	{HIP12, 0, 17, 0, "load L2 hitm"},
	{HIP12, 0, 18, 0, "load L1 none"},
	/* Loads by events: the nearest hit, else the farthest miss. */
	{0, SPE_L1D_ACCESS, -1, 0, "load L1 n/a"},
	{0, SPE_L1D_ACCESS | SPE_L1D_MISS, -1, 0, "load miss L1 n/a"},
	{0, SPE_L1D_ACCESS | SPE_L1D_MISS | SPE_RECENTLY_FETCHED, -1, 0, "load LFB n/a"},
	{0, SPE_L1D_MISS | SPE_L2_ACCESS, -1, 0, "load L2 n/a"},
	{0, SPE_L1D_MISS | SPE_L2_ACCESS | SPE_L2_MISS | SPE_LLC_ACCESS, -1, 0, "load L3 n/a"},
	{0, SPE_L1D_MISS | SPE_L2_MISS | SPE_LLC_MISS, -1, 0, "load miss L3 n/a"},
	{0, SPE_L1D_MISS | SPE_L2_MISS, -1, 0, "load miss L2 n/a"},
	{0, SPE_REMOTE_ACCESS, -1, 0, "load remote n/a"},
	{0, SPE_L1D_MISS | SPE_DATA_SNOOPED, -1, 0, "load miss L1 hit"},
	{0, SPE_DATA_SNOOPED | SPE_DATA_MODIFIED, -1, 0, "load n/a hitm"},
	/* Stores: the farthest cache with an event; codes are those of loads. */
	{0, SPE_L1D_ACCESS | SPE_LLC_ACCESS, -1, 1, "store L3 n/a"},
	{N2, SPE_L1D_ACCESS | SPE_L1D_MISS, 14, 1, "store miss L1 n/a"},
	{0, SPE_RECENTLY_FETCHED, -1, 1, "store n/a n/a"},
};

START_TEST(source)
{
	const struct sperecord record = {
		.has = SPE_HAS_OPERATION | (sources[_i].source >= 0 ? SPE_HAS_SOURCE : 0),
		.class = SPE_CLASS_MEMORY,
		.operation = (uint8_t)sources[_i].operation,
		.events = sources[_i].events,
		.source = (uint64_t)sources[_i].source,
	};
	const struct speinfo_cpu cpu = {.midr = sources[_i].midr};
	struct memory_words words;
	char text[3 * MEMORY_WORD_MAX];

	memory_access_words(spesource_data_src(&record, &cpu), &words);
	snprintf(text, sizeof(text), "%s %s %s", words.op, words.source, words.snoop);
	ck_assert_str_eq(text, sources[_i].words);
	ck_assert_str_eq(words.tlb, "n/a");
	ck_assert_str_eq(words.locked, "no");
}
END_TEST

/* What only some processors tell is "none" only on these. */
START_TEST(source_by_what_the_cpu_tells)
{
	const struct speinfo_cpu cpu = {.event_filter = SPE_DATA_SNOOPED};
	struct sperecord record = {.has = SPE_HAS_OPERATION, .class = SPE_CLASS_MEMORY};
	struct memory_words words;

	record.events = SPE_TLB_ACCESS | SPE_TLB_WALK;
	memory_access_words(spesource_data_src(&record, &cpu), &words);
	ck_assert_str_eq(words.snoop, "none");
	ck_assert_str_eq(words.tlb, "walker miss");
	record.events = SPE_TLB_ACCESS;
	memory_access_words(spesource_data_src(&record, &cpu), &words);
	ck_assert_str_eq(words.tlb, "walker hit");
	record.class = SPE_CLASS_BRANCH;
	ck_assert_uint_eq(spesource_data_src(&record, &cpu), 0);
	record.class = SPE_CLASS_MEMORY;
	record.has = 0;
	ck_assert_uint_eq(spesource_data_src(&record, &cpu), 0);
}
END_TEST

/* ---- what the recording tells ---- */

static int read_info(struct speinfo *info, const uint64_t *words, size_t nr)
{
	const struct record_auxtrace_info record = {TRACE_ARM_SPE, span_make(words, 8 * nr, false)};

	speinfo_free(info);
	return speinfo_read(info, &record);
}

START_TEST(info)
{
	const uint64_t old[] = {8, 1};
	const uint64_t two[] = {2, 4, 8, 2, 77, 3, 4, N2, 8, 1024, 6, 77, 5, 4, N2, 9, 1024, 6};
	uint64_t other[18], more[20];
	struct speinfo got = {0};

	ck_assert_int_eq(read_info(&got, old, 2), 1);
	ck_assert(got.is_old && got.per_cpu && got.pmu == 8 && got.nr_cpus == 0);
	speinfo_set_cpuid(&got, "0x00000000410fd490");
	ck_assert_uint_eq(speinfo_of_cpu(&got, 3).midr, N2);
	ck_assert_int_eq(read_info(&got, two, 18), 1);
	ck_assert(!got.is_old && got.pmu == 8 && got.nr_cpus == 2);
	ck_assert_uint_eq(speinfo_of_cpu(&got, 5).event_filter, 6);
	ck_assert_uint_eq(speinfo_of_cpu(&got, UINT32_MAX).midr, N2); /* both are of a kind */
	memcpy(other, two, sizeof(two));
	other[14] = HIP12;
	ck_assert_int_eq(read_info(&got, other, 18), 1);
	ck_assert_uint_eq(speinfo_of_cpu(&got, 3).midr, N2);
	ck_assert_uint_eq(speinfo_of_cpu(&got, 5).midr, HIP12);
	ck_assert_uint_eq(speinfo_of_cpu(&got, UINT32_MAX).midr, 0);
	ck_assert_uint_eq(speinfo_of_cpu(&got, 4).midr, 0);
	/* A later version: a longer header. */
	memcpy(more, two, 4 * sizeof(*two));
	memcpy(more + 6, two + 4, 14 * sizeof(*two));
	more[0] = 3;
	more[1] = 6;
	ck_assert_int_eq(read_info(&got, more, 20), 1);
	ck_assert_uint_eq(speinfo_of_cpu(&got, 5).midr, N2);
	speinfo_free(&got);
}
END_TEST

/* Numbers that cannot be. */
START_TEST(info_that_lies)
{
	static const struct {
		unsigned word;
		uint64_t value;
		size_t nr;
	} lies[] = {
		{0, 2, 1},  {0, 2, 3},	{1, 3, 11},	     {1, UINT64_MAX, 11}, {1, 12, 11},
		{3, 0, 11}, {3, 2, 11}, {3, UINT64_MAX, 11}, {3, 1 << 16, 11},	  {3, 1, 7},
	};
	uint64_t words[] = {2, 4, 8, 1, 77, 3, 4, N2, 8, 1024, 6};
	struct speinfo got = {0};

	words[lies[_i].word] = lies[_i].value;
	ck_assert_int_eq(read_info(&got, words, lies[_i].nr), 0);
	ck_assert_uint_eq(got.nr_cpus, 0);
	speinfo_free(&got);
}
END_TEST

START_TEST(filters)
{
	char text[SPEINFO_FILTERS_MAX];
	struct attr attr = {.config = 1 | 2 | 1 << 16};

	speinfo_filters(&attr, text);
	ck_assert_str_eq(text, "");
	attr.config |= UINT64_C(3) << 33;
	attr.config2 = 0x1000 | 30;
	speinfo_filters(&attr, text);
	ck_assert_str_eq(text, "loads, stores, at least 30 cycles");
	attr = (struct attr){.config = UINT64_MAX, .config4 = 1, .config2 = 0xfff};
	speinfo_filters(&attr, text);
	ck_assert_str_eq(text, "branches, loads, stores, certain operations, certain events, at "
			       "least 4095 cycles");
}
END_TEST

/* ---- recordings ---- */

static struct mkperf *begin(uint64_t config)
{
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){.name = "arm_spe_0//",
					       .type = 8,
					       .config = config,
					       .sample_period = 1000,
					       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL});
	mkperf_event_desc(m);
	return m;
}

/* The clock has 40 ns a tick; the words are those of AUXTRACE_INFO. */
static void put_info(struct mkperf *m, const uint64_t *words, size_t nr)
{
	mkperf_begin(m, 79, 0);
	mkperf_u64(m, 0);
	mkperf_u64(m, 40);
	mkperf_u64(m, 0);
	mkperf_end(m);
	mkperf_begin(m, 70, 0);
	mkperf_u32(m, 4);
	mkperf_u32(m, 0);
	for (size_t i = 0; i < nr; i++)
		mkperf_u64(m, words[i]);
	mkperf_end(m);
}

static void put_process(struct mkperf *m, uint32_t pid, uint64_t time, const char *path)
{
	const struct mkperf_id id = {.pid = pid, .tid = pid, .time = time};
	const struct mkperf_mmap map = {.misc = PERF_RECORD_MISC_USER,
					.pid = pid,
					.tid = pid,
					.start = 0x400000,
					.len = 0x1000,
					.prot = 5,
					.ino = 1,
					.filename = path};

	mkperf_comm(m, &id, 0, pid, pid, path + 1);
	mkperf_mmap2(m, &id, &map);
}

static void put_aux(struct mkperf *m, uint64_t flags)
{
	mkperf_begin(m, PERF_RECORD_AUX, 0);
	mkperf_u64(m, 0);
	mkperf_u64(m, 8);
	mkperf_u64(m, flags);
	mkperf_trailer(m, &(struct mkperf_id){.cpu = 1, .time = 5000});
	mkperf_end(m);
}

static void put_piece(struct mkperf *m, const struct stream *stream, uint64_t offset, uint32_t cpu,
		      uint32_t tid)
{
	const size_t len = (stream->len + 7) & ~(size_t)7;

	mkperf_begin(m, MKPERF_RECORD_AUXTRACE, 0);
	mkperf_u64(m, len);
	mkperf_u64(m, offset);
	mkperf_u64(m, 0);
	mkperf_u32(m, cpu == UINT32_MAX ? 0 : cpu);
	mkperf_u32(m, tid);
	mkperf_u32(m, cpu);
	mkperf_u32(m, 0);
	mkperf_end(m);
	mkperf_payload(m, stream->bytes, len);
}

static void put_switch(struct mkperf *m, uint32_t cpu, uint32_t tid, uint64_t time)
{
	mkperf_begin(m, PERF_RECORD_SWITCH, 0);
	mkperf_trailer(m, &(struct mkperf_id){.pid = tid, .tid = tid, .cpu = cpu, .time = time});
	mkperf_end(m);
}

static void print_rows(char *text, const struct results *results)
{
	const struct spe_stat *rows = ANSWER_ROWS(results, spestat_functions, spe_stat);
	int len = 0;

	*text = '\0';
	for (size_t i = 0; i < ANSWER_NR(results, spestat_functions); i++)
		len += snprintf(text + len, (size_t)(TEXT_MAX - len),
				"%s %d %s %s: %lu of %lu x %lu\n", rows[i].event->name,
				(int)rows[i].pid, rows[i].comm, rows[i].binary, rows[i].records,
				rows[i].total, rows[i].interval);
}

/* Replays @m, which tells of the filters @recorded, with a filter, or NULL; writes its rows to
 * @text. */
static struct operation_outcome replay_recorded(struct mkperf *m, const char *recorded,
						const char *option, const char *list, char *text)
{
	struct filter filter = {0};
	struct replay_settings settings = {.filter = &filter};
	struct replaying replaying;
	struct operation_outcome outcome;
	struct error err;

	if (option)
		ck_assert_int_eq(filter_add(&filter, option, list, &err), 0);
	needs_add(&settings.needs, &spestat_functions);
	replaying = replaying_begin(m, &settings);
	ck_assert_ptr_nonnull(replay_snapshot(replaying.replay, &err));
	replaying_finish(&replaying);
	print_rows(text, replaying.results);
	ck_assert_ptr_nonnull(replaying.results->operations);
	outcome = *replaying.results->operations;
	ck_assert_str_eq(outcome.filters, recorded);
	replaying_end(&replaying);
	filter_free(&filter);
	return outcome;
}

static struct operation_outcome replay(struct mkperf *m, const char *option, const char *list,
				       char *text)
{
	return replay_recorded(m, "", option, list, text);
}

static const uint64_t of_cpus[] = {2, 4, 8, 1, 77, 1, 4, N2, 8, 1024, 0};

/* An operation that does nothing that counts; with context @tid, if not 0. */
static void put_other(struct stream *to, uint64_t time, uint32_t tid)
{
	put_address(to, 0, 0x400010);
	put(to, 0x48, 0, 1);
	if (tid)
		put(to, 0x64, tid, 4);
	put(to, 0x71, time, 8);
}

/* Threads by contexts, by switches, and one that nobody knows; maps of the time. */
static struct mkperf *with_threads(void)
{
	struct mkperf *m = begin(1);
	struct stream to = {0};

	put_info(m, of_cpus, 11);
	put_process(m, 5, 100, "/a");
	put_process(m, 6, 100, "/b");
	put_switch(m, 1, 5, 4000);
	put_process(m, 5, 8000, "/c");
	put_other(&to, 50, 0);	/* 2000 ns: nobody runs yet */
	put_other(&to, 120, 0); /* 4800 ns: 5 */
	put_other(&to, 130, 6);
	put_other(&to, 210, 5);	 /* 8400 ns: 5 has another map */
	put_other(&to, 220, 99); /* nobody has this number: it is 5's CPU */
	put_piece(m, &to, 0, 1, UINT32_MAX);
	return m;
}

START_TEST(threads)
{
	char text[TEXT_MAX];
	const struct operation_outcome outcome = replay(with_threads(), NULL, NULL, text);

	ck_assert_str_eq(text, "arm_spe:instructions 5 c /c: 2 of 5 x 1000\n"
			       "arm_spe:instructions -1  [unmapped]: 1 of 5 x 1000\n"
			       "arm_spe:instructions 5 a /a: 1 of 5 x 1000\n"
			       "arm_spe:instructions 6 b /b: 1 of 5 x 1000\n");
	ck_assert(outcome.records == 5 && outcome.chosen == 5 && outcome.threadless == 1);
	ck_assert(outcome.timeless == 0 && outcome.lost_bytes == 0);
}
END_TEST

static const struct {
	const char *option, *list, *rows;
} chosen[] = {
	{"time", "4000,5200", "arm_spe:instructions 5 a /a: 1 of 1 x 1000\n"},
	{"pid", "6", "arm_spe:instructions 6 b /b: 1 of 1 x 1000\n"},
	{"tid", "6", "arm_spe:instructions 6 b /b: 1 of 1 x 1000\n"},
	{"comm", "c", "arm_spe:instructions 5 c /c: 2 of 2 x 1000\n"},
	{"binary", "b", "arm_spe:instructions 6 b /b: 1 of 1 x 1000\n"},
	{"cpu", "0", ""},
	{"event", "arm_spe:memory", ""},
	{"symbol", "main", ""},
};

START_TEST(filtered)
{
	char text[TEXT_MAX];

	replay(with_threads(), chosen[_i].option, chosen[_i].list, text);
	ck_assert_str_eq(text, chosen[_i].rows);
}
END_TEST

/* The traced event, or one of those that operations count for. */
START_TEST(filtered_by_event)
{
	static const char *const lists[] = {"arm_spe_0//", "arm_spe:instructions", "arm_spe*"};
	char text[TEXT_MAX];

	ck_assert_uint_eq(replay(with_threads(), "event", lists[_i], text).chosen, 5);
}
END_TEST

/* A trace of a thread, of a perf that tells nothing of CPUs; loads only are not scaled. */
START_TEST(of_a_thread)
{
	const uint64_t words[] = {8, 0};
	struct mkperf *m = begin(UINT64_C(1) << 33);
	struct operation_outcome outcome;
	struct stream to = {0};
	char text[TEXT_MAX];

	put_info(m, words, 2);
	put_process(m, 5, 100, "/a");
	put_other(&to, 50, 0);
	put(&to, 0xb0, 0x400010, 8);
	put(&to, 1, 0, 0); /* no time */
	put_piece(m, &to, 0, UINT32_MAX, 5);
	outcome = replay_recorded(m, "loads", NULL, NULL, text);
	ck_assert_str_eq(text, "arm_spe:instructions 5 a /a: 2 of 2 x 0\n");
	ck_assert(outcome.timeless == 1 && outcome.threadless == 0 && outcome.is_old);
}
END_TEST

/* A snapshot has again what was in the one before; collisions are counted. */
START_TEST(snapshots)
{
	struct mkperf *m = begin(1);
	struct operation_outcome outcome;
	struct stream to = {0};
	char text[TEXT_MAX];

	put_info(m, of_cpus, 11);
	put_process(m, 5, 100, "/a");
	put_aux(m, 2);
	put_aux(m, 2 | 8);
	put_other(&to, 50, 5);
	put_other(&to, 51, 5);
	put_piece(m, &to, 0, 1, UINT32_MAX);
	put_other(&to, 52, 5);
	put_piece(m, &to, 1000, 1, UINT32_MAX);
	outcome = replay(m, NULL, NULL, text);
	ck_assert_str_eq(text, "arm_spe:instructions 5 a /a: 3 of 3 x 1000\n");
	ck_assert(outcome.repeated == 2 && outcome.collisions == 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spe");
	TCase *tcase = tcase_create("spe");

	tcase_add_loop_test(tcase, packet, 0, sizeof(packets) / sizeof(packets[0]));
	tcase_add_test(tcase, alignment_counts_from_the_buffers_start);
	tcase_add_test(tcase, whole_record);
	tcase_add_test(tcase, cut_anywhere);
	tcase_add_test(tcase, bytes_that_are_no_packets);
	tcase_add_loop_test(tcase, source, 0, sizeof(sources) / sizeof(sources[0]));
	tcase_add_test(tcase, source_by_what_the_cpu_tells);
	tcase_add_test(tcase, info);
	tcase_add_loop_test(tcase, info_that_lies, 0, 10);
	tcase_add_test(tcase, filters);
	tcase_add_test(tcase, threads);
	tcase_add_loop_test(tcase, filtered, 0, sizeof(chosen) / sizeof(chosen[0]));
	tcase_add_loop_test(tcase, filtered_by_event, 0, 3);
	tcase_add_test(tcase, of_a_thread);
	tcase_add_test(tcase, snapshots);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
