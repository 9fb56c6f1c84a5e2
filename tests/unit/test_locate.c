/* Where a binary and its debug files are found, and why other files are refused. */
#include "decode/symbol/find/locate.h"

#include "decode/replay/bundle.h"
#include "decode/symbol/symbol.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define ID_OF_X "000102030405060708090a0b0c0d0e0f10111213"
#define ID_REST "0102030405060708090a0b0c0d0e0f10111213"
#define LINK_X	TOOLCHAIN_FIXED " -Wl,--build-id=0x" ID_OF_X " "

static const uint8_t id_of_x[20] = {0,	1,  2,	3,  4,	5,  6,	7,  8,	9,
				    10, 11, 12, 13, 14, 15, 16, 17, 18, 19};

/* The program bin/x of build ID_OF_X in a directory whose name starts every path. */
static struct scratch_path dir;
static char base[4096];
static struct scratch_path debug_dir, cache, root;
static struct symbol_settings settings;
static struct dso_table dsos;
static struct intern strings;
static struct located found;
static enum reason reason;
static struct archive *archived;

static struct scratch_path made; /* holds what each check has a copy of */

static void make_x(void)
{
	made = scratch_make();
	toolchain_build(made.text, "x.c", "int main(void)\n{\n	return 0;\n}\n",
			"mkdir -p bin root debug/.build-id/00 cache/.build-id/00 && "
			"gcc -g " LINK_X "-o bin/x x.c");
}

static void remove_x(void)
{
	scratch_remove(made.text);
}

static void setup(void)
{
	dir = scratch_make();
	toolchain_run(dir.text, "cp -R ../%s/. .", made.text);
	ck_assert_ptr_nonnull(realpath(dir.text, base));
	debug_dir = scratch_join(dir.text, "debug");
	cache = scratch_join(dir.text, "cache");
	root = scratch_join(dir.text, "root");
	settings = (struct symbol_settings){
		.debug_dir = debug_dir.text,
		.build_id_cache = cache.text,
	};
}

static void close_found(void)
{
	elffile_close(found.runtime);
	elffile_close(found.debug);
	elffile_close(found.alternate);
	elffile_close(found.package);
	elffile_close(found.package);
	memset(&found, 0, sizeof(found));
}

static void teardown(void)
{
	close_found();
	bundle_close(archived);
	archived = NULL;
	dso_table_free(&dsos);
	intern_free(&strings);
	scratch_remove(dir.text);
}

static void locate_dso(const struct dso *dso)
{
	bool nomem = true;

	close_found();
	reason = locate_files(dso, &settings, NULL, NULL, &strings, &found, &nomem);
	ck_assert(!nomem);
	ck_assert_int_eq(reason != REASON_NONE, found.runtime == NULL);
}

/* Looks for @path as it was recorded, with or without the build id of x. */
static void locate(enum dso_kind kind, const char *path, bool with_id)
{
	locate_dso(dso_table_get(&dsos, kind, path, id_of_x, with_id ? sizeof(id_of_x) : 0));
}

static void locate_x(void)
{
	locate(DSO_USER, scratch_join(dir.text, "bin/x").text, true);
}

/* In @expected D/ stands for the directory. */
static void check_text(const char *text, const char *expected)
{
	char full[4096] = "";
	size_t len = 0;

	for (; *expected; expected++) {
		bool is_dir = strncmp(expected, "D/", 2) == 0;

		len += (size_t)snprintf(full + len, sizeof(full) - len, "%.*s",
					is_dir ? (int)sizeof(dir.text) : 1,
					is_dir ? dir.text : expected);
	}
	ck_assert_str_eq(text, full);
}

static void check_runtime(const char *path, const char *rule)
{
	ck_assert_str_eq(reason_name(reason), "");
	check_text(found.origin.file, path);
	ck_assert_str_eq(found.origin.found_by, rule);
}

static void check_debug(const char *path, const char *rule)
{
	ck_assert_int_eq(found.debug != NULL, path[0] != '\0');
	check_text(found.origin.debug_file, path);
	ck_assert_str_eq(found.origin.debug_found_by, rule);
}

