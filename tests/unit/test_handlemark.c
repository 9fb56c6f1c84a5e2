/* Handles after their end, in the library as it is built for debugging: DEBUG_OBJECTS in the
 * Makefile. */
#include "tests/support/suite.h"

#include <readperf/readperf.h>

#include <check.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* One of each. */
struct handles {
	struct readperf_recording *recording;
	struct readperf_facts *facts;
	struct readperf_settings *settings;
	struct readperf_replay *replay;
	struct readperf_symbols *symbols;
	struct readperf_table *table;
};

static void make_handles(struct handles *to)
{
	const char *folder = getenv("TESTS_DATA");
	const struct readperf_record *record;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/demo.data", folder ? folder : "tests/data");
	to->recording = readperf_recording_open(path, NULL);
	ck_assert_ptr_nonnull(to->recording);
	to->facts = readperf_facts_read(to->recording, NULL);
	to->settings = readperf_settings_create(NULL);
	ck_assert_int_eq(readperf_settings_set(to->settings, "tables", "threads", NULL), 0);
	to->replay = readperf_replay_create(to->recording, to->settings, NULL);
	to->symbols = readperf_symbols_create(to->settings, NULL);
	while (readperf_recording_next(to->recording, &record, NULL) > 0)
		ck_assert_int_ge(readperf_replay_apply(to->replay, record, NULL), 0);
	ck_assert_int_eq(readperf_replay_finish(to->replay, NULL), 0);
	to->table = readperf_table_read(to->replay, "threads", NULL);
	ck_assert_uint_eq(readperf_table_nr_rows(to->table), 2);
	ck_assert_uint_gt(readperf_facts_count(to->facts), 5);
}

static void use_recording(const struct handles *of)
{
	const struct readperf_record *record;

	readperf_recording_close(of->recording);
	readperf_recording_next(of->recording, &record, NULL);
}

static void close_twice(const struct handles *of)
{
	readperf_recording_close(of->recording);
	readperf_recording_close(of->recording);
}

static void use_facts(const struct handles *of)
{
	readperf_facts_free(of->facts);
	readperf_facts_key(of->facts, 0);
}

static void use_settings(const struct handles *of)
{
	readperf_settings_free(of->settings);
	readperf_replay_create(of->recording, of->settings, NULL);
}

static void use_replay(const struct handles *of)
{
	readperf_replay_free(of->replay);
	readperf_replay_frame_ip(of->replay, 0);
}

static void read_table_of_replay(const struct handles *of)
{
	readperf_replay_free(of->replay);
	readperf_table_read(of->replay, "threads", NULL);
}

static void use_symbols(const struct handles *of)
{
	readperf_symbols_free(of->symbols);
	readperf_symbols_binary(of->symbols, "/nonexistent", NULL, 0, NULL);
}

static void use_symbols_of_replay(const struct handles *of)
{
	struct readperf_symbols *symbols = readperf_replay_symbols(of->replay);

	readperf_replay_free(of->replay);
	readperf_symbols_binary(symbols, "/nonexistent", NULL, 0, NULL);
}

static void use_table(const struct handles *of)
{
	readperf_table_free(of->table);
	readperf_table_codes(of->table, 0);
}

static void use_what_is_none(const struct handles *of)
{
	readperf_table_nr_rows((const struct readperf_table *)(const void *)of->replay);
}

static const struct misuse {
	void (*make)(const struct handles *of);
	const char *message;
} misuses[] = {
	{use_recording, "libreadperf: recording: used after readperf_recording_close()\n"},
	{close_twice, "libreadperf: recording: used after readperf_recording_close()\n"},
	{use_facts, "libreadperf: facts: used after readperf_facts_free()\n"},
	{use_settings, "libreadperf: settings: used after readperf_settings_free()\n"},
	{use_replay, "libreadperf: replay: used after readperf_replay_free()\n"},
	{read_table_of_replay, "libreadperf: replay: used after readperf_replay_free()\n"},
	{use_symbols, "libreadperf: symbols: used after readperf_symbols_free()\n"},
	{use_symbols_of_replay, "libreadperf: symbols: used after readperf_symbols_free()\n"},
	{use_table, "libreadperf: table: used after readperf_table_free()\n"},
	{use_what_is_none, "libreadperf: table: the argument is none\n"},
};

enum { NR_MISUSES = sizeof(misuses) / sizeof(misuses[0]) };

/* Runs the misuse in a process of its own, whose messages go to @said. Returns its status. */
static int run(const struct misuse *misuse, char *said, size_t room)
{
	int ends[2], status;
	ssize_t len;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		struct handles handles;

		dup2(ends[1], STDERR_FILENO);
		make_handles(&handles);
		misuse->make(&handles);
		_exit(0);
	}
	close(ends[1]);
	len = read(ends[0], said, room - 1);
	said[len > 0 ? len : 0] = '\0';
	close(ends[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

START_TEST(test_handles_after_their_end)
{
	char said[200];
	const int status = run(&misuses[_i], said, sizeof(said));

	ck_assert_str_eq(said, misuses[_i].message);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("handlemark");
	TCase *tcase = tcase_create("handlemark");

	tcase_add_loop_test(tcase, test_handles_after_their_end, 0, NR_MISUSES);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
