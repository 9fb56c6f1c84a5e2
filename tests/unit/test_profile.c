/* Profiles of runs: from results, from results.csv, and what of two runs cannot be compared. */
#include "decode/compare/diff.h"
#include "decode/compare/profile/profilecsv.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define HEADER                                                                        \
	"period,samples,filename,function,event,binary,percent,line,children_period," \
	"children_samples,children_percent,build_id,reason\n"

/* All rows are taken but those of a function that is called like @arg. */
static bool passes(const void *arg, const struct row_key *key)
{
	return strcmp(key->function, arg) != 0;
}

/* Reads @text as a results.csv, without the function "left out". */
static int read_text(struct profile *profile, const char *text, struct error *err)
{
	struct scratch_path dir = scratch_make(), path;
	int rc;

	scratch_write(dir.text, "results.csv", text);
	path = scratch_join(dir.text, "results.csv");
	rc = profilecsv_read(profile, path.text,
			     &(struct row_filter){.passes = passes, .arg = "left out"}, err);
	scratch_remove(dir.text);
	return rc;
}

START_TEST(of_a_table)
{
	struct profile profile = {.label = "run"};
	struct error err = {0};
	const struct profile_row *row;
	const struct row_key *key;

	ck_assert_msg(read_text(&profile,
				HEADER
				"500,5,\"/src/a,b.c\",f,cycles:u,/bin/app,62.5,12,600,6,75,0a1b,\n"
				"99,9,,left out,cycles:u,/bin/app,0,,99,9,0,,\n"
				"300,3,,'=cmd|' /C calc'!A0,cycles:u,'-x,37.5,,300,3,37.5,,\n"
				"7,1,,[unknown],faults,[unmapped],100,,7,1,100,,no-mapping\n",
				&err) == 0,
		      "%s", err.text);
	ck_assert_uint_eq(profile.nr_events, 2);
	ck_assert_str_eq(profile.events[0].name, "cycles:u");
	ck_assert_uint_eq(profile.events[0].total.samples, 8);
	ck_assert_uint_eq(profile.events[0].total.period, 800);
	ck_assert_str_eq(profile.events[1].name, "faults");
	ck_assert_uint_eq(profile.nr_rows, 3);
	row = profile.rows;
	key = profile_key(&profile, &row[0]);
	ck_assert_str_eq(key->event, "cycles:u");
	ck_assert_str_eq(key->filename, "/src/a,b.c");
	ck_assert_str_eq(key->build_id, "0a1b");
	ck_assert_uint_eq(row[0].children.samples, 6);
	ck_assert_uint_eq(row[0].children.period, 600);
	key = profile_key(&profile, &row[1]);
	ck_assert_str_eq(key->function, "=cmd|' /C calc'!A0"); /* the guard is off again */
	ck_assert_str_eq(key->binary, "-x");
	ck_assert_str_eq(profile_key(&profile, &row[2])->reason, "no-mapping");
	ck_assert_uint_eq(row[2].event, 1);
	ck_assert(profile.chains && !profile.recorded && profile.cpus == 0);
	profile_free(&profile);
	ck_assert_str_eq(profile.label, "run");
}
END_TEST

/* Columns in another order, unknown ones, and few. */
START_TEST(of_an_older_table)
{
	struct profile profile = {0};
	struct error err = {0};

	ck_assert_int_eq(read_text(&profile,
				   "event,color,samples,function,period\r\n"
				   "c,red,2,'it,20\r\n",
				   &err),
			 0);
	ck_assert_uint_eq(profile.nr_rows, 1);
	ck_assert_str_eq(profile_key(&profile, profile.rows)->function, "'it"); /* not a guard */
	ck_assert_str_eq(profile_key(&profile, profile.rows)->binary, "");
	ck_assert_uint_eq(profile.rows[0].children.period, 20);
	ck_assert(!profile.chains);
	profile_free(&profile);
}
END_TEST

