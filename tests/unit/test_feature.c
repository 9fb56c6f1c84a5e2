/* Sections as facts: each written here field by field in both byte orders, and cut anywhere. */
#include "perffile/feature/featuretext.h"

#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/writer/mkperf.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a section. */
struct body {
	uint8_t bytes[4096];
	size_t len;
	bool swap;
};

static void put(struct body *b, unsigned width, uint64_t value)
{
	const bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
		   big = b->swap != host_is_big;

	for (unsigned i = 0; i < width; i++)
		b->bytes[b->len++] = (uint8_t)(value >> 8 * (big ? width - 1 - i : i));
}

static void put_u32s(struct body *b, size_t nr, const uint32_t *values)
{
	for (size_t i = 0; i < nr; i++)
		put(b, 4, values[i]);
}

static void put_u64s(struct body *b, size_t nr, const uint64_t *values)
{
	for (size_t i = 0; i < nr; i++)
		put(b, 8, values[i]);
}

#define U32S(b, ...) put_u32s(b, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})
#define U64S(b, ...) put_u64s(b, sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})

static void put_bytes(struct body *b, const void *bytes, size_t len)
{
	memcpy(b->bytes + b->len, bytes, len);
	b->len += len;
}

/* As perf does it: the length is a multiple of 64. */
static void put_string(struct body *b, const char *text)
{
	char padded[64] = "";

	memcpy(padded, text, strlen(text));
	put(b, 4, sizeof(padded));
	put_bytes(b, padded, sizeof(padded));
}

/* ---- the sections ------------------------------------------------------------------------------
 */

static void put_hostname(struct body *b)
{
	put_string(b, "vm");
}

static void put_total_mem(struct body *b)
{
	put(b, 8, 24684084);
}

static void put_nrcpus(struct body *b)
{
	U32S(b, 2, 1);
}

static void put_cmdline(struct body *b)
{
	static const char *const args[] = {"/usr/bin/perf", "record", "-e", "cpu-clock,faults",
					   "a b",	    "it's",   "",   "--"};

	put(b, 4, 8);
	for (int i = 0; i < 8; i++)
		put_string(b, args[i]);
}

static void put_attr(struct body *b, uint64_t config, uint64_t sample_period)
{
	U32S(b, 1, 64);
	U64S(b, config, sample_period, 0x107, 4);
	put(b, 8, 0);  /* flags, the same in both orders */
	U32S(b, 0, 3); /* wakeup_events, bp_type */
	put(b, 8, 0x11);
}

static void put_event_desc(struct body *b)
{
	U32S(b, 2, 64);
	put_attr(b, 0, 4000);
	put(b, 4, 2);
	put_string(b, "cpu-clock");
	U64S(b, 7, 8);
	put_attr(b, 2, 1);
	put(b, 4, 0);
	put_string(b, "faults");
}

static void put_cpu_topology(struct body *b)
{
	put(b, 4, 1);
	put_string(b, "0-1");
	put(b, 4, 2);
	put_string(b, "0");
	put_string(b, "1");
	U32S(b, 0, 0, 1, 0); /* core and socket of both CPUs */
	put(b, 4, 1);
	put_string(b, "0-1");
	U32S(b, 0, 3);
}

/* perf before Linux 4.0. */
static void put_old_cpu_topology(struct body *b)
{
	put(b, 4, 1);
	put_string(b, "0-1");
	put(b, 4, 1);
	put_string(b, "0");
}

static void put_numa_topology(struct body *b)
{
	U32S(b, 1, 5);
	U64S(b, 8218828, 6773916);
	put_string(b, "0-1");
}

static void put_nothing(struct body *b)
{
	(void)b;
}

static void put_pmu_mappings(struct body *b)
{
	U32S(b, 2, 1);
	put_string(b, "software");
	put(b, 4, 9);
	put_string(b, "msr");
}

