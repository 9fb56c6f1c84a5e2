/* The vdso: what shows that our own is the recorded one, and which build id is whose. */
#include "decode/process/addrspace.h"
#include "decode/symbol/kernel/kernel.h"
#include "decode/symbol/kernel/samekernel.h"
#include "decode/symbol/symbol.h"
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

enum { OWN_SIZE = UINTPTR_MAX == UINT32_MAX ? DSO_VDSO_32 : 0 };

static const uint8_t other_id[20] = {0xff, 1};

static struct dso_table dsos;
static struct utsname own;
static struct symbol_kernel recorded;

static void setup(void)
{
	ck_assert_int_eq(uname(&own), 0);
	recorded = (struct symbol_kernel){
		.hostname = own.nodename, .release = own.release, .machine = own.machine};
}

static void teardown(void)
{
	dso_table_free(&dsos);
}

static bool has_own(void)
{
	if (getauxval(AT_SYSINFO_EHDR))
		return true;
	machine_lacks("there is no vdso");
	return false;
}

/* Looks up where no symbol is, and checks whether our own is taken for the vdso of @word_size. */
static void check(uint32_t word_size, bool is_own)
{
	const struct symbol_settings settings = {0};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso *dso = dso_table_get_instance(&dsos, DSO_VDSO, "[vdso]", word_size);
	struct place place = {.address = UINT64_MAX};
	struct place_list list = {.dso = dso, .places = &place, .nr_places = 1};
	struct symbol_origin origin;
	struct error err;

	symbolizer_set_kernel(symbolizer, &recorded);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	origin = symbolizer_origin(symbolizer, dso);
	ck_assert_str_eq(origin.file, is_own ? "[vdso]" : "");
	ck_assert_str_eq(origin.found_by, is_own ? "running-kernel" : "");
	ck_assert_str_eq(reason_name(place.symbol->reason),
			 is_own ? "outside-symbols" : "vdso-other");
	symbolizer_destroy(symbolizer);
}

START_TEST(the_same_kernel_on_the_same_host)
{
	if (!has_own())
		return;
	check(OWN_SIZE, true);
	recorded.dso = dso_table_get(&dsos, DSO_KERNEL, "[kernel.kallsyms]", NULL, 0);
	check(OWN_SIZE, true);
}
END_TEST

/* What a sample hits in the clock's function has its name. */
START_TEST(it_has_names)
{
	const struct symbol_settings settings = {0};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	const struct dso *dso = dso_table_get_instance(&dsos, DSO_VDSO, "[vdso]", OWN_SIZE);
	bool found = false;
	struct error err;

	if (has_own()) {
		symbolizer_set_kernel(symbolizer, &recorded);
		for (uint64_t at = 0; at < 0x4000 && !found; at += 4)
			found = strstr(symbolizer_find(symbolizer, dso, at, &err)->function,
				       "clock_gettime");
		ck_assert(found);
	}
	symbolizer_destroy(symbolizer);
}
END_TEST

START_TEST(another_host_hardware_or_kernel)
{
	const char **names[] = {&recorded.hostname, &recorded.release, &recorded.machine};
	const char *const right = *names[_i / 2];

	*names[_i / 2] = _i % 2 ? "another one" : NULL; /* not recorded */
	check(OWN_SIZE, false);
	*names[_i / 2] = right;
	if (has_own())
		check(OWN_SIZE, true);
}
END_TEST

/* One of 32 bits on a kernel of 64, or the other way round. */
START_TEST(another_word_size)
{
	check(!OWN_SIZE, false);
}
END_TEST

/* The build id of the kernel counts for more than names do. */
START_TEST(the_build_id_of_the_kernel)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	bool nomem = false;
	const size_t len = kernel_note_build_id("/sys/kernel/notes", id, &nomem);

	recorded.dso = dso_table_get(&dsos, DSO_KERNEL, "[kernel.kallsyms]", other_id, 20);
	check(OWN_SIZE, false);
	if (len == 0) {
		machine_lacks("the kernel shows no build id");
		return;
	}
	recorded = (struct symbol_kernel){
		.dso = dso_table_get(&dsos, DSO_KERNEL, "[kernel.kallsyms]", id, len)};
	if (has_own())
		check(OWN_SIZE, true);
}
END_TEST

