/* Jitdumps: the records of a dump, in either byte order, whole or cut. */
#include "decode/symbol/jit/jitdump.h"

#include "decode/symbol/symbol.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/writer/mkjit.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct mkjit written;
static struct jitdump dump;

static void setup(void)
{
	memset(&written, 0, sizeof(written));
}

static void open_written(void)
{
	ck_assert(jitdump_init(&dump, written.bytes, written.len));
}

static void check_load(uint64_t time, uint64_t start, uint64_t size, const char *name,
		       uint64_t offset)
{
	struct jitdump_code code;

	ck_assert(jitdump_next(&dump, &code));
	ck_assert(!code.moved);
	ck_assert_uint_eq(code.time, time);
	ck_assert_uint_eq(code.start, start);
	ck_assert_uint_eq(code.size, size);
	ck_assert_str_eq(code.name, name);
	ck_assert_uint_eq(code.offset, offset);
}

static void check_end(void)
{
	struct jitdump_code code;

	ck_assert(!jitdump_next(&dump, &code));
	ck_assert(!jitdump_next(&dump, &code));
}

static uint64_t load(uint64_t time, uint64_t start, uint64_t size, const char *name)
{
	return mkjit_code(
		&written,
		&(struct mkjit_code){.time = time, .start = start, .size = size, .name = name});
}

/* _i: the byte order. */
START_TEST(a_load_is_time_place_name_and_bytes)
{
	uint64_t first, second;

	written.swap = _i;
	mkjit_header(&written, 4711, 0);
	first = load(5, 0x7f0000001000, 32, "JS:*f a.js:1");
	second = load(6, 0x7f0000002000, 1, "");
	open_written();
	ck_assert_uint_eq(dump.pid, 4711);
	ck_assert(!dump.arch_clock);
	check_load(5, 0x7f0000001000, 32, "JS:*f a.js:1", first);
	check_load(6, 0x7f0000002000, 1, "", second);
	check_end();
}
END_TEST

START_TEST(a_move_names_older_code)
{
	struct jitdump_code code;

	written.swap = _i;
	mkjit_header(&written, 1, 1);
	mkjit_code(
		&written,
		&(struct mkjit_code){
			.time = 9, .start = 0x5000, .size = 16, .index = 3, .moved_from = 0x1000});
	open_written();
	ck_assert(dump.arch_clock);
	ck_assert(jitdump_next(&dump, &code));
	ck_assert(code.moved);
	ck_assert_uint_eq(code.time, 9);
	ck_assert_uint_eq(code.start, 0x5000);
	ck_assert_uint_eq(code.size, 16);
	ck_assert_uint_eq(code.index, 3);
	check_end();
}
END_TEST

START_TEST(other_records_are_passed_over)
{
	uint64_t offset;

	mkjit_header(&written, 1, 0);
	mkjit_record(&written, 4, 1, 100); /* UNWINDING_INFO */
	mkjit_record(&written, 99, 1, 0);
	offset = load(2, 0x1000, 8, "f");
	mkjit_record(&written, 3, 3, 0); /* CLOSE */
	open_written();
	check_load(2, 0x1000, 8, "f", offset);
	check_end();
}
END_TEST

START_TEST(a_longer_header_is_stepped_over)
{
	uint64_t offset;

	mkjit_header(&written, 1, 0);
	written.bytes[8] = 48;
	mkjit_u64(&written, 0);
	offset = load(2, 0x1000, 8, "f");
	open_written();
	check_load(2, 0x1000, 8, "f", offset);
}
END_TEST

START_TEST(code_that_cannot_be_is_passed_over)
{
	uint64_t offset;

	mkjit_header(&written, 1, 0);
	load(1, 0x1000, 0, "empty");
	load(2, UINT64_MAX - 7, 16, "beyond the last address");
	mkjit_record(&written, 0, 3, 39);  /* a LOAD too short for its fields */
	mkjit_record(&written, 0, 4, 40);  /* one without a name */
	mkjit_record(&written, 1, 5, 47);  /* a MOVE too short */
	mkjit_record(&written, 0, 6, 100); /* no code */
	load(7, 0x1000, 8, "more code than there are bytes");
	written.bytes[written.len - 8 - 31 - 16] = 200;
	offset = load(8, 0x2000, 8, "good");
	open_written();
	check_load(8, 0x2000, 8, "good", offset);
	check_end();
}
END_TEST

