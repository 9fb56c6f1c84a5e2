/*
 * Our reader of DWARF and libdw say the same of real programs: which functions there are and where,
 * what is inlined into them, who is called from which line, and where all that is declared.
 *
 * With arguments the test compares programs that are there already: test_libdw FILE[,SHARED]...,
 * SHARED being what dwz(1) has moved out of FILE.
 */
#include "decode/symbol/dwarf/debuginfo.h"

#include "decode/symbol/dwarf/path.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"
#include "util/array.h"

#include <check.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DEPTH = 200, MAX_SHOWN = 20, MANY = 100 };

/* A function with code or an inlined copy of one, as libdw has it. */
struct known {
	Dwarf_Die die;
	int depth;  /* 0 for the function with the code */
	int caller; /* number of what it is inlined into; -1 for a function */
};

struct known_range {
	uint64_t start, end;
	int entry;
};

/* One program, read both ways; of libdw's entries those of one function at a time. */
struct comparison {
	Dwarf *dw;
	Dwarf_Die unit;			/* that is walked, in the program */
	Dwarf_Die *skeleton;		/* the same if it is one, else NULL */
	struct debuginfo *info, *plain; /* plain: without inlined functions */
	struct known *entries;
	size_t nr_entries, entries_room;
	struct known_range *ranges;
	size_t nr_ranges, ranges_room;
	Dwarf_Die *nested; /* functions in functions, which have their turn later */
	size_t nr_nested, nested_room;
	unsigned nr_functions, nr_copies, nr_places, nr_different;
};

__attribute__((format(printf, 3, 4))) static void differ(struct comparison *c, uint64_t address,
							 const char *fmt, ...)
{
	va_list args;

	if (c->nr_different++ >= MAX_SHOWN)
		return;
	printf("0x%llx: ", (unsigned long long)address);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

/* As an assertion; with arguments no test of Check's runs. */
static void must(bool is_fine, const char *what)
{
	if (is_fine)
		return;
	fprintf(stderr, "test_libdw: there is no %s\n", what);
	abort();
}

/* ---- what libdw says ------------------------------------------------------------------------- */

static const char *name_of(Dwarf_Die *die)
{
	static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
	const char *name = NULL;

	for (size_t i = 0; i < 3 && !name; i++) {
		Dwarf_Attribute attr;

		name = dwarf_formstring(dwarf_attr_integrate(die, names[i], &attr));
	}
	return name ? name : "";
}

/*
 * Where @die is declared, absolute if libdw knows from where, for the caller to free; @skeleton is
 * that of a split unit, or NULL. dwarf_decl_file() leaves relative names as they are, and that of
 * 0.188 aborts in a split unit.
 */
static char *decl_file_of(Dwarf_Die *die, Dwarf_Die *skeleton)
{
	Dwarf_Attribute attr, comp_dir;
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t nr;

	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), &number) != 0 ||
	    !dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return NULL;
	if (dwarf_getsrcfiles(skeleton ? skeleton : &unit, &files, &nr) != 0 || number >= nr)
		return NULL;
	return path_join(dwarf_formstring(dwarf_attr(skeleton ? skeleton : &unit, DW_AT_comp_dir,
						     &comp_dir)),
			 NULL, dwarf_filesrc(files, number, NULL, NULL));
}

static uint32_t call_line_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word line;

	return dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line) == 0 ? (uint32_t)line
										    : 0;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* libdw does not know where lambdas are, see declared_at() in function.c: then it has no line. */
static void compare_source(struct comparison *c, uint64_t address, Dwarf_Die *die,
			   const struct debug_function *ours)
{
	char *path = decl_file_of(die, c->skeleton);
	int line;

	if (dwarf_decl_line(die, &line) != 0)
		line = 0;
	if (line && ours->line != (uint32_t)line)
		differ(c, address, "%s: declared in line %u, libdw: %d", ours->name, ours->line,
		       line);
	if (line && path && strcmp(path, ours->filename) != 0)
		differ(c, address, "%s: declared in %s, libdw: %s", ours->name, ours->filename,
		       path);
	free(path);
}