static void put_group_desc(struct body *b)
{
	put(b, 4, 1);
	put_string(b, "{anon_group}");
	U32S(b, 1, 3);
}

static void put_auxtrace(struct body *b)
{
	U64S(b, 1, 0x1000, 48);
}

static void put_auxtrace_of_simpleperf(struct body *b)
{
	U64S(b, 0x1000, 48);
}

static void put_cache(struct body *b)
{
	U32S(b, 1, 1, 1, 64, 32, 8);
	put_string(b, "Data");
	put_string(b, "32K");
	put_string(b, "0");
}

static void put_sample_time(struct body *b)
{
	U64S(b, 2280241229133, 2280307916800);
}

static void put_mem_topology(struct body *b)
{
	U64S(b, 1, 134217728, 2);
	U64S(b, 0, 70, 70, 0x8000000000000007, 0x21);
	U64S(b, 1, 64, 64, 0);
}

static void put_new_mem_topology(struct body *b)
{
	U64S(b, 2, 134217728, 0);
}

static void put_one(struct body *b)
{
	put(b, 8, 1);
}

static void put_bpf_prog_info(struct body *b)
{
	U32S(b, 1, 80, 3);
	put(b, 8, 0);
	U32S(b, 2, 30);
	put_bytes(b, "\x71\x3a\x32\x0b\xf9\xa2\x96\xc2", 8);
	U32S(b, 2607, 4080);
	put_bytes(b, (uint8_t[40]){0}, 40);
	put_bytes(b, "sys_exec\0\0\0\0\0\0\0", 16);
	put_bytes(b, "...", 3);
}

static void put_bpf_btf(struct body *b)
{
	U32S(b, 1, 235, 3);
	put_bytes(b, "btf", 3);
}

static void put_compressed(struct body *b)
{
	U32S(b, 1, 1, 3, 84, 528384);
}

static void put_cpu_pmu_caps(struct body *b)
{
	put(b, 4, 1);
	put_string(b, "branches");
	put_string(b, "32");
}

static void put_clock_data(struct body *b)
{
	U32S(b, 1, 1);
	U64S(b, 1795227211514301000, 2217565768538);
}

static void put_hybrid_topology(struct body *b)
{
	put(b, 4, 1);
	put_string(b, "cpu_core");
	put_string(b, "0-3");
}

static void put_pmu_caps(struct body *b)
{
	U32S(b, 2, 2);
	put_string(b, "branches");
	put_string(b, "32");
	put_string(b, "max_precise");
	put_string(b, "3");
	put_string(b, "cpu_core");
	put(b, 4, 0);
	put_string(b, "cpu_atom");
}

/* Of one CPU, as many as are online. */
static void put_cpu_domain_info(struct body *b)
{
	U32S(b, 17, 2, 0, 1, 0);
	put_string(b, "SMT");
	put_string(b, "3");
	put_string(b, "0-1");
}

static void put_old_cpu_domain_info(struct body *b)
{
	U32S(b, 15, 2, 1, 1, 4);
	put_string(b, "3");
	put_string(b, "0-1");
}

static void put_e_machine(struct body *b)
{
	U32S(b, 62, 0x5000);
}

static void put_cln_size(struct body *b)
{
	put(b, 4, 64);
}

static void put_file(struct body *b)
{
	put(b, 4, 8 + 4 + 8 + 4);
	put_bytes(b, "/bin/sh", 8);
	put(b, 4, 2);
	put(b, 8, 0x400000);
	put(b, 4, 0);
}

static void put_meta_info(struct body *b)
{
	static const char text[] = "clockid\0monotonic\0event_type_info\0cycles,0,0\ncpu-clock,1,0";

	put_bytes(b, text, sizeof(text));
}

/* path "lib", size 300 */
static void put_debug_unwind(struct body *b)
{
	put_bytes(b, "\x0a\x08\x0a\x03lib\x10\xac\x02", 10);
}

