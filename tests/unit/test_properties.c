/*
 * Properties of the whole, from a recording's bytes to its tables: the same records give the same
 * tables in whatever shape they come, and whatever is cut off is accounted for.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/writer/mkperf_copy.h"
#include "tests/writer/mkperf_session.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NR_SEEDS = 4 };

static struct mkperf *new_session(const struct mkperf_options *options,
				  const struct mkperf_session *session)
{
	struct mkperf *m = mkperf_new(options);

	ck_assert_ptr_nonnull(m);
	mkperf_session(m, session);
	return m;
}

static struct recording_tables tables_of(const struct mkperf_options *options, uint64_t seed)
{
	return recording_tables_of(new_session(options, &(struct mkperf_session){.seed = seed}));
}

static void assert_same(const struct recording_tables *a, const struct recording_tables *b,
			enum recording_table table)
{
	const char *x = a->text[table], *y = b->text[table];
	size_t at = 0, line = 1;

	while (x[at] && x[at] == y[at])
		line += x[at++] == '\n';
	ck_assert_msg(x[at] == y[at], "table %d, line %zu: %.90s | %.90s", table, line, x + at,
		      y + at);
}

static void assert_all_same(const struct recording_tables *a, const struct recording_tables *b)
{
	for (enum recording_table table = 0; table < NR_TABLES; table++)
		assert_same(a, b, table);
}

/* As the program decides between the exit statuses 0 and 3. */
static bool lossless(const struct perffile_counts *counts)
{
	return !counts->cut_wrapper && !counts->unfinished && counts->missing_bytes == 0 &&
	       counts->missing_features == 0 && counts->damaged == 0 &&
	       counts->truncated_bytes == 0;
}

/* What results.csv and processes.csv say of an event is what the overview has of its samples. */
static void assert_sums(const struct recording_tables *tables)
{
	/* The latter are their names where those of the recording are cut off. */
	static const char *const events[] = {"alpha",	  "beta",	"gamma",
					     "cpu-clock", "task-clock", "page-faults"};
	uint64_t samples = recording_sum(tables->text[TABLE_STAT], "count", "record", "SAMPLE");
	uint64_t all = 0;

	for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		uint64_t nr =
			recording_sum(tables->text[TABLE_RESULTS], "samples", "event", events[i]);
		uint64_t period =
			recording_sum(tables->text[TABLE_RESULTS], "period", "event", events[i]);

		ck_assert_uint_eq(nr, recording_sum(tables->text[TABLE_PROCESSES], "samples",
						    "event", events[i]));
		ck_assert_uint_eq(period, recording_sum(tables->text[TABLE_PROCESSES], "period",
							"event", events[i]));
		ck_assert_uint_eq(nr, recording_sum(tables->text[TABLE_THREADS], "samples", "event",
						    events[i]));
		ck_assert_uint_eq(period, recording_sum(tables->text[TABLE_THREADS], "period",
							"event", events[i]));
		ck_assert_uint_eq(period, recording_sum(tables->text[TABLE_OVERVIEW], "period",
							"event", events[i]));
		all += nr;
	}
	ck_assert_uint_eq(all, samples);
	ck_assert_uint_eq(samples,
			  recording_sum(tables->text[TABLE_RESULTS], "samples", NULL, NULL));
}

/* ---- the same tables ---- */

START_TEST(sums_hold)
{
	struct recording_tables tables = tables_of(NULL, (uint64_t)_i);

	assert_sums(&tables);
	ck_assert(lossless(&tables.counts));
	ck_assert_uint_gt(recording_sum(tables.text[TABLE_RESULTS], "samples", "event", "alpha"),
			  50);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_STAT], "count", NULL, NULL),
			  tables.counts.lost + MKPERF_SESSION_RECORDS + MKPERF_SESSION_ROUNDS + 8);
	recording_tables_free(&tables);
}
END_TEST

