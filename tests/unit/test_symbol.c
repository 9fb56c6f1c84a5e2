/* The symbolizer as a whole: which file, which names, which reasons. */
#include "decode/symbol/symbol.h"

#include "decode/symbol/elf/elffile.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"
#include "util/buserror.h"

#include <check.h>
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file's bytes lie at this address. */
enum { FILE_AT = 0x400000 };

static const uint8_t id_of_x[20] = {0,	1,  2,	3,  4,	5,  6,	7,  8,	9,
				    10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
static const uint8_t other_id[20] = {0xff, 1};

#define ID_OF_X "000102030405060708090a0b0c0d0e0f10111213"
#define ID_REST "0102030405060708090a0b0c0d0e0f10111213"
#define LINK_X	TOOLCHAIN_FIXED " -Wl,--build-id=0x" ID_OF_X " -fdebug-prefix-map=\"$PWD\"=/src "

static const char *const source =
	"__attribute__((noinline)) int work(int n)\n{\n	return n * 3;\n}\n"
	"int main(int argc, char **argv)\n{\n	(void)argv;\n"
	"	return work(argc);\n}\n";

/* A program x in a scratch directory, and a symbolizer that looks nowhere else. */
struct fixture {
	struct scratch_path dir, debug_dir, cache;
	struct symbol_settings settings;
	struct dso_table dsos;
	uint64_t work; /* byte offset of work() in x */
};

static void setup(struct fixture *f, const char *flags)
{
	*f = (struct fixture){.dir = scratch_make()};
	f->debug_dir = scratch_join(f->dir.text, "debug");
	f->cache = scratch_join(f->dir.text, "cache");
	f->settings = (struct symbol_settings){
		.demangle = DEMANGLE_FULL,
		.debug_dir = f->debug_dir.text,
		.build_id_cache = f->cache.text,
	};
	toolchain_run(f->dir.text, "mkdir -p debug/.build-id/00 cache/.build-id/00");
	toolchain_build(f->dir.text, "x.c", source, "gcc %s " LINK_X "-o x x.c", flags);
	f->work = toolchain_address(f->dir.text, "x", "work") - FILE_AT;
}

static void teardown(struct fixture *f)
{
	dso_table_free(&f->dsos);
	scratch_remove(f->dir.text);
}

static struct dso *dso_of(struct fixture *f, const char *name, const uint8_t *id)
{
	return dso_table_get(&f->dsos, DSO_USER, scratch_join(f->dir.text, name).text, id,
			     id ? 20 : 0);
}

/* What is expected of a place; "" for a reason's name. */
struct expected {
	const char *function;
	enum reason reason;
	const char *filename;
	unsigned line;
};

static void check_symbol(const struct symbol *symbol, const struct expected *expected)
{
	ck_assert_ptr_nonnull(symbol);
	ck_assert_str_eq(symbol->function, expected->function);
	ck_assert_str_eq(reason_name(symbol->reason), reason_name(expected->reason));
}

static void check_resolved(struct symbolizer *symbolizer, const struct dso *dso, uint64_t address,
			   const struct expected *expected)
{
	struct place place = {.address = address};
	struct place_list list = {.dso = dso, .places = &place, .nr_places = 1};
	struct error err;

	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	check_symbol(place.symbol, expected);
	ck_assert_str_eq(place.symbol->filename, expected->filename);
	ck_assert_uint_eq(place.symbol->line, expected->line);
}

/* The same if the binary is loaded ahead, by a thread. */
static void check_ahead(const struct symbol_settings *settings, const struct dso *dso,
			uint64_t address, const struct expected *expected)
{
	struct symbol_settings with_threads = *settings;
	struct symbolizer *symbolizer;

	with_threads.threads = 2;
	symbolizer = symbolizer_create(&with_threads);
	symbolizer_expect(symbolizer, dso, 0);
	symbolizer_expect(symbolizer, dso, 0);
	check_resolved(symbolizer, dso, address, expected);
	symbolizer_destroy(symbolizer);
}

/* Looks one place up in all ways and checks that they say the same. */
static void check_place(const struct symbol_settings *settings, const struct dso *dso,
			uint64_t address, const char *function, enum reason reason,
			const char *filename, unsigned line)
{
	const struct expected expected = {function, reason, filename, line};
	struct symbolizer *symbolizer = symbolizer_create(settings);
	const struct symbol *symbol;
	struct error err;

	symbol = symbolizer_find(symbolizer, dso, address, &err);
	check_symbol(symbol, &expected);
	ck_assert_ptr_eq(symbolizer_find(symbolizer, dso, address, &err), symbol);
	check_resolved(symbolizer, dso, address, &expected);
	symbolizer_destroy(symbolizer);
	check_ahead(settings, dso, address, &expected);
}

static void check_found(struct fixture *f, const struct dso *dso, const char *filename,
			unsigned line)
{
	check_place(&f->settings, dso, f->work, "work", REASON_NONE, filename, line);
}

static void check_reason(struct fixture *f, const struct dso *dso, enum reason reason)
{
	check_place(&f->settings, dso, f->work, "[unknown]", reason, "", 0);
}

/* ---- which file ------------------------------------------------------------------------------ */

START_TEST(the_recorded_path)
{
	struct fixture f;

	setup(&f, "-g");
	check_found(&f, dso_of(&f, "x", NULL), "/src/x.c", 1);
	check_found(&f, dso_of(&f, "x", id_of_x), "/src/x.c", 1);
	check_reason(&f, dso_of(&f, "x", other_id), REASON_BUILD_ID_MISMATCH);
	check_reason(&f, dso_of(&f, "y", NULL), REASON_FILE_MISSING);
	check_reason(&f, dso_of(&f, "y", id_of_x), REASON_FILE_MISSING);
	check_place(&f.settings, dso_of(&f, "x", NULL), 0, "[unknown]", REASON_OUTSIDE_SYMBOLS, "",
		    0);
	check_place(&f.settings, dso_of(&f, "x", NULL), UINT64_MAX, "[unknown]",
		    REASON_OUTSIDE_SYMBOLS, "", 0);
	teardown(&f);
}
END_TEST

/* Of a file that was replaced nothing was read that counts, whatever was loaded before. */
static void check_no_origin(const struct symbolizer *symbolizer, const struct dso *dso)
{
	const struct symbol_origin origin = symbolizer_origin(symbolizer, dso);

	ck_assert_str_eq(origin.file, "");
	ck_assert_str_eq(origin.found_by, "");
	ck_assert_str_eq(origin.debug_file, "");
	ck_assert_str_eq(origin.debug_found_by, "");
	ck_assert_str_eq(origin.refused, "");
	ck_assert_str_eq(origin.doubt.word, "");
	ck_assert(!origin.lacks_debug_info);
	ck_assert_int_eq(origin.written, 0);
}

/* A filter may ask for its names before the recording tells that another file came to its path. */
START_TEST(a_replaced_file_has_no_names_any_more)
{
	struct fixture f;
	struct symbolizer *symbolizer;
	struct place place;
	struct place_list list = {.places = &place, .nr_places = 1};
	struct error err;
	struct dso *dso;

	setup(&f, "-g");
	dso = dso_of(&f, "x", NULL);
	place = (struct place){.address = f.work};
	list.dso = dso;
	symbolizer = symbolizer_create(&f.settings);
	ck_assert_str_eq(symbolizer_find(symbolizer, dso, f.work, &err)->function, "work");
	dso->replaced = true;
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_int_eq(place.symbol->reason, REASON_FILE_REPLACED);
	check_no_origin(symbolizer, dso);
	symbolizer_destroy(symbolizer);
	check_reason(&f, dso, REASON_FILE_REPLACED);
	teardown(&f);
}
END_TEST

/* Where it came from is dropped, too: with one thread, nothing would have been looked for. */
START_TEST(a_file_is_replaced_after_it_was_loaded_ahead)
{
	const struct expected replaced = {"[unknown]", REASON_FILE_REPLACED, "", 0};
	struct symbolizer *symbolizer;
	struct fixture f;
	struct dso *dso;

	setup(&f, "-g");
	f.settings.threads = 2;
	dso = dso_of(&f, _i == 0 ? "x" : "missing", NULL);
	symbolizer = symbolizer_create(&f.settings);
	symbolizer_expect(symbolizer, dso, 0);
	while (symbolizer_nr_busy(symbolizer))
		sched_yield();
	dso->replaced = true;
	check_resolved(symbolizer, dso, f.work, &replaced);
	check_no_origin(symbolizer, dso);
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

/* What was loaded ahead is dropped if the recording tells later that it is another file. */
START_TEST(a_dso_may_change_after_it_was_expected)
{
	const struct expected named = {"work", REASON_NONE, "/src/x.c", 1},
			      replaced = {"[unknown]", REASON_FILE_REPLACED, "", 0},
			      other = {"[unknown]", REASON_BUILD_ID_MISMATCH, "", 0};
	struct symbolizer *symbolizer;
	struct fixture f;
	struct dso *dso;

	setup(&f, "-g");
	f.settings.threads = 2;
	dso = dso_of(&f, "x", NULL);
	symbolizer = symbolizer_create(&f.settings);
	symbolizer_expect(symbolizer, dso, 0);
	dso->replaced = true;
	check_resolved(symbolizer, dso, f.work, &replaced);
	symbolizer_destroy(symbolizer);
	dso->replaced = false;
	symbolizer = symbolizer_create(&f.settings);
	symbolizer_expect(symbolizer, dso, 0);
	dso->build_id_len = sizeof(other_id);
	memcpy(dso->build_id, other_id, sizeof(other_id));
	check_resolved(symbolizer, dso, f.work, &other);
	symbolizer_destroy(symbolizer);
	memcpy(dso->build_id, id_of_x, sizeof(id_of_x));
	symbolizer = symbolizer_create(&f.settings);
	symbolizer_expect(symbolizer, dso, 0);
	check_resolved(symbolizer, dso, f.work, &named);
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

/* More than are loaded ahead, and nobody asks for any of them. */
START_TEST(many_dsos_may_be_expected_in_vain)
{
	struct symbolizer *symbolizer;
	struct fixture f;
	char name[16];

	setup(&f, "-g");
	f.settings.threads = 2;
	symbolizer = symbolizer_create(&f.settings);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "x%d", i);
		toolchain_run(f.dir.text, "ln -f x %s", name);
		symbolizer_expect(symbolizer, dso_of(&f, name, NULL), 0);
	}
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

START_TEST(what_is_no_regular_elf_file)
{
	struct fixture f;

	setup(&f, "-g");
	scratch_write(f.dir.text, "text", "not a binary\n");
	ck_assert_int_eq(mkfifo(scratch_join(f.dir.text, "fifo").text, 0600), 0);
	check_reason(&f, dso_of(&f, "text", NULL), REASON_FILE_UNREADABLE);
	check_reason(&f, dso_of(&f, "fifo", NULL), REASON_FILE_UNREADABLE);
	check_reason(&f, dso_of(&f, "debug", NULL), REASON_FILE_UNREADABLE);
	check_reason(&f, dso_table_get(&f.dsos, DSO_USER, "/dev/null", NULL, 0),
		     REASON_FILE_UNREADABLE);
	check_reason(&f, dso_of(&f, "text/below", NULL), REASON_FILE_MISSING);
	teardown(&f);
}
END_TEST

/*
 * The symbol table is read when a filter asks; the rest of the file is gone when the source is
 * looked for: its names may be wrong, and those of other binaries are there.
 */
START_TEST(a_file_that_is_cut_while_it_is_read)
{
	struct fixture f;
	struct symbolizer *symbolizer;
	struct place places[2];
	struct place_detail detail = {.wanted = true};
	struct place_list lists[2];
	struct error err;

	setup(&f, "-g");
	toolchain_run(f.dir.text, "cp x whole");
	for (size_t i = 0; i < 2; i++) {
		places[i] = (struct place){.address = f.work};
		lists[i] = (struct place_list){.dso = dso_of(&f, i ? "whole" : "x", NULL),
					       .places = &places[i],
					       .nr_places = 1};
	}
	lists[0].details = &detail;
	buserror_catch();
	symbolizer = symbolizer_create(&f.settings);
	ck_assert_str_eq(symbolizer_find(symbolizer, lists[0].dso, f.work, &err)->function, "work");
	ck_assert_int_eq(truncate(scratch_join(f.dir.text, "x").text, 100), 0);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, lists, 2, NULL, NULL, &err), 0);
	ck_assert_str_eq(places[0].symbol->function, "[unknown]");
	ck_assert_int_eq(places[0].symbol->reason, REASON_FILE_CHANGED);
	ck_assert_int_eq(detail.reason, REASON_FILE_CHANGED);
	ck_assert_str_eq(detail.filename, "");
	ck_assert_uint_eq(detail.offset, 0);
	ck_assert_str_eq(places[1].symbol->function, "work");
	ck_assert_str_eq(places[1].symbol->filename, "/src/x.c");
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

START_TEST(a_removed_file_needs_a_build_id)
{
	struct fixture f;

	setup(&f, "-g");
	check_found(&f, dso_of(&f, "x (deleted)", id_of_x), "/src/x.c", 1);
	check_reason(&f, dso_of(&f, "x (deleted)", NULL), REASON_FILE_MISSING);
	check_reason(&f, dso_of(&f, "x (deleted)", other_id), REASON_BUILD_ID_MISMATCH);
	teardown(&f);
}
END_TEST

START_TEST(the_build_id_cache)
{
	struct fixture f;

	setup(&f, "-g");
	toolchain_run(f.dir.text, "mkdir cache/.build-id/00/" ID_REST
				  " && mv x cache/.build-id/00/" ID_REST "/elf");
	check_found(&f, dso_of(&f, "x", id_of_x), "/src/x.c", 1);
	check_reason(&f, dso_of(&f, "x", NULL), REASON_FILE_MISSING);
	check_reason(&f, dso_of(&f, "x", other_id), REASON_FILE_MISSING);
	scratch_write(f.dir.text, "x", "something else");
	check_found(&f, dso_of(&f, "x", id_of_x), "/src/x.c", 1);
	teardown(&f);
}
END_TEST

START_TEST(the_old_layout_of_the_cache)
{
	struct fixture f;

	setup(&f, "-g");
	toolchain_run(f.dir.text, "mv x cache/.build-id/00/" ID_REST);
	check_found(&f, dso_of(&f, "x", id_of_x), "/src/x.c", 1);
	teardown(&f);
}
END_TEST

START_TEST(the_debug_file_of_a_build_id)
{
	struct fixture f;

	setup(&f, "-g");
	toolchain_run(f.dir.text, "objcopy --only-keep-debug x debug/.build-id/00/" ID_REST
				  ".debug && strip x");
	check_found(&f, dso_of(&f, "x", NULL), "/src/x.c", 1);
	check_found(&f, dso_of(&f, "x", id_of_x), "/src/x.c", 1);
	/* It does not say where in the file that ran the code was. */
	toolchain_run(f.dir.text, "rm x");
	check_reason(&f, dso_of(&f, "x", id_of_x), REASON_FILE_MISSING);
	teardown(&f);
}
END_TEST

START_TEST(a_debug_file_that_is_whole_stands_in)
{
	struct fixture f;

	setup(&f, "-g");
	toolchain_run(f.dir.text, "mv x debug/.build-id/00/" ID_REST ".debug");
	check_found(&f, dso_of(&f, "x", id_of_x), "/src/x.c", 1);
	teardown(&f);
}
END_TEST

START_TEST(the_debug_file_of_another_build)
{
	struct fixture f;

	setup(&f, "-g");
	toolchain_run(f.dir.text, "gcc -g x.c -Wl,--build-id=0x1234 -o debug/.build-id/00/" ID_REST
				  ".debug && strip x");
	check_reason(&f, dso_of(&f, "x", NULL), REASON_NO_SYMBOLS);
	teardown(&f);
}
END_TEST

static const char *const linked[] = {"x.debug", ".debug/x.debug"};

START_TEST(the_debug_link)
{
	struct fixture f;

	setup(&f, "-g");
	toolchain_run(f.dir.text,
		      "mkdir .debug && objcopy --only-keep-debug x %s && strip x && "
		      "objcopy --add-gnu-debuglink=%s x",
		      linked[_i], linked[_i]);
	check_found(&f, dso_of(&f, "x", NULL), "/src/x.c", 1);
	teardown(&f);
}
END_TEST

START_TEST(the_debug_link_without_build_ids_has_a_checksum)
{
	struct fixture f;

	setup(&f, "-g");
	toolchain_run(f.dir.text,
		      "gcc -g -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED
		      " -Wl,--build-id=none -o x x.c && objcopy --only-keep-debug x x.debug && "
		      "strip x && objcopy --add-gnu-debuglink=x.debug x");
	f.work = toolchain_address(f.dir.text, "x.debug", "work") - FILE_AT;
	check_found(&f, dso_of(&f, "x", NULL), "/src/x.c", 1);
	toolchain_run(f.dir.text, "echo >> x.debug");
	check_reason(&f, dso_of(&f, "x", NULL), REASON_NO_SYMBOLS);
	teardown(&f);
}
END_TEST

/* ---- which name ------------------------------------------------------------------------------ */

START_TEST(no_symbols_at_all)
{
	struct fixture f;

	setup(&f, "-static -nostdlib -Wl,-e,main -O1");
	toolchain_run(f.dir.text, "strip x");
	check_reason(&f, dso_of(&f, "x", NULL), REASON_NO_SYMBOLS);
	teardown(&f);
}
END_TEST

START_TEST(without_symbols_dwarf_names_the_function)
{
	struct fixture f;

	setup(&f, "-g -static -nostdlib -Wl,-e,main -O1");
	toolchain_run(f.dir.text, "objcopy --strip-symbol=work --strip-symbol=main x");
	check_found(&f, dso_of(&f, "x", NULL), "/src/x.c", 1);
	toolchain_run(f.dir.text, "objcopy --keep-file-symbols --strip-unneeded "
				  "--keep-section='.debug*' x");
	check_found(&f, dso_of(&f, "x", NULL), "/src/x.c", 1);
	teardown(&f);
}
END_TEST

/* Links x: `sizeless`, 32 bytes of code between @begin and @end whose symbol has no size, then x.c.
 */
static void build_behind_sizeless(struct fixture *f, const char *begin, const char *end)
{
	char assembly[256];

	snprintf(assembly, sizeof(assembly),
		 "	.text\n	.globl sizeless\n	.type sizeless,%%function\n"
		 "%ssizeless:	.skip 32\n%s	.section .note.GNU-stack,\"\",%%progbits\n",
		 begin, end);
	scratch_write(f->dir.text, "y.S", assembly);
	toolchain_run(f->dir.text,
		      "gcc -c y.S && gcc -g -fdebug-prefix-map=\"$PWD\"=/src -c x.c && "
		      "gcc " TOOLCHAIN_FIXED " -o x y.o x.o");
	f->work = toolchain_address(f->dir.text, "x", "work") - FILE_AT;
}

START_TEST(dwarf_knows_better_than_a_symbol_without_a_size)
{
	struct fixture f;

	setup(&f, "-g");
	build_behind_sizeless(&f, "", "");
	toolchain_run(f.dir.text, "objcopy --strip-symbol=work x");
	check_place(&f.settings, dso_of(&f, "x", NULL), f.work - 16, "sizeless", REASON_NONE, "",
		    0);
	check_found(&f, dso_of(&f, "x", NULL), "/src/x.c", 1);
	teardown(&f);
}
END_TEST

/*
 * Where names are enough, DWARF is asked only past the end of the symbol's own function. Without
 * .debug_aranges it is not open before the first place is looked up.
 */
START_TEST(a_symbol_without_a_size_names_its_own_function)
{
	struct place places[3] = {{0}};
	struct place_list list = {.places = places, .nr_places = 3};
	struct symbolizer *symbolizer;
	struct fixture f;
	struct error err;

	setup(&f, "-g");
	build_behind_sizeless(&f, "	.cfi_startproc\n", "	.cfi_endproc\n");
	places[0].address = toolchain_address(f.dir.text, "x", "sizeless") - FILE_AT;
	places[1].address = places[0].address + 31;
	places[2].address = f.work;
	toolchain_run(f.dir.text, "objcopy --strip-symbol=work %s x",
		      _i ? "--remove-section=.debug_aranges" : "");
	list.dso = dso_of(&f, "x", NULL);
	f.settings.names_only = true;
	symbolizer = symbolizer_create(&f.settings);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(places[0].symbol->function, "sizeless");
	ck_assert_str_eq(places[1].symbol->function, "sizeless");
	ck_assert_str_eq(places[2].symbol->function, "work");
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

/*
 * Where names are enough, DWARF is still asked about code between compilers' functions if local
 * symbols were stripped: it may be of a function that lost its symbol.
 */
START_TEST(local_functions_may_be_between_others)
{
	struct fixture f;

	setup(&f, "-g");
	build_behind_sizeless(&f, "", "");
	toolchain_run(f.dir.text, "gcc -g -fno-asynchronous-unwind-tables -c x.c && "
				  "echo 'int z;int later(void) { return z; }' >z.c && gcc "
				  "-Wl,--discard-all " TOOLCHAIN_FIXED " -o x y.o x.o z.c && "
				  "objcopy --strip-symbol=work x");
	f.settings.names_only = true;
	check_place(&f.settings, dso_of(&f, "x", NULL), f.work, "work", REASON_NONE, "", 0);
	teardown(&f);
}
END_TEST

/* Links x: a trampoline of signal handlers as the C library has it, behind other code. */
static void build_trampoline(struct fixture *f, const char *signal_frame)
{
	char assembly[512];

	snprintf(assembly, sizeof(assembly),
		 ".type other,%%function\nother: .skip 8\n.size other, 8\n.skip 16\n"
		 ".cfi_startproc\n%snop\n.type trampoline,%%function\n"
		 "trampoline: .skip 9\n.cfi_endproc\n"
		 ".section .note.GNU-stack,\"\",%%progbits\n",
		 signal_frame);
	scratch_write(f->dir.text, "y.S", assembly);
	toolchain_run(f->dir.text, "gcc " TOOLCHAIN_FIXED " -o x x.c y.S");
}

/* Frames that handlers return to are looked up like callers, a byte early. */
START_TEST(a_trampoline_has_its_name_a_byte_early)
{
	struct fixture f;
	const struct dso *dso;
	uint64_t at;

	setup(&f, "");
	build_trampoline(&f, _i ? ".cfi_signal_frame\n" : "");
	at = toolchain_address(f.dir.text, "x", "trampoline") - FILE_AT;
	dso = dso_of(&f, "x", NULL);
	check_place(&f.settings, dso, at, "trampoline", REASON_NONE, "", 0);
	check_place(&f.settings, dso, at - 1, _i ? "trampoline" : "[unknown]",
		    _i ? REASON_NONE : REASON_OUTSIDE_SYMBOLS, "", 0);
	check_place(&f.settings, dso, at - 2, "[unknown]", REASON_OUTSIDE_SYMBOLS, "", 0);
	teardown(&f);
}
END_TEST

START_TEST(names_are_demangled_as_set)
{
	static const struct {
		enum demangle style;
		const char *name;
	} styles[] = {
		{DEMANGLE_FULL, "ns::work(int, char const*)"},
		{DEMANGLE_SHORT, "ns::work"},
		{DEMANGLE_NONE, "_ZN2ns4workEiPKc"},
	};
	struct fixture f;

	setup(&f, "-g");
	if (!machine_has("g++")) {
		teardown(&f);
		return;
	}
	toolchain_build(f.dir.text, "x.cc",
			"namespace ns {\nint work(int n, const char *) { return n; }\n}\n"
			"int main() { return ns::work(1, \"\"); }\n",
			"g++ -g -fdebug-prefix-map=\"$PWD\"=/src " TOOLCHAIN_FIXED " -o x x.cc");
	f.work = toolchain_address(f.dir.text, "x", "_ZN2ns4workEiPKc") - FILE_AT;
	for (size_t i = 0; i < 3; i++) {
		f.settings.demangle = styles[i].style;
		check_place(&f.settings, dso_of(&f, "x", NULL), f.work, styles[i].name, REASON_NONE,
			    "/src/x.cc", 2);
	}
	teardown(&f);
}
END_TEST

/* The part that is seldom run is a symbol of its own, for perf too; its source is the function's.
 */
START_TEST(cold_parts_have_a_name_of_their_own)
{
	struct fixture f;

	setup(&f, "-g");
	toolchain_build(
		f.dir.text, "x.c",
		"__attribute__((cold, noinline)) void fail(int n) { (void)n; }\n"
		"int work(int n);\n"
		"__attribute__((noinline)) int work(int n)\n{\n" /* 3 */
		"	if (n == 77) {\n		fail(n);\n		fail(n + 1);\n	}\n"
		"	return n;\n}\n"
		"int main(int argc, char **argv) { (void)argv; return work(argc); }\n",
		"gcc -g -O2 -fno-ipa-pure-const -fno-ipa-modref " LINK_X
		"-fno-inline -fno-ipa-cp -o x x.c");
	f.work = toolchain_address(f.dir.text, "x", "work.cold") - FILE_AT;
	check_place(&f.settings, dso_of(&f, "x", NULL), f.work, "work.cold", REASON_NONE,
		    "/src/x.c", 3);
	teardown(&f);
}
END_TEST

/* ---- other kinds ----------------------------------------------------------------------------- */

START_TEST(kinds_without_symbols_have_a_reason)
{
	static const struct {
		enum dso_kind kind;
		enum reason reason;
	} kinds[] = {
		{DSO_GUEST, REASON_GUEST},     {DSO_JIT, REASON_JIT_MAP_MISSING},
		{DSO_NONE, REASON_NO_FILE},    {DSO_UNMAPPED, REASON_NO_MAPPING},
		{DSO_VDSO, REASON_VDSO_OTHER},
	};
	struct symbol_settings settings = {0};
	struct dso_table dsos = {0};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		check_place(&settings, dso_table_get(&dsos, kinds[i].kind, "//anon", NULL, 0), 16,
			    "[unknown]", kinds[i].reason, "", 0);
	dso_table_free(&dsos);
}
END_TEST

START_TEST(reasons_have_words)
{
	ck_assert_str_eq(reason_name(REASON_NONE), "");
	ck_assert_str_eq(reason_name(REASON_NO_MAPPING), "no-mapping");
	ck_assert_str_eq(reason_name(REASON_BUILD_ID_MISMATCH), "build-id-mismatch");
	ck_assert_str_eq(reason_name(REASON_GUEST), "guest");
	for (enum reason reason = REASON_NONE; reason < REASON_NR; reason++) {
		const char *meaning = reason_meaning(reason);

		ck_assert_int_eq(meaning[strlen(meaning) - 1], '.');
	}
}
END_TEST

START_TEST(our_own_vdso)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	struct symbol_settings settings = {0};
	struct dso_table dsos = {0};
	struct elffile *file;
	bool nomem;

	file = image ? elffile_from_memory(image, 4096, &nomem) : NULL;
	if (!file || !file->build_id_len) {
		machine_lacks("there is no vdso with a build id");
		elffile_close(file);
		return;
	}
	check_place(&settings,
		    dso_table_get(&dsos, DSO_VDSO, "[vdso]", file->build_id, file->build_id_len),
		    UINT64_MAX, "[unknown]", REASON_OUTSIDE_SYMBOLS, "", 0);
	check_place(&settings, dso_table_get(&dsos, DSO_VDSO, "[vdso]", other_id, 20), 16,
		    "[unknown]", REASON_BUILD_ID_MISMATCH, "", 0);
	elffile_close(file);
	dso_table_free(&dsos);
}
END_TEST

static const char *const kallsyms = "ffffffff81000000 T _text\n"
				    "ffffffff81000100 T do_work\n"
				    "ffffffff81000200 t end\n"
				    "ffffffffc0001000 t f\t[snd_pcm]\n"
				    "ffffffffc0001100 t g\t[snd_pcm]\n"
				    "ffffffffc0005000 t bpf_prog_0123456789abcdef_f\t[bpf]\n";

static struct dso *kernel_of(struct dso_table *dsos, uint64_t reference_address)
{
	struct dso *dso = dso_table_get(dsos, DSO_KERNEL, "[kernel.kallsyms]", other_id, 20);

	dso->reference_address = reference_address;
	dso->reference_symbol = "_text";
	return dso;
}

START_TEST(a_given_kallsyms_is_taken_as_it_is)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "kallsyms");
	struct symbol_settings settings = {.kallsyms = path.text};
	struct dso_table dsos = {0};

	scratch_write(dir.text, "kallsyms", kallsyms);
	check_place(&settings, kernel_of(&dsos, 0xffffffff81000000), 0xffffffff810001ff, "do_work",
		    REASON_NONE, "", 0);
	/* Another boot: everything lay 0x1000000 higher. */
	check_place(&settings, kernel_of(&dsos, 0xffffffff82000000), 0xffffffff820001ff, "do_work",
		    REASON_NONE, "", 0);
	check_place(&settings, kernel_of(&dsos, 0xffffffff82000000), 0xffffffff810001ff,
		    "[unknown]", REASON_OUTSIDE_SYMBOLS, "", 0);
	/* Hidden from the recorder: taken as the same. */
	check_place(&settings, kernel_of(&dsos, 0), 0xffffffff810001ff, "do_work", REASON_NONE, "",
		    0);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(kernels_that_cannot_be_used)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "kallsyms");
	struct symbol_settings settings = {.kallsyms = path.text};
	struct dso_table dsos = {0};
	const struct dso *kernel = kernel_of(&dsos, 0xffffffff81000000);

	check_place(&settings, kernel, 16, "[unknown]", REASON_FILE_MISSING, "", 0);
	scratch_write(dir.text, "kallsyms", "");
	check_place(&settings, kernel, 16, "[unknown]", REASON_NO_SYMBOLS, "", 0);
	scratch_write(dir.text, "kallsyms", "0000000000000000 T _text\n0000000000000000 t f\n");
	check_place(&settings, kernel, 16, "[unknown]", REASON_KERNEL_HIDDEN, "", 0);
	settings.kallsyms = dir.text;
	check_place(&settings, kernel, 16, "[unknown]", REASON_FILE_UNREADABLE, "", 0);
	settings.kallsyms = NULL; /* the running one has another build id */
	check_place(&settings, kernel, 16, "[unknown]", REASON_KERNEL_OTHER, "", 0);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(modules_and_bpf_programs)
{
	static const char *const names[] = {
		"/lib/modules/6.1.0/kernel/sound/core/snd-pcm.ko",
		"/lib/modules/6.1.0/kernel/sound/core/snd-pcm.ko.xz",
		"/lib/modules/6.1.0/kernel/sound/core/snd-pcm.ko.zst",
		"[snd_pcm]",
		"[snd-pcm]",
	};
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "kallsyms");
	struct symbol_settings settings = {.kallsyms = path.text};
	struct dso_table dsos = {0};
	struct dso *dso;

	scratch_write(dir.text, "kallsyms", kallsyms);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		dso = dso_table_get(&dsos, DSO_MODULE, names[i], NULL, 0);
		dso->start = 0xffffffffc0001000;
		dso->end = 0xffffffffc0003000;
		check_place(&settings, dso, 0xffffffffc00010ff, "f", REASON_NONE, "", 0);
		check_place(&settings, dso, 0xffffffffc0001100, "g", REASON_NONE, "", 0);
		check_place(&settings, dso, 0xffffffffc0000fff, "[unknown]", REASON_OUTSIDE_SYMBOLS,
			    "", 0);
	}
	dso = dso_table_get(&dsos, DSO_MODULE, "[snd]", NULL, 0);
	check_place(&settings, dso, 0xffffffffc0001000, "[unknown]", REASON_NO_SYMBOLS, "", 0);
	dso = dso_table_get(&dsos, DSO_MODULE, "bpf_prog_0123456789abcdef_f", NULL, 0);
	dso->start = 0xffffffffc0005000;
	dso->end = 0xffffffffc0005080;
	check_place(&settings, dso, 0xffffffffc0005010, "bpf_prog_0123456789abcdef_f", REASON_NONE,
		    "", 0);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(a_module_of_another_kernel)
{
	struct symbol_settings settings = {0};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct place places[2] = {{.address = 16}, {.address = 16}};
	struct place_list lists[2] = {
		{.dso = dso_table_get(&dsos, DSO_MODULE, "[snd]", NULL, 0),
		 .places = &places[0],
		 .nr_places = 1},
		{.dso = kernel_of(&dsos, 0xffffffff81000000), .places = &places[1], .nr_places = 1},
	};
	struct error err;

	ck_assert_int_eq(symbolizer_resolve(symbolizer, lists, 2, NULL, NULL, &err), 0);
	ck_assert_int_eq(places[0].symbol->reason, REASON_KERNEL_OTHER);
	ck_assert_int_eq(places[1].symbol->reason, REASON_KERNEL_OTHER);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
}
END_TEST