static void check_nothing(enum reason why, const char *refused)
{
	ck_assert_str_eq(reason_name(reason), reason_name(why));
	check_text(found.origin.file, "");
	check_text(found.origin.found_by, "");
	check_debug("", "");
	check_text(found.origin.refused, refused);
}

/* ---- the best one ---------------------------------------------------------------------------- */

START_TEST(a_file_that_has_it_all_ends_the_search)
{
	toolchain_run(dir.text, "mkdir cache/.build-id/00/" ID_REST
				" && cp bin/x cache/.build-id/00/" ID_REST "/elf");
	locate_x();
	check_runtime("D/bin/x", "recorded-path");
	check_debug("", "");
	ck_assert_str_eq(found.origin.refused, "");
}
END_TEST

START_TEST(a_stripped_file_is_completed_by_the_cache)
{
	toolchain_run(dir.text, "mkdir cache/.build-id/00/" ID_REST
				" && mv bin/x cache/.build-id/00/" ID_REST "/elf && "
				"strip -o bin/x cache/.build-id/00/" ID_REST "/elf");
	locate_x();
	check_runtime("D/bin/x", "recorded-path");
	check_debug("D/cache/.build-id/00/" ID_REST "/elf", "build-id-cache");
	ck_assert_str_eq(found.origin.refused, "");
	/* Without a recorded build id the file's own leads there. */
	locate(DSO_USER, scratch_join(dir.text, "bin/x").text, false);
	check_debug("D/cache/.build-id/00/" ID_REST "/elf", "build-id-cache");
}
END_TEST

START_TEST(the_most_complete_of_several_wins)
{
	toolchain_run(dir.text, "mkdir cache/.build-id/00/" ID_REST " && "
				"objcopy --only-keep-debug bin/x debug/.build-id/00/" ID_REST
				".debug && strip -g -o cache/.build-id/00/" ID_REST "/elf bin/x && "
				"strip bin/x");
	locate_x();
	check_runtime("D/bin/x", "recorded-path");
	check_debug("D/debug/.build-id/00/" ID_REST ".debug", "debug-dir");
	check_text(found.origin.refused, "D/cache/.build-id/00/" ID_REST "/elf: not needed");
}
END_TEST

/* What dwz(1) leaves: a file that refers to common.dwz, which has an id of its own. */
#define SHARES(file)                                    \
	"printf 'common.dwz\\0\\1\\2\\3\\4' > link && " \
	"objcopy --add-section .gnu_debugaltlink=link " file " && "
#define CACHED "cache/.build-id/00/" ID_REST "/elf"

/* bin/x is stripped, its cached copy shares DWARF with other files, as bin/x.debug does if
 * @both. */
static void share_dwarf(bool both)
{
	toolchain_run(dir.text,
		      "mkdir cache/.build-id/00/" ID_REST " && cp bin/x " CACHED
		      " && cp bin/x bin/x.debug && strip bin/x && "
		      "objcopy --add-gnu-debuglink=bin/x.debug bin/x && " SHARES(CACHED) "%s true",
		      both ? SHARES("bin/x.debug") : "");
}

START_TEST(a_debug_file_without_what_it_shares)
{
	share_dwarf(false);
	locate_x();
	check_runtime("D/bin/x", "recorded-path");
	check_debug("D/bin/x.debug", "debug-link");
	ck_assert_ptr_null(found.alternate);
	ck_assert_ptr_nonnull(strstr(found.origin.refused, CACHED ": not needed; "));
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "/common.dwz: missing; "));
	/* It is better than nothing. */
	toolchain_run(dir.text, "rm bin/x.debug");
	locate_x();
	check_debug("D/" CACHED, "build-id-cache");
}
END_TEST

START_TEST(the_first_of_debug_files_without_what_they_share)
{
	share_dwarf(true);
	locate_x();
	check_debug("D/" CACHED, "build-id-cache");
	ck_assert_ptr_null(found.alternate);
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "/x.debug: not needed"));
	/* One of them has it. */
	toolchain_build(dir.text, "y.c", "int y;\n",
			"gcc -g -c -o y.o y.c && "
			"ld --build-id=0x01020304 -shared -o bin/common.dwz y.o");
	locate_x();
	check_debug("D/bin/x.debug", "debug-link");
	ck_assert_ptr_nonnull(found.alternate);
}
END_TEST

