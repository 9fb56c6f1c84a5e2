/* Counters and metrics, from recordings made for the purpose: exact sums, and hostile records. */
#include "decode/answer/counterset.h"
#include "decode/metric.h"
#include "decode/replay.h"
#include "tests/support/answers.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

enum { THREAD_MAP = 73, STAT_CONFIG = 75, STAT = 76, STAT_ROUND = 77 };
enum { NONE = UINT32_MAX };

static struct mkperf *m;
static struct perffile *file;
static struct replay *replay;
static struct filter filter;
static const struct results *results;
static const char *metrics[2];
static struct error err;

static void begin(bool swap)
{
	m = mkperf_new(&(struct mkperf_options){.swap = swap});
	file = NULL;
	replay = NULL;
	results = NULL;
	memset(&filter, 0, sizeof(filter));
	metrics[0] = NULL;
	err = (struct error){0};
}

static void setup(void)
{
	begin(false);
}

static void teardown(void)
{
	replay_destroy(replay);
	perffile_close(file);
	filter_free(&filter);
}

/* Reads the recording; returns the results, or NULL with err filled. */
static const struct results *run(void)
{
	const struct replay_settings settings = {
		.filter = &filter,
		.needs = {{&counterstat_counts, &counterstat_totals, &metricstat_metrics}, 3},
		.symbols = {.build_id_cache = "/nonexistent", .debug_dir = "/nonexistent"},
		.metrics = metrics,
	};
	const struct record *rec;

	file = recording_open(m);
	replay = replay_create(&settings, file, &err);
	ck_assert_msg(replay, "%s", err.text);
	while ((rec = recording_next(file)))
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
	results = replay_finish(replay, &err);
	return results;
}

/* ---- perf stat record ---- */

static const uint64_t clock_id = 10, faults_id = 20, cycles_id = 30, instructions_id = 40;

static void add_counter(const char *name, uint32_t type, uint64_t config, const uint64_t *id)
{
	mkperf_event(m, &(struct mkperf_event){.name = name,
					       .type = type,
					       .config = config,
					       .sample_type = PERF_SAMPLE_IDENTIFIER,
					       .ids = id,
					       .nr_ids = 1});
}