/* ---- many at once ---------------------------------------------------------------------------- */

enum { NR_BINARIES = 12, NR_PLACES = 400 };

static size_t count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr;
}

static void note_tick(void *arg, size_t done)
{
	size_t *last = arg;

	ck_assert_uint_eq(done, *last + 1);
	*last = done;
}

/* Writes the answers of @threads threads for all the binaries to @out, as text. */
static void resolve_all(struct fixture *f, unsigned threads, char *out, size_t size)
{
	static struct place places[NR_BINARIES][NR_PLACES];
	struct place_list lists[NR_BINARIES];
	struct symbolizer *symbolizer;
	struct error err;
	size_t ticks = 0, before = count_descriptors();
	FILE *text = fmemopen(out, size, "w");

	f->settings.threads = threads;
	symbolizer = symbolizer_create(&f->settings);
	for (size_t i = 0; i < NR_BINARIES; i++) {
		char name[16];

		snprintf(name, sizeof(name), "x%zu", i);
		lists[i] = (struct place_list){.dso = dso_of(f, name, NULL),
					       .places = places[i],
					       .nr_places = NR_PLACES - i};
		for (size_t k = 0; k < NR_PLACES; k++)
			places[i][k] = (struct place){.address = f->work - 100 + k};
	}
	ck_assert_int_eq(
		symbolizer_resolve(symbolizer, lists, NR_BINARIES, note_tick, &ticks, &err), 0);
	ck_assert_uint_eq(ticks, NR_BINARIES);
	ck_assert_uint_eq(count_descriptors(), before);
	for (size_t i = 0; i < NR_BINARIES; i++)
		for (size_t k = 0; k < lists[i].nr_places; k++)
			fprintf(text, "%zu %zu %s %s %s:%u\n", i, k, places[i][k].symbol->function,
				reason_name(places[i][k].symbol->reason),
				places[i][k].symbol->filename, places[i][k].symbol->line);
	fclose(text);
	symbolizer_destroy(symbolizer);
}