/* What other programs make of a table, and what is in none: it is read right. */
START_TEST(of_an_odd_table)
{
	struct profile profile = {0};
	struct error err = {0};

	ck_assert_msg(read_text(&profile,
				"\xef\xbb\xbf"
				"\"function\",event,binary,samples,period\r\n"
				"\"f(int,\n char)\",c,b,2,20\r\n"
				"\r\n"
				"g,d,b,0,0\r\n"
				"\"f(int,\n char)\",c,b,3,0\r\n"
				"h,c,,1,18446744073709551595",
				&err) == 0,
		      "%s", err.text);
	ck_assert_uint_eq(profile.nr_events, 2);
	ck_assert_uint_eq(profile.events[0].total.samples, 6);
	ck_assert_uint_eq(profile.events[0].total.period, UINT64_MAX);
	ck_assert_uint_eq(profile.events[1].total.samples, 0);
	ck_assert_uint_eq(profile.nr_rows, 4);
	ck_assert_str_eq(profile_key(&profile, profile.rows)->function, "f(int,\n char)");
	ck_assert_uint_eq(profile.rows[2].key, profile.rows[0].key); /* they are added up later */
	ck_assert_uint_eq(profile.keys->nr, 3);
	profile_free(&profile);

	ck_assert_int_eq(read_text(&profile, HEADER, &err), 0);
	ck_assert_uint_eq(profile.nr_events + profile.nr_rows, 0);
	profile_free(&profile);
}
END_TEST

static const struct {
	const char *text, *message;
} wrong[] = {
	{"", "is not a results.csv: its first line has no column function"},
	{"function,event,samples\n", "has no column period"},
	{HEADER "1,1\n", "line 2: has 2 cells, but the first line has 13"},
	{"function,event,samples,period\nf,c,1,2\n\nf,c,x,2\n",
	 "line 4: column samples: is not a number from 0 to 2^64-1"},
	{"function,event,samples,period\nf,c,1,18446744073709551616\n", "line 2: column period"},
	{"function,event,samples,period\nf,c,,1\n", "line 2: column samples"},
	{"function,event,samples,period\nf,c,-5,1\n", "line 2: column samples"},
	{"function,event,samples,period\nf,c,1,1e9\n", "line 2: column period"},
	{"function,event,samples,period\nf,c, 7,7\n", "line 2: column samples"},
	{"function,event,samples,period\nf,c,0,7\n",
	 "line 2: column samples: is 0, but period is not"},
	{"function,event,samples,period\nf,,7,7\n", "line 2: column event: is empty"},
	{"function,event,samples,period,event\nf,c,7,7,c\n",
	 "is not a results.csv: its first line has more than one column event"},
	{"event,binary,address,function,samples,period\nc,b,1,f,7,7\n",
	 "is not a results.csv: its first line has a column address"},
	{"event,function,line,samples,period,source\nc,f,1,7,7,\n", "has a column source"},
	{"event,slice_start,samples,period,function\nc,1,7,7,f\n", "has a column slice_start"},
	{"function;event;samples;period\nf;c;7;7\n", "its first line has no column function"},
	{HEADER "70,7,,f,c,,,,70,6,,,\n", "line 2: column children_samples: is less than samples"},
	{HEADER "70,7,,f,c,,,,69,7,,,\n", "line 2: column children_period: is less than period"},
	{HEADER "70,7,,f,c,,,,70,,,,\n", "line 2: column children_samples: is not a number"},
	{HEADER "70,7,,f,c,,,,18446744073709551616,7,,,\n", "line 2: column children_period"},
	{"function,event,samples,period\n\"f,c,-1,1\n", "line 2: a quote is never closed"},
	{"function,event,samples,period,size\nf,c,1,1,-1\n", "line 2: column size: is not a"},
};

/* The size of code; a cell without one is not known. */
START_TEST(of_a_table_with_sizes)
{
	struct profile profile = {0};
	struct error err = {0};

	ck_assert_int_eq(read_text(&profile,
				   "function,event,samples,period,size\n"
				   "f,c,2,20,96\n"
				   "g,c,2,20,\n",
				   &err),
			 0);
	ck_assert_uint_eq(profile_key(&profile, &profile.rows[0])->size, 96);
	ck_assert_uint_eq(profile_key(&profile, &profile.rows[1])->size, 0);
	profile_free(&profile);
}
END_TEST

