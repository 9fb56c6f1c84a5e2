/* The entries of tar archives, in each of the ways in which they are written. */
#include "decode/symbol/file/tar.h"

#include "tests/support/suite.h"
#include "tests/writer/mktar.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mktar made;
static struct tar tar;
static struct tar_entry entry;

static void start(void)
{
	tar_start(&tar, made.bytes, made.len);
}

static void teardown(void)
{
	free(made.bytes);
	made = (struct mktar){0};
}

static void check_entry(enum tar_kind kind, const char *path, const char *link, const char *text)
{
	ck_assert(tar_next(&tar, &entry));
	ck_assert_int_eq(entry.kind, kind);
	ck_assert_str_eq(entry.path, path);
	ck_assert_str_eq(entry.link, link);
	ck_assert(!entry.is_cut);
	ck_assert_uint_eq(entry.size, strlen(text));
	ck_assert_int_eq(memcmp(made.bytes + entry.offset, text, strlen(text)), 0);
}

static void check_end(enum tar_state state)
{
	ck_assert(!tar_next(&tar, &entry));
	ck_assert_int_eq(tar.state, state);
	ck_assert(!tar_next(&tar, &entry));
}

START_TEST(each_kind)
{
	mktar_add(&made, '5', "dir/", "", NULL, 0);
	mktar_file(&made, "dir/file", "its text");
	mktar_add(&made, '2', "dir/symlink", "file", NULL, 0);
	mktar_add(&made, '1', "hard", "dir/file", NULL, 0);
	mktar_add(&made, '3', "device", "", NULL, 0);
	mktar_add(&made, '6', "fifo", "", NULL, 0);
	mktar_add(&made, '7', "contiguous", "", "x", 1);
	mktar_add(&made, 'V', "volume", "", NULL, 0);
	mktar_file(&made, "empty", "");
	mktar_end(&made);
	start();
	check_entry(TAR_DIRECTORY, "dir/", "", "");
	check_entry(TAR_FILE, "dir/file", "", "its text");
	check_entry(TAR_SYMLINK, "dir/symlink", "file", "");
	check_entry(TAR_HARDLINK, "hard", "dir/file", "");
	check_entry(TAR_OTHER, "device", "", "");
	check_entry(TAR_OTHER, "fifo", "", "");
	check_entry(TAR_FILE, "contiguous", "", "x");
	check_entry(TAR_OTHER, "volume", "", "");
	check_entry(TAR_FILE, "empty", "", "");
	check_end(TAR_WHOLE);
}
END_TEST

/* Before POSIX there was no magic, a file had NUL for its type, and a directory's name a slash. */
START_TEST(the_oldest_format)
{
	uint8_t *header;

	mktar_add(&made, '\0', "old", "", "text", 4);
	header = mktar_header(&made, 4);
	memset(header + 257, 0, 8);
	mktar_sum(header);
	mktar_add(&made, '\0', "old.d/", "", NULL, 0);
	mktar_end(&made);
	start();
	check_entry(TAR_FILE, "old", "", "text");
	check_entry(TAR_DIRECTORY, "old.d/", "", "");
	check_end(TAR_WHOLE);
}
END_TEST

/* ---- long names ------------------------------------------------------------------------------ */

START_TEST(a_prefix_of_ustar)
{
	uint8_t *header;

	mktar_file(&made, "name", "text");
	header = mktar_header(&made, 4);
	strcpy((char *)header + 345, "a/prefix");
	mktar_sum(header);
	/* What GNU tar has there are times: its magic ends in blanks. */
	mktar_file(&made, "name", "text");
	header = mktar_header(&made, 4);
	memcpy(header + 257, "ustar  ", 8);
	strcpy((char *)header + 345, "14722371310");
	mktar_sum(header);
	mktar_end(&made);
	start();
	check_entry(TAR_FILE, "a/prefix/name", "", "text");
	check_entry(TAR_FILE, "name", "", "text");
	check_end(TAR_WHOLE);
}
END_TEST

static char long_name[300], long_link[400];

static void fill_long_names(void)
{
	memset(long_name, 'n', sizeof(long_name) - 1);
	memset(long_link, 'l', sizeof(long_link) - 1);
}

/* A name that fills all of its field has no NUL. */
START_TEST(a_name_of_100_bytes)
{
	char name[101] = "";

	memset(name, 'n', 100);
	mktar_file(&made, name, "text");
	mktar_end(&made);
	start();
	check_entry(TAR_FILE, name, "", "text");
	check_end(TAR_WHOLE);
}
END_TEST

START_TEST(long_names_of_gnu)
{
	fill_long_names();
	mktar_add(&made, 'K', "././@LongLink", "", long_link, sizeof(long_link));
	mktar_add(&made, 'L', "././@LongLink", "", long_name, sizeof(long_name));
	mktar_add(&made, '2', long_name, long_link, NULL, 0);
	mktar_file(&made, "next", "text");
	mktar_end(&made);
	start();
	check_entry(TAR_SYMLINK, long_name, long_link, "");
	check_entry(TAR_FILE, "next", "", "text");
	check_end(TAR_WHOLE);
}
END_TEST

