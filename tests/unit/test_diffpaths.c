/* Call paths of a comparison: those of both sides by the functions they run through, sums exact. */
#include "decode/compare/diff.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NR_FUNCTIONS = 12, NR_EVENTS = 3, PATHS_MAX = 200, NAMES_MAX = 4000, NAME_MAX_BYTES = 400 };

static const struct event events[NR_EVENTS] = {
	{.number = 0, .name = "cycles", .chains = true},
	{.number = 1, .name = "faults", .chains = true},
	{.number = 2, .name = "misses", .chains = true},
};

/* One side's names, and what they are matched as; an event has four of them. */
static const struct {
	const char *name[2], *binary[2], *matched;
} names[4] = {
	{{"main", "main"}, {"/old/prog", "/new/prog"}, "main"},
	{{"work.isra.0", "work"}, {"/old/prog", "/new/prog"}, "work"},
	{{"loop", "loop.cold"}, {"/lib/libx.so.1", "/lib/libx.so.2"}, "loop"},
	{{"old_only", "new_only"}, {"/old/prog", "/new/prog"}, NULL},
};

/* A run as the replay gives it. */
struct run {
	struct event_stat stats[NR_EVENTS];
	struct function_stat functions[NR_FUNCTIONS];
	struct path_stat paths[PATHS_MAX];
	struct results results;
};

/* What the paths must be: by their functions' names, sums of the sides. */
struct expected {
	char name[NAMES_MAX][NAME_MAX_BYTES];
	struct tally self[NAMES_MAX][2];
	size_t nr;
};

static struct tally *find(struct expected *expected, const char *name, int side)
{
	size_t i = 0;

	while (i < expected->nr && strcmp(expected->name[i], name) != 0)
		i++;
	ck_assert_uint_lt(i, NAMES_MAX);
	if (i == expected->nr)
		strcpy(expected->name[expected->nr++], name);
	return &expected->self[i][side];
}

static const char *matched_name(size_t function, int side)
{
	return names[function % 4].matched ? names[function % 4].matched
					   : names[function % 4].name[side];
}

/* "EVENT[REASON] main work+loop ": a function that is inlined has a plus. */
static void name_path(char *to, const struct path_stat *paths, uint32_t number,
		      const struct function_stat *functions, int side)
{
	const struct path_stat *path = &paths[number];
	const size_t function = (size_t)(path->function - functions);
	size_t len;

	if (path->parent == PATH_NO_PARENT)
		sprintf(to, "%s[%s]", events[function / 4].name, path->cut ? path->end : "");
	else
		name_path(to, paths, path->parent, functions, side);
	len = strlen(to);
	snprintf(to + len, NAME_MAX_BYTES - len, "%s%s", path->inlined ? "+" : " ",
		 matched_name(function, side));
}

static uint32_t next_random(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % below;
}

/* A tree of the event's functions, which call each other and themselves. */
static size_t make_paths(struct run *run, size_t event, size_t first, uint32_t *state)
{
	const size_t nr = 20 + next_random(state, 40);

	for (size_t i = first; i < first + nr; i++) {
		struct path_stat *path = &run->paths[i];
		const uint32_t up = next_random(state, (uint32_t)(i - first) + 1);

		*path = (struct path_stat){
			.function = &run->functions[event * 4 + next_random(state, 4)],
			.parent = up ? (uint32_t)(i - up) : PATH_NO_PARENT,
			.self = {next_random(state, 5), 0},
			.end = next_random(state, 3) ? "complete" : "stack-cut",
			.inlined = up && next_random(state, 3) == 0,
		};
		path->self.period = path->self.samples * (1000 + next_random(state, 50));
		path->cut = !up && path->end[0] == 's';
		if (up) {
			path->end = run->paths[path->parent].end;
			path->cut = run->paths[path->parent].cut;
			path->depth = run->paths[path->parent].depth + 1;
		}
	}
	return first + nr;
}

