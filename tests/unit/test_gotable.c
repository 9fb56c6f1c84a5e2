/* Tables of functions as Go's linkers make them, of each layout, and what they say of three
 * functions. */
#include "decode/symbol/go/gotable.h"

#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/go/gorow.h"
#include "decode/symbol/symbol.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* LAYOUT is the minor number of a release of Go. HIDDEN: the table is among other data. MODULE:
 * where code begins is not in its header, but where the program describes itself. */
static const char *const source =
	"	.macro pointer at\n"
	".if WORD == 8\n"
	"	.quad \\at\n"
	".else\n"
	"	.long \\at\n"
	".endif\n"
	"	.endm\n"
	"	.text\n"
	".globl before\n"
	"before:	.skip 16, 0x90\n"
	".size before, 16\n"
	".type before, @function\n"
	"text:\n"
	"one:	.skip 16, 0x90\n"
	"	.balign 32, 0xcc\n"
	"two:	.skip 40, 0x90\n"
	"	.balign 32, 0xcc\n"
	"outer:	.skip 8, 0x90\n"
	"	.balign 32, 0xcc\n"
	"end:	.skip 16, 0x90\n"
	"	.section .note.go.buildid, \"a\", @note\n"
	"	.long 4, 4, 4, 0x6f47, 0\n"
	".if HIDDEN\n"
	"	.section .data.rel.ro, \"aw\"\n"
	"	.balign 32\n"
	"	.long 0xfffffff1, 0x08010000\n" /* as if a table began here */
	"	.skip 56, 0xff\n"
	".else\n"
	"	.section .gopclntab, \"a\"\n"
	".endif\n"
	"	.balign 32\n"
	/* numbers of 4 bytes where functions and their data are: since Go 1.18 */
	".if LAYOUT >= 18\n"
	"	.set base, functions\n"
	"	.macro address at\n"
	"	.long \\at - text\n"
	"	.endm\n"
	"	.macro offset at\n"
	"	.long \\at - base\n"
	"	.endm\n"
	".else\n"
	"	.macro address at\n"
	"	pointer \\at\n"
	"	.endm\n"
	"	.macro offset at\n"
	"	pointer \"\\at - base\"\n"
	"	.endm\n"
	".endif\n"
	"table:\n"
	".if LAYOUT < 16\n"
	"	.long 0xfffffffb\n"
	"	.set base, table\n"
	"	.set names_base, table\n"
	"	.set files_base, table\n"
	"	.set values_base, table\n"
	"	.set first_file, 4\n" /* a difference to -1, twice as large */
	".else\n"
	"	.set names_base, names\n"
	"	.set files_base, files\n"
	"	.set values_base, values\n"
	"	.set first_file, 2\n"
	".endif\n"
	".if LAYOUT == 16\n"
	"	.long 0xfffffffa\n"
	"	.set base, functions\n"
	".endif\n"
	".if LAYOUT == 18\n"
	"	.long 0xfffffff0\n"
	".endif\n"
	".if LAYOUT == 20\n"
	"	.long 0xfffffff1\n"
	".endif\n"
	"	.byte 0, 0, QUANTUM, WORD\n"
	"	pointer 3\n"
	".if LAYOUT >= 16\n"
	"	pointer 2\n"
	".if LAYOUT >= 18\n"
	".if MODULE\n"
	"	pointer 0\n"
	".else\n"
	"	pointer text\n"
	".endif\n"
	".endif\n"
	"	pointer \"names - table\"\n"
	"	pointer \"units - table\"\n"
	"	pointer \"files - table\"\n"
	"	pointer \"values - table\"\n"
	"	pointer \"functions - table\"\n"
	".endif\n"
	"functions:\n"
	"	address one\n"
	"	offset of_one\n"
	"	address two\n"
	"	offset of_two\n"
	"	address outer\n"
	"	offset of_outer\n"
	"	address end\n"
	".if LAYOUT < 16\n"
	"	.long units - table\n"
	".endif\n"
	"	.macro data function, name, frames, sources, lines, defined, flags\n"
	"	address \\function\n"
	"	.long \\name - names_base, 0, 0, \\frames - values_base, \\sources - values_base\n"
	"	.long \\lines - values_base, 0\n"
	".if LAYOUT >= 16\n"
	"	.long 1\n" /* the unit's first file */
	".endif\n"
	".if LAYOUT >= 20\n"
	"	.long \\defined\n"
	".endif\n"
	"	.byte 0, \\flags, 0, 0\n"
	"	.endm\n"
	"of_one:	data one, name_one, frames_one, files_one, lines_one, 4, 4\n"
	"of_two:	data two, name_two, frames_two, files_two, lines_two, 9, 0\n"
	"of_outer: data outer, name_outer, frames_outer, files_outer, lines_outer, 0, 5\n"
	"names:\n"
	".ifdef HANDLERS\n"
	"name_one: .asciz \"main.one\302\267two\302\2673\"\n"
	"name_two: .asciz \"runtime.sigreturn__sigaction\"\n"
	"name_outer: .asciz \"runtime.sigtramp\"\n"
	".else\n"
	"name_one: .asciz \"main.one\"\n"
	"name_two: .asciz \"main.(*T[...]).two\"\n"
	"name_outer: .asciz \"runtime.goexit\"\n"
	".endif\n"
	"units:\n"
	".if LAYOUT < 16\n"
	"	.long 3\n"
	".else\n"
	"	.long -1\n"
	".endif\n"
	"	.long file_a - files_base, file_b - files_base\n"
	"files:	.skip 3, 1\n"
	"file_a:	.asciz \"/src/a.go\"\n"
	"file_b:	.asciz \"/src/b.go\"\n"
	"values:	.byte 0\n"
	"frames_one: .uleb128 2, 16 / QUANTUM, 0\n" /* 0 bytes */
	"frames_two: .uleb128 2, 4 / QUANTUM, 400, 32 / QUANTUM, 415, 4 / QUANTUM, 0\n" /* 0, 200,
											   -8 */
	"frames_outer: .uleb128 2, 8 / QUANTUM, 0\n"
	"files_one: .uleb128 first_file, 16 / QUANTUM, 0\n"
	"files_two: .uleb128 first_file, 20 / QUANTUM, 2, 20 / QUANTUM, 0\n"
	"files_outer: .uleb128 first_file + 2, 8 / QUANTUM, 0\n"
	"lines_one: .uleb128 12, 16 / QUANTUM, 0\n"		      /* 5 */
	"lines_two: .uleb128 22, 4 / QUANTUM, 600, 36 / QUANTUM, 0\n" /* 10, 310 */
	"lines_outer: .uleb128 0, 8 / QUANTUM, 0\n"		      /* -1 */
	".if MODULE\n"
	"	.section .go.module, \"aw\"\n"
	"	pointer table\n"
	"	.skip WORD * 21, 0xee\n"
	"	pointer text\n"
	".endif\n"
	"	.section .note.GNU-stack, \"\"\n";

