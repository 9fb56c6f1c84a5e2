/* DWARF that was moved into other files: the answers are those of the program as it was compiled.
 */
#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/symbol.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many bytes of code are asked for. */
enum { MAX_PLACES = 4096 };

/* Two programs that share types and functions, which is what dwz moves. */
static const char *const shared_header =
	"struct shape { int width, height; struct shape *next; long long area[4]; };\n"
	"enum colour { COLOUR_OF_THE_SKY, COLOUR_OF_THE_GRASS, COLOUR_OF_THE_SUN };\n"
	"static inline __attribute__((always_inline)) int area_of_shape(struct shape *shape)\n"
	"{\n"
	"	__asm__ volatile(\"mark_area: nop\");\n" /* 5 */
	"	return shape->width * shape->height;\n"
	"}\n"
	"static __attribute__((noinline)) int sum_of_shapes(struct shape *shape)\n" /* 8 */
	"{\n"
	"	enum colour colour = COLOUR_OF_THE_SUN;\n"
	"	int sum = colour;\n"
	"	for (; shape; shape = shape->next)\n"
	"		sum += area_of_shape(shape);\n"
	"	return sum;\n"
	"}\n";

static const char *const x_source = "#include \"sub/shape.h\"\n"
				    "int main(int argc, char **argv)\n"
				    "{\n"
				    "	struct shape shape = {argc, argc + 1, 0, {0}};\n"
				    "	(void)argv;\n"
				    "	return sum_of_shapes(&shape);\n"
				    "}\n";

static const char *const y_source = "#include \"sub/shape.h\"\n"
				    "int main(void)\n"
				    "{\n"
				    "	struct shape a = {1, 2, 0, {0}}, b = {3, 4, &a, {0}};\n"
				    "	return sum_of_shapes(&b);\n"
				    "}\n";

static struct scratch_path dir;
static struct symbol_settings settings;

static void setup(void)
{
	dir = scratch_make();
	settings = (struct symbol_settings){
		.demangle = DEMANGLE_FULL,
		.debug_dir = dir.text,
		.build_id_cache = dir.text,
		.threads = 1,
		.inlined = true,
	};
	toolchain_run(dir.text, "mkdir sub");
	scratch_write(dir.text, "sub/shape.h", shared_header);
	scratch_write(dir.text, "x.c", x_source);
	scratch_write(dir.text, "y.c", y_source);
}

static void teardown(void)
{
	scratch_remove(dir.text);
}

/* The places of the code of DIR/@name, one for each byte; returns their number. */
static size_t list_places(const char *name, struct place *places)
{
	bool nomem;
	struct elffile *file =
		elffile_open(open(scratch_join(dir.text, name).text, O_RDONLY), &nomem);
	const struct elffile_section *text;
	size_t nr;

	ck_assert_ptr_nonnull(file);
	text = &file->sections[elffile_section_named(file, ".text")];
	nr = text->size < MAX_PLACES ? text->size : MAX_PLACES;
	ck_assert_uint_gt(nr, 0);
	for (size_t i = 0; i < nr; i++)
		places[i] = (struct place){.address = text->offset + i};
	elffile_close(file);
	return nr;
}

static void print_answer(FILE *out, const struct place *place, const struct place_detail *detail)
{
	fprintf(out, "0x%" PRIx64 " %s:%u %s", detail->address, detail->filename, detail->line,
		reason_name(detail->reason));
	for (const struct symbol *at = place->symbol; at; at = at->inlined_into)
		fprintf(out, " < %s %s:%u", at->function, at->filename, at->line);
	fputc('\n', out);
}

static char refused[4096]; /* files of the binary that was read last */

/* What is known of each byte of the code of DIR/@name; for the caller to free. */
static char *answers_of(const char *name)
{
	struct place *places = calloc(MAX_PLACES, sizeof(*places));
	struct place_detail *details = calloc(MAX_PLACES, sizeof(*details));
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct place_list list = {.places = places, .details = details};
	char *text = NULL;
	struct error err;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	list.dso = dso_table_get(&dsos, DSO_USER, scratch_join(dir.text, name).text, NULL, 0);
	list.nr_places = list_places(name, places);
	for (size_t i = 0; i < list.nr_places; i++)
		details[i].wanted = true;
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	for (size_t i = 0; i < list.nr_places; i++)
		print_answer(out, &places[i], &details[i]);
	fclose(out);
	snprintf(refused, sizeof(refused), "%s", symbolizer_origin(symbolizer, list.dso).refused);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
	free(places);
	free(details);
	return text;
}