/* path "a.so", type 2, min_vaddr 0x18000, two symbols, a fixed64, a fixed32, an ElfFile */
static void put_file2(struct body *b)
{
	static const char message[] = "\x0a\x04"
				      "a.so\x10\x02\x18\x80\x80\x06\x22\x02\x08\x01\x22\x00"
				      "\x79"
				      "12345678\x7d"
				      "1234\x32\x00";

	put(b, 4, sizeof(message) - 1);
	put_bytes(b, message, sizeof(message) - 1);
}

/* A varint that never ends. */
static void put_bad_file2(struct body *b)
{
	put(b, 4, 11);
	put_bytes(b, "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11);
}

static void put_tracing_data(struct body *b)
{
	const bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	put_bytes(b, "\x17\x08\x44tracing0.5", 14);
	put(b, 1, b->swap != host_is_big);
	put(b, 1, 8);
	put(b, 4, 4096);
	put_bytes(b, "header_page", 12);
	put(b, 8, 0);
	put_bytes(b, "header_event", 13);
	U64S(b, 0);
	U32S(b, 0, 1);
	put_bytes(b, "sched", 6);
	put(b, 4, 1);
	put(b, 8, 51);
	put_bytes(b, "name: fork\nID: 7\nformat:\n\tfield:int a;\nprint fmt: x\n", 51);
	U32S(b, 0, 0);
}

static struct perffile *open_with_names(const char *hostname, const char *machine)
{
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){.type = 1, .sample_type = 1});
	mkperf_sample(m, &(struct mkperf_sample){.ip = 1});
	mkperf_feature_string(m, MKPERF_HOSTNAME, hostname);
	mkperf_feature_string(m, MKPERF_ARCH, machine);
	return recording_open(m);
}

/* What tells whether it is this machine that was recorded. */
START_TEST(the_names_of_the_system)
{
	struct perffile *file = open_with_names("vm", "x86_64");

	ck_assert_str_eq(perffile_hostname(file), "vm");
	ck_assert_str_eq(perffile_machine(file), "x86_64");
	ck_assert_ptr_null(perffile_release(file));
	perffile_close(file);
	file = open_with_names("", "");
	ck_assert_ptr_null(perffile_hostname(file));
	ck_assert_ptr_null(perffile_machine(file));
	perffile_close(file);
}
END_TEST

/* perf inject writes perf's own names: x86 is also what has 32 bits, which tracepoints tell. */
static const struct {
	const char *recorded;
	uint8_t long_size; /* 0: there are no tracepoints */
	const char *machine;
} perfs_names[] = {
	{"x86", 0, "x86_64"},
	{"x86", 8, "x86_64"},
	{"x86", 4, "i386"},
	{"i686", 8, "i686"},
	{"x86_64", 4, "x86_64"},
	{"arm64", 0, "aarch64"},
	{"arm", 4, "arm"},
	{"riscv", 0, "riscv64"},
	{"riscv", 4, "riscv32"},
	{"s390", 8, "s390x"},
	{"loongarch", 0, "loongarch64"},
	{"mips", 0, "mips"},
	{"powerpc", 8, "powerpc"},
};

START_TEST(perfs_names_of_machines)
{
	enum { LONG_SIZE_AT = 15 };
	struct mkperf *m = mkperf_new(NULL);
	struct body tracing = {.swap = false};
	struct perffile *file;

	put_tracing_data(&tracing);
	tracing.bytes[LONG_SIZE_AT] = perfs_names[_i].long_size;
	mkperf_event(m, &(struct mkperf_event){.type = 1, .sample_type = 1});
	mkperf_sample(m, &(struct mkperf_sample){.ip = 1});
	mkperf_feature_string(m, MKPERF_ARCH, perfs_names[_i].recorded);
	if (perfs_names[_i].long_size) {
		mkperf_feature_begin(m, MKPERF_TRACING_DATA);
		mkperf_bytes(m, tracing.bytes, tracing.len);
		mkperf_feature_end(m);
	}
	file = recording_open(m);
	ck_assert_str_eq(perffile_machine(file), perfs_names[_i].machine);
	perffile_close(file);
}
END_TEST