#define LAYOUT(layout, hidden, module, word, quantum)                                          \
	"-Wa,--defsym,LAYOUT=" #layout ",--defsym,HIDDEN=" #hidden ",--defsym,MODULE=" #module \
	",--defsym,WORD=" #word ",--defsym,QUANTUM=" #quantum

static const struct build {
	const char *options;
	enum gotable_since since;
} builds[] = {
	{LAYOUT(15, 0, 0, 8, 1) " -static", GOTABLE_1_2},
	{LAYOUT(16, 0, 0, 8, 1) " -static", GOTABLE_1_16},
	{LAYOUT(18, 0, 0, 8, 1) " -static", GOTABLE_1_18},
	{LAYOUT(20, 0, 0, 8, 1) " -static", GOTABLE_1_20},
	{LAYOUT(20, 0, 1, 8, 1) " -static", GOTABLE_1_20},
	{LAYOUT(18, 1, 0, 8, 1) " -pie", GOTABLE_1_18},
	{LAYOUT(20, 1, 0, 8, 1) " -pie", GOTABLE_1_20},
	{LAYOUT(20, 0, 1, 8, 1) " -pie", GOTABLE_1_20},
	{LAYOUT(15, 0, 0, 4, 2) " -static", GOTABLE_1_2},
	{LAYOUT(16, 0, 0, 4, 4) " -static", GOTABLE_1_16},
	{LAYOUT(20, 0, 1, 4, 4) " -static", GOTABLE_1_20},
};

enum { NR_BUILDS = sizeof(builds) / sizeof(builds[0]), LAST_LAYOUT = 3 };

