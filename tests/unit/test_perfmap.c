/* Maps of JIT code: the text, and the way from an address of a process to a name in it. */
#include "decode/symbol/jit/perfmap.h"

#include "decode/symbol/jit/jitpath.h"
#include "decode/symbol/symbol.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct map {
	struct symtab table;
	char *text;
	size_t cursor;
};

static struct map read_map(const char *text, size_t size)
{
	struct map map = {.text = malloc(size + 1)};

	ck_assert_ptr_nonnull(map.text);
	memcpy(map.text, text, size);
	map.text[size] = '\0';
	ck_assert_int_eq(perfmap_read(&map.table, map.text, size), 0);
	return map;
}

static void free_map(struct map *map)
{
	symtab_free(&map->table);
	free(map->text);
}

/* The name of what lies at @address; "" for nothing. */
static const char *name_at(struct map *map, uint64_t address)
{
	const struct range *range = symtab_find(&map->table, address, &map->cursor);

	return range ? symtab_best(&map->table, range, false)->name : "";
}

static void check_map(const char *text, size_t nr, const uint64_t *addresses,
		      const char *const *names)
{
	struct map map = read_map(text, strlen(text));

	for (size_t i = 0; i < nr; i++)
		ck_assert_msg(strcmp(name_at(&map, addresses[i]), names[i]) == 0, "%#lx: '%s'",
			      (unsigned long)addresses[i], name_at(&map, addresses[i]));
	free_map(&map);
}

#define CHECK_MAP(text, addresses, names) \
	check_map(text, sizeof(addresses) / sizeof((addresses)[0]), addresses, names)

START_TEST(a_line_is_start_size_and_name)
{
	static const uint64_t at[] = {0xfff, 0x1000, 0x100f, 0x1010, 0x2000, 0x3000, 0x4000};
	static const char *const names[] = {"",	     "first", "first", "", "JS:*f a b.js:1:2",
					    "_Z1fv", "x"};

	CHECK_MAP("1000 10 first\n0x2000 0x8 JS:*f a b.js:1:2\n3000\t4  _Z1fv\n4000 1 x", at,
		  names);
}
END_TEST

START_TEST(lines_that_tell_of_no_code_are_skipped)
{
	static const uint64_t at[] = {0x1000, 0x2000, 0x3000, 0x4000, 0x5000};
	static const char *const names[] = {"", "", "", "", "good"};

	CHECK_MAP("\n \n1000\n1000 10\n1000 10 \nname\n+1000 10 x\n1000 -10 x\n 1000 10 x\n"
		  "2000 0 empty\n3000 zz x\n4000,10 x\n5000 1 good\n",
		  at, names);
}
END_TEST

/* perf 6.1 takes whichever line its tree of symbols meets first on the way down. */
START_TEST(an_address_belongs_to_the_last_line)
{
	static const uint64_t at[] = {0x1000, 0x100f, 0x1010, 0x101f, 0x1020, 0x102f, 0x1030};
	static const char *const names[] = {"old", "old", "new", "new", "old", "old", ""};

	CHECK_MAP("1000 10 older\n1000 30 old\n1010 10 new\n", at, names);
}
END_TEST

START_TEST(a_later_wide_line_hides_what_lies_in_it)
{
	static const uint64_t at[] = {0x0fff, 0x1000, 0x1018, 0x1020, 0x103f, 0x1040};
	static const char *const names[] = {"", "wide", "wide", "wide", "wide", "tail"};

	CHECK_MAP("1010 10 a\n1020 10 b\n1030 20 tail\n1000 40 wide\n", at, names);
}
END_TEST

START_TEST(code_reaches_to_the_end_of_all_addresses_at_most)
{
	static const uint64_t at[] = {0xfffffffffffff000, 0xfffffffffffffffe};
	static const char *const names[] = {"last", "last"};

	CHECK_MAP("fffffffffffff000 ffffffffffffffff last\n", at, names);
}
END_TEST