START_TEST(of_a_wrong_table)
{
	struct profile profile = {0};
	struct error err = {0};

	ck_assert_int_eq(read_text(&profile, wrong[_i].text, &err), -1);
	ck_assert_msg(strstr(err.text, wrong[_i].message), "%s", err.text);
	profile_free(&profile);
}
END_TEST

START_TEST(of_too_many_events)
{
	struct profile profile = {0};
	struct error err = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("function,event,samples,period\n", out);
	for (int i = 0; i <= 1024; i++)
		fprintf(out, "f,event%d,1,1\n", i);
	fclose(out);
	ck_assert_int_eq(read_text(&profile, text, &err), -1);
	ck_assert_ptr_nonnull(
		strstr(err.text, "line 1026: column event: there are more than 1024"));
	profile_free(&profile);
	free(text);
}
END_TEST

START_TEST(of_no_table)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "none");
	const struct row_filter filter = {0};
	struct profile profile = {0};
	struct error err = {0};

	ck_assert_int_eq(profilecsv_read(&profile, path.text, &filter, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "/none: cannot be opened: No such file"));
	ck_assert_int_eq(profilecsv_read(&profile, dir.text, &filter, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, ": is not a regular file"));
	profile_free(&profile);
	scratch_remove(dir.text);
}
END_TEST

static const struct {
	const char *text;
	bool table;
} starts[] = {
	{HEADER, true},
	{"function,samples", true},
	{"function;samples\n", true},
	{"function\tsamples\n", true},
	{"no comma\n1,2\n", false},
	{"PERFILE2", false},
	{"a,b\r\n1", true},
	{"\xef\xbb\xbf"
	 "a,b\n",
	 true},
	{"\x1f\x8b,\n", false},
	{"", false},
};

START_TEST(begins_like_a_table)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "file");

	ck_assert(!profilecsv_is_table(path.text));
	scratch_write(dir.text, "file", starts[_i].text);
	ck_assert(profilecsv_is_table(path.text) == starts[_i].table);
	ck_assert(!profilecsv_is_table(dir.text));
	scratch_remove(dir.text);
}
END_TEST

/* ---- what stands in the way of a comparison -------------------------------------------------- */

/** Two runs of one event with one function. */
struct two_runs {
	struct profile runs[2];
	struct renames renames;
	struct diff_input input;
};

static void make_two(struct two_runs *two, const char *old_event, const char *new_event)
{
	*two = (struct two_runs){.runs = {{.label = "a"}, {.label = "b"}}};
	for (int i = 0; i < 2; i++) {
		const struct profile_event event = {.name = i ? new_event : old_event,
						    .total = {100, 1000},
						    .recorded = true,
						    .rate = 999,
						    .is_frequency = true};
		const struct row_key key = {.event = event.name,
					    .function = "f",
					    .filename = "",
					    .binary = "b",
					    .build_id = "",
					    .reason = ""};
		const struct profile_row row = {.self = {100, 1000}, .children = {100, 1000}};
		struct error err;

		two->runs[i].recorded = true;
		two->runs[i].seconds = 2;
		two->runs[i].cpus = 4;
		ck_assert_int_eq(profile_add_event(&two->runs[i], &event, &err), 0);
		ck_assert_int_eq(profile_add_row(&two->runs[i], &key, &row, &err), 0);
	}
	two->input.match = (struct match_input){
		.runs = two->runs, .nr_runs = 2, .nr_old = 1, .renames = &two->renames};
	two->input.measure = MEASURE_SHARE;
}

static void free_two(struct two_runs *two)
{
	profile_free(&two->runs[0]);
	profile_free(&two->runs[1]);
}

/* The remarks on @two, which is freed, are exactly @expected, one behind the other; the function
 * has
 * @old_percent of the old side. */
