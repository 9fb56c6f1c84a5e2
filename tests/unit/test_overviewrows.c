/* Rows of plain samples: as the rows of the same records. */
#include "perffile/format.h"
#include "report/csvform.h"
#include "report/overviewrows.h"
#include "tests/support/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20, LONG = 50000 };

/* A table_overview in memory, with what tells its run. */
struct memory_table {
	struct outfile out;
	struct table_file file;
};

static void start(struct memory_table *table)
{
	char *bytes = malloc(ROOM);

	table->out = (struct outfile){.pos = bytes, .buffer = bytes, .end = bytes + ROOM};
	table->file = (struct table_file){.table = table_list[REPORT_NUMBER_overview].table,
					  .writer = {.form = &csv_form, .out = &table->out},
					  .nr_tail = 1};
	cell_text(&table->file.tail[0], "a \"run\"");
}

/* The record that @sample is. */
static struct record record_of(const struct plain_sample *sample)
{
	struct record rec = {.nr = sample->nr,
			     .type = RECORD_SAMPLE,
			     .has = HAS_PID | HAS_TID | HAS_TIME,
			     .pid = sample->pid,
			     .tid = sample->tid,
			     .time = sample->time,
			     .event = sample->event};

	if (sample->event->attr.sample_type & SAMPLE_CPU) {
		rec.has |= HAS_CPU;
		rec.cpu = sample->cpu;
	}
	rec.sample.ip = sample->ip;
	rec.sample.period = sample->period;
	return rec;
}

/* Checks that the rows of @samples are those of the same records. */
static void check_rows(const struct plain_samples *samples)
{
	struct memory_table many, singly;
	struct overviewrows rows = {.file = &many.file};

	start(&many);
	start(&singly);
	ck_assert(overviewrows_put(&rows, samples));
	for (size_t i = 0; i < samples->nr; i++) {
		const struct record rec = record_of(&samples->samples[i]);

		table_put_row(&singly.file, &rec);
	}
	*many.out.pos = *singly.out.pos = '\0';
	ck_assert_str_eq(many.out.buffer, singly.out.buffer);
	ck_assert_ptr_eq(many.out.whole, many.out.pos);
	free(many.out.buffer);
	free(singly.out.buffer);
	overviewrows_free(&rows);
}

static const uint64_t fields = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME;

/* Numbers at their limits, of an event with CPUs and of one without. */
START_TEST(limits)
{
	static const uint64_t values[] = {0,	      1,	 9,	    10,
					  99999999,   100000000, INT32_MAX, (uint64_t)INT32_MAX + 1,
					  UINT32_MAX, UINT64_MAX};
	const struct event with = {.name = "=1+2,\"cycles\"",
				   .attr.sample_type = fields | SAMPLE_CPU};
	const struct event without = {.name = "cycles:u", .attr.sample_type = fields};
	static struct plain_sample list[20];
	struct plain_samples samples = {.samples = list};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const uint64_t value = values[i];
		struct plain_sample sample = {.nr = value,
					      .time = value,
					      .ip = value,
					      .period = value,
					      .pid = (uint32_t)value,
					      .tid = (uint32_t)(value * 7),
					      .cpu = (uint32_t)value};

		sample.event = &with;
		list[samples.nr++] = sample;
		sample.event = &without;
		sample.cpu = UINT32_MAX;
		list[samples.nr++] = sample;
	}
	check_rows(&samples);
}
END_TEST

/* A name that is longer than what is put into the buffer with the numbers. */
START_TEST(long_name)
{
	struct plain_sample list[2];
	const struct plain_samples samples = {.samples = list, .nr = 2};
	char *name = malloc(LONG + 1);
	const struct event event = {.name = name, .attr.sample_type = fields};

	memset(name, 'x', LONG);
	name[LONG] = '\0';
	list[0] = (struct plain_sample){.event = &event, .time = 1};
	list[1] = (struct plain_sample){.event = &event, .time = 2};
	check_rows(&samples);
	free(name);
}
END_TEST

/* An event that gets another name. */
START_TEST(other_name)
{
	struct plain_sample sample;
	const struct plain_samples samples = {.samples = &sample, .nr = 1};
	struct event event = {.name = "first", .attr.sample_type = fields};
	struct memory_table table;
	struct overviewrows rows = {.file = &table.file};

	start(&table);
	sample = (struct plain_sample){.event = &event, .nr = 7, .pid = 1, .tid = 2};
	ck_assert(overviewrows_put(&rows, &samples));
	event.name = "second";
	overviewrows_forget(&rows);
	ck_assert(overviewrows_put(&rows, &samples));
	*table.out.pos = '\0';
	ck_assert_str_eq(table.out.buffer, "7,SAMPLE,1,2,0,0x0,,,,0,,first,\"a \"\"run\"\"\"\n"
					   "7,SAMPLE,1,2,0,0x0,,,,0,,second,\"a \"\"run\"\"\"\n");
	free(table.out.buffer);
	overviewrows_free(&rows);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("overviewrows");
	TCase *tcase = tcase_create("overviewrows");

	tcase_add_test(tcase, limits);
	tcase_add_test(tcase, long_name);
	tcase_add_test(tcase, other_name);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