/* What each address shows, line by line, is what the map must say at the end. */
START_TEST(random_lines_agree_with_a_model)
{
	enum { SPACE = 300, LINES = 200 };
	char text[LINES * 32], model[SPACE][8] = {{0}};
	size_t len = 0;
	struct map map;

	srand(2);
	for (unsigned i = 0; i < LINES; i++) {
		unsigned start = (unsigned)rand() % (SPACE - 1);
		unsigned size = (unsigned)rand() % (SPACE - start) / (1 + i % 9);

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%x %x n%u\n", start, size,
					i);
		for (unsigned at = start; at < start + size; at++)
			snprintf(model[at], sizeof(model[at]), "n%u", i);
	}
	map = read_map(text, len);
	for (uint64_t at = 0; at < SPACE; at++)
		ck_assert_str_eq(name_at(&map, at), model[at]);
	free_map(&map);
}
END_TEST

START_TEST(any_bytes_are_read)
{
	static const char text[] = "1000 10 a\0b\n2000 10 c\n\xff\xfe\n3000 10 \xff";
	struct map map = read_map(text, sizeof(text) - 1);

	ck_assert_str_eq(name_at(&map, 0x1000), "a");
	ck_assert_str_eq(name_at(&map, 0x2000), "c");
	ck_assert_str_eq(name_at(&map, 0x3000), "\xff");
	free_map(&map);
	map = read_map("", 0);
	ck_assert_str_eq(name_at(&map, 0), "");
	free_map(&map);
}
END_TEST

/* ---- through the symbolizer ------------------------------------------------------------------ */

/* Where the map of a process is looked for; all may be NULL. */
struct roots {
	const char *symfs; /* given for all processes */
	const char *root;  /* given for the process or one before it */
	bool is_given;	   /* for itself */
};

static void check_symbol_in(const struct roots *roots, const char *path, uint64_t address,
			    const char *function, enum reason reason)
{
	const struct symbol_settings settings = {.demangle = DEMANGLE_FULL, .symfs = roots->symfs};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct dso *dso = dso_table_get_instance(&dsos, DSO_JIT, path, (uint32_t)getpid());
	struct place place = {.address = address};
	struct place_list list = {.dso = dso, .places = &place, .nr_places = 1};
	struct error err = {0};

	dso->root = roots->root;
	dso->is_root_given = roots->is_given;
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(place.symbol->function, function);
	ck_assert_int_eq(place.symbol->reason, reason);
	ck_assert_str_eq(place.symbol->filename, "");
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
}

static void check_symbol(const char *path, uint64_t address, const char *function,
			 enum reason reason)
{
	check_symbol_in(&(struct roots){0}, path, address, function, reason);
}

/* As perf does: a JIT compiler has no linker that would want its names mangled. */
START_TEST(names_are_shown_as_they_are_written)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf-1.map");

	scratch_write(dir.text, "perf-1.map",
		      "7f0000001000 20 LazyCompile:~f a.js:1\n"
		      "7f0000001020 20 _Z1fv\n");
	check_symbol(path.text, 0x7f000000101f, "LazyCompile:~f a.js:1", REASON_NONE);
	check_symbol(path.text, 0x7f0000001020, "_Z1fv", REASON_NONE);
	check_symbol(path.text, 0x7f0000001040, "[unknown]", REASON_OUTSIDE_SYMBOLS);
	scratch_remove(dir.text);
}
END_TEST

/* Such code is mapped twice, once to be written; perf looks for the names in the file itself. */
START_TEST(code_in_a_memfd_is_in_the_map_of_its_process)
{
	char name[32];

	snprintf(name, sizeof(name), "perf-%d.map", (int)getpid());
	scratch_write("/tmp", name, "1000 20 f\n");
	check_symbol("/memfd:doublemapper", 0x1000, "f", REASON_NONE);
	unlink(scratch_join("/tmp", name).text);
	check_symbol("/memfd:doublemapper", 0x1000, "[unknown]", REASON_JIT_MAP_MISSING);
}
END_TEST

