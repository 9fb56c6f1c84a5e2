/*
 * Accesses to memory, from samples made for the purpose: their words, latencies, and who shares
 * cache lines.
 */
#include "decode/answer/memoryaccess.h"
#include "decode/count/cacheline.h"
#include "decode/count/latency.h"
#include "decode/count/memorycount.h"
#include "tests/support/answers.h"
#include "tests/support/replaying.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define KERNEL UINT64_C(0xffffffff81000000)

enum { TEXT = 0x400000, DATA = 0x600000, HEAP = 0x700000, TEXT_MAX = 2000 };

/* Fields of data_src. */
#define OP(n)	   ((uint64_t)(n))
#define LVL(n)	   ((uint64_t)(n) << 5)
#define SNOOP(n)   ((uint64_t)(n) << 19)
#define LOCK(n)	   ((uint64_t)(n) << 24)
#define TLB(n)	   ((uint64_t)(n) << 26)
#define LVL_NUM(n) ((uint64_t)(n) << 33)
#define REMOTE	   (UINT64_C(1) << 37)
#define SNOOPX(n)  ((uint64_t)(n) << 38)
#define HOPS(n)	   ((uint64_t)(n) << 43)

enum { LOAD = 2, STORE = 4, HIT = 2, MISS = 4, HITM = 16 };

#define L3_HITM (OP(LOAD) | LVL(HIT | 0x40) | SNOOP(HITM))

/* ---- words ----------------------------------------------------------------------------------- */

static void check_words(uint64_t data_src, const char *expected)
{
	struct memory_words words;
	char text[6 * MEMORY_WORD_MAX];

	memory_access_words(data_src, &words);
	snprintf(text, sizeof(text), "%s, %s, %s, %s, %s", words.op, words.source, words.snoop,
		 words.tlb, words.locked);
	ck_assert_str_eq(text, expected);
}

START_TEST(words_of_older_kernels)
{
	check_words(0x5080021, "n/a, n/a, n/a, n/a, n/a"); /* PERF_MEM_NA of 4.4 */
	check_words(0, "n/a, n/a, n/a, n/a, no");
	check_words(0x68100142, "load, L1, none, L1 or L2 hit, no");
	check_words(OP(LOAD) | LVL(HIT | 0x10) | LOCK(2), "load, LFB, n/a, n/a, yes");
	check_words(OP(STORE) | LVL(MISS | 8) | TLB(4 | 0x10), "store, miss L1, n/a, L2 miss, no");
	check_words(OP(LOAD) | LVL(HIT | 0x400) | SNOOP(HITM), "load, remote cache, hitm, n/a, no");
	check_words(OP(LOAD) | LVL(HIT | 0x200) | SNOOP(8) | TLB(2 | 0x20),
		    "load, remote RAM, miss, walker hit, no");
	check_words(OP(LOAD) | LVL(HIT | 0x80), "load, RAM, n/a, n/a, no");
	check_words(OP(8) | LVL(HIT | 0x1000), "prefetch, I/O, n/a, n/a, no");
	check_words(OP(16) | LVL(HIT | 0x2000), "exec, uncached, n/a, n/a, no");
}
END_TEST

START_TEST(words_of_newer_kernels)
{
	/* The number of the level counts before the bits. */
	check_words(OP(LOAD) | LVL(HIT | 8) | LVL_NUM(3), "load, L3, n/a, n/a, no");
	check_words(OP(LOAD) | LVL(HIT | 8) | LVL_NUM(15), "load, L1, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(13) | REMOTE, "load, remote RAM, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(3) | REMOTE | HOPS(2), "load, remote cache, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(3) | SNOOPX(2), "load, L3 peer, peer, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(9) | SNOOPX(1), "load, CXL, forward, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(14), "load, PMEM, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(12), "load, LFB, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(7), "load, L0, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(6), "load, MSC, n/a, n/a, no");
}
END_TEST

