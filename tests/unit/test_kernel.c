/* The names of the kernel and its modules: from which file, moved by how much, and why not. */
#include "decode/symbol/symbol.h"

#include "decode/replay.h"
#include "decode/replay/bundle.h"
#include "decode/symbol/kernel/kernel.h"
#include "decode/symbol/kernel/kernelcopy.h"
#include "decode/symbol/kernel/samekernel.h"
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define ID	"000102030405060708090a0b0c0d0e0f10111213"
#define ID_REST "0102030405060708090a0b0c0d0e0f10111213"
#define RELEASE "6.1.0-test"

static const uint8_t id[20] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
			       10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
static const uint8_t other_id[20] = {0xff, 1};

/* A kernel of three functions, linked where x86-64's is, and one module. */
static const char *const kernel_source =
	"__asm__(\".globl _text\\n.set _text, work\");\n"
	"__attribute__((noinline)) int work(int n)\n{\n	return n * 3;\n}\n"
	"__attribute__((noinline)) int idle(int n)\n{\n	return work(n) + 1;\n}\n"
	"int _start(void)\n{\n	return idle(2);\n}\n";
static const char *const module_source =
	"__attribute__((noinline, section(\".text\"))) int m_read(int n)\n{\n	return n * 3;\n}\n"
	"__attribute__((section(\".init.text\"))) int m_init(int n)\n{\n	return "
	"m_read(n);\n}\n"
	"__attribute__((noinline, section(\".text.unlikely\"))) int m_fail(int n)\n{\n"
	"	return n * 5;\n}\n"
	"__attribute__((section(\".exit.text\"))) int m_exit(int n)\n{\n	return n * 7;\n}\n";

enum { TEXT = 0x400000 };			   /* where the kernel is linked */
static const uint64_t run_at = 0xffffffff9e000000; /* where it ran */
static const uint64_t module_at = 0xffffffffc0450000;

static struct scratch_path dir, cache, debug_dir, symfs, file;
static struct symbol_settings settings;
static struct symbol_kernel recorded;
static struct dso_table dsos;
static struct archive *archived;
static uint64_t work, idle; /* from the start of the kernel */

static struct scratch_path made; /* holds what each check has a copy of */

static void make_vmlinux(void)
{
	made = scratch_make();
	toolchain_build(
		made.text, "vmlinux.c", kernel_source,
		"mkdir -p root/boot root/lib/modules/" RELEASE "/kernel cache/.build-id/00/" ID_REST
		" debug/.build-id/00 && gcc -O1 -g -fdebug-prefix-map=\"$PWD\"=/src -static "
		"-nostdlib -no-pie -Wl,-Ttext=0x400000 -Wl,--build-id=0x" ID
		" -o vmlinux vmlinux.c && strip -g -o stripped vmlinux");
	work = toolchain_address(made.text, "vmlinux", "work") - TEXT;
	idle = toolchain_address(made.text, "vmlinux", "idle") - TEXT;
}

static void remove_vmlinux(void)
{
	scratch_remove(made.text);
}

static void setup(void)
{
	dir = scratch_make();
	toolchain_run(dir.text, "cp -R ../%s/. .", made.text);
	cache = scratch_join(dir.text, "cache");
	debug_dir = scratch_join(dir.text, "debug");
	symfs = scratch_join(dir.text, "root");
	settings = (struct symbol_settings){
		.build_id_cache = cache.text, .debug_dir = debug_dir.text, .symfs = symfs.text};
	recorded = (struct symbol_kernel){.release = RELEASE};
}

static void teardown(void)
{
	dso_table_free(&dsos);
	bundle_close(archived);
	archived = NULL;
	scratch_remove(dir.text);
}

static const struct dso *kernel_of(const uint8_t *build_id, uint64_t reference_address)
{
	struct dso *dso =
		dso_table_get(&dsos, DSO_KERNEL, "[kernel.kallsyms]", build_id, build_id ? 20 : 0);

	dso->reference_address = reference_address;
	dso->reference_symbol = "_text";
	recorded.dso = dso;
	return dso;
}

static const struct dso *module_of(const char *path, const uint8_t *build_id)
{
	struct dso *dso = dso_table_get(&dsos, DSO_MODULE, path, build_id, build_id ? 20 : 0);

	dso->start = module_at;
	dso->end = module_at + 0x4000;
	return dso;
}

struct expected {
	const char *function;
	enum reason reason;
	const char *filename;
	unsigned line;
	const char *file, *found_by; /* the file in the test's directory, or absolute */
	unsigned statement;	     /* line of the address itself; 0: any */
	const char *debug_file;	     /* as file */
};

static void check_path(const char *path, const char *expected)
{
	if (!expected)
		ck_assert_str_eq(path, "");
	else if (expected[0] == '/')
		ck_assert_str_eq(path, expected);
	else
		ck_assert_str_eq(path, scratch_join(dir.text, expected).text);
}

static void check(const struct dso *dso, uint64_t address, const struct expected *expected)
{
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct place place = {.address = address};
	struct place_detail detail = {.wanted = true};
	struct place_list list = {.dso = dso, .places = &place, .nr_places = 1, .details = &detail};
	struct symbol_origin origin;
	struct error err;

	symbolizer_set_kernel(symbolizer, &recorded);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(place.symbol->function, expected->function);
	ck_assert_str_eq(reason_name(place.symbol->reason), reason_name(expected->reason));
	ck_assert_str_eq(place.symbol->filename, expected->filename ? expected->filename : "");
	ck_assert_uint_eq(place.symbol->line, expected->line);
	ck_assert_uint_eq(detail.address, address);
	ck_assert_str_eq(detail.filename, place.symbol->filename);
	if (expected->statement)
		ck_assert_uint_eq(detail.line, expected->statement);
	origin = symbolizer_origin(symbolizer, dso);
	check_path(origin.file, expected->file);
	check_path(origin.debug_file, expected->debug_file);
	ck_assert_str_eq(origin.found_by, expected->found_by ? expected->found_by : "");
	symbolizer_destroy(symbolizer);
}

static void check_reason(const struct dso *dso, uint64_t address, enum reason reason)
{
	check(dso, address, &(struct expected){.function = "[unknown]", .reason = reason});
}

static void check_name(const struct dso *dso, uint64_t address, const char *function,
		       const char *path, const char *rule)
{
	check(dso, address,
	      &(struct expected){.function = function, .file = path, .found_by = rule});
}

/* Where nothing is, of all that the file tells. */
static void check_outside(const struct dso *dso, uint64_t address, const char *path,
			  const char *rule)
{
	check(dso, address,
	      &(struct expected){.function = "[unknown]",
				 .reason = REASON_OUTSIDE_SYMBOLS,
				 .file = path,
				 .found_by = rule});
}

/* One of two functions of the kernel's source. */
static void check_kernel(const struct dso *dso, uint64_t address, const char *function,
			 const char *path, const char *rule)
{
	const bool is_work = strcmp(function, "work") == 0;

	check(dso, address,
	      &(struct expected){.function = function,
				 .filename = "/src/vmlinux.c",
				 .line = is_work ? 2 : 6,
				 .file = path,
				 .found_by = rule,
				 .statement = is_work ? 4 : 0});
}

