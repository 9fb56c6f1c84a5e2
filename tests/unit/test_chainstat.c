/* Call chains by address and the samples on them: they add up to the paths of functions, also if
 * tables of chains were put aside. */
#include "decode/replay.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { CHAINS_MAX = 4096, DEPTH_MAX = 128 };

static const struct filter everything;
static struct perffile *file;
static struct replay *replay;
static const struct results *results;
static struct chain_stat chains[CHAINS_MAX];
static size_t nr_chains;

static struct perkeys keys;

/* With at most @paths_max call paths in memory; 0: as many as usual. */
static void replay_demo(size_t paths_max)
{
	struct replay_settings settings = {
		.filter = &everything,
		.symbols = {.build_id_cache = "/nonexistent", .debug_dir = "/nonexistent"},
		.stacks.paths_max = paths_max,
		.per = &keys,
	};
	struct error err = {0};
	const struct record *rec;

	needs_add(&settings.needs, &chainstat_places);
	needs_add(&settings.needs, &chainstat_chains);
	needs_add(&settings.needs, &chainstat_samples);
	needs_add(&settings.needs, &pathstat_paths);
	file = perffile_open("data/demo-callgraph.data", &err);
	ck_assert_msg(file, "%s", err.text);
	replay = replay_create(&settings, file, &err);
	ck_assert_msg(replay, "%s", err.text);
	while ((rec = recording_next(file)))
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
}

static void teardown(void)
{
	perkeys_free(&keys);
	memset(&keys, 0, sizeof(keys));
	replay_destroy(replay);
	perffile_close(file);
}

static void read_chains(void)
{
	const struct row_source source = results_rows(results, &chainstat_chains).source;
	struct error err = {0};
	int rc = source.start(source.arg, &err);

	for (nr_chains = 0; rc >= 0 && (rc = source.next(source.arg, &chains[nr_chains], &err)) > 0;
	     nr_chains++) {
		const struct chain_stat *chain = &chains[nr_chains];

		ck_assert_uint_lt(nr_chains, CHAINS_MAX - 1);
		if (chain->caller == PATH_NO_PARENT)
			ck_assert_ptr_nonnull(chain->end);
		else
			ck_assert(chain->caller >= chain->base && chain->caller < nr_chains);
	}
	ck_assert_msg(rc == 0, "%s", err.text);
}

/* The functions of a chain by number, the innermost first. Returns how many. */
static size_t functions_of(uint32_t chain, uint32_t list[DEPTH_MAX], const char **end)
{
	const struct place_stat *places = results_rows(results, &chainstat_places).first;
	size_t nr = 0;

	for (; chain != PATH_NO_PARENT; chain = chains[chain].caller) {
		const struct place_stat *place = &places[chains[chain].place];

		for (uint32_t i = 0; i < place->nr_functions; i++) {
			ck_assert_uint_lt(nr, DEPTH_MAX);
			list[nr++] = place->functions[i];
		}
		*end = chains[chain].end;
	}
	return nr;
}

static bool is_path(const struct path_stat *paths, const struct path_stat *path,
		    const uint32_t *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (path->function != &results->functions[list[i]])
			return false;
		if (path->parent == PATH_NO_PARENT)
			return i + 1 == nr;
		path = &paths[path->parent];
	}
	return false;
}

static const size_t paths_max[] = {0, 1, 3, 50};

START_TEST(chains_are_the_paths_of_functions)
{
	const struct path_stat *paths;
	struct tally *found;
	size_t nr;

	replay_demo(paths_max[_i]);
	read_chains();
	paths = results_rows(results, &pathstat_paths).first;
	nr = results_rows(results, &pathstat_paths).nr;
	ck_assert_uint_gt(nr, 20);
	found = calloc(nr, sizeof(*found));
	for (uint32_t i = 0; i < nr_chains; i++) {
		uint32_t list[DEPTH_MAX];
		const char *end = NULL;
		size_t len, path = 0;

		if (!chains[i].self.samples)
			continue;
		len = functions_of(i, list, &end);
		while (path < nr && !(is_path(paths, &paths[path], list, len) &&
				      strcmp(paths[path].end, end) == 0))
			path++;
		ck_assert_uint_lt(path, nr);
		tally_add(&found[path], chains[i].self.samples, chains[i].self.period);
	}
	for (size_t i = 0; i < nr; i++) {
		ck_assert_uint_eq(found[i].samples, paths[i].self.samples);
		ck_assert_uint_eq(found[i].period, paths[i].self.period);
	}
	free(found);
}
END_TEST

/* What chains counted by thread adds up to the chains, and to the rows of results.csv by thread. */
START_TEST(chains_are_split_by_keys)
{
	const struct split_stat *split;
	struct tally by_name[2] = {{0}};
	struct tally *rest;
	struct error err;

	ck_assert_int_eq(perkeys_add(&keys, "comm,tid", &err), 0);
	replay_demo(paths_max[_i]);
	read_chains();
	split = results->split;
	rest = calloc(nr_chains + 1, sizeof(*rest));
	for (size_t i = 0; i < split->nr_chains; i++) {
		const struct chain_split *part = &split->chains[i];
		const struct split_value *comm = &split->values[part->tuple * 2];

		ck_assert_uint_lt(part->chain, nr_chains);
		ck_assert(i == 0 || part[-1].chain <= part->chain);
		tally_add(&rest[part->chain], part->self.samples, part->self.period);
		tally_add(&by_name[strcmp(comm->text, "demo-child") == 0], part->self.samples,
			  part->self.period);
	}
	for (size_t i = 0; i < nr_chains; i++) {
		ck_assert_uint_eq(rest[i].samples, chains[i].self.samples);
		ck_assert_uint_eq(rest[i].period, chains[i].self.period);
	}
	/* as `readperf --per=comm` adds them up */
	ck_assert_uint_eq(by_name[0].samples, 269);
	ck_assert_uint_eq(by_name[1].samples, 135);
	free(rest);
}
END_TEST

START_TEST(samples_are_on_their_chains_in_the_order_of_time)
{
	struct sample_stat sample, last = {0};
	struct row_source source;
	struct error err = {0};
	uint64_t nr = 0;

	replay_demo(paths_max[_i]);
	read_chains();
	source = results_rows(results, &chainstat_samples).source;
	ck_assert_int_eq(source.start(source.arg, &err), 0);
	while (source.next(source.arg, &sample, &err) > 0) {
		ck_assert_uint_lt(sample.chain, nr_chains);
		chains[sample.chain].self.samples--;
		chains[sample.chain].self.period -= sample.period;
		ck_assert(sample.thread > last.thread || sample.time >= last.time);
		ck_assert_uint_ge(sample.thread, last.thread);
		last = sample;
		nr++;
	}
	ck_assert_uint_eq(nr, 392 + 12);
	for (size_t i = 0; i < nr_chains; i++) {
		ck_assert_uint_eq(chains[i].self.samples, 0);
		ck_assert_uint_eq(chains[i].self.period, 0);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("chainstat");
	TCase *tc = tcase_create("chainstat");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_loop_test(tc, chains_are_the_paths_of_functions, 0, 4);
	tcase_add_loop_test(tc, chains_are_split_by_keys, 0, 4);
	tcase_add_loop_test(tc, samples_are_on_their_chains_in_the_order_of_time, 0, 4);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