static void check_remarks(struct two_runs *two, double old_percent, const char *expected)
{
	struct error err = {0};
	struct diff *diff = diff_make(&two->input, &err);
	char got[1024] = "";

	ck_assert_msg(diff, "%s", err.text);
	for (size_t i = 0; i < diff->remarks.nr; i++) {
		strcat(got, diff->remarks.lines[i]);
		strcat(got, "\n");
	}
	ck_assert_str_eq(got, expected);
	ck_assert_uint_eq(diff->nr_rows, 1);
	ck_assert(verdict_is_change(diff->rows[0].verdict) ==
		  (diff->rows[0].new_percent != old_percent));
	ck_assert_double_eq(diff->rows[0].old_percent, old_percent);
	diff_free(diff);
	free_two(two);
}

static void check_refused(struct two_runs *two, const char *expected)
{
	struct error err = {0};

	ck_assert_ptr_null(diff_make(&two->input, &err));
	ck_assert_str_eq(err.text, expected);
	free_two(two);
}

/* Adds an event with as many samples as the others to the run with @number, without functions. */
static void add_event(struct two_runs *two, int number, const char *name)
{
	struct profile_event event = two->runs[number].events[0];
	struct error err;

	event.name = name;
	ck_assert_int_eq(profile_add_event(&two->runs[number], &event, &err), 0);
}

/* Each event that is compared with one of another name, or with none, is named. */
START_TEST(remarks_on_events)
{
	struct two_runs two;

	make_two(&two, "cycles:u", "cycles");
	check_remarks(&two, 100,
		      "cycles:u of the old side is compared with cycles of the new one\n");

	make_two(&two, "cycles:u", "cycles");
	add_event(&two, 0, "cycles:k");
	check_remarks(&two, 50,
		      "cycles:k and cycles:u of the old side, added up, are compared with "
		      "cycles of the new one\n");

	make_two(&two, "cycles", "cycles:u");
	add_event(&two, 1, "cycles:k");
	add_event(&two, 1, "cycles:H");
	check_remarks(&two, 100,
		      "cycles of the old side is compared with cycles:H, cycles:k and "
		      "cycles:u of the new one, added up\n");

	make_two(&two, "cycles", "cycles");
	add_event(&two, 0, "cycles:u");
	add_event(&two, 0, "cycles:k");
	add_event(&two, 1, "faults");
	check_remarks(&two, 100,
		      "cycles:k and cycles:u have samples on the old side only: they are left out\n"
		      "faults has samples on the new side only: it is left out\n");
}
END_TEST

/* Renamings that fit nothing are named, also where they fit on the new side. */
START_TEST(remarks_on_renamings)
{
	static const char *const texts[] = {"f=g", "f.cold=g", "nosuch=fn_v2", "/^f$/=h", "/G/=g"};
	struct two_runs two;
	struct error err;

	make_two(&two, "cycles", "cycles");
	two.runs[1].keys->keys[0].function = "g";
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_int_eq(rename_add(&two.renames, texts[i], &err), 0);
	check_remarks(&two, 100,
		      "--rename 'nosuch=fn_v2': no function of the old side is called nosuch, and "
		      "no two binaries are nosuch and fn_v2\n"
		      "--rename '/G/=g': it matches no function of the old side\n");
	renames_free(&two.renames);
}
END_TEST