START_TEST(only_a_file_of_its_own_is_a_map)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf-1.map");
	struct scratch_path link = scratch_join(dir.text, "link");

	check_symbol(path.text, 0x1000, "[unknown]", REASON_JIT_MAP_MISSING);
	scratch_write(dir.text, "perf-1.map", "1000 20 f\n");
	ck_assert_int_eq(symlink("perf-1.map", link.text), 0);
	check_symbol(path.text, 0x1000, "f", REASON_NONE);
	check_symbol(link.text, 0x1000, "[unknown]", REASON_JIT_MAP_REFUSED);
	unlink(link.text);
	ck_assert_int_eq(mkfifo(link.text, 0600), 0);
	check_symbol(link.text, 0x1000, "[unknown]", REASON_JIT_MAP_REFUSED);
	scratch_remove(dir.text);
}
END_TEST

/* Another user could put a map where a program's own is expected. Only root can make such a file.
 */
START_TEST(a_map_of_another_user_is_refused)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf-1.map");

	scratch_write(dir.text, "perf-1.map", "1000 20 f\n");
	chmod(dir.text, 0755);
	if (geteuid() == 0 && chown(path.text, 12345, 12345) == 0 && chmod(path.text, 0644) == 0) {
		check_symbol(path.text, 0x1000, "f", REASON_NONE);
		ck_assert_int_eq(seteuid(54321), 0);
		if (access(path.text, F_OK) == 0)
			check_symbol(path.text, 0x1000, "[unknown]", REASON_JIT_MAP_REFUSED);
		ck_assert_int_eq(seteuid(0), 0);
		ck_assert_int_eq(chown(path.text, 0, 0), 0);
	}
	scratch_remove(dir.text);
}
END_TEST

/* ---- of another root ------------------------------------------------------------------------- */

#define GONE "/tmp/perf-4294967294.map" /* a process that does not run */

START_TEST(a_map_below_another_root)
{
	struct scratch_path dir = scratch_make(), tmp = scratch_join(dir.text, "tmp");
	const struct roots symfs = {.symfs = dir.text}, root = {.root = dir.text};
	const struct roots both = {.symfs = "/nonexistent", .root = dir.text};

	ck_assert_int_eq(mkdir(tmp.text, 0755), 0);
	check_symbol_in(&symfs, GONE, 0x1000, "[unknown]", REASON_JIT_MAP_MISSING);
	scratch_write(tmp.text, "perf-4294967294.map", "1000 20 f\n");
	check_symbol_in(&symfs, GONE, 0x1000, "f", REASON_NONE);
	check_symbol_in(&root, GONE, 0x1000, "f", REASON_NONE);
	check_symbol_in(&both, GONE, 0x1000, "f", REASON_NONE);
	check_symbol(GONE, 0x1000, "[unknown]", REASON_JIT_MAP_MISSING);
	scratch_remove(dir.text);
}
END_TEST

/* The system's own map counts only where the root has none. */
START_TEST(the_map_of_the_root_goes_before_the_system_s)
{
	struct scratch_path dir = scratch_make(), tmp = scratch_join(dir.text, "tmp");
	struct scratch_path below;
	const struct roots root = {.root = dir.text};
	char name[64], path[80];

	snprintf(name, sizeof(name), "perf-%d.map", (int)getpid());
	snprintf(path, sizeof(path), "/tmp/%s", name);
	below = scratch_join(tmp.text, name);
	ck_assert_int_eq(mkdir(tmp.text, 0755), 0);
	scratch_write("/tmp", name, "1000 20 ours\n");
	check_symbol_in(&root, path, 0x1000, "ours", REASON_NONE);
	scratch_write(tmp.text, name, "1000 20 theirs\n");
	check_symbol_in(&root, path, 0x1000, "theirs", REASON_NONE);
	check_symbol_in(&root, "/memfd:code", 0x1000, "theirs", REASON_NONE);
	/* One that may not be used is said, but another one is. */
	unlink(below.text);
	ck_assert_int_eq(symlink("elsewhere", below.text), 0);
	check_symbol_in(&root, path, 0x1000, "ours", REASON_NONE);
	unlink(path);
	check_symbol_in(&root, path, 0x1000, "[unknown]", REASON_JIT_MAP_REFUSED);
	scratch_remove(dir.text);
}
END_TEST