static void add_counters(void)
{
	add_counter("task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, &clock_id);
	add_counter("page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, &faults_id);
	add_counter("cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, &cycles_id);
	add_counter("instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
		    &instructions_id);
	mkperf_event_desc(m);
}

static void config(uint64_t mode)
{
	mkperf_begin(m, STAT_CONFIG, 0);
	mkperf_u64(m, 2);
	mkperf_u64(m, 99); /* a term that nobody knows */
	mkperf_u64(m, 5);
	mkperf_u64(m, 0);
	mkperf_u64(m, mode);
	mkperf_end(m);
}

static void stat_record(uint64_t id, uint32_t cpu, uint32_t thread, uint64_t value,
			uint64_t enabled, uint64_t running)
{
	mkperf_begin(m, STAT, 0);
	mkperf_u64(m, id);
	mkperf_u32(m, cpu);
	mkperf_u32(m, thread);
	mkperf_u64(m, value);
	mkperf_u64(m, enabled);
	mkperf_u64(m, running);
	mkperf_end(m);
}

static void round_record(uint64_t time)
{
	mkperf_begin(m, STAT_ROUND, 0);
	mkperf_u64(m, 1);
	mkperf_u64(m, time);
	mkperf_end(m);
}

static void threads(uint64_t nr, const uint64_t *tids)
{
	static const char comm[16] = "worker";

	mkperf_begin(m, THREAD_MAP, 0);
	mkperf_u64(m, nr);
	for (uint64_t i = 0; i < nr; i++) {
		mkperf_u64(m, tids[i]);
		mkperf_bytes(m, comm, sizeof(comm));
	}
	mkperf_end(m);
}

static void unit(uint64_t id, const char *text, double scale)
{
	uint64_t bits;

	memcpy(&bits, &scale, sizeof(bits));
	mkperf_begin(m, MKPERF_RECORD_EVENT_UPDATE, 0);
	mkperf_u64(m, 0);
	mkperf_u64(m, id);
	mkperf_string(m, text);
	mkperf_end(m);
	mkperf_begin(m, MKPERF_RECORD_EVENT_UPDATE, 0);
	mkperf_u64(m, 1);
	mkperf_u64(m, id);
	mkperf_u64(m, bits);
	mkperf_end(m);
}

/* All rows: "event cpu tid time+interval value/running of enabled = scaled". */
static void check_rows(const char *expected)
{
	struct counter_stat row;
	char text[2048] = "";
	size_t len = 0;

	ck_assert_int_eq(answer_start(results, &counterstat_counts, &err), 0);
	while (answer_next(results, &counterstat_counts, &row, &err) > 0)
		len += (size_t)snprintf(
			text + len, sizeof(text) - len, "%s %d %d %jd+%ju %ju/%ju of %ju = %ju\n",
			row.counter.event->name, row.counter.has_cpu ? (int)row.counter.cpu : -1,
			row.counter.has_tid ? (int)row.counter.tid : -1,
			row.has_time ? (intmax_t)row.time : -1, row.interval, row.counted.value,
			row.counted.running, row.counted.enabled, row.counted.scaled);
	ck_assert_str_eq(text, expected);
}

/* All totals: "place:number event scaled metric text". */
static void check_totals(const char *expected)
{
	const struct counter_total *totals =
		ANSWER_ROWS(results, counterstat_totals, counter_total);
	char text[2048] = "";
	size_t len = 0;

	for (size_t i = 0; i < ANSWER_NR(results, counterstat_totals); i++) {
		const struct stat_counter *counter = &totals[i].counter;
		const int number = totals[i].place == COUNTER_OF_CPU	  ? (int)counter->cpu
				   : totals[i].place == COUNTER_OF_THREAD ? (int)counter->tid
									  : -1;

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%d:%d %s %ju",
					(int)totals[i].place, number, counter->event->name,
					totals[i].counted.scaled);
		if (totals[i].metric_text)
			len += (size_t)snprintf(text + len, sizeof(text) - len, " # %.3f %s",
						totals[i].metric, totals[i].metric_text);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "\n");
	}
	ck_assert_str_eq(text, expected);
}

/* Values are since the start: an interval has the difference; the sum is the last one. */
START_TEST(intervals)
{
	const uint64_t tids[] = {77};

	mkperf_free(m);
	begin(_i);
	add_counters();
	unit(clock_id, "msec", 1e-6);
	threads(1, tids);
	config(1);
	stat_record(clock_id, NONE, 0, 1000, 1000, 1000);
	stat_record(faults_id, NONE, 0, 5, 1000, 1000);
	round_record(2000);
	stat_record(clock_id, NONE, 0, 4000, 4000, 4000);
	stat_record(faults_id, NONE, 0, 5, 4000, 4000);
	round_record(5000);
	ck_assert(run());
	check_rows("task-clock -1 77 2000+2000 1000/1000 of 1000 = 1000\n"
		   "page-faults -1 77 2000+2000 5/1000 of 1000 = 5\n"
		   "task-clock -1 77 5000+3000 3000/3000 of 3000 = 3000\n"
		   "page-faults -1 77 5000+3000 0/3000 of 3000 = 0\n");
	check_totals("0:-1 task-clock 4000 # 0.800 CPUs utilized\n"
		     "0:-1 page-faults 5 # 1.250 M/sec\n");
	ck_assert_str_eq(ANSWER_ROWS(results, counterstat_totals, counter_total)[0].counter.unit,
			 "msec");
	ck_assert_double_eq(
		ANSWER_ROWS(results, counterstat_totals, counter_total)[0].counter.scale, 1e-6);
}
END_TEST

/* Each counter is scaled, then they are added up by CPU: 0, which is perf's AGGR_NONE. */
START_TEST(multiplexed_on_cpus)
{
	add_counters();
	config(0);
	stat_record(cycles_id, 1, 0, 100, 1000, 250);
	stat_record(cycles_id, 0, 0, 200, 1000, 1000);
	stat_record(instructions_id, 0, 0, 300, 1000, 500);
	stat_record(instructions_id, 1, 0, 0, 1000, 0); /* never ran */
	round_record(1000);
	ck_assert(run());
	check_rows("cycles 1 -1 1000+1000 100/250 of 1000 = 400\n"
		   "cycles 0 -1 1000+1000 200/1000 of 1000 = 200\n"
		   "instructions 0 -1 1000+1000 300/500 of 1000 = 600\n"
		   "instructions 1 -1 1000+1000 0/0 of 1000 = 0\n");
	check_totals("1:0 cycles 200\n"
		     "1:0 instructions 600 # 3.000 insn per cycle\n"
		     "1:1 cycles 400\n"
		     "1:1 instructions 0\n");
}
END_TEST

/* The number of "by thread" is 5 before perf 6.5, 6 before 6.9, then 7. */
START_TEST(modes_of_versions)
{
	static const struct {
		const char *version;
		uint64_t mode;
	} cases[] = {{"6.1.2", 5}, {"6.5", 6}, {"6.8.12", 6}, {"6.9", 7}, {"7.1.8", 7}};
	const uint64_t tids[] = {77, 78};

	add_counters();
	mkperf_feature_string(m, MKPERF_VERSION, cases[_i].version);
	threads(2, tids);
	config(cases[_i].mode);
	stat_record(faults_id, NONE, 0, 1, 10, 10);
	stat_record(faults_id, NONE, 1, 2, 10, 10);
	round_record(10);
	ck_assert(run());
	check_totals("5:77 page-faults 1\n5:78 page-faults 2\n");
}
END_TEST

/* Indexes that lead nowhere are unknown; values too large are limited; nothing is lost. */
START_TEST(hostile_values)
{
	const uint64_t tids[] = {77};

	add_counters();
	threads(1, tids);
	config(12345);
	stat_record(999, 0, 0, 1, 1, 1); /* of no event */
	stat_record(faults_id, 4000000000u, 1, UINT64_MAX, UINT64_MAX, 1);
	stat_record(faults_id, 3, 4000000000u, UINT64_MAX, 10, 20);
	stat_record(clock_id, NONE, 0, 100, 100, 100);
	round_record(50);
	stat_record(clock_id, NONE, 0, 30, 30, 30); /* goes back: it has started over */
	round_record(40);			    /* as does the time */
	ck_assert(run());
	check_rows("page-faults -294967296 -1 50+50 18446744073709551615/1 of 18446744073709551615 "
		   "= 18446744073709551615\n"
		   "page-faults 3 -1 50+50 18446744073709551615/20 of 10 = 18446744073709551615\n"
		   "task-clock -1 77 50+50 100/100 of 100 = 100\n"
		   "task-clock -1 77 40+0 30/30 of 30 = 30\n");
	check_totals("0:-1 task-clock 130 # 3.250 CPUs utilized\n"
		     "0:-1 page-faults 18446744073709551615 # 141898031336227344.000 G/sec\n");
}
END_TEST

/* Records that are too short for what they announce are damaged; the others count. */
START_TEST(lying_sizes)
{
	add_counters();
	mkperf_begin(m, THREAD_MAP, 0);
	mkperf_u64(m, UINT64_MAX / 24 + 2);
	mkperf_end(m);
	mkperf_begin(m, STAT_CONFIG, 0);
	mkperf_u64(m, 1000);
	mkperf_u64(m, 0);
	mkperf_end(m);
	stat_record(clock_id, NONE, 0, 100, 100, 100);
	round_record(200);
	ck_assert(run());
	ck_assert_uint_eq(perffile_counts(file)->damaged, 2);
	check_totals("0:-1 task-clock 100 # 0.500 CPUs utilized\n");
}
END_TEST

/* A recorder that was killed: what it wrote counts, its time is unknown. */
START_TEST(no_round)
{
	add_counters();
	stat_record(clock_id, NONE, 0, 100, 100, 100);
	ck_assert(run());
	check_rows("task-clock -1 -1 -1+0 100/100 of 100 = 100\n");
	check_totals("0:-1 task-clock 100\n");
}
END_TEST

/* perf stat -I reads the counters once more behind the last interval. */
START_TEST(after_the_last_round)
{
	add_counters();
	stat_record(clock_id, NONE, 0, 100, 100, 100);
	stat_record(faults_id, NONE, 0, 1, 100, 100);
	round_record(200);
	stat_record(clock_id, NONE, 0, 101, 101, 101);
	stat_record(faults_id, NONE, 0, 1, 100, 100);
	ck_assert(run());
	check_rows("task-clock -1 -1 200+200 100/100 of 100 = 100\n"
		   "page-faults -1 -1 200+200 1/100 of 100 = 1\n"
		   "task-clock -1 -1 -1+0 1/1 of 1 = 1\n");
	check_totals("0:-1 task-clock 100 # 0.500 CPUs utilized\n"
		     "0:-1 page-faults 1 # 10.000 M/sec\n");
}
END_TEST

START_TEST(filtered)
{
	add_counters();
	ck_assert_int_eq(filter_add(&filter, "event", "page-*", &err), 0);
	stat_record(clock_id, NONE, 0, 100, 100, 100);
	stat_record(faults_id, NONE, 0, 1, 100, 100);
	round_record(200);
	ck_assert(run());
	check_totals("0:-1 page-faults 1\n");
}
END_TEST

/* ---- metrics ---- */

/* The first @nr metrics: "function name value [low, high] numerator/denominator samples method
 * note". */
static void check_first_metrics(const char *expected, size_t nr)
{
	const struct metric_stat *rows = ANSWER_ROWS(results, metricstat_metrics, metric_stat);
	char text[4096] = "", value[96];
	size_t len = 0;

	for (size_t i = 0; i < ANSWER_NR(results, metricstat_metrics) && i < nr; i++) {
		const struct metric_stat *row = &rows[i];

		snprintf(value, sizeof(value), "-");
		if (row->known && row->has_interval)
			snprintf(value, sizeof(value), "%.4f [%.4f, %.4f]", row->value, row->low,
				 row->high);
		else if (row->known)
			snprintf(value, sizeof(value), "%.4f", row->value);
		len += (size_t)snprintf(
			text + len, sizeof(text) - len, "%s %s %s %ju/%ju %ju %s %s\n",
			row->function ? row->function->binary : "", row->name, value,
			row->numerator, row->denominator, row->samples, row->method, row->note);
	}
	ck_assert_str_eq(text, expected);
}

static void check_metrics(const char *expected)
{
	check_first_metrics(expected, SIZE_MAX);
}

START_TEST(metrics_of_the_run)
{
	add_counters();
	metrics[0] = "fpc=page-faults/cycles";
	stat_record(clock_id, NONE, 0, 1000, 1000, 1000);
	stat_record(faults_id, NONE, 0, 5, 1000, 1000);
	stat_record(cycles_id, NONE, 0, 1500, 1000, 500);
	stat_record(instructions_id, NONE, 0, 6000, 1000, 1000);
	round_record(2000);
	ck_assert(run());
	check_metrics(" ipc 2.0000 6000/3000 0 counted multiplexed\n"
		      " ghz 3.0000 3000/1000 0 counted multiplexed\n"
		      " cpus_used 0.5000 1000/2000 0 counted \n"
		      " per_second 2500000.0000 5/2000 0 counted \n"
		      " per_second 1500000000.0000 3000/2000 0 counted multiplexed\n"
		      " per_second 3000000000.0000 6000/2000 0 counted \n"
		      " fpc 0.0017 5/3000 0 counted multiplexed\n");
}
END_TEST

enum {
	SAMPLED = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		  PERF_SAMPLE_PERIOD
};

static void add_sampled(const char *name, uint64_t config, const uint64_t *id, uint64_t type,
			uint64_t flags)
{
	mkperf_event(m, &(struct mkperf_event){
				.name = name,
				.type = PERF_TYPE_HARDWARE,
				.config = config,
				.sample_type = SAMPLED | type,
				.sample_period = 1000,
				.read_format = type ? PERF_FORMAT_GROUP | PERF_FORMAT_ID : 0,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL | flags,
				.ids = id,
				.nr_ids = 1});
}

static void map(uint64_t start, const char *name)
{
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = 2,
					  .pid = 7,
					  .tid = 7,
					  .start = start,
					  .len = 0x1000,
					  .filename = name});
}

