/* Line programs, byte for byte: what compilers write, odd cases, and damage. */
#include "decode/symbol/dwarf/linetable.h"

#include "decode/symbol/dwarf/unitsource.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPCODE_BASE = 13,
	LINE_BASE = -5,
	LINE_RANGE = 14,
	PROGRAM_MAX = 4096,
};

/*
 * Opcodes as bytes of a line program: ADDRESS() sets a 16 bit one, SPECIAL() goes on by so much
 * and makes a row, END_AFTER() goes on by a ULEB128 number of instructions and ends the sequence.
 */
#define ADDRESS(address)	  0, 9, 2, 0xff & (address), 0xff & (address) >> 8, 0, 0, 0, 0, 0, 0
#define SPECIAL(addresses, lines) (OPCODE_BASE - LINE_BASE + (lines) + LINE_RANGE * (addresses))
#define END			  0, 1, 1
#define END_AFTER(...)		  2, __VA_ARGS__, END

/* Bytes and their number. */
#define CODE(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static const bool swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;

/* A line program being written, little-endian. */
struct writer {
	uint8_t bytes[PROGRAM_MAX];
	size_t len;
	uint8_t opcode_base, line_range, min_instruction_length;
};

static struct writer start(void)
{
	return (struct writer){
		.opcode_base = OPCODE_BASE, .line_range = LINE_RANGE, .min_instruction_length = 1};
}

static void put(struct writer *w, const void *bytes, size_t len)
{
	ck_assert_uint_le(w->len + len, PROGRAM_MAX);
	memcpy(w->bytes + w->len, bytes, len);
	w->len += len;
}

static void put_u8(struct writer *w, unsigned byte)
{
	uint8_t value = (uint8_t)byte;

	put(w, &value, 1);
}

static void put_number(struct writer *w, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		put_u8(w, (unsigned)(value >> 8 * i) & 0xff);
}

/*
 * Puts a header of @version, whose file 1 is "a.c", before what was written. From version 5 on
 * files count from 0, which is the unit's own, "u.c".
 */
static struct writer finish(const struct writer *code, unsigned version)
{
	/* copy, advance_pc, ... take as many operands; 10 and 11 take none, set_isa one */
	static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	struct writer tables = {0}, out = {0};

	put_u8(&tables, code->min_instruction_length);
	if (version >= 4)
		put_u8(&tables, 1);
	put_u8(&tables, 1);
	put_u8(&tables, (uint8_t)LINE_BASE);
	put_u8(&tables, code->line_range);
	put_u8(&tables, code->opcode_base);
	put(&tables, operands, code->opcode_base > 1 ? sizeof(operands) : 0);
	if (version >= 5)
		put(&tables, "\1\1\x08\1/\0\1\1\x08\2u.c\0a.c\0", 18);
	else
		put(&tables, "\0a.c\0\0\0\0\0", 9);
	put_number(&out, (version >= 5 ? 8u : 6u) + tables.len + code->len, 4);
	put_number(&out, version, 2);
	if (version >= 5)
		put(&out, "\x08\0", 2);
	put_number(&out, tables.len, 4);
	put(&out, tables.bytes, tables.len);
	put(&out, code->bytes, code->len);
	return out;
}

struct opened {
	struct line_files files;
	struct line_table lines;
};

static void open_bytes(struct opened *opened, const void *bytes, size_t len)
{
	const struct line_sections sections = {.line = span_make(bytes, len, swap)};

	*opened = (struct opened){0};
	ck_assert_int_eq(line_files_read(&opened->files, &sections, 0), 0);
	ck_assert_int_eq(line_table_read(&opened->lines, &opened->files), 0);
}

static void close_lines(struct opened *opened)
{
	line_files_free(&opened->files);
	line_table_free(&opened->lines);
}

/* The lines at START, START + 1, ... as text: a dot where there is none. */
static void check_lines(const struct writer *code, unsigned version, uint64_t from,
			const char *expected)
{
	struct writer program = finish(code, version);
	char text[256] = "";
	struct opened opened;

	open_bytes(&opened, program.bytes, program.len);
	for (size_t i = 0; i < strlen(expected); i++) {
		const struct line_table_row *row = line_table_find(&opened.lines, from + i);

		text[i] = (char)(row ? '0' + (int)(row->line % 10) : '.');
	}
	ck_assert_str_eq(text, expected);
	close_lines(&opened);
}

