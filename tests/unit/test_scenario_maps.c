/* Recordings in which the maps matter: what lies at an address changes, or is not what it seems. */
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum {
	IP = 1 << 0,
	TID = 1 << 1,
	TIME = 1 << 2,
	PERIOD = 1 << 8,
	KERNEL = 1, /* cpumodes */
	USER = 2,
	GUEST_KERNEL = 4,
	GUEST_USER = 5,
	EXEC = 1 << 13,
	DATA = 1 << 13,
	HUGETLB = 0x40000,
	PID = 10,
};

#define RESULTS_HEADER                                                                \
	"period,samples,filename,function,event,binary,percent,line,children_period," \
	"children_samples,children_percent,build_id,reason,inlined_period,inlined_samples,size\n"

/* A row of results.csv without a source. */
#define ROW_ID(period, samples, percent, function, binary, build_id, reason)             \
#period "," #samples ",," function ",cpu-clock," binary "," percent ",," #period \
		"," #samples "," percent "," build_id "," reason ",,,\n"
#define ROW(period, samples, percent, function, binary, reason) \
	ROW_ID(period, samples, percent, function, binary, "", reason)
#define NAMELESS(period, samples, percent, binary, reason) \
	ROW(period, samples, percent, "[unknown]", binary, reason)

static struct mkperf *m;
static uint64_t now;

/* A recording of one process with the program /bin/none, whose text is [0x400000, 0x800000). */
static void setup(void)
{
	now = 0;
	m = mkperf_new(NULL);
	mkperf_event(m, &(struct mkperf_event){.type = 1,
					       .sample_type = IP | TID | TIME | PERIOD,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL});
}

static struct mkperf_id at(void)
{
	return (struct mkperf_id){.pid = PID, .tid = PID, .time = ++now};
}

static void map(const struct mkperf_mmap *map)
{
	struct mkperf_mmap full = *map;
	struct mkperf_id id = at();

	full.misc = full.misc ? full.misc : USER;
	full.pid = full.pid ? full.pid : PID;
	full.tid = full.pid;
	full.len = full.len ? full.len : 0x1000;
	mkperf_mmap2(m, &id, &full);
}

#define MAP(...) map(&(struct mkperf_mmap){__VA_ARGS__})

static void sample_in(uint16_t mode, uint32_t pid, uint64_t ip, uint64_t period)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = mode,
						 .pid = pid,
						 .tid = pid,
						 .ip = ip,
						 .time = ++now,
						 .period = period});
}

static void sample(uint64_t ip, uint64_t period)
{
	sample_in(USER, PID, ip, period);
}

static void exec(const char *name)
{
	struct mkperf_id id = at();

	mkperf_comm(m, &id, EXEC, PID, PID, name);
}

static void start_program(void)
{
	exec("none");
	MAP(.start = 0x400000, .len = 0x400000, .filename = "/bin/none", .ino = 7);
}