/* The remote bit with one hop is another core of the same node; with more it is another node. */
START_TEST(words_of_another_core)
{
	const uint64_t near = REMOTE | HOPS(1);

	check_words(OP(LOAD) | LVL(HIT | 0x400) | LVL_NUM(11) | near | SNOOP(HITM),
		    "load, other core cache, hitm, n/a, no"); /* AMD */
	check_words(OP(LOAD) | LVL(HIT | 0x20) | LVL_NUM(2) | near,
		    "load, other core L2, n/a, n/a, no"); /* POWER10 */
	check_words(OP(LOAD) | LVL(HIT | 0x40) | near, "load, other core L3, n/a, n/a, no");
	check_words(OP(LOAD) | LVL(HIT | 0x400) | HOPS(1), "load, other core cache, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(3) | HOPS(1) | SNOOPX(2),
		    "load, other core L3, peer, n/a, no");
	check_words(OP(LOAD) | LVL(MISS | 0x20) | near, "load, miss other core L2, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(15) | near, "load, other core, n/a, n/a, no");
	check_words(OP(LOAD) | LVL_NUM(13) | near, "load, RAM, n/a, n/a, no");
	for (unsigned hops = 2; hops <= 4; hops++)
		check_words(OP(LOAD) | LVL_NUM(11) | REMOTE | HOPS(hops),
			    "load, remote cache, n/a, n/a, no");
}
END_TEST

/* Distances of newer kernels are shown as numbers; fields that contradict end in some word. */
START_TEST(words_of_the_future)
{
	check_words(OP(LOAD) | LVL_NUM(11) | REMOTE | HOPS(6),
		    "load, remote cache hops 0x6, n/a, n/a, no");
	check_words(OP(LOAD | STORE), "load|store, n/a, n/a, n/a, no");
	check_words(UINT64_MAX, "load|store|prefetch|exec, remote hops 0x7, hitm, n/a, yes");
	for (unsigned bit = 0; bit < 64; bit++) {
		struct memory_words words;

		memory_access_words(UINT64_C(1) << bit, &words);
		ck_assert_uint_lt(strlen(words.source), MEMORY_WORD_MAX - 1);
	}
}
END_TEST

/* ---- latencies ------------------------------------------------------------------------------- */

START_TEST(buckets_of_latencies)
{
	unsigned last = 0;

	for (uint64_t value = 0; value < 8; value++)
		ck_assert_uint_eq(latency_value(latency_bucket(value)), value);
	for (uint64_t value = 1; value < 100000; value++) {
		const unsigned bucket = latency_bucket(value);
		const uint64_t middle = latency_value(bucket);

		ck_assert(bucket == last || bucket == last + 1);
		ck_assert_uint_eq(latency_bucket(middle), bucket);
		ck_assert_uint_le(middle > value ? middle - value : value - middle, value / 8);
		last = bucket;
	}
	ck_assert_uint_eq(latency_bucket(UINT64_MAX), LATENCY_BUCKETS - 1);
	ck_assert_uint_eq(latency_bucket(latency_value(LATENCY_BUCKETS - 1)), LATENCY_BUCKETS - 1);
}
END_TEST

/* ---- rows ------------------------------------------------------------------------------------ */

/* What was read of a recording. */
struct outcome {
	char memory[TEXT_MAX], lines[TEXT_MAX];
	struct memory_totals totals;
	struct cacheline_totals line_totals;
};

static struct mkperf *begin(uint64_t weight)
{
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){.type = PERF_TYPE_HARDWARE,
					       .sample_period = 10,
					       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
							      PERF_SAMPLE_DATA_SRC | weight});
	return m;
}

static void map(struct mkperf *m, uint32_t pid, uint64_t start, const char *name)
{
	mkperf_mmap2(m, NULL,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = pid,
					   .tid = pid,
					   .start = start,
					   .len = 0x1000,
					   .prot = 5,
					   .ino = *name == '/',
					   .filename = name});
}

static void map_all(struct mkperf *m, uint32_t pid, uint64_t data)
{
	map(m, pid, TEXT, "/bin/x");
	map(m, pid, data, "/dev/shm/s");
	map(m, pid, HEAP, "[heap]");
}