static void sample(unsigned event, uint64_t ip, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		mkperf_sample(m, &(struct mkperf_sample){.event = event,
							 .misc = 2,
							 .pid = 7,
							 .tid = 7,
							 .ip = ip,
							 .time = 5,
							 .period = 1000});
}

/* Each event has samples of its own; below 20 there is no value, but the sums are there. */
START_TEST(separate_events)
{
	add_sampled("cycles", PERF_COUNT_HW_CPU_CYCLES, &cycles_id, 0, 0);
	add_sampled("instructions", PERF_COUNT_HW_INSTRUCTIONS, &instructions_id, 0, 1 << 15);
	mkperf_event_desc(m);
	map(0x1000, "/nonexistent/a");
	map(0x2000, "/nonexistent/b");
	map(0x3000, "/nonexistent/c");
	sample(0, 0x1000, 100);
	sample(1, 0x1000, 50);
	sample(0, 0x2000, 40);
	sample(1, 0x2000, 19);
	sample(1, 0x3000, 3);
	ck_assert(run());
	check_metrics("/nonexistent/a ipc 0.5000 [0.3561, 0.7021] 50000/100000 50 separate skid\n"
		      "/nonexistent/b ipc - 19000/40000 19 separate few-samples skid\n"
		      "/nonexistent/c ipc - 3000/0 0 separate few-samples skid\n");
}
END_TEST

