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

static void put_uleb(struct writer *w, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		put_u8(w, (unsigned)(value & 0x7f) | 0x80);
	put_u8(w, (unsigned)value);
}

static void set_address(struct writer *w, uint64_t address)
{
	put(w, "\0\x09\x02", 3);
	put_number(w, address, 8);
}

static void end_sequence(struct writer *w)
{
	put(w, "\0\x01\x01", 3);
}

/* The special opcode that goes on by @addresses and @lines and makes a row. */
static void special(struct writer *w, unsigned addresses, int lines)
{
	put_u8(w, (unsigned)(lines - LINE_BASE) + LINE_RANGE * addresses + OPCODE_BASE);
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

	set_address(&code, 0x1000);
	special(&code, 0, 2);  /* 0x1000: 3 */
	special(&code, 2, -1); /* 0x1002: 2 */
	special(&code, 1, 5);  /* 0x1003: 7 */
	put(&code, "\x02\x02", 2);
	end_sequence(&code);
	check_lines(&code, versions[_i], 0xffe, "..33277.");
}
END_TEST

START_TEST(standard_opcodes)
{
	struct writer code = start();

	set_address(&code, 0x1000);
	put(&code, "\x03\x05\x01", 3);	   /* advance_line 5, copy: 6 */
	put(&code, "\x06\x07\x0a\x0b", 4); /* negate_stmt, basic_block, prologue, epilogue */
	put(&code, "\x05\x81\x01", 3);	   /* set_column 129 */
	put(&code, "\x0c\x03", 2);	   /* set_isa */
	put(&code, "\x08\x03\x7e\x01", 4); /* const_add_pc: 17; advance_line -2: 4 */
	put(&code, "\x09\x03\x00", 3);	   /* fixed_advance_pc 3 */
	put(&code, "\x03\x04\x01", 3);	   /* advance_line 4: 8 */
	put(&code, "\x02\x01", 2);
	end_sequence(&code);
	check_lines(&code, 3, 0x1000, "666666666666666664448.");
}
END_TEST

START_TEST(the_last_row_of_an_address_counts)
{
	struct writer code = start();

	set_address(&code, 0x1000);
	special(&code, 0, 1); /* 2 */
	special(&code, 2, 1); /* 3, for no byte */
	special(&code, 0, 4); /* 7 */
	special(&code, 2, 0); /* 7 goes on */
	put(&code, "\x02\x02", 2);
	end_sequence(&code);
	check_lines(&code, 4, 0x1000, "227777.");
}
END_TEST

START_TEST(sequences_in_any_order)
{
	struct writer code = start();

	set_address(&code, 0x1004);
	special(&code, 0, 0);
	put(&code, "\x02\x02", 2);
	end_sequence(&code); /* the next one begins with line 1 again */
	set_address(&code, 0x1000);
	special(&code, 0, 2);
	put(&code, "\x02\x04", 2);
	end_sequence(&code);
	set_address(&code, 0x1008);
	special(&code, 0, 3);
	put(&code, "\x02\x01", 2);
	end_sequence(&code);
	check_lines(&code, 5, 0xfff, ".333311..4.");
}
END_TEST

START_TEST(what_the_linker_has_thrown_away)
{
	struct writer code = start();

	set_address(&code, 0);
	special(&code, 0, 2);
	put_u8(&code, 2);
	put_uleb(&code, 0x2000);
	end_sequence(&code);
	set_address(&code, 0x1000);
	special(&code, 0, 0);
	put(&code, "\x02\x02", 2);
	end_sequence(&code);
	check_lines(&code, 4, 0xfff, ".11.");
}
END_TEST

START_TEST(rows_that_go_back_and_empty_sequences)
{
	struct writer code = start();

	set_address(&code, 0x1002);
	special(&code, 0, 2); /* 3 */
	set_address(&code, 0x1000);
	special(&code, 0, 2); /* 5: goes back */
	set_address(&code, 0x1004);
	special(&code, 0, 2); /* 7 */
	set_address(&code, 0x1005);
	end_sequence(&code);
	end_sequence(&code);
	set_address(&code, 0x1008);
	special(&code, 0, 0);
	end_sequence(&code); /* of no byte */
	set_address(&code, 0x1008);
	special(&code, 0, 0);
	set_address(&code, 0x1007);
	end_sequence(&code); /* of less than none */
	check_lines(&code, 4, 0x1000, "..337....");
}
END_TEST

START_TEST(a_sequence_without_an_end)
{
	struct writer code = start();

	set_address(&code, 0x1000);
	special(&code, 0, 0);
	put(&code, "\x02\x02", 2);
	end_sequence(&code);
	set_address(&code, 0x1002);
	special(&code, 0, 2);
	special(&code, 2, 2);
	check_lines(&code, 4, 0x1000, "11....");
}
END_TEST