START_TEST(remarks)
{
	struct two_runs two;

	make_two(&two, "cycles", "cycles");
	check_remarks(&two, 100, "");

	make_two(&two, "cycles", "cycles");
	two.runs[1].events[0].rate = 99;
	two.runs[1].cpus = 8;
	check_remarks(&two, 100,
		      "numbers of CPUs differ: 4 in a, 8 in b\n"
		      "cycles was sampled differently: 999 Hz in a, 99 Hz in b\n");

	make_two(&two, "cycles", "cycles");
	two.runs[1].events[0].is_frequency = false;
	two.runs[1].cpus = 0;
	check_remarks(&two, 100,
		      "cycles was sampled differently: 999 Hz in a, 999 events per sample in b\n");

	/* 2 of 100 and 1 of 100 are not far apart */
	make_two(&two, "cycles", "cycles");
	two.runs[0].events[0].taken = 98;
	two.runs[0].events[0].dropped = 2;
	two.runs[1].events[0].taken = 99;
	two.runs[1].events[0].dropped = 1;
	check_remarks(&two, 100, "");

	make_two(&two, "cycles", "cycles");
	two.runs[0].events[0].taken = two.runs[1].events[0].taken = 1000;
	two.runs[0].events[0].dropped = 24;
	check_remarks(&two, 100,
		      "cycles: the kernel dropped 2.3 % of the samples of a, but 0.0 % of b\n");

	make_two(&two, "cycles", "cycles");
	two.runs[1].recorded = two.runs[1].events[0].recorded = false;
	check_remarks(&two, 100,
		      "b is a table, so its program, machine, sampling and losses are not known; "
		      "its samples are taken to be independent\n");

	make_two(&two, "cycles", "cycles");
	two.runs[0].recorded = two.runs[0].events[0].recorded = false;
	two.runs[1].recorded = two.runs[1].events[0].recorded = false;
	check_remarks(&two, 100,
		      "2 runs are tables, such as b, so their programs, machines, sampling and "
		      "losses are not known; their samples are taken to be independent\n");
}
END_TEST

START_TEST(refusals)
{
	struct two_runs two;

	make_two(&two, "cycles", "faults");
	check_refused(&two,
		      "b: no event has samples on both sides: the old side has cycles, the new "
		      "one faults");

	make_two(&two, "cycles", "faults");
	add_event(&two, 0, "branches");
	two.runs[1].events[0].total = (struct tally){0};
	check_refused(&two, "b: no event has samples on both sides: the old side has branches and "
			    "cycles, the new one none");

	make_two(&two, "cycles", "cycles");
	two.input.measure = MEASURE_RATE;
	two.runs[0].recorded = false;
	check_refused(&two, "a: a table does not say how long the run took, which --by=rate needs: "
			    "use the recording");

	make_two(&two, "cycles", "cycles");
	two.input.measure = MEASURE_RATE;
	two.runs[1].seconds = 0;
	check_refused(&two,
		      "b: its samples do not say how long the run took, which --by=rate needs");

	make_two(&two, "cycles", "cycles");
	two.input.match.children = true;
	two.runs[1].chains = true;
	check_refused(&two, "a: has no call chains, which --children needs: b has");

	make_two(&two, "cycles", "cycles");
	two.input.match.children = two.input.calls = true;
	two.runs[1].chains = true;
	check_refused(&two, "a: has no call chains, which --calls needs: b has");

	make_two(&two, "cycles", "cycles");
	two.runs[0].inlined = true;
	check_refused(&two, "a: was made with --inline, but b without");
}
END_TEST

/* Changes of periods and rates are told in percents of the old side's. */
START_TEST(other_measures)
{
	struct two_runs two;
	struct error err = {0};
	struct diff *diff;

	make_two(&two, "cycles", "cycles");
	two.runs[1].events[0].total.period = two.runs[1].rows[0].self.period = 1500;
	two.runs[1].seconds = 1;
	two.input.measure = MEASURE_PERIOD;
	diff = diff_make(&two.input, &err);
	ck_assert_msg(diff, "%s", err.text);
	ck_assert_double_eq(diff->rows[0].delta_percent, 50);
	ck_assert_double_eq(diff->rows[0].ratio, 1.5);
	diff_free(diff);
	two.input.measure = MEASURE_RATE;
	diff = diff_make(&two.input, &err);
	ck_assert_msg(diff, "%s", err.text);
	ck_assert_double_eq(diff->rows[0].delta_percent, 200);
	ck_assert_double_eq(diff->rows[0].ratio, 3);
	diff_free(diff);
	free_two(&two);
}
END_TEST