/* A program of which @end and what follows are in no table. */
struct program {
	struct scratch_path dir;
	uint64_t one, two, outer, end; /* addresses */
	struct elffile *file;
};

static struct elffile *open_file(const char *dir)
{
	bool nomem = false;
	struct elffile *file =
		elffile_open(open(scratch_join(dir, "x").text, O_RDONLY | O_CLOEXEC), &nomem);

	ck_assert_ptr_nonnull(file);
	return file;
}

static void setup_as(struct program *program, const char *options, const char *strip)
{
	program->dir = scratch_make();
	toolchain_build(program->dir.text, "x.s", source,
			"gcc -nostdlib -Wl,-e,one,--build-id=none,-z,noseparate-code %s -o x x.s",
			options);
	program->one = toolchain_address(program->dir.text, "x", "one");
	program->two = toolchain_address(program->dir.text, "x", "two");
	program->outer = toolchain_address(program->dir.text, "x", "outer");
	program->end = toolchain_address(program->dir.text, "x", "end");
	toolchain_run(program->dir.text, "%s x", strip);
	program->file = open_file(program->dir.text);
	program->file->machine = EM_X86_64;
}

static void setup(struct program *program, int build)
{
	setup_as(program, builds[build].options, "strip");
}

static void teardown(struct program *program)
{
	elffile_close(program->file);
	scratch_remove(program->dir.text);
}

/* ---- what it says ---------------------------------------------------------------------------- */

static void check_function(const struct gotable *table, uint64_t address, const char *name,
			   uint64_t start, uint64_t end, uint64_t code_end)
{
	struct gofunction function;

	ck_assert(gotable_find(table, address, &function));
	ck_assert_str_eq(gotable_name(table, &function), name);
	ck_assert_uint_eq(function.start, start);
	ck_assert_uint_eq(function.end, end);
	ck_assert_uint_eq(gotable_code_end(table, &function), code_end);
}

START_TEST(functions)
{
	struct program program;
	struct gotable table;
	struct gofunction function;

	setup(&program, _i);
	ck_assert(gotable_is_go(program.file));
	ck_assert(gotable_open(&table, program.file));
	ck_assert_int_eq(table.since, builds[_i].since);
	ck_assert_uint_eq(table.nr, 3);
	check_function(&table, program.one, "main.one", program.one, program.two, program.one + 16);
	check_function(&table, program.two - 1, "main.one", program.one, program.two,
		       program.one + 16);
	check_function(&table, program.two, "main.(*T[...]).two", program.two, program.outer,
		       program.two + 40);
	check_function(&table, program.end - 1, "runtime.goexit", program.outer, program.end,
		       program.outer + 8);
	ck_assert(!gotable_find(&table, program.one - 1, &function));
	ck_assert(!gotable_find(&table, program.end, &function));
	ck_assert(!gotable_get(&table, 3, &function));
	teardown(&program);
}
END_TEST

static void check_source(const struct gotable *table, uint64_t address, const char *filename,
			 uint32_t line)
{
	struct gofunction function;
	struct golines lines = {0};
	struct gosource found;

	ck_assert(gotable_find(table, address, &function));
	ck_assert(gotable_source(table, &function, address, &lines, &found));
	ck_assert_str_eq(found.filename, filename);
	ck_assert_uint_eq(found.line, line);
}

/* From wherever the search was left it finds what it does from the start. */
static void check_searches(const struct gotable *table, uint64_t first, uint64_t end)
{
	for (uint64_t before = first; before < end; before++)
		for (uint64_t address = first; address < end; address++) {
			struct golines lines = {0}, fresh = {0};
			struct gofunction function;
			struct gosource one, other;
			bool is_one, is_other;

			if (gotable_find(table, before, &function))
				(void)gotable_source(table, &function, before, &lines, &one);
			if (!gotable_find(table, address, &function))
				continue;
			is_one = gotable_source(table, &function, address, &lines, &one);
			is_other = gotable_source(table, &function, address, &fresh, &other);
			ck_assert_int_eq(is_one, is_other);
			ck_assert_ptr_eq(one.filename, other.filename);
			ck_assert_uint_eq(one.line, other.line);
		}
}

