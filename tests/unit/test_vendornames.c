/* Vendors' names of raw event codes: of CPUs that are not this machine's, and of CPU ids that lie.
 */
#include "decode/vendor/vendornames.h"

#include "decode/vendor/pmucodes.h"
#include "decode/vendor/vendorevents.h"
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The library has the CPUs of one architecture: that of the machine it is made for. */
static bool lists_are_there(const char *list)
{
#if !defined(__x86_64__) && !defined(__i386__)
	if (strncmp(list, "arm", 3) != 0) {
		machine_lacks("libpfm4 of this machine has no x86 CPUs");
		return false;
	}
#endif
	(void)list;
	if (!vendornames_are_there())
		machine_lacks("readperf was built without libpfm4");
	return vendornames_are_there();
}

/* ---- CPU ids --------------------------------------------------------------------------------- */

static const char *events_of(const char *cpuid, const char *pmu)
{
	struct cpu_model model;

	return cpumodel_find(&model, cpuid, pmu) ? model.events : "";
}

START_TEST(known_cpus)
{
	ck_assert_str_eq(events_of("GenuineIntel,6,85,4", "cpu"), "skx");
	ck_assert_str_eq(events_of("GenuineIntel,6,85,7", "cpu"), "clx");
	ck_assert_str_eq(events_of("GenuineIntel,6,106,6", NULL), "icx");
	ck_assert_str_eq(events_of("GenuineIntel,6,42,7$", "cpu"), "snb");
	ck_assert_str_eq(events_of("GenuineIntel,6,154,3", "cpu_core"), "adl_glc");
	ck_assert_str_eq(events_of("GenuineIntel,6,154,3", "cpu_atom"), "adl_grt");
	ck_assert_str_eq(events_of("AuthenticAMD,23,49,0", "cpu"), "amd64_fam17h_zen2");
	ck_assert_str_eq(events_of("AuthenticAMD,23,8,2", "cpu"), "amd64_fam17h_zen1");
	ck_assert_str_eq(events_of("AuthenticAMD,25,33,0", "cpu"), "amd64_fam19h_zen3");
	ck_assert_str_eq(events_of("AuthenticAMD,25,17,1", "cpu"), "amd64_fam19h_zen4");
	ck_assert_str_eq(events_of("AuthenticAMD,25,97,2", "cpu"), "amd64_fam19h_zen4");
	ck_assert_str_eq(events_of("0x00000000413fd0c1", "armv8_pmuv3_0"), "arm_n1");
	ck_assert_str_eq(events_of("0x00000000410fd4f0", NULL), "arm_v2");
}
END_TEST

