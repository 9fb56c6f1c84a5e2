/*
 * Recordings whose order is not what it seems: which record comes when, and what the tables say of
 * those that came too late.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <string.h>

#define FAR (UINT64_C(1) << 63)

static struct mkperf *new_recording(void)
{
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){.name = "cycles",
					       .sample_period = 1,
					       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL});
	return m;
}

/* What is written: samples with these times, ROUND for a FINISHED_ROUND, END behind the last. */
enum { END = 0, ROUND = 1 };

static struct perffile *open_times(const uint64_t *times)
{
	struct mkperf *m = new_recording();

	for (; *times != END; times++) {
		if (*times == ROUND)
			mkperf_round(m);
		else
			mkperf_sample(m, &(struct mkperf_sample){.time = *times});
	}
	return recording_open(m);
}

/* What is read: as open_times(). */
static void assert_order(const uint64_t *times, const uint64_t *expected, uint64_t nr_late)
{
	struct perffile *file = open_times(times);
	const struct record *rec;

	while ((rec = recording_next(file))) {
		uint64_t time = rec->type == RECORD_FINISHED_ROUND ? ROUND : rec->time;

		ck_assert_uint_eq(time, *expected++);
		nr_late -= rec->late;
	}
	ck_assert_uint_eq(*expected, END);
	ck_assert_uint_eq(nr_late, 0);
	perffile_close(file);
}

/* perf would release all at the second round, and then everything that comes is late. */
START_TEST(one_record_far_in_the_future)
{
	static const uint64_t times[] = {10,	FAR, ROUND, 12,	   20, ROUND, 19, 30,
					 ROUND, 29,  40,    ROUND, 39, 50,    END};
	static const uint64_t expected[] = {ROUND, ROUND, ROUND, 10, 12, 19,  20, ROUND,
					    29,	   30,	  39,	 40, 50, FAR, END};

	assert_order(times, expected, 0);
}
END_TEST

/* A pass that drained an idle CPU alone brings nothing as new as the pass before, too. */
START_TEST(pass_of_older_records)
{
	static const uint64_t times[] = {10, 20, ROUND, 15, ROUND, 30, ROUND, 40, ROUND, 50, END};
	static const uint64_t expected[] = {ROUND, ROUND, ROUND, 10, 15, ROUND,
					    20,	   30,	  40,	 50, END};

	assert_order(times, expected, 0);
}
END_TEST

/* What a CPU held back though the round was said to be finished, twice. */
START_TEST(rounds_that_come_too_early)
{
	static const uint64_t times[] = {10, ROUND, 20, ROUND, 30,    ROUND, 12, 22,
					 40, ROUND, 21, 50,    ROUND, 60,    END};
	static const uint64_t expected[] = {ROUND, ROUND, 10, ROUND, 20, ROUND, 12, 22,
					    30,	   ROUND, 21, 40,    50, 60,	END};

	assert_order(times, expected, 2);
}
END_TEST

/* The last of the time before the jump waits until that time comes again. */
START_TEST(clock_that_jumps_back)
{
	static const uint64_t times[] = {1000,	ROUND, 1010,  ROUND, 1020,  ROUND, 500,
					 ROUND, 510,   ROUND, 1015,  ROUND, 1030,  END};
	static const uint64_t expected[] = {ROUND, ROUND, 1000, ROUND, 1010, ROUND, 500,
					    ROUND, ROUND, 510,	1015,  1020, 1030,  END};

	assert_order(times, expected, 2);
}
END_TEST

START_TEST(descending_times)
{
	static const uint64_t times[] = {19, 18,    17, 16, ROUND, 29, 28,
					 27, ROUND, 39, 38, ROUND, END};
	static const uint64_t expected[] = {ROUND, ROUND, 16, 17, 18, 19, ROUND,
					    27,	   28,	  29, 38, 39, END};

	assert_order(times, expected, 0);
}
END_TEST

/* ---- what the tables say ---- */

enum { PID = 42 };

