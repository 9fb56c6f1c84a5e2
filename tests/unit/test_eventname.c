/* Names made from attrs, each as perf 7.2 prints it. */
#include "perffile/record/eventname.h"

#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/writer/mkperf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { NR_PRECISE = 3 };

/* Bits of attr.flags. */
#define USER_OFF   (UINT64_C(1) << 4)
#define KERNEL_OFF (UINT64_C(1) << 5)
#define HV_OFF	   (UINT64_C(1) << 6)
#define PRECISE(n) ((uint64_t)(n) << 15)
#define HOST_OFF   (UINT64_C(1) << 19)
#define GUEST_OFF  (UINT64_C(1) << 20)

struct made {
	struct attr attr;
	const char *name;
};

static const struct made mades[] = {
	{{.type = 0, .config = 0}, "cycles"},
	{{.type = 0, .config = 9}, "ref-cycles"},
	{{.type = 0, .config = 10}, "unknown-hardware"},
	{{.type = 0, .config = 0x400000000}, "cpu_core/cycles/"},
	{{.type = 0, .config = 0xa00000001}, "cpu_atom/instructions/"},
	{{.type = 0, .config = 0x6300000001}, "pmu99/instructions/"},
	{{.type = 1, .config = 0}, "cpu-clock"},
	{{.type = 1, .config = 11}, "cgroup-switches"},
	{{.type = 1, .config = 12}, "unknown-software"},
	{{.type = 2, .config = 316}, "sched:sched_switch"},
	{{.type = 2, .config = 316, .flags = KERNEL_OFF}, "sched:sched_switch"},
	{{.type = 2, .config = 317}, "pmu2/config=0x13d/"},
	{{.type = 3, .config = 0x00000}, "L1-dcache-loads"},
	{{.type = 3, .config = 0x10000}, "L1-dcache-load-misses"},
	{{.type = 3, .config = 0x00100}, "L1-dcache-stores"},
	{{.type = 3, .config = 0x10100}, "L1-dcache-store-misses"},
	{{.type = 3, .config = 0x00200}, "L1-dcache-prefetches"},
	{{.type = 3, .config = 0x10200}, "L1-dcache-prefetch-misses"},
	{{.type = 3, .config = 0x10001}, "L1-icache-load-misses"},
	{{.type = 3, .config = 0x00201}, "L1-icache-prefetches"},
	{{.type = 3, .config = 0x00101}, "invalid-cache"},
	{{.type = 3, .config = 0x00102}, "LLC-stores"},
	{{.type = 3, .config = 0x10203}, "dTLB-prefetch-misses"},
	{{.type = 3, .config = 0x10004}, "iTLB-load-misses"},
	{{.type = 3, .config = 0x00104}, "invalid-cache"},
	{{.type = 3, .config = 0x10005}, "branch-load-misses"},
	{{.type = 3, .config = 0x00005}, "branch-loads"},
	{{.type = 3, .config = 0x00006}, "node-loads"},
	{{.type = 3, .config = 0x10106}, "node-store-misses"},
	{{.type = 3, .config = 0x00007}, "unknown-ext-hardware-cache-type"},
	{{.type = 3, .config = 0x00300}, "unknown-ext-hardware-cache-op"},
	{{.type = 3, .config = 0x20000}, "unknown-ext-hardware-cache-result"},
	{{.type = 3, .config = 0x400010000}, "cpu_core/L1-dcache-load-misses/"},
	{{.type = 4, .config = 0x1cd, .flags = PRECISE(2)}, "raw 0x1cd:pp"},
	{{.type = 5, .config1 = 0x4010, .bp_type = 3}, "mem:0x4010:rw"},
	{{.type = 5, .config1 = 0x4010, .bp_type = 4, .flags = KERNEL_OFF | HV_OFF},
	 "mem:0x4010:x:u"},
	{{.type = 8, .config = 0x300e601}, "intel_pt/config=0x300e601/"},
	{{.type = 77, .config = 0}, "pmu77/config=0x0/"},
	{{.type = UINT32_MAX, .config = UINT64_MAX}, "pmu4294967295/config=0xffffffffffffffff/"},
	{{.flags = KERNEL_OFF}, "cycles:uh"},
	{{.flags = USER_OFF | HV_OFF}, "cycles:k"},
	{{.flags = PRECISE(NR_PRECISE)}, "cycles:ppp"},
	{{.flags = KERNEL_OFF | HV_OFF | PRECISE(2) | GUEST_OFF}, "cycles:uppH"},
	{{.flags = HOST_OFF}, "cycles:G"},
	{{.flags = KERNEL_OFF | USER_OFF | HV_OFF}, "cycles"},
};

static void add(struct event_numbers *numbers, enum event_number kind, uint64_t number,
		const char *name)
{
	ck_assert(eventname_add_number(numbers, kind, number, name, strlen(name)));
}

