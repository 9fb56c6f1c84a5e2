/* --per and --where: recordings of tracepoints, split and filtered by keys and fields. */
#include "decode/replay.h"
#include "decode/count/recentcount.h"
#include "decode/count/splitcount.h"
#include "perffile/syscallname.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format[] =
	"name: demo_wait\nID: 41\nformat:\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char who[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:long state;\toffset:16;\tsize:8;\tsigned:1;\n"
	"\tfield:u32 args[2];\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:int __syscall_nr;\toffset:32;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"%s\", __print_symbolic(REC->state, { 0, \"R\" }, { 2, \"D\" })\n";
static const char other_format[] = "name: demo_other\nID: 42\nformat:\n"
				   "\tfield:long state;\toffset:8;\tsize:8;\tsigned:1;\n"
				   "\nprint fmt: \"\"\n";

enum { WAIT, OTHER, PLAIN, NR_EVENTS };

static struct mkperf *m;
static struct perffile *file;
static struct replay *replay;
static struct filter filter;
static struct perkeys per;
static struct error err;
static const struct results *results;

static void put_number(uint8_t *to, unsigned bytes, uint64_t value)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

static void put_tracing_data(void)
{
	static const char *const formats[] = {format, other_format};

	mkperf_tracing(m, &(struct mkperf_tracepoints){"demo", formats, 2}, 1);
	mkperf_feature_string(m, MKPERF_ARCH, "x86_64");
}

static void add_event(uint64_t id, uint32_t type, uint64_t config, const char *name)
{
	mkperf_event(m,
		     &(struct mkperf_event){.name = name,
					    .type = type,
					    .config = config,
					    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							   PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
							   PERF_SAMPLE_ID | PERF_SAMPLE_PERIOD |
							   PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
					    .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					    .ids = &id,
					    .nr_ids = 1});
}

/* A tracepoint's sample. The chain goes from @ip to 0x9000, through @ip again if it is recursive.
 */
struct wait {
	unsigned event;
	uint64_t time;
	uint32_t tid, cpu;
	uint64_t ip;
	const char *who;
	int64_t state;
	uint32_t arg;
	int32_t nr;
	uint32_t raw_size;
};

static void put_wait(const struct wait *wait)
{
	uint8_t raw[36] = {0};
	const uint64_t ips[] = {PERF_CONTEXT_USER, wait->ip, 0x8000, wait->ip, 0x9000};
	struct mkperf_sample sample = {
		.event = wait->event,
		.misc = PERF_RECORD_MISC_USER,
		.pid = 10,
		.tid = wait->tid,
		.cpu = wait->cpu,
		.time = wait->time,
		.ip = wait->ip,
		.period = 5,
		.ips = ips,
		.nr_ips = 5,
		.raw = raw,
		.raw_size = wait->raw_size ? wait->raw_size : sizeof(raw),
	};

	if (wait->who)
		memcpy(raw + 8, wait->who, strlen(wait->who));
	put_number(raw + (wait->event == OTHER ? 8 : 16), 8, (uint64_t)wait->state);
	put_number(raw + 28, 4, wait->arg);
	put_number(raw + 32, 4, (uint32_t)wait->nr);
	mkperf_sample(m, &sample);
}

static const struct wait waits[] = {
	{WAIT, 1000, 11, 0, 0x8000, "make", 2, 7, 0, 0},
	{WAIT, 1400, 12, 1, 0x8000, "make", 0, 8, 1, 0},
	{WAIT, 1500, 11, 1, 0x8000, "cc", 2, 7, 9999, 0},
	{WAIT, 2600, 11, 1, 0x7000, "cc", -3, 4000000000, -1, 0},
	{WAIT, 2700, 11, 0, 0x7000, NULL, 2, 7, 0, 12}, /* the rest of the fields is not there */
	{OTHER, 2800, 12, 0, 0x7000, NULL, 77, 0, 0, 0},
	{PLAIN, 2900, 12, 0, 0x7000, NULL, 0, 0, 0, 4},
};

static void setup(void)
{
	filter = (struct filter){0};
	per = (struct perkeys){0};
	err = (struct error){0};
	replay = NULL;
	file = NULL;
	m = mkperf_new(NULL);
	ck_assert_ptr_nonnull(m);
	add_event(100, PERF_TYPE_TRACEPOINT, 41, NULL);
	add_event(200, PERF_TYPE_TRACEPOINT, 42, NULL);
	add_event(300, PERF_TYPE_SOFTWARE, 0, "plain");
	put_tracing_data();
	mkperf_comm(m, &(struct mkperf_id){.pid = 10, .tid = 11, .time = 1}, 0, 10, 11, "-a");
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		put_wait(&waits[i]);
	mkperf_round(m);
}