/* An access of thread @tid of process @pid on CPU @tid. */
static void access_by(struct mkperf *m, uint32_t pid, uint32_t tid, uint64_t addr, uint64_t src)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = pid,
						 .tid = tid,
						 .cpu = tid,
						 .ip = TEXT,
						 .addr = addr,
						 .data_src = src});
}

static void access_taking(struct mkperf *m, uint64_t weight, uint64_t src)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = 1,
						 .tid = 1,
						 .ip = TEXT + weight % 3,
						 .addr = DATA,
						 .weight = weight,
						 .data_src = src});
}

static void print_memory(char *text, const struct results *results, uint64_t *samples)
{
	const struct memory_stat *rows = ANSWER_ROWS(results, memorystat_accesses, memory_stat);
	int len = 0;

	for (size_t i = 0; i < ANSWER_NR(results, memorystat_accesses); i++) {
		const struct latency_stat *latency = &rows[i].latency;

		len += snprintf(text + len, (size_t)(TEXT_MAX - len),
				"%s %s %s %lu/%lu: %lu in %lu, %lu to %lu, p50 %lu p99 %lu, inst "
				"%lu in %lu of %lu\n",
				rows[i].binary, rows[i].op, rows[i].source, rows[i].tally.samples,
				rows[i].tally.period, latency->sum, latency->known, latency->min,
				latency->max, latency->p50, latency->p99, rows[i].instruction_sum,
				rows[i].instruction_known, rows[i].all_latency);
		*samples += rows[i].tally.samples;
	}
}

static void print_lines(char *text, const struct results *results, uint64_t *samples)
{
	const struct cacheline_stat *rows =
		ANSWER_ROWS(results, cachelinestat_accesses, cacheline_stat);
	int len = 0;

	for (size_t i = 0; i < ANSWER_NR(results, cachelinestat_accesses); i++) {
		const struct cacheline_stat *row = &rows[i];

		len += snprintf(text + len, (size_t)(TEXT_MAX - len),
				"%s %d %lx+%u %lu=%lul+%lus hitm %lu+%lu peer %lu st %lu+%lu ram "
				"%lu by %lu on %lu; line %lu hitm %lu offsets %lu tids %lu\n",
				row->data_binary, row->is_private ? (int)row->pid : -1, row->line,
				row->offset, row->records, row->loads, row->stores, row->hitm_local,
				row->hitm_remote, row->peer, row->l1hit_stores, row->l1miss_stores,
				row->ram, row->tids, row->cpus, row->line_records, row->line_hitm,
				row->line_offsets, row->line_tids);
		*samples += row->records;
	}
}

static void replay(struct mkperf *m, struct outcome *outcome)
{
	static const struct filter filter;
	struct replay_settings settings = {.filter = &filter};
	struct replaying replaying;
	const struct results *results;
	uint64_t samples = 0, of_lines = 0;
	struct error err;

	*outcome = (struct outcome){0};
	needs_add(&settings.needs, &memorystat_accesses);
	needs_add(&settings.needs, &cachelinestat_accesses);
	replaying = replaying_begin(m, &settings);
	/* rows can be made again */
	ck_assert_ptr_nonnull(replay_snapshot(replaying.replay, &err));
	replaying_finish(&replaying);
	results = replaying.results;
	print_memory(outcome->memory, results, &samples);
	print_lines(outcome->lines, results, &of_lines);
	outcome->totals = *results->memory;
	outcome->line_totals = *results->cachelines;
	/* Nothing is lost. */
	ck_assert_uint_eq(samples, outcome->totals.samples - outcome->totals.beyond);
	ck_assert_uint_eq(of_lines, outcome->line_totals.samples - outcome->line_totals.no_op -
					    outcome->line_totals.no_addr -
					    outcome->line_totals.beyond);
	replaying_end(&replaying);
}