START_TEST(unknown_cpus)
{
	static const char *const ids[] = {
		"",
		"GenuineIntel",
		"GenuineIntel,",
		"GenuineIntel,6",
		"GenuineIntel,6,85",
		"GenuineIntel,6,85,",
		"GenuineIntel,6,85,4,1",
		"GenuineIntel,6,85,4x",
		"GenuineIntel,6,-85,4",
		"GenuineIntel,6, 85,4",
		"GenuineIntel,6,65621,4",
		"GenuineIntel,6,85,99999999999999999999999",
		"GenuineIntel,7,85,4",
		"AuthenticAMD,6,85,4",
		"HygonGenuine,24,1,2",
		"genuineintel,6,85,4",
		"0x",
		"0x413fd0c1",
		"0x00000000413fd0c",
		"0x00000000413fd0g1",
		"0x00000000413fdfc1",
		"IBM,8561,703,T01,3.6,002f",
		"004e1202",
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		ck_assert_str_eq(events_of(ids[i], NULL), "");
	/* small cores of a CPU that has none */
	ck_assert_str_eq(events_of("GenuineIntel,6,85,4", "cpu_atom"), "");
}
END_TEST

/* ---- names of codes -------------------------------------------------------------------------- */

struct named_code {
	uint64_t config, config1;
	const char *name;
};

static struct vendornames names;

static const char *name_of(const char *cpuid, uint64_t config, uint64_t config1)
{
	static char name[VENDOR_NAME_MAX];
	const struct event event = {
		.attr = {.type = PERF_TYPE_RAW, .config = config, .config1 = config1}};
	struct error err;

	ck_assert_int_eq(vendornames_find(&names, cpuid, NULL, &event, name, &err), 0);
	return name;
}

static void check_names(const char *cpuid, const struct named_code *codes, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		ck_assert_str_eq(name_of(cpuid, codes[i].config, codes[i].config1), codes[i].name);
	vendornames_free(&names);
}

#define CHECK_NAMES(cpuid, codes) check_names(cpuid, codes, sizeof(codes) / sizeof((codes)[0]))

START_TEST(intel_names)
{
	static const struct named_code codes[] = {
		{0x01d1, 0, "MEM_LOAD_RETIRED.L1_HIT"},
		{0x00c0, 0, "INST_RETIRED.ANY_P"},
		{0x412e, 0, "LONGEST_LAT_CACHE.MISS"},
		/* with bits that the kernel sets itself */
		{0x53003c, 0, "CPU_CLK_THREAD_UNHALTED.THREAD_P"},
		/* what the table has with a cmask, and without it */
		{0x140014a3, 0, "CYCLE_ACTIVITY.STALLS_MEM_ANY"},
		{0x14a3, 0, "CYCLE_ACTIVITY:umask=0x14"},
		{0x18004a3, 0, "CYCLE_ACTIVITY:umask=0x4:inv=1:cmask=1"},
		/* modifiers that it lacks */
		{0x20001c0, 0, "INST_RETIRED.PREC_DIST:cmask=2"},
		{0x3000001c0, 0, "INST_RETIRED.PREC_DIST:in_tx=1:in_tx_cp=1"},
		{0xffd1, 0, "MEM_LOAD_RETIRED:umask=0xff"},
		/* another register decides; or nothing needs one */
		{0x1b7, 0x10001, "OFFCORE_RESPONSE_0.DMND_DATA_RD"},
		{0x1b7, 0x123, "OFFCORE_RESPONSE_0:0x123"},
		{0x1b7, 0, "OFFCORE_RESPONSE_0"},
		{0x1c6, 0x11, "FRONTEND_RETIRED.DSB_MISS"},
		{0x1cd, 3, "MEM_TRANS_RETIRED.LOAD_LATENCY"},
		{0x1cd, 0x40, "MEM_TRANS_RETIRED.LOAD_LATENCY:0x40"},
		{0x1c4, 1, "BR_INST_RETIRED.CONDITIONAL:config1=0x1"},
		/* no such event, event 0, and bits that mean nothing */
		{0xff, 0, ""},
		{0x8000, 0, ""},
		{0x8010000c0, 0, ""},
		{UINT64_MAX, UINT64_MAX, ""},
	};

	if (!lists_are_there("skx"))
		return;
	CHECK_NAMES("GenuineIntel,6,85,4", codes);
}
END_TEST

START_TEST(icelake_names)
{
	static const struct named_code codes[] = {
		{0x3c, 0, "CPU_CLK_UNHALTED.THREAD_P"},
		{0x400, 0, "TOPDOWN.SLOTS"},
		{0x20c5, 0, "BR_MISP_RETIRED.NEAR_TAKEN"},
		{0x1b7, 0x10001, "OFFCORE_RESPONSE_0.DEMAND_DATA_RD_ANY_RESPONSE"},
	};

	if (!lists_are_there("icx"))
		return;
	CHECK_NAMES("GenuineIntel,6,106,6", codes);
}
END_TEST

START_TEST(amd_names)
{
	static const struct named_code zen2[] = {
		{0xc0, 0, "RETIRED_INSTRUCTIONS"},
		{0x430076, 0, "CYCLES_NOT_IN_HALT"},
		{0x1000000d0, 0, "RETIRED_FUSED_INSTRUCTIONS"},
		{0xf03, 0, "RETIRED_SSE_AVX_FLOPS:ANY"},
		{0x303, 0, "RETIRED_SSE_AVX_FLOPS:umask=0x3"},
		{0x20000c0, 0, "RETIRED_INSTRUCTIONS:cmask=2"},
		{0xf000000ff, 0, ""},
	};
	static const struct named_code zen3[] = {
		{0xc3, 0, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED"},
		{0x76, 0, "CYCLES_NOT_IN_HALT"},
	};

	if (!lists_are_there("zen"))
		return;
	CHECK_NAMES("AuthenticAMD,23,49,0", zen2);
	CHECK_NAMES("AuthenticAMD,25,33,0", zen3);
}
END_TEST

START_TEST(arm_names)
{
	static const struct named_code codes[] = {
		{0x03, 0, "L1D_CACHE_REFILL"},
		{0x08, 0, "INST_RETIRED"},
		{0x10008, 0, ""},
	};

#if !defined(__aarch64__)
	machine_lacks("libpfm4 of this machine has no Arm CPUs");
	return;
#endif
	if (lists_are_there("arm_n1"))
		CHECK_NAMES("0x00000000413fd0c1", codes);
}
END_TEST

/* Without a CPU, or with one that is not known, there are no names; nor without the library. */
START_TEST(nothing_known)
{
	const struct event event = {.attr = {.type = PERF_TYPE_RAW, .config = 0xc0}};
	char name[VENDOR_NAME_MAX];
	struct error err;

	ck_assert_str_eq(name_of("GenuineIntel,6,1,4", 0xc0, 0), "");
	ck_assert_str_eq(name_of("GenuineIntel,6,85", 0xc0, 0), "");
	ck_assert_int_eq(vendornames_find(&names, NULL, NULL, &event, name, &err), 0);
	ck_assert_str_eq(name, "");
	ck_assert_int_eq(vendornames_know(&names, NULL, NULL, &err), 0);
	ck_assert_int_eq(vendornames_know(&names, "GenuineIntel,6,1,4", NULL, &err), 0);
	vendornames_free(&names);
}
END_TEST

START_TEST(kinds_of_events)
{
	const struct event raw = {.attr = {.type = PERF_TYPE_RAW}},
			   cycles = {.attr = {.type = PERF_TYPE_HARDWARE}},
			   other = {.attr = {.type = 10}};

	ck_assert(vendornames_is_raw(&raw, NULL));
	ck_assert(!vendornames_is_raw(&cycles, "cpu_core"));
	ck_assert(vendornames_is_raw(&other, "cpu_atom"));
	ck_assert(vendornames_is_raw(&other, "armv8_pmuv3_0"));
	ck_assert(!vendornames_is_raw(&other, "uncore_imc_0"));
	ck_assert(!vendornames_is_raw(&other, NULL));
}
END_TEST

START_TEST(codes_as_names)
{
	static const char *const codes[] = {
		"r01d1",
		"r1D1:u",
		"raw 0x1d1",
		"raw 0x1d1:ppp",
		"cpu/r01d1/u",
		"cpu_core/r3c/:u",
		"cpu/event=0xc0/",
		"cpu/event=0xd1,umask=0x1/pp",
		"cpu/umask=0x1,event=0xd1/",
		"armv8_pmuv3_0/config=0x3/",
	};
	static const char *const others[] = {
		"",
		"r",
		"raw",
		"raw 0x",
		"read",
		"r01d1x",
		"rbp",
		"cycles:u",
		"cpu/cycles/",
		"cpu/mem-loads,ldlat=30/P",
		"event=1",
		"MEM_LOAD_RETIRED.L1_HIT",
		"sched:r1",

	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		ck_assert_msg(vendorevents_is_code(codes[i]), "%s", codes[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		ck_assert_msg(!vendorevents_is_code(others[i]), "%s", others[i]);
}
END_TEST

/* ---- events of a recording ------------------------------------------------------------------- */

static void add_event(struct mkperf *m, const char *name, uint64_t config, uint64_t id)
{
	mkperf_event(m,
		     &(struct mkperf_event){.name = name,
					    .type = PERF_TYPE_RAW,
					    .config = config,
					    .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP,
					    .ids = &id,
					    .nr_ids = 1});
}

enum { CPUID = 9 };

static struct perffile *open_events(const char *cpuid)
{
	struct mkperf *m = mkperf_new(NULL);
	struct perffile *file;

	add_event(m, "r01d1:pp", 0x1d1, 1);
	add_event(m, "r00c0", 0xc0, 2);
	add_event(m, "cpu/event=0xc0/u", 0xc0, 3);
	add_event(m, "cpu/event=0xc0/", 0xc0, 4);
	add_event(m, "mine", 0xc0, 5);
	add_event(m, "r00ff", 0xff, 6);
	add_event(m, "LONGEST_LAT_CACHE.MISS", 0x412e, 7);
	add_event(m, "r412e", 0x412e, 8);
	if (cpuid)
		mkperf_feature_string(m, CPUID, cpuid);
	mkperf_event_desc(m);
	mkperf_comm(m, NULL, 0, 7, 7, "a");
	file = recording_open(m);
	recording_drain(file); /* names come with the first record */
	return file;
}

START_TEST(events_are_called)
{
	static const char *const called[][2] = {
		{"MEM_LOAD_RETIRED.L1_HIT:pp", "r01d1:pp"},
		{"INST_RETIRED.ANY_P (r00c0)", "r00c0"},
		{"INST_RETIRED.ANY_P:u", "cpu/event=0xc0/u"},
		{"INST_RETIRED.ANY_P (cpu/event=0xc0/)", "cpu/event=0xc0/"},
		{"mine", "mine"},
		{"r00ff", "r00ff"},
		{"LONGEST_LAT_CACHE.MISS", "LONGEST_LAT_CACHE.MISS"},
		{"LONGEST_LAT_CACHE.MISS (r412e)", "r412e"},
	};
	struct perffile *file;
	const char *lack;
	struct error err;

	if (!lists_are_there("skx"))
		return;
	file = open_events("GenuineIntel,6,85,4");
	for (unsigned again = 0; again < 2; again++) {
		ck_assert_int_eq(vendorevents_call(&names, file, &err), 0);
		for (size_t i = 0; i < 8; i++) {
			const struct event *event = perffile_event(file, i);

			ck_assert_str_eq(event->name, called[i][0]);
			ck_assert_str_eq(event_recorded_name(event), called[i][1]);
		}
	}
	ck_assert_int_eq(vendorevents_lack(&names, file, &lack, &err), 0);
	ck_assert_str_eq(lack, "libpfm4 does not know the code");
	perffile_close(file);
	vendornames_free(&names);
}
END_TEST

static void check_lack(const char *cpuid, const char *expected)
{
	struct perffile *file = open_events(cpuid);
	const char *lack;
	struct error err;

	ck_assert_int_eq(vendorevents_call(&names, file, &err), 0);
	ck_assert_str_eq(perffile_event(file, 0)->name, "r01d1:pp");
	ck_assert_int_eq(vendorevents_lack(&names, file, &lack, &err), 0);
	ck_assert_str_eq(lack,
			 vendornames_are_there() ? expected : "there is no libpfm4");
	perffile_close(file);
	vendornames_free(&names);
}

START_TEST(events_keep_their_names)
{
	check_lack(NULL, "the recording does not tell its CPU");
	check_lack("GenuineIntel,6,85", "libpfm4 does not know the recorded CPU");
}
END_TEST

/* ---- whole lists ----------------------------------------------------------------------------- */

/* The codes of a list. */
struct codes {
	struct pmu_code all[2048];
	size_t nr;
};

static bool keep_code(void *arg, const struct pmu_code *code)
{
	struct codes *codes = arg;

	ck_assert_uint_lt(codes->nr, sizeof(codes->all) / sizeof(codes->all[0]));
	codes->all[codes->nr++] = *code;
	return true;
}

/* Whether the list calls the code of @of @name. */
static bool is_name_of(const struct codes *codes, const struct pmu_code *of, const char *name,
		       char separator)
{
	for (size_t i = 0; i < codes->nr; i++) {
		const struct pmu_code *code = &codes->all[i];
		char own[VENDOR_NAME_MAX];

		snprintf(own, sizeof(own), "%s%.*s%s", code->event, *code->umask ? 1 : 0,
			 &separator, code->umask);
		if (code->config == of->config && code->config1 == of->config1 &&
		    strcmp(own, name) == 0)
			return true;
	}
	return false;
}

/* Each code of a list is called by a name that the list has for this very code. */
static void check_list(const char *cpuid, const char *list, char separator)
{
	static struct codes codes;

	if (!lists_are_there(list))
		return;
	codes.nr = 0;
	ck_assert_int_eq(pmucodes_list(list, keep_code, &codes), 1);
	ck_assert_uint_gt(codes.nr, 50);
	for (size_t i = 0; i < codes.nr; i++) {
		const struct pmu_code *code = &codes.all[i];
		const char *name = name_of(cpuid, code->config, code->config1);

		ck_assert_msg(is_name_of(&codes, code, name, separator), "%s:%s is called %s",
			      code->event, code->umask, name);
	}
	vendornames_free(&names);
}

/* A program that uses the library need not have asked. */
START_TEST(nothing_is_known_where_nobody_asks)
{
	static struct codes codes;

	unsetenv(PMUCODES_ASKED);
	ck_assert_int_eq(pmucodes_list("skx", keep_code, &codes), 0);
	ck_assert_uint_eq(codes.nr, 0);
	ck_assert_str_eq(name_of("GenuineIntel,6,85,4", 0x1d1, 0), "");
	vendornames_free(&names);
	ck_assert_ptr_null(getenv(PMUCODES_ASKED));
}
END_TEST

START_TEST(names_stand_for_their_codes)
{
	check_list("GenuineIntel,6,85,4", "skx", '.');
	check_list("GenuineIntel,6,26,5", "nhm", '.');
	check_list("GenuineIntel,6,106,6", "icx", '.');
	check_list("AuthenticAMD,23,49,0", "amd64_fam17h_zen2", ':');
	check_list("AuthenticAMD,25,33,0", "amd64_fam19h_zen3", ':');
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("vendornames");
	TCase *cpus = tcase_create("cpus"), *codes = tcase_create("codes");

	tcase_add_test(cpus, known_cpus);
	tcase_add_test(cpus, unknown_cpus);
	suite_add_tcase(suite, cpus);
	tcase_add_test(codes, intel_names);
	tcase_add_test(codes, icelake_names);
	tcase_add_test(codes, amd_names);
	tcase_add_test(codes, arm_names);
	tcase_add_test(codes, nothing_known);
	tcase_add_test(codes, kinds_of_events);
	tcase_add_test(codes, codes_as_names);
	tcase_add_test(codes, events_are_called);
	tcase_add_test(codes, events_keep_their_names);
	tcase_add_test(codes, names_stand_for_their_codes);
	tcase_add_test(codes, nothing_is_known_where_nobody_asks);
	suite_add_tcase(suite, codes);
	return suite;
}

int main(void)
{
	setenv(PMUCODES_ASKED, "1", 1);
	return suite_run(make_suite());
}