/* A group: 20 samples of a function, each of which has both values. */
static void sample_group(void)
{
	uint64_t words[] = {2, 0, 0, 0, 0};

	add_sampled("cycles", PERF_COUNT_HW_CPU_CYCLES, &cycles_id, PERF_SAMPLE_READ, 0);
	add_sampled("instructions", PERF_COUNT_HW_INSTRUCTIONS, &instructions_id, PERF_SAMPLE_READ,
		    0);
	mkperf_event_desc(m);
	map(0x1000, "/nonexistent/a");
	for (uint64_t i = 1; i <= 20; i++) {
		words[1] = i * 1000;
		words[2] = cycles_id;
		words[3] = i * 500;
		words[4] = instructions_id;
		mkperf_sample(m, &(struct mkperf_sample){.misc = 2,
							 .pid = 7,
							 .tid = 7,
							 .ip = 0x1000,
							 .time = i,
							 .read = words,
							 .nr_read = 5});
	}
}

/* Each sample is a sample of both events. */
START_TEST(group_of_events)
{
	sample_group();
	ck_assert(run());
	check_metrics("/nonexistent/a ipc 0.5000 [0.2690, 0.9293] 10000/20000 20 group \n");
}
END_TEST

/* Whether the only row has a numerator and a denominator. */
static void check_given(bool numerator, bool denominator)
{
	const struct metric_stat *row = ANSWER_ROWS(results, metricstat_metrics, metric_stat);

	ck_assert_int_eq(row->has_numerator, numerator);
	ck_assert_int_eq(row->has_denominator, denominator);
}