/* Where no names were recorded: after each boot the kernel lies elsewhere, if it is moved at all.
 */
START_TEST(the_place_of_the_kernel)
{
	struct dso *kernel = dso_table_get(&dsos, DSO_KERNEL, "[kernel.kallsyms]", NULL, 0);
	const uint64_t text = machine_kernel_symbol("_text");
	const bool is_moved = samekernel_was_moved(own.machine, text);

	if (text == 0)
		return;
	recorded = (struct symbol_kernel){.dso = kernel};
	kernel->reference_symbol = "_text";
	check(OWN_SIZE, false);
	kernel->reference_address = text + 0x1000;
	check(OWN_SIZE, false);
	kernel->reference_address = text;
	recorded.release = "another one";
	check(OWN_SIZE, false);
	recorded.release = NULL;
	recorded.machine = "another one";
	check(OWN_SIZE, false);
	recorded.machine = NULL;
	if (has_own())
		check(OWN_SIZE, is_moved);
	recorded.hostname = "another one"; /* as in a container */
	if (has_own())
		check(OWN_SIZE, is_moved);
}
END_TEST

/* Maps the vdso in process @pid. */
static const struct dso *map(struct addrspaces *spaces, struct process_table *processes,
			     uint32_t pid, uint64_t start)
{
	struct record rec = {.type = RECORD_MMAP2, .pid = pid, .tid = pid, .misc = CPUMODE_USER};

	rec.mmap.start = start;
	rec.mmap.len = 0x1000;
	rec.mmap.filename = "[vdso]";
	rec.mmap.filename_len = 6;
	ck_assert(addrspaces_mmap(spaces, processes, &rec));
	return addrspaces_locate(spaces, process_get(processes, pid), CPUMODE_USER, start).dso;
}

/* Stacks are unwound with it long before the recording ends. */
START_TEST(the_build_id_of_32_bits_is_known_at_once)
{
	enum { LOW = 0xf7fc0000 };
	const uint64_t high = UINT64_C(0x7ffff7fc0000);
	const uint8_t id[20] = {1}, id32[20] = {2};
	struct mkperf *m = mkperf_new(NULL);
	struct process_table processes;
	struct addrspaces spaces;
	struct roots roots = {0};
	struct given_roots given = {0};
	struct perffile *file;
	const struct dso *dso32, *dso64;

	mkperf_event(m, &(struct mkperf_event){.name = "e", .type = 1, .sample_type = 1});
	mkperf_build_id(m, CPUMODE_USER, -1, id, 20, "[vdso]");
	mkperf_build_id(m, CPUMODE_USER, -1, id32, 20, "[vdso32]");
	mkperf_sample(m, &(struct mkperf_sample){.ip = 1}); /* without data there are no features */
	file = recording_open(m);
	process_table_init(&processes, &(struct process_hooks){0});
	ck_assert(roots_init(&roots, &given));
	ck_assert(addrspaces_init(&spaces, file, NULL));
	spaces.roots = &roots;
	dso32 = map(&spaces, &processes, 1, LOW);
	ck_assert_uint_eq(dso32->build_id_len, 20);
	ck_assert_mem_eq(dso32->build_id, id32, 20);
	dso64 = map(&spaces, &processes, 2, high);
	ck_assert_uint_eq(dso64->build_id_len, 20);
	ck_assert_mem_eq(dso64->build_id, id, 20);
	ck_assert_ptr_eq(map(&spaces, &processes, 3, LOW), dso32);
	ck_assert(addrspaces_finish(&spaces));
	ck_assert_mem_eq(dso32->build_id, id32, 20);
	process_table_free(&processes);
	addrspaces_free(&spaces);
	roots_free(&roots);
	perffile_close(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("vdso");
	TCase *tcase = tcase_create("vdso");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_same_kernel_on_the_same_host);
	tcase_add_test(tcase, it_has_names);
	tcase_add_loop_test(tcase, another_host_hardware_or_kernel, 0, 6);
	tcase_add_test(tcase, another_word_size);
	tcase_add_test(tcase, the_build_id_of_the_kernel);
	tcase_add_test(tcase, the_place_of_the_kernel);
	tcase_add_test(tcase, the_build_id_of_32_bits_is_known_at_once);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