/* libdw's names lack the scopes of functions that have no linkage name. */
static bool is_same_name(const char *name, const char *ours)
{
	const size_t len = strlen(name), more = strlen(ours) - len;

	if (strlen(ours) < len || strcmp(ours + more, name) != 0)
		return false;
	return more == 0 || (more > 2 && strncmp(ours + more - 2, "::", 2) == 0);
}

static void compare_function(struct comparison *c, uint64_t address, struct known *known,
			     const struct debug_function *ours)
{
	const char *name = name_of(&known->die);

	if (!is_same_name(name, ours->name))
		differ(c, address, "%s, libdw: %s", ours->name, name);
	if (call_line_of(&known->die) != ours->call_line)
		differ(c, address, "%s: called in line %u, libdw: %u", name, ours->call_line,
		       call_line_of(&known->die));
	compare_source(c, address, &known->die, ours);
}

/* The number of the innermost entry at @address. */
static int innermost(const struct comparison *c, uint64_t address)
{
	int found = -1;

	for (size_t i = 0; i < c->nr_ranges; i++) {
		const struct known_range *range = &c->ranges[i];

		if (address >= range->start && address < range->end &&
		    (found < 0 || c->entries[range->entry].depth > c->entries[found].depth))
			found = range->entry;
	}
	return found;
}

/* Without inlined functions less is read; the function is the same. */
static void compare_plain(struct comparison *c, uint64_t address,
			  const struct debug_function *function)
{
	const struct debug_function *plain;

	must(debuginfo_find(c->plain, address, &plain) == 0, "memory");
	if (!plain || strcmp(plain->name, function->name) != 0 ||
	    strcmp(plain->filename, function->filename) != 0 || plain->line != function->line ||
	    plain->start != function->start)
		differ(c, address, "%s, without inlined functions: %s", function->name,
		       plain ? plain->name : "none");
}

static void compare_place(struct comparison *c, uint64_t address)
{
	const struct debug_function *function, *chain[DEBUGINFO_MAX_INLINED];
	int entry = innermost(c, address);
	size_t nr = 0;

	if (entry < 0)
		return; /* an end, behind which another function is */
	if (dwarf_haspc(&c->unit, address) == 0)
		return; /* DWARF 2 has no words for a unit in several pieces */
	c->nr_places++;
	must(debuginfo_find(c->info, address, &function) == 0, "memory");
	if (!function) {
		differ(c, address, "no function, libdw: %s", name_of(&c->entries[0].die));
		return;
	}
	compare_plain(c, address, function);
	must(debuginfo_find_inlined(c->info, address, function, chain, &nr) == 0, "memory");
	for (size_t i = 0; i < nr; i++, entry = c->entries[entry].caller) {
		if (c->entries[entry].caller < 0) {
			differ(c, address, "%s is inlined, libdw: not", chain[i]->name);
			return;
		}
		compare_function(c, address, &c->entries[entry], chain[i]);
	}
	if (c->entries[entry].caller >= 0)
		differ(c, address, "libdw: %s is inlined", name_of(&c->entries[entry].die));
	else
		compare_function(c, address, &c->entries[entry], function);
}

/* The function that was met last, with what is inlined into it: where each range begins and ends.
 */
static void compare_entries(struct comparison *c)
{
	c->nr_functions += c->nr_entries > 0 && c->nr_ranges > 0;
	c->nr_copies += c->nr_entries > 0 ? (unsigned)c->nr_entries - 1 : 0;
	for (size_t i = 0; i < c->nr_ranges; i++) {
		compare_place(c, c->ranges[i].start);
		compare_place(c, c->ranges[i].end - 1);
		compare_place(c, c->ranges[i].end);
	}
	c->nr_entries = c->nr_ranges = 0;
}

/* ---- the walk of libdw's tree ---------------------------------------------------------------- */

/* Adds @die, which is inlined into entry @caller. Returns its number, or -1 if it has no code. */
static int add_entry(struct comparison *c, Dwarf_Die *die, int caller)
{
	const int number = (int)c->nr_entries;
	Dwarf_Addr base, start, end;
	bool any = false;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
		if (start == 0 || end <= start)
			continue; /* thrown away by the linker */
		must(array_grow(c->ranges, c->ranges_room, c->nr_ranges + 1), "memory");
		c->ranges[c->nr_ranges++] = (struct known_range){start, end, number};
		any = true;
	}
	if (!any && caller < 0)
		return -1;
	must(array_grow(c->entries, c->entries_room, c->nr_entries + 1), "memory");
	c->entries[c->nr_entries++] =
		(struct known){*die, caller < 0 ? 0 : c->entries[caller].depth + 1, caller};
	return number;
}