/* Whatever is cut off, the whole records before it count. */
START_TEST(a_cut_dump_ends_with_its_last_whole_record)
{
	size_t header, whole, len;
	uint64_t offset;

	mkjit_header(&written, 1, 0);
	header = written.len;
	offset = load(1, 0x1000, 8, "first");
	whole = written.len;
	load(2, 0x2000, 8, "second");
	len = written.len;
	for (size_t cut = 0; cut < header; cut++)
		ck_assert(!jitdump_init(&dump, written.bytes, cut));
	for (size_t cut = header; cut < len; cut++) {
		uint8_t *copy = malloc(cut); /* for the address sanitizer */

		memcpy(copy, written.bytes, cut);
		ck_assert(jitdump_init(&dump, copy, cut));
		if (cut >= whole)
			check_load(1, 0x1000, 8, "first", offset);
		check_end();
		free(copy);
	}
}
END_TEST

START_TEST(a_dump_is_read_on_where_it_was_cut)
{
	size_t header, whole;
	uint64_t offset;

	mkjit_header(&written, 1, 0);
	header = written.len;
	load(1, 0x1000, 8, "first");
	whole = written.len;
	offset = load(2, 0x2000, 8, "second");
	ck_assert(jitdump_init(&dump, written.bytes, written.len - 1));
	ck_assert_uint_eq(dump.read, header);
	while (jitdump_next(&dump, &(struct jitdump_code){0}))
		;
	ck_assert_uint_eq(dump.read, whole);
	ck_assert(jitdump_resume(&dump, written.bytes, written.len, whole));
	check_load(2, 0x2000, 8, "second", offset);
	check_end();
	ck_assert(jitdump_resume(&dump, written.bytes, written.len, written.len));
	check_end();
	ck_assert(!jitdump_resume(&dump, written.bytes, written.len, written.len + 1));
	ck_assert(!jitdump_resume(&dump, written.bytes, written.len, header - 1));
}
END_TEST

START_TEST(what_is_no_jitdump_is_refused)
{
	mkjit_header(&written, 1, 0);
	written.bytes[0] ^= 1;
	ck_assert(!jitdump_init(&dump, written.bytes, written.len));
	written.bytes[0] ^= 1;
	written.bytes[8] = 39; /* a header too short for its fields */
	ck_assert(!jitdump_init(&dump, written.bytes, written.len));
	written.bytes[8] = 41; /* and one longer than the file */
	ck_assert(!jitdump_init(&dump, written.bytes, written.len));
	ck_assert(!jitdump_init(&dump, "", 0));
}
END_TEST

/* ---- the source ------------------------------------------------------------------------------ */

static void check_source(uint64_t start, const struct mkjit_line *lines, size_t nr,
			 const char *filename, uint32_t line)
{
	struct jitdump_code code;
	const char *got;
	uint32_t got_line = 0;

	mkjit_debug(&written, start, lines, nr);
	load(1, 0x1000, 64, "f");
	open_written();
	ck_assert(jitdump_next(&dump, &code));
	got = jitdump_source(&code, &got_line);
	ck_assert_str_eq(got ? got : "none", filename);
	ck_assert_uint_eq(got_line, line);
	memset(&written, 0, sizeof(written));
}

START_TEST(the_source_is_that_of_the_first_instruction)
{
	static const struct mkjit_line lines[] = {
		{0x1010, 7, "inlined.js"}, {0x1000, 3, "f.js"}, {0x1000, 4, "late.js"}};

	written.swap = _i;
	mkjit_header(&written, 1, 0);
	check_source(0x1000, lines, 3, "f.js", 3);
	mkjit_header(&written, 1, 0);
	check_source(0x1000, NULL, 0, "none", 0);
	mkjit_header(&written, 1, 0);
	check_source(0x2000, lines, 3, "none", 0); /* of other code */
}
END_TEST

START_TEST(a_filename_may_stand_for_the_one_before)
{
	static const struct mkjit_line lines[] = {{0x1010, 7, "f.js"}, {0x1000, 3, "\xff"}};
	static const struct mkjit_line nothing[] = {{0x1000, 3, "\xff"}};

	mkjit_header(&written, 1, 0);
	check_source(0x1000, lines, 2, "f.js", 3);
	mkjit_header(&written, 1, 0);
	check_source(0x1000, nothing, 1, "none", 0);
}
END_TEST