static void check_definition(const struct gotable *table, uint64_t address, const char *filename,
			     uint32_t line)
{
	struct gofunction function;
	struct gosource found;

	ck_assert(gotable_find(table, address, &function));
	ck_assert(gotable_definition(table, &function, &found));
	ck_assert_str_eq(found.filename, filename);
	ck_assert_uint_eq(found.line, line);
}

START_TEST(sources)
{
	const bool has_definitions = builds[_i].since == GOTABLE_1_20;
	struct gofunction function;
	struct golines lines = {0};
	struct gosource found;
	struct program program;
	struct gotable table;

	setup(&program, _i);
	ck_assert(gotable_open(&table, program.file));
	check_source(&table, program.one, "/src/a.go", 5);
	check_source(&table, program.one + 15, "/src/a.go", 5);
	check_source(&table, program.two + 3, "/src/a.go", 10);
	check_source(&table, program.two + 4, "/src/a.go", 310);
	check_source(&table, program.two + 19, "/src/a.go", 310);
	check_source(&table, program.two + 20, "/src/b.go", 310);
	check_source(&table, program.outer, "/src/b.go", 0);
	check_definition(&table, program.one, "/src/a.go", has_definitions ? 4 : 5);
	check_definition(&table, program.two, "/src/a.go", has_definitions ? 9 : 10);
	check_definition(&table, program.outer, "/src/b.go", 0);
	/* what pads a function has none */
	ck_assert(gotable_find(&table, program.two + 40, &function));
	ck_assert(!gotable_source(&table, &function, program.two + 40, &lines, &found));
	check_searches(&table, program.one, program.end);
	teardown(&program);
}
END_TEST

static void check_row(const struct program *program, const struct gotable *table, uint64_t address,
		      uint64_t start, uint64_t end, int64_t frame)
{
	struct cfi_row row;

	ck_assert(gorow_find(table, program->file, address, &row));
	ck_assert_uint_eq(row.start, start);
	ck_assert_uint_eq(row.end, end);
	ck_assert_int_eq(row.cfa.how, CFI_REGISTER);
	ck_assert_uint_eq(row.cfa.reg, 7);
	ck_assert_int_eq(row.cfa.offset, frame + table->word);
	ck_assert_uint_eq(row.ra_column, 16);
	ck_assert_int_eq(row.regs[16].how, address < program->outer ? CFI_AT_CFA : CFI_UNDEFINED);
	ck_assert_int_eq(row.regs[16].offset, -(int64_t)table->word);
	ck_assert(row.is_64bit && !row.swap && !row.is_signal);
}

START_TEST(frames)
{
	struct program program;
	struct gotable table;
	struct cfi_row row;

	setup(&program, _i);
	ck_assert(gotable_open(&table, program.file));
	check_row(&program, &table, program.one + 15, program.one, program.one + 16, 0);
	check_row(&program, &table, program.two, program.two, program.two + 4, 0);
	check_row(&program, &table, program.two + 4, program.two + 4, program.two + 36, 200);
	check_row(&program, &table, program.outer + 1, program.outer, program.outer + 8, 0);
	/* as where a function has taken its return address from the stack; no more than that */
	if (table.word == 8)
		check_row(&program, &table, program.two + 39, program.two + 36, program.two + 40,
			  -8);
	else
		ck_assert(!gorow_find(&table, program.file, program.two + 39, &row));
	ck_assert(!gorow_find(&table, program.file, program.two + 40, &row));
	ck_assert(!gorow_find(&table, program.file, program.end, &row));
	teardown(&program);
}
END_TEST

/* Machines that have the return address in a register keep it below what the function has on the
 * stack. */
START_TEST(link_registers)
{
	static const struct {
		uint16_t machine;
		uint8_t sp, ra;
	} machines[] = {{183, 31, 30}, {40, 13, 14}, {21, 1, 65}, {22, 15, 14},
			{243, 2, 1},   {258, 3, 1},  {8, 29, 31}};
	struct program program;
	struct gotable table;
	struct cfi_row row;

	setup(&program, LAST_LAYOUT);
	ck_assert(gotable_open(&table, program.file));
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		program.file->machine = machines[i].machine;
		ck_assert(gorow_find(&table, program.file, program.two, &row));
		ck_assert_uint_eq(row.cfa.reg, machines[i].sp);
		ck_assert_int_eq(row.cfa.offset, 0);
		ck_assert_uint_eq(row.ra_column, machines[i].ra);
		ck_assert_int_eq(row.regs[row.ra_column].how, CFI_SAME);
		ck_assert(gorow_find(&table, program.file, program.two + 4, &row));
		ck_assert_int_eq(row.cfa.offset, 200);
		ck_assert_int_eq(row.regs[row.ra_column].how, CFI_AT_CFA);
		ck_assert_int_eq(row.regs[row.ra_column].offset, -200);
	}
	program.file->machine = 3; /* 386 */
	ck_assert(gorow_find(&table, program.file, program.two, &row));
	ck_assert_uint_eq(row.cfa.reg, 4);
	ck_assert_uint_eq(row.ra_column, 8);
	program.file->machine = 0;
	ck_assert(!gorow_find(&table, program.file, program.two, &row));
	teardown(&program);
}
END_TEST

