/* Which rows of several runs are one function, and what they add up to. */
#include "decode/compare/match/match.h"

#include "tests/support/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { ROWS_MAX = 8, RUNS_MAX = 4 };

/** A row of a run; each sample has a period of 10. */
struct row {
	int run; /* 0 is the old side's, others the new one's */
	const char *event, *function, *binary;
	uint64_t samples;
	const char *filename, *reason; /* NULL: none */
};

/* The fields of a row after its run; the last two may be left out. */
#define ROW(number, ...)                   \
	{                                  \
		.run = number, __VA_ARGS__ \
	}
#define OLD(...) ROW(0, __VA_ARGS__)
#define NEW(...) ROW(1, __VA_ARGS__)

/** Rows, and the functions as "EVENT FUNCTION FILENAME BINARY SAMPLES...;". */
struct scene {
	struct row rows[ROWS_MAX];
	const char *matched;
};

static void add_row(struct profile *profile, const struct row *row)
{
	const struct row_key key = {
		.event = row->event,
		.function = row->function,
		.filename = row->filename ? row->filename : "",
		.binary = row->binary,
		.build_id = "",
		.reason = row->reason ? row->reason : "",
	};
	struct profile_row made = {
		.self = {row->samples, row->samples * 10},
		.children = {row->samples * 2, row->samples * 20},
	};
	struct profile_event event = {.name = row->event};
	struct error err;

	while (made.event < profile->nr_events &&
	       strcmp(profile->events[made.event].name, row->event) != 0)
		made.event++;
	if (made.event == profile->nr_events)
		ck_assert_int_eq(profile_add_event(profile, &event, &err), 0);
	profile_tally_add(&profile->events[made.event].total, &made.self);
	ck_assert_int_eq(profile_add_row(profile, &key, &made, &err), 0);
}

static size_t make_runs(const struct row *rows, struct profile *runs)
{
	int last = 1;

	for (int i = 0; i < ROWS_MAX && rows[i].event; i++) {
		add_row(&runs[rows[i].run], &rows[i]);
		last = rows[i].run > last ? rows[i].run : last;
	}
	return (size_t)last + 1;
}

static void render(const struct match *match, size_t nr_runs, char *to, size_t size)
{
	FILE *out = fmemopen(to, size, "w");

	ck_assert_ptr_nonnull(out);
	for (size_t i = 0; i < match->nr_functions; i++) {
		const struct matched_function *function = &match->functions[i];

		fprintf(out, "%s%s %s %s %s", i ? "; " : "", match->events[function->event].name,
			function->function, *function->filename ? function->filename : "-",
			function->binary);
		for (size_t run = 0; run < nr_runs; run++) {
			ck_assert_uint_eq(function->shares[run].period,
					  function->shares[run].samples * 10);
			fprintf(out, " %" PRIu64, function->shares[run].samples);
		}
	}
	for (size_t i = 0; i < match->nr_names; i++) {
		if (match->names[i].event == MATCH_NONE)
			fprintf(out, "; %s only %s", match->names[i].name,
				match->names[i].sides == SIDE_NEW ? "new" : "old");
		else
			ck_assert_uint_lt(match->names[i].event, match->nr_events);
	}
	fclose(out);
}

static void check_scene(const struct row *rows, const struct renames *renames, const char *expected)
{
	struct profile runs[RUNS_MAX] = {0};
	struct match_input input = {.runs = runs, .nr_old = 1, .renames = renames};
	struct match match = {0};
	struct error err = {0};
	char got[1024];

	input.nr_runs = make_runs(rows, runs);
	ck_assert_msg(match_make(&match, &input, &err) == 0, "%s", err.text);
	render(&match, input.nr_runs, got, sizeof(got));
	ck_assert_str_eq(got, expected);
	match_free(&match);
	for (int i = 0; i < RUNS_MAX; i++)
		profile_free(&runs[i]);
}