/* V8 pads its records; what leaves more than that over is not what it meant to write. */
START_TEST(debug_info_fills_its_record)
{
	static const struct mkjit_line lines[] = {{0x1000, 3, "f.js"}};
	const char *const expected[] = {"f.js", "f.js", NULL};
	struct jitdump_code code;
	const char *filename;
	uint32_t line = 0;
	size_t at;

	mkjit_header(&written, 1, 0);
	at = written.len;
	mkjit_debug(&written, 0x1000, lines, 1);
	written.bytes[at + 4] += (uint8_t)(4 * _i); /* its size */
	for (int i = 0; i < _i; i++)
		mkjit_u32(&written, 0);
	load(1, 0x1000, 8, "f");
	open_written();
	ck_assert(jitdump_next(&dump, &code));
	filename = jitdump_source(&code, &line);
	ck_assert_pstr_eq(filename, expected[_i]);
	ck_assert_uint_eq(line, filename ? 3 : 0);
}
END_TEST

/* Names that V8 has overwritten before it wrote them. */
START_TEST(a_filename_is_text)
{
	static const struct mkjit_line no_text[] = {{0x1000, 3, "f.js"}, {0x1004, 4, "f\x02.js"}};
	static const struct mkjit_line utf8[] = {{0x1000, 3, "\xc3\xb6.js"}};

	mkjit_header(&written, 1, 0);
	check_source(0x1000, no_text, 2, "none", 0);
	mkjit_header(&written, 1, 0);
	check_source(0x1000, utf8, 1, "\xc3\xb6.js", 3);
}
END_TEST

START_TEST(debug_info_is_for_the_next_code_only)
{
	static const struct mkjit_line lines[] = {{0x1000, 3, "f.js"}};
	struct jitdump_code code;
	uint32_t line;

	mkjit_header(&written, 1, 0);
	mkjit_debug(&written, 0x1000, lines, 1);
	load(1, 0x1000, 8, "f");
	load(2, 0x1000, 8, "g");
	open_written();
	ck_assert(jitdump_next(&dump, &code));
	ck_assert_ptr_nonnull(jitdump_source(&code, &line));
	ck_assert(jitdump_next(&dump, &code));
	ck_assert_ptr_null(jitdump_source(&code, &line));
}
END_TEST

/* ---- the file -------------------------------------------------------------------------------- */

START_TEST(the_name_of_a_dump_has_its_pid)
{
	static const char *const others[] = {"jit-12.dump",
					     "/tmp/jit-12.dum",
					     "/tmp/jit-.dump",
					     "/tmp/jit-12.dumps",
					     "/tmp/xjit-1.dump",
					     "/jit-1.dump/x",
					     "/tmp/perf-12.map",
					     "/jit-x1.dump",
					     "/jit-4294967296.dump",
					     "/jit-42949672950.dump",
					     ""};
	uint32_t pid = 0;

	ck_assert(jitdump_is_name("/home/me/.debug/jit/jit-1234.dump", &pid));
	ck_assert_uint_eq(pid, 1234);
	ck_assert(jitdump_is_name("/jit-7.dump", &pid));
	ck_assert_uint_eq(pid, 7);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		ck_assert_msg(!jitdump_is_name(others[i], &pid), "%s", others[i]);
}
END_TEST

START_TEST(a_dump_is_found_if_it_names_the_pid_of_its_name)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "jit-12.dump");
	struct scratch_path other = scratch_join(dir.text, "jit-13.dump");
	struct jitdump_place place;
	struct file_bytes file;

	ck_assert(!jitdump_find(path.text, UINT32_MAX, NULL, &place, &file, &dump));
	mkjit_header(&written, 12, 0);
	mkjit_save(&written, path.text);
	mkjit_save(&written, other.text);
	ck_assert(jitdump_find(path.text, UINT32_MAX, NULL, &place, &file, &dump));
	ck_assert_str_eq(place.path, path.text);
	ck_assert_ptr_null(place.root);
	ck_assert_uint_eq(dump.pid, 12);
	file_unmap(&file);
	ck_assert(!jitdump_find(other.text, UINT32_MAX, NULL, &place, &file, &dump));
	unlink(other.text);
	ck_assert_int_eq(symlink("jit-12.dump", other.text), 0);
	ck_assert(!jitdump_find(other.text, UINT32_MAX, NULL, &place, &file, &dump));
	scratch_remove(dir.text);
}
END_TEST