static const unsigned versions[] = {2, 3, 4, 5};

START_TEST(special_opcodes_of_every_version)
{
	struct writer code = start();

	put(&code, CODE(ADDRESS(0x1000), SPECIAL(0, 2), /* 0x1000: 3 */
			SPECIAL(2, -1),			/* 0x1002: 2 */
			SPECIAL(1, 5),			/* 0x1003: 7 */
			END_AFTER(2)));
	check_lines(&code, versions[_i], 0xffe, "..33277.");
}
END_TEST

/* Programs with the lines that check_lines() finds in them. */
static const struct program {
	const uint8_t *code;
	size_t len;
	unsigned version;
	uint64_t from;
	const char *lines;
} programs[] = {
	/* standard opcodes */
	{CODE(ADDRESS(0x1000), 3, 5, 1, /* advance_line 5, copy: 6 */
	      6, 7, 10, 11,		/* negate_stmt, basic_block, prologue, epilogue */
	      5, 0x81, 1,		/* set_column 129 */
	      12, 3,			/* set_isa */
	      8, 3, 0x7e, 1,		/* const_add_pc: 17; advance_line -2: 4 */
	      9, 3, 0,			/* fixed_advance_pc 3 */
	      3, 4, 1,			/* advance_line 4: 8 */
	      END_AFTER(1)),
	 3, 0x1000, "666666666666666664448."},
	/* the last row of an address counts */
	{CODE(ADDRESS(0x1000), SPECIAL(0, 1), /* 2 */
	      SPECIAL(2, 1),		      /* 3, for no byte */
	      SPECIAL(0, 4),		      /* 7 */
	      SPECIAL(2, 0),		      /* 7 goes on */
	      END_AFTER(2)),
	 4, 0x1000, "227777."},
	/* sequences in any order */
	{CODE(ADDRESS(0x1004), SPECIAL(0, 0),
	      END_AFTER(2), /* the next one begins with line 1 again */
	      ADDRESS(0x1000), SPECIAL(0, 2), END_AFTER(4), /* 3 */
	      ADDRESS(0x1008), SPECIAL(0, 3), END_AFTER(1)),
	 5, 0xfff, ".333311..4."},
	/* what the linker has thrown away */
	{CODE(ADDRESS(0), SPECIAL(0, 2), END_AFTER(0x80, 0x40), /* 0x2000 bytes of it */
	      ADDRESS(0x1000), SPECIAL(0, 0), END_AFTER(2)),
	 4, 0xfff, ".11."},
	/* rows that go back, and empty sequences */
	{CODE(ADDRESS(0x1002), SPECIAL(0, 2),	   /* 3 */
	      ADDRESS(0x1000), SPECIAL(0, 2),	   /* 5: goes back */
	      ADDRESS(0x1004), SPECIAL(0, 2),	   /* 7 */
	      ADDRESS(0x1005), END, END,	   /* without a row */
	      ADDRESS(0x1008), SPECIAL(0, 0), END, /* of no byte */
	      ADDRESS(0x1008), SPECIAL(0, 0), ADDRESS(0x1007), END /* of less than none */),
	 4, 0x1000, "..337...."},
	/* a sequence without an end */
	{CODE(ADDRESS(0x1000), SPECIAL(0, 0), END_AFTER(2), /* which is kept */
	      ADDRESS(0x1002), SPECIAL(0, 2), SPECIAL(2, 2)),
	 4, 0x1000, "11...."},
	/* opcodes of the future */
	{CODE(ADDRESS(0x1000), SPECIAL(0, 1), /* 2 */
	      0, 5, 0x80, '-', '-', '-', '-', /* extended, of a vendor */
	      0, 3, 4, 0x81, 1,		      /* set_discriminator */
	      0, 0,			      /* extended, of no byte */
	      SPECIAL(1, 1),		      /* 3 */
	      END_AFTER(1)),
	 5, 0x1000, "23."},
	/* code of no line */
	{CODE(ADDRESS(0x1000), SPECIAL(0, 0), SPECIAL(1, -1), /* line 0 */
	      SPECIAL(1, -1),				      /* less than 0 is as good */
	      END_AFTER(1)),
	 4, 0x1000, "100."},
};

