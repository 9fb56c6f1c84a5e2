/*
 * The map of a process that generates code, /tmp/perf-PID.map, as a recording leads to it: found
 * below a directory for all recorded paths, or below one for the process, where under another
 * number it is the only one. The answers are the same, and each sample is in one row.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/writer/mkperf.h"

#include <linux/perf_event.h>

enum {
	/* No process has a number as high: neither it nor a map of it is on this machine. */
	PID = 5000000,
	NR_SAMPLES = 96,
};

static void put_event(struct mkperf *m)
{
	static const uint64_t id = 100;

	mkperf_event(m, &(struct mkperf_event){
				.name = "cpu-clock",
				.type = PERF_TYPE_SOFTWARE,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.ids = &id,
				.nr_ids = 1,
			});
	mkperf_event_desc(m);
}

static void put_mmap(struct mkperf *m, uint64_t start, uint64_t len, const char *filename)
{
	const struct mkperf_id at = {.pid = PID, .tid = PID, .time = 1};

	mkperf_mmap2(m, &at,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = PID,
					   .tid = PID,
					   .start = start,
					   .len = len,
					   .filename = filename,
					   .prot = 5});
}

/* Where the maps in the corpus have their code, and elsewhere. */
static void put_samples(struct mkperf *m)
{
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		const uint64_t ips[] = {PERF_CONTEXT_USER, 0x7f52a000 + i * 96 % 0x1000, 0x10 + i,
					0xffffff00 + i};

		mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
							 .pid = PID,
							 .tid = PID,
							 .time = 2 + i,
							 .ip = ips[1 + i % 3],
							 .period = 1,
							 .ips = ips,
							 .nr_ips = 4});
	}
}

/* A process with code in anonymous memory and, mapped twice, in a file in memory. */
static struct mkperf *make_recording(void)
{
	const struct mkperf_id at = {.pid = PID, .tid = PID, .time = 1};
	struct mkperf *m = mkperf_new(NULL);

	fuzz_check(m);
	put_event(m);
	mkperf_comm(m, &at, PERF_RECORD_MISC_COMM_EXEC, PID, PID, "node");
	put_mmap(m, 0x400000, 0x1000, "/opt/none/node");
	put_mmap(m, 0, 0x1000, "//anon");
	put_mmap(m, 0x7f52a000, 0x800, "//anon");
	put_mmap(m, 0x7f52a800, 0x800, "/memfd:doublemapper (deleted)");
	put_mmap(m, 0xffffff00, 0x1000, "[anon:JIT]");
	put_samples(m);
	return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char only[PATH_MAX];
	/* The map is the one with the process's own number, or the only one. */
	struct given_root root = {PID, size & 1 ? only : fuzz_dir()};
	const struct given_roots roots = {.list = &root, .nr = 1};
	const struct fuzz_way all = {.symfs = fuzz_dir()};
	const struct fuzz_way below = {.roots = &roots, .update = NR_SAMPLES / 2};
	struct mkperf *m = make_recording();
	size_t len = 0;
	const uint8_t *bytes = mkperf_finish(m, &len);
	uint64_t digest;

	fuzz_check(bytes);
	snprintf(only, sizeof(only), "%s/only", fuzz_dir());
	fuzz_dir_make("tmp");
	fuzz_dir_make("only");
	fuzz_dir_make("only/tmp");
	fuzz_dir_put("tmp/perf-5000000.map", data, size);
	fuzz_dir_put("only/tmp/perf-7.map", data, size);
	digest = fuzz_replay_bytes(bytes, len, &all);
	fuzz_check(digest != 0);
	fuzz_check(fuzz_replay_bytes(bytes, len, &below) == digest);
	mkperf_free(m);
	return 0;
}
