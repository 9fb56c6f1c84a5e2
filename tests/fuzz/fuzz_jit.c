/*
 * A jitdump that a recording names: its code is put where it lay at the time of each sample, and
 * each sample is in one row. Or it grows while the recording comes through a pipe: its end is read
 * when the recording has ended.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/writer/mkperf.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <unistd.h>

enum {
	/* No process of this machine; that of the dump's name is the number it has for itself. */
	PID = 5000000,
	NR_SAMPLES = 96,
	USE_CLOCKID = 1 << 25,
};

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

static void put_mmap(struct mkperf *m, uint64_t time, uint64_t start, uint64_t len,
		     const char *filename)
{
	const struct mkperf_id at = {.pid = PID, .tid = PID, .time = time};

	mkperf_mmap2(m, &at,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = PID,
					   .tid = PID,
					   .start = start,
					   .len = len,
					   .filename = filename,
					   .prot = 5});
}

/*
 * With the dump found at @time; 0: as soon as that record has come. *@behind is the offset of the
 * next one, in bytes.
 */
static struct mkperf *make_recording(bool pipe, uint64_t time, size_t *behind)
{
	const struct mkperf_id at = {.pid = PID, .tid = PID, .time = time};
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.pipe = pipe});
	char path[PATH_MAX];

	fuzz_check(m);
	snprintf(path, sizeof(path), "%s/jit-1234.dump", fuzz_dir());
	put_event(m);
	mkperf_comm(m, &at, 0, PID, PID, "node");
	put_mmap(m, time, 0x1000, 0x4000, "//anon");
	put_mmap(m, time, 0x10000, 0x1000, path);
	*behind = mkperf_offset(m);
	put_samples(m);
	mkperf_round(m);
	return m;
}

static void replay_file(const uint8_t *data, size_t size)
{
	const struct fuzz_way way = {.update = size & 1 ? NR_SAMPLES / 2 : 0};
	size_t len = 0, behind;
	struct mkperf *m = make_recording(false, 1, &behind);
	const uint8_t *bytes = mkperf_finish(m, &len);

	fuzz_check(bytes);
	fuzz_dir_put("jit-1234.dump", data, size);
	fuzz_check(fuzz_replay_bytes(bytes, len, &way) != 0);
	mkperf_free(m);
}

/* ---- a dump that grows ----------------------------------------------------------------------- */

/* What has not been written yet, and the dump as it is then. */
struct feed {
	const uint8_t *pos, *middle, *end;
	int fd; /* the pipe's end to write to; -1 when all is written */
	const uint8_t *dump;
	size_t dump_size;
};

/* Called when the reader has nothing to read: it has seen half of the dump when more comes. */
static bool feed_more(void *arg, int fd)
{
	struct feed *feed = arg;
	const uint8_t *to = feed->pos < feed->middle ? feed->middle : feed->end;
	const size_t size = (size_t)(to - feed->pos);

	(void)fd;
	if (size) {
		fuzz_dir_put("jit-1234.dump", feed->dump,
			     to == feed->end ? feed->dump_size : feed->dump_size / 2);
		fuzz_check(write(feed->fd, feed->pos, size) == (ssize_t)size);
		feed->pos = to;
	} else if (feed->fd >= 0) {
		close(feed->fd);
		feed->fd = -1;
	}
	return true;
}

static void replay_pipe(const uint8_t *data, size_t size)
{
	size_t len = 0, behind;
	struct mkperf *m = make_recording(true, 0, &behind);
	const uint8_t *bytes = mkperf_finish(m, &len);
	struct feed feed = {bytes, bytes + behind, bytes + len, -1, data, size};
	struct error err = {0};
	struct perffile *file;
	char path[32];
	int ends[2];

	fuzz_check(bytes && pipe2(ends, O_CLOEXEC) == 0);
	feed.fd = ends[1];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	file = perffile_open(path, &err);
	close(ends[0]);
	fuzz_check(file);
	perffile_set_wait(file, feed_more, &feed);
	fuzz_check(fuzz_replay(file, &(struct fuzz_way){0}) != 0);
	fuzz_check(feed.fd < 0);
	perffile_close(file);
	mkperf_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	replay_file(data, size);
	replay_pipe(data, size);
	return 0;
}