/* A function of the module's source. */
static void check_module(const struct dso *dso, uint64_t address, const char *function,
			 unsigned line, const char *path, const char *rule)
{
	check(dso, address,
	      &(struct expected){.function = function,
				 .filename = "/src/m.c",
				 .line = line,
				 .file = path,
				 .found_by = rule,
				 .statement = line + 2});
}

/* ---- vmlinux --------------------------------------------------------------------------------- */

START_TEST(vmlinux_is_moved_to_where_the_kernel_ran)
{
	static const char path[] = "vmlinux", rule[] = "vmlinux";

	file = scratch_join(dir.text, "vmlinux");
	settings.vmlinux = file.text;
	check_kernel(kernel_of(id, run_at + work), run_at + work, "work", path, rule);
	check_kernel(kernel_of(id, run_at + work), run_at + idle, "idle", path, rule);
	/* One that was not moved. */
	check_kernel(kernel_of(id, TEXT + work), TEXT + idle, "idle", path, rule);
	/* Without a recorded build id the user is taken at his word, without an address too. */
	check_kernel(kernel_of(NULL, run_at + work), run_at + idle, "idle", path, rule);
	check_kernel(kernel_of(NULL, 0), TEXT + idle, "idle", path, rule);
	check_outside(kernel_of(id, run_at + work), TEXT + idle, "vmlinux", "vmlinux");
}
END_TEST

START_TEST(vmlinux_of_another_build_is_refused)
{
	file = scratch_join(dir.text, "vmlinux");
	settings.vmlinux = file.text;
	check_reason(kernel_of(other_id, run_at), run_at, REASON_BUILD_ID_MISMATCH);
	file = scratch_join(dir.text, "none");
	check_reason(kernel_of(other_id, run_at), run_at, REASON_FILE_MISSING);
	file = scratch_join(dir.text, "vmlinux.c");
	check_reason(kernel_of(other_id, run_at), run_at, REASON_FILE_UNREADABLE);
}
END_TEST

/* Each of them is found by itself, and refused with another build id or without one. */
static const struct {
	const char *path, *found_by;
} places[] = {
	{"cache/.build-id/00/" ID_REST "/vmlinux", "build-id-cache"},
	{"cache/.build-id/00/" ID_REST "/elf", "build-id-cache"},
	{"debug/.build-id/00/" ID_REST ".debug", "debug-dir"},
	{"debug/boot/vmlinux-" RELEASE, "debug-dir"},
	{"debug/lib/modules/" RELEASE "/vmlinux", "debug-dir"},
	{"debug/boot/vmlinux-" RELEASE ".debug", "debug-dir"},
	{"debug/usr/lib/modules/" RELEASE "/vmlinux.debug", "debug-dir"},
	{"root/boot/vmlinux-" RELEASE, "kernel-release"},
	{"root/lib/modules/" RELEASE "/build/vmlinux", "kernel-release"},
};

START_TEST(vmlinux_is_found_where_systems_have_it)
{
	const char *path = places[_i].path;

	if (!machine_has_proc()) /* its kallsyms is the other kernel's */
		return;
	toolchain_run(dir.text, "mkdir -p $(dirname %s) && cp vmlinux %s", path, path);
	check_kernel(kernel_of(id, run_at + work), run_at + work, "work", path,
		     places[_i].found_by);
	check_reason(kernel_of(other_id, run_at + work), run_at + work, REASON_KERNEL_OTHER);
	check_reason(kernel_of(NULL, run_at + work), run_at + work, REASON_KERNEL_OTHER);
	/* Where it lay is not known. */
	check_reason(kernel_of(id, 0), run_at + work, REASON_KERNEL_OTHER);
}
END_TEST

START_TEST(the_vmlinux_that_tells_most_is_used)
{
	toolchain_run(dir.text, "cp stripped cache/.build-id/00/" ID_REST "/elf && "
				"cp vmlinux root/boot/vmlinux-" RELEASE);
	check_kernel(kernel_of(id, run_at + work), run_at + work, "work",
		     "root/boot/vmlinux-" RELEASE, "kernel-release");
	toolchain_run(dir.text, "strip -g root/boot/vmlinux-" RELEASE);
	check_name(kernel_of(id, run_at + work), run_at + work, "work",
		   "cache/.build-id/00/" ID_REST "/elf", "build-id-cache");
}
END_TEST

START_TEST(a_release_that_is_a_path_leads_nowhere)
{
	toolchain_run(dir.text, "mkdir root/boot/vmlinux-x && cp vmlinux root/boot/vmlinux-x/y");
	recorded.release = "x/y";
	check_reason(kernel_of(id, run_at + work), run_at + work, REASON_KERNEL_OTHER);
}
END_TEST

/* ---- kallsyms -------------------------------------------------------------------------------- */

static const char *const kallsyms = "ffffffff81000000 T _text\n"
				    "ffffffff81000100 t do_work\n"
				    "ffffffff81002000 T _etext\n"
				    "ffffffffc0450000 t k_read\t[m]\n"
				    "ffffffffc0450100 t k_write\t[m]\n"
				    "ffffffffc0600000 t bpf_prog_1_f\t[bpf]\n"
				    "ffffffffc0602000 t ftrace_trampoline\t[__builtin__ftrace]\n";

static const uint64_t text = 0xffffffff81000000;

static void write_kallsyms(const char *name, const char *lines)
{
	toolchain_run(dir.text, "mkdir -p $(dirname %s)", name);
	scratch_write(dir.text, name, lines);
}

START_TEST(kallsyms_of_the_recordings_directory)
{
	static const char path[] = "kcore_dir/kallsyms", rule[] = "kcore-dir";
	struct scratch_path kcore = scratch_join(dir.text, "kcore_dir");

	recorded.kcore_dir = kcore.text;
	check_reason(kernel_of(other_id, text), text + 0x180, REASON_KERNEL_OTHER);
	write_kallsyms(path, kallsyms);
	check_name(kernel_of(other_id, text), text + 0x180, "do_work", path, rule);
	check_name(module_of("[m]", NULL), module_at + 0x180, "k_write", path, rule);
	check_name(kernel_of(NULL, text), text + 0x180, "do_work", path, rule);
	/* What the user names comes before it. */
	write_kallsyms("mine", "ffffffff81000000 T mine\n");
	file = scratch_join(dir.text, "mine");
	settings.kallsyms = file.text;
	check_name(kernel_of(NULL, text), text + 0x180, "mine", "mine", "kallsyms");
}
END_TEST