/* What goes through files on its way, lives and call paths, comes back as it was. */
START_TEST(spilled_is_plain)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = new_session(NULL, &(struct mkperf_session){.seed = (uint64_t)_i});
	const char *const paths[] = {path.text, "data/demo.data", "data/demo-callgraph.data"};
	struct error err = {0};

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	for (unsigned i = 0; i < 3; i++) {
		struct recording_tables plain, spilled;

		ck_assert_msg(recording_read_tables(paths[i], &plain, &err), "%s", err.text);
		ck_assert_msg(recording_read_tables_spilled(paths[i], &spilled, &err), "%s",
			      err.text);
		assert_all_same(&plain, &spilled);
		recording_tables_free(&plain);
		recording_tables_free(&spilled);
	}
	scratch_remove(dir.text);
}
END_TEST

/* Each shape in the other byte order. */
START_TEST(swapped_is_plain)
{
	static const struct mkperf_options shapes[] = {
		{0},
		{.pipe = true},
		{.v1 = true, .attr_size = 80},
		{.attr_size = 144, .attr_padding = 16},
		{.packing = {.type = MKPERF_RECORD_COMPRESSED2, .cut = 5}},
		{.packing = {.type = MKPERF_RECORD_COMPRESSED, .cut = 5}, .pipe = true},
		{.unfinished = true},
	};
	struct mkperf_options options = shapes[_i];
	struct recording_tables plain = tables_of(&options, (uint64_t)_i), swapped;

	options.swap = true;
	swapped = tables_of(&options, (uint64_t)_i);
	assert_all_same(&plain, &swapped);
	options.long32 = true; /* the bitmap of a 32-bit big-endian machine */
	if (!options.pipe) {
		recording_tables_free(&swapped);
		swapped = tables_of(&options, (uint64_t)_i);
		assert_all_same(&plain, &swapped);
	}
	recording_tables_free(&plain);
	recording_tables_free(&swapped);
}
END_TEST

/* The containers are no records: not even the overview shows that there were any. */
START_TEST(compressed_is_plain)
{
	static const size_t flushes[] = {1, 7, 40, 333, 8192, 1 << 20};
	const struct mkperf_options plain_options = {.pipe = _i & 1};
	struct mkperf_options options = plain_options;
	uint64_t seed = (uint64_t)_i / 4;
	struct recording_tables plain = tables_of(&plain_options, seed);

	options.packing.type = _i & 2 ? MKPERF_RECORD_COMPRESSED2 : MKPERF_RECORD_COMPRESSED;
	for (unsigned i = 0; i < 2 * sizeof(flushes) / sizeof(flushes[0]); i++) {
		struct recording_tables packed;

		options.packing.flush = flushes[i / 2];
		options.packing.cut = i % 2 ? i + seed : 0;
		options.packing.bad_size = _i & 2 && i % 3 == 0;
		packed = tables_of(&options, seed);
		assert_all_same(&plain, &packed);
		ck_assert(lossless(&packed.counts));
		recording_tables_free(&packed);
	}
	recording_tables_free(&plain);
}
END_TEST

/* A record that goes on behind a FINISHED_ROUND: it counts from there on, and is the same. */
START_TEST(straddling_a_round)
{
	struct mkperf_options options = {.packing = {.type = MKPERF_RECORD_COMPRESSED,
						     .cut = (uint64_t)_i,
						     .straddle = true}};
	struct recording_tables plain = tables_of(NULL, 3), packed = tables_of(&options, 3);

	assert_same(&plain, &packed, TABLE_STAT);
	assert_same(&plain, &packed, TABLE_PROCESSES);
	assert_same(&plain, &packed, TABLE_RESULTS);
	recording_cut_table(plain.text[TABLE_OVERVIEW], 0, "FINISHED_ROUND");
	recording_cut_table(packed.text[TABLE_OVERVIEW], 0, "FINISHED_ROUND");
	assert_same(&plain, &packed, TABLE_OVERVIEW);
	ck_assert(lossless(&packed.counts));
	recording_tables_free(&plain);
	recording_tables_free(&packed);
}
END_TEST

