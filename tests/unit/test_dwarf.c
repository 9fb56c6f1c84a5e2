/* Functions and their source places out of DWARF, as several compilers write it. */
#include "decode/symbol/dwarf/debuginfo.h"

#include "decode/symbol/dwarf/linefiles.h"
#include "decode/symbol/dwarf/path.h"
#include "decode/symbol/elf/elfsection.h"
#include "tests/support/debugfile.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pure functions -------------------------------------------------------------------------- */

START_TEST(paths_are_joined_and_simplified)
{
	static const char *const paths[][4] = {
		{NULL, NULL, "a.c", "a.c"},
		{"/base", NULL, "a.c", "/base/a.c"},
		{"/base", "dir", "a.c", "/base/dir/a.c"},
		{"/base", "/dir", "a.c", "/dir/a.c"},
		{"/base", "/dir", "/a.c", "/a.c"},
		{"/base", "", "a.c", "/base/a.c"},
		{"base", "dir", "a.c", "base/dir/a.c"},
		{"/base/", "./dir//", "./a.c", "/base/dir/a.c"},
		{"/base/x", "../dir", "../a.c", "/base/a.c"},
		{"/base", "../../..", "a.c", "/a.c"},
		{"..", "../x", "../a.c", "../../a.c"},
		{"/a", "b", "...c", "/a/b/...c"},
		{NULL, NULL, "..", ".."},
		{"/a", NULL, "..", "/"},
		{NULL, "a", "..", ""},
		{"//x", NULL, "a.c", "/x/a.c"},
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		char *path = path_join(paths[i][0], paths[i][1], paths[i][2]);

		ck_assert_pstr_eq(path, paths[i][3]);
		free(path);
	}
}
END_TEST

/* Version 5: two directories and two files with values of several forms. */
static const uint8_t header5[] = {
	79, 0,	0,    0,  5,   0,   8,	  0,		    /* unit length, version, sizes */
	71, 0,	0,    0,  1,   1,   1,	  0xfb, 14,  2,	 1, /* header length ... opcodes: one */
	1,  1,	8,    2,  '/', 'd', 0,	  'e',	0,	    /* directories: DW_FORM_string; two */
	4,  1,	0x1f, 2,  0xb, 5,   0x1e, 3,	0xf, 2, /* line_strp, data1, data16, udata; two */
	0,  0,	0,    0,  0,   1,   2,	  3,	4,   5,	 6,  7,	 8,  9,	 10,
	11, 12, 13,   14, 15,  16,  0x81, 1,	4,   0,	 0,  0,	 1,  1,	 2,
	3,  4,	5,    6,  7,   8,   9,	  10,	11,  12, 13, 14, 15, 16, 2,
};

static void check_path(const struct line_files *files, uint64_t number, const char *comp_dir,
		       const char *expected)
{
	char *path;

	ck_assert_int_eq(line_files_have(files, number), expected != NULL);
	if (!expected)
		return;
	path = line_files_path(files, number, comp_dir);
	ck_assert_pstr_eq(path, expected);
	free(path);
}

/* Directory 0 is the compilation directory: where both are relative, it is there once. */
START_TEST(the_compilation_directory_is_not_doubled)
{
	uint8_t bytes[sizeof(header5)];
	struct line_sections sections = {
		.line = span_make(bytes, sizeof(bytes), __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__),
		.line_str = span_make("a.c\0b.c", 8, false),
	};
	struct line_files files = {0};

	memcpy(bytes, header5, sizeof(bytes));
	*(uint8_t *)memchr(bytes, '/', sizeof(bytes)) = '.';
	ck_assert_int_eq(line_files_read(&files, &sections, 0), 0);
	check_path(&files, 0, ".d", ".d/a.c");
	check_path(&files, 1, ".d", ".d/e/b.c");
	check_path(&files, 0, "/comp", "/comp/.d/a.c");
	check_path(&files, 0, NULL, ".d/a.c");
	line_files_free(&files);
}
END_TEST

START_TEST(a_header_of_version_5_is_read)
{
	const bool swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
	struct line_sections sections = {
		.line = span_make(header5, sizeof(header5), swap),
		.line_str = span_make("a.c\0b.c", 8, swap),
	};
	struct line_files files = {0};

	ck_assert_uint_eq(sizeof(header5), 83);
	ck_assert_int_eq(line_files_read(&files, &sections, 0), 0);
	ck_assert_uint_eq(files.nr_dirs, 2);
	ck_assert_uint_eq(files.nr_files, 2);
	check_path(&files, 0, "/comp", "/d/a.c");
	check_path(&files, 1, "/comp", "/comp/e/b.c");
	check_path(&files, 1, NULL, "e/b.c");
	check_path(&files, 2, "/comp", NULL);
	line_files_free(&files);
	for (size_t len = 0; len < sizeof(header5); len++) {
		sections.line = span_make(header5, len, swap);
		ck_assert_int_eq(line_files_read(&files, &sections, 0), 0);
		ck_assert_uint_eq(files.nr_files, 0); /* the unit does not fit into the section */
		line_files_free(&files);
	}
	ck_assert_int_eq(line_files_read(&files, &sections, 1000), 0);
	ck_assert_uint_eq(files.nr_files, 0);
}
END_TEST

