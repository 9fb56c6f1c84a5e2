/* What a hostile input costs: work and memory are counted, not timed. tests/hostile/attempts.sh
 * measures.
 */
#include "decode/count/address.h"
#include "decode/count/tallies.h"
#include "decode/process/buildids.h"
#include "decode/symbol/elf/symtab.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"
#include "tests/writer/mkperf.h"
#include "util/textfile.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SAMPLE_TYPE = 0xc7 /* IP, TID, TIME, CPU, ID */ };

static struct mkperf *new_recording(const struct mkperf_options *options, size_t nr_ids)
{
	static uint64_t ids[100];
	struct mkperf *m = mkperf_new(options);

	for (size_t i = 0; i < nr_ids; i++)
		ids[i] = i + 1;
	mkperf_event(m, &(struct mkperf_event){.sample_type = SAMPLE_TYPE,
					       .sample_period = 1,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					       .ids = ids,
					       .nr_ids = nr_ids});
	return m;
}

static void put_samples(struct mkperf *m, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		mkperf_sample(m, &(struct mkperf_sample){.pid = 1, .tid = 1, .ip = 1, .time = 1});
}

/* ---- bombs ----------------------------------------------------------------------------------- */

/* 100 MB that are 100 KB in a wrapper. */
START_TEST(wrapped_bombs)
{
	const size_t len = 100 << 20;
	uint8_t *zeros = calloc(1, len), *packed;
	struct error err = {0};
	size_t packed_len;

	ck_assert_ptr_nonnull(zeros);
	packed = mkperf_wrap((enum mkperf_wrapper)_i, zeros, len, &packed_len);
	free(zeros);
	ck_assert_ptr_nonnull(packed);
	ck_assert_ptr_null(recording_open_bytes(packed, packed_len, &err));
	free(packed);
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, "expected at most 200 times as many"));
}
END_TEST

/* 100 MB of samples in compressed records that have fewer than a hundredth of that. */
START_TEST(packed_bomb)
{
	const struct mkperf_options options = {
		.packing = {.type = MKPERF_RECORD_COMPRESSED2, .flush = 1 << 20}};
	struct mkperf *m = new_recording(&options, 1);
	struct error err = {0};
	const struct record *rec;
	struct perffile *file;
	int rc;

	put_samples(m, (100 << 20) / 56);
	file = recording_open(m);
	while ((rc = perffile_next(file, &rec, &err)) > 0)
		;
	ck_assert_int_eq(rc, -1);
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, "expected at most 200 times as many"));
	perffile_close(file);
}
END_TEST

/* ---- events ---------------------------------------------------------------------------------- */

/* Each of many events says that its ids are the same bytes as the others'. */
START_TEST(shared_ids)
{
	enum { NR_EVENTS = 20, NR_IDS = 100, ENTRY_BYTES = 128 + 16, HEADER_BYTES = 104 };
	struct mkperf *m = new_recording(NULL, NR_IDS);
	const uint64_t section[2] = {HEADER_BYTES, NR_IDS * 8};
	struct error err = {0};
	uint8_t *bytes;
	size_t len;

	for (unsigned i = 1; i < NR_EVENTS; i++)
		mkperf_event(m, &(struct mkperf_event){.sample_type = SAMPLE_TYPE});
	put_samples(m, 1);
	bytes = (uint8_t *)(uintptr_t)mkperf_finish(m, &len);
	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < NR_EVENTS; i++)
		memcpy(bytes + HEADER_BYTES + NR_IDS * 8 + (i + 1) * ENTRY_BYTES - 16, section,
		       sizeof(section));
	ck_assert_ptr_null(recording_open_bytes(bytes, len, &err));
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, "more than fit in the file"));
	mkperf_free(m);
}
END_TEST

/* ---- holes ----------------------------------------------------------------------------------- */

/* A recording whose word at @offset of the file, or behind its data if that is 0, says what would
 * fill memory: @size is that of the file, nearly all of which is a hole. */
static struct perffile *open_hole(const char *dir, off_t offset, uint64_t word, off_t size,
				  struct error *err)
{
	struct scratch_path path = scratch_join(dir, "perf.data");
	struct mkperf *m = new_recording(NULL, 1);
	uint64_t data[2];
	int fd;