/* The PMU that keeps the most of them, of both features that tell of PMUs. */
START_TEST(branches_that_are_kept)
{
	struct features features = {0};
	struct event_set events = {0};
	struct body of_cpu = {.swap = false}, of_pmus = {.swap = false};

	put_cpu_pmu_caps(&of_cpu);
	put_pmu_caps(&of_pmus);
	ck_assert_int_eq(features_read_section(&features, &events, 28,
					       span_make(of_cpu.bytes, of_cpu.len - 1, false)),
			 0);
	ck_assert_uint_eq(features.branches, 0); /* cut */
	ck_assert_int_eq(features_read_section(&features, &events, 28,
					       span_make(of_cpu.bytes, of_cpu.len, false)),
			 0);
	ck_assert_uint_eq(features.branches, 32);
	features.branches = 0;
	ck_assert_int_eq(features_read_section(&features, &events, 31,
					       span_make(of_pmus.bytes, of_pmus.len, false)),
			 0);
	ck_assert_uint_eq(features.branches, 32);
	features_free(&features);
	events_free(&events);
}
END_TEST

struct section_case {
	unsigned number;
	void (*put)(struct body *b);
	const char *facts; /* "key=value\n" each */
	bool damaged;	   /* what the whole section is, too */
};

static const struct section_case cases[] = {
	{1, put_tracing_data,
	 "tracing_data.version=0.5\ntracing_data.big_endian=?\ntracing_data.long_size=8\n"
	 "tracing_data.page_size=4096\ntracing_data.event.7.system=sched\n"
	 "tracing_data.event.7.name=fork\ntracing_data.event.7.field.0=int a;\n"
	 "tracing_data.event.7.print_fmt=x\n"
	 "tracing_data.kallsyms.bytes=0\ntracing_data.printk.bytes=0\n",
	 false},
	{1, put_hostname, "tracing_data.damaged=68\n", true},
	{3, put_hostname, "hostname=vm\n", false},
	{4, put_hostname, "osrelease=vm\n", false},
	{5, put_hostname, "version=vm\n", false},
	{6, put_hostname, "arch=vm\n", false},
	{8, put_hostname, "cpudesc=vm\n", false},
	{9, put_hostname, "cpuid=vm\n", false},
	{10, put_total_mem, "total_mem=24684084\n", false},
	{11, put_cmdline,
	 "cmdline=/usr/bin/perf record -e cpu-clock,faults 'a b' 'it'\\''s' '' --\n", false},
	{12, put_event_desc,
	 "event_desc.0.name=cpu-clock\nevent_desc.0.type=1\nevent_desc.0.config=0x0\n"
	 "event_desc.0.sample_period=4000\nevent_desc.0.sample_type=0x107\n"
	 "event_desc.0.read_format=0x4\nevent_desc.0.flags=0x0\nevent_desc.0.bp_type=0x3\n"
	 "event_desc.0.config1=0x11\nevent_desc.0.ids=7 8\n"
	 "event_desc.1.name=faults\nevent_desc.1.type=1\nevent_desc.1.config=0x2\n"
	 "event_desc.1.sample_period=1\nevent_desc.1.sample_type=0x107\n"
	 "event_desc.1.read_format=0x4\nevent_desc.1.flags=0x0\nevent_desc.1.bp_type=0x3\n"
	 "event_desc.1.config1=0x11\nevent_desc.1.ids=\n",
	 false},
	{13, put_cpu_topology,
	 "cpu_topology.socket_siblings.0=0-1\ncpu_topology.core_siblings.0=0\n"
	 "cpu_topology.core_siblings.1=1\ncpu_topology.cpu.0.core=0\n"
	 "cpu_topology.cpu.0.socket=0\ncpu_topology.cpu.1.core=1\ncpu_topology.cpu.1.socket=0\n"
	 "cpu_topology.die_siblings.0=0-1\ncpu_topology.cpu.0.die=0\ncpu_topology.cpu.1.die=3\n",
	 false},
	{13, put_old_cpu_topology,
	 "cpu_topology.socket_siblings.0=0-1\ncpu_topology.core_siblings.0=0\n", false},
	{14, put_numa_topology,
	 "numa_topology.0.node=5\nnuma_topology.0.total=8218828\nnuma_topology.0.free=6773916\n"
	 "numa_topology.0.cpus=0-1\n",
	 false},
	{15, put_nothing, "branch_stack=1\n", false},
	{16, put_pmu_mappings, "pmu_mappings.1=software\npmu_mappings.9=msr\n", false},
	{17, put_group_desc,
	 "group_desc.0.name={anon_group}\ngroup_desc.0.leader=1\ngroup_desc.0.members=3\n", false},
	{18, put_auxtrace, "auxtrace.0.offset=4096\nauxtrace.0.size=48\n", false},
	{18, put_auxtrace_of_simpleperf, "auxtrace.0.offset=4096\nauxtrace.0.size=48\n", false},
	{19, put_nothing, "stat=1\n", false},
	{20, put_cache,
	 "cache.version=1\ncache.0.level=1\ncache.0.line_size=64\ncache.0.sets=32\ncache.0.ways=8\n"
	 "cache.0.type=Data\ncache.0.size=32K\ncache.0.cpus=0\n",
	 false},
	{21, put_sample_time, "sample_time.first=2280241229133\nsample_time.last=2280307916800\n",
	 false},
	{22, put_mem_topology,
	 "mem_topology.version=1\nmem_topology.block_size=134217728\nmem_topology.0.node=0\n"
	 "mem_topology.0.size=70\nmem_topology.0.blocks=0-2,63-64,69\nmem_topology.1.node=1\n"
	 "mem_topology.1.size=64\nmem_topology.1.blocks=\n",
	 false},
	{22, put_new_mem_topology, "mem_topology.version=2\nmem_topology.damaged=24\n", true},
	{23, put_one, "clockid=1\n", false},
	{24, put_one, "dir_format=1\n", false},
	{25, put_bpf_prog_info,
	 "bpf_prog_info.count=1\nbpf_prog_info.0.type=2\nbpf_prog_info.0.id=30\n"
	 "bpf_prog_info.0.tag=713a320bf9a296c2\nbpf_prog_info.0.jited_len=2607\n"
	 "bpf_prog_info.0.xlated_len=4080\nbpf_prog_info.0.name=sys_exec\n",
	 false},
	{26, put_bpf_btf, "bpf_btf.count=1\nbpf_btf.0.id=235\nbpf_btf.0.bytes=3\n", false},
	{27, put_compressed,
	 "compressed.version=1\ncompressed.type=1\ncompressed.level=3\ncompressed.ratio=84\n"
	 "compressed.mmap_len=528384\n",
	 false},
	{28, put_cpu_pmu_caps, "cpu_pmu_caps.branches=32\n", false},
	{29, put_clock_data,
	 "clock_data.version=1\nclock_data.clockid=1\nclock_data.wall_time=1795227211514301000\n"
	 "clock_data.clock_time=2217565768538\n",
	 false},
	{30, put_hybrid_topology, "hybrid_topology.0.pmu=cpu_core\nhybrid_topology.0.cpus=0-3\n",
	 false},
	{31, put_pmu_caps, "pmu_caps.cpu_core.branches=32\npmu_caps.cpu_core.max_precise=3\n",
	 false},
	{32, put_cpu_domain_info,
	 "cpu_domain_info.schedstat_version=17\ncpu_domain_info.max_domains=2\n"
	 "cpu_domain_info.cpu.0.domain.0.name=SMT\ncpu_domain_info.cpu.0.domain.0.mask=3\n"
	 "cpu_domain_info.cpu.0.domain.0.cpus=0-1\n",
	 false},
	{32, put_old_cpu_domain_info,
	 "cpu_domain_info.schedstat_version=15\ncpu_domain_info.max_domains=2\n"
	 "cpu_domain_info.cpu.1.domain.4.mask=3\ncpu_domain_info.cpu.1.domain.4.cpus=0-1\n",
	 false},
	{33, put_e_machine, "e_machine=62\ne_machine.flags=0x5000\n", false},
	{34, put_cln_size, "cln_size=64\n", false},
	{35, put_cln_size, "feature_35.bytes=4\n", false},
	{128, put_file,
	 "file.0.path=/bin/sh\nfile.0.type=elf\nfile.0.min_vaddr=0x400000\nfile.0.symbols=0\n"
	 "file.count=1\n",
	 false},
	{129, put_meta_info,
	 "meta_info.clockid=monotonic\nmeta_info.event_type_info=cycles,0,0\ncpu-clock,1,0\n",
	 false},
	{130, put_debug_unwind,
	 "debug_unwind.0.path=lib\ndebug_unwind.0.size=300\ndebug_unwind.count=1\n", false},
	{131, put_cln_size, "debug_unwind_file.bytes=4\n", false},
	{132, put_file2,
	 "file2.0.path=a.so\nfile2.0.type=elf\nfile2.0.min_vaddr=0x18000\nfile2.0.symbols=2\n"
	 "file2.count=1\n",
	 false},
	{132, put_bad_file2,
	 "file2.0.type=kernel\nfile2.0.min_vaddr=0x0\nfile2.0.symbols=0\nfile2.damaged=15\n", true},
	{255, put_cln_size, "feature_255.bytes=4\n", false},
};