/* The results must be these rows, and every sample in one of them. */
static void check_results(const char *rows)
{
	struct recording_tables tables = recording_tables_of(m);
	const char *results = tables.text[TABLE_RESULTS];
	size_t len = strlen(RESULTS_HEADER);

	ck_assert_int_eq(strncmp(results, RESULTS_HEADER, len), 0);
	ck_assert_str_eq(results + len, rows);
	ck_assert_uint_eq(recording_sum(results, "samples", NULL, NULL),
			  recording_sum(tables.text[TABLE_STAT], "count", "record", "SAMPLE"));
	recording_tables_free(&tables);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A program with work() at byte *@work of it. */
static struct scratch_path build_program(struct scratch_path dir, uint64_t *work)
{
	toolchain_build(dir.text, "x.c",
			"int work(int n) { return n * 3; }\nint main(int c) { return work(c); }\n",
			"gcc -w -O1 " TOOLCHAIN_FIXED " -Wl,--build-id=0x0102 -o x x.c");
	*work = toolchain_address(dir.text, "x", "work") - 0x400000;
	return scratch_join(dir.text, "x");
}

static void map_x(const char *path, uint64_t ino, uint64_t generation)
{
	MAP(.start = 0x400000, .len = 0x10000, .filename = path, .maj = 8, .min = 1, .ino = ino,
	    .ino_generation = generation);
}

/* The results of samples in x must be @period of work() and @replaced of another file. */
static void check_x(const char *path, unsigned samples, unsigned replaced)
{
	struct recording_tables tables = recording_tables_of(m);
	const char *results = tables.text[TABLE_RESULTS];

	ck_assert_uint_eq(recording_sum(results, "samples", "function", "work"), samples);
	ck_assert_uint_eq(recording_sum(results, "samples", "reason", "file-replaced"), replaced);
	ck_assert_uint_eq(recording_sum(results, "samples", "binary", path), samples + replaced);
	recording_tables_free(&tables);
}

/*
 * A configure script writes, runs and removes ./conftest again and again; here as on ext4, which
 * uses the inode again with another generation. perf report names all of the samples from the file
 * that lies there now, in which the addresses of the earlier programs mean nothing.
 */
START_TEST(only_the_last_file_of_a_path_has_its_names)
{
	struct scratch_path dir = scratch_make();
	uint64_t work;
	struct scratch_path x = build_program(dir, &work);

	for (uint64_t generation = 1; generation <= 3; generation++) {
		exec("x");
		map_x(x.text, 7, generation);
		sample(0x400000 + work, generation);
	}
	check_x(x.text, 1, 2);
	scratch_remove(dir.text);
}
END_TEST

/* As of two containers with a file of this path each. */
START_TEST(the_last_file_can_be_an_earlier_one)
{
	struct scratch_path dir = scratch_make();
	uint64_t work;
	struct scratch_path x = build_program(dir, &work);

	for (uint64_t i = 0; i < 5; i++) {
		exec("x");
		map_x(x.text, i % 2 ? 7 : 9, 1);
		sample(0x400000 + work, 1);
	}
	check_x(x.text, 3, 2);
	scratch_remove(dir.text);
}
END_TEST

/* Maps the file that is at @path, or another one of its device if @other, and takes a sample. */
static void run_x(const char *path, bool other, uint64_t work)
{
	struct stat st;

	ck_assert_int_eq(stat(path, &st), 0);
	exec("x");
	MAP(.start = 0x400000, .len = 0x10000, .filename = path, .maj = major(st.st_dev),
	    .min = minor(st.st_dev), .ino = st.st_ino + other, .ino_generation = 5);
	sample(0x400000 + work, 1);
}

/* As of a container that has a file of its own there: whichever was mapped last. */
START_TEST(the_file_that_is_there_has_its_names)
{
	struct scratch_path dir = scratch_make();
	const unsigned first_other = (unsigned)_i & 1, with_id = (unsigned)_i & 2;
	uint64_t work;
	struct scratch_path x = build_program(dir, &work);

	if (with_id)
		mkperf_build_id(m, USER, -1, (const uint8_t[2]){1, 2}, 2, x.text);
	for (unsigned i = 0; i < 5; i++)
		run_x(x.text, (i + first_other) % 2, work);
	check_x(x.text, first_other ? 2 : 3, first_other ? 3 : 2);
	scratch_remove(dir.text);
}
END_TEST

/* The path has changed since the recording: what is there now tells nothing, whatever its inode. */
START_TEST(a_file_of_another_build_does_not_count)
{
	struct scratch_path dir = scratch_make();
	uint64_t work;
	struct scratch_path x = build_program(dir, &work);
	struct recording_tables tables;
	const char *results;

	mkperf_build_id(m, USER, -1, (const uint8_t[2]){1, 3}, 2, x.text);
	run_x(x.text, false, work);
	run_x(x.text, true, work);
	run_x(x.text, true, work);
	tables = recording_tables_of(m);
	results = tables.text[TABLE_RESULTS];
	ck_assert_uint_eq(recording_sum(results, "samples", "reason", "file-replaced"), 1);
	ck_assert_uint_eq(recording_sum(results, "samples", "reason", "build-id-mismatch"), 2);
	recording_tables_free(&tables);
	scratch_remove(dir.text);
}
END_TEST

/* A program that was built anew while it was recorded, on a file system that uses inodes again. */
START_TEST(of_two_with_the_inode_the_last_one_is_there)
{
	struct scratch_path dir = scratch_make();
	uint64_t work;
	struct scratch_path x = build_program(dir, &work);
	struct stat st;

	ck_assert_int_eq(stat(x.text, &st), 0);
	for (uint64_t generation = 1; generation <= 3; generation++) {
		exec("x");
		MAP(.start = 0x400000, .len = 0x10000, .filename = x.text, .maj = major(st.st_dev),
		    .min = minor(st.st_dev), .ino = st.st_ino, .ino_generation = generation);
		sample(0x400000 + work, generation);
	}
	check_x(x.text, 1, 2);
	scratch_remove(dir.text);
}
END_TEST

/*
 * perf makes records of what was mapped before: without a generation, and on overlayfs of some
 * kernels with the device and inode of the overlay where the kernel tells those below it.
 */
START_TEST(what_may_be_the_same_file_is)
{
	struct scratch_path dir = scratch_make();
	uint64_t work;
	struct scratch_path x = build_program(dir, &work);
	const struct mkperf_mmap maps[] = {
		{.maj = 8, .min = 1, .ino = 7},
		{.maj = 8, .min = 1, .ino = 7, .ino_generation = 5},
		{.maj = 0, .min = 43, .ino = 1234},
		{.maj = 8, .min = 1, .ino = 7, .ino_generation = 5},
		{.maj = 0},
	};

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		struct mkperf_mmap full = maps[i];

		full.start = 0x400000;
		full.len = 0x10000;
		full.filename = x.text;
		exec("x");
		map(&full);
		sample(0x400000 + work, 1);
	}
	check_x(x.text, 5, 0);
	scratch_remove(dir.text);
}
END_TEST