/* Nothing calls goexit. Handlers return to a trampoline, with what was interrupted on the stack. */
START_TEST(handlers)
{
	struct program program;
	struct gotable table;
	struct cfi_row row;

	setup_as(&program, LAYOUT(20, 0, 0, 8, 1) ",--defsym,HANDLERS=1 -static", "strip");
	ck_assert(gotable_open(&table, program.file));
	ck_assert(gorow_find(&table, program.file, program.outer, &row));
	ck_assert_int_eq(row.regs[16].how, CFI_AT_CFA);
	ck_assert(!row.is_signal);
	ck_assert(gorow_find(&table, program.file, program.two, &row));
	ck_assert(row.is_signal);
	ck_assert_int_eq(row.cfa.how, CFI_IS_EXPR);
	ck_assert_int_eq(row.regs[16].how, CFI_AT_EXPR);
	ck_assert_uint_eq(row.regs[16].expr_len, 3);
	ck_assert_int_eq(memcmp(row.regs[16].expr, "\x77\xa8\x01", 3), 0); /* rsp + 168 */
	ck_assert_int_eq(memcmp(row.cfa.expr, "\x77\xa0\x01\x06", 4), 0);
	/* a handler's return address is taken for that of a call, which is before it */
	ck_assert(gorow_find(&table, program.file, program.two - 1, &row));
	ck_assert(row.is_signal);
	ck_assert(gorow_find(&table, program.file, program.two - 2, &row));
	ck_assert(!row.is_signal);
	row = (struct cfi_row){.ra_column = 16};
	gorow_correct(&table, program.file, program.two + 1, &row);
	ck_assert(row.is_signal);
	program.file->machine = EM_AARCH64;
	ck_assert(gorow_find(&table, program.file, program.two, &row));
	ck_assert(!row.is_signal);
	teardown(&program);
}
END_TEST

START_TEST(corrections)
{
	struct cfi_row row = {.ra_column = 16, .regs = {[16] = {.how = CFI_AT_CFA, .offset = -8}}};
	struct program program;
	struct gotable table;

	setup(&program, LAST_LAYOUT);
	ck_assert(gotable_open(&table, program.file));
	gorow_correct(&table, program.file, program.two, &row);
	gorow_correct(&table, program.file, program.end, &row);
	ck_assert_int_eq(row.regs[16].how, CFI_AT_CFA);
	gorow_correct(&table, program.file, program.outer, &row);
	ck_assert_int_eq(row.regs[16].how, CFI_UNDEFINED);
	teardown(&program);
}
END_TEST

/* ---- what becomes of it ---------------------------------------------------------------------- */

static struct symbol find_symbol(const struct program *program, uint64_t address,
				 struct place_detail *detail, struct symbolizer *symbolizer)
{
	struct dso_table dsos = {0};
	const struct dso *dso =
		dso_table_get(&dsos, DSO_USER, scratch_join(program->dir.text, "x").text, NULL, 0);
	const struct elffile_segment *segment = program->file->segments;
	const struct symbol *symbol;
	struct symbol found;
	struct error err;

	while (!segment->executable)
		segment++;
	*detail = (struct place_detail){.wanted = true};
	symbol = symbolizer_find_detail(symbolizer, dso, address - segment->addr + segment->offset,
					detail, &err);
	ck_assert_ptr_nonnull(symbol);
	found = *symbol;
	dso_table_free(&dsos);
	return found;
}