START_TEST(answers_do_not_depend_on_threads)
{
	const size_t size = 1 << 20;
	char *one = calloc(1, size), *many = calloc(1, size);
	struct fixture f;

	setup(&f, "-g");
	for (int i = 0; i < NR_BINARIES; i++)
		toolchain_run(f.dir.text, i % 3 ? "cp x x%d" : "strip -o x%d x", i);
	resolve_all(&f, 1, one, size);
	resolve_all(&f, 8, many, size);
	ck_assert_ptr_nonnull(strstr(one, "1 100 work  /src/x.c:1\n"));
	ck_assert_ptr_nonnull(strstr(one, "0 100 [unknown] no-symbols :0\n"));
	ck_assert_int_eq(strcmp(one, many), 0);
	free(one);
	free(many);
	teardown(&f);
}
END_TEST

START_TEST(answers_do_not_depend_on_how_many_files_may_be_open)
{
	const size_t size = 1 << 20;
	struct rlimit limit = {0};
	struct fixture f;
	char *one, *few;

	if (!machine_has_proc()) /* which tells how many are open */
		return;
	one = calloc(1, size);
	few = calloc(1, size);
	setup(&f, "-g");
	for (int i = 0; i < NR_BINARIES; i++)
		toolchain_run(f.dir.text,
			      "objcopy --only-keep-debug x x%d.debug && "
			      "objcopy -S --add-gnu-debuglink=x%d.debug x x%d",
			      i, i, i);
	resolve_all(&f, 1, one, size);
	/* Enough for a thread, not for twelve, each with a file and its debug file. */
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = count_descriptors() + 1;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	resolve_all(&f, NR_BINARIES, few, size);
	ck_assert_ptr_nonnull(strstr(few, "11 100 work  /src/x.c:1\n"));
	ck_assert_int_eq(strcmp(one, few), 0);
	limit.rlim_cur = limit.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	free(one);
	free(few);
	teardown(&f);
}
END_TEST

