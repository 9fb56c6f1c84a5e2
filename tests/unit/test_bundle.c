/* Archives of binaries as files: plain and packed, by any name, whole, cut and damaged. */
#include "decode/replay/bundle.h"

#include "decode/symbol/file/archive.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"
#include "tests/writer/mkperf.h"
#include "tests/writer/mktar.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PLAIN = MKPERF_WRAPPERS, NR_WAYS };

static struct scratch_path dir, path;
static struct archive *archive;
static struct error note, err;
static struct mktar made;

static void setup(void)
{
	dir = scratch_make();
	path = scratch_join(dir.text, "named as it likes");
	mktar_add(&made, '2', ".build-id/00/01", "../../bin/x/0001", NULL, 0);
	mktar_file(&made, "bin/x/0001/elf", "the binary");
	mktar_file(&made, "bin/x/0001/debug", "the debug file");
	mktar_end(&made);
}

static void teardown(void)
{
	bundle_close(archive);
	archive = NULL;
	scratch_remove(dir.text);
	free(made.bytes);
	made = (struct mktar){0};
}

static void write_bytes(const uint8_t *bytes, size_t len)
{
	FILE *file = fopen(path.text, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

static uint8_t *pack(int way, size_t *len)
{
	uint8_t *bytes;

	if (way != PLAIN)
		return mkperf_wrap((enum mkperf_wrapper)way, made.bytes, made.len, len);
	bytes = malloc(made.len);
	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, made.bytes, made.len);
	*len = made.len;
	return bytes;
}

static void open_bundle(void)
{
	bundle_close(archive);
	note = err = (struct error){0};
	archive = bundle_open(path.text, NULL, NULL, &note, &err);
	ck_assert_int_eq(err.kind == ERROR_NONE, archive != NULL);
}

static void check_file(const char *inner, const char *text)
{
	struct span bytes;

	ck_assert_int_eq(archive_find(archive, inner, &bytes), ARCHIVE_FILE);
	ck_assert_uint_eq(span_left(&bytes), strlen(text));
	ck_assert_int_eq(memcmp(bytes.pos, text, strlen(text)), 0);
}

static void check_error(enum error_kind kind, const char *text)
{
	char expected[512];

	snprintf(expected, sizeof(expected), "%s: %s", path.text, text);
	ck_assert_ptr_null(archive);
	ck_assert_int_eq(err.kind, kind);
	ck_assert_str_eq(err.text, expected);
}

START_TEST(each_way_to_pack)
{
	size_t len;
	uint8_t *bytes = pack(_i, &len);

	ck_assert_ptr_nonnull(bytes);
	write_bytes(bytes, len);
	free(bytes);
	open_bundle();
	ck_assert_ptr_nonnull(archive);
	ck_assert_int_eq(note.kind, ERROR_NONE);
	check_file(".build-id/00/01/elf", "the binary");
	check_file(".build-id/00/01/debug", "the debug file");
	ck_assert_uint_eq(scratch_entries(dir.text), 1); /* nothing was unpacked to a path */
}
END_TEST

/* Cut at each byte, or with a byte that is another one: what is whole is used, and a note says so.
 */
static void check_broken(const uint8_t *bytes, size_t len)
{
	write_bytes(bytes, len);
	open_bundle();
	ck_assert(archive || err.kind == ERROR_USAGE);
}

START_TEST(cut_anywhere)
{
	size_t len, step, nr = 0;
	uint8_t *bytes = pack(_i, &len);

	step = _i == PLAIN ? 64 : 1;
	for (size_t cut = 0; cut < len; cut += step) {
		check_broken(bytes, cut);
		if (!archive)
			continue;
		/* Of the mark of the end half is enough. */
		if (note.kind == ERROR_NONE)
			ck_assert(_i == PLAIN && cut >= made.len - MKTAR_BLOCK);
		ck_assert_uint_ge(archive_nr_files(archive), nr); /* more bytes, never fewer */
		nr = archive_nr_files(archive);
	}
	free(bytes);
}
END_TEST

START_TEST(a_byte_that_is_another_one)
{
	size_t len;
	uint8_t *bytes = pack(_i, &len);

	for (size_t i = 0; i < len; i += _i == PLAIN ? 13 : 1) {
		bytes[i] ^= 0x5a;
		check_broken(bytes, len);
		bytes[i] ^= 0x5a;
	}
	free(bytes);
}
END_TEST

START_TEST(the_note_on_a_cut_archive)
{
	char expected[512];

	write_bytes(made.bytes, 3 * MKTAR_BLOCK + 100);
	open_bundle();
	check_file(".build-id/00/01/elf", "the binary");
	snprintf(expected, sizeof(expected),
		 "%s: note: truncated or damaged at byte 1536 of its unpacked contents: only what "
		 "comes before is used, 1 of its files",
		 path.text);
	ck_assert_str_eq(note.text, expected);
}
END_TEST

START_TEST(what_is_no_archive_of_binaries)
{
	static const uint8_t text[] = "some text that is no archive at all";
	struct mktar other = {0};

	write_bytes(text, 0);
	open_bundle();
	check_error(
		ERROR_USAGE,
		"is neither a directory nor a tar archive of one (plain, bzip2, gzip, xz or zstd)");
	write_bytes(text, sizeof(text));
	open_bundle();
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	mktar_file(&other, "some/file", "text");
	mktar_end(&other);
	write_bytes(other.bytes, other.len);
	free(other.bytes);
	open_bundle();
	check_error(ERROR_USAGE, "has no .build-id directory, so perf archive did not make it");
	ck_assert_int_eq(remove(path.text), 0);
	ck_assert_int_eq(mkfifo(path.text, 0600), 0);
	open_bundle();
	check_error(ERROR_USAGE, "cannot be read");
}
END_TEST

/* ---- the programs' own ----------------------------------------------------------------------- */

static const struct {
	const char *name;
	int levels; /* of directories that it can have */
} formats[] = {{"v7", 0}, {"ustar", 1}, {"oldgnu", 4}, {"gnu", 4}, {"posix", 4}};

/* Real archives, with paths that the headers of some formats have no room for. */
START_TEST(what_tar_writes)
{
	char deep[400] = "", inner[500];

	for (int i = 0; i < formats[_i].levels; i++)
		strcat(deep, "a-directory-with-a-rather-long-name-in-the-cache-of-binaries/");
	if (!machine_has("tar"))
		return;
	toolchain_run(dir.text,
		      "mkdir -p .build-id/00 %sbin/x/0001 && printf text >%sbin/x/0001/elf && "
		      "ln -s ../../%sbin/x/0001 .build-id/00/01 && "
		      "ln %sbin/x/0001/elf %sbin/x/0001/debug && "
		      "printf '%%s\\n' .build-id/00/01 %sbin/x/0001 %sbin/x/0001 >manifest && "
		      "tar --format=%s -cf 'named as it likes' -T manifest",
		      deep, deep, deep, deep, deep, deep, deep, formats[_i].name);
	open_bundle();
	ck_assert_str_eq(err.text, "");
	ck_assert_str_eq(note.text, "");
	check_file(".build-id/00/01/elf", "text");
	check_file(".build-id/00/01/debug", "text");
	snprintf(inner, sizeof(inner), "%sbin/x/0001/elf", deep);
	check_file(inner, "text");
}
END_TEST

static const char *const packers[] = {"bzip2", "gzip", "xz", "zstd -q"};

START_TEST(what_the_programs_pack)
{
	const char *packer = packers[_i];
	char name[16];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(packer, " "), packer);
	if (!machine_has(name))
		return;
	write_bytes(made.bytes, made.len);
	toolchain_run(dir.text, "%s <'named as it likes' >packed && mv packed 'named as it likes'",
		      packer);
	open_bundle();
	ck_assert_str_eq(note.text, "");
	check_file(".build-id/00/01/elf", "the binary");
}
END_TEST

