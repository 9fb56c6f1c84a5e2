/* Inlined functions and source lines of real binaries, through the symbolizer. */
#include "decode/symbol/symbol.h"

#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* The file's bytes lie at this address. */
enum { FILE_AT = 0x400000 };

/* A place that the source marks with a label, and what is expected there. */
struct mark {
	const char *label;
	const char *chain; /* innermost first, "inner < outer" */
	const char *filename;
	unsigned line;
};

static const char *const c_source =
	"#define MARK(name) __asm__ volatile(#name \": nop\")\n"
	"#define INLINE	    static inline __attribute__((always_inline))\n"
	"INLINE void inner(void)\n{\n" /* 3 */
	"	MARK(mark_inner);\n"   /* 5 */
	"}\n"
	"INLINE void middle(void)\n{\n" /* 7 */
	"	MARK(mark_before);\n"	/* 9 */
	"	inner();\n"
	"	MARK(mark_after);\n" /* 11 */
	"}\n"
	"__attribute__((noinline)) int outer(int n)\n{\n" /* 13 */
	"	MARK(mark_outer);\n"			  /* 15 */
	"	middle();\n"
	"	return n;\n}\n"
	"INLINE void first(void)\n{\n	MARK(mark_first);\n}\n"	 /* 21 */
	"INLINE void second(void)\n{\n	MARK(mark_second);\n}\n" /* 25 */
	"__attribute__((noinline)) int blocks(int n)\n{\n"
	"	first();\n"
	"	{\n		volatile int k = n;\n		MARK(mark_block);\n" /* 32 */
	"		second();\n		n += k;\n	}\n	return n;\n}\n"
	"int main(int argc, char **argv)\n{\n	MARK(mark_main);\n" /* 40 */
	"	(void)argv;\n	return outer(argc) + blocks(argc);\n}\n";

static const struct mark c_marks[] = {
	{"mark_inner", "inner < middle < outer", "/src/x.c", 5},
	{"mark_before", "middle < outer", "/src/x.c", 9},
	{"mark_after", "middle < outer", "/src/x.c", 11},
	{"mark_outer", "outer", "/src/x.c", 15},
	{"mark_first", "first < blocks", "/src/x.c", 21},
	{"mark_block", "blocks", "/src/x.c", 32},
	{"mark_second", "second < blocks", "/src/x.c", 25}, /* in a block behind the first */
	{"mark_main", "main", "/src/x.c", 40},
};

static struct symbol_settings settings_of(const struct scratch_path *dir, bool inlined)
{
	return (struct symbol_settings){
		.demangle = DEMANGLE_FULL,
		.debug_dir = dir->text,
		.build_id_cache = dir->text,
		.threads = 1,
		.inlined = inlined,
	};
}

static void format_chain(const struct symbol *symbol, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (; symbol && len < size; symbol = symbol->inlined_into)
		len += (size_t)snprintf(text + len, size - len, "%s%s", len ? " < " : "",
					symbol->function);
}

/* Looks the marked place up alone, at once and with its details. */
static void check_mark(const struct symbol_settings *settings, const struct dso *dso,
		       uint64_t address, const struct mark *mark)
{
	struct symbolizer *symbolizer = symbolizer_create(settings);
	struct place place = {.address = address - FILE_AT};
	struct place_detail detail = {.wanted = true};
	struct place_list list = {.dso = dso, .places = &place, .nr_places = 1, .details = &detail};
	char text[512];
	struct error err;

	format_chain(symbolizer_find(symbolizer, dso, place.address, &err), text, sizeof(text));
	ck_assert_str_eq(text, mark->chain);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	format_chain(place.symbol, text, sizeof(text));
	ck_assert_str_eq(text, mark->chain);
	ck_assert_uint_eq(detail.address, address);
	ck_assert_str_eq(detail.filename, mark->filename);
	ck_assert_uint_eq(detail.line, mark->line);
	ck_assert_str_eq(reason_name(detail.reason), "");
	symbolizer_destroy(symbolizer);
}

