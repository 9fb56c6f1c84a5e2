/* Call chains whose words are the same in the recording, and yet not the same callers. */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>

/* Not in the header of older kernels. */
#define USER_DEFERRED ((uint64_t)-640)

enum { LEAF = 0x400800, CALLER = 0x500800 };

static const uint64_t id = 11;

/* A process with a binary at each of the addresses. */
static struct mkperf *new_recording(bool swap)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap});
	struct mkperf_mmap map = {.misc = PERF_RECORD_MISC_USER, .pid = 1, .tid = 1, .prot = 5};

	mkperf_event(m, &(struct mkperf_event){
				.name = "clock",
				.type = PERF_TYPE_SOFTWARE,
				.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.ids = &id,
				.nr_ids = 1,
			});
	mkperf_event_desc(m);
	map.len = 0x1000;
	map.start = LEAF & ~0xfff;
	map.filename = "/opt/none/leaf";
	mkperf_mmap2(m, NULL, &map);
	map.start = CALLER & ~0xfff;
	map.filename = "/opt/none/caller";
	mkperf_mmap2(m, NULL, &map);
	return m;
}

/* A sample of LEAF; its period is its time. */
static void put_sample(struct mkperf *m, uint16_t cpumode, uint64_t time, const uint64_t *ips,
		       size_t nr)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = cpumode,
						 .pid = 1,
						 .tid = 1,
						 .time = time,
						 .period = time,
						 .ip = LEAF,
						 .ips = ips,
						 .nr_ips = nr});
}

/* Which sum of periods @binary has of its own, and with all that it called. */
static void assert_periods(const struct recording_tables *tables, const char *binary, uint64_t own,
			   uint64_t with_callees)
{
	const char *results = tables->text[TABLE_RESULTS];

	ck_assert_uint_eq(recording_sum(results, "period", "binary", binary), own);
	ck_assert_uint_eq(recording_sum(results, "children_period", "binary", binary),
			  with_callees);
}

/* Until a marker tells another mode, callers ran in that of their sample. */
START_TEST(of_another_mode)
{
	static const uint64_t ips[] = {LEAF, CALLER + 1};
	static const uint16_t modes[] = {PERF_RECORD_MISC_USER, PERF_RECORD_MISC_GUEST_USER};
	const uint64_t host = _i == 0 ? 1 : 10, guest = 11 - host;
	struct mkperf *m = new_recording(false);
	struct recording_tables tables;

	put_sample(m, modes[_i], 1, ips, 2);
	put_sample(m, modes[!_i], 10, ips, 2);
	tables = recording_tables_of(m);
	assert_periods(&tables, "/opt/none/leaf", host, host);
	assert_periods(&tables, "/opt/none/caller", 0, host);
	assert_periods(&tables, "[guest]", guest, guest);
	recording_tables_free(&tables);
}
END_TEST

/* A chain that waited is kept in this machine's byte order, the others stay as they are. */
START_TEST(of_the_other_byte_order)
{
	static const uint64_t whole[] = {LEAF, CALLER + 1};
	static const uint64_t waiting[] = {LEAF, __builtin_bswap64(CALLER + 1), USER_DEFERRED, 77};
	static const uint64_t next[] = {USER_DEFERRED, 78};
	struct mkperf *m = new_recording(_i);
	struct recording_tables tables;

	put_sample(m, PERF_RECORD_MISC_USER, 1, whole, 2);
	put_sample(m, PERF_RECORD_MISC_USER, 10, waiting, 4);
	put_sample(m, PERF_RECORD_MISC_USER, 100, next, 2); /* no longer does it wait */
	put_sample(m, PERF_RECORD_MISC_USER, 1000, whole, 2);
	tables = recording_tables_of(m);
	assert_periods(&tables, "/opt/none/leaf", 1111, 1111);
	assert_periods(&tables, "/opt/none/caller", 0, 1001);
	assert_periods(&tables, "[unmapped]", 0, 10);
	recording_tables_free(&tables);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stack");
	TCase *tcase = tcase_create("stack");

	tcase_add_loop_test(tcase, of_another_mode, 0, 2);
	tcase_add_loop_test(tcase, of_the_other_byte_order, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