START_TEST(a_debug_file_with_what_it_shares)
{
	share_dwarf(false);
	toolchain_build(dir.text, "y.c", "int y;\n",
			"gcc -g -c -o y.o y.c && ld --build-id=0x01020304 -shared -o "
			"cache/.build-id/00/" ID_REST "/common.dwz y.o");
	locate_x();
	check_debug("D/" CACHED, "build-id-cache");
	ck_assert_ptr_nonnull(found.alternate);
	ck_assert_str_eq(found.origin.refused, "");
}
END_TEST

START_TEST(what_adds_nothing_is_said)
{
	toolchain_run(dir.text, "strip bin/x && mkdir cache/.build-id/00/" ID_REST
				" && cp bin/x cache/.build-id/00/" ID_REST "/elf");
	locate(DSO_USER, "/nowhere/x", true);
	check_runtime("D/cache/.build-id/00/" ID_REST "/elf", "build-id-cache");
	check_debug("", "");
	check_text(found.origin.refused, "/nowhere/x: missing; "
					 "D/debug/.build-id/00/" ID_REST ".debug: missing; "
					 "D/cache/.build-id/00/" ID_REST "/debug: missing; "
					 "D/debug/nowhere/x.debug: missing; "
					 "D/debug/nowhere/x: missing");
	locate_x();
	check_runtime("D/bin/x", "recorded-path");
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "/elf: no symbols; "));
}
END_TEST

/* ---- files that must not be used ------------------------------------------------------------- */

START_TEST(a_rebuilt_binary)
{
	toolchain_run(dir.text, "gcc -g " TOOLCHAIN_FIXED " -Wl,--build-id=0x1234 -o bin/x x.c");
	locate_x();
	ck_assert_str_eq(reason_name(reason), "build-id-mismatch");
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "bin/x: other build id; "));
	/* One that has none is not the recorded one, either. */
	toolchain_run(dir.text, "gcc -g " TOOLCHAIN_FIXED " -Wl,--build-id=none -o bin/x x.c");
	locate_x();
	ck_assert_str_eq(reason_name(reason), "build-id-mismatch");
	/* The one that was kept is found. */
	toolchain_run(dir.text, "mkdir cache/.build-id/00/" ID_REST " && gcc -g " LINK_X
				"-o cache/.build-id/00/" ID_REST "/elf x.c");
	locate_x();
	check_runtime("D/cache/.build-id/00/" ID_REST "/elf", "build-id-cache");
	check_text(found.origin.refused, "D/bin/x: other build id");
}
END_TEST

/* Cut in the section headers; in the sections; in the first page, which still has the build id. */
static const char *const cuts[] = {"$(($(stat -c %s x) - 100))", "$(($(stat -c %s x) / 2))",
				   "4096"};

START_TEST(a_truncated_binary)
{
	toolchain_run(dir.text, "cd bin && truncate -s %s x", cuts[_i]);
	locate_x();
	ck_assert_str_eq(reason_name(reason), "file-truncated");
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "bin/x: truncated; "));
	locate(DSO_USER, scratch_join(dir.text, "bin/x").text, false);
	ck_assert_str_eq(reason_name(reason), "file-truncated");
	toolchain_run(dir.text, "gcc -g " LINK_X "-o debug/.build-id/00/" ID_REST ".debug x.c");
	locate_x();
	check_runtime("D/debug/.build-id/00/" ID_REST ".debug", "debug-dir");
}
END_TEST

START_TEST(a_file_cut_before_its_headers_end)
{
	toolchain_run(dir.text, "truncate -s 40 bin/x");
	locate_x();
	ck_assert_str_eq(reason_name(reason), "file-unreadable");
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "bin/x: no ELF file; "));
	toolchain_run(dir.text, "truncate -s 0 bin/x");
	locate_x();
	ck_assert_str_eq(reason_name(reason), "file-unreadable");
}
END_TEST

