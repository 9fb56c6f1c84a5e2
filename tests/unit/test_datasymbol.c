/* --per=data_symbol: the variables at the data addresses of samples, of a program built here. */
#include "decode/replay.h"
#include "decode/symbol/elf/elffile.h"
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 4096, TEXT_MAX = 2000 };

#define BIAS   UINT64_C(0x7f0000000000)
#define KERNEL UINT64_C(0xffff888012345678)

/* Variables at the start, in read-only data, far beyond the file (.bss) and, in between, code. */
static const char *const source =
	"int numbers[10] = {1}, huge[1000000];\n"
	"const char words[] = \"four words of text\";\n"
	"static int own = 3;\n"
	"int code(int i) { return numbers[i] + huge[i] + words[i] + own++; }\n";

static struct scratch_path dir;
static struct mkperf *m;
static char binary[300];

/* Maps the segments of the file that have code, or also the others as perf record -d does. */
static void map_file(bool with_data)
{
	bool nomem;
	struct elffile *file = elffile_open(open(binary, O_RDONLY), &nomem);

	ck_assert_ptr_nonnull(file);
	for (size_t i = 0; i < file->nr_segments; i++) {
		const struct elffile_segment *segment = &file->segments[i];
		const uint64_t pgoff = segment->offset & ~(uint64_t)(PAGE - 1);
		const uint64_t start = (segment->addr & ~(uint64_t)(PAGE - 1)) + BIAS;
		const uint64_t end =
			(segment->addr + segment->size + BIAS + PAGE - 1) & ~(uint64_t)(PAGE - 1);

		if (!segment->executable && !with_data)
			continue;
		mkperf_mmap2(m, &(struct mkperf_id){.pid = 10, .tid = 10},
			     &(struct mkperf_mmap){
				     .misc = PERF_RECORD_MISC_USER |
					     (segment->executable ? 0 : PERF_RECORD_MISC_MMAP_DATA),
				     .pid = 10,
				     .tid = 10,
				     .start = start,
				     .len = end - start,
				     .pgoff = pgoff,
				     .filename = binary});
	}
	elffile_close(file);
}

static void map_memory(uint64_t start, uint64_t len, const char *name)
{
	mkperf_mmap2(
		m, &(struct mkperf_id){.pid = 10, .tid = 10},
		&(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA,
				      .pid = 10,
				      .tid = 10,
				      .start = start,
				      .len = len,
				      .filename = name});
}

static void put(uint64_t addr, uint64_t period)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = 10,
						 .tid = 10,
						 .ip = 0x1234,
						 .addr = addr,
						 .period = period});
}

static uint64_t address(const char *symbol)
{
	return BIAS + toolchain_address(dir.text, "x", symbol);
}

/* What perf record -d tells of variables that are not in the file: memory behind its last page. */
static void map_behind_file(void)
{
	const uint64_t end = address("huge") + 4000000;
	bool nomem;
	struct elffile *file = elffile_open(open(binary, O_RDONLY), &nomem);
	const struct elffile_segment *last = &file->segments[file->nr_segments - 1];
	const uint64_t start = (last->addr + last->size + BIAS + PAGE - 1) & ~(uint64_t)(PAGE - 1);

	elffile_close(file);
	map_memory(start, ((end + PAGE - 1) & ~(uint64_t)(PAGE - 1)) - start, "//anon");
}

/* Builds the program; returns false if that cannot be done here. */
static bool start(const char *command)
{
	if (!machine_has("gcc"))
		return false;
	dir = scratch_make();
	toolchain_build(dir.text, "x.c", source, "%s", command);
	snprintf(binary, sizeof(binary), "%s", scratch_join(dir.text, "x").text);
	m = mkperf_new(NULL);
	mkperf_event(m,
		     &(struct mkperf_event){.name = "faults",
					    .type = PERF_TYPE_SOFTWARE,
					    .config = PERF_COUNT_SW_PAGE_FAULTS,
					    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							   PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD});
	return true;
}