/* ---- room ------------------------------------------------------------------------------------ */

static void count(void *arg, uint64_t done, uint64_t total)
{
	struct stat st;

	ck_assert_int_eq(stat(path.text, &st), 0);
	ck_assert_uint_le(done, total);
	ck_assert_uint_eq(total, (uint64_t)st.st_size);
	++*(unsigned *)arg;
}

START_TEST(progress_is_told)
{
	unsigned nr = 0;
	size_t len;
	uint8_t *bytes = pack(MKPERF_BZIP2, &len);

	write_bytes(bytes, len);
	free(bytes);
	archive = bundle_open(path.text, count, &nr, &note, &err);
	ck_assert_ptr_nonnull(archive);
	ck_assert_uint_eq(nr, 1);
}
END_TEST

START_TEST(no_place_for_temporary_files)
{
	size_t len;
	uint8_t *bytes = pack(MKPERF_GZIP, &len);

	write_bytes(bytes, len);
	free(bytes);
	ck_assert_int_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
	open_bundle();
	ck_assert_ptr_null(archive);
	ck_assert_int_eq(err.kind, ERROR_IO);
	/* A plain one needs none. */
	write_bytes(made.bytes, made.len);
	open_bundle();
	ck_assert_ptr_nonnull(archive);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("bundle");
	TCase *tcase = tcase_create("archives");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, each_way_to_pack, 0, NR_WAYS);
	tcase_add_loop_test(tcase, cut_anywhere, 0, NR_WAYS);
	tcase_add_loop_test(tcase, a_byte_that_is_another_one, 0, NR_WAYS);
	tcase_add_test(tcase, the_note_on_a_cut_archive);
	tcase_add_test(tcase, what_is_no_archive_of_binaries);
	tcase_add_loop_test(tcase, what_tar_writes, 0, 5);
	tcase_add_loop_test(tcase, what_the_programs_pack, 0, 4);
	tcase_add_test(tcase, progress_is_told);
	tcase_add_test(tcase, no_place_for_temporary_files);
	suite_add_tcase(s, tcase);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