/* Addresses of one function share a row; 0 is no latency. */
START_TEST(latencies_of_a_function)
{
	struct mkperf *m = begin(PERF_SAMPLE_WEIGHT);
	struct outcome outcome;

	map_all(m, 1, DATA);
	for (uint64_t weight = 0; weight <= 100; weight++)
		access_taking(m, weight, OP(LOAD) | LVL_NUM(2));
	access_taking(m, 500, OP(LOAD) | LVL_NUM(13));
	access_taking(m, 0, OP(STORE) | LVL_NUM(1));
	replay(m, &outcome);
	/* The bucket of the 50th is [48, 56), that of the 99th [96, 112), where nothing is above
	 * 100. */
	ck_assert_str_eq(
		outcome.memory,
		"/bin/x load L2 101/1010: 5050 in 100, 1 to 100, p50 51 p99 100, inst 0 in 0 "
		"of 5550\n"
		"/bin/x load RAM 1/10: 500 in 1, 500 to 500, p50 500 p99 500, inst 0 in 0 of "
		"5550\n"
		"/bin/x store L1 1/10: 0 in 0, 0 to 0, p50 0 p99 0, inst 0 in 0 of 5550\n");
}
END_TEST

START_TEST(weights_of_several_parts)
{
	struct mkperf *m = begin(PERF_SAMPLE_WEIGHT_STRUCT);
	struct outcome outcome;

	map_all(m, 1, DATA);
	access_taking(m, UINT64_C(0xffff) << 48 | UINT64_C(40) << 32 | 30, OP(LOAD) | LVL_NUM(2));
	access_taking(m, UINT64_C(0) << 32 | 34, OP(LOAD) | LVL_NUM(2));
	replay(m, &outcome);
	ck_assert_str_eq(outcome.memory, "/bin/x load L2 2/20: 64 in 2, 30 to 34, p50 30 p99 34, "
					 "inst 40 in 1 of 64\n");
}
END_TEST

/*
 * A sample of a group is one of each member that has counted since, with its increase as the
 * period, as in results.csv. A cache line is accessed once for all of them.
 */
START_TEST(samples_of_a_group)
{
	enum { AUX = 7, LOADS = 8 };
	static const uint64_t ids[] = {AUX, LOADS};
	static const uint64_t reads[][5] = {{2, 5000, AUX, 1000, LOADS},
					    {2, 9000, AUX, 2000, LOADS},
					    {2, 9500, AUX, 2000, LOADS},
					    {2, 9500, AUX, 3500, LOADS}};
	struct mkperf *m = mkperf_new(NULL);
	struct outcome outcome;

	for (unsigned i = 0; i < 2; i++)
		mkperf_event(m, &(struct mkperf_event){
					.type = PERF_TYPE_RAW,
					.sample_period = 1000,
					.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
						       PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
						       PERF_SAMPLE_READ | PERF_SAMPLE_WEIGHT |
						       PERF_SAMPLE_DATA_SRC,
					.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
					.ids = &ids[i],
					.nr_ids = 1});
	map_all(m, 1, DATA);
	for (unsigned i = 0; i < 4; i++)
		mkperf_sample(m, &(struct mkperf_sample){.event = 1,
							 .misc = PERF_RECORD_MISC_USER,
							 .pid = 1,
							 .tid = 1,
							 .ip = TEXT,
							 .addr = DATA,
							 .weight = 10 * (i + 1),
							 .data_src = OP(LOAD) | LVL_NUM(2),
							 .read = reads[i],
							 .nr_read = 5});
	replay(m, &outcome);
	ck_assert_str_eq(outcome.memory,
			 "/bin/x load L2 3/9500: 60 in 3, 10 to 30, p50 21 p99 29, inst 0 in 0 of "
			 "60\n"
			 "/bin/x load L2 3/3500: 70 in 3, 10 to 40, p50 21 p99 40, inst 0 in 0 of "
			 "70\n");
	ck_assert_str_eq(outcome.lines, "/dev/shm/s -1 0+0 4=4l+0s hitm 0+0 peer 0 st 0+0 ram 0 by "
					"1 on 0; line 4 hitm 0 offsets 1 tids 1\n");
}
END_TEST