/* What a filter leaves out is not 0: there is no ratio. */
START_TEST(group_without_an_event)
{
	const bool cycles = _i == 0;

	sample_group();
	ck_assert_int_eq(filter_add(&filter, "event", cycles ? "cycles" : "instructions", &err), 0);
	ck_assert(run());
	check_metrics(cycles ? "/nonexistent/a ipc - 0/20000 20 group missing-event\n"
			     : "/nonexistent/a ipc - 10000/0 0 group missing-event\n");
	check_given(!cycles, cycles);
}
END_TEST

START_TEST(separate_without_an_event)
{
	const bool cycles = _i == 0;

	add_sampled("cycles", PERF_COUNT_HW_CPU_CYCLES, &cycles_id, 0, 0);
	add_sampled("instructions", PERF_COUNT_HW_INSTRUCTIONS, &instructions_id, 0, 0);
	mkperf_event_desc(m);
	map(0x1000, "/nonexistent/a");
	sample(0, 0x1000, 100);
	sample(1, 0x1000, 50);
	ck_assert_int_eq(filter_add(&filter, "event", cycles ? "cycles" : "instructions", &err), 0);
	ck_assert(run());
	check_metrics(cycles ? "/nonexistent/a ipc - 0/100000 0 separate missing-event\n"
			     : "/nonexistent/a ipc - 50000/0 0 separate missing-event\n");
	check_given(!cycles, cycles);
}
END_TEST

/* Topdown level 1 before Ice Lake, with the kernel's names and numbers. */
static const uint64_t slot_ids[] = {50, 51, 52, 53, 54};

