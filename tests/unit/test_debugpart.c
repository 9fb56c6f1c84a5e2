/* As much of the DWARF as a few addresses need: the same answers as from all of it, or none. */
#include "decode/symbol/dwarf/aranges.h"
#include "decode/symbol/dwarf/debuginfo.h"
#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/symbol.h"
#include "tests/support/debugfile.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NR_UNITS = 30, FILE_AT = 0x400000 };

#ifdef HAVE_LIBDEFLATE
static const bool unpacks_starts = true;
#else
static const bool unpacks_starts = false; /* libelf unpacks all */
#endif

/* Opens what the @nr @addresses need, or all if there are none, of @file, which it takes over. */
static void open_dwarf(struct debugfile *opened, struct elffile *file, const uint64_t *addresses,
		       size_t nr)
{
	const struct debug_files files = {.main = file};
	struct debug_place places[8] = {0};
	bool nomem;

	ck_assert_uint_le(nr, 8);
	for (size_t i = 0; i < nr; i++)
		places[i].address = addresses[i];
	*opened = (struct debugfile){.file = file};
	opened->info = nr ? debuginfo_open_part(&files, &opened->strings, places, nr, &nomem)
			  : debuginfo_open(&files, &opened->strings, false, &nomem);
	ck_assert(!nomem);
}

/* ---- real binaries --------------------------------------------------------------------------- */

/* Unit N has function fN at line N + 1, and inline code of a header. */
static void build_units(const char *dir, const char *flags)
{
	toolchain_run(
		dir,
		"i=0; while [ $i -lt %d ]; do { j=0; while [ $j -lt $i ]; do echo; j=$((j + 1)); "
		"done; echo \"int f$i(int n) { return n * $i; }\"; "
		"echo '#include <stdio.h>'; echo '#include <stdlib.h>'; } >u$i.c; i=$((i + 1)); "
		"done; echo 'int main(void) { return 0; }' >main.c",
		NR_UNITS);
	toolchain_run(dir,
		      "%s -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
		      " -o x main.c $(ls u*.c | sort -V)",
		      flags);
}

static void take_unit(void *arg, const char *symbol, uint64_t address)
{
	uint64_t *addresses = arg;
	unsigned unit;
	char behind;

	if (sscanf(symbol, "f%u%c", &unit, &behind) == 1 && unit < NR_UNITS)
		addresses[unit] = address;
}

/* Of function fN of all units; none is 0. */
static void addresses_of(const char *dir, uint64_t addresses[NR_UNITS])
{
	memset(addresses, 0, NR_UNITS * sizeof(*addresses));
	toolchain_symbols(dir, "x", take_unit, addresses);
	for (unsigned unit = 0; unit < NR_UNITS; unit++)
		ck_assert_uint_ne(addresses[unit], 0);
}

static void check_function(struct debugfile *opened, uint64_t address, unsigned unit)
{
	const struct debug_function *function = debugfile_find(opened, address);
	char text[32];

	ck_assert(!debuginfo_is_short(opened->info));
	ck_assert_ptr_nonnull(function);
	snprintf(text, sizeof(text), "f%u", unit);
	ck_assert_str_eq(function->name, text);
	snprintf(text, sizeof(text), "/src/u%u.c", unit);
	ck_assert_str_eq(function->filename, text);
	ck_assert_uint_eq(function->line, unit + 1);
}

static const char *const flags[] = {
	"gcc -gdwarf-5 -gz=none",
	"gcc -gdwarf-5 -gz=zlib",
	"gcc -gdwarf-4 -gz=zlib",
	"gcc -gdwarf-5 -gdwarf64 -gz=zlib",
	"gcc -g -O2 -gz=zlib -ffunction-sections",
	"gcc -g -gsplit-dwarf -gz=zlib",
};

