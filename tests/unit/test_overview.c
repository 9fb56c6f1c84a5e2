/* overview.csv: the row of each type of record. */
#include "report/report.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Bits of attr.sample_type. */
enum { SAMPLE_IP = 1 << 0, SAMPLE_ADDR = 1 << 3 };

static const struct event cycles = {
	.number = 0,
	.name = "cycles:u",
	.attr.sample_type = SAMPLE_IP,
};
static const struct event loads = {
	.number = 1,
	.name = "cpu/mem-loads,ldlat=30/P",
	.attr.sample_type = SAMPLE_IP | SAMPLE_ADDR,
};
static const struct event nothing = {.number = 2, .name = "faults"};

#define HAS_ALL (HAS_PID | HAS_TID | HAS_TIME | HAS_CPU)

#define LOADS "\"cpu/mem-loads,ldlat=30/P\""

struct overview_case {
	struct record rec;
	const char *row;
};

static const struct overview_case overview_cases[] = {
	{{.nr = 0,
	  .type = RECORD_MMAP2,
	  .has = HAS_ALL,
	  .pid = 5,
	  .tid = 6,
	  .cpu = 3,
	  .time = 70,
	  .event = &cycles,
	  .mmap = {.start = 0x7f0000001000,
		   .len = 8192,
		   .pgoff = 4096,
		   .filename = "/a, b",
		   .filename_len = 5}},
	 "0,MMAP2,5,6,70,\"/a, b\",0x7f0000001000,8192,0x1000,,3,\n"},
	{{.nr = 1,
	  .type = RECORD_MMAP,
	  .has = HAS_PID | HAS_TID,
	  .pid = UINT32_MAX,
	  .mmap = {.start = 0xffffffff81000000,
		   .len = 1,
		   .filename = "[kernel.kallsyms]_text",
		   .filename_len = 22}},
	 "1,MMAP,-1,0,,[kernel.kallsyms]_text,0xffffffff81000000,1,0x0,,,\n"},
	{{.nr = 2,
	  .type = RECORD_COMM,
	  .has = HAS_ALL,
	  .pid = 5,
	  .tid = 5,
	  .cpu = UINT32_MAX,
	  .time = UINT64_MAX,
	  .event = &cycles,
	  .comm = {"=1+\"x\"", 6}},
	 "2,COMM,5,5,18446744073709551615,\"'=1+\"\"x\"\"\",,,,,-1,\n"},
	{{.nr = 3,
	  .type = RECORD_FORK,
	  .has = HAS_ALL,
	  .pid = 9,
	  .tid = 9,
	  .time = 1,
	  .task = {.ppid = 5, .ptid = 6}},
	 "3,FORK,9,9,1,5,,,,,0,\n"},
	{{.nr = 4, .type = RECORD_FORK, .has = HAS_TIME, .task = {.ppid = UINT32_MAX}},
	 "4,FORK,,,0,-1,,,,,,\n"},
	{{.nr = 5,
	  .type = RECORD_EXIT,
	  .has = HAS_ALL,
	  .pid = 9,
	  .tid = 9,
	  .time = 2,
	  .event = &cycles,
	  .task = {.ppid = 5}},
	 "5,EXIT,9,9,2,,,,,,0,\n"},
	{{.nr = 6,
	  .type = RECORD_SAMPLE,
	  .has = HAS_ALL,
	  .pid = 9,
	  .tid = 10,
	  .time = 3,
	  .cpu = 63,
	  .event = &cycles,
	  .sample = {.ip = 0x401000, .addr = 77, .period = 250000}},
	 "6,SAMPLE,9,10,3,0x401000,,,,250000,63,cycles:u\n"},
	{{.nr = 7,
	  .type = RECORD_SAMPLE,
	  .has = HAS_TID,
	  .tid = 10,
	  .event = &loads,
	  .sample = {.ip = 0, .addr = 0xabc, .period = 0}},
	 "7,SAMPLE,,10,,0x0,0xabc,,,0,," LOADS "\n"},
	{{.nr = 8, .type = RECORD_SAMPLE, .event = &nothing, .sample = {.period = 1}},
	 "8,SAMPLE,,,,,,,,1,,faults\n"},
	{{.nr = 9,
	  .type = RECORD_LOST,
	  .has = HAS_TIME,
	  .time = 4,
	  .event = &loads,
	  .lost = {.id = 1, .lost = 123}},
	 "9,LOST,,,4,123 lost,,,,,," LOADS "\n"},
	{{.nr = 10, .type = RECORD_LOST_SAMPLES, .lost = {.lost = 1}},
	 "10,LOST_SAMPLES,,,,1 lost,,,,,,\n"},
	{{.nr = 11, .type = RECORD_THROTTLE, .has = HAS_TIME, .time = 5, .event = &cycles},
	 "11,THROTTLE,,,5,,,,,,,cycles:u\n"},
	{{.nr = 12, .type = RECORD_UNTHROTTLE, .has = HAS_TIME, .time = 6, .event = &cycles},
	 "12,UNTHROTTLE,,,6,,,,,,,cycles:u\n"},
	{{.nr = 13,
	  .type = RECORD_READ,
	  .has = HAS_PID | HAS_TID,
	  .pid = 1,
	  .tid = 1,
	  .event = &cycles},
	 "13,READ,1,1,,,,,,,,cycles:u\n"},
	{{.nr = 14, .type = RECORD_FINISHED_ROUND}, "14,FINISHED_ROUND,,,,,,,,,,\n"},
	{{.nr = UINT64_MAX, .type = 200, .event = &cycles},
	 "18446744073709551615,UNKNOWN_200,,,,,,,,,,\n"},
};

#define OVERVIEW_HEADER "nr,type,pid,tid,time,info,address,size,offset,period,cpu,event\n"

START_TEST(overview_row)
{
	const struct overview_case *c = &overview_cases[_i];
	struct scratch_path dir = scratch_make();
	struct report_settings settings = {.dir = dir.text, .tables = REPORT_BIT(overview)};
	const struct results nothing_else = {0};
	struct error err = {0};
	struct report *report = report_open(&settings, &err);
	char expected[512], *text;

	ck_assert_msg(report, "%s", err.text);
	ck_assert_int_eq(report_record(report, &c->rec, &err), 0);
	ck_assert_msg(report_finish(report, &nothing_else, &err) == 0, "%s", err.text);
	report_close(report);
	snprintf(expected, sizeof(expected), "%s%s", OVERVIEW_HEADER, c->row);
	text = scratch_read(dir.text, "overview.csv");
	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, expected);
	free(text);
	scratch_remove(dir.text);
}
END_TEST

#define NR(array) (sizeof(array) / sizeof((array)[0]))

int main(void)
{
	Suite *suite = suite_create("overview");
	TCase *tcase = tcase_create("overview");

	tcase_add_loop_test(tcase, overview_row, 0, (int)NR(overview_cases));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