/* ---- real binaries --------------------------------------------------------------------------- */

/* The same as for names of functions: rows, also those of single addresses, have whole names. */
START_TEST(huge_names_of_files_are_cut)
{
	static const char tail[] = "/00...24badf67d46200c9";
	const struct debug_function *function;
	struct scratch_path dir = scratch_make();
	struct source_line line;
	struct debugfile opened;
	bool found = false;

	toolchain_build(dir.text, "make.sh",
			"printf '# 1 \"/%0*d.c\"\\nint f(void) { return 1; }\\n' $1 0 >x.c\n"
			"echo 'int main(void) { return 0; }' >>x.c\n",
			"sh make.sh 70000 && gcc -g -fno-working-directory -o x x.c");
	debugfile_open(&opened, dir.text, "x");
	function = debugfile_find(&opened, toolchain_address(dir.text, "x", "f"));
	ck_assert_ptr_nonnull(function);
	ck_assert_uint_eq(strlen(function->filename), 65536);
	ck_assert_mem_eq(function->filename, tail, 3);
	ck_assert_str_eq(function->filename + 65536 - strlen(tail) + 1, tail + 1);
	ck_assert_int_eq(debuginfo_find_line(opened.info, toolchain_address(dir.text, "x", "f"),
					     &line, &found),
			 0);
	ck_assert(found);
	ck_assert_ptr_eq(line.filename, function->filename);
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* Checks the function at @symbol: its name, unless that depends on the compiler, its FILE:LINE. */
static void check_function(const char *dir, const char *symbol, const char *name,
			   const char *filename, unsigned line)
{
	const struct debug_function *function;
	struct debugfile opened;

	debugfile_open(&opened, dir, "x");
	ck_assert_ptr_nonnull(opened.info);
	function = debugfile_find(&opened, toolchain_address(dir, "x", symbol));
	ck_assert_msg(function != NULL, "%s: no function", symbol);
	if (name)
		ck_assert_str_eq(function->name, name);
	ck_assert_str_eq(function->filename, filename);
	ck_assert_uint_eq(function->line, line);
	ck_assert_ptr_null(debugfile_find(&opened, 1));
	ck_assert_ptr_null(debugfile_find(&opened, UINT64_MAX));
	debugfile_close(&opened);
}

static const char *const c_source =
	"#include \"sub/../inc.h\"\n"  /* 1 */
	"static int outer(int n)\n{\n" /* 2 */
	"	auto int nested(int);\n"
	"	int __attribute__((noinline)) nested(int k) { return k * n; }\n" /* 5 */
	"	return nested(n) + nested(1);\n}\n"
	"int main(int argc, char **argv)\n" /* 8 */
	"{\n	(void)argv;\n	return outer(argc) + from_header(argc);\n}\n";

static const char *const header_source =
	"\n\n__attribute__((noinline)) int from_header(int n)\n{\n	return n * 3;\n}\n";

static const char *const flags_of_gcc[] = {
	"-gdwarf-5",
	"-gdwarf-4",
	"-gdwarf-3",
	"-gdwarf-2 -gstrict-dwarf",
	"-gdwarf-5 -gdwarf64",
	"-gdwarf-5 -gz=zlib",
	"-gdwarf-4 -gz=zlib-gnu",
	"-gdwarf-5 -O2 -ffunction-sections",
	"-gdwarf-4 -fdebug-types-section",
};

enum { SYMBOL_MAX = 128 };

/* gcc numbers the functions that are in others: "nested.0". */
static void take_nested(void *arg, const char *symbol, uint64_t address)
{
	(void)address;
	if (strncmp(symbol, "nested.", 7) == 0)
		snprintf(arg, SYMBOL_MAX, "%s", symbol);
}

START_TEST(c_of_every_version)
{
	struct scratch_path dir = scratch_make();

	scratch_write(dir.text, "inc.h", header_source);
	toolchain_run(dir.text, "mkdir sub");
	toolchain_build(dir.text, "x.c", c_source,
			"gcc %s -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED " -o x x.c",
			flags_of_gcc[_i]);
	check_function(dir.text, "main", "main", "/src/x.c", 8);
	check_function(dir.text, "from_header", "from_header", "/src/inc.h", 3);
	if (!strstr(flags_of_gcc[_i], "-O2")) {
		char symbol[SYMBOL_MAX] = "";

		check_function(dir.text, "outer", "outer", "/src/x.c", 2);
		toolchain_symbols(dir.text, "x", take_nested, symbol);
		check_function(dir.text, symbol, "nested", "/src/x.c", 5);
	}
	scratch_remove(dir.text);
}
END_TEST

static const char *const cpp_source =
	"namespace ns {\n"
	"struct shape { int area(int); virtual int edges(); static int count(); };\n"
	"template <class T> struct box {\n"
	"	T value;\n"
	"	__attribute__((noinline)) T get(T n) const { return value * n; }\n" /* 5 */
	"};\n"
	"int shape::area(int n)\n{ return n * n; }\n"		/* 7 */
	"int shape::edges() { return 4; }\n"			/* 9 */
	"namespace {\nint hidden(int n) { return n + 1; }\n}\n" /* 11 */
	"int use(int n) { return hidden(n); }\n"		/* 13 */
	"}\n"
	"int main(int argc, char **)\n{\n"				       /* 15 */
	"	struct local { static int twice(int n) { return 2 * n; } };\n" /* 17 */
	"	auto add = [argc](int n) { return n + argc; };\n"	       /* 18 */
	"	ns::box<long> b{argc};\n"
	"	ns::shape s;\n"
	"	return (int)b.get(argc) + s.area(argc) + s.edges() + local::twice(argc) + add(1) "
	"+\n"
	"	       ns::use(1);\n}\n";

static const char *const compilers_of_cpp[] = {
	"g++ -gdwarf-5",
	"g++ -gdwarf-4",
	"g++ -gdwarf-5 -flto -fno-inline",
	"clang++ -gdwarf-5",
	"clang++ -gdwarf-4",
	"clang++ -gdwarf-2",
	"clang++ -gdwarf-5 -gz=zlib",
};

START_TEST(cplusplus_of_two_compilers)
{
	struct scratch_path dir;
	const char *compiler = compilers_of_cpp[_i];

	if (!machine_has(strncmp(compiler, "clang", 5) == 0 ? "clang++" : "g++"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.cc", cpp_source,
			"%s -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
			" -o x x.cc 2>/dev/null",
			compiler);
	check_function(dir.text, "main", "main", "/src/x.cc", 15);
	check_function(dir.text, "_ZN2ns5shape4areaEi", "_ZN2ns5shape4areaEi", "/src/x.cc", 7);
	check_function(dir.text, "_ZN2ns5shape5edgesEv", "_ZN2ns5shape5edgesEv", "/src/x.cc", 9);
	check_function(dir.text, "_ZNK2ns3boxIlE3getEl", "_ZNK2ns3boxIlE3getEl", "/src/x.cc", 5);
	check_function(dir.text, "_ZN2ns12_GLOBAL__N_16hiddenEi", NULL, "/src/x.cc", 11);
	check_function(dir.text, "_ZN2ns3useEi", "_ZN2ns3useEi", "/src/x.cc", 13);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(methods_of_local_classes_and_lambdas)
{
	struct scratch_path dir;

	if (!machine_has("g++"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.cc", cpp_source,
			"g++ -g -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED " -o x x.cc");
	check_function(dir.text, "_ZZ4mainEN5local5twiceEi", NULL, "/src/x.cc", 17);
	check_function(dir.text, "_ZZ4mainENKUliE_clEi", NULL, "/src/x.cc", 18);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(every_address_of_a_function_is_covered)
{
	struct scratch_path dir = scratch_make();
	struct debugfile opened;
	uint64_t start, end;

	toolchain_build(dir.text, "x.c",
			"int first(int n) { return n * 2 + 1; }\n"
			"int second(int n) { return n; }\nint main(void) { return 0; }\n",
			"gcc -g -O0 -falign-functions=1 " TOOLCHAIN_FIXED " -o x x.c");
	start = toolchain_address(dir.text, "x", "first");
	end = toolchain_address(dir.text, "x", "second");
	debugfile_open(&opened, dir.text, "x");
	for (uint64_t address = start; address < end; address++)
		ck_assert_str_eq(debugfile_find(&opened, address)->name, "first");
	ck_assert_str_eq(debugfile_find(&opened, end)->name, "second");
	ck_assert_str_eq(debugfile_find(&opened, start)->name, "first"); /* back again */
	ck_assert_uint_eq(debugfile_find(&opened, end)->start, end);
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* A function whose name is said by another entry, the last bytes of .debug_info. */
static const char ends_with_a_name[] =
	".section .debug_abbrev,\"\"\n"
	".uleb128 1, 0x11\n.byte 1\n.uleb128 0, 0\n" /* unit */
	".uleb128 2, 0x2e\n.byte 0\n.uleb128 0x11, 1, 0x12, 0x0b, 0x31, 0x13, 0, 0\n"
	".uleb128 3, 0x2e\n.byte 0\n.uleb128 3, 8, 0, 0\n.byte 0\n"
	".section .debug_info,\"\"\n"
	"unit: .4byte 3f - 1f\n1: .2byte 4\n.4byte 0\n.byte 8\n.uleb128 1\n"
	".uleb128 2\n.8byte work\n.byte 4\n.4byte 2f - unit\n"
	"2: .uleb128 3\n.WORD \"stub\"\n3:\n"
	".section .note.GNU-stack,\"\"\n";

/* What is behind the section is not taken for a part of it. */
START_TEST(a_name_in_place_ends_in_its_section)
{
	struct scratch_path dir = scratch_make();

	scratch_write(dir.text, "x.c", "int work(void) { return 1; }\nint main() { return 0; }\n");
	toolchain_build(dir.text, "dwarf.s", ends_with_a_name,
			"sed -i s/WORD/%s/ dwarf.s && gcc " TOOLCHAIN_FIXED " -o x x.c dwarf.s",
			_i ? "ascii" : "asciz");
	check_function(dir.text, "work", _i ? "" : "stub", "", 0);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(no_debugging_information_is_no_error)
{
	struct scratch_path dir = scratch_make();
	struct debugfile opened;

	toolchain_build(dir.text, "x.c", "int main(void) { return 0; }", "gcc -g0 -o x x.c");
	debugfile_open(&opened, dir.text, "x");
	ck_assert_ptr_null(opened.info);
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* Looks all of a damaged image up; the answers do not matter, only that there is an end. */
static void read_all(char *image, size_t size)
{
	struct intern strings = {0};
	bool nomem;
	struct elffile *file = elffile_from_memory(image, size, &nomem);
	struct debuginfo *info =
		file ? debuginfo_open(&(struct debug_files){.main = file}, &strings, true, &nomem)
		     : NULL;
	const struct debug_function *function;

	for (uint64_t address = 0x400000; info && address < 0x402000; address += 16)
		ck_assert_int_eq(debuginfo_find(info, address, &function), 0);
	debuginfo_close(info);
	elffile_close(file);
	intern_free(&strings);
}

START_TEST(damaged_sections_do_no_harm)
{
	static const char *const sections[] = {".debug_info", ".debug_abbrev", ".debug_line",
					       ".debug_rnglists", ".debug_str"};
	struct scratch_path dir = scratch_make();
	char *image, *copy;
	size_t size;
	bool nomem;
	FILE *file;

	toolchain_build(
		dir.text, "x.c", c_source,
		"echo 'int from_header(int);' > inc.h && mkdir sub && gcc -g -O1 -c -o x.o x.c && "
		"echo 'int from_header(int n) { return n; }' > y.c && "
		"gcc -g -O2 " TOOLCHAIN_FIXED " -o x x.o y.c");
	file = fopen(scratch_join(dir.text, "x").text, "r");
	ck_assert_ptr_nonnull(file);
	image = malloc(1 << 20);
	size = fread(image, 1, 1 << 20, file);
	fclose(file);
	copy = malloc(size);
	srand(2);
	for (int round = 0; round < 1500; round++) {
		struct elffile *elf;
		struct span bytes;

		memcpy(copy, image, size);
		elf = elffile_from_memory(copy, size, &nomem);
		bytes = elfsection_bytes(elf, elffile_section_named(elf, sections[round % 5]));
		for (int i = 0; i <= round % 6 && span_left(&bytes); i++)
			copy[(const char *)bytes.pos - copy + rand() % (long)span_left(&bytes)] =
				(char)(rand() % 3 ? rand() : 0xff);
		elffile_close(elf);
		read_all(copy, size);
	}
	free(copy);
	free(image);
	scratch_remove(dir.text);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("dwarf");
	TCase *tc = tcase_create("dwarf");

	tcase_set_timeout(tc, 0);
	tcase_add_test(tc, paths_are_joined_and_simplified);
	tcase_add_test(tc, the_compilation_directory_is_not_doubled);
	tcase_add_test(tc, a_header_of_version_5_is_read);
	tcase_add_test(tc, huge_names_of_files_are_cut);
	tcase_add_loop_test(tc, c_of_every_version, 0,
			    sizeof(flags_of_gcc) / sizeof(flags_of_gcc[0]));
	tcase_add_loop_test(tc, cplusplus_of_two_compilers, 0,
			    sizeof(compilers_of_cpp) / sizeof(compilers_of_cpp[0]));
	tcase_add_test(tc, methods_of_local_classes_and_lambdas);
	tcase_add_test(tc, every_address_of_a_function_is_covered);
	tcase_add_loop_test(tc, a_name_in_place_ends_in_its_section, 0, 2);
	tcase_add_test(tc, no_debugging_information_is_no_error);
	tcase_add_test(tc, damaged_sections_do_no_harm);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