START_TEST(nothing_to_do_is_fine)
{
	struct symbol_settings settings = {0};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct place_list list = {
		.dso = dso_table_get(&dsos, DSO_USER, "/x", NULL, 0),
	};
	struct error err;

	ck_assert_int_eq(symbolizer_resolve(symbolizer, NULL, 0, NULL, NULL, &err), 0);
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	symbolizer_destroy(symbolizer);
	symbolizer_destroy(NULL);
	dso_table_free(&dsos);
}
END_TEST

/* Code of a function in which another one lies: to which bytes around a place an answer applies. */
START_TEST(extent_of_functions)
{
	static const char *const code =
		".globl outer, inner\n.type outer, %function\n.type inner, %function\n"
		"outer: .fill 16, 1, 0x90\ninner: .fill 8, 1, 0x90\n.size inner, 8\n"
		".fill 40, 1, 0x90\n.size outer, 64\n";
	struct fixture f;
	struct symbolizer *symbolizer;
	struct symbol_extent extent;
	struct error err;
	uint64_t outer;

	setup(&f, "-g");
	toolchain_build(f.dir.text, "y.s", code,
			"gcc %s -nostdlib " TOOLCHAIN_FIXED " -Wl,-e,outer -o y y.s", "");
	outer = toolchain_address(f.dir.text, "y", "outer") - FILE_AT;
	symbolizer = symbolizer_create(&f.settings);
	for (uint64_t at = 0; at < 64; at++) {
		const struct symbol *symbol = symbolizer_function(symbolizer, dso_of(&f, "y", NULL),
								  outer + at, &extent, &err);
		const bool inside = at >= 16 && at < 24;

		ck_assert_str_eq(symbol->function, inside ? "inner" : "outer");
		ck_assert_uint_eq(extent.start - outer, inside ? 16 : 0);
		ck_assert_uint_eq(extent.end - outer, inside ? 24 : 64);
		ck_assert_uint_eq(extent.same_start - outer, at < 16 ? 0 : inside ? 16 : 24);
		ck_assert_uint_eq(extent.same_end - outer, at < 16 ? 16 : inside ? 24 : 64);
	}
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

/* Functions that call others, one inside another, symbols without a size, padding between
 * them, a trampoline of signal handlers. */
static const char *const mixed_source =
	"#include <stdlib.h>\n"
	"__asm__(\".text; .globl outer, inner; .type outer,@function; .type inner,@function;\"\n"
	"	\"outer: .skip 16; inner: .skip 8; .size inner, 8; .skip 40; .size outer, 64;\"\n"
	"	\".skip 50; .cfi_startproc; .cfi_signal_frame; nop; .type signal,@function;\"\n"
	"	\"signal: .skip 9; .size signal, 9; .cfi_endproc;\"\n"
	"	\".skip 50; .type bare,@function; bare: .skip 30;\");\n"
	"int main(int argc, char **argv)\n{\n"
	"	return abs(atoi(argv[argc - 1])) + (getenv(\"x\") != 0);\n}\n";

/* All places of a file at once, and each on its own, in no order: the same answers. */
START_TEST(places_in_a_row_as_one_by_one)
{
	static const struct {
		const char *flags, *then;
	} ways[] = {{"", ""}, {"-g", ""}, {"-s", ""}, {"", "&& strip -N main x"}};
	enum { NR = 0x3400, STEP = 1021 /* has no factor of NR */ };
	static struct place places[NR];
	struct place_list list = {.places = places, .nr_places = NR};
	struct symbolizer *at_once, *singly;
	size_t nr_trampoline = 0;
	struct error err;
	struct fixture f;

	setup(&f, "");
	toolchain_build(f.dir.text, "mixed.c", mixed_source,
			"gcc -O1 %s " TOOLCHAIN_FIXED " -o x mixed.c %s", ways[_i].flags,
			ways[_i].then);
	list.dso = dso_of(&f, "x", NULL);
	at_once = symbolizer_create(&f.settings);
	singly = symbolizer_create(&f.settings);
	for (size_t i = 0; i < NR; i++)
		places[i] = (struct place){.address = i};
	ck_assert_int_eq(symbolizer_resolve(at_once, &list, 1, NULL, NULL, &err), 0);
	for (size_t n = 0, i = 0; n < NR; n++, i = (i + STEP) % NR) {
		const struct symbol *symbol = symbolizer_find(singly, list.dso, i, &err);

		ck_assert_str_eq(places[i].symbol->function, symbol->function);
		ck_assert_int_eq(places[i].symbol->reason, symbol->reason);
		ck_assert_uint_eq(places[i].symbol->size, symbol->size);
		ck_assert(_i == 1 || !places[i].symbol->line);
		nr_trampoline += strcmp(symbol->function, "signal") == 0;
	}
	ck_assert_uint_eq(nr_trampoline, _i == 2 ? 0 : 10);
	symbolizer_destroy(at_once);
	symbolizer_destroy(singly);
	teardown(&f);
}
END_TEST

/* Both files have a twin() of their own, and a copy of the header's shared(). */
static const char *const twins_header =
	"static __attribute__((noinline)) int shared(int n)\n{\n	return n * 7;\n}\n";
static const char *const twins_source[] = {
	"#include \"twins.h\"\n"
	"static __attribute__((noinline)) int twin(int n)\n{\n	return n * 3;\n}\n"
	"int other(int n);\n"
	"int main(int argc, char **argv)\n{\n	(void)argv;\n"
	"	return twin(argc) + shared(argc) + other(argc);\n}\n",
	"#include \"twins.h\"\n\n"
	"static __attribute__((noinline)) int twin(int n)\n{\n	return n * 5;\n}\n"
	"int other(int n)\n{\n	return twin(n) - shared(n);\n}\n",
};

/* Looks up the first bytes of @dso and of @also, unless NULL, and sets @text to "NAME FILE:LINE" of
 * each function of @dso, a line each. */
static void describe_functions(const struct symbol_settings *settings, const struct dso *dso,
			       const struct dso *also, char *text, size_t size)
{
	enum { NR = 0x1400 };
	static struct place places[2][NR];
	struct place_list lists[2];
	struct symbolizer *symbolizer = symbolizer_create(settings);
	FILE *out = fmemopen(text, size, "w");
	const char *last = "";
	struct error err;

	for (size_t i = 0; i < NR; i++)
		places[0][i] = places[1][i] = (struct place){.address = i};
	for (size_t i = 0; i < 2; i++)
		lists[i] = (struct place_list){
			.dso = i ? also : dso, .places = places[i], .nr_places = NR};
	ck_assert_int_eq(symbolizer_resolve(symbolizer, lists, also ? 2 : 1, NULL, NULL, &err), 0);
	for (size_t i = 0; i < NR; i++) {
		const struct symbol *symbol = places[0][i].symbol;

		if (strcmp(symbol->function, last) != 0)
			fprintf(out, "%s %s:%u\n", symbol->function, symbol->filename,
				symbol->line);
		last = symbol->function;
	}
	fclose(out);
	symbolizer_destroy(symbolizer);
}

static size_t count_in(const char *text, const char *part)
{
	size_t nr = 0;

	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		nr++;
	return nr;
}

/* Where names are enough, functions that share one are told apart by their sources all the same. */
START_TEST(names_without_sources)
{
	char text[4096];
	struct dso *dso, again;
	struct fixture f;

	setup(&f, "");
	toolchain_build(f.dir.text, "twins.h", twins_header, "true");
	toolchain_build(f.dir.text, "b.c", twins_source[1], "true");
	toolchain_build(f.dir.text, "a.c", twins_source[0], "gcc -g -O1 a.c b.c " LINK_X "-o x");
	dso = dso_of(&f, "x", NULL);
	f.settings.names_only = true;
	f.settings.threads = (unsigned)_i + 1;
	describe_functions(&f.settings, dso, NULL, text, sizeof(text));
	ck_assert_uint_eq(count_in(text, "\ntwin "), 2);
	ck_assert_uint_eq(count_in(text, "\ntwin /src/a.c:2\n"), 1);
	ck_assert_uint_eq(count_in(text, "\ntwin /src/b.c:3\n"), 1);
	ck_assert_uint_eq(count_in(text, "\nshared "), 2);
	ck_assert_uint_eq(count_in(text, "\nshared /src/twins.h:1\n"), 2);
	ck_assert_uint_eq(count_in(text, "\nmain :0\n"), 1);
	ck_assert_uint_eq(count_in(text, "\nother :0\n"), 1);
	/* Of two lists of what is one binary in the tables, each might have one of the twins. */
	again = *dso;
	again.number++;
	describe_functions(&f.settings, dso, &again, text, sizeof(text));
	ck_assert_uint_eq(count_in(text, "\nmain /src/a.c:7\n"), 1);
	/* They are two to it. */
	toolchain_run(f.dir.text, "cp x y");
	describe_functions(&f.settings, dso, dso_of(&f, "y", NULL), text, sizeof(text));
	ck_assert_uint_eq(count_in(text, "\nmain :0\n"), 1);
	f.settings.inlined = true;
	describe_functions(&f.settings, dso, NULL, text, sizeof(text));
	ck_assert_uint_eq(count_in(text, "\nmain /src/a.c:7\n"), 1);
	teardown(&f);
}
END_TEST

/* A rule that is not kept is that which is, and those up to its end are alike. */
START_TEST(rules_that_are_asked_for_once)
{
	enum { NR = 0x3400 };
	struct symbolizer *symbolizer;
	const struct dso *dso;
	struct unwindinfo *info;
	size_t nr_rules = 0, nr_ranges = 0;
	uint64_t end = 0;
	struct fixture f;

	setup(&f, "");
	toolchain_build(f.dir.text, "mixed.c", mixed_source,
			"gcc -O1 " TOOLCHAIN_FIXED " -o x mixed.c");
	dso = dso_of(&f, "x", NULL);
	symbolizer = symbolizer_create(&f.settings);
	info = symbolizer_unwindinfo(symbolizer);
	ck_assert_ptr_nonnull(info);
	for (uint64_t i = 0; i < NR; i++) {
		const struct cfi_rule *kept = unwindinfo_rule(info, dso, i);
		struct cfi_rule rule, of_range;

		ck_assert_ptr_nonnull(kept);
		if (i >= end) {
			ck_assert(unwindinfo_peek(info, dso, i, &of_range, &end));
			ck_assert_uint_gt(end, i);
			nr_ranges += of_range.kind != CFI_RULE_NONE;
		}
		ck_assert(unwindinfo_peek(info, dso, i, &rule, &(uint64_t){0}));
		ck_assert_mem_eq(&rule, kept, sizeof(rule));
		ck_assert_uint_eq(of_range.kind, kept->kind);
		ck_assert_uint_eq(of_range.cfa, kept->cfa);
		ck_assert_uint_eq(of_range.ra, kept->ra);
		nr_rules += kept->kind != CFI_RULE_NONE;
	}
	ck_assert_uint_gt(nr_ranges, 5);
	ck_assert_uint_gt(nr_rules, 4 * nr_ranges);
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("symbol");
	TCase *files = tcase_create("files"), *names = tcase_create("names");
	TCase *kinds = tcase_create("kinds"), *many = tcase_create("many");

	tcase_set_timeout(files, 0);
	tcase_add_test(files, the_recorded_path);
	tcase_add_test(files, a_replaced_file_has_no_names_any_more);
	tcase_add_loop_test(files, a_file_is_replaced_after_it_was_loaded_ahead, 0, 2);
	tcase_add_test(files, a_dso_may_change_after_it_was_expected);
	tcase_add_test(files, many_dsos_may_be_expected_in_vain);
	tcase_add_test(files, what_is_no_regular_elf_file);
	tcase_add_test(files, a_file_that_is_cut_while_it_is_read);
	tcase_add_test(files, a_removed_file_needs_a_build_id);
	tcase_add_test(files, the_build_id_cache);
	tcase_add_test(files, the_old_layout_of_the_cache);
	tcase_add_test(files, the_debug_file_of_a_build_id);
	tcase_add_test(files, a_debug_file_that_is_whole_stands_in);
	tcase_add_test(files, the_debug_file_of_another_build);
	tcase_add_loop_test(files, the_debug_link, 0, 2);
	tcase_add_test(files, the_debug_link_without_build_ids_has_a_checksum);
	suite_add_tcase(s, files);
	tcase_set_timeout(names, 0);
	tcase_add_test(names, extent_of_functions);
	tcase_add_test(names, no_symbols_at_all);
	tcase_add_test(names, without_symbols_dwarf_names_the_function);
	tcase_add_test(names, dwarf_knows_better_than_a_symbol_without_a_size);
	tcase_add_loop_test(names, a_symbol_without_a_size_names_its_own_function, 0, 2);
	tcase_add_test(names, local_functions_may_be_between_others);
	tcase_add_loop_test(names, a_trampoline_has_its_name_a_byte_early, 0, 2);
	tcase_add_test(names, names_are_demangled_as_set);
	tcase_add_test(names, cold_parts_have_a_name_of_their_own);
	tcase_add_loop_test(names, places_in_a_row_as_one_by_one, 0, 4);
	tcase_add_loop_test(names, names_without_sources, 0, 2);
	tcase_add_test(names, rules_that_are_asked_for_once);
	suite_add_tcase(s, names);
	tcase_add_test(kinds, kinds_without_symbols_have_a_reason);
	tcase_add_test(kinds, reasons_have_words);
	tcase_add_test(kinds, our_own_vdso);
	tcase_add_test(kinds, a_given_kallsyms_is_taken_as_it_is);
	tcase_add_test(kinds, kernels_that_cannot_be_used);
	tcase_add_test(kinds, modules_and_bpf_programs);
	tcase_add_test(kinds, a_module_of_another_kernel);
	suite_add_tcase(s, kinds);
	tcase_set_timeout(many, 0);
	tcase_add_test(many, answers_do_not_depend_on_threads);
	tcase_add_test(many, answers_do_not_depend_on_how_many_files_may_be_open);
	tcase_add_test(many, nothing_to_do_is_fine);
	suite_add_tcase(s, many);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