START_TEST(a_debug_file_without_its_binary)
{
	toolchain_run(dir.text,
		      "objcopy --only-keep-debug bin/x debug/.build-id/00/" ID_REST ".debug");
	locate(DSO_USER, "/x", true);
	check_nothing(REASON_FILE_MISSING,
		      "/x: missing; D/cache/.build-id/00/" ID_REST "/elf: missing; "
		      "D/debug/.build-id/00/" ID_REST ".debug: no code; "
		      "D/cache/.build-id/00/" ID_REST "/debug: missing; "
		      "D/debug/x.debug: missing; D/debug/x: missing");
}
END_TEST

/* ---- debug files by path --------------------------------------------------------------------- */

static const char *const suffixes[] = {".debug", ""};

START_TEST(the_debug_file_of_a_path)
{
	char name[64];

	toolchain_run(
		dir.text,
		"mkdir -p debug/opt root/opt && objcopy --only-keep-debug bin/x debug/opt/x%s && "
		"strip -o root/opt/x bin/x",
		suffixes[_i]);
	settings.symfs = root.text;
	locate(DSO_USER, "/opt/x", true);
	check_runtime("D/root/opt/x", "recorded-path");
	snprintf(name, sizeof(name), "D/debug/opt/x%s", suffixes[_i]);
	check_debug(name, "debug-dir");
	/* Nothing but a build id says that this is the file. */
	toolchain_run(dir.text,
		      "gcc -g " TOOLCHAIN_FIXED " -Wl,--build-id=none -o debug/opt/x%s x.c && "
		      "strip -o root/opt/x debug/opt/x%s",
		      suffixes[_i], suffixes[_i]);
	locate(DSO_USER, "/opt/x", false);
	check_runtime("D/root/opt/x", "recorded-path");
	check_debug("", "");
}
END_TEST

START_TEST(a_debug_link_with_a_build_id_needs_no_checksum)
{
	toolchain_run(dir.text, "cd bin && objcopy --only-keep-debug x x.debug && strip x && "
				"objcopy --add-gnu-debuglink=x.debug x && echo >> x.debug");
	locate_x();
	check_debug("D/bin/x.debug", "debug-link");
}
END_TEST

START_TEST(a_debug_link_to_another_build)
{
	toolchain_run(dir.text, "cd bin && objcopy --only-keep-debug x x.debug && strip x && "
				"objcopy --add-gnu-debuglink=x.debug x && "
				"gcc -g ../x.c -Wl,--build-id=0x1234 -o x.debug");
	locate_x();
	check_debug("", "");
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "bin/x.debug: other build id; "));
}
END_TEST

START_TEST(a_debug_link_with_another_checksum)
{
	toolchain_run(dir.text, "cd bin && gcc -g ../x.c -Wl,--build-id=none -o x && "
				"objcopy --only-keep-debug x x.debug && strip x && "
				"objcopy --add-gnu-debuglink=x.debug x && echo >> x.debug && "
				"mkdir .debug && objcopy --only-keep-debug x .debug/x.debug");
	locate(DSO_USER, scratch_join(dir.text, "bin/x").text, false);
	check_runtime("D/bin/x", "recorded-path");
	check_debug("", "");
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "bin/x.debug: other checksum; "));
	ck_assert_ptr_nonnull(strstr(found.origin.refused, ".debug/x.debug: other checksum; "));
}
END_TEST

/* ---- another root, and the cache ------------------------------------------------------------- */

START_TEST(recorded_paths_below_another_root)
{
	toolchain_run(dir.text, "mkdir -p root/usr/bin root/usr/lib/debug/usr/bin && "
				"mv bin/x root/usr/bin/x && ln -s usr/bin root/bin && "
				"objcopy --only-keep-debug root/usr/bin/x "
				"root/usr/lib/debug/usr/bin/x.debug && strip root/usr/bin/x && "
				"ln -s /usr/bin/x root/link");
	settings.debug_dir = NULL;
	settings.symfs = root.text;
	locate(DSO_USER, "/usr/bin/x", true);
	check_runtime("D/root/usr/bin/x", "recorded-path");
	check_debug("D/root/usr/lib/debug/usr/bin/x.debug", "debug-dir");
	locate(DSO_USER, "/link", true);
	check_runtime("D/root/link", "recorded-path");
	locate(DSO_USER, "/bin/x (deleted)", true);
	check_runtime("D/root/bin/x", "recorded-path");
	locate(DSO_USER, "/usr/bin/x (deleted)", true);
	check_debug("D/root/usr/lib/debug/usr/bin/x.debug", "debug-dir");
}
END_TEST