static void add_slots(unsigned nr, uint64_t sample_type, uint64_t read_format)
{
	static const struct {
		const char *name;
		uint64_t config;
	} events[] = {
		{"topdown-total-slots", 0x20003c},	 {"topdown-slots-issued", 0x10e},
		{"topdown-slots-retired", 0x2c2},	 {"topdown-fetch-bubbles", 0x19c},
		{"topdown-recovery-bubbles", 0x120030d},
	};

	for (unsigned i = 0; i < nr; i++)
		mkperf_event(m, &(struct mkperf_event){.name = events[i].name,
						       .type = PERF_TYPE_RAW,
						       .config = events[i].config,
						       .sample_type = sample_type,
						       .sample_period = 1000,
						       .read_format = read_format,
						       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
						       .ids = &slot_ids[i],
						       .nr_ids = 1});
	mkperf_event_desc(m);
}

/* With hyperthreads a cycle of both threads has 4 slots, so one of a thread 2. */
static void scale_slots(void)
{
	unit(slot_ids[0], "", 2);
	unit(slot_ids[4], "", 2);
}

static void count_slots(const uint64_t *values, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		stat_record(slot_ids[i], NONE, 0, values[i], 1000, 1000);
	round_record(1000000000);
}

/* The four shares, which come before the rates. */
static void check_topdown(const char *expected)
{
	check_first_metrics(expected, 4);
}

/* The shares are those of perf stat --topdown, and add up to 100. */
START_TEST(topdown_of_the_run)
{
	static const uint64_t values[] = {500, 400, 300, 250, 25};

	add_slots(5, PERF_SAMPLE_IDENTIFIER, 0);
	scale_slots();
	count_slots(values, 5);
	ck_assert(run());
	check_metrics(" retiring 30.0000 300/1000 0 counted \n"
		      " bad_speculation 15.0000 150/1000 0 counted \n"
		      " frontend_bound 25.0000 250/1000 0 counted \n"
		      " backend_bound 30.0000 300/1000 0 counted \n"
		      " per_second 500.0000 500/1000000000 0 counted \n"
		      " per_second 400.0000 400/1000000000 0 counted \n"
		      " per_second 300.0000 300/1000000000 0 counted \n"
		      " per_second 250.0000 250/1000000000 0 counted \n"
		      " per_second 25.0000 25/1000000000 0 counted \n");
	ck_assert_str_eq(ANSWER_ROWS(results, metricstat_metrics, metric_stat)[1].numerator_event,
			 "topdown-slots-issued + topdown-recovery-bubbles - topdown-slots-retired");
}
END_TEST

/* Counters read at different times may leave less than nothing: that is nothing. */
START_TEST(topdown_is_not_negative)
{
	static const uint64_t values[] = {500, 280, 300, 250, 5}, more[] = {500, 600, 500, 450, 5};

	add_slots(5, PERF_SAMPLE_IDENTIFIER, 0);
	scale_slots();
	count_slots(_i ? more : values, 5);
	ck_assert(run());
	if (_i == 0)
		check_topdown(" retiring 30.0000 300/1000 0 counted \n"
			      " bad_speculation 0.0000 0/1000 0 counted \n"
			      " frontend_bound 25.0000 250/1000 0 counted \n"
			      " backend_bound 45.0000 450/1000 0 counted \n");
	else
		check_topdown(" retiring 50.0000 500/1000 0 counted \n"
			      " bad_speculation 11.0000 110/1000 0 counted \n"
			      " frontend_bound 45.0000 450/1000 0 counted \n"
			      " backend_bound 0.0000 0/1000 0 counted \n");
}
END_TEST

/* Without an event what needs it is unknown, as is all if nobody says what a slot is. */
START_TEST(topdown_lacks_something)
{
	static const uint64_t values[] = {500, 400, 300, 250};

	add_slots(4, PERF_SAMPLE_IDENTIFIER, 0);
	if (_i == 0)
		scale_slots();
	count_slots(values, 4);
	ck_assert(run());
	if (_i == 0)
		check_topdown(" retiring 30.0000 300/1000 0 counted \n"
			      " bad_speculation - 0/1000 0 counted missing-event\n"
			      " frontend_bound 25.0000 250/1000 0 counted \n"
			      " backend_bound - 0/1000 0 counted missing-event\n");
	else
		check_topdown(" retiring - 0/500 0 counted no-scale\n"
			      " bad_speculation - 0/500 0 counted no-scale\n"
			      " frontend_bound - 0/500 0 counted no-scale\n"
			      " backend_bound - 0/500 0 counted no-scale\n");
	ck_assert(!ANSWER_ROWS(results, metricstat_metrics, metric_stat)[1].has_numerator);
}
END_TEST