static const struct scene scenes[] = {
	/* modifiers and versions aside; the names are those of the new side */
	{{OLD("cycles:u", "f", "/old/libc-2.36.so", 1, "a.c"),
	  NEW("cycles:P", "f", "/new/libc.so.6", 2, "a.c")},
	 "cycles:P f a.c /new/libc.so.6 1 2"},
	{{OLD("c", "f", "/bin/python3.11", 1), NEW("c", "f", "python3.12", 2)},
	 "c f - python3.12 1 2"},
	/* what has its own name on both sides is not taken for another version */
	{{OLD("c", "f", "python3.11", 1), OLD("c", "f", "python3.12", 2),
	  NEW("c", "f", "python3.12", 3), NEW("c", "f", "python3.13", 4)},
	 "c f - python3.13 1 4; c f - python3.12 2 3"},
	{{OLD("c:u", "f", "b", 1), OLD("c:k", "f", "b", 2), NEW("c:u", "f", "b", 3)},
	 "c:u f - b 1 3; c:k only old"},
	/* all that only modifiers tell apart counts for the same, but what has its own name */
	{{OLD("c:u", "f", "b", 1), OLD("c:k", "f", "b", 2), NEW("c", "f", "b", 3)}, "c f - b 3 3"},
	{{OLD("c:u", "f", "b", 1), OLD("c:k", "f", "b", 2), OLD("c", "f", "b", 4),
	  NEW("c", "f", "b", 3)},
	 "c f - b 4 3; c:k only old; c:u only old"},
	{{OLD("c", "f", "b", 1), NEW("c", "f", "b", 2), NEW("d", "f", "b", 3)},
	 "c f - b 1 2; d only new"},
	/* the kernel and its modules by all their names */
	{{OLD("c", "f", "[kernel.kallsyms]", 1), OLD("c", "g", "[ext4]", 1),
	  NEW("c", "f", "/usr/lib/debug/vmlinux-6.1", 2),
	  NEW("c", "g", "/lib/modules/6.1/ext4.ko.xz", 2)},
	 "c f - /usr/lib/debug/vmlinux-6.1 1 2; c g - /lib/modules/6.1/ext4.ko.xz 1 2"},
	/* parts of a function are added up */
	{{OLD("c", "f", "b", 1, "a.c"), OLD("c", "f.cold", "b", 2, "a.c"),
	  NEW("c", "f.isra.0", "b", 3, "a.c"), NEW("c", "f.constprop.0.part.1", "b", 4, "a.c")},
	 "c f a.c b 3 7"},
	/* one name in several source files: by the file, then by its base name */
	{{OLD("c", "f", "b", 1, "a.c"), OLD("c", "f", "b", 2, "x/z.c"),
	  NEW("c", "f", "b", 3, "y/z.c"), NEW("c", "f", "b", 4, "a.c")},
	 "c f a.c b 1 4; c f y/z.c b 2 3"},
	/* what is left on both sides has moved */
	{{OLD("c", "f", "b", 1, "a.c"), OLD("c", "f", "b", 2, "old.c"),
	  NEW("c", "f", "b", 3, "new.c"), NEW("c", "f", "b", 4, "a.c")},
	 "c f a.c b 1 4; c f new.c b 2 3"},
	{{OLD("c", "f", "b", 1, "a.c"), NEW("c", "f", "b", 2, "b.c")}, "c f b.c b 1 2"},
	/* without debug information there is nothing to tell files apart by */
	{{OLD("c", "f", "b", 9), NEW("c", "f", "b", 2, "a.c"), NEW("c", "f", "b", 3, "b.c")},
	 "c f b.c b 9 5"},
	/* but a file that only came does not change the other one's function */
	{{OLD("c", "f", "b", 1, "a.c"), NEW("c", "f", "b", 2, "a.c"), NEW("c", "f", "b", 3, "b.c")},
	 "c f a.c b 1 2; c f b.c b 0 3"},
	{{OLD("c", "gone", "b", 1, "a.c"), NEW("c", "new", "b", 2, "a.c")},
	 "c gone a.c b 1 0; c new a.c b 0 2"},
	/* the same function in another binary is another function */
	{{OLD("c", "f", "b", 1), NEW("c", "f", "d", 2)}, "c f - b 1 0; c f - d 0 2"},
	/* rows without a name: by binary and reason */
	{{OLD("c", "[unknown]", "libx.so.1", 1, .reason = "no-symbols"),
	  OLD("c", "[unknown]", "libx.so.1", 2, .reason = "no-mapping"),
	  NEW("c", "[unknown]", "libx.so.2", 3, .reason = "no-symbols")},
	 "c [unknown] (no-symbols) - libx.so.2 1 3; c [unknown] (no-mapping) - libx.so.1 2 0"},
	{{OLD("c", "[unknown]", "/tmp/perf-17.map", 1, .reason = "jit-map-missing"),
	  NEW("c", "[unknown]", "/tmp/perf-4711.map", 3, .reason = "jit-map-missing")},
	 "c [unknown] (jit-map-missing) - /tmp/perf-4711.map 1 3"},
	/* code of JIT compilers is one, whatever the process and however it was recorded */
	{{OLD("c", "f", "/tmp/perf-17.map", 1), OLD("c", "g", "/tmp/x/jit-17.dump", 2),
	  OLD("c", "h", "/tmp/x/jitted-17-4.so", 3),
	  NEW("c", "f", "/tmp/y/jit-4711.dump", 4, "f.js"),
	  NEW("c", "g", "/tmp/y/jitted-4711-9.so", 5, "g.js"),
	  NEW("c", "h", "/tmp/perf-4711.map", 6)},
	 "c f f.js /tmp/y/jit-4711.dump 1 4; c g g.js /tmp/y/jitted-4711-9.so 2 5; "
	 "c h - /tmp/perf-4711.map 3 6"},
	/* in a container processes often have the same numbers, but functions in another order */
	{{OLD("c", "f", "jitted-1-4.so", 1), OLD("c", "g", "jitted-1-5.so", 2),
	  NEW("c", "g", "jitted-1-4.so", 3), NEW("c", "f", "jitted-1-5.so", 4)},
	 "c f - jitted-1-5.so 1 4; c g - jitted-1-4.so 2 3"},
	/* several runs of a side, of which one lacks the function */
	{{OLD("c", "f", "b", 1), NEW("c", "f", "b", 2), ROW(2, "c", "g", "b", 3),
	  ROW(3, "c", "f", "b", 4)},
	 "c f - b 1 2 0 4; c g - b 0 0 3 0"},
	/* an event without a sample is none */
	{{OLD("c", "f", "b", 1), OLD("d", "f", "b", 0), NEW("c", "f", "b", 2)}, "c f - b 1 2"},
};