/* One record of a pax header; the length counts itself. */
static size_t put_pax(char *to, const char *key, const char *value)
{
	size_t len = strlen(key) + strlen(value) + 3, digits = len + 2 > 99 ? 3 : 2;

	return (size_t)sprintf(to, "%zu %s=%s\n", len + digits, key, value);
}

START_TEST(long_names_of_pax)
{
	char pax[2000];
	size_t len = 0;

	fill_long_names();
	len += put_pax(pax + len, "mtime", "1700000000.123456789");
	len += put_pax(pax + len, "path", long_name);
	len += put_pax(pax + len, "linkpath", long_link);
	mktar_add(&made, 'x', "PaxHeaders/x", "", pax, len);
	mktar_add(&made, '2', "short", "short", NULL, 0);
	mktar_file(&made, "next", "text");
	mktar_end(&made);
	start();
	check_entry(TAR_SYMLINK, long_name, long_link, "");
	check_entry(TAR_FILE, "next", "", "text");
	check_end(TAR_WHOLE);
}
END_TEST

/* What a header for all entries says is no name of any of them. */
START_TEST(a_global_header)
{
	char pax[100];
	size_t len = put_pax(pax, "path", "not a name of each of them");

	mktar_add(&made, 'g', "PaxHeaders/g", "", pax, len);
	mktar_file(&made, "name", "text");
	mktar_end(&made);
	start();
	check_entry(TAR_FILE, "name", "", "text");
	check_end(TAR_WHOLE);
}
END_TEST

/* Longer than any path: nothing can be looked up by it. */
START_TEST(a_name_that_is_no_path)
{
	char *name = calloc(1, 5000);

	ck_assert_ptr_nonnull(name);
	memset(name, 'n', 4999);
	mktar_add(&made, 'L', "././@LongLink", "", name, 5000);
	mktar_file(&made, "nnn", "text");
	mktar_end(&made);
	start();
	check_entry(TAR_FILE, "", "", "text");
	check_end(TAR_WHOLE);
	free(name);
}
END_TEST

/* ---- sizes ----------------------------------------------------------------------------------- */

START_TEST(sizes)
{
	char pax[100];
	size_t len = put_pax(pax, "size", "4");
	uint8_t *header;

	/* The size in the header is 0 where it would not fit. */
	mktar_add(&made, 'x', "PaxHeaders/x", "", pax, len);
	mktar_file(&made, "pax", "text");
	header = mktar_header(&made, 4);
	memcpy(header + 124, "00000000000", 12);
	mktar_sum(header);
	mktar_file(&made, "base 256", "text");
	header = mktar_header(&made, 4);
	memcpy(header + 124, "\x80\0\0\0\0\0\0\0\0\0\0\4", 12);
	mktar_sum(header);
	mktar_file(&made, "with blanks", "text");
	header = mktar_header(&made, 4);
	memcpy(header + 124, "         4 ", 12);
	mktar_sum(header);
	/* Directories and links have no bytes, whatever their headers say. */
	mktar_add(&made, '5', "dir", "", NULL, 0);
	header = mktar_header(&made, 0);
	memcpy(header + 124, "00000004000", 12);
	mktar_sum(header);
	mktar_end(&made);
	start();
	check_entry(TAR_FILE, "pax", "", "text");
	check_entry(TAR_FILE, "base 256", "", "text");
	check_entry(TAR_FILE, "with blanks", "", "text");
	check_entry(TAR_DIRECTORY, "dir", "", "");
	check_end(TAR_WHOLE);
}
END_TEST

/* ---- sparse files ---------------------------------------------------------------------------- */

START_TEST(a_sparse_file_of_gnu)
{
	uint8_t map[2 * MKTAR_BLOCK + 4] = {0};
	uint8_t *header;

	/* Two more blocks of its map, then 4 bytes, which alone are its size. */
	map[504] = 1;
	memcpy(map + sizeof(map) - 4, "text", 4);
	mktar_add(&made, 'S', "sparse", "", map, sizeof(map));
	header = mktar_header(&made, sizeof(map));
	memcpy(header + 124, "00000000004", 12);
	header[482] = 1;
	mktar_sum(header);
	mktar_file(&made, "next", "text");
	mktar_end(&made);
	start();
	check_entry(TAR_SPARSE, "sparse", "", "text");
	check_entry(TAR_FILE, "next", "", "text");
	check_end(TAR_WHOLE);
}
END_TEST