/* A group, of which each sample has all values. */
START_TEST(topdown_of_functions)
{
	static const uint64_t each[] = {500, 400, 300, 250, 25};
	uint64_t words[11] = {5};

	add_slots(5, SAMPLED | PERF_SAMPLE_READ, PERF_FORMAT_GROUP | PERF_FORMAT_ID);
	scale_slots();
	map(0x1000, "/nonexistent/a");
	map(0x2000, "/nonexistent/b");
	for (uint64_t i = 1; i <= 21; i++) {
		for (size_t j = 0; j < 5; j++) {
			words[1 + 2 * j] = i * each[j];
			words[2 + 2 * j] = slot_ids[j];
		}
		mkperf_sample(m, &(struct mkperf_sample){.misc = 2,
							 .pid = 7,
							 .tid = 7,
							 .ip = i <= 20 ? 0x1000 : 0x2000,
							 .time = i,
							 .read = words,
							 .nr_read = 11});
	}
	ck_assert(run());
	check_metrics(
		"/nonexistent/a retiring 30.0000 [16.1415, 55.7570] 6000/20000 20 group \n"
		"/nonexistent/b retiring - 300/1000 1 group few-samples\n"
		"/nonexistent/a bad_speculation 15.0000 3000/20000 20 group \n"
		"/nonexistent/b bad_speculation - 150/1000 1 group few-samples\n"
		"/nonexistent/a frontend_bound 25.0000 [13.4512, 46.4642] 5000/20000 20 group \n"
		"/nonexistent/b frontend_bound - 250/1000 1 group few-samples\n"
		"/nonexistent/a backend_bound 30.0000 6000/20000 20 group \n"
		"/nonexistent/b backend_bound - 300/1000 1 group few-samples\n");
}
END_TEST

/* Events with samples of their own: as many as the rarest event has. */
START_TEST(topdown_of_separate_events)
{
	static const unsigned nr[] = {100, 60, 50, 40, 19};

	add_slots(5, SAMPLED, 0);
	unit(slot_ids[0], "", 4);
	unit(slot_ids[4], "", 4);
	map(0x1000, "/nonexistent/a");
	for (unsigned i = 0; i < 5; i++)
		sample(i, 0x1000, nr[i]);
	ck_assert(run());
	check_metrics("/nonexistent/a retiring 12.5000 [8.9017, 17.5527] 50000/400000 50 separate "
		      "maybe-multiplexed\n"
		      "/nonexistent/a bad_speculation - 86000/400000 19 separate few-samples "
		      "maybe-multiplexed\n"
		      "/nonexistent/a frontend_bound 10.0000 [6.9303, 14.4294] 40000/400000 40 "
		      "separate maybe-multiplexed\n"
		      "/nonexistent/a backend_bound - 224000/400000 19 separate few-samples "
		      "maybe-multiplexed\n");
}
END_TEST

/* Shares of events that a filter leaves out are as unknown as of those that were not recorded. */
START_TEST(topdown_without_an_event)
{
	add_slots(5, SAMPLED, 0);
	unit(slot_ids[0], "", 4);
	unit(slot_ids[4], "", 4);
	map(0x1000, "/nonexistent/a");
	for (unsigned i = 0; i < 5; i++)
		sample(i, 0x1000, 100);
	ck_assert_int_eq(
		filter_add(&filter, "event", "topdown-total-slots,topdown-fetch-bubbles", &err), 0);
	ck_assert(run());
	check_metrics("/nonexistent/a retiring - 0/400000 100 separate missing-event\n"
		      "/nonexistent/a bad_speculation - 0/400000 100 separate missing-event\n"
		      "/nonexistent/a frontend_bound 25.0000 [18.9478, 32.9853] 100000/400000 100 "
		      "separate maybe-multiplexed\n"
		      "/nonexistent/a backend_bound - 0/400000 100 separate missing-event\n");
}
END_TEST

