/* Paths that one thread names and others count. */
#include "decode/replay/pathlane.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { NR_SAMPLES = 5000, LEAF = 0x1000, CALLER = 0x2000, NR_WORKERS = 3 };

/* ---- paths that wait ------------------------------------------------------------------------- */

static void assert_addresses(const struct named_path *path, const uint32_t *addresses, size_t nr)
{
	ck_assert_uint_eq(path->nr, nr);
	for (size_t i = 0; i < nr; i++)
		ck_assert_uint_eq(path->addresses[i], addresses[i]);
}

START_TEST(named)
{
	static const uint32_t inner[] = {1, 2}, outer[] = {7, 8, 9}, all[] = {5, 2, 1, 7, 8, 9};
	struct named_paths paths = {0};
	struct named_path path;

	for (int round = 0; round < 2; round++) {
		size_t at = 0;

		ck_assert(!named_paths_next(&paths, &at, &path));
		ck_assert(named_paths_begin(&paths, CHAIN_RECORDED, UINT64_MAX, 5) &&
			  named_paths_add_reversed(&paths, inner, 2) &&
			  named_paths_add(&paths, outer, 3));
		ck_assert(named_paths_begin(&paths, CHAIN_MISSING, 1, 6) &&
			  named_paths_add(&paths, NULL, 0));
		ck_assert(named_paths_next(&paths, &at, &path));
		ck_assert(path.end == CHAIN_RECORDED && path.period == UINT64_MAX);
		assert_addresses(&path, all, 6);
		ck_assert(named_paths_next(&paths, &at, &path));
		ck_assert(path.end == CHAIN_MISSING && path.period == 1);
		assert_addresses(&path, (const uint32_t[]){6}, 1);
		ck_assert(!named_paths_next(&paths, &at, &path));
		named_paths_clear(&paths);
	}
	named_paths_free(&paths);
}
END_TEST

/* ---- the lane -------------------------------------------------------------------------------- */

static const struct dso unmapped = {.kind = DSO_NONE, .path = ""};
static const struct event chained = {.number = 0, .chains = true};

/* What samples are counted with. */
struct world {
	struct addrspaces spaces;
	struct map_set maps;
	struct process process;
	struct address_table addresses;
	struct stacks stacks;
	struct path_lane *lane;
};

/* @paths_max: 0 is the default. */
static struct world *make_world(size_t paths_max)
{
	struct world *world = calloc(1, sizeof(*world));

	ck_assert_ptr_nonnull(world);
	world->spaces = (struct addrspaces){
		.unmapped = &unmapped, .guest = &unmapped, .vsyscall = &unmapped};
	world->process.maps = &world->maps;
	stacks_init(&world->stacks, &world->addresses, &world->spaces,
		    &(struct stack_settings){.mode = USER_PART_AUTO, .paths_max = paths_max});
	world->lane = path_lane_create(&world->stacks);
	ck_assert_ptr_nonnull(world->lane);
	return world;
}

static void free_world(struct world *world)
{
	path_lane_destroy(world->lane);
	stacks_free(&world->stacks);
	address_table_free(&world->addresses);
	free(world);
}

/* Sample @i, with two callers, of which the inner one has 50 addresses. */
struct made_sample {
	uint64_t ips[4];
	struct record rec;
	struct stack_sample sample;
};

static void make_sample(struct world *world, uint64_t i, struct made_sample *made)
{
	*made = (struct made_sample){
		.ips = {PERF_CONTEXT_USER, LEAF, CALLER + i % 50 * 16, CALLER},
		.rec = {.misc = PERF_RECORD_MISC_USER, .event = &chained, .sample.ip = LEAF},
	};
	made->rec.sample.callchain.ips = (struct span){.pos = (const uint8_t *)made->ips,
						       .end = (const uint8_t *)(made->ips + 4)};
	made->sample = (struct stack_sample){
		.process = &world->process,
		.rec = &made->rec,
		.event = &chained,
		.period = i,
		.leaf = address_get(&world->addresses, 0, unmapped.number, LEAF),
	};
}

static bool add(struct world *world, uint64_t i, size_t *nr_waiting)
{
	struct made_sample made;

	make_sample(world, i, &made);
	return path_lane_add(world->lane, &made.sample, nr_waiting);
}

/* As a replay alone. Returns the number of the path. */
static uint32_t count(struct world *world, uint64_t i)
{
	struct made_sample made;

	make_sample(world, i, &made);
	return stacks_count(&world->stacks, &made.sample);
}

static int add_up(void *arg, size_t table, const struct callpath *paths, size_t nr,
		  struct error *err)
{
	struct tally *sum = arg;

	(void)table;
	(void)err;
	for (size_t i = 0; i < nr; i++)
		tally_add(sum, paths[i].here.samples, paths[i].here.period);
	return 0;
}

/* All that was added is counted in the tables of paths. */
static void assert_counted(const struct world *world)
{
	struct tally sum = {0};
	struct error err;

	ck_assert_int_eq(
		pathstore_read(&world->stacks.paths, &(struct path_reader){add_up, &sum}, &err), 0);
	ck_assert_uint_eq(sum.samples, NR_SAMPLES);
	ck_assert_uint_eq(sum.period, NR_SAMPLES * (NR_SAMPLES - 1) / 2);
}

struct worker {
	struct path_lane *lane;
	atomic_bool *ends;
};