START_TEST(lines_of_programs)
{
	const struct program *program = &programs[_i];
	struct writer code = start();

	put(&code, program->code, program->len);
	check_lines(&code, program->version, program->from, program->lines);
}
END_TEST

START_TEST(instructions_longer_than_a_byte)
{
	struct writer code = start();

	code.min_instruction_length = 4;
	put(&code, CODE(ADDRESS(0x1000), SPECIAL(1, 1), /* 0x1004: 2 */
			9, 2, 0, 3, 1, 1,		/* fixed_advance_pc counts bytes; 3 */
			END_AFTER(1)));
	check_lines(&code, 4, 0x1000, "....223333.");
}
END_TEST

/* With few standard opcodes the numbers of the others are special ones. */
START_TEST(no_standard_opcodes)
{
	struct writer code = start();

	code.opcode_base = 1;
	put(&code, CODE(ADDRESS(0x1000), 1 + 5 + 2, /* line + 2 */
			1 + 5 + 3 + 14,		    /* address + 1, line + 3 */
			ADDRESS(0x1002), END));
	check_lines(&code, 4, 0x1000, "36.");
}
END_TEST

START_TEST(a_line_range_of_0)
{
	struct writer code = start();

	code.line_range = 0;
	put(&code, CODE(ADDRESS(0x1000), 1, /* copy */
			8, 0xff, 0x30,	    /* const_add_pc, specials: they cannot mean anything */
			END_AFTER(2)));
	check_lines(&code, 4, 0x1000, "11.");
}
END_TEST

START_TEST(files_named_by_the_header_and_by_the_program)
{
	struct writer code = start(), program;
	struct opened opened;
	char *path;

	put(&code, CODE(ADDRESS(0x1000), SPECIAL(0, 0)));
	put(&code, "\0\x09\x03/b.c\0\0\0\0", 11); /* define_file: number 2 */
	/* the same line of another file is another row */
	put(&code, CODE(4, 2, SPECIAL(1, 0), END_AFTER(1)));
	program = finish(&code, 4);
	open_bytes(&opened, program.bytes, program.len);
	ck_assert_uint_eq(line_table_find(&opened.lines, 0x1000)->file, 1);
	ck_assert_uint_eq(line_table_find(&opened.lines, 0x1001)->file, 2);
	path = line_files_path(&opened.files, 2, "/comp");
	ck_assert_pstr_eq(path, "/b.c");
	free(path);
	close_lines(&opened);
}
END_TEST

/*
 * A program starts in file 1, in version 5 too, though that is the second one there
 * (section 6.2.2). binutils 2.40 and with it perf 6.1 take the first: in glibc they find the lines
 * of w_pow_template.c, which w_pow.c includes, in w_pow.c.
 */
START_TEST(a_program_starts_in_file_1)
{
	struct writer code = start(), program;
	struct opened opened;
	char *path;

	put(&code, CODE(ADDRESS(0x1000), SPECIAL(0, 0), END_AFTER(1)));
	program = finish(&code, versions[_i]);
	open_bytes(&opened, program.bytes, program.len);
	ck_assert_uint_eq(line_table_find(&opened.lines, 0x1000)->file, 1);
	path = line_files_path(&opened.files, 1, "/");
	ck_assert_pstr_eq(path, "/a.c");
	free(path);
	close_lines(&opened);
}
END_TEST

START_TEST(every_cut_keeps_whole_sequences)
{
	struct writer code = start(), program;

	for (unsigned i = 0; i < 4; i++)
		put(&code,
		    CODE(ADDRESS(0x1000 + 16 * i), SPECIAL(0, 1), SPECIAL(3, 2), END_AFTER(2)));
	program = finish(&code, 4);
	for (size_t len = 4; len <= program.len; len++) {
		struct writer cut = program;
		struct opened opened;
		uint32_t unit = (uint32_t)len - 4;

		for (unsigned i = 0; i < 4; i++)
			cut.bytes[i] = (uint8_t)(unit >> 8 * i);
		open_bytes(&opened, cut.bytes, len);
		for (size_t i = 0; i < 4; i++) {
			/* 11 bytes set the address, 4 make rows, 3 end the sequence. */
			size_t end = program.len - (3 - i) * 18;
			const struct line_table_row *row =
				line_table_find(&opened.lines, 0x1003 + 16 * i);

			ck_assert(len >= end ? row && row->line == 4 : !row);
		}
		close_lines(&opened);
	}
}
END_TEST