START_TEST(a_part_tells_what_all_of_it_tells)
{
	struct scratch_path dir = scratch_make();
	const bool is_split = strstr(flags[_i], "split");
	uint64_t addresses[NR_UNITS];

	build_units(dir.text, flags[_i]);
	addresses_of(dir.text, addresses);
	for (unsigned unit = 0; unit < NR_UNITS; unit += 7) {
		const uint64_t two[] = {addresses[unit / 2], addresses[unit]};
		struct debugfile opened;

		open_dwarf(&opened, debugfile_elf(dir.text, "x"), two, 2);
		ck_assert_ptr_nonnull(opened.info);
		ck_assert(debuginfo_is_part(opened.info));
		if (is_split) { /* the .dwo files are not where the prefix map says */
			ck_assert_ptr_null(debugfile_find(&opened, two[0]));
			ck_assert(!debuginfo_is_short(opened.info));
		} else {
			check_function(&opened, two[0], unit / 2);
			check_function(&opened, two[1], unit);
		}
		debugfile_close(&opened);
	}
	scratch_remove(dir.text);
}
END_TEST

START_TEST(only_the_start_is_unpacked)
{
	struct scratch_path dir = scratch_make();
	struct debugfile opened;
	uint64_t address;
	size_t info, size;

	build_units(dir.text, "gcc -gdwarf-5 -gz=zlib");
	address = toolchain_address(dir.text, "x", "f9");
	open_dwarf(&opened, debugfile_elf(dir.text, "x"), &address, 1);
	info = elffile_section_named(opened.file, ".debug_info");
	size = elfsection_size(opened.file, info);
	check_function(&opened, address, 9);
	ck_assert_uint_gt(size, 0);
	if (unpacks_starts) {
		ck_assert_ptr_null(opened.file->sections[info].unpacked);
		ck_assert_uint_eq(opened.file->sections[info].nr_starts, 1);
		ck_assert_uint_lt(opened.file->sections[info].starts[0].size, size / 2);
		ck_assert_uint_gt(elfsection_unpacked(opened.file), 0);
	}
	/* Another unit needs all of it; what was there before stays valid until then. */
	ck_assert_ptr_null(debugfile_find(&opened, toolchain_address(dir.text, "x", "f20")));
	ck_assert(debuginfo_is_short(opened.info));
	ck_assert_uint_eq(size, ({
				  struct span bytes = elfsection_bytes(opened.file, info);
				  span_left(&bytes);
			  }));
	ck_assert_uint_eq(elfsection_size(opened.file, info), size);
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* Each time more, up to all of it; what was given before stays as it was. */
START_TEST(starts_become_longer)
{
	struct scratch_path dir = scratch_make();
	struct span starts[9], all;
	struct elffile *file;
	size_t info, size;

	build_units(dir.text, "gcc -gdwarf-5 -gz=zlib");
	file = debugfile_elf(dir.text, "x");
	info = elffile_section_named(file, ".debug_info");
	size = elfsection_size(file, info);
	for (size_t i = 0; i < 9; i++)
		starts[i] = elfsection_start(file, info, (i + 1) * size / 10);
	all = elfsection_bytes(file, info);
	ck_assert_uint_eq(span_left(&all), size);
	for (size_t i = 0; i < 9; i++) {
		ck_assert_uint_eq(span_left(&starts[i]), (i + 1) * size / 10);
		ck_assert_mem_eq(starts[i].pos, all.pos, span_left(&starts[i]));
	}
	ck_assert_uint_eq(file->sections[info].nr_starts, unpacks_starts ? 4 : 0);
	ck_assert_uint_eq(
		elfsection_unpacked(file),
		size + (unpacks_starts ? size / 10 + 2 * size / 10 + 3 * size / 10 + 4 * size / 10
				       : 0));
	starts[0] = elfsection_start(file, info, 2 * size);
	ck_assert_uint_eq(span_left(&starts[0]), size);
	starts[0] = elfsection_start(file, info, 0);
	ck_assert_uint_eq(span_left(&starts[0]), 0);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* If more is expected, a start that is somewhat longer is unpacked already; but never nearly all.
 */
START_TEST(starts_with_some_more)
{
	struct scratch_path dir = scratch_make();
	struct span start, longer;
	struct elffile *file;
	size_t info, size, longest;

	build_units(dir.text, "gcc -gdwarf-5 -gz=zlib");
	file = debugfile_elf(dir.text, "x");
	info = elffile_section_named(file, ".debug_info");
	size = elfsection_size(file, info);
	longest = size - size / 4;
	file->expects_more = true;
	start = elfsection_start(file, info, size / 4);
	ck_assert_uint_eq(span_left(&start), size / 4);
	ck_assert_uint_eq(elfsection_unpacked(file), unpacks_starts ? size / 4 + size / 16 : size);
	longer = elfsection_start(file, info, size / 4 + size / 16);
	ck_assert_uint_eq(span_left(&longer), size / 4 + size / 16);
	ck_assert_ptr_eq(longer.pos, start.pos);
	(void)elfsection_start(file, info, longest - 1);
	ck_assert_uint_eq(elfsection_unpacked(file),
			  unpacks_starts ? size / 4 + size / 16 + longest : size);
	longer = elfsection_start(file, info, longest);
	ck_assert_uint_eq(span_left(&longer), longest);
	ck_assert_uint_eq(file->sections[info].nr_starts, unpacks_starts ? 2 : 0);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* Two units with a copy of g() each, of which the linker has left one: the last unit names it. */
static const char copies_of_g[] =
	"mkdir one two && echo 'inline int g(int n) { return n; }' | tee one/h.h >two/h.h && "
	"for i in one two; do printf '#include \"%s/h.h\"\\nint f%s(int n) { return g(n); }\\n' $i "
	"$i >$i.cc; done && g++ -O0 -g -gz=zlib -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
	" -o x x.cc one.cc two.cc && ln x y";

/* What was opened for one path of a file does not answer for another. */
START_TEST(each_list_has_its_own_part)
{
	struct scratch_path dir;
	struct symbol_settings settings = {.threads = 1};
	struct symbolizer *symbolizer;
	struct dso_table dsos = {0};
	struct place places[2];
	struct place_list lists[2];
	struct error err;

	if (!machine_has("g++"))
		return;
	dir = scratch_make();
	settings.debug_dir = settings.build_id_cache = dir.text;
	symbolizer = symbolizer_create(&settings);
	toolchain_build(dir.text, "x.cc", "int main() { return 0; }\n", "%s", copies_of_g);
	places[0].address = toolchain_address(dir.text, "x", "_Z4fonei") - FILE_AT;
	places[1].address = toolchain_address(dir.text, "x", "_Z1gi") - FILE_AT;
	for (int i = 0; i < 2; i++) {
		const struct scratch_path path = scratch_join(dir.text, i ? "y" : "x");

		places[i].symbol = NULL;
		lists[i] = (struct place_list){
			.dso = dso_table_get(&dsos, DSO_USER, path.text, NULL, 0),
			.places = &places[i],
			.nr_places = 1,
		};
	}
	ck_assert_int_eq(symbolizer_resolve(symbolizer, lists, 2, NULL, NULL, &err), 0);
	ck_assert_str_eq(places[0].symbol->filename, "/src/one.cc");
	ck_assert_str_eq(places[1].symbol->filename, "/src/two/h.h");
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(without_aranges_there_is_no_part)
{
	const uint64_t nowhere[] = {1};
	struct scratch_path dir = scratch_make();
	struct debugfile opened;
	uint64_t address;

	build_units(dir.text, "gcc -g");
	open_dwarf(&opened, debugfile_elf(dir.text, "x"), nowhere, 1);
	ck_assert_ptr_null(opened.info);
	debugfile_close(&opened);
	address = toolchain_address(dir.text, "x", "f3");
	toolchain_run(dir.text, "objcopy --rename-section .debug_line=.zdebug_line x y");
	open_dwarf(&opened, debugfile_elf(dir.text, "y"), &address, 1);
	ck_assert_ptr_null(opened.info);
	debugfile_close(&opened);
	toolchain_run(dir.text, "objcopy --remove-section=.debug_aranges x");
	open_dwarf(&opened, debugfile_elf(dir.text, "x"), &address, 1);
	ck_assert_ptr_null(opened.info);
	debugfile_close(&opened);
	scratch_remove(dir.text);
}
END_TEST

/* ---- what does not suffice ------------------------------------------------------------------- */

/*
 * A unit with the function work(), whose name and line are in the next unit, which covers more().
 * Both are listed.
 */
static const char refers_ahead[] =
	".section .debug_abbrev,\"\"\n"
	".uleb128 1, 0x11\n.byte 1\n.uleb128 0x11, 1, 0x12, 0x0b, 0, 0\n" /* unit */
	".uleb128 2, 0x2e\n.byte 0\n.uleb128 0x11, 1, 0x12, 0x0b, 0x31, 0x10, 0, 0\n"
	".uleb128 3, 0x2e\n.byte 0\n.uleb128 3, 8, 0x3b, 0x0b, 0, 0\n.byte 0\n"
	".section .debug_info,\"\"\n"
	"first: .4byte 3f - 1f\n1: .2byte 4\n.4byte .debug_abbrev\n.byte 8\n"
	".uleb128 1\n.8byte work\n.byte 4\n"
	".uleb128 2\n.8byte work\n.byte 4\n.4byte there\n.byte 0\n3:\n"
	"second: .4byte 3f - 1f\n1: .2byte 4\n.4byte .debug_abbrev\n.byte 8\n"
	".uleb128 1\n.8byte more\n.byte 4\n"
	"there: .uleb128 3\n.asciz \"origin\"\n.byte 77\n.byte 0\n3: third:\n"
	".section .debug_aranges,\"\"\n"
	".4byte 2f - 1f\n1: .2byte 2\n.4byte UNIT1\n.byte 8, 0\n.4byte 0\n"
	".8byte work, 4, 0, 0\n2:\n"
	".4byte 2f - 1f\n1: .2byte 2\n.4byte UNIT2\n.byte 8, 0\n.4byte 0\n"
	".8byte more, 4, 0, 0\n2:\n"
	".section .note.GNU-stack,\"\"\n";

static void build_assembly(const char *dir, const char *first, const char *second)
{
	scratch_write(dir, "x.c",
		      "int work(void) { return 1; }\nint more(void) { return 2; }\n"
		      "int main(void) { return 0; }\n");
	toolchain_build(dir, "dwarf.s", refers_ahead,
			"sed -i 's/UNIT1/%s/; s/UNIT2/%s/' dwarf.s && gcc " TOOLCHAIN_FIXED
			" -nostartfiles -e main -o x x.c dwarf.s",
			first, second);
}

static void check_short(const char *dir, bool has_part)
{
	const uint64_t work = toolchain_address(dir, "x", "work");
	struct debugfile opened;

	open_dwarf(&opened, debugfile_elf(dir, "x"), &work, 1);
	ck_assert_int_eq(opened.info != NULL, has_part);
	if (has_part) {
		ck_assert(!debuginfo_is_short(opened.info));
		debugfile_find(&opened, work);
		ck_assert(debuginfo_is_short(opened.info));
	}
	debugfile_close(&opened);
	open_dwarf(&opened, debugfile_elf(dir, "x"), NULL, 0);
	ck_assert_str_eq(debugfile_find(&opened, work)->name, "origin");
	ck_assert_uint_eq(debugfile_find(&opened, work)->line, 77);
	ck_assert(!debuginfo_is_short(opened.info));
	debugfile_close(&opened);
}

/* The symbolizer then reads all of it. */
static void check_symbolizer(const char *dir)
{
	const struct symbol_settings settings = {
		.demangle = DEMANGLE_FULL,
		.debug_dir = dir,
		.build_id_cache = dir,
		.threads = 1,
	};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct place place = {.address = toolchain_address(dir, "x", "work") - FILE_AT};
	struct place_list list = {
		.dso = dso_table_get(&dsos, DSO_USER, scratch_join(dir, "x").text, NULL, 0),
		.places = &place,
		.nr_places = 1,
	};
	struct error err;

	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(place.symbol->function, "work");
	ck_assert_uint_eq(place.symbol->line, 77);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
}

START_TEST(what_refers_to_the_rest_is_not_answered)
{
	struct scratch_path dir = scratch_make();

	build_assembly(dir.text, "first", "second");
	check_short(dir.text, true);
	check_symbolizer(dir.text);
	scratch_remove(dir.text);
}
END_TEST

/* Another unit, a wrong order, none at that place, one that the next one cuts. */
START_TEST(wrong_lists_are_noticed)
{
	static const struct {
		const char *first, *second;
		bool has_part;
	} cases[] = {
		{"second", "third", true},	{"second", "first", false},
		{"first + 1", "second", false}, {"0x7fffffff", "second", false},
		{"first", "first + 20", false},
	};
	struct scratch_path dir = scratch_make();

	build_assembly(dir.text, cases[_i].first, cases[_i].second);
	check_short(dir.text, cases[_i].has_part);
	check_symbolizer(dir.text);
	scratch_remove(dir.text);
}
END_TEST

/* Damage makes a part impossible or too short; it never changes what is told. */
START_TEST(damaged_lists_change_no_answer)
{
	struct scratch_path dir = scratch_make();
	struct debugfile whole;
	struct span image;
	uint64_t addresses[NR_UNITS];
	size_t nr_parts = 0;
	bool nomem;

	build_units(dir.text, "gcc -gdwarf-5 -gz=none");
	addresses_of(dir.text, addresses);
	open_dwarf(&whole, debugfile_elf(dir.text, "x"), NULL, 0);
	image = elffile_image(whole.file);
	srand(3);
	for (int round = 0; round < 1000; round++) {
		const unsigned unit = (unsigned)rand() % NR_UNITS;
		char *copy = memcpy(malloc(span_left(&image)), image.pos, span_left(&image));
		const size_t number = elffile_section_named(whole.file, ".debug_aranges");
		const struct elffile_section *section = &whole.file->sections[number];
		struct debugfile opened;

		for (int i = 0; i <= round % 4; i++)
			copy[section->offset + (size_t)rand() % section->size] =
				(char)(rand() % 2 ? rand() : 0);
		open_dwarf(&opened, elffile_adopt(copy, span_left(&image), &nomem),
			   &addresses[unit], 1);
		if (opened.info) {
			const struct debug_function *function =
				debugfile_find(&opened, addresses[unit]);

			nr_parts++;
			if (!debuginfo_is_short(opened.info)) {
				ck_assert_ptr_nonnull(function);
				ck_assert_str_eq(function->name,
						 debugfile_find(&whole, addresses[unit])->name);
				ck_assert_str_eq(function->filename,
						 debugfile_find(&whole, addresses[unit])->filename);
			}
		}
		debugfile_close(&opened);
	}
	ck_assert_uint_gt(nr_parts, 500);
	debugfile_close(&whole);
	scratch_remove(dir.text);
}
END_TEST

/* ---- the lists alone ------------------------------------------------------------------------- */

static size_t put(uint8_t *to, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(i < 8 ? value >> 8 * i : 0);
	return bytes;
}

/* Writes the list of the unit at @unit for 16 addresses from @start on, as version @version. */
static size_t put_set(uint8_t *to, uint64_t unit, uint64_t start, unsigned size, bool is_64bit,
		      unsigned version)
{
	const size_t word = is_64bit ? 8 : 4, head = is_64bit ? 12 : 4;
	const size_t before = head + 2 + word + 2,
		     pad = (2 * size - before % (2 * size)) % (2 * size);
	size_t at = is_64bit ? put(to, UINT32_MAX, 4) : 0;

	at += put(to + at, before - head + pad + size * 6, word);
	at += put(to + at, version, 2);
	at += put(to + at, unit, word);
	at += put(to + at, size, 1);
	at += put(to + at, 0, 1 + pad);
	at += put(to + at, 0, size) + put(to + at + size, 0x1000, size); /* was discarded */
	at += put(to + at, start, size) + put(to + at + size, 16, size);
	return at + put(to + at, 0, size) + put(to + at + size, 0, size);
}

static struct span section_of(const uint8_t *bytes, size_t len)
{
	return span_make(bytes, len, __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__);
}

/* Lists of each size of words and addresses. */
START_TEST(units_are_found_by_their_lists)
{
	static const uint64_t none[] = {0x310, 8, 0x700}; /* an end, discarded, of a version */
	struct debug_place found[] = {{.address = 0x30f}, {.address = 0x100}, {.address = 0x300}};
	struct debug_place last = {.address = 0x200}, place;
	uint8_t bytes[512];
	size_t len = 0;
	bool all;

	len += put_set(bytes + len, 200, 0x700, 8, false, 3); /* of another version */
	len += put_set(bytes + len, 20, 0x100, 4, true, 2);
	len += put_set(bytes + len, 90, 0x300, 8, false, 2);
	len += put_set(bytes + len, 100, 0x400, 4, false, 2);
	len += put_set(bytes + len, 120, 0x200, 8, true, 2);
	ck_assert_int_eq(aranges_find(section_of(bytes, len), found, 3, &all), 0);
	ck_assert(all);
	ck_assert_uint_eq(found[0].address, 0x100);
	ck_assert_uint_eq(found[0].start, 0x100);
	ck_assert_uint_eq(found[0].unit, 20);
	ck_assert_uint_eq(found[0].end, 90);
	for (size_t i = 1; i < 3; i++) {
		ck_assert_uint_eq(found[i].start, 0x300);
		ck_assert_uint_eq(found[i].unit, 90);
		ck_assert_uint_eq(found[i].end, 100);
	}
	ck_assert_int_eq(aranges_find(section_of(bytes, len), &last, 1, &all), 0);
	ck_assert(all);
	ck_assert_uint_eq(last.unit, 120);
	ck_assert_uint_eq(last.end, UINT64_MAX);
	for (size_t i = 0; i < 3; i++) {
		place.address = none[i];
		ck_assert_int_eq(aranges_find(section_of(bytes, len), &place, 1, &all), 0);
		ck_assert(!all);
	}
	for (size_t cut = 0; cut < len; cut++) {
		ck_assert_int_eq(aranges_find(section_of(bytes, cut), &last, 1, &all), 0);
		ck_assert(!all);
	}
	/* In another order another one would win. */
	len += put_set(bytes + len, 110, 0x500, 8, false, 2);
	ck_assert_int_eq(aranges_find(section_of(bytes, len), found, 1, &all), 0);
	ck_assert(!all);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("debugpart");
	TCase *tc = tcase_create("debugpart");

	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, a_part_tells_what_all_of_it_tells, 0,
			    sizeof(flags) / sizeof(flags[0]));
	tcase_add_test(tc, only_the_start_is_unpacked);
	tcase_add_test(tc, starts_become_longer);
	tcase_add_test(tc, starts_with_some_more);
	tcase_add_test(tc, each_list_has_its_own_part);
	tcase_add_test(tc, without_aranges_there_is_no_part);
	tcase_add_test(tc, what_refers_to_the_rest_is_not_answered);
	tcase_add_loop_test(tc, wrong_lists_are_noticed, 0, 5);
	tcase_add_test(tc, damaged_lists_change_no_answer);
	tcase_add_test(tc, units_are_found_by_their_lists);
	suite_add_tcase(s, tc);
	return suite_run(s);
}