/* By what number a process that is gone called itself nobody knows. */
START_TEST(the_only_map_of_a_root)
{
	struct scratch_path dir = scratch_make(), tmp = scratch_join(dir.text, "tmp");
	const struct roots given = {.root = dir.text, .is_given = true};
	const struct roots inherited = {.root = dir.text}, symfs = {.symfs = dir.text};

	ck_assert_int_eq(mkdir(tmp.text, 0755), 0);
	check_symbol_in(&given, GONE, 0x1000, "[unknown]", REASON_JIT_MAP_MISSING);
	scratch_write(tmp.text, "perf-7.map", "1000 20 f\n");
	scratch_write(tmp.text, "perf-x.map", "1000 20 x\n");
	scratch_write(tmp.text, "perf-7.map.old", "1000 20 x\n");
	scratch_write(tmp.text, "perf-.map", "1000 20 x\n");
	check_symbol_in(&given, GONE, 0x1000, "f", REASON_NONE);
	/* It may be that of another process of the same root. */
	check_symbol_in(&inherited, GONE, 0x1000, "[unknown]", REASON_JIT_MAP_MISSING);
	check_symbol_in(&symfs, GONE, 0x1000, "[unknown]", REASON_JIT_MAP_MISSING);
	scratch_write(tmp.text, "perf-8.map", "1000 20 g\n");
	check_symbol_in(&given, GONE, 0x1000, "[unknown]", REASON_JIT_MAP_MISSING);
	/* The number of the recording tells them apart. */
	scratch_write(tmp.text, "perf-4294967294.map", "1000 20 h\n");
	check_symbol_in(&given, GONE, 0x1000, "h", REASON_NONE);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(the_inner_pid_is_the_last_one)
{
	ck_assert_uint_eq(jitpath_inner_pid("Name:\tx\nNSpid:\t4321\t12\t7\nNSpgid:\t1\t2\n"), 7);
	ck_assert_uint_eq(jitpath_inner_pid("Name:\tx\nNSpid:\t4321\nNSpgid:\t1\t2\n"), 0);
	ck_assert_uint_eq(jitpath_inner_pid("Name:\tNSpid:\t1\t2\n"), 0);
	ck_assert_uint_eq(jitpath_inner_pid("\nNSpid:\t1\t99999999999999999999\n"), 0);
	ck_assert_uint_eq(jitpath_inner_pid(""), 0);
}
END_TEST

START_TEST(a_process_without_a_namespace_has_the_recorded_path)
{
	struct jitpath place;

	ck_assert(!jitpath_of_perf_map("/tmp/perf-4294967295.map", &place));
	ck_assert(!jitpath_of_perf_map("/elsewhere", &place));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("perfmap");
	TCase *tcase = tcase_create("perfmap");

	tcase_add_test(tcase, a_line_is_start_size_and_name);
	tcase_add_test(tcase, lines_that_tell_of_no_code_are_skipped);
	tcase_add_test(tcase, an_address_belongs_to_the_last_line);
	tcase_add_test(tcase, a_later_wide_line_hides_what_lies_in_it);
	tcase_add_test(tcase, code_reaches_to_the_end_of_all_addresses_at_most);
	tcase_add_test(tcase, random_lines_agree_with_a_model);
	tcase_add_test(tcase, any_bytes_are_read);
	tcase_add_test(tcase, names_are_shown_as_they_are_written);
	tcase_add_test(tcase, code_in_a_memfd_is_in_the_map_of_its_process);
	tcase_add_test(tcase, only_a_file_of_its_own_is_a_map);
	tcase_add_test(tcase, a_map_of_another_user_is_refused);
	tcase_add_test(tcase, a_map_below_another_root);
	tcase_add_test(tcase, the_map_of_the_root_goes_before_the_system_s);
	tcase_add_test(tcase, the_only_map_of_a_root);
	tcase_add_test(tcase, the_inner_pid_is_the_last_one);
	tcase_add_test(tcase, a_process_without_a_namespace_has_the_recorded_path);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