static void check_marks(const struct scratch_path *dir, const struct mark *marks, size_t nr)
{
	struct symbol_settings settings = settings_of(dir, true);
	struct dso_table dsos = {0};
	const struct dso *dso =
		dso_table_get(&dsos, DSO_USER, scratch_join(dir->text, "x").text, NULL, 0);

	for (size_t i = 0; i < nr; i++)
		check_mark(&settings, dso, toolchain_address(dir->text, "x", marks[i].label),
			   &marks[i]);
	dso_table_free(&dsos);
}

static const char *const c_compilers[] = {
	"gcc -gdwarf-5 -O0",
	"gcc -gdwarf-5 -O2",
	"gcc -gdwarf-4 -O2",
	"gcc -gdwarf-3 -O1",
	"gcc -gdwarf-2 -gstrict-dwarf -O1",
	"gcc -gdwarf-5 -gdwarf64 -O2",
	"gcc -gdwarf-5 -gz=zlib -O2",
	"gcc -gdwarf-4 -gz=zlib-gnu -O2",
	"gcc -gdwarf-5 -O2 -ffunction-sections -Wl,--gc-sections",
	"gcc -gdwarf-5 -O2 -flto",
	"gcc -gdwarf-5 -O2 -gno-as-loc-support",
	"clang -gdwarf-5 -O0",
	"clang -gdwarf-5 -O2",
	"clang -gdwarf-4 -O2",
	"clang -gdwarf-2 -O1",
	"clang -gdwarf-5 -gdwarf64 -O2",
};