START_TEST(kallsyms_of_the_cache)
{
	static const char path[] = "cache/.build-id/00/" ID_REST "/kallsyms";

	write_kallsyms(path, kallsyms);
	check_name(kernel_of(id, text), text + 0x180, "do_work", path, "build-id-cache");
	check_name(module_of("[m]", NULL), module_at + 0x80, "k_read", path, "build-id-cache");
	/* Another boot of it: the kernel is moved, and its modules are anywhere. */
	check_name(kernel_of(id, run_at), run_at + 0x180, "do_work", path, "build-id-cache");
	check_reason(module_of("[m]", NULL), module_at + 0x80, REASON_KERNEL_OTHER);
	check_reason(kernel_of(other_id, text), text + 0x180, REASON_KERNEL_OTHER);
	/* Perf before 4.13 had a file in the place of the directory. */
	toolchain_run(dir.text,
		      "mv %s k && rmdir cache/.build-id/00/" ID_REST
		      " && mv k cache/.build-id/00/" ID_REST,
		      path);
	check_name(kernel_of(id, text), text + 0x180, "do_work", "cache/.build-id/00/" ID_REST,
		   "build-id-cache");
}
END_TEST

/* The symbols of @copy can be taken. */
static void check_taken(struct kernelcopy *copy)
{
	struct symtab table = {0};
	size_t cursor = 0;

	ck_assert_int_eq(kallsyms_read_kernel(&copy->kallsyms, NULL, 0, &table), 0);
	ck_assert_str_eq(
		symtab_best(&table, symtab_find(&table, text + 0x180, &cursor), false)->name,
		"do_work");
	symtab_free(&table);
}

/* perf record writes it; the kernel's own list takes ten times as long to read. */
START_TEST(a_copy_of_the_running_kernels_list)
{
	static const char path[] = "cache/.build-id/00/" ID_REST "/kallsyms";
	const struct dso *dso = kernel_of(id, text);
	struct kernelcopy copy = {0};
	char found[PATH_MAX];

	ck_assert(!kernelcopy_find(found, dso, &settings));
	ck_assert_int_eq(kernelcopy_read(&copy, dso, &settings), 0);
	ck_assert_ptr_null(copy.path);
	write_kallsyms(path, kallsyms);
	ck_assert(kernelcopy_find(found, dso, &settings));
	check_path(found, path);
	ck_assert_int_eq(kernelcopy_read(&copy, dso, &settings), 0);
	check_path(copy.path, path);
	ck_assert_uint_eq(copy.start, text);
	ck_assert_uint_eq(copy.end, text + 0x2000);
	ck_assert_uint_eq(copy.init_end, 0);
	ck_assert_uint_eq(copy.kallsyms.nr, 7);
	check_taken(&copy);
	/* again: who was given them may have dropped them */
	check_taken(&copy);
	kernelcopy_free(&copy);
	/* of a boot with the kernel elsewhere, and of a kernel whose build is not known */
	ck_assert(!kernelcopy_find(found, kernel_of(id, run_at), &settings));
	ck_assert(!kernelcopy_find(found, kernel_of(NULL, text), &settings));
	/* It must tell which code is the kernel's own. */
	write_kallsyms(path, "ffffffff81000000 T _text\nffffffff81000100 t do_work\n");
	ck_assert_int_eq(kernelcopy_read(&copy, kernel_of(id, text), &settings), 0);
	ck_assert_ptr_null(copy.path);
}
END_TEST

/* Modules are in no copy: where one has samples, the running kernel's list is read ahead all the
 * same. */
static void check_modules_ahead(const uint8_t *running)
{
	struct kernel kernel;

	(void)kernel_of(running, text);
	for (int known_first = 0; known_first < 2; known_first++) {
		kernel_init(&kernel);
		if (known_first)
			kernel.recorded = recorded;
		kernel_expect_module(&kernel, &settings);
		ck_assert(kernel.ahead.started == known_first);
		kernel.recorded = recorded;
		kernel_read_ahead(&kernel, &settings);
		ck_assert(kernel.ahead.started);
		kernel_deinit(&kernel);
	}
	kernel_init(&kernel);
	kernel.recorded = recorded;
	kernel_read_ahead(&kernel, &settings);
	ck_assert(!kernel.ahead.started);
	kernel_deinit(&kernel);
}

/* The code that starts the kernel, apart from the rest, is in the call chains of idle CPUs: the
 * copy at @path names it, too. */
static void check_start(const uint8_t *running, const char *path)
{
	struct place three[] = {
		{.address = text + 0x180}, {.address = text + 0x3100}, {.address = text + 0x4fff}};
	const struct place_list list = {.places = three, .nr_places = 3};
	struct symtab table = {0};
	struct kernel kernel;
	size_t cursor = 0;
	bool nomem = false;

	write_kallsyms(path, "ffffffff81000000 T _text\n"
			     "ffffffff81000100 t do_work\n"
			     "ffffffff81002000 T _etext\n"
			     "ffffffff81003000 T _sinittext\n"
			     "ffffffff81003000 T start_kernel\n"
			     "ffffffff81005000 T _einittext\n");
	(void)kernel_of(running, text);
	kernel_init(&kernel);
	kernel.recorded = recorded;
	check_path(kernel_own_symbols(&kernel, &settings, &list, &table, &nomem), path);
	check_path(kernel.near.path, path);
	ck_assert_uint_eq(kernel.near.end, text + 0x2000);
	ck_assert_uint_eq(kernel.near.init_start, text + 0x3000);
	ck_assert_uint_eq(kernel.near.init_end, text + 0x5000);
	ck_assert_str_eq(
		symtab_best(&table, symtab_find(&table, text + 0x3100, &cursor), false)->name,
		"start_kernel");
	symtab_free(&table);
	three[2].address++;
	ck_assert_ptr_null(kernel_own_symbols(&kernel, &settings, &list, &table, &nomem));
	three[1].address = text + 0x2fff;
	three[2].address--;
	ck_assert_ptr_null(kernel_own_symbols(&kernel, &settings, &list, &table, &nomem));
	ck_assert(!nomem);
	kernel_deinit(&kernel);
}

START_TEST(the_copy_has_the_names_of_the_running_kernels_own_code)
{
	uint8_t running[DSO_BUILD_ID_MAX];
	char path[PATH_MAX], hex[2 * DSO_BUILD_ID_MAX + 1];
	struct place two[] = {{.address = text}, {.address = text + 0x1fff}};
	const struct place_list list = {.places = two, .nr_places = 2};
	struct symtab table = {0};
	struct kernel kernel;
	bool nomem = false;

	if (kernel_note_build_id("/sys/kernel/notes", running, &nomem) != 20) {
		machine_lacks("the running kernel tells no build id");
		return;
	}
	for (size_t i = 0; i < 20; i++)
		snprintf(&hex[2 * i], 3, "%02x", running[i]);
	snprintf(path, sizeof(path), "cache/.build-id/%.2s/%s/kallsyms", hex, hex + 2);
	write_kallsyms(path, kallsyms);
	check_name(kernel_of(running, text), text + 0x180, "do_work", path, "build-id-cache");
	check_name(kernel_of(running, text), text + 0x1fff, "do_work", path, "build-id-cache");
	/* Modules, and what was made at run time, may have come since. */
	kernel_init(&kernel);
	kernel.recorded = recorded;
	check_path(kernel_own_symbols(&kernel, &settings, &list, &table, &nomem), path);
	check_path(kernel.near.path, path);
	ck_assert_ptr_null(kernel.copy.path);
	symtab_free(&table);
	two[1].address++;
	ck_assert_ptr_null(kernel_own_symbols(&kernel, &settings, &list, &table, &nomem));
	two[1].address--;
	two[0].address--;
	ck_assert_ptr_null(kernel_own_symbols(&kernel, &settings, &list, &table, &nomem));
	two[0].address++;
	ck_assert_ptr_null(kernel_own_symbols(&kernel, &settings, NULL, &table, &nomem));
	ck_assert(!nomem);
	kernel_deinit(&kernel);
	check_modules_ahead(running);
	check_start(running, path);
	/* Lines in another order than the kernel's are read, too: all of them. */
	write_kallsyms(path, "ffffffff81002000 T _etext\nffffffff81000000 T _text\n"
			     "ffffffff81000100 t do_work\n");
	kernel_init(&kernel);
	kernel.recorded = recorded;
	check_path(kernel_own_symbols(&kernel, &settings, &list, &table, &nomem), path);
	ck_assert_ptr_null(kernel.near.path);
	check_path(kernel.copy.path, path);
	symtab_free(&table);
	kernel_deinit(&kernel);
	write_kallsyms(path, kallsyms);
	/* It does not matter whether a thread has needed the list itself before, for modules. */
	kernel_init(&kernel);
	kernel.recorded = recorded;
	ck_assert_int_eq(kernel_load(&kernel, &settings), 0);
	check_path(kernel_own_symbols(&kernel, &settings, &list, &table, &nomem), path);
	symtab_free(&table);
	kernel_deinit(&kernel);
}
END_TEST