START_TEST(symbols)
{
	const struct symbol_settings settings = {.debug_dir = "/none", .build_id_cache = "/none"};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct place_detail detail;
	struct program program;
	struct symbol found;

	setup(&program, _i);
	found = find_symbol(&program, program.two + 30, &detail, symbolizer);
	ck_assert_str_eq(found.function, "main.(*T[...]).two");
	ck_assert_str_eq(found.filename, "/src/a.go");
	ck_assert_uint_eq(found.line, builds[_i].since == GOTABLE_1_20 ? 9 : 10);
	ck_assert_uint_eq(found.size, 40);
	ck_assert_str_eq(detail.filename, "/src/b.go");
	ck_assert_uint_eq(detail.line, 310);
	ck_assert_uint_eq(detail.offset, 30);
	ck_assert_int_eq(detail.reason, REASON_NONE);
	symbolizer_destroy(symbolizer);
	teardown(&program);
}
END_TEST

START_TEST(code_beside_it)
{
	const struct symbol_settings settings = {.debug_dir = "/none", .build_id_cache = "/none"};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct place_detail detail;
	struct program program;
	struct symbol found;

	setup(&program, LAST_LAYOUT);
	found = find_symbol(&program, program.end + 1, &detail, symbolizer);
	ck_assert_int_eq(found.reason, REASON_OUTSIDE_SYMBOLS);
	ck_assert_int_eq(detail.reason, REASON_NO_LINES);
	symbolizer_destroy(symbolizer);
	teardown(&program);
}
END_TEST

static void check_name(const struct program *program, uint64_t address, const char *name)
{
	const struct symbol_settings settings = {.debug_dir = "/none", .build_id_cache = "/none"};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct place_detail detail;

	ck_assert_str_eq(find_symbol(program, address, &detail, symbolizer).function, name);
	symbolizer_destroy(symbolizer);
}

/* The linker's symbols have a dot where the table has a middle one. */
START_TEST(middle_dots)
{
	struct program program;

	setup_as(&program, LAYOUT(20, 0, 0, 8, 1) ",--defsym,HANDLERS=1 -static", "strip");
	check_name(&program, program.one, "main.one.two.3");
	teardown(&program);
}
END_TEST

/* Where some symbols are left, the table has the others. */
START_TEST(few_symbols)
{
	struct program program;

	setup_as(&program, builds[LAST_LAYOUT].options, "strip -K before");
	check_name(&program, program.one - 1, "before");
	check_name(&program, program.two, "main.(*T[...]).two");
	teardown(&program);
}
END_TEST

/* ---- damage ---------------------------------------------------------------------------------- */

/* Asks all there is to ask. */
static void ask(const struct elffile *file, uint64_t first, uint64_t end)
{
	struct gofunction function;
	struct golines lines = {0};
	struct gosource found;
	struct gotable table;
	struct cfi_row row;

	if (!gotable_open(&table, file))
		return;
	for (uint64_t address = first; address < end; address++) {
		if (gorow_find(&table, file, address, &row))
			ck_assert(row.start <= address && address < row.end);
		if (!gotable_find(&table, address, &function))
			continue;
		ck_assert(function.start <= address && address < function.end);
		ck_assert_uint_le(gotable_code_end(&table, &function), function.end);
		(void)gotable_name(&table, &function);
		if (gotable_source(&table, &function, address, &lines, &found))
			ck_assert_ptr_nonnull(found.filename);
		(void)gotable_definition(&table, &function, &found);
	}
}

/* Each byte of the table in turn is another one. */
START_TEST(damage)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	struct program program;
	struct span image, table;
	uint8_t *bytes;
	size_t size, at;

	setup(&program, _i);
	image = elffile_image(program.file);
	table = elfsection_raw(program.file, elffile_section_named(program.file, ".gopclntab"));
	at = (size_t)(table.pos - image.pos);
	size = span_left(&image);
	bytes = malloc(size);
	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < span_left(&table); i++)
		for (size_t k = 0; k < sizeof(values); k++) {
			bool nomem = false;
			struct elffile *file;

			memcpy(bytes, image.pos, size);
			bytes[at + i] = values[k];
			file = elffile_from_memory(bytes, size, &nomem);
			ck_assert_ptr_nonnull(file);
			ask(file, program.one - 1, program.end + 1);
			elffile_close(file);
		}
	free(bytes);
	teardown(&program);
}
END_TEST

/* Writes @bytes over the first @len bytes at @offset in a copy of the table; whether it can be read
 * then. */