START_TEST(own_metric_of_unknown_events)
{
	add_sampled("cycles", PERF_COUNT_HW_CPU_CYCLES, &cycles_id, 0, 0);
	mkperf_event_desc(m);
	metrics[0] = "x=cycles/cyclops";
	ck_assert(!run());
	ck_assert_str_eq(err.text, "option --metric: 'x=cycles/cyclops' does not name two events "
				   "of the recording: events.csv lists them");
}
END_TEST

START_TEST(roles)
{
	static const struct {
		struct event event;
		enum metric_role role;
	} cases[] = {
		{{.name = "x", .attr = {.type = 0, .config = 1}}, METRIC_INSTRUCTIONS},
		{{.name = "x", .attr = {.type = 0, .config = UINT64_C(0xa) << 32}}, METRIC_CYCLES},
		{{.name = "x", .attr = {.type = 0, .config = 99}}, METRIC_NO_ROLE},
		{{.name = "x", .attr = {.type = 3, .config = 0x10003}}, METRIC_DTLB_MISSES},
		{{.name = "x", .attr = {.type = 3, .config = 0x100}}, METRIC_NO_ROLE},
		{{.name = "x", .attr = {.type = 3, .config = 0x30000}}, METRIC_NO_ROLE},
		{{.name = "cpu/slots/", .attr = {.type = 4}}, METRIC_SLOTS},
		{{.name = "topdown-be-bound:S", .attr = {.type = 4}}, METRIC_BACKEND_BOUND},
		{{.name = "cpu_core/topdown-retiring,x=1/u", .attr = {.type = 9}}, METRIC_RETIRING},
		{{.name = "", .attr = {.type = 4}}, METRIC_NO_ROLE},
	};

	ck_assert_int_eq(metric_role(&cases[_i].event), cases[_i].role);
}
END_TEST

START_TEST(what_fits)
{
	const struct event user = {.name = "", .attr = {.config = 1, .flags = 1 << 5}};
	const struct event both = {.name = "", .attr = {.config = 0}};
	const struct event atom = {.name = "", .attr = {.config = UINT64_C(10) << 32}};
	const struct event task = {.name = "", .attr = {.type = 1, .config = 1}};

	ck_assert(!metric_fits(&user, &both));
	ck_assert(!metric_fits(&both, &atom));
	ck_assert(metric_fits(&both, &both));
	ck_assert(metric_fits(&user, &task));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("counters");
	TCase *counters = tcase_create("counters"), *ratios = tcase_create("metrics");

	tcase_add_checked_fixture(counters, setup, teardown);
	tcase_add_loop_test(counters, intervals, 0, 2);
	tcase_add_test(counters, multiplexed_on_cpus);
	tcase_add_loop_test(counters, modes_of_versions, 0, 5);
	tcase_add_test(counters, hostile_values);
	tcase_add_test(counters, lying_sizes);
	tcase_add_test(counters, no_round);
	tcase_add_test(counters, after_the_last_round);
	tcase_add_test(counters, filtered);
	suite_add_tcase(s, counters);
	tcase_add_checked_fixture(ratios, setup, teardown);
	tcase_add_test(ratios, metrics_of_the_run);
	tcase_add_test(ratios, separate_events);
	tcase_add_test(ratios, group_of_events);
	tcase_add_loop_test(ratios, group_without_an_event, 0, 2);
	tcase_add_loop_test(ratios, separate_without_an_event, 0, 2);
	tcase_add_test(ratios, topdown_of_the_run);
	tcase_add_loop_test(ratios, topdown_is_not_negative, 0, 2);
	tcase_add_loop_test(ratios, topdown_lacks_something, 0, 2);
	tcase_add_test(ratios, topdown_of_functions);
	tcase_add_test(ratios, topdown_of_separate_events);
	tcase_add_test(ratios, topdown_without_an_event);
	tcase_add_test(ratios, own_metric_of_unknown_events);
	suite_add_tcase(s, ratios);
	ratios = tcase_create("roles");
	tcase_add_loop_test(ratios, roles, 0, 10);
	tcase_add_test(ratios, what_fits);
	suite_add_tcase(s, ratios);
	return suite_run(s);
}