START_TEST(kallsyms_without_addresses_is_passed_over)
{
	static const char path[] = "cache/.build-id/00/" ID_REST "/kallsyms";
	struct scratch_path kcore = scratch_join(dir.text, "kcore_dir");

	recorded.kcore_dir = kcore.text;
	write_kallsyms("kcore_dir/kallsyms", "0000000000000000 T _text\n0000000000000000 t f\n");
	write_kallsyms(path, kallsyms);
	check_name(kernel_of(id, text), text + 0x180, "do_work", path, "build-id-cache");
	file = scratch_join(dir.text, "kcore_dir/kallsyms");
	settings.kallsyms = file.text;
	check_reason(kernel_of(id, text), text + 0x180, REASON_KERNEL_HIDDEN);
}
END_TEST

START_TEST(a_vmlinux_tells_more_than_kallsyms)
{
	write_kallsyms("cache/.build-id/00/" ID_REST "/kallsyms", kallsyms);
	toolchain_run(dir.text, "cp vmlinux root/boot/vmlinux-" RELEASE);
	check_kernel(kernel_of(id, text + work), text + work, "work", "root/boot/vmlinux-" RELEASE,
		     "kernel-release");
}
END_TEST

START_TEST(code_made_at_run_time_lies_in_the_kernel)
{
	write_kallsyms("k", kallsyms);
	file = scratch_join(dir.text, "k");
	settings.kallsyms = file.text;
	check_name(kernel_of(NULL, text), 0xffffffffc0600fff, "bpf_prog_1_f", "k", "kallsyms");
	check_name(kernel_of(NULL, text), 0xffffffffc0602010, "ftrace_trampoline", "k", "kallsyms");
	/* They do not make the kernel's own last symbol longer, nor are they long themselves. */
	check_name(kernel_of(NULL, text), text + 0x2fff, "_etext", "k", "kallsyms");
	check_outside(kernel_of(NULL, text), text + 0x3000, "k", "kallsyms");
	check_outside(kernel_of(NULL, text), 0xffffffffc0603000, "k", "kallsyms");
}
END_TEST

/* ---- the running kernel's kallsyms ----------------------------------------------------------- */

/* Where two symbols of the running kernel are; all 0 if it does not show them. */
struct running {
	uint64_t text, exit;
};

static struct running find_running(void)
{
	struct running at = {.text = machine_kernel_symbol("_text")};

	if (at.text)
		at.exit = machine_kernel_symbol("do_exit");
	return at.exit ? at : (struct running){0};
}

/* The names of the running kernel are used if it was recorded @shift above its place, or not. */
static void check_running(const struct running *at, uint64_t shift, bool are_used)
{
	const struct dso *dso = kernel_of(NULL, at->text + shift);

	if (are_used)
		check_name(dso, at->exit + shift, "do_exit", "/proc/kallsyms", "running-kernel");
	else
		check_reason(dso, at->exit + shift, REASON_KERNEL_OTHER);
}

/* A kernel that is not moved is where all others are. */
START_TEST(kallsyms_of_the_running_kernel_without_a_build_id)
{
	const struct running at = find_running();
	struct utsname own;

	if (at.text == 0)
		return;
	ck_assert_int_eq(uname(&own), 0);
	recorded = (struct symbol_kernel){
		.hostname = own.nodename, .release = own.release, .machine = own.machine};
	check_running(&at, 0, true);
	check_running(&at, 0x200000, false);
	recorded.release = "3.2.5-gg987";
	check_running(&at, 0, false);
	recorded.release = own.release;
	recorded.machine = "none";
	check_running(&at, 0, false);
	recorded.machine = own.machine;
	/* of a container on the same machine, or of another machine */
	recorded.hostname = "none";
	check_running(&at, 0, samekernel_was_moved(own.machine, at.text));
	/* a pipe of an old perf */
	recorded = (struct symbol_kernel){0};
	check_running(&at, 0, samekernel_was_moved(own.machine, at.text));
}
END_TEST

/* perf inject -b puts the running kernel's list where the recorded one's belongs. */
START_TEST(the_running_kernels_list_in_the_place_of_anothers)
{
	static const char path[] = "cache/.build-id/00/" ID_REST "/kallsyms",
			  rule[] = "build-id-cache";
	static const uint64_t moved = 0x1000000;
	const struct running at = find_running();
	uint8_t running[DSO_BUILD_ID_MAX];
	bool nomem = false;

	if (at.text == 0)
		return;
	if (kernel_note_build_id("/sys/kernel/notes", running, &nomem) == 0) {
		machine_lacks("the running kernel tells no build id");
		return;
	}
	toolchain_run(dir.text, "cat /proc/kallsyms > %s", path);
	check_reason(kernel_of(id, at.text), at.exit, REASON_KERNEL_OTHER);
	check_reason(kernel_of(id, at.text - moved), at.exit - moved, REASON_KERNEL_OTHER);
	/* Modules and code made at run time come and go. */
	toolchain_run(dir.text, "printf 'ffffffffc0450000 t k_read\t[none]\n' >> %s", path);
	check_reason(kernel_of(id, at.text), at.exit, REASON_KERNEL_OTHER);
	/* A list of another kernel is that of the recorded one, wherever it was loaded. */
	toolchain_run(dir.text, "sed -i 's/ do_exit$/ do_leave/' %s", path);
	check_name(kernel_of(id, at.text), at.exit, "do_leave", path, rule);
	check_name(kernel_of(id, at.text - moved), at.exit - moved, "do_leave", path, rule);
}
END_TEST