START_TEST(sums_of_latencies_stop_at_the_largest_number)
{
	struct mkperf *m = begin(PERF_SAMPLE_WEIGHT);
	struct outcome outcome;

	map_all(m, 1, DATA);
	access_taking(m, UINT64_MAX, OP(LOAD) | LVL_NUM(2));
	access_taking(m, UINT64_MAX - 3, OP(LOAD) | LVL_NUM(2));
	access_taking(m, 5, OP(LOAD) | LVL_NUM(1));
	replay(m, &outcome);
	ck_assert_str_eq(
		outcome.memory,
		"/bin/x load L2 2/20: 18446744073709551615 in 2, 18446744073709551612 to "
		"18446744073709551615, p50 18446744073709551612 p99 18446744073709551612, inst "
		"0 in 0 of 18446744073709551615\n"
		"/bin/x load L1 1/10: 5 in 1, 5 to 5, p50 5 p99 5, inst 0 in 0 of "
		"18446744073709551615\n");
}
END_TEST

/* Two threads, two offsets of a line, which each finds modified by the other. */
START_TEST(false_sharing)
{
	struct mkperf *m = begin(0);
	struct outcome outcome;

	map_all(m, 1, DATA);
	access_by(m, 1, 1, HEAP + 0x40, L3_HITM);
	access_by(m, 1, 1, HEAP + 0x40, OP(STORE) | LVL(HIT | 8));
	access_by(m, 1, 2, HEAP + 0x48, L3_HITM);
	access_by(m, 1, 2, HEAP + 0x48, OP(LOAD) | LVL(HIT | 0x400) | SNOOP(HITM));
	access_by(m, 1, 2, HEAP + 0x48, OP(STORE) | LVL(MISS | 8));
	access_by(m, 1, 1, HEAP + 0x48, OP(LOAD) | LVL_NUM(3) | SNOOPX(2));
	access_by(m, 1, 3, HEAP + 0x80, OP(LOAD) | LVL(HIT | 0x80));
	replay(m, &outcome);
	ck_assert_str_eq(
		outcome.lines,
		"[heap] 1 700040+0 2=1l+1s hitm 1+0 peer 0 st 1+0 ram 0 by 1 on 1; line 6 hitm 4 "
		"offsets 2 tids 2\n"
		"[heap] 1 700040+8 4=3l+1s hitm 1+1 peer 1 st 0+1 ram 0 by 2 on 2; line 6 hitm 4 "
		"offsets 2 tids 2\n"
		"[heap] 1 700080+0 1=1l+0s hitm 0+0 peer 0 st 0+0 ram 1 by 1 on 1; line 1 hitm 0 "
		"offsets 1 tids 1\n");
}
END_TEST

/* Some processors say "remote" of another core, too; only more than one hop is another node. */
START_TEST(a_core_of_the_same_node_is_local)
{
	struct mkperf *m = begin(0);
	struct outcome outcome;

	map_all(m, 1, DATA);
	access_by(m, 1, 1, HEAP,
		  OP(LOAD) | LVL(HIT | 0x400) | LVL_NUM(11) | REMOTE | HOPS(1) | SNOOP(HITM));
	access_by(m, 1, 1, HEAP,
		  OP(LOAD) | LVL(HIT | 0x20) | LVL_NUM(2) | REMOTE | HOPS(1) | SNOOP(HITM));
	access_by(m, 1, 1, HEAP + 8,
		  OP(LOAD) | LVL(HIT | 0x400) | LVL_NUM(11) | REMOTE | HOPS(2) | SNOOP(HITM));
	access_by(m, 1, 1, HEAP + 8,
		  OP(LOAD) | LVL(HIT | 0x20) | LVL_NUM(2) | REMOTE | SNOOP(HITM));
	access_by(m, 1, 1, HEAP + 8, OP(LOAD) | LVL_NUM(11) | SNOOP(HITM));
	replay(m, &outcome);
	ck_assert_str_eq(
		outcome.lines,
		"[heap] 1 700000+0 2=2l+0s hitm 2+0 peer 0 st 0+0 ram 0 by 1 on 1; line 5 hitm 5 "
		"offsets 2 tids 1\n"
		"[heap] 1 700000+8 3=3l+0s hitm 0+3 peer 0 st 0+0 ram 0 by 1 on 1; line 5 hitm 5 "
		"offsets 2 tids 1\n");
}
END_TEST

