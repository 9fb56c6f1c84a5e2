/*
 * A jitdump that a recording names: its code is put where it lay at the time of each sample, and
 * each sample is in one row.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/mkperf.h"

#include <linux/perf_event.h>

enum { PID = 1234, NR_SAMPLES = 96, USE_CLOCKID = 1 << 25 };

static void put_event(struct mkperf *m)
{
	static const uint64_t id = 100;

	mkperf_event(m, &(struct mkperf_event){
				.name = "cpu-clock",
				.type = PERF_TYPE_SOFTWARE,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL | USE_CLOCKID,
				.clockid = 1, /* CLOCK_MONOTONIC, that of jitdumps */
				.ids = &id,
				.nr_ids = 1,
			});
	mkperf_event_desc(m);
}

/* Where the dumps in the corpus have their code, in a few rounds. */
static void put_samples(struct mkperf *m)
{
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		const uint64_t ips[] = {PERF_CONTEXT_USER, 0x1000 + i * 96 % 0x3000, 0x1008,
					0x3004};

		mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
							 .pid = PID,
							 .tid = PID,
							 .time = 2 + i / 4,
							 .ip = ips[1],
							 .period = 1,
							 .ips = ips,
							 .nr_ips = 4});
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mkperf_id at = {.pid = PID, .tid = PID, .time = 1};
	const struct fuzz_way way = {.update = size & 1 ? NR_SAMPLES / 2 : 0};
	struct mkperf *m = mkperf_new(NULL);
	char path[PATH_MAX];
	const uint8_t *bytes;
	size_t len = 0;

	fuzz_check(m);
	fuzz_dir_put("jit-1234.dump", data, size);
	snprintf(path, sizeof(path), "%s/jit-1234.dump", fuzz_dir());
	put_event(m);
	mkperf_comm(m, &at, 0, PID, PID, "node");
	mkperf_mmap2(m, &at,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = PID,
					   .tid = PID,
					   .start = 0x10000,
					   .len = 0x1000,
					   .filename = path,
					   .prot = 5});
	put_samples(m);
	bytes = mkperf_finish(m, &len);
	fuzz_check(bytes);
	fuzz_check(fuzz_replay_bytes(bytes, len, &way) != 0);
	mkperf_free(m);
	return 0;
}