START_TEST(instructions_longer_than_a_byte)
{
	struct writer code = start();

	code.min_instruction_length = 4;
	set_address(&code, 0x1000);
	special(&code, 1, 1);			   /* 0x1004: 2 */
	put(&code, "\x09\x02\x00\x03\x01\x01", 6); /* fixed_advance_pc counts bytes; 3 */
	put(&code, "\x02\x01", 2);
	end_sequence(&code);
	check_lines(&code, 4, 0x1000, "....223333.");
}
END_TEST

START_TEST(opcodes_of_the_future)
{
	struct writer code = start();

	set_address(&code, 0x1000);
	special(&code, 0, 1);
	put(&code, "\0\x05\x80----", 7);     /* extended, of a vendor */
	put(&code, "\0\x03\x04\x81\x01", 5); /* set_discriminator */
	put(&code, "\0\0", 2);		     /* extended, of no byte */
	special(&code, 1, 1);
	put(&code, "\x02\x01", 2);
	end_sequence(&code);
	check_lines(&code, 5, 0x1000, "23.");
}
END_TEST

/* With few standard opcodes the numbers of the others are special ones. */
START_TEST(no_standard_opcodes)
{
	struct writer code = start();

	code.opcode_base = 1;
	set_address(&code, 0x1000);
	put_u8(&code, 1 + 5 + 2);      /* line + 2 */
	put_u8(&code, 1 + 5 + 3 + 14); /* address + 1, line + 3 */
	put(&code, "\0\x09\x02\x02\x10\0\0\0\0\0\0", 11);
	end_sequence(&code);
	check_lines(&code, 4, 0x1000, "36.");
}
END_TEST

START_TEST(a_line_range_of_0)
{
	struct writer code = start();

	code.line_range = 0;
	set_address(&code, 0x1000);
	put_u8(&code, 1);
	put(&code, "\x08\xff\x30", 3); /* const_add_pc, specials: they cannot mean anything */
	put(&code, "\x02\x02", 2);
	end_sequence(&code);
	check_lines(&code, 4, 0x1000, "11.");
}
END_TEST

START_TEST(files_named_by_the_header_and_by_the_program)
{
	struct writer code = start(), program;
	struct opened opened;
	char *path;

	set_address(&code, 0x1000);
	special(&code, 0, 0);
	put(&code, "\0\x09\x03/b.c\0\0\0\0", 11); /* define_file: number 2 */
	put(&code, "\x04\x02", 2);
	special(&code, 1, 0); /* the same line of another file is another row */
	put(&code, "\x02\x01", 2);
	end_sequence(&code);
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

	set_address(&code, 0x1000);
	special(&code, 0, 0);
	put(&code, "\x02\x01", 2);
	end_sequence(&code);
	program = finish(&code, versions[_i]);
	open_bytes(&opened, program.bytes, program.len);
	ck_assert_uint_eq(line_table_find(&opened.lines, 0x1000)->file, 1);
	path = line_files_path(&opened.files, 1, "/");
	ck_assert_pstr_eq(path, "/a.c");
	free(path);
	close_lines(&opened);
}
END_TEST

START_TEST(code_of_no_line)
{
	struct writer code = start();

	set_address(&code, 0x1000);
	special(&code, 0, 0);
	special(&code, 1, -1); /* line 0 */
	special(&code, 1, -1); /* less than 0 is as good */
	put(&code, "\x02\x01", 2);
	end_sequence(&code);
	check_lines(&code, 4, 0x1000, "100.");
}
END_TEST

START_TEST(every_cut_keeps_whole_sequences)
{
	struct writer code = start(), program;

	for (unsigned i = 0; i < 4; i++) {
		set_address(&code, 0x1000 + 16 * i);
		special(&code, 0, 1);
		special(&code, 3, 2);
		put(&code, "\x02\x02", 2);
		end_sequence(&code);
	}
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

		set_address(&code, 0x1000);
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

	set_address(&code, 0x1000);
	special(&code, 0, 2);
	put(&code, "\x02\x02", 2);
	end_sequence(&code);
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
	tcase_add_test(tcase, standard_opcodes);
	tcase_add_test(tcase, the_last_row_of_an_address_counts);
	tcase_add_test(tcase, sequences_in_any_order);
	tcase_add_test(tcase, what_the_linker_has_thrown_away);
	tcase_add_test(tcase, rows_that_go_back_and_empty_sequences);
	tcase_add_test(tcase, a_sequence_without_an_end);
	tcase_add_test(tcase, instructions_longer_than_a_byte);
	tcase_add_test(tcase, opcodes_of_the_future);
	tcase_add_test(tcase, no_standard_opcodes);
	tcase_add_test(tcase, a_line_range_of_0);
	tcase_add_test(tcase, files_named_by_the_header_and_by_the_program);
	tcase_add_loop_test(tcase, a_program_starts_in_file_1, 0, 4);
	tcase_add_test(tcase, code_of_no_line);
	tcase_add_test(tcase, every_cut_keeps_whole_sequences);
	tcase_add_test(tcase, units_share_what_is_read_once);
	tcase_add_loop_test(tcase, random_programs_do_no_harm, 0, 10);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