	mkperf_feature_string(m, MKPERF_OSRELEASE, "6.1");
	put_samples(m, 3);
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	fd = open(path.text, O_RDWR);
	ck_assert_int_eq(pread(fd, data, sizeof(data), 40), sizeof(data));
	if (offset == 0)
		offset = (off_t)(data[0] + data[1] + 8);
	ck_assert_int_eq(pwrite(fd, &word, sizeof(word), offset), sizeof(word));
	ck_assert_int_eq(ftruncate(fd, size), 0);
	close(fd);
	return perffile_open(path.text, err);
}

enum { HOLE_GIB = 4096 };
#define HOLE_BYTES ((off_t)HOLE_GIB << 30)

/* A section of terabytes is not loaded; what it has at its start is. */
START_TEST(section_in_a_hole)
{
	static const struct {
		off_t at;
		bool opens;
	} sizes[] = {{0, true}, {64, true}, {32, false}}; /* OSRELEASE, event types, attrs */
	struct scratch_path dir = scratch_make();
	struct error err = {0};
	struct perffile *file =
		open_hole(dir.text, sizes[_i].at, HOLE_BYTES - 4096, HOLE_BYTES, &err);

	if (sizes[_i].opens) {
		ck_assert_ptr_nonnull(file);
		ck_assert_str_eq(perffile_release(file), "6.1");
		ck_assert_uint_eq(recording_drain(file), 3);
	} else {
		ck_assert_ptr_null(file);
		ck_assert_ptr_nonnull(strstr(err.text, " events, expected at most 65536"));
	}
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* The tally of the last of many events takes the memory of one. */
START_TEST(tally_of_a_late_event)
{
	struct tallies tallies = {0}, sum = {0};
	uint32_t event;

	tally_add(tallies_at(&tallies, 65535), 2, 30);
	ck_assert_uint_eq(tallies.nr_slots, 2);
	for (uint32_t i = 0; i < 100; i++)
		tally_add(tallies_at(&tallies, i * 512), 1, i);
	ck_assert_uint_eq(tallies.nr, 100); /* 0 has a place of its own */
	ck_assert_uint_eq(tallies.nr_slots, 256);
	ck_assert(tallies_add(&sum, &tallies) && tallies_add(&sum, &tallies));
	ck_assert_uint_eq(tallies_at(&sum, 65535)->period, 60);
	ck_assert_uint_eq(tallies_at(&sum, 99 * 512)->period, 2 * 99);
	ck_assert_uint_eq(tallies_get(&sum, 0, &event).samples, 2);
	ck_assert_uint_eq(event, 0);
	tallies_free(&tallies);
	tallies_free(&sum);
}
END_TEST

/* ---- tables ---------------------------------------------------------------------------------- */

/* Of many build ids for one name 16 are entered; the first stands for them. */
START_TEST(build_ids_of_one_name)
{
	struct mkperf *m = new_recording(NULL, 1);
	struct build_ids ids = {0};
	struct perffile *file;
	struct build_id id;

	for (uint8_t i = 0; i < 200; i++)
		mkperf_build_id(m, 2, 1, &i, 1, "/bin/same");
	mkperf_build_id(m, 1, 1, (const uint8_t *)"k", 1, "/bin/same");
	put_samples(m, 1);
	file = recording_open(m);
	ids.file = file;
	ck_assert(build_ids_update(&ids) && build_ids_update(&ids));
	ck_assert_uint_eq(ids.by_name.nr, 16 + 1);
	id = build_ids_find(&ids, "/bin/same", false);
	ck_assert_uint_eq(id.len, 1);
	ck_assert_uint_eq(id.bytes[0], 0);
	ck_assert_uint_eq(build_ids_find(&ids, "/bin/same", true).bytes[0], 'k');
	ck_assert_uint_eq(build_ids_find(&ids, "/bin/other", false).len, 0);
	build_ids_free(&ids);
	perffile_close(file);
}
END_TEST

/* The inverse of a well-known mixing of integers (splitmix64's constants, other shifts). */
static uint64_t unmix(uint64_t v)
{
	v ^= v >> 32;
	v *= UINT64_C(0x96de1b173f119089);
	v ^= v >> 29 ^ v >> 58;
	v *= UINT64_C(0xf1de83e19937733d);
	return v ^ v >> 32;
}

/* Kinds of keys that a simple hash throws together. */
static uint64_t key(int kind, uint64_t i)
{
	switch (kind) {
	case 0:
		return i;
	case 1:
		return i << 32;
	case 2:
		return i << 48;
	case 3:
		return unmix(i << 32 | 5);
	default:
		return -(i << 40);
	}
}

/* The longest way to an address of the table. */
static size_t longest_search(const struct address_table *table)
{
	size_t longest = 0, run = 0;

	for (size_t at = 0; at < 2 * table->index.nr_slots; at++) {
		run = table->index.slots[at % table->index.nr_slots].number ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

/* With at most half of its slots in use a table of random keys has no long runs of them. */
START_TEST(addresses_do_not_pile_up)
{
	struct address_table table = {0};

	for (uint32_t i = 0; i < 10000; i++)
		ck_assert_uint_eq(address_get(&table, 0, _i == 4 ? i : 0, key(_i, i)), i);
	for (uint32_t i = 0; i < 10000; i++)
		ck_assert_uint_eq(address_get(&table, 0, _i == 4 ? i : 0, key(_i, i)), i);
	ck_assert_uint_lt(longest_search(&table), 200);
	address_table_free(&table);
}
END_TEST

/* Symbols of one start, each wider than the one before, and the last that is met is the best. */
START_TEST(wide_aliases)
{
	enum { NR = 5000 };
	struct symtab table = {0};
	static char names[NR][16];
	size_t cursor = 0;

	for (uint32_t i = 0; i < NR; i++) {
		const struct symtab_entry entry = {.start = 0x1000,
						   .end = 0x1001 + i,
						   .name = names[i],
						   .type = STT_FUNC,
						   .binding = i == NR - 1 ? STB_GLOBAL : STB_LOCAL};

		snprintf(names[i], sizeof(names[i]), "f%04u", i);
		ck_assert_int_eq(symtab_add(&table, &entry), 0);
	}
	ck_assert_int_eq(symtab_build(&table), 0);
	for (uint32_t i = 0; i < NR; i++) {
		const struct range *range = symtab_find(&table, 0x1000 + i, &cursor);

		ck_assert_ptr_nonnull(range);
		ck_assert_str_eq(symtab_best(&table, range, false)->name, "f4999");
	}
	symtab_free(&table);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

/* A recording in more files than may be open at a time. */
START_TEST(many_data_files)
{
	enum { NR = 200, SAMPLES = 3 };
	const struct rlimit few = {40, 40};
	struct scratch_path dir = scratch_make();
	struct scratch_path path = scratch_join(dir.text, "recording");
	struct mkperf *m = new_recording(NULL, 1);
	struct error err = {0};
	struct perffile *file;
	size_t nr = 0;
	char name[32];

	put_samples(m, SAMPLES);
	mkperf_stream(m, 1);
	put_samples(m, SAMPLES);
	ck_assert(mkperf_save_directory(m, path.text));
	mkperf_free(m);
	for (unsigned i = 1; i < NR; i++) {
		snprintf(name, sizeof(name), "data.%u", i);
		toolchain_run(path.text, "cp data.0 %s", name);
	}
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	file = perffile_open(path.text, &err);
	ck_assert_msg(file, "%s", err.text);
	for (const struct record *rec; (rec = recording_next(file)) != NULL;)
		nr += rec->type == RECORD_SAMPLE;
	ck_assert_uint_eq(nr, (NR + 1) * SAMPLES);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* ---- text ------------------------------------------------------------------------------------ */

START_TEST(text_in_memory)
{
	struct textfile text;
	char *printed;

	ck_assert(textfile_open(&text));
	for (unsigned i = 0; i < 100000; i++)
		fprintf(text.out, "%05u;", i);
	printed = textfile_close(&text);
	ck_assert_uint_eq(strlen(printed), 600000);
	ck_assert_str_eq(printed + 599994, "99999;");
	free(printed);
	ck_assert(textfile_open(&text));
	printed = textfile_close(&text);
	ck_assert_str_eq(printed, "");
	free(printed);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bounds");
	TCase *tcase = tcase_create("bounds");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, wrapped_bombs, 0, MKPERF_WRAPPERS);
	tcase_add_test(tcase, packed_bomb);
	tcase_add_test(tcase, shared_ids);
	tcase_add_loop_test(tcase, section_in_a_hole, 0, 3);
	tcase_add_test(tcase, tally_of_a_late_event);
	tcase_add_test(tcase, build_ids_of_one_name);
	tcase_add_loop_test(tcase, addresses_do_not_pile_up, 0, 5);
	tcase_add_test(tcase, wide_aliases);
	tcase_add_test(tcase, many_data_files);
	tcase_add_test(tcase, text_in_memory);
	suite_add_tcase(suite, tcase);
	return suite_run_apart(suite);
}