/* Reads the recording and removes it. Compares its rows, "period samples data_symbol". */
static void check_rows(const char *expected)
{
	struct filter filter = {0};
	struct perkeys per = {0};
	struct error err;
	const struct replay_settings settings = {.filter = &filter, .per = &per};
	struct perffile *file = recording_open(m);
	const struct results *results;
	struct replay *replay;
	const struct record *rec;
	char text[TEXT_MAX] = "";
	size_t len = 0;

	ck_assert(perkeys_add(&per, "data_symbol", &err) == 0);
	replay = replay_create(&settings, file, &err);
	while (perffile_next(file, &rec, &err) > 0)
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
	for (size_t i = 0; i < results->split->nr_rows; i++) {
		const struct split_row *row = &results->split->rows[i];

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%d %d %s\n",
					(int)row->self.period, (int)row->self.samples,
					row->values[0].text);
	}
	ck_assert_str_eq(text, expected);
	replay_destroy(replay);
	perffile_close(file);
	perkeys_free(&per);
	scratch_remove(dir.text);
}

static const char *const links[] = {
	"gcc -O1 -shared -fPIC -nostdlib -o x x.c",
	"gcc -O1 -shared -fPIC -nostdlib -Wl,-z,noseparate-code -o x x.c",
	"gcc -O1 -shared -fPIC -nostdlib -Wl,-z,max-page-size=65536 -o x x.c",
};

/* Bit 0 of the number: all of the file is mapped, not only its code. */
START_TEST(variables)
{
	if (!start(links[_i / 2]))
		return;
	map_file(_i & 1);
	put(address("numbers"), 100);
	put(address("numbers") + 36, 100);
	put(address("huge") + 3999999, 90);
	put(address("words") + 18, 80);
	put(address("own"), 70);
	put(address("code") + 1, 60);
	put(address("numbers"), 1);
	put(0, 50);
	check_rows("201 3 numbers\n90 1 huge\n80 1 words\n70 1 own\n60 1 code\n50 1 \n");
}
END_TEST

START_TEST(memory_without_variables)
{
	if (!start(links[0]))
		return;
	map_file(true);
	map_memory(0x10000, 0x10000, "[heap]");
	map_memory(0x20000, 0x10000, "//anon");
	map_memory(0x7ffff0000000, 0x10000, "[stack]");
	map_memory(0x40000, 0x10000, "/nonexistent/table");
	put(0x10001, 100);
	put(0x1fff1, 100);
	put(0x20001, 90);
	put(0x7ffff0000001, 80);
	put(0x40001, 70);
	put(KERNEL, 60);
	put(0x900000000, 50);
	put(BIAS, 40); /* the headers of the file */
	check_rows("200 2 [heap]\n90 1 [anon]\n80 1 [stack]\n70 1 [unknown] (file-missing)\n"
		   "60 1 [kernel]\n50 1 [unmapped]\n40 1 [unknown] (outside-symbols)\n");
}
END_TEST

/* The heap of a program that is linked for fixed addresses may begin right behind. */
START_TEST(memory_behind_file)
{
	const char *const commands[] = {
		links[0], "gcc -O1 -s -fvisibility=hidden -shared -fPIC -nostdlib -o x x.c"};
	uint64_t huge, end;

	if (!start(links[0]))
		return;
	huge = address("huge");
	end = (huge + 4000000 + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	map_file(true);
	map_behind_file();
	map_memory(end, 0x10000, "//anon");
	toolchain_build(dir.text, "x.c", source, "%s", commands[_i]);
	put(huge + 2000000, 100);
	put(huge + 3999999, 100);
	put(end + 8, 50);
	put(end - 1, 20);
	check_rows(_i ? "200 2 [unknown] (no-symbols)\n70 2 [anon]\n"
		      : "200 2 huge\n70 2 [anon]\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("datasymbol");
	TCase *keys = tcase_create("keys");

	tcase_add_loop_test(keys, variables, 0, 2 * (int)(sizeof(links) / sizeof(links[0])));
	tcase_add_test(keys, memory_without_variables);
	tcase_add_loop_test(keys, memory_behind_file, 0, 2);
	suite_add_tcase(suite, keys);
	return suite_run(suite);
}