/* As when a library is built anew while a program that was there before the recording uses it. */
START_TEST(a_file_of_before_can_be_replaced)
{
	struct scratch_path dir = scratch_make();
	uint64_t work;
	struct scratch_path x = build_program(dir, &work);

	exec("x");
	map_x(x.text, 7, 0);
	sample(0x400000 + work, 1);
	exec("x");
	map_x(x.text, 8, 3);
	sample(0x400000 + work, 1);
	check_x(x.text, 1, 1);
	scratch_remove(dir.text);
}
END_TEST

/* perf reads build ids when it ends, by name: what it found is the last file's. */
START_TEST(the_table_of_build_ids_tells_of_the_last_file)
{
	static const uint8_t id[20] = {0xab, 0xcd};

	mkperf_build_id(m, USER, -1, id, 20, "/bin/none");
	for (uint64_t generation = 1; generation <= 3; generation++) {
		exec("none");
		MAP(.start = 0x400000, .filename = "/bin/none", .ino = 7,
		    .ino_generation = generation);
		sample(0x400000, generation);
	}
	check_results(NAMELESS(3, 2, "50.0000", "/bin/none", "file-replaced")
			      ROW_ID(3, 1, "50.0000", "[unknown]", "/bin/none",
				     "abcd000000000000000000000000000000000000", "file-missing"));
}
END_TEST

/* A record's own build id says what ran, whatever came to the path. */
START_TEST(a_build_id_of_the_record_is_not_replaced)
{
	static const uint8_t id[2] = {1, 2};
	struct scratch_path dir = scratch_make();
	uint64_t work;
	struct scratch_path x = build_program(dir, &work);

	exec("x");
	MAP(.start = 0x400000, .len = 0x10000, .filename = x.text, .build_id = id,
	    .build_id_size = 2);
	sample(0x400000 + work, 1);
	for (uint64_t generation = 1; generation <= 2; generation++) {
		exec("x");
		map_x(x.text, 7, generation);
		sample(0x400000 + work, 1);
	}
	check_x(x.text, 2, 1);
	scratch_remove(dir.text);
}
END_TEST

/* ---- anonymous code -------------------------------------------------------------------------- */

/*
 * A program that copies its text to huge pages lays memory over it, which has the same code. To
 * perf that is code of a JIT compiler, without names.
 */
START_TEST(memory_over_the_programs_text_is_its_text)
{
	start_program();
	MAP(.start = 0x500000, .len = 0x100000, .filename = "//anon");
	sample(0x500000, 1);
	MAP(.start = 0x600000, .len = 0x100000, .filename = "/anon_hugepage (deleted)");
	sample(0x600000, 1);
	MAP(.start = 0x500000, .len = 0x200000, .filename = "/memfd:text (deleted)", .ino = 3);
	sample(0x500000, 1);
	MAP(.start = 0x400000, .len = 0x200000, .filename = "/dev/hugepages/text", .flags = HUGETLB,
	    .ino = 4);
	sample(0x400000, 1);
	sample(0x700000, 1);
	check_results(NAMELESS(5, 5, "100.0000", "/bin/none", "file-missing"));
}
END_TEST