static void teardown(void)
{
	replay_destroy(replay);
	perffile_close(file);
	filter_free(&filter);
	perkeys_free(&per);
}

/* Reads the recording. Returns whether it could be. */
static bool run(const char *keys, const char *where)
{
	const struct replay_settings settings = {.filter = &filter, .per = &per};
	const struct record *rec;
	int rc;

	ck_assert(!keys || perkeys_add(&per, keys, &err) == 0);
	ck_assert(!where || filter_add(&filter, "where", where, &err) == 0);
	file = recording_open(m);
	replay = replay_create(&settings, file, &err);
	ck_assert(replay);
	while ((rc = perffile_next(file, &rec, &err)) > 0)
		if (replay_apply(replay, rec, &err) < 0)
			return false;
	ck_assert_int_eq(rc, 0);
	results = replay_finish(replay, &err);
	return results;
}

/* The rows of the event as lines "samples children_samples value...". */
static const char *rows_of(unsigned event)
{
	static char text[4096];
	size_t len = 0;

	*text = '\0';
	for (size_t i = 0; i < results->split->nr_rows; i++) {
		const struct split_row *row = &results->split->rows[i];

		if (row->function->event->number != event)
			continue;
		len += (size_t)sprintf(text + len, "%d %d", (int)row->self.samples,
				       (int)row->children.samples);
		ck_assert_uint_eq(row->self.period, 5 * row->self.samples);
		for (size_t key = 0; key < results->split->nr_keys; key++)
			len += (size_t)sprintf(text + len, " %s%s", row->values[key].text,
					       row->values[key].is_number ? "#" : "");
		len += (size_t)sprintf(text + len, "\n");
	}
	return text;
}

/* All is in one row, as no binary is known; children count each sample once, recursion or not. */
static const struct {
	const char *keys, *wait, *other, *plain;
} splits[] = {
	{"cpu", "3 3 1#\n2 2 0#\n", "1 1 0#\n", "1 1 0#\n"},
	{"tid,cpu", "2 2 11# 0#\n2 2 11# 1#\n1 1 12# 1#\n", "1 1 12# 0#\n", "1 1 12# 0#\n"},
	{"comm,pid", "4 4 -a 10#\n1 1  10#\n", "1 1  10#\n", "1 1  10#\n"},
	{"slice:1us", "3 3 0#\n2 2 1000#\n", "1 1 1000#\n", "1 1 1000#\n"},
	{"demo_wait.state", "2 2 D\n1 1 R\n1 1 -3#\n1 1 \n", "1 1 \n", "1 1 \n"},
	{"demo:demo_other.state", "5 5 \n", "1 1 77#\n", "1 1 \n"},
	{"who", "2 2 make\n2 2 cc\n1 1 \n", "1 1 \n", "1 1 \n"},
	{"args", "2 2 0 7\n1 1 0 8\n1 1 0 4000000000\n1 1 \n", "1 1 \n", "1 1 \n"},
	{"args[1]", "2 2 7#\n1 1 8#\n1 1 4000000000#\n1 1 \n", "1 1 \n", "1 1 \n"},
	{"__syscall_nr", "1 1 read\n1 1 write\n1 1 9999#\n1 1 -1#\n1 1 \n", "1 1 \n", "1 1 \n"},
};

START_TEST(rows_by_keys)
{
	ck_assert_msg(run(splits[_i].keys, NULL), "%s", err.text);
	ck_assert_str_eq(rows_of(WAIT), splits[_i].wait);
	ck_assert_str_eq(rows_of(OTHER), splits[_i].other);
	ck_assert_str_eq(rows_of(PLAIN), splits[_i].plain);
}
END_TEST