/* The same file at different addresses is one line, the same address of two heaps is two. */
START_TEST(lines_of_several_processes)
{
	struct mkperf *m = begin(0);
	struct outcome outcome;

	map_all(m, 1, DATA);
	map_all(m, 2, DATA + 0x10000);
	access_by(m, 1, 1, DATA + 0x10, OP(LOAD));
	access_by(m, 2, 2, DATA + 0x10010, OP(LOAD));
	access_by(m, 1, 1, HEAP, OP(LOAD));
	access_by(m, 2, 2, HEAP, OP(LOAD));
	access_by(m, 1, 1, KERNEL, OP(LOAD));
	access_by(m, 2, 2, KERNEL, OP(LOAD));
	access_by(m, 2, 2, 0x999, OP(LOAD)); /* mapped nowhere, and beside that line */
	replay(m, &outcome);
	ck_assert_str_eq(
		outcome.lines,
		"/dev/shm/s -1 0+16 2=2l+0s hitm 0+0 peer 0 st 0+0 ram 0 by 2 on 2; line 2 hitm 0 "
		"offsets 1 tids 2\n"
		"[unmapped] -1 ffffffff81000000+0 2=2l+0s hitm 0+0 peer 0 st 0+0 ram 0 by 2 on 2; "
		"line 2 hitm 0 offsets 1 tids 2\n"
		"[heap] 1 700000+0 1=1l+0s hitm 0+0 peer 0 st 0+0 ram 0 by 1 on 1; line 1 hitm 0 "
		"offsets 1 tids 1\n"
		"[heap] 2 700000+0 1=1l+0s hitm 0+0 peer 0 st 0+0 ram 0 by 1 on 1; line 1 hitm 0 "
		"offsets 1 tids 1\n"
		"[unmapped] 2 980+25 1=1l+0s hitm 0+0 peer 0 st 0+0 ram 0 by 1 on 1; line 1 hitm 0 "
		"offsets 1 tids 1\n");
}
END_TEST

/* Each process has variables of its own: those of one program share no line, unless it maps them
 * so. */
START_TEST(lines_of_a_program_run_twice)
{
	enum { PRIVATE = 2, SHARED = 1, READ = 1, WRITE = 2 };
	static const struct {
		uint32_t prot, flags;
	} kinds[] = {{READ | WRITE, PRIVATE}, {READ | WRITE, SHARED}, {READ, PRIVATE}};
	struct mkperf *m = begin(0);
	struct outcome outcome;

	for (uint32_t pid = 1; pid <= 2; pid++) {
		map(m, pid, TEXT, "/bin/x");
		for (uint64_t i = 0; i < 3; i++) {
			mkperf_mmap2(m, NULL,
				     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER |
								   PERF_RECORD_MISC_MMAP_DATA,
							   .pid = pid,
							   .tid = pid,
							   .start = DATA + i * 0x1000,
							   .len = 0x1000,
							   .pgoff = i * 0x1000,
							   .prot = kinds[i].prot,
							   .flags = kinds[i].flags,
							   .ino = 1,
							   .filename = "/bin/x"});
			access_by(m, pid, pid, DATA + i * 0x1000 + 8 * pid, L3_HITM);
		}
	}
	replay(m, &outcome);
	ck_assert_str_eq(
		outcome.lines,
		"/bin/x -1 1000+8 1=1l+0s hitm 1+0 peer 0 st 0+0 ram 0 by 1 on 1; line 2 hitm 2 "
		"offsets 2 tids 2\n"
		"/bin/x -1 1000+16 1=1l+0s hitm 1+0 peer 0 st 0+0 ram 0 by 1 on 1; line 2 hitm 2 "
		"offsets 2 tids 2\n"
		"/bin/x -1 2000+8 1=1l+0s hitm 1+0 peer 0 st 0+0 ram 0 by 1 on 1; line 2 hitm 2 "
		"offsets 2 tids 2\n"
		"/bin/x -1 2000+16 1=1l+0s hitm 1+0 peer 0 st 0+0 ram 0 by 1 on 1; line 2 hitm 2 "
		"offsets 2 tids 2\n"
		"/bin/x 1 0+8 1=1l+0s hitm 1+0 peer 0 st 0+0 ram 0 by 1 on 1; line 1 hitm 1 "
		"offsets 1 tids 1\n"
		"/bin/x 2 0+16 1=1l+0s hitm 1+0 peer 0 st 0+0 ram 0 by 1 on 1; line 1 hitm 1 "
		"offsets 1 tids 1\n");
}
END_TEST