START_TEST(memory_anywhere_else_is_a_jit_compilers)
{
	start_program();
	MAP(.start = 0x900000, .filename = "/lib/none.so", .ino = 8);
	MAP(.start = 0xa00000, .filename = "/bin/none", .misc = USER | DATA, .ino = 7);
	MAP(.start = 0x900000, .filename = "//anon"); /* a library can be unloaded */
	sample(0x900000, 1);
	MAP(.start = 0xa00000, .filename = "//anon"); /* not its text, but its data */
	sample(0xa00000, 2);
	MAP(.start = 0x7ff000, .len = 0x2000, .filename = "//anon"); /* more than its text */
	sample(0x7ff000, 4);
	MAP(.start = 0x500000, .filename = "//anon", .misc = USER | DATA); /* not code */
	sample(0x500000, 8);
	check_results(NAMELESS(8, 1, "53.3333", "[anon]", "no-file")
			      NAMELESS(7, 3, "46.6667", "/tmp/perf-10.map", "jit-map-missing"));
}
END_TEST

/* A program can name its memory, which perf reads from /proc/PID/maps when it starts. */
START_TEST(named_memory_is_memory)
{
	start_program();
	MAP(.start = 0x900000, .filename = "[anon:v8]");
	sample(0x900000, 1);
	MAP(.start = 0xa00000, .filename = "[anon: a name: with spaces]");
	sample(0xa00000, 2);
	MAP(.start = 0xb00000, .filename = "[anon_shmem:shared]");
	sample(0xb00000, 4);
	MAP(.start = 0x500000, .len = 0x100000, .filename = "[anon:hot text]");
	sample(0x500000, 8);
	MAP(.start = 0xc00000, .filename = "[anon:data]", .misc = USER | DATA);
	sample(0xc00000, 16);
	check_results(NAMELESS(16, 1, "51.6129", "[anon]",
			       "no-file") NAMELESS(8, 1, "25.8065", "/bin/none", "file-missing")
			      NAMELESS(7, 3, "22.5806", "/tmp/perf-10.map", "jit-map-missing"));
}
END_TEST

/* .NET and LuaJIT map one file of memory twice: to write code to, and to run it from. */
START_TEST(a_memfd_is_a_jit_compilers_memory)
{
	start_program();
	MAP(.start = 0x900000, .filename = "/memfd:doublemapper (deleted)", .pgoff = 0x3000,
	    .ino = 3);
	sample(0x900000, 1);
	check_results(
		NAMELESS(1, 1, "100.0000", "/memfd:doublemapper (deleted)", "jit-map-missing"));
}
END_TEST

/* runc runs itself from a copy in memory. */
START_TEST(a_program_can_run_from_a_memfd)
{
	static const uint8_t id[20] = {1};

	exec("runc");
	MAP(.start = 0x400000, .filename = "/memfd:runc (deleted)", .ino = 3);
	sample(0x400000, 1);
	MAP(.start = 0x900000, .filename = "/memfd:lib.so (deleted)", .build_id = id,
	    .build_id_size = 20);
	sample(0x900000, 2);
	check_results(ROW_ID(2, 1, "66.6667", "[unknown]", "/memfd:lib.so (deleted)",
			     "0100000000000000000000000000000000000000", "file-missing")
			      NAMELESS(1, 1, "33.3333", "/memfd:runc (deleted)", "file-missing"));
}
END_TEST

/* ---- the kernel ------------------------------------------------------------------------------ */

static void map_kernel(uint64_t start, uint64_t len, uint64_t pgoff, const char *filename)
{
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = KERNEL,
					  .pid = UINT32_MAX,
					  .start = start,
					  .len = len,
					  .pgoff = pgoff,
					  .filename = filename});
}

enum { BPF = 1, OUT_OF_LINE = 2, GONE = 1 };

static void ksymbol(uint64_t addr, uint32_t len, uint16_t type, uint16_t flags, const char *name)
{
	struct mkperf_id id = at();

	mkperf_begin(m, 17, 0);
	mkperf_u64(m, addr);
	mkperf_u32(m, len);
	mkperf_u16(m, type);
	mkperf_u16(m, flags);
	mkperf_string(m, name);
	mkperf_trailer(m, &id);
	mkperf_end(m);
}

/* The tables are made with /dev/null for a kallsyms. */
#define KERNEL_UNREAD "file-unreadable"