static const struct {
	const char *where;
	uint64_t wait, other; /* samples */
} passing[] = {
	{"demo_wait.state==2", 2, 0},
	{"demo_wait.state=='D'", 2, 0},
	{"demo_wait.state != 'D'", 2, 0},
	{"demo_wait.state<0", 1, 0},
	{"demo_wait.state>=-3 and cpu_is_no_field==1", UINT64_MAX, 0},
	{"demo_wait.state>-3 and who==\"make\"", 2, 0},
	{"who<'d'", 2, 0},
	{"who>='d'", 2, 0},
	{"args[1]>0xffffffff", 0, 0},
	{"args[1] == 4000000000 and demo_wait.state==-3", 1, 0},
	{"args[1]>-1", 4, 0},
	{"__syscall_nr=='write'", 1, 0},
	{"demo_other.state==77", 0, 1},
	{"demo_other.state==77 and args[1]==7", 0, 0}, /* a sample is of one event */
};

START_TEST(samples_that_pass)
{
	const bool is_right = run(NULL, passing[_i].where);

	ck_assert(is_right == (passing[_i].wait != UINT64_MAX));
	if (!is_right)
		return;
	ck_assert_ptr_null(results->split);
	ck_assert_uint_eq(results->events[WAIT].total.samples, passing[_i].wait);
	ck_assert_uint_eq(results->events[WAIT].taken.samples, 5);
	ck_assert_uint_eq(results->events[OTHER].total.samples, passing[_i].other);
	ck_assert_uint_eq(results->events[PLAIN].total.samples, 0);
}
END_TEST

static const struct {
	const char *keys, *where, *message;
} refused[] = {
	{"state", NULL,
	 "option --per: 'state' is a field of demo:demo_wait and of demo:demo_other: name it as "
	 "EVENT.state"},
	{"nobody.state", NULL,
	 "option --per: 'nobody.state': the recording has no tracepoint of that name"},
	{"demo_wait.nothing", NULL,
	 "option --per: no tracepoint demo_wait of the recording has a field 'nothing': "
	 "--tables=header lists them"},
	{"args[2]", NULL,
	 "option --per: no tracepoint of the recording has a field 'args' with such an element: "
	 "--tables=header lists them"},
	{NULL, "args==1",
	 "option --where: 'args' is a list of numbers: name one of them, as args[0], or put all "
	 "into quotes"},
	{NULL, "who==1",
	 "option --where: 'who' is a text: put what it is compared with into quotes"},
	{NULL, "demo_wait.state<'D'",
	 "option --where: 'state' is a number: compare it with a number, or by == and != with a "
	 "word"},
	{NULL, "demo_wait.state=='X'", "option --where: 'state' has no value called 'X'"},
};