/* x86-64 moves it by multiples of 2 MB. */
START_TEST(a_list_that_cannot_be_of_the_recorded_kernel)
{
	static const char path[] = "cache/.build-id/00/" ID_REST "/kallsyms";

	write_kallsyms(path, kallsyms);
	recorded.machine = "x86_64";
	check_name(kernel_of(id, text + 0x200000), text + 0x200180, "do_work", path,
		   "build-id-cache");
	check_reason(kernel_of(id, text + 0x190), text + 0x180, REASON_KERNEL_OTHER);
	check_reason(kernel_of(id, text + 0x10000), text + 0x10180, REASON_KERNEL_OTHER);
	recorded.machine = "aarch64";
	check_name(kernel_of(id, text + 0x10000), text + 0x10180, "do_work", path,
		   "build-id-cache");
	/* The user is taken at his word. */
	file = scratch_join(dir.text, path);
	settings.kallsyms = file.text;
	recorded.machine = "x86_64";
	check_name(kernel_of(id, text + 0x190), text + 0x310, "do_work", path, "kallsyms");
}
END_TEST

/* ---- modules --------------------------------------------------------------------------------- */

/* m-1.ko as PATH below root/, by @pack: "cat", "xz -c", ... */
static void make_module(const char *pack, const char *path)
{
	toolchain_build(dir.text, "m.c", module_source,
			"gcc -O1 -g -fdebug-prefix-map=\"$PWD\"=/src -c -o m.o m.c && ld -r "
			"--build-id=0x" ID
			" -o m.ko m.o && mkdir -p $(dirname root/%s) && %s m.ko > root/%s",
			path, pack, path);
}

/* Where the kernel puts @section of m.ko: one section of code behind the other, each aligned. */
static uint64_t place_of(const char *section)
{
	unsigned long size, log_align;
	uint64_t place = 0;
	char name[64];
	FILE *sections;

	toolchain_run(dir.text, "objdump -h -w m.ko | awk '/CODE/ && $2 !~ /init/ "
				"{ print $2, $3, substr($7, 4) }' > sections");
	sections = fopen(scratch_join(dir.text, "sections").text, "r");
	ck_assert_ptr_nonnull(sections);
	while (fscanf(sections, "%63s %lx %lu", name, &size, &log_align) == 3) {
		place = (place + (1UL << log_align) - 1) >> log_align << log_align;
		if (strcmp(name, section) == 0)
			break;
		place += size;
	}
	fclose(sections);
	ck_assert_str_eq(name, section);
	return place;
}

static const char module_path[] = "/lib/modules/" RELEASE "/kernel/m-1.ko";

START_TEST(a_modules_file_by_its_recorded_path)
{
	static const char path[] = "root/lib/modules/" RELEASE "/kernel/m-1.ko";
	static const char rule[] = "recorded-path";

	make_module("cat", module_path + 1);
	kernel_of(other_id, text);
	check_module(module_of(module_path, id), module_at, "m_read", 1, path, rule);
	check_module(module_of(module_path, NULL), module_at, "m_read", 1, path, rule);
	check_module(module_of(module_path, id), module_at + place_of(".text.unlikely"), "m_fail",
		     9, path, rule);
	check_module(module_of(module_path, id), module_at + place_of(".exit.text"), "m_exit", 13,
		     path, rule);
	check_outside(module_of(module_path, id), module_at + 0x3000, path, rule);
	check_reason(module_of(module_path, other_id), module_at, REASON_KERNEL_OTHER);
}
END_TEST

static const struct {
	const char *program, *pack, *suffix;
} packers[] = {
	{"gzip", "gzip -c", ".gz"},
	{"xz", "xz -c --check=crc32", ".xz"},
	{"zstd", "zstd -q -c", ".zst"},
};

START_TEST(a_packed_module)
{
	char path[256], below[300];

	if (!machine_has(packers[_i].program))
		return;
	snprintf(path, sizeof(path), "%s%s", module_path, packers[_i].suffix);
	snprintf(below, sizeof(below), "root%s", path);
	make_module(packers[_i].pack, path + 1);
	kernel_of(other_id, text);
	check_module(module_of(path, id), module_at, "m_read", 1, below, "recorded-path");
	check_reason(module_of(path, other_id), module_at, REASON_KERNEL_OTHER);
	toolchain_run(dir.text, "truncate -s -20 %s", below);
	check_reason(module_of(path, id), module_at, REASON_KERNEL_OTHER);
}
END_TEST

START_TEST(a_module_by_its_name_and_release)
{
	static const char path[] = "root/lib/modules/" RELEASE "/kernel/m-1.ko";

	make_module("cat", module_path + 1);
	kernel_of(other_id, text);
	check_reason(module_of("[m_1]", id), module_at, REASON_KERNEL_OTHER);
	scratch_write(dir.text, "root/lib/modules/" RELEASE "/modules.dep",
		      "kernel/other.ko:\nkernel/m-1.ko: kernel/other.ko\n");
	check_module(module_of("[m_1]", id), module_at, "m_read", 1, path, "kernel-release");
	/* A name alone does not say which build it is of. */
	check_reason(module_of("[m_1]", NULL), module_at, REASON_KERNEL_OTHER);
	check_reason(module_of("[m_2]", id), module_at, REASON_KERNEL_OTHER);
	scratch_write(dir.text, "root/lib/modules/" RELEASE "/modules.dep",
		      "/lib/modules/" RELEASE "/kernel/m-1.ko.xz:\n");
	toolchain_run(dir.text, "mv %s %s.xz", path, path);
	check_module(module_of("[m_1]", id), module_at, "m_read", 1,
		     "root/lib/modules/" RELEASE "/kernel/m-1.ko.xz", "kernel-release");
}
END_TEST

START_TEST(a_module_in_the_cache)
{
	static const char path[] = "cache/.build-id/00/" ID_REST "/elf";

	make_module("cat", "copy");
	toolchain_run(dir.text, "cp m.ko %s", path);
	kernel_of(other_id, text);
	check_module(module_of("[m_1]", id), module_at, "m_read", 1, path, "build-id-cache");
}
END_TEST

/* ---- the DWARF of modules -------------------------------------------------------------------- */

/* Each of them is found by itself beside a stripped module, whose recorded path is packed. */
static const char *const module_debug_places[] = {
	"debug/.build-id/00/" ID_REST ".debug",
	"cache/.build-id/00/" ID_REST "/debug",
	"debug/lib/modules/" RELEASE "/kernel/m-1.ko",
	"debug/lib/modules/" RELEASE "/kernel/m-1.ko.debug",
	"debug/usr/lib/modules/" RELEASE "/kernel/m-1.ko.debug",
};