enum { NR_CASES = sizeof(cases) / sizeof(cases[0]) };

/* ---- facts as text -----------------------------------------------------------------------------
 */

struct text {
	char text[8192];
};

/* All facts, those of NRCPUS left out unless they are what is asked for. */
static struct text text_of(const struct facts *facts)
{
	struct text text = {""};
	size_t len = 0;

	for (size_t i = 0; i < facts->nr_rows; i++) {
		if (strncmp(facts->rows[i].key, "nrcpus.", 7) == 0)
			continue;
		len += (size_t)snprintf(text.text + len, sizeof(text.text) - len, "%s=%s\n",
					facts->rows[i].key, facts->rows[i].value);
	}
	return text;
}

/* What the first @len bytes of @body as section @number, and NRCPUS, are told as. */
static struct text tell(unsigned number, const struct body *body, size_t len)
{
	struct features features = {0};
	struct event_set events = {0};
	struct facts facts = {0};
	struct body nrcpus = {.swap = body->swap};
	uint8_t *exact = malloc(len + 1); /* so that a sanitizer sees each byte too far */
	struct text text;

	put_nrcpus(&nrcpus);
	memcpy(exact, body->bytes, len);
	ck_assert_int_eq(features_read_section(&features, &events, number,
					       span_make(exact, len, body->swap)),
			 0);
	ck_assert_int_eq(features_read_section(&features, &events, 7,
					       span_make(nrcpus.bytes, nrcpus.len, body->swap)),
			 0);
	ck_assert_int_eq(features_describe(&features, body->swap, &facts), 0);
	text = text_of(&facts);
	facts_free(&facts);
	features_free(&features);
	events_free(&events);
	free(exact);
	return text;
}