START_TEST(fields_that_are_refused)
{
	ck_assert(!run(refused[_i].keys, refused[_i].where));
	ck_assert_str_eq(err.text, refused[_i].message);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

static const struct {
	const char *option, *arg, *message;
} misspelt[] = {
	{"per", "comm,comm", "option --per: 'comm' is given twice"},
	{"per", "a,b,c,d,e,f,g,h,i", "option --per: takes at most 8 keys"},
	{"where", "a", "option --where: 'a': one of == != < <= > >= was expected at ''"},
	{"where", "a=1", "option --where: 'a=1': one of == != < <= > >= was expected at '=1'"},
	{"where", "a==", "option --where: 'a==': a number, or a text in quotes was expected at ''"},
	{"where", "a==1 b", "option --where: 'a==1 b': 'and', or the end was expected at 'b'"},
	{"where", "a==1 and",
	 "option --where: 'a==1 and': a field of a tracepoint was expected at ''"},
	{"where", "==1", "option --where: '==1': a field of a tracepoint was expected at '==1'"},
	{"where", "a=='x",
	 "option --where: 'a=='x': a number, or a text in quotes was expected at "
	 "''x'"},
	{"where", "a==18446744073709551616",
	 "option --where: 'a==18446744073709551616': a number, or a text in quotes was expected at "
	 "'18446744073709551616'"},
};

START_TEST(arguments_that_are_refused)
{
	struct where where = {0};
	struct perkeys keys = {0};
	const bool is_per = strcmp(misspelt[_i].option, "per") == 0;

	ck_assert_int_eq(is_per ? perkeys_add(&keys, misspelt[_i].arg, &err)
				: where_add(&where, misspelt[_i].arg, &err),
			 -1);
	ck_assert_str_eq(err.text, misspelt[_i].message);
	where_free(&where);
	perkeys_free(&keys);
}
END_TEST

static const char *const no_keys[] = {
	"",    "slice", "slice:", "slice:5", "slice:0ms", "slice:5min", "slice:20000000000s",
	"a b", "a.",	".a",	  "a[1",     "a[x]"};

START_TEST(words_that_are_no_keys)
{
	struct perkeys keys = {0};

	ck_assert_int_eq(perkeys_add(&keys, no_keys[_i], &err), -1);
	ck_assert(strstr(err.text,
			 "' is not one of comm, pid, tid, cpu, cgroup, data_symbol, slice:"));
	perkeys_free(&keys);
}
END_TEST

/* Reads @file, with samples many at a time where the replay takes them so. */
static void run_in_bulk(void)
{
	const bool plain = replay_takes_plain(replay);
	struct plain_samples samples = {0};
	const struct record *rec;
	int rc;

	do {
		int bulk = 0;

		while (plain && (bulk = perffile_next_plain(file, &samples, &err)) > 0)
			ck_assert_int_eq(replay_apply_plain(replay, &samples, &err), 0);
		ck_assert_int_eq(bulk, 0);
		rc = perffile_next(file, &rec, &err);
		ck_assert(rc <= 0 || replay_apply(replay, rec, &err) >= 0);
	} while (rc > 0);
	ck_assert_int_eq(rc, 0);
	results = replay_finish(replay, &err);
	ck_assert(results);
}

/*
 * What perf wrote to a pipe tells its events by records, so it is not known before whether samples
 * have call chains, which cannot be split in bulk.
 */
START_TEST(events_that_records_tell)
{
	enum { SAMPLES = 5 };
	const uint64_t ips[] = {PERF_CONTEXT_USER, 0x8000, 0x9000}, id = 400;
	const struct mkperf_event told = {.name = "told",
					  .type = PERF_TYPE_SOFTWARE,
					  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							 PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
							 PERF_SAMPLE_CALLCHAIN,
					  .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					  .ids = &id,
					  .nr_ids = 1};
	const struct replay_settings settings = {.filter = &filter, .per = &per};
	unsigned event;

	mkperf_free(m);
	m = mkperf_new(&(struct mkperf_options){.pipe = true});
	event = mkperf_event(m, &told);
	for (uint32_t i = 0; i < SAMPLES; i++)
		mkperf_sample(m, &(struct mkperf_sample){.event = event,
							 .misc = PERF_RECORD_MISC_USER,
							 .pid = 10,
							 .tid = 10 + i % 2,
							 .time = 1000 + i,
							 .ip = 0x8000,
							 .ips = ips,
							 .nr_ips = 3});
	mkperf_round(m);
	ck_assert_int_eq(perkeys_add(&per, "tid", &err), 0);
	file = recording_open(m);
	replay = replay_create(&settings, file, &err);
	ck_assert_int_eq(replay_takes_plain(replay), 0);
	run_in_bulk();
	ck_assert_uint_eq(results->split->nr_rows, 2);
	ck_assert_uint_eq(results->split->rows[0].self.samples, 3);
	ck_assert_uint_eq(results->split->rows[1].self.samples, 2);
}
END_TEST

/* A header tells all events. Of one that a record tells all the same, no sample comes in bulk. */
START_TEST(an_event_behind_the_header)
{
	const uint64_t id = 400,
		       type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID;
	const struct record *rec;

	mkperf_free(m);
	m = mkperf_new(NULL);
	mkperf_event(m, &(struct mkperf_event){.name = "first",
					       .type = PERF_TYPE_SOFTWARE,
					       .sample_type = type,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					       .ids = &id,
					       .nr_ids = 1});
	mkperf_begin(m, 64, 0); /* HEADER_ATTR: type and size, config, period, sample_type */
	mkperf_u32(m, PERF_TYPE_SOFTWARE);
	mkperf_u32(m, 64);
	mkperf_u64(m, 0);
	mkperf_u64(m, 1);
	mkperf_u64(m, type | PERF_SAMPLE_CALLCHAIN);
	mkperf_bytes(m, NULL, 32);
	mkperf_u64(m, 500);
	mkperf_end(m);
	mkperf_round(m);
	file = recording_open(m);
	while (perffile_next(file, &rec, &err) > 0)
		continue;
	ck_assert_uint_eq(perffile_nr_events(file), 2);
	ck_assert(perffile_event(file, 0)->layout.plain);
	ck_assert(perffile_event(file, 1)->chains);
	ck_assert(!perffile_event(file, 1)->layout.plain);
}
END_TEST

/* Samples beyond what is noted at a time: they are merged many times, and nothing is lost. */
START_TEST(many_samples)
{
	enum { SAMPLES = 1000000, PAIRS = 70000 };
	struct splitcount counts = {0};
	uint64_t samples = 0;
	uint32_t number = 1;
	bool ok = true;

	for (uint32_t i = 0; i < SAMPLES; i++) {
		number = (number + 48271) % PAIRS;
		ok &= splitcount_add(&counts, number % 7, RECENT_ADDRESS, number, number);
	}
	ck_assert(ok);
	ck_assert(splitcount_add(&counts, 3, RECENT_PATH, 5, 9));
	ck_assert(splitcount_add(&counts, 4, RECENT_WAITING, 6, 1));
	ck_assert(splitcount_flush(&counts));
	ck_assert_uint_eq(counts.nr, PAIRS + 2);
	ck_assert_uint_eq(counts.kinds[RECENT_ADDRESS].nr, PAIRS);
	for (size_t i = 0; i < PAIRS; i++) {
		const struct split_count *count = &counts.kinds[RECENT_ADDRESS].list[i];

		number = (uint32_t)count->pair;
		/* The numbers go around 14 times, and 20000 of them once more. */
		ok &= (i == 0 || count[-1].pair < count->pair) && count->pair >> 32 == number % 7 &&
		      count->tally.samples >= 14 && count->tally.samples <= 15 &&
		      count->tally.period == count->tally.samples * number;
		samples += count->tally.samples;
	}
	ck_assert(ok);
	ck_assert_uint_eq(samples, SAMPLES);
	ck_assert_uint_eq(counts.kinds[RECENT_PATH].list[0].pair, UINT64_C(3) << 32 | 5);
	ck_assert_uint_eq(counts.kinds[RECENT_PATH].list[0].tally.period, 9);
	splitcount_forget_waiting(&counts);
	ck_assert_uint_eq(counts.kinds[RECENT_WAITING].nr, 0);
	ck_assert_uint_eq(counts.nr, PAIRS + 1);
	splitcount_free(&counts);
}
END_TEST

START_TEST(too_many_pairs)
{
	struct splitcount counts = {.most = 3};

	for (uint32_t i = 0; i < 3; i++)
		ck_assert(splitcount_add(&counts, i, 0, 7, 1));
	ck_assert(splitcount_flush(&counts));
	ck_assert(splitcount_add(&counts, 2, 0, 7, 1)); /* one that is there */
	ck_assert(splitcount_flush(&counts));
	ck_assert(splitcount_add(&counts, 3, 0, 7, 1));
	ck_assert(!counts.full);
	ck_assert(!splitcount_flush(&counts));
	ck_assert(counts.full);
	splitcount_free(&counts);
}
END_TEST

/* A process is one of 32 bits from 1450 on: call 0 is restart_syscall there, the first one had call
 * 0 of 64 bits. Numbers are compared as they were recorded. */
static void map_vdso_32(void)
{
	mkperf_mmap(m, &(struct mkperf_id){.pid = 10, .tid = 11, .time = 1450},
		    &(struct mkperf_mmap){.pid = 10,
					  .tid = 11,
					  .start = 0xf7fef000,
					  .len = 0x2000,
					  .filename = "[vdso]"});
	put_wait(&(struct wait){WAIT, 1600, 11, 1, 0x8000, "cc", 2, 7, 0, 0});
	put_wait(&(struct wait){WAIT, 1700, 11, 1, 0x8000, "cc", 2, 7, 3, 0});
	put_wait(&(struct wait){WAIT, 1800, 11, 1, 0x8000, "cc", 2, 7, 102, 0});
	mkperf_round(m);
}

START_TEST(calls_of_32_bits_by_key)
{
	map_vdso_32();
	ck_assert_msg(run("__syscall_nr", NULL), "%s", err.text);
	ck_assert_str_eq(rows_of(WAIT),
			 "2 2 read\n1 1 write\n1 1 9999#\n1 1 restart_syscall\n1 1 socketcall\n"
			 "1 1 -1#\n1 1 \n");
}
END_TEST

static const struct {
	const char *where;
	uint64_t nr;
} of_32_bits[] = {
	{"__syscall_nr=='read'", 2},	   {"__syscall_nr==0", 2},  {"__syscall_nr==3", 1},
	{"__syscall_nr=='socketcall'", 1}, {"__syscall_nr==-1", 1}, {"__syscall_nr!='read'", 5},
};

START_TEST(calls_of_32_bits_that_pass)
{
	map_vdso_32();
	ck_assert_msg(run(NULL, of_32_bits[_i].where), "%s", err.text);
	ck_assert_uint_eq(results->events[WAIT].total.samples, of_32_bits[_i].nr);
}
END_TEST

static const struct {
	const char *machine;
	uint64_t number;
	const char *name; /* NULL: none */
} calls[] = {
	{"x86_64", 0, "read"},	   {"x86_64", 59, "execve"},
	{"x86_64", 334, "rseq"},   {"x86_64", 424, "pidfd_send_signal"},
	{"x86_64", 435, "clone3"}, {"x86_64", 400, NULL},
	{"i386", 1, "exit"},	   {"i686", 4, "write"},
	{"aarch64", 63, "read"},   {"aarch64", 221, "execve"},
	{"riscv64", 64, "write"},  {"aarch64", 441, "epoll_pwait2"},
	{"sparc", 1, NULL},	   {"x86_64", UINT64_MAX, NULL},
};

START_TEST(names_of_system_calls)
{
	char name[SYSCALLNAME_MAX];
	uint64_t number;

	ck_assert(syscallname_get(calls[_i].machine, calls[_i].number, name) ==
		  (calls[_i].name != NULL));
	if (!calls[_i].name)
		return;
	ck_assert_str_eq(name, calls[_i].name);
	ck_assert(syscallname_number(calls[_i].machine, name, &number));
	ck_assert_uint_eq(number, calls[_i].number);
	ck_assert(!syscallname_number(calls[_i].machine, "nothing", &number));
}
END_TEST

static const struct {
	const char *machine;
	uint64_t number;
	const char *name; /* NULL: none */
	uint64_t native;
} calls_32[] = {
	{"x86_64", 3, "read", 0},
	{"x86_64", 20, "getpid", 39},
	{"x86_64", 102, "socketcall", SYSCALLNAME_32 | 102},
	{"x86_64", 435, "clone3", 435},
	{"x86_64", 9999, NULL, 9999},
	{"x86_64", UINT64_MAX, NULL, UINT64_MAX},
	{"aarch64", 4, NULL, SYSCALLNAME_32 | 4}, /* names of 32-bit Arm are not known */
	{"i686", 3, "read", 3},
	{"armv7l", 3, NULL, 3},
};

START_TEST(names_of_32_bit_programs)
{
	struct syscallnumbers numbers = {0};
	char name[SYSCALLNAME_MAX];
	uint64_t number = syscallname_native(&numbers, calls_32[_i].machine, calls_32[_i].number);

	ck_assert_uint_eq(number, calls_32[_i].native);
	ck_assert(syscallname_get(calls_32[_i].machine, number, name) ==
		  (calls_32[_i].name != NULL));
	if (!calls_32[_i].name)
		return;
	ck_assert_str_eq(name, calls_32[_i].name);
	ck_assert(syscallname_number(calls_32[_i].machine, name, &number));
	ck_assert_uint_eq(number, calls_32[_i].native);
}
END_TEST

#define NR(list) ((int)(sizeof(list) / sizeof((list)[0])))

int main(void)
{
	Suite *suite = suite_create("split");
	TCase *recorded = tcase_create("recorded"), *words = tcase_create("words");

	tcase_add_checked_fixture(recorded, setup, teardown);
	tcase_add_loop_test(recorded, rows_by_keys, 0, NR(splits));
	tcase_add_loop_test(recorded, samples_that_pass, 0, NR(passing));
	tcase_add_loop_test(recorded, fields_that_are_refused, 0, NR(refused));
	tcase_add_loop_test(words, arguments_that_are_refused, 0, NR(misspelt));
	tcase_add_loop_test(words, words_that_are_no_keys, 0, NR(no_keys));
	tcase_add_test(words, many_samples);
	tcase_add_test(recorded, events_that_records_tell);
	tcase_add_test(recorded, an_event_behind_the_header);
	tcase_add_test(words, too_many_pairs);
	tcase_add_loop_test(words, names_of_system_calls, 0, NR(calls));
	tcase_add_loop_test(words, names_of_32_bit_programs, 0, NR(calls_32));
	tcase_add_test(recorded, calls_of_32_bits_by_key);
	tcase_add_loop_test(recorded, calls_of_32_bits_that_pass, 0, NR(of_32_bits));
	suite_add_tcase(suite, recorded);
	suite_add_tcase(suite, words);
	return suite_run(suite);
}
