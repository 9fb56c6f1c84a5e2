/* Records in batches: the same as one at a time, and whole as long as they are held. */
#include "perffile/perffile.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char *const recordings[] = {"data/demo.data", "data/demo-callgraph.data",
					 "data/demo-callgraph-be.data", "data/demo-pipe.data"};

enum { NR_RECORDINGS = sizeof(recordings) / sizeof(recordings[0]), BATCHES_MAX = 4096 };

static struct perffile *open_recording(int i)
{
	struct error err = {0};
	struct perffile *file = perffile_open(recordings[i], &err);

	ck_assert_msg(file != NULL, "%s", err.text);
	return file;
}

/* What a record shows that lies in its bytes. */
static uint64_t sum_of(const struct record *rec)
{
	uint64_t sum = rec->nr ^ (uint64_t)rec->type << 32;

	if (rec->has & HAS_TIME)
		sum ^= rec->time;
	if (rec->type == RECORD_SAMPLE) {
		struct span ips = rec->sample.callchain.ips;

		while (span_left(&ips) > 0)
			sum = sum * 31 + span_u64(&ips);
		return sum * 31 + rec->sample.ip + rec->sample.period;
	}
	if (rec->type == RECORD_MMAP2)
		for (const char *at = rec->mmap.filename; *at; at++)
			sum = sum * 31 + (uint8_t)*at;
	return sum;
}

/* All batches of @file, held until its end. */
static size_t take_all(struct perffile *file, struct record_batch **batches)
{
	struct error err = {0};
	size_t nr = 0;
	int rc;

	while ((rc = perffile_next_batch(file, &batches[nr], &err)) > 0) {
		ck_assert_uint_ge(batches[nr]->nr_records, 1);
		ck_assert_uint_lt(++nr, BATCHES_MAX);
	}
	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_ptr_null(batches[nr]);
	return nr;
}

START_TEST(held_batches_are_what_single_records_are)
{
	struct perffile *singly = open_recording(_i), *file = open_recording(_i);
	struct record_batch **batches = calloc(BATCHES_MAX, sizeof(struct record_batch *));
	const size_t nr = take_all(file, batches);
	const struct record *rec;
	struct error err = {0};
	size_t nr_together = 0;

	for (size_t i = 0; i < nr; i++) {
		for (size_t k = 0; k < batches[i]->nr_records; k++) {
			ck_assert_int_eq(perffile_next(singly, &rec, &err), 1);
			ck_assert_uint_eq(sum_of(&batches[i]->records[k]), sum_of(rec));
		}
		nr_together += batches[i]->nr_records > 1;
		perffile_give_back(file, batches[i]);
	}
	ck_assert_int_eq(perffile_next(singly, &rec, &err), 0);
	ck_assert_uint_gt(nr_together, 0);
	free(batches);
	perffile_close(singly);
	perffile_close(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("batch");
	TCase *tcase = tcase_create("held");

	tcase_add_loop_test(tcase, held_batches_are_what_single_records_are, 0, NR_RECORDINGS);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