/*
 * A file that was replaced while it ran. What lies at its path now is another, most likely; but who
 * names a directory has put the files there that ran.
 */
START_TEST(a_removed_file_needs_a_build_id_or_the_users_word)
{
	struct scratch_path removed = scratch_join(dir.text, "bin/x (deleted)");

	locate(DSO_USER, removed.text, false);
	check_nothing(REASON_FILE_MISSING, "D/bin/x (deleted): missing");
	locate(DSO_USER, removed.text, true);
	check_runtime("D/bin/x", "recorded-path");
	settings.symfs = dir.text;
	locate(DSO_USER, "/bin/x (deleted)", false);
	check_runtime("D/bin/x", "recorded-path");
	ck_assert_ptr_eq(strstr(found.origin.refused, "; "), NULL);
	toolchain_run(dir.text, "cp bin/x 'bin/x (deleted)'");
	locate(DSO_USER, "/bin/x (deleted)", false);
	check_runtime("D/bin/x (deleted)", "recorded-path");
}
END_TEST

/* The dso of the removed file that process @pid has mapped at [start, end). */
static struct dso *mapped_dso(const char *path, uint32_t pid, uint64_t start, uint64_t end)
{
	static uint32_t number;
	char name[4200], removed[4300];
	struct stat st;
	struct dso *dso;

	snprintf(name, sizeof(name), "%s/%s", base, path);
	snprintf(removed, sizeof(removed), "%s (deleted)", name);
	ck_assert_int_eq(stat(name, &st), 0);
	ck_assert_int_eq(unlink(name), 0);
	dso = dso_table_get_instance(&dsos, DSO_USER, removed, number++);
	dso->pid = pid;
	dso->start = start;
	dso->end = end;
	dso->file = (struct file_id){
		.maj = major(st.st_dev), .min = minor(st.st_dev), .ino = st.st_ino};
	return dso;
}