/* There are faults only on the old side. */
static void make_run(struct run *run, int side, uint32_t *state)
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_FUNCTIONS; i++)
		run->functions[i] = (struct function_stat){.event = &events[i / 4],
							   .function = names[i % 4].name[side],
							   .binary = names[i % 4].binary[side],
							   .filename = "",
							   .build_id = "",
							   .reason = ""};
	for (size_t event = 0; event < NR_EVENTS; event++) {
		run->stats[event] = (struct event_stat){.event = &events[event]};
		if (event != 1 || side == 0)
			nr = make_paths(run, event, nr, state);
	}
	for (size_t i = 0; i < nr; i++) {
		const struct path_stat *path = &run->paths[i];
		struct function_stat *function = &run->functions[path->function - run->functions];

		tally_add(&function->self, path->self.samples, path->self.period);
		tally_add(&run->stats[function->event->number].total, path->self.samples,
			  path->self.period);
	}
	run->results = (struct results){.events = run->stats,
					.nr_events = NR_EVENTS,
					.functions = run->functions,
					.nr_functions = NR_FUNCTIONS,
					.answered = {{&pathstat_paths, {run->paths, nr, {0}}}}};
}

static void expect_run(struct expected *expected, const struct run *run, int side)
{
	for (uint32_t i = 0; i < run->results.answered[0].rows.nr; i++) {
		char name[NAME_MAX_BYTES];
		struct tally *self;

		if (run->paths[i].function->event->number == 1)
			continue;
		name_path(name, run->paths, i, run->functions, side);
		self = find(expected, name, side);
		tally_add(self, run->paths[i].self.samples, run->paths[i].self.period);
	}
}

/* As name_path(), of the comparison's paths. */
static void name_row(char *to, const struct diff_event *event, uint32_t number)
{
	const struct path_stat *path = &event->paths.rows[number];
	size_t len;

	if (path->parent == PATH_NO_PARENT)
		sprintf(to, "%s[%s]", event->name, path->cut ? path->end : "");
	else
		name_row(to, event, path->parent);
	len = strlen(to);
	snprintf(to + len, NAME_MAX_BYTES - len, "%s%s", path->inlined ? "+" : " ",
		 path->function->function);
}

static void check_tally(const struct tally *is, const struct tally *expected)
{
	ck_assert_uint_eq(is->samples, expected->samples);
	ck_assert_uint_eq(is->period, expected->period);
}

/* Parents come first, one level above, in the order of a walk; sums are of both sides. */
static void check_tree(const struct diff_paths *paths)
{
	struct tally *totals = calloc(paths->nr + 1, sizeof(*totals));

	for (size_t i = paths->nr; i-- > 0;) {
		const struct path_stat *row = &paths->rows[i];
		const struct tally *sides = paths->sides[i].self;
		struct tally self = sides[0];

		tally_add(&self, sides[1].samples, sides[1].period);
		check_tally(&row->self, &self);
		tally_add(&totals[i], self.samples, self.period);
		check_tally(&row->total, &totals[i]);
		ck_assert_uint_gt(row->total.samples, 0);
		if (row->parent == PATH_NO_PARENT) {
			ck_assert_uint_eq(row->depth, 0);
			continue;
		}
		ck_assert_uint_lt(row->parent, i);
		ck_assert_uint_eq(row->depth, paths->rows[row->parent].depth + 1);
		ck_assert_uint_le(row->depth, paths->rows[i - 1].depth + 1);
		tally_add(&totals[row->parent], totals[i].samples, totals[i].period);
	}
	free(totals);
}

/* What the tree counts of each function is what the rows say, and altogether the totals. */
static void check_rows(const struct diff_event *event)
{
	const struct diff_paths *paths = &event->paths;
	struct tally all[2] = {0};
	struct tally(*sums)[2] = calloc(paths->nr_functions + 1, sizeof(*sums));

	for (size_t i = 0; i < paths->nr; i++) {
		const struct tally *self = paths->sides[i].self;
		const size_t function = (size_t)(paths->rows[i].function - paths->functions);

		ck_assert_uint_lt(function, paths->nr_functions);
		for (int side = 0; side < 2; side++) {
			tally_add(&sums[function][side], self[side].samples, self[side].period);
			tally_add(&all[side], self[side].samples, self[side].period);
		}
	}
	for (size_t i = 0; i < paths->nr_functions; i++) {
		const struct diff_row none = {0},
				      *row = i < event->nr_rows ? &event->rows[i] : &none;

		check_tally(&sums[i][0], &row->old_sum);
		check_tally(&sums[i][1], &row->new_sum);
		if (i < event->nr_rows)
			ck_assert_str_eq(paths->functions[i].function, row->function);
	}
	check_tally(&all[0], &event->total[0]);
	check_tally(&all[1], &event->total[1]);
	free(sums);
}