/* The first line in which the two differ, as far as they do not; NULL if they are the same. */
static const char *first_difference(const char *text, const char *other)
{
	const char *line = text;

	for (; *text == *other; text++, other++) {
		if (*text == '\0')
			return NULL;
		if (*text == '\n')
			line = text + 1;
	}
	return line;
}

static void check_same(const char *name, const char *expected)
{
	char *answers = answers_of(name);
	const char *line = first_difference(answers, expected);

	ck_assert_msg(!line, "%s: %.300s instead of: %.300s", name, line ? line : "",
		      line ? expected + (line - answers) : "");
	free(answers);
}

static void check_differs(const char *name, const char *expected)
{
	char *answers = answers_of(name);

	ck_assert_ptr_nonnull(first_difference(answers, expected));
	free(answers);
}

/* The answers of the program x as it was compiled, which hold what the source says. */
static char *compiled_answers(void)
{
	uint64_t mark = toolchain_address(dir.text, "x", "mark_area");
	char expected[256], *answers = answers_of("x");

	snprintf(expected, sizeof(expected),
		 "0x%" PRIx64 " /src/sub/shape.h:5  < area_of_shape /src/sub/shape.h:3"
		 " < sum_of_shapes /src/sub/shape.h:8\n",
		 mark);
	ck_assert_msg(strstr(answers, expected) != NULL, "no %s in %.300s", expected, answers);
	return answers;
}

/* ---- dwz ------------------------------------------------------------------------------------- */

static const char *const compilers[] = {"gcc -gdwarf-5 -O2", "gcc -gdwarf-4 -O2",
					"gcc -gdwarf-3 -O1"};

/*
 * Compiles x and y, and moves what they share from x.debug and y.debug to common.debug: x keeps
 * nothing but its code, so that the names of functions come from DWARF, too.
 */
static char *share(const char *compiler, const char *dwz, const char *link)
{
	char *answers;

	toolchain_run(dir.text,
		      "for p in x y; do %s -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
		      " -Wl,--build-id -o $p $p.c; done",
		      compiler);
	answers = compiled_answers();
	toolchain_run(dir.text,
		      "for p in x y; do objcopy --only-keep-debug $p $p.debug; strip $p;"
		      " objcopy --add-gnu-debuglink=$p.debug $p; done;"
		      " %s -m common.debug -M %s x.debug y.debug",
		      dwz, link);
	return answers;
}

START_TEST(dwarf_shared_by_two_programs)
{
	char *expected;

	if (!machine_has("dwz"))
		return;
	expected = share(compilers[_i], "dwz", "./common.debug");
	check_same("x", expected);
	toolchain_run(dir.text, "mv common.debug elsewhere");
	check_differs("x", expected);
	toolchain_run(dir.text, "cp y.debug common.debug"); /* of another build */
	check_differs("x", expected);
	free(expected);
}
END_TEST

/* DWARF 5 has a section of its own for the link. */
START_TEST(dwarf_5_shared_by_two_programs)
{
	char *expected;

	if (!machine_has("dwz"))
		return;
	expected = share("gcc -gdwarf-5 -O2", "dwz -5", "./common.debug");
	check_same("x", expected);
	toolchain_run(
		dir.text,
		"printf '\\377\\377\\377\\377' | dd of=common.debug conv=notrunc status=none bs=1"
		" seek=$(($(LC_ALL=C grep -obUaP '\\x05\\x00\\x01\\x00\\x14' "
		"common.debug | head -n 1 | cut -d : -f 1) + 6))");
	check_differs("x", expected);
	free(expected);
}
END_TEST

/* Within one file, what is shared by its units goes to partial units that they import. */
START_TEST(dwarf_shared_by_two_units)
{
	char *expected;

	if (!machine_has("dwz"))
		return;
	scratch_write(dir.text, "z.c",
		      "#include \"sub/shape.h\"\nint other(struct shape *shape);\n"
		      "int other(struct shape *shape)\n{\n"
		      "	return sum_of_shapes(shape) + sum_of_shapes(shape->next);\n}\n");
	toolchain_run(
		dir.text,
		"sed -i 's/mark_area: //' sub/shape.h && echo 'int other(struct shape *);"
		" int unused(struct shape *s) { __asm__(\"mark_area: nop\"); return other(s); "
		"}' >> x.c && %s -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED " -o x x.c z.c",
		compilers[_i]);
	expected = answers_of("x");
	ck_assert_ptr_nonnull(strstr(expected, " < area_of_shape /src/sub/shape.h:3"
					       " < sum_of_shapes /src/sub/shape.h:8\n"));
	toolchain_run(dir.text, "dwz x");
	check_same("x", expected);
	free(expected);
}
END_TEST