/* Whether the kernel lets this process follow its own link to the mapping at [@start, @end). */
static bool may_follow(uint64_t start, uint64_t end)
{
	char link[100];
	int fd;

	snprintf(link, sizeof(link), "/proc/self/map_files/%" PRIx64 "-%" PRIx64, start, end);
	fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The process that mapped it is this one. */
START_TEST(a_removed_file_that_is_mapped)
{
	const int fd = open(scratch_join(dir.text, "bin/x").text, O_RDONLY);
	char *mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	const uint64_t start = (uintptr_t)mapped;
	struct dso *dso;
	bool is_open;

	ck_assert(fd >= 0 && mapped != MAP_FAILED);
	dso = mapped_dso("bin/x", (uint32_t)getpid(), start, start + 4096);
	is_open = may_follow(start, start + 4096);
	locate_dso(dso);
	if (is_open) {
		ck_assert_str_eq(found.origin.found_by, "running-process");
		ck_assert_ptr_nonnull(strstr(found.origin.file, "/map_files/"));
	}
	/* In a container that was found by its process; one that the user names may be another's.
	 */
	dso->root = "/proc/self/root";
	locate_dso(dso);
	ck_assert_int_eq(reason, is_open ? REASON_NONE : REASON_FILE_MISSING);
	dso->is_root_given = true;
	locate_dso(dso);
	ck_assert_str_eq(reason_name(reason), "file-missing");
	dso->root = NULL;
	dso->is_root_given = false;
	/* The user says that all files are elsewhere. */
	settings.symfs = root.text;
	locate_dso(dso);
	ck_assert_str_eq(reason_name(reason), "file-missing");
	settings.symfs = NULL;
	/* It was another file. */
	dso->file.ino++;
	locate_dso(dso);
	ck_assert_str_eq(reason_name(reason), "file-missing");
	ck_assert_ptr_null(strstr(found.origin.refused, "/map_files/"));
	dso->file = (struct file_id){0};
	locate_dso(dso);
	ck_assert_str_eq(reason_name(reason), "file-missing");
	/* Its build id tells. */
	memcpy(dso->build_id, id_of_x, sizeof(id_of_x));
	dso->build_id_len = sizeof(id_of_x);
	locate_dso(dso);
	ck_assert_int_eq(reason, is_open ? REASON_NONE : REASON_FILE_MISSING);
	munmap(mapped, 4096);
	close(fd);
	locate_dso(dso);
	ck_assert_str_eq(reason_name(reason), "file-missing");
}
END_TEST

/* Starts @name below the directory, which waits. */
static pid_t start_waiting(const char *name)
{
	int ready[2];
	pid_t pid;
	char byte;

	ck_assert_int_eq(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* should a check fail */
		execl(scratch_join(dir.text, name).text, "sleep", "100", (char *)NULL);
		_exit(1);
	}
	close(ready[1]);
	ck_assert_int_eq((int)read(ready[0], &byte, 1), 0); /* it was closed by execl() */
	close(ready[0]);
	return pid;
}

START_TEST(a_removed_program_that_runs)
{
	struct dso *dso;
	pid_t pid;

	toolchain_run(dir.text, "cp $(command -v sleep) bin/wait");
	pid = start_waiting("bin/wait");
	dso = mapped_dso("bin/wait", (uint32_t)pid, 0x1000, 0x2000);
	locate_dso(dso);
	ck_assert_str_eq(found.origin.found_by, "running-process");
	ck_assert_ptr_nonnull(strstr(found.origin.file, "/exe"));
	/* Its number is now that of another program. */
	dso->path = "/bin/other (deleted)";
	locate_dso(dso);
	ck_assert_str_eq(reason_name(reason), "file-missing");
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

/* One that was found, of a container that runs, has what lies there now. */
START_TEST(a_removed_file_below_the_root_of_a_process)
{
	struct dso *dso =
		dso_table_get_in_root(&dsos, DSO_USER, "/bin/x (deleted)", NULL, 0, dir.text, 1);

	settings.symfs = root.text;
	locate_dso(dso);
	check_nothing(REASON_FILE_MISSING, "D/bin/x (deleted): missing");
	dso->is_root_given = true;
	locate_dso(dso);
	check_runtime("D/bin/x", "recorded-path");
}
END_TEST

START_TEST(nothing_outside_of_the_root)
{
	toolchain_run(dir.text, "ln -s ../bin root/up && ln -s \"$PWD/bin/x\" root/x");
	settings.symfs = root.text;
	locate(DSO_USER, "/up/x", false);
	check_nothing(REASON_FILE_MISSING, "D/root/up/x: missing");
	locate(DSO_USER, "/x", false);
	check_nothing(REASON_FILE_MISSING, "D/root/x: missing");
	locate(DSO_USER, "/../bin/x", false);
	check_nothing(REASON_FILE_MISSING, "D/root/../bin/x: missing");
	locate(DSO_USER, scratch_join(base, "bin/x").text, false);
	ck_assert_str_eq(reason_name(reason), "file-missing");
}
END_TEST

/* What perf archive packs: links by build id, and the files that they lead to. */
START_TEST(an_unpacked_archive)
{
	toolchain_run(dir.text, "mkdir -p bundle && cd bundle && "
				"mkdir -p .build-id/00 usr/bin/x/" ID_OF_X " && "
				"mv ../bin/x usr/bin/x/" ID_OF_X "/elf && "
				"ln -s ../../usr/bin/x/" ID_OF_X " .build-id/00/" ID_REST " && "
				"tar cf ../bundle.tar .build-id/00/" ID_REST " usr && "
				"cd .. && rm -r bundle cache && mkdir cache && "
				"tar xf bundle.tar -C cache");
	locate(DSO_USER, "/usr/bin/x", true);
	check_runtime("D/cache/.build-id/00/" ID_REST "/elf", "build-id-cache");
	check_text(found.origin.refused, "/usr/bin/x: missing");
}
END_TEST

/* Packs the cache, opens the archive in its place and removes it; false without tar(1). */
static bool pack_cache(void)
{
	struct error note = {0}, err = {0};

	if (!machine_has("tar"))
		return false;
	toolchain_run(dir.text,
		      "tar -C cache -cjf packed . 2>/dev/null || tar -C cache -cf packed . "
		      "&& rm -r cache");
	cache = scratch_join(dir.text, "packed");
	settings.build_id_cache = cache.text;
	settings.archive = archived = bundle_open(cache.text, NULL, NULL, &note, &err);
	ck_assert_str_eq(err.text, "");
	ck_assert_str_eq(note.text, "");
	return true;
}

/* The same files count, and for the same reasons others do not. */
START_TEST(a_packed_archive)
{
	toolchain_run(dir.text,
		      "cd cache && mkdir -p usr/bin/x/" ID_OF_X " .build-id/ff && "
		      "objcopy --only-keep-debug ../bin/x usr/bin/x/" ID_OF_X "/debug && "
		      "strip -o usr/bin/x/" ID_OF_X "/elf ../bin/x && "
		      "ln -s ../../usr/bin/x/" ID_OF_X " .build-id/00/" ID_REST " && "
		      "cp -r usr/bin/x/" ID_OF_X " .build-id/ff/" ID_REST " && rm ../bin/x");
	if (!pack_cache())
		return;
	locate(DSO_USER, "/usr/bin/x", true);
	check_runtime("D/packed/.build-id/00/" ID_REST "/elf", "build-id-cache");
	check_debug("D/packed/.build-id/00/" ID_REST "/debug", "build-id-cache");
	check_text(found.origin.refused, "/usr/bin/x: missing; "
					 "D/debug/.build-id/00/" ID_REST ".debug: missing");
}
END_TEST

START_TEST(files_of_an_archive_that_are_refused)
{
	toolchain_run(dir.text,
		      "mkdir cache/.build-id/00/" ID_REST " && "
		      "gcc -g " TOOLCHAIN_FIXED " -Wl,--build-id=0x1234 "
		      "-o cache/.build-id/00/" ID_REST "/elf x.c && "
		      "head -c 5000 bin/x >cache/.build-id/00/" ID_REST "/debug && rm bin/x");
	if (!pack_cache())
		return;
	locate(DSO_USER, "/x", true);
	check_nothing(REASON_BUILD_ID_MISMATCH,
		      "/x: missing; D/packed/.build-id/00/" ID_REST "/elf: other build id; "
		      "D/debug/.build-id/00/" ID_REST ".debug: missing; "
		      "D/packed/.build-id/00/" ID_REST "/debug: truncated; "
		      "D/debug/x.debug: missing; D/debug/x: missing");
}
END_TEST

/* Most of it is a hole, which tar leaves out if it is told to. */
START_TEST(a_sparse_file_of_an_archive)
{
	struct error note = {0}, err = {0};

	if (!machine_has("tar"))
		return;
	toolchain_run(dir.text, "mkdir cache/.build-id/00/" ID_REST " && cd cache && "
				"truncate -s 1M .build-id/00/" ID_REST "/elf && "
				"tar --format=gnu -cSf ../packed .build-id");
	cache = scratch_join(dir.text, "packed");
	settings.archive = archived = bundle_open(cache.text, NULL, NULL, &note, &err);
	ck_assert_ptr_nonnull(archived);
	locate(DSO_USER, "/x", true);
	ck_assert_str_eq(reason_name(reason), "file-unreadable");
	ck_assert_ptr_nonnull(strstr(found.origin.refused, "/elf: sparse in the archive; "));
}
END_TEST

START_TEST(the_vdso_in_an_archive)
{
	toolchain_run(dir.text, "mkdir cache/.build-id/00/" ID_REST
				" && mv bin/x cache/.build-id/00/" ID_REST "/vdso");
	if (!pack_cache())
		return;
	locate(DSO_VDSO, "[vdso]", true);
	check_runtime("D/packed/.build-id/00/" ID_REST "/vdso", "build-id-cache");
}
END_TEST

START_TEST(the_vdso_in_the_cache)
{
	toolchain_run(dir.text, "mkdir cache/.build-id/00/" ID_REST
				" && mv bin/x cache/.build-id/00/" ID_REST "/vdso");
	locate(DSO_VDSO, "[vdso]", true);
	check_runtime("D/cache/.build-id/00/" ID_REST "/vdso", "build-id-cache");
	ck_assert_str_eq(found.origin.refused, "");
}
END_TEST

START_TEST(names_that_are_no_paths)
{
	char path[9000];

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	locate(DSO_USER, path, false);
	check_nothing(REASON_FILE_MISSING, "");
	path[0] = '/';
	locate(DSO_USER, path, true);
	ck_assert_str_eq(reason_name(reason), "file-missing");
	locate(DSO_USER, "", false);
	ck_assert_str_eq(reason_name(reason), "file-missing");
	locate(DSO_USER, " (deleted)", true);
	ck_assert_str_eq(reason_name(reason), "file-missing");
}
END_TEST

/* ---- many ------------------------------------------------------------------------------------ */

enum { NR_FILES = 400 };

/* All are open at once while their addresses are looked up in turn: none may cost a descriptor. */
START_TEST(many_files_and_few_descriptors)
{
	const struct rlimit few = {.rlim_cur = 64, .rlim_max = 64};
	struct symbolizer *symbolizer;
	struct error err;

	toolchain_run(dir.text, "for i in $(seq %d); do ln bin/x bin/x$i; done", NR_FILES);
	symbolizer = symbolizer_create(&settings);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (int i = 1; i <= NR_FILES; i++) {
		const struct symbol *symbol;
		char name[32];

		snprintf(name, sizeof(name), "bin/x%d", i);
		symbol = symbolizer_find(
			symbolizer,
			dso_table_get(&dsos, DSO_USER, scratch_join(dir.text, name).text, NULL, 0),
			0, &err);
		ck_assert_ptr_nonnull(symbol);
		ck_assert_str_eq(reason_name(symbol->reason), "outside-symbols");
	}
	symbolizer_destroy(symbolizer);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("locate");
	TCase *tcase = tcase_create("files");

	tcase_set_timeout(tcase, 0);
	tcase_add_unchecked_fixture(tcase, make_x, remove_x);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_file_that_has_it_all_ends_the_search);
	tcase_add_test(tcase, a_stripped_file_is_completed_by_the_cache);
	tcase_add_test(tcase, the_most_complete_of_several_wins);
	tcase_add_test(tcase, a_debug_file_without_what_it_shares);
	tcase_add_test(tcase, the_first_of_debug_files_without_what_they_share);
	tcase_add_test(tcase, a_debug_file_with_what_it_shares);
	tcase_add_test(tcase, what_adds_nothing_is_said);
	tcase_add_test(tcase, a_rebuilt_binary);
	tcase_add_loop_test(tcase, a_truncated_binary, 0, 3);
	tcase_add_test(tcase, a_file_cut_before_its_headers_end);
	tcase_add_test(tcase, a_debug_file_without_its_binary);
	tcase_add_loop_test(tcase, the_debug_file_of_a_path, 0, 2);
	tcase_add_test(tcase, a_debug_link_with_a_build_id_needs_no_checksum);
	tcase_add_test(tcase, a_debug_link_to_another_build);
	tcase_add_test(tcase, a_debug_link_with_another_checksum);
	tcase_add_test(tcase, recorded_paths_below_another_root);
	tcase_add_test(tcase, a_removed_file_needs_a_build_id_or_the_users_word);
	tcase_add_test(tcase, a_removed_file_below_the_root_of_a_process);
	tcase_add_test(tcase, a_removed_file_that_is_mapped);
	tcase_add_test(tcase, a_removed_program_that_runs);
	tcase_add_test(tcase, nothing_outside_of_the_root);
	tcase_add_test(tcase, an_unpacked_archive);
	tcase_add_test(tcase, a_packed_archive);
	tcase_add_test(tcase, files_of_an_archive_that_are_refused);
	tcase_add_test(tcase, a_sparse_file_of_an_archive);
	tcase_add_test(tcase, the_vdso_in_an_archive);
	tcase_add_test(tcase, the_vdso_in_the_cache);
	tcase_add_test(tcase, names_that_are_no_paths);
	tcase_add_test(tcase, many_files_and_few_descriptors);
	suite_add_tcase(s, tcase);
	return s;
}

int main(void)
{
	return suite_run_apart(suite());
}