#define KTEXT 0xffffffff81000000
#define KMOD  0xffffffffc0000000

START_TEST(code_that_the_kernel_makes_comes_and_goes)
{
	map_kernel(KTEXT, 0x1000000, KTEXT, "[kernel.kallsyms]_text");
	ksymbol(KMOD, 0x100, BPF, GONE, "bpf_prog_0"); /* which nobody saw come */
	sample_in(KERNEL, PID, KMOD, 1);
	ksymbol(KMOD, 0x100, BPF, 0, "bpf_prog_1");
	sample_in(KERNEL, PID, KMOD, 2);
	sample_in(KERNEL, PID, KMOD + 0xff, 4);
	sample_in(KERNEL, PID, KMOD + 0x100, 8);
	ksymbol(KMOD, 0x100, BPF, GONE, "bpf_prog_1");
	sample_in(KERNEL, PID, KMOD, 16);
	ksymbol(KMOD, 0x80, BPF, 0, "bpf_prog_2");
	sample_in(KERNEL, PID, KMOD, 32);
	sample_in(KERNEL, PID, KMOD + 0x80, 64);
	check_results(NAMELESS(89, 4, "70.0787", "[unmapped]", "no-mapping")
			      ROW(32, 1, "25.1969", "bpf_prog_2", "bpf_prog_2", "")
				      ROW(6, 2, "4.7244", "bpf_prog_1", "bpf_prog_1", ""));
}
END_TEST

/* What lay beneath is there again. perf shows code within the kernel's range as the kernel's. */
START_TEST(code_that_the_kernel_makes_lies_over_the_kernel)
{
	map_kernel(0, 0, KTEXT, "[kernel.kallsyms]_text"); /* all that no module claims */
	map_kernel(KMOD, 0x1000, 0, "/lib/modules/1/none.ko");
	for (uint64_t i = 0; i < 2; i++) {
		uint64_t base = i ? KMOD : KTEXT;

		ksymbol(base + 0x100, 0x100, OUT_OF_LINE, 0, "kprobe_insn_page");
		sample_in(KERNEL, PID, base + 0xff, 1);
		sample_in(KERNEL, PID, base + 0x100, 2);
		sample_in(KERNEL, PID, base + 0x200, 1);
		ksymbol(base + 0x100, 0x100, OUT_OF_LINE, GONE, "kprobe_insn_page");
		sample_in(KERNEL, PID, base + 0x100, 1);
	}
	check_results(ROW(4, 2, "40.0000", "kprobe_insn_page", "kprobe_insn_page",
			  "") NAMELESS(3, 3, "30.0000", "/lib/modules/1/none.ko", KERNEL_UNREAD)
			      NAMELESS(3, 3, "30.0000", "[kernel.kallsyms]", KERNEL_UNREAD));
}
END_TEST

/* Without the record that it is gone, what comes over it tells as much. */
START_TEST(code_that_something_came_over_is_gone)
{
	ksymbol(KMOD, 0x100, BPF, 0, "bpf_prog_1");
	ksymbol(KMOD + 0x80, 0x100, BPF, 0, "bpf_prog_2");
	sample_in(KERNEL, PID, KMOD, 1);
	sample_in(KERNEL, PID, KMOD + 0x80, 2);
	MAP(.misc = KERNEL, .start = KMOD, .len = 0x100, .filename = "[none]");
	sample_in(KERNEL, PID, KMOD + 0x80, 4);
	sample_in(KERNEL, PID, KMOD + 0x100, 8);
	ksymbol(KMOD, 0, BPF, 0, "bpf_prog_3"); /* the kernel interprets it */
	sample_in(KERNEL, PID, KMOD, 16);
	check_results(NAMELESS(20, 2, "64.5161", "[none]", KERNEL_UNREAD)
			      NAMELESS(9, 2, "29.0323", "[unmapped]", "no-mapping")
				      ROW(2, 1, "6.4516", "bpf_prog_2", "bpf_prog_2", ""));
}
END_TEST