START_TEST(no_access_is_left_out)
{
	struct mkperf *m = begin(0);
	struct outcome outcome;

	map_all(m, 1, DATA);
	access_by(m, 1, 1, DATA, OP(1));
	access_by(m, 1, 1, DATA, OP(8));
	access_by(m, 1, 1, 0, OP(LOAD));
	access_by(m, 1, 1, DATA, OP(LOAD));
	replay(m, &outcome);
	ck_assert_uint_eq(outcome.line_totals.samples, 4);
	ck_assert_uint_eq(outcome.line_totals.no_op, 2);
	ck_assert_uint_eq(outcome.line_totals.no_addr, 1);
	ck_assert_uint_eq(outcome.totals.samples, 4);
}
END_TEST

START_TEST(a_recorded_length_of_lines)
{
	struct mkperf *m = begin(0);
	struct outcome outcome;

	map_all(m, 1, DATA);
	access_by(m, 1, 1, DATA + 0xff, OP(LOAD));
	mkperf_feature_begin(m, 34);
	mkperf_u32(m, 128);
	mkperf_feature_end(m);
	replay(m, &outcome);
	ck_assert_str_eq(outcome.lines,
			 "/dev/shm/s -1 80+127 1=1l+0s hitm 0+0 peer 0 st 0+0 ram 0 by 1 on 1; "
			 "line 1 hitm 0 offsets 1 tids 1\n");
}
END_TEST

START_TEST(what_does_not_fit_is_counted)
{
	struct memory_count count = {.limit = 1};
	struct cacheline_count lines = {.limit = 1};
	struct memory_cell cell = {.tally = {2, 5}};
	struct cacheline_cell line = {.counts[CACHELINE_RECORDS] = 3};

	for (uint64_t i = 0; i < 3; i++) {
		cell.key.place = line.key.data_place = i;
		ck_assert(memory_count_add(&count, &cell) && cacheline_add(&lines, &line));
	}
	cell.key.place = line.key.data_place = 0; /* known ones are still counted */
	ck_assert(memory_count_add(&count, &cell) && cacheline_add(&lines, &line));
	ck_assert_uint_eq(count.beyond, 4);
	ck_assert_uint_eq(count.cells[0].tally.samples, 4);
	ck_assert_uint_eq(lines.beyond, 6);
	ck_assert_uint_eq(lines.cells[0].counts[CACHELINE_RECORDS], 6);
	memory_count_free(&count);
	cacheline_free(&lines);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("memory");
	TCase *tc = tcase_create("memory");

	tcase_add_test(tc, words_of_older_kernels);
	tcase_add_test(tc, words_of_newer_kernels);
	tcase_add_test(tc, words_of_another_core);
	tcase_add_test(tc, words_of_the_future);
	tcase_add_test(tc, buckets_of_latencies);
	tcase_add_test(tc, latencies_of_a_function);
	tcase_add_test(tc, weights_of_several_parts);
	tcase_add_test(tc, samples_of_a_group);
	tcase_add_test(tc, sums_of_latencies_stop_at_the_largest_number);
	tcase_add_test(tc, false_sharing);
	tcase_add_test(tc, a_core_of_the_same_node_is_local);
	tcase_add_test(tc, lines_of_several_processes);
	tcase_add_test(tc, lines_of_a_program_run_twice);
	tcase_add_test(tc, no_access_is_left_out);
	tcase_add_test(tc, a_recorded_length_of_lines);
	tcase_add_test(tc, what_does_not_fit_is_counted);
	suite_add_tcase(s, tc);
	return suite_run(s);
}