/* The one below the root that is given goes before the one at the recorded path. */
START_TEST(a_dump_is_found_below_another_root)
{
	struct scratch_path dir = scratch_make(), root = scratch_join(dir.text, "root");
	struct scratch_path path = scratch_join(dir.text, "jit-12.dump");
	struct scratch_path below = scratch_join(root.text, "jit-12.dump"), link;
	struct jitdump_place place;
	struct file_bytes file;

	ck_assert_int_eq(mkdir(root.text, 0755), 0);
	mkjit_header(&written, 12, 0);
	mkjit_save(&written, below.text);
	ck_assert(jitdump_find("/jit-12.dump", UINT32_MAX, root.text, &place, &file, &dump));
	ck_assert_str_eq(place.path, "/jit-12.dump");
	ck_assert_str_eq(place.root, root.text);
	file_unmap(&file);
	/* Links in it lead to nothing outside of it. */
	mkjit_save(&written, path.text);
	link = scratch_join(root.text, "up");
	ck_assert_int_eq(symlink("..", link.text), 0);
	ck_assert(!jitdump_find("/up/../jit-13.dump", UINT32_MAX, root.text, &place, &file, &dump));
	/* Where the root has none the recorded path is looked at. */
	unlink(below.text);
	ck_assert(!jitdump_find("/jit-12.dump", UINT32_MAX, root.text, &place, &file, &dump));
	ck_assert(jitdump_find(path.text, UINT32_MAX, root.text, &place, &file, &dump));
	ck_assert_ptr_null(place.root);
	file_unmap(&file);
	scratch_remove(dir.text);
}
END_TEST

static void check_symbol(const char *path, uint64_t offset, const char *function,
			 const char *filename, uint32_t line, enum reason reason)
{
	const struct symbol_settings settings = {.demangle = DEMANGLE_FULL};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	struct dso *dso = dso_table_get(&dsos, DSO_JITDUMP, path, NULL, 0);
	struct place place = {.address = offset};
	struct place_list list = {.dso = dso, .places = &place, .nr_places = 1};
	struct error err = {0};

	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(place.symbol->function, function);
	ck_assert_str_eq(place.symbol->filename, filename);
	ck_assert_uint_eq(place.symbol->line, line);
	ck_assert_int_eq(place.symbol->reason, reason);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
}

/* perf inject --jit writes such a name into an ELF file, and perf report demangles it there. */
START_TEST(code_is_found_by_its_place_in_the_dump)
{
	static const struct mkjit_line lines[] = {{0x1000, 3, "f.js"}};
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "jit-12.dump");
	uint64_t f, g;

	mkjit_header(&written, 12, 0);
	mkjit_debug(&written, 0x1000, lines, 1);
	f = load(1, 0x1000, 8, "JS:*f");
	g = load(2, 0x1000, 8, "_Z1gv");
	mkjit_save(&written, path.text);
	check_symbol(path.text, f, "JS:*f", "f.js", 3, REASON_NONE);
	check_symbol(path.text, f + 7, "JS:*f", "f.js", 3, REASON_NONE);
	check_symbol(path.text, f + 8, "[unknown]", "", 0, REASON_OUTSIDE_SYMBOLS);
	check_symbol(path.text, g, "g()", "", 0, REASON_NONE);
	unlink(path.text);
	check_symbol(path.text, f, "[unknown]", "", 0, REASON_JIT_MAP_MISSING);
	scratch_write(dir.text, "jit-12.dump", "no dump");
	check_symbol(path.text, f, "[unknown]", "", 0, REASON_JIT_MAP_REFUSED);
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jitdump");
	TCase *tcase = tcase_create("jitdump");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_loop_test(tcase, a_load_is_time_place_name_and_bytes, 0, 2);
	tcase_add_loop_test(tcase, a_move_names_older_code, 0, 2);
	tcase_add_test(tcase, other_records_are_passed_over);
	tcase_add_test(tcase, a_longer_header_is_stepped_over);
	tcase_add_test(tcase, code_that_cannot_be_is_passed_over);
	tcase_add_test(tcase, a_cut_dump_ends_with_its_last_whole_record);
	tcase_add_test(tcase, a_dump_is_read_on_where_it_was_cut);
	tcase_add_test(tcase, what_is_no_jitdump_is_refused);
	tcase_add_loop_test(tcase, the_source_is_that_of_the_first_instruction, 0, 2);
	tcase_add_test(tcase, a_filename_may_stand_for_the_one_before);
	tcase_add_loop_test(tcase, debug_info_fills_its_record, 0, 3);
	tcase_add_test(tcase, a_filename_is_text);
	tcase_add_test(tcase, debug_info_is_for_the_next_code_only);
	tcase_add_test(tcase, the_name_of_a_dump_has_its_pid);
	tcase_add_test(tcase, a_dump_is_found_if_it_names_the_pid_of_its_name);
	tcase_add_test(tcase, a_dump_is_found_below_another_root);
	tcase_add_test(tcase, code_is_found_by_its_place_in_the_dump);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