START_TEST(c_of_every_version)
{
	const char *compiler = c_compilers[_i];
	struct scratch_path dir;

	if (!machine_has(compiler[0] == 'c' ? "clang" : "gcc"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.c", c_source,
			"%s -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
			" -o x x.c 2>/dev/null",
			compiler);
	/* The labels are symbols too; perf and we pass over those inside a function. */
	check_marks(&dir, c_marks, sizeof(c_marks) / sizeof(c_marks[0]));
	scratch_remove(dir.text);
}
END_TEST

/* Link-time optimization inlines across units: the origin is in another unit. */
START_TEST(inlined_from_another_unit)
{
	static const struct mark marks[] = {
		{"mark_far", "far < main", "/src/y.c", 4},
		{"mark_main", "main", "/src/x.c", 4},
	};
	struct scratch_path dir = scratch_make();

	scratch_write(dir.text, "y.c",
		      "int far(int n);\nint far(int n)\n{\n"
		      "	__asm__ volatile(\"mark_far: nop\");\n	return n + 1;\n}\n");
	toolchain_build(dir.text, "x.c",
			"int far(int n);\nint main(int argc, char **argv)\n{\n"
			"	__asm__ volatile(\"mark_main: nop\");\n	(void)argv;\n"
			"	return far(argc);\n}\n",
			"gcc -g -O2 -flto -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
			" -o x x.c y.c");
	check_marks(&dir, marks, 2);
	scratch_remove(dir.text);
}
END_TEST

static const char *const cpp_compilers[] = {"g++ -gdwarf-5", "g++ -gdwarf-4", "clang++ -gdwarf-5"};

START_TEST(cplusplus_templates_with_commas)
{
	static const struct mark marks[] = {
		{"mark_get", "ns::pair<int, long>::get(int, long) const < main", "/src/x.cc", 5},
		{"mark_lambda", "main()::{lambda#1}::operator() < main", "/src/x.cc", 11},
	};
	const char *compiler = cpp_compilers[_i];
	struct scratch_path dir;

	if (!machine_has(compiler[0] == 'c' ? "clang++" : "g++"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.cc",
			"namespace ns {\n"
			"template <class A, class B> struct pair {\n"
			"	__attribute__((always_inline)) long get(A a, B b) const\n	{\n"
			"		__asm__ volatile(\"mark_get: nop\");\n" /* 5 */
			"		return a + b;\n	}\n};\n}\n"
			"int main(int argc, char **)\n{"
			"	auto add = [](int n) __attribute__((always_inline)) { __asm__ "
			"volatile(\"mark_lambda: nop\"); return n; };\n" /* 11 */
			"	return (int)ns::pair<int, long>().get(argc, 2) + add(argc);\n}\n",
			"%s -O2 -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
			" -o x x.cc 2>/dev/null",
			compiler);
	/* gcc gives a lambda no linkage name. */
	check_marks(&dir, marks, compiler[0] == 'c' ? 1 : 2);
	scratch_remove(dir.text);
}
END_TEST

/* All that may be around a function; MARK() is its line. */
static const char *const scopes_source =
	"#define MARK(name) __asm__ volatile(#name \": nop\")\n"
	"#define ALWAYS __attribute__((always_inline))\n"
	"struct { int x; } nameless_and_no_lambda;\n"
	"namespace a { namespace {\n"
	"ALWAYS static inline void hidden() { MARK(mark_hidden); }\n" /* 5 */
	"} namespace b {\n"
	"struct C {\n"
	"	struct D { template <class T> ALWAYS int get(T t) { MARK(mark_get); return t; } "
	"};\n"
	"	__attribute__((noipa)) int run(int n);\n"
	"};\n"
	"int C::run(int n)\n{\n" /* 11 */
	"	struct Local { ALWAYS void f() { MARK(mark_local); } };\n"
	"	auto one = [](int) ALWAYS { MARK(mark_one); };\n"
	"	if (n) {\n"
	"		auto two = [](int) ALWAYS { MARK(mark_two); };\n" /* 16 */
	"		two(n);\n"
	"	}\n"
	"	{\n"
	"		auto three = [](int) ALWAYS { MARK(mark_three); };\n" /* 20 */
	"		three(n);\n"
	"	}\n"
	"	hidden();\n"
	"	one(n);\n"
	"	Local().f();\n"
	"	return D().get(n);\n"
	"}\n"
	"}}\n"
	"extern \"C\" ALWAYS inline void plain() { MARK(mark_plain); }\n" /* 29 */
	"int main(int argc, char **) { plain(); return a::b::C().run(argc); }\n";

static const struct mark scopes_marks[] = {
	{"mark_hidden", "a::(anonymous namespace)::hidden < a::b::C::run(int)", "/src/x.cc", 5},
	{"mark_get", "int a::b::C::D::get<int>(int) < a::b::C::run(int)", "/src/x.cc", 8},
	{"mark_local", "a::b::C::run()::Local::f < a::b::C::run(int)", "/src/x.cc", 13},
	{"mark_one", "a::b::C::run()::{lambda#1}::operator() < a::b::C::run(int)", "/src/x.cc", 14},
	{"mark_two", "a::b::C::run()::{lambda#2}::operator() < a::b::C::run(int)", "/src/x.cc", 16},
	{"mark_three", "a::b::C::run()::{lambda#3}::operator() < a::b::C::run(int)", "/src/x.cc",
	 20},
	{"mark_plain", "plain < main", "/src/x.cc", 29},
};

START_TEST(scopes_of_functions_without_a_linkage_name)
{
	static const char *const options[] = {"-gdwarf-5", "-gdwarf-4", "-gdwarf-5 -flto"};
	struct scratch_path dir;

	if (!machine_has("g++"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.cc", scopes_source,
			"g++ -O2 -w %s -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
			" -o x x.cc",
			options[_i]);
	check_marks(&dir, scopes_marks, sizeof(scopes_marks) / sizeof(scopes_marks[0]));
	scratch_remove(dir.text);
}
END_TEST

START_TEST(functions_with_code_count_unless_asked_otherwise)
{
	struct scratch_path dir = scratch_make();
	struct symbol_settings settings = settings_of(&dir, false);
	struct dso_table dsos = {0};
	const struct mark mark = {"mark_inner", "outer", "/src/x.c", 5};

	toolchain_build(dir.text, "x.c", c_source,
			"gcc -g -O2 -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED " -o x x.c");
	check_mark(&settings,
		   dso_table_get(&dsos, DSO_USER, scratch_join(dir.text, "x").text, NULL, 0),
		   toolchain_address(dir.text, "x", mark.label), &mark);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

/* One list of several places: which have details, and why there is no line. */
START_TEST(details_and_reasons)
{
	struct scratch_path dir = scratch_make();
	struct symbol_settings settings = settings_of(&dir, true);
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct place places[3] = {{0}};
	struct place_detail details[3] = {{0}}, gone = {.wanted = true};
	struct place lost = {.address = 0x123};
	struct place_list lists[2];
	uint64_t in_asm, outer;
	struct error err;

	scratch_write(dir.text, "y.S",
		      "	.text\n	.globl in_asm\n	.type in_asm,%function\nin_asm:\n"
		      "	.skip 8\n	.size in_asm, 8\n"
		      "	.section .note.GNU-stack,\"\",%progbits\n");
	toolchain_build(dir.text, "x.c", c_source,
			"gcc -g -O2 -fdebug-prefix-map=\"$PWD\"=/src -c x.c && gcc -c y.S && "
			"gcc " TOOLCHAIN_FIXED " -o x y.o x.o");
	in_asm = toolchain_address(dir.text, "x", "in_asm");
	outer = toolchain_address(dir.text, "x", "outer");
	places[0].address = in_asm + 3 - FILE_AT;
	places[1].address = outer - FILE_AT;
	places[2].address = outer + 1 - FILE_AT;
	details[0].wanted = details[2].wanted = true;
	ck_assert_uint_lt(in_asm, outer);
	lists[0] = (struct place_list){
		.dso = dso_table_get(&dsos, DSO_USER, scratch_join(dir.text, "x").text, NULL, 0),
		.places = places,
		.nr_places = 3,
		.details = details};
	lists[1] = (struct place_list){
		.dso = dso_table_get(&dsos, DSO_USER, "/nonexistent/x", NULL, 0),
		.places = &lost,
		.nr_places = 1,
		.details = &gone};
	ck_assert_int_eq(symbolizer_resolve(symbolizer, lists, 2, NULL, NULL, &err), 0);
	ck_assert_str_eq(places[0].symbol->function, "in_asm");
	ck_assert_str_eq(reason_name(details[0].reason), "outside-lines");
	ck_assert_str_eq(details[0].filename, "");
	ck_assert_uint_eq(details[0].address, in_asm + 3);
	ck_assert_uint_eq(details[0].offset, 3);
	ck_assert_ptr_null(details[1].filename); /* not wanted */
	ck_assert_str_eq(details[2].filename, "/src/x.c");
	ck_assert_uint_eq(details[2].address, outer + 1);
	ck_assert_uint_eq(details[2].offset, 1);
	ck_assert_str_eq(reason_name(gone.reason), "file-missing");
	ck_assert_str_eq(gone.filename, "");
	ck_assert_uint_eq(gone.address, 0x123);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(a_binary_without_lines)
{
	struct scratch_path dir = scratch_make();
	struct symbol_settings settings = settings_of(&dir, true);
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct place place = {0};
	struct place_detail detail = {.wanted = true};
	struct place_list list = {.places = &place, .nr_places = 1, .details = &detail};
	struct error err;

	toolchain_build(dir.text, "x.c", c_source, "gcc -g0 -O2 " TOOLCHAIN_FIXED " -o x x.c");
	list.dso = dso_table_get(&dsos, DSO_USER, scratch_join(dir.text, "x").text, NULL, 0);
	place.address = toolchain_address(dir.text, "x", "mark_inner") - FILE_AT;
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(place.symbol->function, "outer");
	ck_assert_str_eq(reason_name(detail.reason), "no-lines");
	ck_assert_str_eq(detail.filename, "");
	ck_assert_uint_eq(detail.line, 0);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("inlined");
	TCase *tcase = tcase_create("inlined");

	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, c_of_every_version, 0,
			    sizeof(c_compilers) / sizeof(c_compilers[0]));
	tcase_add_test(tcase, inlined_from_another_unit);
	tcase_add_loop_test(tcase, cplusplus_templates_with_commas, 0, 3);
	tcase_add_loop_test(tcase, scopes_of_functions_without_a_linkage_name, 0, 3);
	tcase_add_test(tcase, functions_with_code_count_unless_asked_otherwise);
	tcase_add_test(tcase, details_and_reasons);
	tcase_add_test(tcase, a_binary_without_lines);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