START_TEST(a_text_poke_changes_no_name)
{
	struct mkperf_id id = at();
	struct recording_tables tables;

	map_kernel(KTEXT, 0x1000, KTEXT, "[kernel.kallsyms]_stext");
	mkperf_begin(m, 20, KERNEL);
	mkperf_u64(m, KTEXT + 5);
	mkperf_u16(m, 5);
	mkperf_u16(m, 2);
	mkperf_bytes(m, "\x0f\x1f\x44\0\0\xeb\x05", 7);
	mkperf_bytes(m, NULL, 5);
	mkperf_trailer(m, &id);
	mkperf_end(m);
	sample_in(KERNEL, PID, KTEXT + 5, 1);
	tables = recording_tables_of(m);
	ck_assert_ptr_nonnull(strstr(tables.text[TABLE_STAT], "\nTEXT_POKE,1\n"));
	ck_assert_ptr_nonnull(strstr(tables.text[TABLE_OVERVIEW],
				     "\n1,TEXT_POKE,10,10,1,5 bytes became "
				     "2,0xffffffff81000005,,,,,\n"));
	ck_assert_str_eq(
		tables.text[TABLE_RESULTS],
		RESULTS_HEADER NAMELESS(1, 1, "100.0000", "[kernel.kallsyms]", KERNEL_UNREAD));
	recording_tables_free(&tables);
}
END_TEST

/* pgoff is the reference symbol's address there and no offset: places are addresses. */
START_TEST(the_kernels_range_and_its_modules)
{
	map_kernel(0xffffffff80000000, 0x2000000, KTEXT, "[kernel.kallsyms]_stext");
	map_kernel(KMOD, 0x1000, 0, "/lib/modules/1/none.ko.xz");
	map_kernel(KMOD + 0x1000, 0x1000, 0, "[mod]");
	map_kernel(0xfffffffffffff000, 0x1000, 0, "[last]"); /* up to 2^64 */
	sample_in(KERNEL, PID, 0xffffffff80000000, 1);
	sample_in(KERNEL, PID, KTEXT, 1);
	sample_in(KERNEL, PID, 0xffffffff90000000, 4);
	sample_in(KERNEL, PID, KMOD + 0xfff, 8);
	sample_in(KERNEL, PID, KMOD + 0x1000, 16);
	sample_in(KERNEL, PID, 0xfffffffffffffffe, 32);
	check_results(NAMELESS(32, 1, "51.6129", "[last]",
			       KERNEL_UNREAD) NAMELESS(16, 1, "25.8065", "[mod]", KERNEL_UNREAD)
			      NAMELESS(8, 1, "12.9032", "/lib/modules/1/none.ko.xz", KERNEL_UNREAD)
				      NAMELESS(4, 1, "6.4516", "[unmapped]", "no-mapping") NAMELESS(
					      2, 2, "3.2258", "[kernel.kallsyms]", KERNEL_UNREAD));
}
END_TEST

/* perf ends the kernel's range behind its text. What starts the system is behind its data: up to
 * 128 MB, but where a module is, whichever record comes first. */
START_TEST(behind_the_kernels_text)
{
	enum { TEXT_SIZE = 0x1000000, DATA_SIZE = 0x2000000, MOST = 128 << 20 };
	const uint64_t end = KTEXT + TEXT_SIZE, module = end + DATA_SIZE;

	for (int i = 0; i < 2; i++)
		if (i == _i)
			map_kernel(KTEXT, TEXT_SIZE, KTEXT, "[kernel.kallsyms]_text");
		else
			map_kernel(module, 0x1000, 0, "[mod]");
	sample_in(KERNEL, PID, end, 1);
	sample_in(KERNEL, PID, module - 1, 1);
	sample_in(KERNEL, PID, module, 8);
	sample_in(KERNEL, PID, module + 0x1000, 1);
	sample_in(KERNEL, PID, end + MOST - 1, 1);
	sample_in(KERNEL, PID, end + MOST, 28);
	check_results(NAMELESS(28, 1, "70.0000", "[unmapped]",
			       "no-mapping") NAMELESS(8, 1, "20.0000", "[mod]", KERNEL_UNREAD)
			      NAMELESS(4, 4, "10.0000", "[kernel.kallsyms]", KERNEL_UNREAD));
}
END_TEST

/* ---- guests ---------------------------------------------------------------------------------- */

static void map_guest(uint32_t pid, uint64_t start, uint64_t len, const char *filename)
{
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = GUEST_KERNEL,
					  .pid = pid,
					  .start = start,
					  .len = len,
					  .pgoff = start,
					  .filename = filename});
}