/* What a pipe tells in records of its own, first or last, is all that differs. */
START_TEST(pipe_is_file)
{
	const struct mkperf_options options = {.pipe = true, .late = _i & 1};
	struct recording_tables file = tables_of(NULL, (uint64_t)_i / 2);
	struct recording_tables pipe = tables_of(&options, (uint64_t)_i / 2);
	static const char *const own[] = {"HEADER_ATTR", "HEADER_FEATURE", "EVENT_UPDATE",
					  "HEADER_BUILD_ID"};

	assert_same(&file, &pipe, TABLE_RESULTS);
	assert_same(&file, &pipe, TABLE_PROCESSES);
	recording_cut_table(file.text[TABLE_OVERVIEW], 0, NULL);
	for (unsigned i = 0; i < 4; i++)
		recording_cut_table(pipe.text[TABLE_OVERVIEW], i ? 99 : 0, own[i]);
	assert_same(&file, &pipe, TABLE_OVERVIEW);
	recording_tables_free(&file);
	recording_tables_free(&pipe);
}
END_TEST

/* Tables that are looked at on the way are the same in the end. After each record takes long: only
 * the first session has that. */
START_TEST(updated_is_made_once)
{
	static const size_t every[] = {1, 7, 100};
	const struct mkperf_options options = {.pipe = _i & 1};
	const struct mkperf_session session = {.seed = (uint64_t)_i / 2};
	struct recording_tables once = tables_of(&options, session.seed);

	for (unsigned i = session.seed > 0; i < sizeof(every) / sizeof(every[0]); i++) {
		struct recording_tables updated =
			recording_tables_updated(new_session(&options, &session), every[i], i > 0);

		assert_all_same(&once, &updated);
		recording_tables_free(&updated);
	}
	recording_tables_free(&once);
}
END_TEST

/* A life of which only samples were known when the tables were made first. */
START_TEST(updated_before_a_life_is_known)
{
	struct recording_tables tables[2];

	for (unsigned i = 0; i < 2; i++) {
		struct mkperf *m = mkperf_new(&(struct mkperf_options){0});
		struct mkperf_sample sample = {.ip = 5, .pid = 7, .tid = 7, .period = 3};

		ck_assert_ptr_nonnull(m);
		mkperf_event(m, &(struct mkperf_event){.sample_type = PERF_SAMPLE_IP |
								      PERF_SAMPLE_TID |
								      PERF_SAMPLE_PERIOD});
		mkperf_sample(m, &sample);
		sample.pid = sample.tid = 9; /* of which nothing else is ever told */
		mkperf_sample(m, &sample);
		mkperf_comm(m, NULL, 0, 7, 7, "late");
		mkperf_sample(m, &sample);
		tables[i] = recording_tables_updated(m, i, false);
	}
	assert_all_same(&tables[0], &tables[1]);
	ck_assert_uint_eq(recording_sum(tables[1].text[TABLE_PROCESSES], "samples", "pid", "-1"),
			  2);
	ck_assert_uint_eq(recording_sum(tables[1].text[TABLE_PROCESSES], "samples", "comm", "late"),
			  1);
	recording_tables_free(&tables[0]);
	recording_tables_free(&tables[1]);
}
END_TEST

/* perf tells build ids when the recording ends: they are known all the same. */
START_TEST(build_ids_at_a_pipes_end)
{
	struct mkperf *m = new_session(&(struct mkperf_options){.pipe = true, .swap = _i},
				       &(struct mkperf_session){.seed = 1});
	struct recording_tables tables;
	const char *row;

	mkperf_build_id(m, PERF_RECORD_MISC_USER, 0, (const uint8_t *)"\xab\xcd", 2,
			"/opt/none/early");
	tables = recording_tables_of(m);
	row = strstr(tables.text[TABLE_RESULTS], "/opt/none/early,");
	ck_assert_ptr_nonnull(row);
	ck_assert_ptr_nonnull(strstr(row, ",abcd,file-missing,,,\n"));
	recording_tables_free(&tables);
}
END_TEST

/* PERFFILE has the names in a section of its own. */
START_TEST(v1_is_v2)
{
	struct recording_tables v2 = tables_of(NULL, (uint64_t)_i);
	struct recording_tables v1 =
		tables_of(&(struct mkperf_options){.v1 = true, .attr_size = 72}, (uint64_t)_i);

	assert_all_same(&v2, &v1);
	recording_tables_free(&v2);
	recording_tables_free(&v1);
}
END_TEST