START_TEST(names_of_attrs)
{
	struct event_numbers numbers = {0};
	char name[EVENT_NAME_MAX];

	add(&numbers, NUMBER_PMU, 4, "cpu_core");
	add(&numbers, NUMBER_PMU, 10, "cpu_atom");
	add(&numbers, NUMBER_PMU, 8, "intel_pt");
	add(&numbers, NUMBER_TRACEPOINT, 316, "sched:sched_switch");
	event_name_make(&mades[_i].attr, &numbers, name);
	ck_assert_str_eq(name, mades[_i].name);
	eventname_free_numbers(&numbers);
}
END_TEST

START_TEST(the_first_name_of_a_number_stands)
{
	struct event_numbers numbers = {0};

	ck_assert_ptr_null(eventname_find_number(&numbers, NUMBER_PMU, 6));
	ck_assert(eventname_add_number(&numbers, NUMBER_PMU, 6, "cs_etm\0padding", 14));
	add(&numbers, NUMBER_PMU, 6, "other");
	add(&numbers, NUMBER_PMU, 7, "");
	add(&numbers, NUMBER_PMU, 7, "uprobe");
	add(&numbers, NUMBER_TRACEPOINT, 6, "a:b");
	ck_assert_str_eq(eventname_find_number(&numbers, NUMBER_PMU, 6), "cs_etm");
	ck_assert_str_eq(eventname_find_number(&numbers, NUMBER_PMU, 7), "uprobe");
	ck_assert_str_eq(eventname_find_number(&numbers, NUMBER_TRACEPOINT, 6), "a:b");
	ck_assert_ptr_null(eventname_find_number(&numbers, NUMBER_TRACEPOINT, 7));
	eventname_free_numbers(&numbers);
}
END_TEST

START_TEST(a_long_name_is_cut)
{
	struct event_numbers numbers = {0};
	char name[EVENT_NAME_MAX], pmu[2 * EVENT_NAME_MAX];

	memset(pmu, 'x', sizeof(pmu));
	ck_assert(eventname_add_number(&numbers, NUMBER_PMU, 6, pmu, sizeof(pmu)));
	event_name_make(&(struct attr){.type = 6, .flags = KERNEL_OFF}, &numbers, name);
	ck_assert_uint_eq(strlen(name), EVENT_NAME_MAX - 1);
	eventname_free_numbers(&numbers);
}
END_TEST

/* u32 nr, nr x {u32 type, string name}. */
static void put_pmu_mapping(struct mkperf *m, uint32_t type, const char *name)
{
	mkperf_feature_begin(m, 16);
	mkperf_u32(m, 1);
	mkperf_u32(m, type);
	mkperf_u32(m, (uint32_t)strlen(name) + 1);
	mkperf_bytes(m, name, strlen(name) + 1);
	mkperf_feature_end(m);
}

static const struct mkperf_options kinds[] = {
	{.swap = false, .pipe = false},
	{.swap = true, .pipe = false},
	{.swap = false, .pipe = true},
	{.swap = true, .pipe = true},
};

/* In a file PMU_MAPPINGS comes before the events are needed, in a pipe behind them. */
START_TEST(a_recording_names_its_pmus)
{
	struct mkperf *m = mkperf_new(&kinds[_i]);
	struct perffile *file;

	mkperf_event(m, &(struct mkperf_event){.type = 31, .config = 0x304});
	mkperf_event(m, &(struct mkperf_event){.type = 31, .config = 0x305, .name = "reads"});
	mkperf_event(m, &(struct mkperf_event){.type = 0, .config = 0x1f00000000});
	mkperf_event_desc(m);
	put_pmu_mapping(m, 31, "uncore_imc_0");
	mkperf_round(m); /* a file without records counts as never finished */
	file = recording_open(m);
	recording_drain(file);
	ck_assert_str_eq(perffile_event(file, 0)->name, "uncore_imc_0/config=0x304/");
	ck_assert_str_eq(perffile_event(file, 1)->name, "reads");
	ck_assert_str_eq(perffile_event(file, 2)->name, "uncore_imc_0/cycles/");
	ck_assert_str_eq(perffile_pmu_name(file, 31), "uncore_imc_0");
	ck_assert_ptr_null(perffile_pmu_name(file, 30));
	perffile_close(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("eventname");
	TCase *tcase = tcase_create("eventname");

	tcase_add_loop_test(tcase, names_of_attrs, 0, (int)(sizeof(mades) / sizeof(mades[0])));
	tcase_add_test(tcase, the_first_name_of_a_number_stands);
	tcase_add_test(tcase, a_long_name_is_cut);
	tcase_add_loop_test(tcase, a_recording_names_its_pmus, 0,
			    (int)(sizeof(kinds) / sizeof(kinds[0])));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