static bool opens_with(const struct program *program, uint64_t offset, const void *bytes,
		       size_t len)
{
	const struct span image = elffile_image(program->file);
	const size_t size = span_left(&image);
	const struct span table =
		elfsection_raw(program->file, elffile_section_named(program->file, ".gopclntab"));
	uint8_t *copy = malloc(size);
	struct gotable opened;
	struct elffile *file;
	bool nomem = false, opens;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, image.pos, size);
	memcpy(copy + (table.pos - image.pos) + offset, bytes, len);
	file = elffile_from_memory(copy, size, &nomem);
	ck_assert_ptr_nonnull(file);
	opens = gotable_open(&opened, file);
	elffile_close(file);
	free(copy);
	return opens;
}

/* Functions must ascend, and lie in the file's code: so they take no more time than that is long.
 */
START_TEST(functions_anywhere)
{
	enum { NR = 8, FUNCTIONS = 72, ENTRY = 8 };
	static const struct {
		uint64_t offset;
		uint32_t value;
	} changes[] = {
		{FUNCTIONS + ENTRY, 0},		  /* two, where one is */
		{FUNCTIONS + ENTRY, 0x1000},	  /* two, behind the end */
		{FUNCTIONS + 3 * ENTRY, 0x10000}, /* the end, behind the code */
		{FUNCTIONS, 0x80000000},	  /* one, anywhere */
		{NR, 1000},
		{NR, 0},
		{NR, 0xffffffff}, /* so many */
		{NR + 4, 1},
	};
	struct program program;
	const uint32_t same = 3;
	struct gotable table;

	setup(&program, LAST_LAYOUT);
	ck_assert(gotable_open(&table, program.file));
	ck_assert(opens_with(&program, NR, &same, sizeof(same)));
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		ck_assert_msg(!opens_with(&program, changes[i].offset, &changes[i].value,
					  sizeof(changes[i].value)),
			      "%zu", i);
	teardown(&program);
}
END_TEST

/* What describes the program must be about this table. */
START_TEST(other_modules)
{
	struct program program;
	struct span image, module;
	uint8_t *copy;
	struct elffile *file;
	struct gotable table;
	bool nomem = false;

	setup(&program, LAST_LAYOUT + 1);
	image = elffile_image(program.file);
	module = elfsection_raw(program.file, elffile_section_named(program.file, ".go.module"));
	copy = malloc(span_left(&image));
	ck_assert_ptr_nonnull(copy);
	memcpy(copy, image.pos, span_left(&image));
	copy[module.pos - image.pos]++;
	file = elffile_from_memory(copy, span_left(&image), &nomem);
	ck_assert(gotable_open(&table, program.file));
	ck_assert(!gotable_open(&table, file));
	elffile_close(file);
	free(copy);
	teardown(&program);
}
END_TEST

START_TEST(other_programs)
{
	const struct scratch_path dir = scratch_make();
	struct gofunction function;
	struct elffile *file;
	struct gotable table;

	toolchain_build(dir.text, "x.c", "int main(void) { return 0; }\n", "gcc -o x x.c");
	file = open_file(dir.text);
	ck_assert(!gotable_is_go(file));
	ck_assert(!gotable_open(&table, file));
	ck_assert_uint_eq(table.nr, 0);
	ck_assert(!gotable_find(&table, 0x1000, &function));
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gotable");
	TCase *tables = tcase_create("tables");

	tcase_add_loop_test(tables, functions, 0, NR_BUILDS);
	tcase_add_loop_test(tables, sources, 0, NR_BUILDS);
	tcase_add_loop_test(tables, frames, 0, NR_BUILDS);
	tcase_add_test(tables, link_registers);
	tcase_add_test(tables, handlers);
	tcase_add_test(tables, corrections);
	tcase_add_loop_test(tables, symbols, 0, NR_BUILDS);
	tcase_add_test(tables, code_beside_it);
	tcase_add_test(tables, middle_dots);
	tcase_add_test(tables, few_symbols);
	tcase_add_loop_test(tables, damage, 0, LAST_LAYOUT + 1);
	tcase_add_test(tables, functions_anywhere);
	tcase_add_test(tables, other_modules);
	tcase_add_test(tables, other_programs);
	suite_add_tcase(suite, tables);
	return suite_run(suite);
}