static void check_expected(struct expected *expected, const struct diff *diff)
{
	size_t nr = 0, nr_expected = 0;

	for (size_t e = 0; e < diff->nr_events; e++) {
		const struct diff_event *event = &diff->events[e];

		for (uint32_t i = 0; i < event->paths.nr; i++) {
			const struct tally *self = event->paths.sides[i].self;
			char name[NAME_MAX_BYTES];

			name_row(name, event, i);
			check_tally(&self[0], find(expected, name, 0));
			check_tally(&self[1], find(expected, name, 1));
			nr += self[0].samples + self[1].samples > 0;
		}
	}
	for (size_t i = 0; i < expected->nr; i++)
		nr_expected += expected->self[i][0].samples + expected->self[i][1].samples > 0;
	ck_assert_uint_eq(nr, nr_expected);
}

/* Compares @nr_old runs with the rest of the four @runs. */
static void check_runs(struct run *runs, size_t nr_old, const struct renames *renames)
{
	struct profile profiles[4] = {
		{.label = "a"}, {.label = "b"}, {.label = "c"}, {.label = "d"}};
	struct rowkeys *keys = rowkeys_make();
	struct pathsums paths = {0};
	struct expected *expected = calloc(1, sizeof(*expected));
	const struct diff_input input = {
		.match = {.runs = profiles,
			  .nr_runs = 4,
			  .nr_old = nr_old,
			  .renames = renames,
			  .by_key = true},
		.measure = MEASURE_SHARE,
		.run_deviation = 0.03,
		.paths = &paths,
	};
	struct error err = {0};
	struct diff *diff;

	for (size_t i = 0; i < 4; i++) {
		const int side = i >= nr_old;

		profile_share(&profiles[i], keys);
		ck_assert_int_eq(profile_from_results(&profiles[i], &runs[i].results,
						      PROFILE_FUNCTIONS, (struct sample_span){0},
						      &err),
				 0);
		if (side)
			profiles[i].events[1].name = intern_keep(&keys->strings, "others");
		ck_assert_int_eq(pathsums_add(&paths, &runs[i].results, &profiles[i], side, &err),
				 0);
		expect_run(expected, &runs[i], side);
	}
	diff = diff_make(&input, &err);
	ck_assert_msg(diff != NULL, "%s", err.text);
	ck_assert(diff->has_paths);
	ck_assert_uint_eq(diff->nr_events, 2);
	for (size_t i = 0; i < diff->nr_events; i++) {
		check_tree(&diff->events[i].paths);
		check_rows(&diff->events[i]);
	}
	check_expected(expected, diff);
	diff_free(diff);
	pathsums_free(&paths);
	for (size_t i = 0; i < 4; i++)
		profile_free(&profiles[i]);
	rowkeys_drop(keys);
	free(expected);
}

START_TEST(sums_of_random_trees_are_exact)
{
	struct run *runs = calloc(4, sizeof(*runs));
	const struct renames none = {0};
	uint32_t state = (uint32_t)_i + 1;

	for (size_t nr_old = 1; nr_old < 4; nr_old++) {
		for (size_t i = 0; i < 4; i++)
			make_run(&runs[i], i >= nr_old, &state);
		check_runs(runs, nr_old, &none);
	}
	free(runs);
}
END_TEST

/* Without by_key there are no paths, and nothing of them is made. */
START_TEST(paths_are_only_made_when_asked_for)
{
	struct run *run = calloc(1, sizeof(*run));
	struct profile profiles[2] = {{.label = "a"}, {.label = "b"}};
	const struct renames none = {0};
	const struct diff_input input = {
		.match = {.runs = profiles, .nr_runs = 2, .nr_old = 1, .renames = &none},
		.measure = MEASURE_SHARE,
	};
	uint32_t state = 7;
	struct error err = {0};
	struct diff *diff;

	make_run(run, 0, &state);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(profile_from_results(&profiles[i], &run->results,
						      PROFILE_FUNCTIONS, (struct sample_span){0},
						      &err),
				 0);
	diff = diff_make(&input, &err);
	ck_assert_msg(diff != NULL, "%s", err.text);
	ck_assert(!diff->has_paths);
	ck_assert_uint_eq(diff->events[0].paths.nr, 0);
	diff_free(diff);
	profile_free(&profiles[0]);
	profile_free(&profiles[1]);
	free(run);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diffpaths");
	TCase *cases = tcase_create("paths");

	tcase_add_loop_test(cases, sums_of_random_trees_are_exact, 0, 40);
	tcase_add_test(cases, paths_are_only_made_when_asked_for);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