START_TEST(a_sparse_file_of_pax)
{
	char pax[200];
	size_t len = 0;

	len += put_pax(pax + len, "GNU.sparse.major", "1");
	len += put_pax(pax + len, "GNU.sparse.name", "its name");
	mktar_add(&made, 'x', "PaxHeaders/x", "", pax, len);
	mktar_file(&made, "GNUSparseFile.0/its name", "map and text");
	mktar_file(&made, "next", "text");
	mktar_end(&made);
	start();
	check_entry(TAR_SPARSE, "its name", "", "map and text");
	check_entry(TAR_FILE, "next", "", "text");
	check_end(TAR_WHOLE);
}
END_TEST

/* ---- damage ---------------------------------------------------------------------------------- */

START_TEST(no_archive)
{
	struct tar none;

	mktar_add(&made, '0', "x", "", NULL, 0);
	tar_start(&none, NULL, 0);
	ck_assert(!tar_next(&none, &entry));
	ck_assert_int_eq(none.state, TAR_CUT);
	memset(made.bytes, 'x', made.len);
	start();
	check_end(TAR_DAMAGED);
}
END_TEST

/* The archive ends at each of its bytes: whole entries come, and the one that is cut says so. */
START_TEST(cut_anywhere)
{
	mktar_file(&made, "first", "text");
	mktar_file(&made, "second", "text");
	mktar_end(&made);
	for (size_t len = 0; len < made.len; len++) {
		bool whole = len >= 4 * MKTAR_BLOCK + MKTAR_BLOCK;
		size_t nr = 0;

		tar_start(&tar, made.bytes, len);
		while (tar_next(&tar, &entry)) {
			nr++;
			ck_assert_int_eq(entry.is_cut, len < entry.offset + entry.size);
		}
		ck_assert_uint_eq(nr, len < MKTAR_BLOCK ? 0U : len < 3 * MKTAR_BLOCK ? 1U : 2U);
		ck_assert_int_eq(tar.state, whole ? TAR_WHOLE : TAR_CUT);
	}
}
END_TEST

/* Sizes and lengths that cannot be, each in a header whose checksum is right. */
static const struct {
	char type;
	const char *size; /* the field, or NULL: the right one */
	const char *data;
	enum tar_state state;
} impossible[] = {
	{'0', "0000000000x", "text", TAR_DAMAGED},
	{'0', "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "text", TAR_DAMAGED},
	{'L', "77777777777", "text", TAR_CUT},
	{'x', NULL, "text", TAR_DAMAGED},
	{'x', NULL, "99 path=x\n", TAR_DAMAGED},
	{'x', NULL, "3 path=x\n", TAR_DAMAGED},
	{'x', NULL, "10 path=xx", TAR_DAMAGED},
	{'x', NULL, "9 pathxx\n", TAR_DAMAGED},
	{'x', NULL, "2 ", TAR_DAMAGED},
	{'x', NULL, "10 size=x\n", TAR_DAMAGED},
	{'x', NULL, "11 size=-1\n", TAR_DAMAGED},
	{'x', NULL, "99999999999999999999999 path=x\n", TAR_DAMAGED},
	{'x', NULL, "32 size=9999999999999999999999\n", TAR_DAMAGED},
};

START_TEST(what_cannot_be)
{
	const char *data = impossible[_i].data;
	uint8_t *header;

	mktar_add(&made, impossible[_i].type, "x", "", data, strlen(data));
	header = mktar_header(&made, strlen(data));
	if (impossible[_i].size)
		memcpy(header + 124, impossible[_i].size, 12);
	mktar_sum(header);
	mktar_file(&made, "next", "text");
	mktar_end(&made);
	start();
	check_end(impossible[_i].state);
}
END_TEST

/* No name is as long as that. */
START_TEST(an_extension_without_end)
{
	enum { LEN = (1 << 20) + 1 };
	char *name = calloc(1, LEN);

	ck_assert_ptr_nonnull(name);
	mktar_add(&made, 'L', "././@LongLink", "", name, LEN);
	mktar_file(&made, "next", "text");
	mktar_end(&made);
	start();
	check_end(TAR_DAMAGED);
	free(name);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tar");
	TCase *tcase = tcase_create("entries");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_test(tcase, each_kind);
	tcase_add_test(tcase, the_oldest_format);
	tcase_add_test(tcase, a_prefix_of_ustar);
	tcase_add_test(tcase, a_name_of_100_bytes);
	tcase_add_test(tcase, long_names_of_gnu);
	tcase_add_test(tcase, long_names_of_pax);
	tcase_add_test(tcase, a_global_header);
	tcase_add_test(tcase, a_name_that_is_no_path);
	tcase_add_test(tcase, sizes);
	tcase_add_test(tcase, a_sparse_file_of_gnu);
	tcase_add_test(tcase, a_sparse_file_of_pax);
	tcase_add_test(tcase, no_archive);
	tcase_add_test(tcase, cut_anywhere);
	tcase_add_loop_test(tcase, what_cannot_be, 0, sizeof(impossible) / sizeof(impossible[0]));
	tcase_add_test(tcase, an_extension_without_end);
	suite_add_tcase(s, tcase);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