/* The link is absolute, counts from where a symbolic link leads, or the id leads there. */
static const struct {
	const char *link, *moves;
} places_of_shared[] = {
	{"$PWD/far/common.debug", "mkdir far && mv common.debug far"},
	{"../deep/common.debug", "mkdir deep a && mv common.debug deep && mv x.debug a/x.debug &&"
				 " ln -s a/x.debug x.debug"},
	{"/usr/lib/debug/.dwz/no-such-machine/common.debug",
	 "mkdir -p .dwz/no-such-machine && mv common.debug .dwz/no-such-machine"},
	{"./gone.debug",
	 "id=$(readelf -n common.debug | sed -n 's/.*Build ID: //p') && d=$(echo $id |"
	 " cut -c 1-2) && mkdir -p .build-id/$d && mv common.debug"
	 " .build-id/$d/$(echo $id | cut -c 3-).debug"},
};

START_TEST(where_shared_dwarf_is_found)
{
	char *expected;

	if (!machine_has("dwz"))
		return;
	expected = share("gcc -g -O2", "dwz", places_of_shared[_i].link);
	toolchain_run(dir.text, "%s", places_of_shared[_i].moves);
	check_same("x", expected);
	free(expected);
}
END_TEST

/* ---- split units ----------------------------------------------------------------------------- */

static const char *const splitters[] = {
	"gcc -gdwarf-5 -O2",	       "gcc -gdwarf-4 -O2",
	"gcc -gdwarf-5 -O0",	       "gcc -gdwarf-5 -O2 -ffunction-sections",
	"gcc -gdwarf-5 -O2 -gdwarf64", "gcc -gdwarf-5 -O2 -fdebug-types-section",
	"clang -gdwarf-5 -O2",	       "clang -gdwarf-4 -O2",
	"clang -gdwarf-5 -O0",	       "clang -gdwarf-5 -O2 -ffunction-sections",
};

/*
 * Compiles x of three units by @compiler, first whole, then split into x.dwo, y.dwo and z.dwo.
 * Returns the answers of the whole; NULL if there is no such compiler.
 */
static char *split(const char *compiler)
{
	char *answers;

	if (!machine_has(compiler[0] == 'c' ? "clang" : "gcc"))
		return NULL;
	scratch_write(dir.text, "y.c",
		      "#include \"sub/shape.h\"\nint hot(int), cold(int);\n"
		      "__attribute__((noinline)) int hot(int n)\n{\n"
		      "	struct shape shape = {n, n, 0, {0}};\n"
		      "	return sum_of_shapes(&shape);\n}\n"
		      "__attribute__((section(\".text.cold_part\"))) int cold(int n)\n{\n"
		      "	return hot(n) * 3;\n}\n");
	scratch_write(dir.text, "z.c", "int z(int n);\nint z(int n)\n{\n\treturn n / 3;\n}\n");
	toolchain_run(dir.text,
		      "sed -i 's/mark_area: //' sub/shape.h && for way in '' -gsplit-dwarf; "
		      "do for u in x y z; do %s $way -fdebug-prefix-map=\"$PWD\"=/src "
		      "-c -o $u.o $u.c; done && gcc " TOOLCHAIN_FIXED " -o x$way x.o y.o z.o; done",
		      compiler);
	answers = answers_of("x");
	ck_assert_ptr_nonnull(strstr(answers, " < area_of_shape /src/sub/shape.h:3"
					      " < sum_of_shapes /src/sub/shape.h:8\n"));
	ck_assert_ptr_nonnull(strstr(answers, " < cold /src/y.c:8\n"));
	toolchain_run(dir.text, "mv x-gsplit-dwarf x && mkdir -p root/src root/${PWD##*/} && "
				"cp x root/${PWD##*/} && mv *.dwo root/src");
	return answers;
}

/* The .dwo files are where the compiler was, seen below the directory that stands for the root. */
START_TEST(dwarf_split_by_the_compiler)
{
	struct scratch_path root = scratch_join(dir.text, "root");
	char *expected = split(splitters[_i]);

	if (!expected)
		return;
	check_differs("x", expected);
	ck_assert_str_eq(refused, "3 of 3 split units not found: first /src/x.dwo");
	settings.symfs = root.text;
	check_same("x", expected);
	ck_assert_str_eq(refused, "");
	toolchain_run(dir.text, "cp root/src/z.dwo root/src/y.dwo"); /* of another unit */
	check_differs("x", expected);
	ck_assert_str_eq(refused, "1 of 3 split units not found: first /src/y.dwo");
	free(expected);
}
END_TEST

