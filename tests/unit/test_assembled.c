/* Units that an assembler made: their functions have the unit's file, whether it is read or not. */
#include "decode/symbol/dwarf/assembled.h"
#include "decode/symbol/dwarf/debuginfo.h"
#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/symbol.h"
#include "tests/support/debugfile.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_AT = 0x400000 };

/* Functions with and without a size, in two sections; what is included has code, too. */
static const char far_s[] =
	".text\n.globl far, sizeless, hidden, aside\n"
	".type far, %function\nfar: nop\n#include \"part.h\"\n.size far, .-far\n"
	".type sizeless, %function\nsizeless: nop\n"
	".type hidden, %function\nhidden: nop\nnop\n.size hidden, .-hidden\n"
	".section .text.aside,\"ax\",%progbits\n"
	".type aside, %function\naside: nop\n.size aside, .-aside\n"
	".section .note.GNU-stack,\"\",%progbits\n";

/* Links x of near.c, far.S and @last with @flags; far.S is assembled by @assembler. */
static void build(const char *dir, const char *assembler, const char *flags, const char *last)
{
	scratch_write(dir, "near.c",
		      "int near(int n) { return n; }\nint main(void) { return 0; }\n");
	scratch_write(dir, "last.c", "int last(int n) { return n; }\n");
	scratch_write(dir, "far.S", far_s);
	toolchain_run(dir,
		      "mkdir sub && mv far.S sub && printf 'nop\\nnop\\n' >sub/part.h && "
		      "map=-fdebug-prefix-map=\"$PWD\"=/src && %s %s -g $map -c sub/far.S && "
		      "gcc %s -g $map " TOOLCHAIN_FIXED " -o x near.c far.o %s",
		      assembler, flags, flags, last);
}

/* Opens the DWARF of DIR/x, for the @nr @places only unless that is 0. */
static void open_dwarf(struct debugfile *opened, const char *dir, struct debug_place *places,
		       size_t nr)
{
	struct debug_files files = {0};
	bool nomem;

	*opened = (struct debugfile){.file = debugfile_elf(dir, "x")};
	files.main = opened->file;
	opened->info = nr ? debuginfo_open_part(&files, &opened->strings, places, nr, &nomem)
			  : debuginfo_open(&files, &opened->strings, false, &nomem);
	ck_assert(!nomem);
	ck_assert_ptr_nonnull(opened->info);
}

static void check_function(struct debugfile *opened, uint64_t address, const char *name,
			   const char *filename)
{
	const struct debug_function *function = debugfile_find(opened, address);

	ck_assert_ptr_nonnull(function);
	ck_assert_str_eq(function->name, name);
	ck_assert_str_eq(function->filename, filename);
	ck_assert_uint_eq(function->line, 0);
	ck_assert(!debuginfo_is_short(opened->info));
}

/* Returns how many bytes of .debug_info are unpacked. */
static size_t unpacked(const struct debugfile *opened)
{
	const struct elffile_section *info =
		&opened->file->sections[elffile_section_named(opened->file, ".debug_info")];

	if (info->unpacked)
		return SIZE_MAX;
	return info->nr_starts ? info->starts[info->nr_starts - 1].size : 0;
}

static const char *const formats[] = {"-gdwarf-5 -gz=zlib", "-gdwarf-4 -gz=zlib",
				      "-gdwarf-5 -gdwarf64 -gz=zlib", "-gdwarf-5 -gz=none"};