/* The answers do not matter, only that there is an end, and that rows are not more than opcodes. */
START_TEST(random_programs_do_no_harm)
{
	srand((unsigned)_i + 1);
	for (int round = 0; round < 200; round++) {
		struct writer code = start(), program;
		struct opened opened;

		put(&code, CODE(ADDRESS(0x1000)));
		while (code.len < 1000)
			put_u8(&code, (unsigned)rand() % (rand() % 2 ? 256 : 14));
		code.line_range = (uint8_t)(rand() % 16);
		program = finish(&code, 2 + (unsigned)rand() % 4);
		for (int i = rand() % 4; i > 0; i--)
			program.bytes[4 + (size_t)rand() % (program.len - 4)] = (uint8_t)rand();
		open_bytes(&opened, program.bytes, program.len);
		ck_assert_uint_le(opened.lines.nr_rows, program.len);
		for (uint64_t address = 0; address < 0x4000; address += 7)
			line_table_find(&opened.lines, address);
		line_table_find(&opened.lines, UINT64_MAX);
		close_lines(&opened);
	}
}
END_TEST

/* ---- shared by units ------------------------------------------------------------------------- */

/* Checks the file and line that @source has for 0x1000; NULL for none. */
static void check_source(struct unit_sources *sources, struct unit_source *source,
			 const char *filename)
{
	struct source_line line;
	bool found;

	ck_assert_ptr_nonnull(source);
	ck_assert_int_eq(unit_source_line(sources, source, 0x1000, &line, &found), 0);
	ck_assert(found == (filename != NULL));
	if (filename) {
		ck_assert_str_eq(line.filename, filename);
		ck_assert_uint_eq(line.line, 3);
	}
}

START_TEST(units_share_what_is_read_once)
{
	struct writer code = start(), program;
	struct intern strings = {0};
	struct unit_sources sources = {.strings = &strings};
	struct unit_source *one, *two, *third;
	const char *path, *a = "/a", *b = "/b";

	put(&code, CODE(ADDRESS(0x1000), SPECIAL(0, 2), END_AFTER(2)));
	program = finish(&code, 4);
	sources.sections.line = span_make(program.bytes, program.len, swap);
	sources.bytes_left = 2 * program.len;
	one = unit_sources_get(&sources, 0, a);
	check_source(&sources, one, "/a/a.c");
	ck_assert_ptr_eq(unit_sources_get(&sources, 0, a), one);
	two = unit_sources_get(&sources, 0, b);
	check_source(&sources, two, "/b/a.c");
	ck_assert_ptr_eq(unit_sources_get(&sources, 0, a), one);
	/* What may be read is used up now; what was read is still there. */
	third = unit_sources_get(&sources, 0, NULL);
	check_source(&sources, third, NULL);
	check_source(&sources, one, "/a/a.c");
	ck_assert_int_eq(unit_source_path(&sources, two, 1, &path), 0);
	ck_assert_str_eq(path, "/b/a.c");
	ck_assert_int_eq(unit_source_path(&sources, two, 2, &path), 0);
	ck_assert_str_eq(path, "");
	check_source(&sources, unit_sources_get(&sources, 1000, a), NULL);
	unit_sources_free(&sources);
	intern_free(&strings);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("linetable");
	TCase *tcase = tcase_create("linetable");

	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, special_opcodes_of_every_version, 0, 4);
	tcase_add_loop_test(tcase, lines_of_programs, 0, sizeof(programs) / sizeof(programs[0]));
	tcase_add_test(tcase, instructions_longer_than_a_byte);
	tcase_add_test(tcase, no_standard_opcodes);
	tcase_add_test(tcase, a_line_range_of_0);
	tcase_add_test(tcase, files_named_by_the_header_and_by_the_program);
	tcase_add_loop_test(tcase, a_program_starts_in_file_1, 0, 4);
	tcase_add_test(tcase, every_cut_keeps_whole_sequences);
	tcase_add_test(tcase, units_share_what_is_read_once);
	tcase_add_loop_test(tcase, random_programs_do_no_harm, 0, 10);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