START_TEST(each_machine_has_its_kernel)
{
	map_kernel(KTEXT, 0x1000, KTEXT, "[kernel.kallsyms]_text");
	map_guest(0, KTEXT, 0x1000, "[guest.kernel.kallsyms]_text");
	map_guest(77, KTEXT, 0x1000, "[guest.kernel.kallsyms.77]_text");
	map_guest(77, KMOD, 0x1000, "[kvm_guest]");
	sample_in(GUEST_KERNEL, 77, KTEXT, 1);
	sample_in(GUEST_KERNEL, 77, KMOD, 2);
	sample_in(GUEST_KERNEL, 78, KTEXT, 4); /* without maps of its own */
	sample_in(GUEST_KERNEL, 78, KMOD, 8);
	sample_in(GUEST_USER, 77, 0x400000, 16);
	sample_in(KERNEL, 77, KTEXT, 32);
	check_results(NAMELESS(32, 1, "50.7937", "[kernel.kallsyms]",
			       KERNEL_UNREAD) NAMELESS(24, 2, "38.0952", "[guest]", "guest")
			      NAMELESS(4, 1, "6.3492", "[guest.kernel.kallsyms]", "guest")
				      NAMELESS(2, 1, "3.1746", "[kvm_guest]", "guest")
					      NAMELESS(1, 1, "1.5873", "[guest.kernel.kallsyms.77]",
						       "guest"));
}
END_TEST

START_TEST(a_guest_without_maps_is_a_guest)
{
	sample_in(GUEST_KERNEL, 77, KTEXT, 1);
	sample_in(GUEST_USER, 77, 0x400000, 2);
	check_results(NAMELESS(3, 2, "100.0000", "[guest]", "guest"));
}
END_TEST

/* ---- processes ------------------------------------------------------------------------------- */

START_TEST(mappings_without_a_file)
{
	start_program();
	MAP(.start = 0x900000, .filename = "[heap]");
	MAP(.start = 0xa00000, .filename = "[stack]");
	MAP(.start = 0xb00000, .filename = "//anon");
	MAP(.start = 0xc00000, .filename = "[vdso]", .pgoff = 0xc00000);
	MAP(.misc = USER | DATA, .start = 0xd00000, .filename = "//anon");
	for (uint64_t i = 0; i < 5; i++)
		sample(0x900000 + (i << 20), 1 + i);
	check_results(NAMELESS(5, 1, "33.3333", "[anon]",
			       "no-file") NAMELESS(4, 1, "26.6667", "[vdso]", "vdso-other")
			      NAMELESS(3, 1, "20.0000", "/tmp/perf-10.map", "jit-map-missing")
				      NAMELESS(2, 1, "13.3333", "[stack]", "no-file")
					      NAMELESS(1, 1, "6.6667", "[heap]", "no-file"));
}
END_TEST

#define ID(byte)  byte "00000000000000000000000000000000000000"
#define VDSO_HIGH 0x7ffff7fc0000

/* The build id of the one of 64 bits is not that of the other, which perf calls [vdso32]. */
START_TEST(a_process_of_32_bits_has_a_vdso_of_its_own)
{
	const uint8_t id[20] = {1}, id32[20] = {2};
	const bool has_id32 = _i;

	if (!getauxval(AT_SYSINFO_EHDR)) {
		machine_lacks("there is no vdso");
		return;
	}
	start_program();
	mkperf_build_id(m, USER, -1, id, 20, "[vdso]");
	if (has_id32)
		mkperf_build_id(m, USER, -1, id32, 20, "[vdso32]");
	MAP(.start = 0xf7fc0000, .filename = "[vdso]");
	MAP(.start = VDSO_HIGH, .filename = "[vdso]");
	sample(0xf7fc0000, 3);
	sample(VDSO_HIGH, 1);
	if (has_id32)
		check_results(ROW_ID(3, 1, "75.0000", "[unknown]", "[vdso]", ID("02"),
				     "build-id-mismatch")
				      ROW_ID(1, 1, "25.0000", "[unknown]", "[vdso]", ID("01"),
					     "build-id-mismatch"));
	else
		check_results(NAMELESS(3, 1, "75.0000", "[vdso]", "vdso-other") ROW_ID(
			1, 1, "25.0000", "[unknown]", "[vdso]", ID("01"), "build-id-mismatch"));
}
END_TEST