START_TEST(its_functions_are_in_its_file)
{
	const bool is_told = strstr(formats[_i], "zlib") && !strstr(formats[_i], "-gdwarf-4");
	struct scratch_path dir = scratch_make();
	struct debug_place place = {0};
	struct debugfile opened;
	uint64_t address;

	build(dir.text, "gcc", formats[_i], "");
	address = toolchain_address(dir.text, "x", "far");
	open_dwarf(&opened, dir.text, NULL, 0);
	check_function(&opened, address, "far", "/src/sub/far.S");
	check_function(&opened, address + 2, "far", "/src/sub/far.S"); /* a line of part.h */
	debugfile_close(&opened);

	place.address = address;
	open_dwarf(&opened, dir.text, &place, 1);
	check_function(&opened, address, "far", "/src/sub/far.S");
	debugfile_close(&opened);

	place.is_named = true;
	open_dwarf(&opened, dir.text, &place, 1);
	check_function(&opened, address, is_told ? "" : "far", "/src/sub/far.S");
	if (is_told)
		ck_assert_uint_eq(unpacked(&opened), 0);
	/* Of the unit only that place is known. */
	debugfile_find(&opened, address + 1);
	ck_assert_int_eq(debuginfo_is_short(opened.info), is_told);
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* LLVM's assembler gives labels, not functions. Its line table does not heed the prefix map. */
START_TEST(labels_are_in_its_file)
{
	struct scratch_path dir;
	struct debugfile opened;
	char *path;

	if (!machine_has("clang"))
		return;
	dir = scratch_make();
	build(dir.text, "clang", formats[_i], "");
	path = realpath(scratch_join(dir.text, "sub/far.S").text, NULL);
	ck_assert_ptr_nonnull(path);
	open_dwarf(&opened, dir.text, NULL, 0);
	check_function(&opened, toolchain_address(dir.text, "x", "far"), "",
		       _i == 0 ? path : "/src/sub/far.S");
	free(path);
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* Other units are read as far as they are needed; those before them with them. */
START_TEST(others_are_read)
{
	struct scratch_path dir = scratch_make();
	struct debug_place places[3] = {{.is_named = true}, {.is_named = true}, {.is_named = true}};
	uint64_t near, far, last;
	struct debugfile opened;
	size_t up_to_near;

	build(dir.text, "gcc", formats[0], "last.c");
	near = toolchain_address(dir.text, "x", "near");
	far = toolchain_address(dir.text, "x", "far");
	last = toolchain_address(dir.text, "x", "last");
	places[0].address = near;
	open_dwarf(&opened, dir.text, places, 1);
	up_to_near = unpacked(&opened);
	debugfile_close(&opened);
	places[0].address = near;
	places[1].address = far;
	open_dwarf(&opened, dir.text, places, 2);
	check_function(&opened, far, "", "/src/sub/far.S");
	ck_assert_str_eq(debugfile_find(&opened, near)->filename, "/src/near.c");
	ck_assert_uint_eq(debugfile_find(&opened, near)->line, 1);
	ck_assert_uint_eq(unpacked(&opened), up_to_near);
	debugfile_close(&opened);
	places[0].address = near;
	places[1].address = far;
	places[2].address = last;
	open_dwarf(&opened, dir.text, places, 3);
	check_function(&opened, far, "far", "/src/sub/far.S");
	ck_assert_str_eq(debugfile_find(&opened, last)->filename, "/src/last.c");
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* One place that DWARF may have to name is enough to have the unit read. */
START_TEST(a_unit_is_read_for_all_its_places)
{
	struct scratch_path dir = scratch_make();
	struct debug_place places[2] = {{.is_named = true}, {0}};
	uint64_t far, hidden;
	struct debugfile opened;

	build(dir.text, "gcc", formats[0], "");
	far = toolchain_address(dir.text, "x", "far");
	hidden = toolchain_address(dir.text, "x", "hidden");
	places[0].address = far;
	places[1].address = hidden;
	open_dwarf(&opened, dir.text, places, 2);
	check_function(&opened, far, "far", "/src/sub/far.S");
	check_function(&opened, hidden, "hidden", "/src/sub/far.S");
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* Of a unit with two ranges the line program starts in the first one. */
START_TEST(a_place_in_the_first_range_tells)
{
	struct scratch_path dir = scratch_make();
	struct debug_place places[2] = {{.is_named = true}, {.is_named = true}};
	uint64_t far, aside;
	struct debugfile opened;

	build(dir.text, "gcc", formats[0], "");
	far = toolchain_address(dir.text, "x", "far");
	aside = toolchain_address(dir.text, "x", "aside");
	places[0].address = aside;
	open_dwarf(&opened, dir.text, places, 1);
	check_function(&opened, aside, "aside", "/src/sub/far.S");
	debugfile_close(&opened);
	places[0].address = aside;
	places[1].address = far;
	open_dwarf(&opened, dir.text, places, 2);
	check_function(&opened, aside, "", "/src/sub/far.S");
	check_function(&opened, far, "", "/src/sub/far.S");
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* A symbol without a size hides the function behind it, which only DWARF names. */
START_TEST(doubtful_names_are_looked_for)
{
	struct scratch_path dir = scratch_make();
	const struct symbol_settings settings = {
		.debug_dir = dir.text, .build_id_cache = dir.text, .threads = 1};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct place places[2] = {{0}};
	struct place_list list = {
		.dso = dso_table_get(&dsos, DSO_USER, scratch_join(dir.text, "x").text, NULL, 0),
		.places = places,
		.nr_places = 2,
	};
	struct error err;

	build(dir.text, "gcc", formats[0], "");
	places[0].address = toolchain_address(dir.text, "x", "far") - FILE_AT;
	places[1].address = toolchain_address(dir.text, "x", "hidden") - FILE_AT + 1;
	toolchain_run(dir.text, "objcopy --strip-symbol=hidden x");
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(places[0].symbol->function, "far");
	ck_assert_str_eq(places[0].symbol->filename, "/src/sub/far.S");
	ck_assert_str_eq(places[1].symbol->function, "hidden");
	ck_assert_str_eq(places[1].symbol->filename, "/src/sub/far.S");
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

/* ---- by line programs alone ------------------------------------------------------------------ */

static struct line_sections lines_of(const struct elffile *file)
{
	const char *const names[] = {".debug_line", ".debug_line_str"};
	struct span spans[2];

	for (size_t i = 0; i < 2; i++)
		spans[i] = elfsection_bytes(file, elffile_section_named(file, names[i]));
	return (struct line_sections){.line = spans[0], .line_str = spans[1]};
}

/* Returns what is found for a place at @start; "" if nothing is. */
static const char *found_at(const struct line_sections *sections, struct intern *strings,
			    uint64_t start, bool is_named)
{
	struct debug_place place = {.address = start, .start = start, .is_named = is_named};
	size_t nr = 1;

	ck_assert_int_eq(assembled_find(sections, strings, &place, &nr), 0);
	ck_assert_uint_eq(nr, place.filename ? 0 : 1);
	return place.filename ? place.filename : "";
}

START_TEST(a_program_is_found_by_its_start)
{
	struct scratch_path dir = scratch_make();
	struct intern strings = {0};
	struct line_sections sections, twice, cut;
	struct elffile *file;
	uint64_t near, far;
	uint8_t *bytes;
	size_t size;

	build(dir.text, "gcc", "-gdwarf-5", "");
	file = debugfile_elf(dir.text, "x");
	sections = lines_of(file);
	near = toolchain_address(dir.text, "x", "near");
	far = toolchain_address(dir.text, "x", "far");
	ck_assert_str_eq(found_at(&sections, &strings, far, true), "/src/sub/far.S");
	ck_assert_str_eq(found_at(&sections, &strings, far, false), "");
	ck_assert_str_eq(found_at(&sections, &strings, far + 1, true), "");
	ck_assert_str_eq(found_at(&sections, &strings, near, true), "");
	cut = sections;
	for (size_t len = 0; len < span_left(&sections.line); len++) {
		cut.line.end = sections.line.pos + len;
		ck_assert_str_eq(found_at(&cut, &strings, far, true), "");
	}
	/* Two programs at one place: either may be its. */
	size = span_left(&sections.line);
	bytes = malloc(2 * size);
	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, sections.line.pos, size);
	memcpy(bytes + size, sections.line.pos, size);
	twice = sections;
	twice.line = span_make(bytes, 2 * size, sections.line.swap);
	ck_assert_str_eq(found_at(&twice, &strings, far, true), "");
	free(bytes);
	intern_free(&strings);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(assemblers_files_are_known_by_their_names)
{
	ck_assert(assembled_is_from("memmove.S"));
	ck_assert(assembled_is_from("/x/entry.s"));
	ck_assert(!assembled_is_from("x.c"));
	ck_assert(!assembled_is_from("S"));
	ck_assert(!assembled_is_from(".S"));
	ck_assert(!assembled_is_from("x.asS"));
	ck_assert(!assembled_is_from(""));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("assembled");
	TCase *tc = tcase_create("assembled");

	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, its_functions_are_in_its_file, 0,
			    sizeof(formats) / sizeof(formats[0]));
	tcase_add_loop_test(tc, labels_are_in_its_file, 0, 2);
	tcase_add_test(tc, others_are_read);
	tcase_add_test(tc, a_unit_is_read_for_all_its_places);
	tcase_add_test(tc, a_place_in_the_first_range_tells);
	tcase_add_test(tc, doubtful_names_are_looked_for);
	tcase_add_test(tc, a_program_is_found_by_its_start);
	tcase_add_test(tc, assemblers_files_are_known_by_their_names);
	suite_add_tcase(s, tc);
	return suite_run(s);
}