static void hide_byte_order(char *text)
{
	char *order = strstr(text, "big_endian=");

	if (order)
		order[11] = '?';
}

START_TEST(facts_in_both_orders)
{
	const struct section_case *which = &cases[_i / 2];
	struct body body = {.swap = _i % 2};
	struct text text;

	which->put(&body);
	text = tell(which->number, &body, body.len);
	hide_byte_order(text.text);
	ck_assert_str_eq(text.text, which->facts);
}
END_TEST

/* Cut anywhere, a section tells the first of its facts, and then that it is damaged or nothing. */
START_TEST(facts_of_cut_sections)
{
	const struct section_case *which = &cases[_i];
	struct body body = {.swap = true};
	struct text whole;

	which->put(&body);
	/* An index may be cut to another's layout, and a size is one of any section. */
	if (which->damaged || which->number == 18 || which->number == 131 || which->number == 35 ||
	    which->number == 255)
		return;
	whole = tell(which->number, &body, body.len);
	for (size_t len = 1; len < body.len; len++) {
		struct text text = tell(which->number, &body, len);
		char *damaged = strstr(text.text, ".damaged=");

		if (damaged) {
			while (damaged > text.text && damaged[-1] != '\n')
				damaged--;
			*damaged = '\0';
		}
		if (strncmp(whole.text, text.text, strlen(text.text)) != 0)
			ck_abort_msg("%zu of %zu bytes: %s", len, body.len, text.text);
	}
}
END_TEST