static void walk(struct comparison *c, Dwarf_Die *die, int caller, int depth);

static void walk_children(struct comparison *c, Dwarf_Die *die, int caller, int depth)
{
	Dwarf_Die child;

	if (depth == MAX_DEPTH || dwarf_child(die, &child) != 0)
		return;
	do
		walk(c, &child, caller, depth + 1);
	while (dwarf_siblingof(&child, &child) == 0);
}

static void walk(struct comparison *c, Dwarf_Die *die, int caller, int depth)
{
	const int tag = dwarf_tag(die);

	if (tag == DW_TAG_subprogram && caller >= 0) {
		must(array_grow(c->nested, c->nested_room, c->nr_nested + 1), "memory");
		c->nested[c->nr_nested++] = *die;
		return;
	}
	if (tag == DW_TAG_inlined_subroutine && caller >= 0)
		caller = add_entry(c, die, caller);
	if (tag != DW_TAG_subprogram) {
		walk_children(c, die, caller, depth);
		return;
	}
	walk_children(c, die, add_entry(c, die, -1), depth);
	compare_entries(c);
}

static void walk_units(struct comparison *c)
{
	Dwarf_Die die, split;
	Dwarf_Half version;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (dwarf_get_units(c->dw, cu, &cu, &version, &type, &die, &split) == 0) {
		if (type == DW_UT_type)
			continue;
		c->unit = die;
		c->skeleton = type == DW_UT_skeleton ? &c->unit : NULL;
		walk(c, c->skeleton ? &split : &die, -1, 0);
		for (size_t i = 0; i < c->nr_nested; i++) {
			split = c->nested[i];
			walk(c, &split, -1, 0);
		}
		c->nr_nested = 0;
	}
}

/* ---- programs -------------------------------------------------------------------------------- */

static struct elffile *open_elf(const char *path)
{
	bool nomem;
	struct elffile *file = path ? elffile_open(open(path, O_RDONLY), &nomem) : NULL;

	must(file || !path, "an ELF file");
	return file;
}

/* Compares the program @path; @shared and @package are files that it refers to, or NULL. */
static struct comparison compare(const char *path, const char *shared, const char *package)
{
	const int fd = open(path, O_RDONLY), shared_fd = shared ? open(shared, O_RDONLY) : -1;
	Dwarf *alternate = shared ? dwarf_begin(shared_fd, DWARF_C_READ) : NULL;
	struct debug_files files = {open_elf(path), open_elf(shared), open_elf(package), NULL,
				    NULL};
	struct comparison c = {.dw = dwarf_begin(fd, DWARF_C_READ)};
	struct intern strings = {0};
	bool nomem;

	must(c.dw != NULL, "DWARF for libdw");
	if (alternate)
		dwarf_setalt(c.dw, alternate);
	c.info = debuginfo_open(&files, &strings, true, &nomem);
	must(c.info != NULL, "DWARF");
	c.plain = debuginfo_open(&files, &strings, false, &nomem);
	must(c.plain != NULL, "DWARF");
	walk_units(&c);
	debuginfo_close(c.info);
	debuginfo_close(c.plain);
	dwarf_end(c.dw);
	dwarf_end(alternate);
	close(fd);
	close(shared_fd);
	elffile_close((struct elffile *)files.main);
	elffile_close((struct elffile *)files.alternate);
	elffile_close((struct elffile *)files.package);
	intern_free(&strings);
	free(c.entries);
	free(c.ranges);
	free(c.nested);
	return c;
}

static void check_same(const char *dir, const char *shared, const char *package, unsigned nr_copies)
{
	struct scratch_path x = scratch_join(dir, "x"), y = scratch_join(dir, shared ? shared : ""),
			    z = scratch_join(dir, package ? package : "");
	struct comparison c = compare(x.text, shared ? y.text : NULL, package ? z.text : NULL);

	ck_assert_uint_ge(c.nr_functions, 5);
	ck_assert_uint_ge(c.nr_copies, nr_copies);
	ck_assert_uint_eq(c.nr_different, 0);
}