static void put_map(struct mkperf *m, uint64_t time, const char *filename)
{
	mkperf_mmap2(m, &(struct mkperf_id){.pid = PID, .tid = PID, .time = time},
		     &(struct mkperf_mmap){.pid = PID,
					   .tid = PID,
					   .start = 0x400000,
					   .len = 0x1000,
					   .filename = filename,
					   .prot = 5});
}

static void put_sample(struct mkperf *m, uint64_t time)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = PID,
						 .tid = PID,
						 .ip = 0x400010,
						 .time = time});
}

static void put_comm(struct mkperf *m, uint64_t time, uint16_t misc, const char *comm)
{
	mkperf_comm(m, &(struct mkperf_id){.pid = PID, .tid = PID, .time = time}, misc, PID, PID,
		    comm);
}

/* Everything up to here has been given when the next record comes. */
static void put_rounds(struct mkperf *m, uint64_t time)
{
	mkperf_round(m);
	put_sample(m, time);
	mkperf_round(m);
	mkperf_round(m);
}

static void assert_rows(const char *table, const char *rows)
{
	ck_assert_msg(strstr(table, rows), "no '%s' in:\n%s", rows, table);
}

/* A map that comes late serves what comes behind it; each type that was late has its row. */
START_TEST(late_maps)
{
	struct mkperf *m = new_recording();
	struct recording_tables tables;

	put_sample(m, 10);
	put_rounds(m, 20);
	put_map(m, 5, "/bin/first");
	put_comm(m, 6, 0, "first");
	put_comm(m, 7, 0, "second");
	put_sample(m, 8);
	put_sample(m, 30);
	tables = recording_tables_of(m);
	assert_rows(tables.text[TABLE_STAT], "[late],4\n[truncated bytes],0\n[missing bytes],0\n"
					     "[late COMM],2\n[late SAMPLE],1\n[late MMAP2],1\n");
	assert_rows(tables.text[TABLE_RESULTS], "2,2,,[unknown],cycles,/bin/first,");
	assert_rows(tables.text[TABLE_RESULTS], "2,2,,[unknown],cycles,[unmapped],");
	assert_rows(tables.text[TABLE_PROCESSES], "42,second,1,,,4,4,cycles,");
	recording_tables_free(&tables);
}
END_TEST

/* Without late records there are no such rows. */
START_TEST(nothing_late)
{
	struct mkperf *m = new_recording();
	struct recording_tables tables;
	const char *last = "[late],0\n[truncated bytes],0\n[missing bytes],0\n", *end;

	put_map(m, 5, "/bin/first");
	put_rounds(m, 20);
	tables = recording_tables_of(m);
	end = strstr(tables.text[TABLE_STAT], last);
	ck_assert(end && end[strlen(last)] == 0);
	recording_tables_free(&tables);
}
END_TEST

/* An exec in time drops the maps of the old program; late, those of the new one are there. */
START_TEST(late_exec)
{
	struct mkperf *m = new_recording();
	struct recording_tables tables;

	put_comm(m, 5, 0, "old");
	put_map(m, 12, "/bin/new");
	put_rounds(m, 20);
	put_comm(m, _i ? 11 : 21, PERF_RECORD_MISC_COMM_EXEC, "new");
	put_sample(m, 30);
	tables = recording_tables_of(m);
	assert_rows(tables.text[TABLE_STAT], _i ? "[late COMM],1\n" : "[late],0\n");
	assert_rows(tables.text[TABLE_RESULTS],
		    _i ? "2,2,,[unknown],cycles,/bin/new," : "1,1,,[unknown],cycles,/bin/new,");
	assert_rows(tables.text[TABLE_PROCESSES], "42,new,1,,,2,2,cycles,");
	recording_tables_free(&tables);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scenario_order");
	TCase *tcase = tcase_create("scenario_order");

	tcase_add_test(tcase, one_record_far_in_the_future);
	tcase_add_test(tcase, pass_of_older_records);
	tcase_add_test(tcase, rounds_that_come_too_early);
	tcase_add_test(tcase, clock_that_jumps_back);
	tcase_add_test(tcase, descending_times);
	tcase_add_test(tcase, late_maps);
	tcase_add_test(tcase, nothing_late);
	tcase_add_loop_test(tcase, late_exec, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