/* ---- recordings --------------------------------------------------------------------------------
 */

static const struct mkperf_options kinds[] = {
	{.swap = false, .pipe = false},
	{.swap = true, .pipe = false},
	{.swap = false, .pipe = true},
	{.swap = true, .pipe = true},
};

/* What is told of the recording that @m writes, which is freed. */
static void assert_facts(struct mkperf *m, const char *expected)
{
	struct perffile *file = recording_open(m);
	struct facts facts = {0};
	struct error err;
	struct text text;

	recording_drain(file);
	ck_assert_int_eq(perffile_describe(file, &facts, &err), 0);
	text = text_of(&facts);
	ck_assert_str_eq(text.text, expected);
	facts_free(&facts);
	perffile_close(file);
}

/* In a pipe they come as records; what is told is the same, in the same order. */
START_TEST(facts_of_recordings)
{
	static const uint8_t id[20] = {0x4a, 0x5a, 0x9b};
	struct mkperf *m = mkperf_new(&kinds[_i]);

	mkperf_event(m, &(struct mkperf_event){.type = 1});
	mkperf_feature_string(m, MKPERF_ARCH, "x86_64");
	mkperf_feature_string(m, MKPERF_HOSTNAME, "vm");
	mkperf_build_id(m, 1, -1, id, 20, "[kernel.kallsyms]");
	mkperf_build_id(m, 5, 42, id, 3, "/bin/guest");
	mkperf_round(m);
	assert_facts(m, "build_id.0.id=4a5a9b0000000000000000000000000000000000\n"
			"build_id.0.filename=[kernel.kallsyms]\nbuild_id.0.cpumode=kernel\n"
			"build_id.1.id=4a5a9b\nbuild_id.1.filename=/bin/guest\n"
			"build_id.1.cpumode=guest_user\nbuild_id.1.pid=42\n"
			"hostname=vm\narch=x86_64\n");
}
END_TEST

/* simpleperf tells names: those of raw events are known from nowhere else. */
START_TEST(names_of_simpleperf)
{
	static const char text[] = "event_type_info\0cpu-cycles,0,0\nraw-l1d-cache,4,4";
	struct mkperf *m = mkperf_new(&kinds[_i]);
	struct perffile *file;

	mkperf_event(m, &(struct mkperf_event){.type = ATTR_TYPE_HARDWARE});
	mkperf_event(m, &(struct mkperf_event){.type = ATTR_TYPE_RAW, .config = 4});
	mkperf_feature_begin(m, 129);
	mkperf_bytes(m, text, sizeof(text));
	mkperf_feature_end(m);
	mkperf_round(m);
	file = recording_open(m);
	recording_drain(file);
	ck_assert_str_eq(perffile_event(file, 0)->name, "cycles");
	ck_assert_str_eq(perffile_event(file, 1)->name, "raw-l1d-cache");
	perffile_close(file);
}
END_TEST

