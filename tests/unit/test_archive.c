/* Files in a tar archive, by their paths: links lead to its own entries only. */
#include "decode/symbol/file/archive.h"

#include "tests/support/suite.h"
#include "tests/writer/mktar.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct mktar made;
static struct archive *archive;

/* As if it had been mapped from a file. */
static struct file_bytes map(const struct mktar *tar)
{
	struct file_bytes bytes = {.size = tar->len};

	bytes.bytes =
		mmap(NULL, tar->len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(bytes.bytes != MAP_FAILED);
	memcpy(bytes.bytes, tar->bytes, tar->len);
	return bytes;
}

static void open_archive(void)
{
	struct file_bytes bytes;
	bool nomem = true;

	mktar_end(&made);
	bytes = map(&made);
	archive = archive_create("x.tar", &bytes, &nomem);
	ck_assert_ptr_nonnull(archive);
	ck_assert(!nomem);
}

static void teardown(void)
{
	archive_free(archive);
	archive = NULL;
	free(made.bytes);
	made = (struct mktar){0};
}

static void check_file(const char *path, const char *text)
{
	struct span bytes;

	ck_assert_int_eq(archive_find(archive, path, &bytes), ARCHIVE_FILE);
	ck_assert_uint_eq(span_left(&bytes), strlen(text));
	ck_assert_int_eq(memcmp(bytes.pos, text, strlen(text)), 0);
}

static void check_status(const char *path, enum archive_status status)
{
	struct span bytes;

	ck_assert_int_eq(archive_find(archive, path, &bytes), status);
}

START_TEST(paths_in_any_form)
{
	mktar_file(&made, "./a//b/./c", "one");
	mktar_file(&made, "/d/../e", "two");
	mktar_file(&made, "../../f", "three");
	mktar_add(&made, '5', "a/", "", NULL, 0);
	mktar_add(&made, '5', "./", "", NULL, 0);
	open_archive();
	check_file("a/b/c", "one");
	check_file("/a/./b//c", "one");
	check_file("a/x/../b/c", "one");
	check_file("e", "two");
	check_file("f", "three");
	check_file("../f", "three");
	check_status("a", ARCHIVE_DIRECTORY);
	check_status("a/b", ARCHIVE_MISSING); /* it has no entry of its own */
	check_status("a/b/c/d", ARCHIVE_MISSING);
	check_status("d/e", ARCHIVE_MISSING);
	check_status("", ARCHIVE_MISSING);
	ck_assert_uint_eq(archive_nr_files(archive), 3);
	ck_assert(archive_has(archive, "a/b/"));
	ck_assert(!archive_has(archive, "b/"));
}
END_TEST

/* As perf archive packs: the link by build id, then what it leads to. */
START_TEST(links_to_directories)
{
	mktar_add(&made, '2', ".build-id/00/0102", "../../usr/bin/x/000102", NULL, 0);
	mktar_add(&made, '5', "usr/bin/x/000102/", "", NULL, 0);
	mktar_file(&made, "usr/bin/x/000102/elf", "text");
	open_archive();
	check_file(".build-id/00/0102/elf", "text");
	check_status(".build-id/00/0102", ARCHIVE_DIRECTORY);
	check_status(".build-id/00/0102/debug", ARCHIVE_MISSING);
}
END_TEST

/* The root of links is that of the archive. */
START_TEST(links_out_of_the_archive)
{
	char path[600] = "";

	mktar_file(&made, "etc/passwd", "ours");
	mktar_add(&made, '2', "absolute", "/etc/passwd", NULL, 0);
	mktar_add(&made, '2', "dir/up", "../../../../etc/passwd", NULL, 0);
	mktar_add(&made, '2', "nowhere", "/etc/shadow", NULL, 0);
	mktar_add(&made, '2', "loop", "loop", NULL, 0);
	mktar_add(&made, '2', "self", ".", NULL, 0);
	mktar_add(&made, '2', "empty", "", NULL, 0);
	open_archive();
	check_file("absolute", "ours");
	check_file("dir/up", "ours");
	check_status("nowhere", ARCHIVE_MISSING);
	check_status("loop", ARCHIVE_OTHER);
	check_file("self/self/self/etc/passwd", "ours");
	check_status("empty", ARCHIVE_MISSING);
	for (int i = 0; i < 41; i++)
		strcat(path, "self/");
	check_status(strcat(path, "etc/passwd"), ARCHIVE_OTHER);
}
END_TEST

/* perf's cache has hard links to the binaries, and GNU tar packs a file that is named twice as one
 * to itself. */
START_TEST(hard_links)
{
	mktar_file(&made, "a/elf", "text");
	mktar_add(&made, '1', "a/elf", "a/elf", NULL, 0);
	mktar_add(&made, '1', "b", "./a/elf", NULL, 0);
	mktar_add(&made, '1', "c", "b", NULL, 0);
	mktar_add(&made, '1', "before", "later", NULL, 0);
	mktar_file(&made, "later", "x");
	open_archive();
	check_file("a/elf", "text");
	check_file("b", "text");
	check_file("c", "text");
	check_status("before", ARCHIVE_MISSING);
}
END_TEST

START_TEST(the_last_of_one_path_counts)
{
	mktar_file(&made, "x", "old");
	mktar_add(&made, '2', "y", "x", NULL, 0);
	mktar_file(&made, "./x", "new");
	mktar_file(&made, "y", "no link any more");
	open_archive();
	check_file("x", "new");
	check_file("y", "no link any more");
	ck_assert_uint_eq(archive_nr_files(archive), 2);
}
END_TEST

START_TEST(what_is_no_whole_file)
{
	uint8_t *header;

	mktar_add(&made, 'S', "sparse", "", "x", 1);
	mktar_add(&made, '6', "fifo", "", NULL, 0);
	mktar_file(&made, "cut", "text");
	header = mktar_header(&made, 4);
	memcpy(header + 124, "00000100000", 12);
	mktar_sum(header);
	open_archive();
	check_status("sparse", ARCHIVE_SPARSE);
	check_status("fifo", ARCHIVE_OTHER);
	check_status("cut", ARCHIVE_CUT);
	ck_assert_uint_eq(archive_nr_files(archive), 0);
	ck_assert_int_eq(archive->end, TAR_CUT);
}
END_TEST

START_TEST(what_comes_before_damage)
{
	mktar_file(&made, "first", "text");
	mktar_file(&made, "second", "text");
	mktar_header(&made, 4)[0] ^= 1;
	open_archive();
	check_file("first", "text");
	check_status("second", ARCHIVE_MISSING);
	ck_assert_int_eq(archive->end, TAR_DAMAGED);
	ck_assert_uint_eq(archive->end_offset, 2 * MKTAR_BLOCK);
}
END_TEST

START_TEST(which_paths_lead_into_it)
{
	const char *inner = NULL;

	mktar_file(&made, "a", "text");
	open_archive();
	ck_assert(archive_leads_into(archive, "x.tar/a/b", &inner));
	ck_assert_str_eq(inner, "a/b");
	ck_assert(!archive_leads_into(archive, "x.tar", &inner));
	ck_assert(!archive_leads_into(archive, "x.tar.gz/a", &inner));
	ck_assert(!archive_leads_into(archive, "/x.tar/a", &inner));
	ck_assert(!archive_leads_into(NULL, "x.tar/a", &inner));
}
END_TEST

/* More names than there are binaries: nothing is listed without end. */
START_TEST(too_many_entries)
{
	enum { NR = (1 << 20) + 1 };
	struct file_bytes bytes = {.size = (size_t)NR * MKTAR_BLOCK};
	uint8_t *at;
	bool nomem = true;

	mktar_file(&made, "x", "");
	at = mmap(NULL, bytes.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(at != MAP_FAILED);
	bytes.bytes = at;
	for (size_t i = 0; i < NR; i++)
		memcpy(at + i * MKTAR_BLOCK, made.bytes, MKTAR_BLOCK);
	ck_assert_ptr_null(archive_create("x.tar", &bytes, &nomem));
	ck_assert(!nomem);
	bytes.size -= MKTAR_BLOCK;
	archive = archive_create("x.tar", &bytes, &nomem);
	ck_assert_ptr_nonnull(archive);
	ck_assert_uint_eq(archive_nr_files(archive), 1);
	ck_assert_int_eq(munmap(at + bytes.size, MKTAR_BLOCK), 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("archive");
	TCase *tcase = tcase_create("files");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_test(tcase, paths_in_any_form);
	tcase_add_test(tcase, links_to_directories);
	tcase_add_test(tcase, links_out_of_the_archive);
	tcase_add_test(tcase, hard_links);
	tcase_add_test(tcase, the_last_of_one_path_counts);
	tcase_add_test(tcase, what_is_no_whole_file);
	tcase_add_test(tcase, what_comes_before_damage);
	tcase_add_test(tcase, which_paths_lead_into_it);
	tcase_add_test(tcase, too_many_entries);
	suite_add_tcase(s, tcase);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