/* GNU's dwp of binutils 2.40 knows version 4, LLVM's 14 nothing of 64-bit DWARF. */
static const struct {
	const char *packer, *compiler;
} packages[] = {
	{"dwp", "gcc -gdwarf-4 -O2"},	     {"dwp", "clang -gdwarf-4 -O2"},
	{"llvm-dwp", "gcc -gdwarf-4 -O2"},   {"llvm-dwp", "gcc -gdwarf-5 -O2"},
	{"llvm-dwp", "clang -gdwarf-5 -O2"}, {"llvm-dwp", "clang -gdwarf-5 -O0"},
};

/* All of them packed together, beside the program. */
START_TEST(dwarf_split_and_packed)
{
	char *expected;

	if (!machine_has(packages[_i].packer))
		return;
	expected = split(packages[_i].compiler);
	if (!expected)
		return;
	toolchain_run(dir.text,
		      "timeout 60 %s -o x.dwp root/src/x.dwo root/src/y.dwo root/src/z.dwo",
		      packages[_i].packer);
	check_same("x", expected);
	free(expected);
}
END_TEST

/* Writes @bytes to DIR/@name with some of them changed at random. */
static void write_damaged(const char *name, const char *bytes, size_t size, int changes)
{
	FILE *out = fopen(scratch_join(dir.text, name).text, "w");
	char *copy = malloc(size);

	ck_assert_ptr_nonnull(out);
	memcpy(copy, bytes, size);
	for (int i = 0; i < changes; i++)
		copy[64 + (size_t)rand() % (size - 64)] = (char)(rand() % 3 ? rand() : 0xff);
	fwrite(copy, 1, size, out);
	fclose(out);
	free(copy);
}

/* The answers do not matter, only that there are some. */
START_TEST(damaged_split_units_do_no_harm)
{
	static const char *const flags[] = {"gcc -gdwarf-5 -O2", "gcc -gdwarf-4 -O2"};
	struct scratch_path root = scratch_join(dir.text, "root");
	const char *name = "root/src/y.dwo";
	char *expected, bytes[65536];
	size_t size;
	FILE *file;

	if (_i >= 2 && !machine_has("llvm-dwp"))
		return;
	expected = split(flags[_i % 2]);
	if (_i < 2) {
		settings.symfs = root.text;
	} else {
		name = "x.dwp";
		toolchain_run(dir.text, "llvm-dwp -o x.dwp root/src/[xyz].dwo");
	}
	file = fopen(scratch_join(dir.text, name).text, "r");
	ck_assert_ptr_nonnull(file);
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	srand(3);
	for (int round = 0; round < 300; round++) {
		write_damaged(name, bytes, size, 1 + round % 8);
		free(answers_of("x"));
	}
	write_damaged(name, bytes, size, 0);
	check_same("x", expected);
	free(expected);
}
END_TEST

/* ---- packed sections ------------------------------------------------------------------------- */

/* objcopy packs by zstd since 2.40, libelf unpacks it since 0.190. */
START_TEST(dwarf_packed_by_zstd)
{
	char command[512], *expected;

	toolchain_run(dir.text, "%s -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED " -o x x.c",
		      compilers[_i]);
	expected = compiled_answers();
	snprintf(command, sizeof(command),
		 "objcopy --compress-debug-sections=zstd %s/x 2>/dev/null", dir.text);
	if (system(command) == 0)
		check_same("x", expected);
	else
		machine_lacks("this objcopy does not know zstd");
	free(expected);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("moved");
	TCase *tc = tcase_create("moved");

	tcase_set_timeout(tc, 0);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, dwarf_shared_by_two_programs, 0, 3);
	tcase_add_test(tc, dwarf_5_shared_by_two_programs);
	tcase_add_loop_test(tc, dwarf_shared_by_two_units, 0, 3);
	tcase_add_loop_test(tc, where_shared_dwarf_is_found, 0, 4);
	tcase_add_loop_test(tc, dwarf_split_by_the_compiler, 0, 10);
	tcase_add_loop_test(tc, dwarf_split_and_packed, 0, 6);
	tcase_add_loop_test(tc, damaged_split_units_do_no_harm, 0, 4);
	tcase_add_loop_test(tc, dwarf_packed_by_zstd, 0, 3);
	suite_add_tcase(s, tc);
	return suite_run(s);
}