/* A record of the first perf: header, u8 id[20], 4 bytes, filename. */
static void put_old_build_id(struct mkperf *m, uint16_t misc, const uint8_t *id, const char *name)
{
	mkperf_u32(m, 0);
	mkperf_u16(m, misc);
	mkperf_u16(m, (uint16_t)(8 + 24 + 64));
	mkperf_bytes(m, id, 20);
	mkperf_u32(m, 0);
	mkperf_bytes(m, name, strlen(name));
	mkperf_bytes(m, NULL, 64 - strlen(name));
}

/* Only the kernel's name tells that there are no pids. */
START_TEST(build_ids_without_pids)
{
	static const uint8_t id[20] = {0x4a, 0x5a, 0x9b, [19] = 1};
	struct mkperf *m = mkperf_new(&kinds[_i]);

	mkperf_event(m, &(struct mkperf_event){.type = 1});
	mkperf_feature_begin(m, MKPERF_BUILD_ID);
	put_old_build_id(m, 2, id, "/bin/a");
	put_old_build_id(m, 1, id, "[kernel.kallsyms]");
	mkperf_feature_end(m);
	mkperf_round(m);
	assert_facts(m, "build_id.0.id=4a5a9b0000000000000000000000000000000001\n"
			"build_id.0.filename=/bin/a\nbuild_id.0.cpumode=user\n"
			"build_id.1.id=4a5a9b0000000000000000000000000000000001\n"
			"build_id.1.filename=[kernel.kallsyms]\nbuild_id.1.cpumode=kernel\n");
}
END_TEST

/* The section claims a thousand bytes, but the file ends before. */
START_TEST(a_section_that_is_cut_off)
{
	struct mkperf *m = mkperf_new(NULL);
	struct facts facts = {0};
	const uint8_t *bytes;
	struct perffile *file;
	struct error err;
	struct text text;
	size_t len;

	mkperf_event(m, &(struct mkperf_event){.type = 1});
	mkperf_round(m);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "vm");
	bytes = mkperf_finish(m, &len);
	file = recording_open_bytes(bytes, len - 1, &err);
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(perffile_describe(file, &facts, &err), 0);
	text = text_of(&facts);
	ck_assert_str_eq(text.text, "hostname.damaged=68\n");
	facts_free(&facts);
	perffile_close(file);
	mkperf_free(m);
}
END_TEST

START_TEST(keys_and_values)
{
	struct facts facts = {0};
	struct span failed = span_make("", 0, false);
	struct text text;

	fact_number(&facts, UINT64_MAX, "a.%d", 1);
	fact_hex(&facts, UINT64_MAX, "b");
	fact_text(&facts, "x\0y", 3, "c");
	fact_u32(&facts, &failed, "d");
	fact_string(&facts, &failed, "e");
	text = text_of(&facts);
	ck_assert_str_eq(text.text, "a.1=18446744073709551615\nb=0xffffffffffffffff\nc=x\n");
	facts_free(&facts);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("feature");
	TCase *tcase = tcase_create("feature");

	tcase_add_test(tcase, the_names_of_the_system);
	tcase_add_test(tcase, branches_that_are_kept);
	tcase_add_loop_test(tcase, perfs_names_of_machines, 0,
			    (int)(sizeof(perfs_names) / sizeof(perfs_names[0])));
	tcase_add_loop_test(tcase, facts_in_both_orders, 0, 2 * NR_CASES);
	tcase_add_loop_test(tcase, facts_of_cut_sections, 0, NR_CASES);
	tcase_add_loop_test(tcase, facts_of_recordings, 0, (int)(sizeof(kinds) / sizeof(kinds[0])));
	tcase_add_loop_test(tcase, names_of_simpleperf, 0, 2);
	tcase_add_loop_test(tcase, build_ids_without_pids, 0, 2);
	tcase_add_test(tcase, a_section_that_is_cut_off);
	tcase_add_test(tcase, keys_and_values);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