START_TEST(a_modules_debug_file_is_found_where_systems_have_it)
{
	const char *place = module_debug_places[_i];
	const char *rule = strncmp(place, "cache", 5) == 0 ? "build-id-cache" : "debug-dir";
	char path[256], below[300];

	snprintf(path, sizeof(path), "%s.gz", module_path);
	snprintf(below, sizeof(below), "root%s", path);
	make_module("strip -g -o - ", path + 1);
	toolchain_run(dir.text,
		      "strip -g -o m.stripped m.ko && gzip -c m.stripped > %s && "
		      "mkdir -p $(dirname %s) && objcopy --only-keep-debug m.ko %s",
		      below, place, place);
	kernel_of(other_id, text);
	check_module(module_of(path, id), module_at, "m_read", 1, place, rule);
	check_module(module_of(path, id), module_at + place_of(".text.unlikely"), "m_fail", 9,
		     place, rule);
	/* The build id of the file that the recording names is as good as a recorded one. */
	check_module(module_of(path, NULL), module_at, "m_read", 1, place, rule);
	scratch_write(dir.text, "root/lib/modules/" RELEASE "/modules.dep", "kernel/m-1.ko.gz:\n");
	check_module(module_of("[m_1]", id), module_at, "m_read", 1, place, rule);
	/* Of another build it is not used, and the names come from the module itself. */
	toolchain_run(dir.text, "ld -r --build-id=0x1234 -o other.ko m.o && cp other.ko %s", place);
	check_name(module_of(path, id), module_at, "m_read", below, "recorded-path");
}
END_TEST

/* There is an instruction at @address of @module if the library is there. */
static void check_code(const struct dso *module, uint64_t address)
{
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct place place = {.address = address};
	struct place_detail detail = {.wanted = true};
	struct place_list list = {.dso = module,
				  .places = &place,
				  .nr_places = 1,
				  .details = &detail,
				  .wishes = WISH_DETAILS | WISH_INSTRUCTIONS};
	struct error err;
	char name[32];

	symbolizer_set_kernel(symbolizer, &recorded);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(place.symbol->function, "m_fail");
	if (symbolizer_disassembler(name))
		ck_assert_str_ne(detail.instruction, "");
	symbolizer_destroy(symbolizer);
}

/* The names are those of kallsyms; the source is found where kallsyms shows the functions. */
START_TEST(kallsyms_shows_where_a_modules_code_is)
{
	static const char lines[] = "ffffffff81000000 T _text\n"
				    "ffffffffc0450100 t m_read\t[m_1]\n"
				    "ffffffffc0450800 t m_fail\t[m_1]\n";
	static const char path[] = "root/lib/modules/" RELEASE "/kernel/m-1.ko";
	struct scratch_path kcore = scratch_join(dir.text, "kcore_dir");
	struct expected expected = {.function = "m_read",
				    .filename = "/src/m.c",
				    .line = 1,
				    .statement = 3,
				    .file = "kcore_dir/kallsyms",
				    .found_by = "kcore-dir",
				    .debug_file = path};

	make_module("cat", module_path + 1);
	recorded.kcore_dir = kcore.text;
	write_kallsyms("kcore_dir/kallsyms", lines);
	kernel_of(id, text);
	check(module_of(module_path, id), module_at + 0x100, &expected);
	expected.function = "m_fail";
	expected.line = 9;
	expected.statement = 11;
	check(module_of(module_path, id), module_at + 0x800, &expected);
	/* What kallsyms does not list is nowhere. */
	expected = (struct expected){.function = "m_fail",
				     .file = "kcore_dir/kallsyms",
				     .found_by = "kcore-dir",
				     .debug_file = path};
	check(module_of(module_path, id), module_at + 0x900, &expected);
	/* A file without DWARF is of no use then, but for its code. */
	toolchain_run(dir.text, "strip -g %s", path);
	expected.debug_file = NULL;
	check(module_of(module_path, id), module_at + 0x800, &expected);
	check_code(module_of(module_path, id), module_at + 0x800);
}
END_TEST

START_TEST(inlined_functions_of_a_module)
{
	static const char inlining[] =
		"static inline __attribute__((always_inline)) int m_twice(volatile int *n)\n{\n"
		"	*n += 2;\n	return *n * 2;\n}\n"
		"int m_read(volatile int *n)\n{\n	return m_twice(n);\n}\n";
	const struct expected expected = {.function = "m_twice",
					  .filename = "/src/i.c",
					  .line = 1,
					  .statement = 3,
					  .file = "root/lib/modules/" RELEASE "/kernel/m-1.ko",
					  .found_by = "recorded-path"};

	toolchain_build(dir.text, "i.c", inlining,
			"gcc -O1 -g -fdebug-prefix-map=\"$PWD\"=/src -c -o i.o i.c && "
			"ld -r --build-id=0x" ID " -o root%s i.o",
			module_path);
	kernel_of(other_id, text);
	settings.inlined = true;
	check(module_of(module_path, id), module_at, &expected);
}
END_TEST

/* The type of the last relocation of .debug_info is one that no machine has: byte 8 of the entry.
 */
START_TEST(a_module_with_strange_relocations_has_names_alone)
{
	static const char path[] = "root/lib/modules/" RELEASE "/kernel/m-1.ko";
	struct symbolizer *symbolizer;
	struct place place = {.address = module_at};
	struct place_list list = {.places = &place, .nr_places = 1};
	struct error err;
	char refused[PATH_MAX + 64];

	make_module("cat", module_path + 1);
	toolchain_run(dir.text,
		      "set -- $(readelf -SW m.ko | sed -n "
		      "'s/.* \\.rela\\.debug_info *RELA *[0-9a-f]* \\([0-9a-f]*\\) "
		      "\\([0-9a-f]*\\).*/\\1 \\2/p') && "
		      "printf '\\376' | dd of=%s conv=notrunc bs=1 status=none "
		      "seek=$((0x$1 + 0x$2 - 16))",
		      path);
	kernel_of(other_id, text);
	check_name(module_of(module_path, id), module_at, "m_read", path, "recorded-path");
	symbolizer = symbolizer_create(&settings);
	symbolizer_set_kernel(symbolizer, &recorded);
	list.dso = module_of(module_path, id);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	snprintf(refused, sizeof(refused), "%s: its DWARF needs relocations that cannot be applied",
		 scratch_join(dir.text, path).text);
	ck_assert_ptr_nonnull(strstr(symbolizer_origin(symbolizer, list.dso).refused, refused));
	symbolizer_destroy(symbolizer);
}
END_TEST

/* ---- debuginfod ------------------------------------------------------------------------------ */

/* False, and a test is skipped, if there is no client; its server is a directory, served/. */
static bool begin_serving(const char *name)
{
	static struct scratch_path fetched;
	char *real = realpath(dir.text, NULL), urls[PATH_MAX];
	void *library = dlopen("libdebuginfod.so.1", RTLD_NOW);

	if (!library)
		machine_lacks("there is no libdebuginfod");
	snprintf(urls, sizeof(urls), "file://%s/served/", real);
	setenv("DEBUGINFOD_URLS", urls, 1);
	fetched = scratch_join(real, "fetched");
	setenv("DEBUGINFOD_CACHE_PATH", fetched.text, 1);
	free(real);
	toolchain_run(dir.text,
		      "mkdir -p served/buildid/" ID " && cp %s served/buildid/" ID "/debuginfo",
		      name);
	settings.debuginfod = true;
	return library;
}

/* The path of the fetched file. */
static const char *fetched(void)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" ID "/debuginfo", getenv("DEBUGINFOD_CACHE_PATH"));
	return path;
}