START_TEST(gate)
{
	const struct diff_row row = {.verdict = VERDICT_MORE, .delta_percent = 2, .ratio = 1.5};
	struct diff_row same = row;

	same.verdict = VERDICT_SAME;
	ck_assert(diff_row_fails(&row, &(struct diff_gate){0, 1}));
	ck_assert(diff_row_fails(&row, &(struct diff_gate){2, 1.5}));
	ck_assert(!diff_row_fails(&row, &(struct diff_gate){2.5, 1}));
	ck_assert(!diff_row_fails(&row, &(struct diff_gate){0, 1.6}));
	ck_assert(!diff_row_fails(&same, &(struct diff_gate){0, 1}));
}
END_TEST

/* ---- a profile from results ------------------------------------------------------------------ */

START_TEST(of_results)
{
	static const struct event cycles = {.name = "cycles:u",
					    .attr = {.sample_period = 4000, .flags = 1 << 10}};
	static const struct event_stat event = {
		.event = &cycles, .total = {3, 30}, .dropped = 2, .taken = {5, 30}};
	static const struct function_stat function = {
		.event = &cycles,
		.binary = "/bin/app",
		.function = "f",
		.filename = "a.c",
		.self = {3, 30},
		.children = {3, 30},
		.build_id = "0a1b",
		.reason = "",
		.noise = 0.25,
		.children_noise = 0.5,
		.noise_df = 63,
		.size = 96,
	};
	static const struct fact facts[] = {
		{"hostname", "vm"},
		{"osrelease", "6.1"},
		{"cpudesc", ""},
		{"nrcpus.available", "8"},
		{"nrcpus.online", "6"},
		{"cmdline", "/usr/bin/perf record -F 99 -- './my dir/python3.11' x.py 'a b'"},
	};
	static const struct results results = {
		.events = &event,
		.nr_events = 1,
		.functions = &function,
		.nr_functions = 1,
		.answered = {{&headerstat_facts, {.first = facts, .nr = NR(facts)}}}};
	struct profile profile = {0};
	struct error err;

	ck_assert_int_eq(profile_from_results(&profile, &results, PROFILE_FUNCTIONS,
					      (struct sample_span){500000000, 2000000000}, &err),
			 0);
	ck_assert(profile.recorded && !profile.chains);
	ck_assert_double_eq(profile.seconds, 1.5);
	ck_assert_uint_eq(profile.cpus, 6);
	ck_assert_uint_eq(profile.span.first, 500000000);
	ck_assert_uint_eq(profile.span.last, 2000000000);
	ck_assert(profile.clock == PROFILE_PERF_CLOCK && !profile.started);
	ck_assert_str_eq(profile.origin[ORIGIN_HOST], "vm");
	ck_assert_str_eq(profile.origin[ORIGIN_KERNEL], "6.1");
	ck_assert_ptr_null(profile.origin[ORIGIN_CPU]);
	ck_assert_str_eq(profile.origin[ORIGIN_PROGRAM], "python");
	ck_assert_str_eq(profile.origin[ORIGIN_INPUT], "x.py 'a b'");
	ck_assert_uint_eq(profile.events[0].rate, 4000);
	ck_assert(profile.events[0].is_frequency && profile.events[0].recorded);
	ck_assert_uint_eq(profile.events[0].taken, 5);
	ck_assert_uint_eq(profile.events[0].dropped, 2);
	ck_assert_str_eq(profile_key(&profile, profile.rows)->function, "f");
	ck_assert_double_eq(profile.rows[0].noise, 0.25);
	ck_assert_double_eq(profile.rows[0].children_noise, 0.5);
	ck_assert_double_eq(profile.rows[0].noise_df, 63);
	ck_assert_uint_eq(profile_key(&profile, &profile.rows[0])->size, 96);
	profile_free(&profile);
}
END_TEST