/* On a system of 32 bits there is no other. */
START_TEST(the_vdso_of_a_system_of_32_bits)
{
	const uint8_t id[20] = {1};

	if (!getauxval(AT_SYSINFO_EHDR)) {
		machine_lacks("there is no vdso");
		return;
	}
	start_program();
	mkperf_build_id(m, USER, -1, id, 20, "[vdso]");
	MAP(.start = 0xf7fc0000, .filename = "[vdso]");
	sample(0xf7fc0000, 3);
	check_results(
		ROW_ID(3, 1, "100.0000", "[unknown]", "[vdso]", ID("01"), "build-id-mismatch"));
}
END_TEST

/* perf has no map for it in programs that were started during the recording: "[unknown]". */
START_TEST(the_vsyscall_page_needs_no_mapping)
{
	start_program();
	sample(0xffffffffff600000, 1);
	sample(0xffffffffff600fff, 1);
	sample(0xffffffffff5fffff, 4);
	sample(0xffffffffff601000, 4);
	sample_in(KERNEL, PID, 0xffffffffff600000, 16);
	MAP(.start = 0xffffffffff600000, .filename = "[vsyscall]");
	sample(0xffffffffff600400, 1);
	check_results(NAMELESS(24, 3, "88.8889", "[unmapped]", "no-mapping")
			      NAMELESS(3, 3, "11.1111", "[vsyscall]", "no-file"));
}
END_TEST

/* A mapping to the end of the address space, and one that says it goes beyond. */
START_TEST(the_end_of_the_address_space)
{
	MAP(.start = 0xfffffffffffff000, .filename = "/bin/a", .ino = 1);
	sample(0xfffffffffffffffe, 1);
	MAP(.start = 0xffffffffffffe000, .len = 0x10000, .filename = "/bin/b", .ino = 2);
	sample(0xfffffffffffffffe, 2);
	MAP(.start = 0xffffffffffffd000, .len = UINT64_MAX, .filename = "/bin/c", .ino = 3);
	sample(0xffffffffffffe000, 4);
	sample(0x1000, 8);
	check_results(NAMELESS(8, 1, "53.3333", "[unmapped]", "no-mapping")
			      NAMELESS(4, 1, "26.6667", "/bin/c", "file-missing")
				      NAMELESS(2, 1, "13.3333", "/bin/b", "file-missing")
					      NAMELESS(1, 1, "6.6667", "/bin/a", "file-missing"));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("scenario_maps");
	TCase *tc = tcase_create("maps");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, only_the_last_file_of_a_path_has_its_names);
	tcase_add_test(tc, the_last_file_can_be_an_earlier_one);
	tcase_add_loop_test(tc, the_file_that_is_there_has_its_names, 0, 4);
	tcase_add_test(tc, a_file_of_another_build_does_not_count);
	tcase_add_test(tc, of_two_with_the_inode_the_last_one_is_there);
	tcase_add_test(tc, what_may_be_the_same_file_is);
	tcase_add_test(tc, a_file_of_before_can_be_replaced);
	tcase_add_test(tc, the_table_of_build_ids_tells_of_the_last_file);
	tcase_add_test(tc, a_build_id_of_the_record_is_not_replaced);
	tcase_add_test(tc, memory_over_the_programs_text_is_its_text);
	tcase_add_test(tc, memory_anywhere_else_is_a_jit_compilers);
	tcase_add_test(tc, named_memory_is_memory);
	tcase_add_test(tc, a_memfd_is_a_jit_compilers_memory);
	tcase_add_test(tc, a_program_can_run_from_a_memfd);
	tcase_add_test(tc, code_that_the_kernel_makes_comes_and_goes);
	tcase_add_test(tc, code_that_the_kernel_makes_lies_over_the_kernel);
	tcase_add_test(tc, code_that_something_came_over_is_gone);
	tcase_add_test(tc, a_text_poke_changes_no_name);
	tcase_add_test(tc, the_kernels_range_and_its_modules);
	tcase_add_loop_test(tc, behind_the_kernels_text, 0, 2);
	tcase_add_test(tc, each_machine_has_its_kernel);
	tcase_add_test(tc, a_guest_without_maps_is_a_guest);
	tcase_add_test(tc, mappings_without_a_file);
	tcase_add_loop_test(tc, a_process_of_32_bits_has_a_vdso_of_its_own, 0, 2);
	tcase_add_test(tc, the_vdso_of_a_system_of_32_bits);
	tcase_add_test(tc, the_vsyscall_page_needs_no_mapping);
	tcase_add_test(tc, the_end_of_the_address_space);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