static const char *const cpp_source =
	"#include <algorithm>\n#include <string>\n#include <vector>\n"
	"#include \"far.h\"\n"
	"namespace ns {\n"
	"struct shape { virtual ~shape() {} virtual double area(int n) const = 0; };\n"
	"struct square : shape {\n"
	"	double side;\n	square(double x) : side(x) {}\n"
	"	double area(int n) const override;\n};\n"
	"inline double scale(double x) { return x * 0.999 + 1; }\n"
	"double square::area(int n) const\n"
	"{ double a = side; for (int i = 0; i < n; i++) a = scale(a); return a; }\n"
	"template <class T> T fold(const std::vector<T> &v)\n"
	"{ T sum{}; for (auto &x : v) sum = sum + x; return sum; }\n"
	"namespace { int hidden(std::string &s, int n) { s += std::to_string(n); return n; } }\n"
	"}\n"
	"int main(int argc, char **)\n{\n"
	"	struct local { static int twice(int n) { return 2 * n + far(n); } };\n"
	"	std::vector<double> v(argc * 10, 1.5);\n"
	"	std::string s;\n"
	"	auto add = [&](int k) { double t = 0; for (int i = 0; i < k; i++) t += v[i]; "
	"return t; "
	"};\n"
	"	std::sort(v.begin(), v.end(), [](double a, double b) { return a > b; });\n"
	"	ns::square q(argc);\n"
	"	return (int)(ns::fold(v) + q.area(argc) + add(argc)) + ns::hidden(s, argc) +\n"
	"	       local::twice(argc) + (int)s.size();\n}\n";

static const char *const far_source =
	"#include \"far.h\"\n"
	"static int mix(int x) { return x * 31 + (x >> 3); }\n"
	"struct table { int sum = 0; void put(int k) { sum += mix(k); } };\n"
	"int far(int n)\n{ table t; for (int i = 0; i < n; i++) t.put(i); return t.sum; }\n";

static const char *const cpp_compilers[] = {
	"g++ -gdwarf-5 -O2",
	"g++ -gdwarf-4 -O2",
	"g++ -gdwarf-5 -O0",
	"g++ -gdwarf-3 -O1",
	"g++ -gdwarf-2 -gstrict-dwarf -O2",
	"g++ -gdwarf-5 -gdwarf64 -O2",
	"g++ -gdwarf-5 -gz=zlib -O2",
	"g++ -gdwarf-4 -gz=zlib-gnu -O2",
	"g++ -gdwarf-5 -flto -O2",
	"g++ -gdwarf-4 -flto -O2",
	"g++ -gdwarf-5 -fdebug-types-section -O2",
	"g++ -gdwarf-4 -fdebug-types-section -O1",
	"g++ -gdwarf-5 -gsplit-dwarf -O2",
	"g++ -gdwarf-4 -gsplit-dwarf -O2",
	"clang++ -gdwarf-5 -O2",
	"clang++ -gdwarf-4 -O2",
	"clang++ -gdwarf-5 -O0",
	"clang++ -gdwarf-5 -fdebug-types-section -O2",
	"clang++ -gdwarf-4 -fdebug-types-section -O2",
	"clang++ -gdwarf-5 -gsplit-dwarf -O2",
	"clang++ -gdwarf-4 -gsplit-dwarf -O2",
	"clang++ -gdwarf-5 -gsplit-dwarf -fsplit-dwarf-inlining -O2",
};

static void build_cpp(const struct scratch_path *dir, const char *compiler)
{
	scratch_write(dir->text, "far.h", "int far(int n);\n");
	scratch_write(dir->text, "far.cc", far_source);
	toolchain_build(dir->text, "x.cc", cpp_source,
			"%s -c x.cc 2>/dev/null && %s -c far.cc && %s -o x x.o far.o", compiler,
			compiler, compiler);
}

START_TEST(cplusplus)
{
	const char *compiler = cpp_compilers[_i];
	struct scratch_path dir;

	if (!machine_has(compiler[0] == 'c' ? "clang++" : "g++"))
		return;
	dir = scratch_make();
	build_cpp(&dir, compiler);
	check_same(dir.text, NULL, NULL, strstr(compiler, "-O0") ? 0 : MANY);
	scratch_remove(dir.text);
}
END_TEST