START_TEST(a_kernels_source_is_fetched_if_lines_are_asked_for)
{
	if (!begin_serving("vmlinux"))
		return;
	write_kallsyms("cache/.build-id/00/" ID_REST "/kallsyms", kallsyms);
	check_kernel(kernel_of(id, text + work), text + work, "work", fetched(), "debuginfod");
	/* Also where a local file has the names. */
	toolchain_run(dir.text, "cp stripped cache/.build-id/00/" ID_REST "/elf");
	check_kernel(kernel_of(id, text + work), text + work, "work", fetched(), "debuginfod");
	settings.debuginfod = false;
	check_name(kernel_of(id, text + work), text + work, "work",
		   "cache/.build-id/00/" ID_REST "/elf", "build-id-cache");
}
END_TEST

/* Looks @address up without its line: the file with its name is @expected, as check_path() has it.
 */
static void find_name(const struct dso *dso, uint64_t address, const char *function,
		      const char *expected)
{
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct place place = {.address = address};
	struct place_list list = {.dso = dso, .places = &place, .nr_places = 1};
	struct error err;

	symbolizer_set_kernel(symbolizer, &recorded);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(place.symbol->function, function);
	check_path(symbolizer_origin(symbolizer, dso).file, expected);
	symbolizer_destroy(symbolizer);
}

START_TEST(a_kernels_names_are_fetched_if_nothing_else_has_them)
{
	if (!begin_serving("vmlinux"))
		return;
	write_kallsyms("cache/.build-id/00/" ID_REST "/kallsyms", kallsyms);
	find_name(kernel_of(id, text), text + 0x180, "do_work",
		  "cache/.build-id/00/" ID_REST "/kallsyms");
	ck_assert_int_ne(access(fetched(), F_OK), 0);
	toolchain_run(dir.text, "rm cache/.build-id/00/" ID_REST "/kallsyms");
	find_name(kernel_of(id, run_at + work), run_at + idle, "idle", fetched());
	/* Inlined functions are in the DWARF alone. */
	write_kallsyms("cache/.build-id/00/" ID_REST "/kallsyms", kallsyms);
	settings.inlined = true;
	find_name(kernel_of(id, run_at + work), run_at + idle, "idle", fetched());
}
END_TEST

/* A filter has looked names up before lines are asked for. */
START_TEST(a_kernel_that_was_read_for_its_names_is_read_anew_for_lines)
{
	struct symbolizer *symbolizer;
	const struct symbol *symbol;
	struct place place = {.address = text + work};
	struct place_detail detail = {.wanted = true};
	struct place_list list = {.places = &place, .nr_places = 1, .details = &detail};
	struct error err;

	if (!begin_serving("vmlinux"))
		return;
	write_kallsyms("cache/.build-id/00/" ID_REST "/kallsyms", kallsyms);
	list.dso = kernel_of(id, text + work);
	symbolizer = symbolizer_create(&settings);
	symbolizer_set_kernel(symbolizer, &recorded);
	symbol = symbolizer_find(symbolizer, list.dso, text + work, &err);
	ck_assert_str_eq(symbol->function, "_text");
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(place.symbol->function, "work");
	ck_assert_str_eq(detail.filename, "/src/vmlinux.c");
	ck_assert_uint_eq(detail.line, 4);
	symbolizer_destroy(symbolizer);
}
END_TEST

/* Nothing is known of @dso's code, and @refused is among what was tried. */
static void check_refused(const struct dso *dso, const char *refused)
{
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	const struct symbol *symbol;
	struct error err;

	symbolizer_set_kernel(symbolizer, &recorded);
	symbol = symbolizer_find(symbolizer, dso, run_at + work, &err);
	ck_assert_str_eq(reason_name(symbol->reason), reason_name(REASON_KERNEL_OTHER));
	ck_assert_ptr_nonnull(strstr(symbolizer_origin(symbolizer, dso).refused, refused));
	symbolizer_destroy(symbolizer);
}

START_TEST(a_server_of_another_build_is_refused)
{
	static const char none[] = "debuginfo of DEBUGINFOD_URLS: missing";
	char refused[PATH_MAX + 64];

	if (!begin_serving("vmlinux.c"))
		return;
	snprintf(refused, sizeof(refused), "%s: no ELF file", fetched());
	check_refused(kernel_of(id, run_at + work), refused);
	check_refused(kernel_of(other_id, run_at + work), none);
	check_refused(module_of("[m_1]", other_id), none);
	toolchain_build(
		dir.text, "other.c", kernel_source,
		"rm -r fetched && gcc -O1 -g -static -nostdlib -no-pie -Wl,--build-id=0x1234 "
		"-o served/buildid/" ID "/debuginfo other.c");
	snprintf(refused, sizeof(refused), "%s: other build id", fetched());
	check_refused(kernel_of(id, run_at + work), refused);
}
END_TEST

START_TEST(a_modules_debug_file_is_fetched)
{
	make_module("cat", "copy");
	toolchain_run(dir.text, "objcopy --only-keep-debug m.ko m.debug");
	if (!begin_serving("m.debug"))
		return;
	kernel_of(other_id, text);
	find_name(module_of("[m_1]", id), module_at, "m_read", fetched());
	check_module(module_of("[m_1]", id), module_at, "m_read", 1, fetched(), "debuginfod");
	check_reason(module_of("[m_1]", other_id), module_at, REASON_KERNEL_OTHER);
	/* For its names alone it is not, where the module itself has them. */
	toolchain_run(dir.text, "rm -r fetched && strip -g -o root%s m.ko", module_path);
	find_name(module_of(module_path, id), module_at, "m_read",
		  "root/lib/modules/" RELEASE "/kernel/m-1.ko");
	ck_assert_int_ne(access(fetched(), F_OK), 0);
}
END_TEST

/* ---- out of an archive ----------------------------------------------------------------------- */

/* The cache is packed and gone; without tar(1) nothing is tested. */
static bool pack_cache(void)
{
	struct error note = {0}, err = {0};

	if (!machine_has("tar"))
		return false;
	toolchain_run(dir.text, "tar -C cache -cf packed .build-id && rm -r cache");
	cache = scratch_join(dir.text, "packed");
	settings.archive = archived = bundle_open(cache.text, NULL, NULL, &note, &err);
	ck_assert_str_eq(err.text, "");
	ck_assert_str_eq(note.text, "");
	return true;
}

START_TEST(a_vmlinux_in_an_archive)
{
	toolchain_run(dir.text, "cp vmlinux cache/.build-id/00/" ID_REST "/vmlinux");
	if (!pack_cache())
		return;
	check(kernel_of(id, run_at + work), run_at + work,
	      &(struct expected){"work", REASON_NONE, "/src/vmlinux.c", 2,
				 "packed/.build-id/00/" ID_REST "/vmlinux", "build-id-cache", 0,
				 NULL});
	check_reason(kernel_of(other_id, run_at + work), run_at + work, REASON_KERNEL_OTHER);
}
END_TEST