/* A data file for each CPU, compressed (each with a stream of its own) or not. */
START_TEST(directory_is_file)
{
	const struct mkperf_options options = {
		.swap = _i & 1,
		.packing = {.type = _i & 2 ? MKPERF_RECORD_COMPRESSED2 : 0, .cut = (uint64_t)_i}};
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = new_session(
		&options, &(struct mkperf_session){.seed = (uint64_t)_i, .directory = true});
	struct recording_tables file = tables_of(NULL, (uint64_t)_i), tables;
	struct error err = {0};

	ck_assert(mkperf_save_directory(m, path.text));
	mkperf_free(m);
	ck_assert_msg(recording_read_tables(path.text, &tables, &err), "%s", err.text);
	assert_same(&file, &tables, TABLE_RESULTS);
	assert_same(&file, &tables, TABLE_PROCESSES);
	recording_cut_table(file.text[TABLE_OVERVIEW], 0, "FINISHED_ROUND");
	recording_cut_table(tables.text[TABLE_OVERVIEW], 0, NULL);
	assert_same(&file, &tables, TABLE_OVERVIEW);
	ck_assert(lossless(&tables.counts));
	ck_assert_uint_eq(tables.counts.late, 0);
	recording_tables_free(&file);
	recording_tables_free(&tables);
	scratch_remove(dir.text);
}
END_TEST

/* Only the index in the file tells. */
START_TEST(shuffled_is_sorted)
{
	const struct mkperf_options options = {.swap = _i & 1, .pipe = _i & 2};
	struct recording_tables tables[3];

	for (enum mkperf_order order = MKPERF_BY_CPU; order <= MKPERF_SHUFFLED; order++) {
		struct mkperf *m = new_session(
			&options, &(struct mkperf_session){.seed = (uint64_t)_i, .order = order});

		tables[order] = recording_tables_of(m);
		recording_cut_table(tables[order].text[TABLE_OVERVIEW], 0, NULL);
		ck_assert_uint_eq(tables[order].counts.late, 0);
		assert_all_same(&tables[0], &tables[order]);
	}
	for (unsigned i = 0; i < 3; i++)
		recording_tables_free(&tables[i]);
}
END_TEST

/* ---- recordings that perf made ---- */

static const char *const bundled[] = {"data/demo.data", "data/demo-callgraph.data"};

static struct mkperf *copy_of(const char *path, const struct mkperf_options *options)
{
	FILE *file = fopen(path, "r");
	uint8_t bytes[1 << 17];
	struct mkperf *m;
	size_t len;

	ck_assert_msg(file, "%s", path);
	len = fread(bytes, 1, sizeof(bytes), file);
	ck_assert(len < sizeof(bytes) && fclose(file) == 0);
	m = mkperf_copy(bytes, len, options);
	ck_assert_ptr_nonnull(m);
	return m;
}

/* Their copies, in whatever shape, give the same tables. */
START_TEST(copies_are_the_same)
{
	static const struct mkperf_options shapes[] = {
		{0},
		{.swap = true},
		{.swap = true, .long32 = true, .attr_size = 64},
		{.swap = true, .packing = {.type = MKPERF_RECORD_COMPRESSED, .cut = 3}},
		{.packing = {.type = MKPERF_RECORD_COMPRESSED2, .flush = 700, .cut = 4}},
		{.packing = {.type = MKPERF_RECORD_COMPRESSED2, .bad_size = true}},
	};
	const char *path = bundled[_i];
	struct recording_tables original;
	struct error err = {0};

	ck_assert_msg(recording_read_tables(path, &original, &err), "%s", err.text);
	for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct recording_tables copy = recording_tables_of(copy_of(path, &shapes[i]));

		assert_all_same(&original, &copy);
		ck_assert(lossless(&copy.counts));
		recording_tables_free(&copy);
	}
	recording_tables_free(&original);
}
END_TEST