/* libdw 0.188 knows no packages: it has the units' own files. */
START_TEST(packages_of_split_units)
{
	static const char *const commands[][2] = {
		{"g++ -gdwarf-4 -gsplit-dwarf -O2", "dwp"},
		{"clang++ -gdwarf-5 -gsplit-dwarf -O2", "llvm-dwp"}};
	struct scratch_path dir;

	if (!machine_has(commands[_i][1]) || !machine_has(_i ? "clang++" : "g++"))
		return;
	dir = scratch_make();
	build_cpp(&dir, commands[_i][0]);
	toolchain_run(dir.text, "%s -e x -o x.dwp", commands[_i][1]);
	check_same(dir.text, NULL, "x.dwp", MANY);
	scratch_remove(dir.text);
}
END_TEST

/* _i: 0 shared by the units of a program, 1 by two programs. */
START_TEST(shared_by_dwz)
{
	struct scratch_path dir;

	if (!machine_has("dwz") || !machine_has("g++"))
		return;
	dir = scratch_make();
	build_cpp(&dir, "g++ -gdwarf-4 -O2");
	toolchain_run(dir.text, _i ? "cp x y && dwz -m shared x y" : "dwz x");
	check_same(dir.text, _i ? "shared" : NULL, NULL, MANY);
	scratch_remove(dir.text);
}
END_TEST

/* Where rustup has put the compiler, the user's own home says; the tests' is an empty one. */
#define RUSTC "HOME=$(getent passwd \"$(id -u)\" | cut -d : -f 6) rustc"

START_TEST(rust)
{
	struct scratch_path dir;

	if (!machine_has("rustc"))
		return;
	if (system(RUSTC " --version >/dev/null 2>&1") != 0) {
		machine_lacks("rustc does not work here");
		return;
	}
	dir = scratch_make();
	toolchain_build(dir.text, "x.rs",
			"use std::collections::HashMap;\n"
			"fn fold(v: &[u64]) -> u64 { v.iter().map(|x| x * 31).sum() }\n"
			"fn main() {\n	let mut m: HashMap<u64, String> = HashMap::new();\n"
			"	for i in 0..200 { m.insert(i % 7, format!(\"{}\", i)); }\n"
			"	println!(\"{} {}\", fold(&[1, 2, 3]), m.len());\n}\n",
			RUSTC " -g -O -o x x.rs");
	check_same(dir.text, NULL, NULL, MANY);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(go)
{
	struct scratch_path dir;

	if (!machine_has("go"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.go",
			"package main\nimport \"fmt\"\ntype item struct{ k, v int }\n"
			"func (i item) mix() int { return i.k*31 + i.v }\n"
			"func main() {\n	s := 0\n	for i := 0; i < 9; i++ { s ^= "
			"item{i, 1}.mix() "
			"}\n	fmt.Println(s)\n}\n",
			"HOME=$PWD go build -o x x.go");
	toolchain_run(dir.text, "chmod -R u+w .");
	check_same(dir.text, NULL, NULL, MANY);
	scratch_remove(dir.text);
}
END_TEST

/* Prints what a program of the command line has, and whether that is the same. */
static bool compare_argument(char *argument)
{
	char *shared = strchr(argument, ',');
	struct comparison c;

	if (shared)
		*shared++ = '\0';
	c = compare(argument, shared, NULL);
	printf("%s: %u functions, %u inlined copies, %u places compared, %u differences\n",
	       argument, c.nr_functions, c.nr_copies, c.nr_places, c.nr_different);
	return c.nr_different == 0;
}

static Suite *make_suite(void)
{
	Suite *suite = suite_create("libdw");
	TCase *tcase = tcase_create("libdw");

	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, cplusplus, 0, sizeof(cpp_compilers) / sizeof(cpp_compilers[0]));
	tcase_add_loop_test(tcase, packages_of_split_units, 0, 2);
	tcase_add_loop_test(tcase, shared_by_dwz, 0, 2);
	tcase_add_test(tcase, rust);
	tcase_add_test(tcase, go);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(int argc, char **argv)
{
	bool are_same = true;

	if (argc == 1)
		return suite_run(make_suite());
	for (int i = 1; i < argc; i++)
		are_same &= compare_argument(argv[i]);
	return !are_same;
}