static void *work(void *arg)
{
	const struct worker *worker = arg;

	while (!*worker->ends)
		(void)path_lane_work(worker->lane);
	return NULL;
}

/* By any number of threads, none too, in one table or in many. */
START_TEST(counted)
{
	struct world *world = make_world(_i % 2 ? 30 : 0);
	pthread_t threads[NR_WORKERS];
	atomic_bool ends = false;
	struct worker worker = {world->lane, &ends};
	struct error err = {0};
	size_t nr_waiting;
	uint64_t nr_left;

	for (int i = 0; i < _i / 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &worker), 0);
	ck_assert_int_eq(path_lane_await(world->lane, &err), 0);
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		ck_assert(add(world, i, &nr_waiting));
		ck_assert_uint_le(nr_waiting, 33);
		if (i % 1111 == 0)
			ck_assert_int_eq(path_lane_await(world->lane, &err), 0);
	}
	ck_assert_int_eq(path_lane_await(world->lane, &err), 0);
	ck_assert(!path_lane_work(world->lane));
	ends = true;
	for (int i = 0; i < _i / 2; i++)
		pthread_join(threads[i], NULL);
	assert_counted(world);
	if (_i % 2)
		ck_assert_uint_gt(path_lane_nr_made(world->lane, &nr_left), 1000);
	else
		ck_assert_uint_eq(path_lane_nr_made(world->lane, &nr_left), 1 + 2 * 50);
	ck_assert_uint_eq(nr_left, 0);
	free_world(world);
}
END_TEST

/* What is known of the table while some wait: no more than was counted. */
START_TEST(some_wait)
{
	struct world *world = make_world(0);
	struct error err = {0};
	size_t nr_waiting;
	uint64_t nr_left;

	for (uint64_t i = 0; i < 5; i++)
		ck_assert(add(world, i, &nr_waiting));
	ck_assert_int_eq(path_lane_await(world->lane, &err), 0);
	for (uint64_t i = 0; i < 130; i++) {
		ck_assert_uint_eq(path_lane_nr_made(world->lane, &nr_left), 1 + 2 * 5);
		ck_assert_uint_eq(nr_left, i);
		ck_assert(add(world, i, &nr_waiting));
		ck_assert_uint_eq(nr_waiting, i == 63 ? 1 : i == 127 ? 2 : 0);
	}
	ck_assert(path_lane_work(world->lane));
	ck_assert_uint_eq(path_lane_nr_made(world->lane, &nr_left), 1 + 2 * 50);
	ck_assert_uint_eq(nr_left, 66);
	ck_assert(path_lane_work(world->lane));
	ck_assert(!path_lane_work(world->lane)); /* the others are not to be done yet */
	ck_assert_uint_eq(path_lane_nr_made(world->lane, &nr_left), 1 + 2 * 50);
	ck_assert_uint_eq(nr_left, 2);
	free_world(world);
}
END_TEST

/* A sample's callers are found again by their words, but not in a table that was replaced. */
START_TEST(table_is_replaced)
{
	struct world *world = make_world(30);
	struct error err = {0};
	size_t nr_waiting;

	for (int round = 0; round < 3; round++) {
		const struct callpath *leaf, *caller;
		uint32_t path;

		ck_assert_int_eq(stacks_make_room(&world->stacks, &err), 0);
		path = count(world, 7);
		leaf = callpath_at(&world->stacks.paths.now, path);
		caller = callpath_at(&world->stacks.paths.now, leaf->caller);
		ck_assert_uint_eq(world->addresses.addresses[leaf->address].place, LEAF);
		ck_assert_uint_eq(world->addresses.addresses[caller->address].place,
				  CALLER + 7 * 16 - 1);
		for (uint64_t i = 0; i < 200; i++)
			ck_assert(add(world, i + 10, &nr_waiting));
		ck_assert_int_eq(path_lane_await(world->lane, &err), 0);
		ck_assert_uint_gt(world->stacks.paths.nr_aside, 3 * (size_t)round);
	}
	free_world(world);
}
END_TEST

/* Many paths go to a file, which cannot be made. */
START_TEST(no_room)
{
	struct world *world = make_world(2);
	struct error err = {0};
	size_t nr_waiting;
	uint64_t nr = 0;

	ck_assert_int_eq(setenv("TMPDIR", "/no/such/directory", 1), 0);
	while (add(world, nr, &nr_waiting))
		ck_assert_uint_lt(nr++, NR_SAMPLES);
	unsetenv("TMPDIR");
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(path_lane_await(world->lane, &err), -1);
		ck_assert_int_eq(err.kind, ERROR_IO);
		ck_assert_ptr_nonnull(strstr(err.text, "/no/such/directory"));
	}
	free_world(world);
}
END_TEST

/* A lane may end with work to do. */
START_TEST(ended_early)
{
	for (uint64_t wanted = 0; wanted < 300; wanted += 50) {
		struct world *world = make_world(0);
		size_t nr_waiting;

		for (uint64_t i = 0; i < wanted; i++)
			ck_assert(add(world, i, &nr_waiting));
		free_world(world);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pathlane");
	TCase *tcase = tcase_create("pathlane");

	tcase_add_test(tcase, named);
	tcase_add_loop_test(tcase, counted, 0, 2 * (NR_WORKERS + 1));
	tcase_add_test(tcase, some_wait);
	tcase_add_test(tcase, table_is_replaced);
	tcase_add_test(tcase, no_room);
	tcase_add_test(tcase, ended_early);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