/* The names that only records tell come in time. */
START_TEST(copies_in_a_pipe)
{
	struct recording_tables file = recording_tables_of(copy_of(bundled[_i / 2], NULL));
	struct mkperf_options options = {.pipe = true, .swap = _i & 1};
	struct recording_tables pipe = recording_tables_of(copy_of(bundled[_i / 2], &options));

	assert_same(&file, &pipe, TABLE_RESULTS);
	assert_same(&file, &pipe, TABLE_PROCESSES);
	recording_tables_free(&file);
	recording_tables_free(&pipe);
}
END_TEST

/* ---- cut ---- */

/* Cut where it hurts: in the header, the events, the data, the features. */
static size_t next_cut(size_t len, size_t whole)
{
	size_t from_end = whole - len;

	return len + (len < 64 || from_end < 64 ? 3 : len < 2000 ? 37 : 1501);
}

/* A pipe has no end of its own: cut between two records it is whole. */
static void check_cut(const char *path, size_t len, bool whole_known)
{
	struct recording_tables tables;
	struct error err = {0};

	if (!recording_read_tables(path, &tables, &err)) {
		ck_assert(err.kind == ERROR_FORMAT && err.text[0]);
		return;
	}
	if (whole_known)
		ck_assert_msg(!lossless(&tables.counts), "cut at %zu", len);
	assert_sums(&tables);
	recording_tables_free(&tables);
}

static void cut_everywhere(const struct mkperf_options *options)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "cut");
	struct mkperf *m = new_session(options, &(struct mkperf_session){.seed = 1});
	size_t whole;

	ck_assert_ptr_nonnull(mkperf_finish(m, &whole));
	for (size_t len = 0; len < whole; len = next_cut(len, whole)) {
		ck_assert(mkperf_save_cut(m, path.text, len));
		check_cut(path.text, len, !options->pipe);
	}
	mkperf_free(m);
	scratch_remove(dir.text);
}

START_TEST(every_cut_is_told)
{
	static const struct mkperf_options shapes[] = {
		{0},
		{.swap = true},
		{.pipe = true},
		{.v1 = true, .attr_size = 64},
		{.packing = {.type = MKPERF_RECORD_COMPRESSED2, .cut = 9}},
		{.packing = {.type = MKPERF_RECORD_COMPRESSED, .cut = 9}, .pipe = true},
		{.unfinished = true},
	};

	cut_everywhere(&shapes[_i]);
}
END_TEST

static TCase *tests(const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_set_timeout(tcase, 60);
	return tcase;
}

static TCase *same_tests(void)
{
	TCase *tcase = tests("same");

	tcase_add_loop_test(tcase, sums_hold, 0, NR_SEEDS);
	tcase_add_loop_test(tcase, spilled_is_plain, 0, NR_SEEDS);
	tcase_add_loop_test(tcase, swapped_is_plain, 0, 7);
	tcase_add_loop_test(tcase, compressed_is_plain, 0, 4 * NR_SEEDS);
	tcase_add_loop_test(tcase, straddling_a_round, 0, 2 * NR_SEEDS);
	tcase_add_loop_test(tcase, pipe_is_file, 0, 2 * NR_SEEDS);
	tcase_add_loop_test(tcase, updated_is_made_once, 0, 2 * NR_SEEDS);
	tcase_add_test(tcase, updated_before_a_life_is_known);
	tcase_add_loop_test(tcase, build_ids_at_a_pipes_end, 0, 2);
	tcase_add_loop_test(tcase, v1_is_v2, 0, NR_SEEDS);
	tcase_add_loop_test(tcase, directory_is_file, 0, 2 * NR_SEEDS);
	tcase_add_loop_test(tcase, shuffled_is_sorted, 0, NR_SEEDS);
	tcase_add_loop_test(tcase, copies_are_the_same, 0, 2);
	tcase_add_loop_test(tcase, copies_in_a_pipe, 0, 4);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("properties");
	TCase *tcase = tests("cut");

	tcase_add_loop_test(tcase, every_cut_is_told, 0, 7);
	suite_add_tcase(suite, same_tests());
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