START_TEST(matching)
{
	static const struct renames none = {0};

	check_scene(scenes[_i].rows, &none, scenes[_i].matched);
}
END_TEST

/* The old side's functions are renamed, the new side's are not. */
START_TEST(renaming)
{
	static const struct row rows[ROWS_MAX] = {
		OLD("c", "old_sort.isra.0", "b", 1), OLD("c", "fold", "b", 2),
		NEW("c", "new_sort", "b", 3),	     NEW("c", "old_sort", "b", 4),
		NEW("c", "unfold", "b", 5),
	};
	struct renames renames = {0};
	struct error err;

	ck_assert_int_eq(rename_add(&renames, "/^old_(.*)$/=new_\\1", &err), 0);
	ck_assert_int_eq(rename_add(&renames, "fold=unfold", &err), 0);
	check_scene(rows, &renames, "c new_sort - b 1 3; c unfold - b 2 5; c old_sort - b 0 4");
	renames_free(&renames);
}
END_TEST

static void check_renamed(const struct row *rows, const char *rule, const char *expected)
{
	struct renames renames = {0};
	struct error err;

	ck_assert_int_eq(rename_add(&renames, rule, &err), 0);
	check_scene(rows, &renames, expected);
	renames_free(&renames);
}

/* Binaries of the old side are renamed, by path or base name, to what the new side has. */
START_TEST(renaming_binaries)
{
	static const char apart[] = "c srv - /opt/srv.old 1 0; c g - /opt/srv.old 2 0; "
				    "c srv - /usr/srv.new 0 3; c g - /usr/srv.new 0 4";
	static const char one[] = "c srv - /usr/srv.new 1 3; c g - /usr/srv.new 2 4";
	static const struct row rows[ROWS_MAX] = {
		OLD("c", "srv", "/opt/srv.old", 1),
		OLD("c", "g", "/opt/srv.old", 2),
		NEW("c", "srv", "/usr/srv.new", 3),
		NEW("c", "g", "/usr/srv.new", 4),
	};
	/* a function that is called as its binary is: both are the same otherwise */
	static const struct row like[ROWS_MAX] = {
		OLD("c", "sort", "/bin/sort", 1),
		OLD("c", "g", "/bin/sort", 2),
		NEW("c", "qsort", "/bin/sort", 3),
		NEW("c", "g", "/bin/sort", 4),
	};

	check_renamed(rows, "srv.old=srv.new", one);
	check_renamed(rows, "/opt/srv.old=/usr/srv.new", one);
	check_renamed(rows, "/opt/srv.old=srv.new", one);
	check_renamed(rows, "srv.old=srv.newer", apart);
	check_renamed(rows, "/usr/srv.old=srv.new", apart);
	check_renamed(rows, "/^srv\\.old$/=srv.new", apart);
	check_renamed(like, "sort=qsort", "c qsort - /bin/sort 1 3; c g - /bin/sort 2 4");
}
END_TEST