START_TEST(kallsyms_in_an_archive)
{
	static const char path[] = "packed/.build-id/00/" ID_REST "/kallsyms";

	write_kallsyms("cache/.build-id/00/" ID_REST "/kallsyms", kallsyms);
	if (!pack_cache())
		return;
	check_name(kernel_of(id, text), text + 0x180, "do_work", path, "build-id-cache");
	check_name(module_of("[m]", NULL), module_at + 0x80, "k_read", path, "build-id-cache");
	check_name(kernel_of(id, run_at), run_at + 0x180, "do_work", path, "build-id-cache");
	check_reason(kernel_of(other_id, text), text + 0x180, REASON_KERNEL_OTHER);
}
END_TEST

/* Packed in what is packed. */
START_TEST(a_module_in_an_archive)
{
	make_module("gzip -c", "copy");
	toolchain_run(dir.text, "mv root/copy cache/.build-id/00/" ID_REST "/elf");
	if (!pack_cache())
		return;
	kernel_of(other_id, text);
	check_module(module_of("[m_1]", id), module_at, "m_read", 1,
		     "packed/.build-id/00/" ID_REST "/elf", "build-id-cache");
}
END_TEST

/* ---- from the recording on ------------------------------------------------------------------- */

/* A sample each in two functions of the kernel and one of module m, in rec/ of the directory. */
static void write_recording(void)
{
	const struct mkperf_event event = {.type = 1, .sample_type = 1 << 0 | 1 << 1 | 1 << 2};
	const uint64_t ips[] = {run_at + work, run_at + idle, module_at};
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &event);
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = 1,
					  .pid = UINT32_MAX,
					  .start = run_at,
					  .len = 0x10000,
					  .pgoff = run_at + work,
					  .filename = "[kernel.kallsyms]_text"});
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = 1,
					  .pid = UINT32_MAX,
					  .start = module_at,
					  .len = 0x4000,
					  .filename = "[m]"});
	for (size_t i = 0; i < 3; i++)
		mkperf_sample(m, &(struct mkperf_sample){.misc = 1, .ip = ips[i], .time = i + 1});
	mkperf_feature_string(m, MKPERF_OSRELEASE, RELEASE);
	mkperf_build_id(m, 1, -1, id, 20, "[kernel.kallsyms]");
	mkperf_build_id(m, 1, -1, id, 20, "[m]");
	ck_assert(mkperf_save_directory(m, scratch_join(dir.text, "rec").text));
	mkperf_free(m);
}

/* Reads it and writes the functions' names to @names, with a space behind each. */
static void read_names(char *names, size_t size)
{
	const struct replay_settings with = {.filter = &(struct filter){0}, .symbols = settings};
	struct error err;
	struct perffile *in = perffile_open(scratch_join(dir.text, "rec").text, &err);
	struct replay *replay = replay_create(&with, in, &err);
	const struct results *results;
	const struct record *rec;
	size_t len = 0;

	ck_assert_ptr_nonnull(replay);
	ck_assert_str_eq(perffile_release(in), RELEASE);
	while (perffile_next(in, &rec, &err) > 0)
		ck_assert_int_eq(replay_apply(replay, rec, &err), 1);
	results = replay_finish(replay, &err);
	ck_assert_ptr_nonnull(results);
	for (size_t i = 0; i < results->nr_functions; i++)
		len += (size_t)snprintf(names + len, size - len, "%s:%" PRIu64 " ",
					results->functions[i].function,
					results->functions[i].self.samples);
	replay_destroy(replay);
	perffile_close(in);
}

START_TEST(recordings_tell_what_is_needed)
{
	char names[256];

	write_recording();
	read_names(names, sizeof(names));
	ck_assert_str_eq(names, "[unknown]:2 [unknown]:1 ");
	write_kallsyms("rec/kcore_dir/kallsyms", "400000 T early\n400001 T _text\n"
						 "ffffffffc0450000 t k_read\t[m]\n");
	/* Of another boot: the module's names are of no use. */
	read_names(names, sizeof(names));
	ck_assert_str_eq(names, "[unknown]:1 _text:2 ");
	toolchain_run(dir.text, "cp vmlinux root/boot/vmlinux-" RELEASE);
	read_names(names, sizeof(names));
	ck_assert_str_eq(names, "[unknown]:1 idle:1 work:1 ");
	make_module("cat", "copy");
	toolchain_run(dir.text, "cp m.ko cache/.build-id/00/" ID_REST "/elf");
	read_names(names, sizeof(names));
	ck_assert_str_eq(names, "idle:1 m_read:1 work:1 ");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("kernel");
	TCase *tc = tcase_create("kernel");

	tcase_set_timeout(tc, 0);
	tcase_add_unchecked_fixture(tc, make_vmlinux, remove_vmlinux);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, vmlinux_is_moved_to_where_the_kernel_ran);
	tcase_add_test(tc, vmlinux_of_another_build_is_refused);
	tcase_add_loop_test(tc, vmlinux_is_found_where_systems_have_it, 0,
			    sizeof(places) / sizeof(places[0]));
	tcase_add_test(tc, the_vmlinux_that_tells_most_is_used);
	tcase_add_test(tc, a_release_that_is_a_path_leads_nowhere);
	tcase_add_test(tc, kallsyms_of_the_recordings_directory);
	tcase_add_test(tc, kallsyms_of_the_cache);
	tcase_add_test(tc, a_copy_of_the_running_kernels_list);
	tcase_add_test(tc, the_copy_has_the_names_of_the_running_kernels_own_code);
	tcase_add_test(tc, kallsyms_without_addresses_is_passed_over);
	tcase_add_test(tc, a_vmlinux_tells_more_than_kallsyms);
	tcase_add_test(tc, kallsyms_of_the_running_kernel_without_a_build_id);
	tcase_add_test(tc, the_running_kernels_list_in_the_place_of_anothers);
	tcase_add_test(tc, a_list_that_cannot_be_of_the_recorded_kernel);
	tcase_add_test(tc, code_made_at_run_time_lies_in_the_kernel);
	tcase_add_test(tc, a_modules_file_by_its_recorded_path);
	tcase_add_loop_test(tc, a_packed_module, 0, sizeof(packers) / sizeof(packers[0]));
	tcase_add_test(tc, a_module_by_its_name_and_release);
	tcase_add_test(tc, a_module_in_the_cache);
	tcase_add_loop_test(tc, a_modules_debug_file_is_found_where_systems_have_it, 0,
			    sizeof(module_debug_places) / sizeof(module_debug_places[0]));
	tcase_add_test(tc, kallsyms_shows_where_a_modules_code_is);
	tcase_add_test(tc, inlined_functions_of_a_module);
	tcase_add_test(tc, a_module_with_strange_relocations_has_names_alone);
	tcase_add_test(tc, a_kernels_source_is_fetched_if_lines_are_asked_for);
	tcase_add_test(tc, a_kernels_names_are_fetched_if_nothing_else_has_them);
	tcase_add_test(tc, a_kernel_that_was_read_for_its_names_is_read_anew_for_lines);
	tcase_add_test(tc, a_server_of_another_build_is_refused);
	tcase_add_test(tc, a_modules_debug_file_is_fetched);
	tcase_add_test(tc, a_vmlinux_in_an_archive);
	tcase_add_test(tc, kallsyms_in_an_archive);
	tcase_add_test(tc, a_module_in_an_archive);
	tcase_add_test(tc, recordings_tell_what_is_needed);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
