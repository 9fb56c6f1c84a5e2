/* Mutants of recordings: what is put in and taken out leaves the rest readable. */
#include "tests/fuzz/mutate.h"

#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/writer/mkperf_session.h"

#include <check.h>
#include <string.h>

enum { ROOM = 1 << 16, NR_SEEDS = 200 };

/* A session's recording, with room to grow. */
struct fixture {
	uint8_t bytes[1 << 17];
	size_t size;
	struct layout layout;
	size_t nr_records; /* that the reader finds in it */
};

static size_t nr_read(const struct fixture *f)
{
	struct error err = {0};
	struct perffile *file = recording_open_bytes(f->bytes, f->layout.size, &err);
	size_t nr;

	ck_assert_msg(file, "%s", err.text);
	nr = recording_drain(file);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	ck_assert_uint_eq(perffile_counts(file)->missing_features, 0);
	/* From a section behind the records. */
	ck_assert_uint_eq(perffile_nr_build_ids(file), 1);
	ck_assert_str_eq(perffile_build_ids(file)->filename, "/opt/none/make");
	perffile_close(file);
	return nr;
}

static void setup(struct fixture *f, const struct mkperf_options *options)
{
	struct mkperf *m = mkperf_new(options);
	const uint8_t *bytes;

	ck_assert_ptr_nonnull(m);
	mkperf_session(m, &(struct mkperf_session){.seed = 5});
	bytes = mkperf_finish(m, &f->size);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_le(f->size + ROOM, sizeof(f->bytes));
	memcpy(f->bytes, bytes, f->size);
	mkperf_free(m);
	ck_assert(layout_find(&f->layout, f->bytes, f->size, f->size + ROOM));
	f->nr_records = nr_read(f);
}

static const struct mkperf_options shapes[] = {
	{0}, {.swap = true}, {.pipe = true}, {.pipe = true, .swap = true}, {.attr_padding = 16}};

enum { NR_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

START_TEST(records_and_attrs_are_found)
{
	struct fixture f;
	size_t own = 0;

	setup(&f, &shapes[_i]);
	ck_assert_int_eq(f.layout.swap, shapes[_i].swap);
	ck_assert_int_eq(f.layout.pipe, shapes[_i].pipe);
	for (size_t at = f.layout.first; at < f.layout.end; at = layout_next(&f.layout, at))
		own += layout_get(&f.layout, at, 4) < 64;
	ck_assert_uint_eq(own, MKPERF_SESSION_RECORDS + 8);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(layout_get(&f.layout, layout_attr(&f.layout, i) + 16, 8), 1000);
	ck_assert_uint_eq(layout_attr(&f.layout, 3), 0);
	ck_assert_uint_eq(layout_record(&f.layout, layout_nr_records(&f.layout)), f.layout.end);
}
END_TEST

START_TEST(sections_follow_when_records_come_and_go)
{
	uint8_t copy[1024];
	struct fixture f;
	size_t at, len;

	setup(&f, &shapes[_i]);
	at = layout_record(&f.layout, 100);
	len = layout_next(&f.layout, at) - at;
	ck_assert_uint_le(len, sizeof(copy));
	memcpy(copy, f.bytes + at, len);
	ck_assert(layout_replace(&f.layout, layout_record(&f.layout, 7), 0, copy, len));
	ck_assert_uint_eq(f.layout.size, f.size + len);
	ck_assert_uint_eq(nr_read(&f), f.nr_records + 1);
	at = layout_record(&f.layout, 120);
	len = layout_record(&f.layout, 130) - at;
	ck_assert(layout_replace(&f.layout, at, len, NULL, 0));
	ck_assert_uint_eq(nr_read(&f), f.nr_records - 9);
	/* No room, or not among the records: nothing changes. */
	ck_assert(!layout_replace(&f.layout, at, 0, NULL, 2 * ROOM));
	ck_assert(!layout_replace(&f.layout, f.layout.end - 8, 16, NULL, 0));
	ck_assert(!layout_replace(&f.layout, 0, 8, NULL, 0));
	ck_assert_uint_eq(nr_read(&f), f.nr_records - 9);
}
END_TEST

START_TEST(what_is_no_recording_is_not_found)
{
	uint8_t bytes[16] = "PERFILE3";
	struct layout layout;

	ck_assert(!layout_find(&layout, bytes, sizeof(bytes), sizeof(bytes)));
	ck_assert(!layout_find(&layout, bytes, 0, sizeof(bytes)));
	memcpy(bytes, "PERFILE2", 8);
	ck_assert(!layout_find(&layout, bytes, 15, sizeof(bytes)));
	ck_assert(!layout_find(&layout, bytes, 16, sizeof(bytes))); /* too short for a file */
	bytes[8] = 16;
	ck_assert(layout_find(&layout, bytes, 16, sizeof(bytes)));
	ck_assert(layout.pipe);
}
END_TEST

START_TEST(a_seed_makes_one_mutant)
{
	struct fixture first, second, other;
	size_t changed = 0;

	for (uint64_t seed = 0; seed < NR_SEEDS; seed++) {
		size_t size, again;

		setup(&first, &shapes[seed % NR_SHAPES]);
		setup(&second, &shapes[seed % NR_SHAPES]);
		setup(&other, &shapes[seed / 7 % NR_SHAPES]);
		size = mutate(first.bytes, first.size, first.size + ROOM, &other.layout, seed);
		again = mutate(second.bytes, second.size, second.size + ROOM, &other.layout, seed);
		ck_assert_uint_eq(size, again);
		ck_assert_uint_le(size, first.size + ROOM);
		ck_assert_mem_eq(first.bytes, second.bytes, size);
		setup(&second, &shapes[seed % NR_SHAPES]);
		changed += size != second.size || memcmp(first.bytes, second.bytes, size) != 0;
	}
	/* Some ways find nothing to change. */
	ck_assert_uint_gt(changed, NR_SEEDS * 9 / 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mutate");
	TCase *tcase = tcase_create("mutate");

	tcase_add_loop_test(tcase, records_and_attrs_are_found, 0, NR_SHAPES);
	tcase_add_loop_test(tcase, sections_follow_when_records_come_and_go, 0, NR_SHAPES);
	tcase_add_test(tcase, what_is_no_recording_is_not_found);
	tcase_add_test(tcase, a_seed_makes_one_mutant);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