/* Children, at most the whole of the run; noises of parts add up as variances do. */
START_TEST(shares)
{
	static const struct row rows[ROWS_MAX] = {
		OLD("c", "f", "b", 6), OLD("c", "f.cold", "b", 3), OLD("c", "g", "b", 1),
		NEW("c", "f", "b", 7), NEW("c", "f.cold", "b", 1),
	};
	static const struct renames none = {0};
	struct profile runs[2] = {0};
	struct match_input input = {runs, make_runs(rows, runs), 1, &none, true, false};
	struct match match = {0};
	struct error err;
	const struct run_share *share;

	for (int i = 0; i < 2; i++) {
		runs[0].rows[i].children_noise = 0.5 + i;
		runs[0].rows[i].noise_df = 10;
	}
	runs[1].rows[0].children_noise = 1;
	runs[1].rows[0].noise_df = 10;
	ck_assert_int_eq(match_make(&match, &input, &err), 0);
	ck_assert_uint_eq(match.nr_functions, 2);
	share = match.functions[0].shares;
	ck_assert_uint_eq(share[0].samples, 10); /* 12 and 6 are more than there are */
	ck_assert_uint_eq(share[0].period, 100);
	ck_assert_double_eq(share[0].noise, 2);
	ck_assert_double_eq_tol(share[0].noise_df, 4 / (0.025 + 0.225), 1e-12);
	ck_assert_uint_eq(share[1].samples, 8);
	ck_assert_double_eq(share[1].noise, 0); /* of a part it is not known */
	ck_assert_uint_eq(match.events[0].totals[0].samples, 10);
	ck_assert_uint_eq(match.events[0].totals[1].period, 80);
	match_free(&match);
	profile_free(&runs[0]);
	profile_free(&runs[1]);
}
END_TEST

static const struct {
	const char *rule, *name, *renamed; /* NULL: the rule does not fit; no name: it is none */
} rules[] = {
	{"a=b", "a", "b"},
	{"a=b", "ab", NULL},
	{"a=b=c", "a", "b=c"},
	{"f(int)=g", "f(int)", "g"},
	{"/a/=b", "xax", "xbx"},
	{"/^a$/=b", "xax", NULL},
	{"/([a-z]+)_([0-9]+)/=\\2-\\1\\\\", "f_12x", "12-f\\x"},
	{"/x(y)?/=[\\1]", "x", "[]"},
	{"/a\\/b/=c", "a/b", "c"},
	{"/operator=/=assign", "operator=", "assign"},
	{"/a/=", "xa", "x"},
	{"/./=\\0\\0", "ab", "aab"},
	{"/a=b", "/a", "b"},
	{"/a/b=/c", "/a/b", "/c"},
	{"a", NULL, NULL},
	{"=a", NULL, NULL},
	{"a=", NULL, NULL},
	{"/a", NULL, NULL},
	{"/a/b", NULL, NULL},
	{"/(/=b", NULL, NULL},
	{"/a/=\\1", NULL, NULL},
	{"/a/=\\x", NULL, NULL},
	{"/a/=\\", NULL, NULL},
};

START_TEST(rename_rules)
{
	struct renames renames = {0};
	struct error err = {0};
	char *renamed = NULL;
	bool fitted = false;
	int rc = rename_add(&renames, rules[_i].rule, &err);

	if (!rules[_i].name) {
		ck_assert_int_eq(rc, -1);
		ck_assert_int_eq(err.kind, ERROR_USAGE);
	} else {
		ck_assert_msg(rc == 0, "%s", err.text);
		ck_assert_str_eq(rename_text(&renames, 0), rules[_i].rule);
		rc = rename_apply(&renames, rules[_i].name, &fitted, &renamed, &err);
		ck_assert_int_eq(rc, rules[_i].renamed != NULL);
		ck_assert(fitted == (rules[_i].renamed != NULL));
		if (rc)
			ck_assert_str_eq(renamed, rules[_i].renamed);
	}
	free(renamed);
	renames_free(&renames);
}
END_TEST

/* The first rule that fits renames; others that fit are known to. */
START_TEST(rename_order)
{
	static const char *const texts[] = {"x=no", "/^a/=b", "ab=no", "/b$/=no", "/y/=no"};
	bool fitted[NR(texts)] = {false};
	struct renames renames = {0};
	struct error err;
	char *renamed;

	for (int i = 0; i < NR(texts); i++)
		ck_assert_int_eq(rename_add(&renames, texts[i], &err), 0);
	ck_assert_str_eq(rename_name(&renames, 0), "x");
	ck_assert_ptr_null(rename_name(&renames, 1));
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(rename_apply(&renames, "ab", fitted, &renamed, &err), 1);
		ck_assert_str_eq(renamed, "bb");
		free(renamed);
	}
	ck_assert(!fitted[0] && fitted[1] && fitted[2] && fitted[3] && !fitted[4]);
	renames_free(&renames);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("match");
	TCase *tcase = tcase_create("match");

	tcase_add_loop_test(tcase, matching, 0, NR(scenes));
	tcase_add_test(tcase, renaming);
	tcase_add_test(tcase, renaming_binaries);
	tcase_add_test(tcase, shares);
	tcase_add_loop_test(tcase, rename_rules, 0, NR(rules));
	tcase_add_test(tcase, rename_order);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
