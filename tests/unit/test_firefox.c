/* Profiles of the Firefox Profiler: the threads of samples. */
#include "report/export/runforms.h"

#include "report/export/runexport.h"
#include "tests/support/suite.h"
#include "tests/support/threadrows.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct event cycles = {.name = "cycles"};
static const struct function_stat functions[] = {{.event = &cycles,
						  .function = "f",
						  .filename = "",
						  .binary = "b",
						  .build_id = "",
						  .reason = ""}};
static const uint32_t function_numbers[] = {0};
static const struct place_stat places[] = {
	{.functions = function_numbers, .nr_functions = 1, .filename = "", .address = 1}};
static const struct chain_stat chains[] = {
	{.caller = PATH_NO_PARENT, .end = "complete", .self = {2, 2}}};

/* Rows of any kind, one at a time. */
struct list {
	const char *rows;
	size_t nr, bytes, read;
};

static int list_start(void *arg, struct error *err)
{
	(void)err;
	((struct list *)arg)->read = 0;
	return 0;
}

static int list_next(void *arg, void *row, struct error *err)
{
	struct list *list = arg;

	(void)err;
	if (list->read == list->nr)
		return 0;
	memcpy(row, list->rows + list->read++ * list->bytes, list->bytes);
	return 1;
}

static struct rows list_rows(struct list *list)
{
	return (struct rows){.source = {list, list_start, list_next}};
}

/* Writes the profile of @results to @text. */
static void write_profile(const struct results *results, char *text, size_t room)
{
	const struct runexport_settings settings = {0};
	struct runexport_view view = {.results = results, .event = &cycles, .settings = &settings};
	struct error err = {0};
	FILE *file = tmpfile();
	size_t len;

	view.out = outfile_stream(fileno(file), "a test", &err);
	firefox_write(&view);
	ck_assert_msg(outfile_finish(view.out, &err) == 0, "%s", err.text);
	outfile_close(view.out);
	rewind(file);
	len = fread(text, 1, room - 1, file);
	text[len] = '\0';
	fclose(file);
}

/* The value of @key after *@at, which moves behind it. */
static void check_value(const char **at, const char *key, const char *value)
{
	char text[64];

	snprintf(text, sizeof(text), "\"%s\": ", key);
	*at = strstr(*at, text);
	ck_assert_ptr_nonnull(*at);
	*at += strlen(text);
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(*at, ",\n}"), *at);
	ck_assert_str_eq(text, value);
}

/* Samples whose process is unknown are not those of the idle process, whose pid is 0. */
START_TEST(an_unknown_process_is_not_the_idle_one)
{
	static const struct sample_stat samples[] = {{.time = 1, .period = 1, .thread = 0},
						     {.time = 2, .period = 1, .thread = 1}};
	static const struct thread_stat lives[] = {
		{.life = 0, .comm = "swapper", .process_comm = "swapper"},
		{.pid = -1, .tid = -1, .life = 7, .comm = "", .process_comm = ""}};
	struct list of_chains = {(const char *)chains, 1, sizeof(chains[0]), 0};
	struct list of_samples = {(const char *)samples, 2, sizeof(samples[0]), 0};
	struct threadrows of_threads = {lives, 2, 0};
	const struct results results = {
		.functions = functions,
		.nr_functions = 1,
		.answered = {{&chainstat_places, {.first = places, .nr = 1}},
			     {&chainstat_chains, list_rows(&of_chains)},
			     {&chainstat_samples, list_rows(&of_samples)},
			     {&processstat_thread_lives,
			      {.source = threadrows_source(&of_threads)}}},
	};
	char text[20000];
	const char *at;

	write_profile(&results, text, sizeof(text));
	at = strstr(text, "\"threads\": [");
	ck_assert_ptr_nonnull(at);
	check_value(&at, "name", "\"swapper\"");
	check_value(&at, "isMainThread", "true");
	check_value(&at, "pid", "\"0\"");
	check_value(&at, "tid", "0");
	ck_assert_ptr_nonnull(strstr(at, "\"name\": \"[unknown]\""));
	check_value(&at, "pid", "\"-1\"");
	check_value(&at, "tid", "-1");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("firefox");
	TCase *tc = tcase_create("firefox");

	tcase_add_test(tc, an_unknown_process_is_not_the_idle_one);
	suite_add_tcase(s, tc);
	return suite_run(s);
}