/* A name may hold any byte; tables, which the other side may be from, have U+FFFD for some. */
START_TEST(names_as_in_tables)
{
	struct rowkeys *keys = rowkeys_make();
	struct row_key key = {.event = "a \xff",
			      .keys = "comm=\xd0\xbe\xd1",
			      .function = "f_\xff_\xc3\xa9",
			      .filename = "\xff.c",
			      .binary = "/b/\xc3",
			      .build_id = "",
			      .reason = ""};
	const struct row_key *kept;

	ck_assert_ptr_nonnull(keys);
	ck_assert_uint_eq(rowkeys_number(keys, &key), 0);
	kept = &keys->keys[0];
	ck_assert_str_eq(kept->function, "f_\xef\xbf\xbd_\xc3\xa9");
	ck_assert_str_eq(kept->filename, "\xef\xbf\xbd.c");
	ck_assert_str_eq(kept->binary, "/b/\xef\xbf\xbd");
	ck_assert_str_eq(kept->event, "a \xef\xbf\xbd");
	ck_assert_str_eq(kept->keys, "comm=\xd0\xbe\xef\xbf\xbd");
	ck_assert_str_eq(rowkeys_name(keys, "a \xff"), kept->event);
	key = *kept;
	ck_assert_uint_eq(rowkeys_number(keys, &key), 0);
	rowkeys_drop(keys);
}
END_TEST

/* With a delay (-D), perf starts the program, but not its counters: only what counts nothing. */
START_TEST(of_a_delayed_recording)
{
	static const struct event cycles = {.name = "cycles"}, dummy = {.name = "dummy:HG",
									.attr = {.flags = 1 << 12},
									.dummy = true};
	static const struct event_stat events[] = {{.event = &cycles}, {.event = &dummy}};
	static const struct results results = {.events = events, .nr_events = 2};
	struct profile profile = {0};
	struct error err;

	ck_assert_int_eq(profile_from_results(&profile, &results, PROFILE_FUNCTIONS,
					      (struct sample_span){0}, &err),
			 0);
	ck_assert(!profile.started);
	profile_free(&profile);
}
END_TEST

/* What is not known is so: no header; a clock that perf was told to use; a program to start. */
START_TEST(of_other_results)
{
	static const struct event cycles = {.name = "cycles",
					    .attr = {.flags = 1 << 12 | 1 << 25, .clockid = 1}};
	static const struct event_stat event = {.event = &cycles};
	static const struct fact without_program[] = {{"cmdline", "perf record -p 42"}};
	static const struct fact without_input[] = {{"cmdline", "perf record ./a"}};
	const struct fact *const facts[] = {NULL, without_program, without_input};

	for (size_t i = 0; i < 3; i++) {
		const struct results results = {
			.events = &event,
			.nr_events = 1,
			.answered = {{&headerstat_facts, {.first = facts[i], .nr = i > 0}}}};
		struct profile profile = {0};
		struct error err;

		ck_assert_int_eq(profile_from_results(&profile, &results, PROFILE_FUNCTIONS,
						      (struct sample_span){0}, &err),
				 0);
		ck_assert(profile.clock == 1 && profile.started);
		ck_assert_ptr_null(profile.origin[ORIGIN_HOST]);
		ck_assert((profile.origin[ORIGIN_PROGRAM] != NULL) == (i == 2));
		ck_assert((profile.origin[ORIGIN_INPUT] != NULL) == (i == 2));
		if (i == 2)
			ck_assert_str_eq(profile.origin[ORIGIN_INPUT], "");
		profile_free(&profile);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tcase = tcase_create("profile");

	tcase_add_test(tcase, of_a_table);
	tcase_add_test(tcase, of_an_older_table);
	tcase_add_test(tcase, of_a_table_with_sizes);
	tcase_add_test(tcase, of_an_odd_table);
	tcase_add_loop_test(tcase, of_a_wrong_table, 0, NR(wrong));
	tcase_add_test(tcase, of_too_many_events);
	tcase_add_test(tcase, of_no_table);
	tcase_add_loop_test(tcase, begins_like_a_table, 0, NR(starts));
	tcase_add_test(tcase, of_results);
	tcase_add_test(tcase, names_as_in_tables);
	tcase_add_test(tcase, of_a_delayed_recording);
	tcase_add_test(tcase, of_other_results);
	tcase_add_test(tcase, remarks);
	tcase_add_test(tcase, remarks_on_events);
	tcase_add_test(tcase, remarks_on_renamings);
	tcase_add_test(tcase, refusals);
	tcase_add_test(tcase, other_measures);
	tcase_add_test(tcase, gate);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
