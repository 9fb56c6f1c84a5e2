#include "tests/recording.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct perffile *recording_open_bytes(const void *bytes, size_t len, struct error *err)
{
	char path[] = "recording-XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	struct perffile *file;

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, len, out), len);
	ck_assert_int_eq(fclose(out), 0);
	file = perffile_open(path, err);
	unlink(path);
	return file;
}

struct perffile *recording_open(struct mkperf *m)
{
	struct error err = {0};
	size_t len = 0;
	const uint8_t *bytes = mkperf_finish(m, &len);
	struct perffile *file;

	ck_assert_ptr_nonnull(bytes);
	file = recording_open_bytes(bytes, len, &err);
	ck_assert_msg(file, "%s", err.text);
	mkperf_free(m);
	return file;
}

const struct record *recording_next(struct perffile *file)
{
	struct error err = {0};
	const struct record *rec = NULL;
	int rc = perffile_next(file, &rec, &err);

	ck_assert_msg(rc >= 0, "%s", err.text);
	return rc ? rec : NULL;
}

const struct record *recording_next_kernel(struct perffile *file)
{
	const struct record *rec;

	do
		rec = recording_next(file);
	while (rec && rec->type == RECORD_FINISHED_ROUND);
	return rec;
}

size_t recording_drain(struct perffile *file)
{
	size_t nr = 0;

	while (recording_next(file))
		nr++;
	return nr;
}

uint64_t recording_ip(const struct record_sample *sample, size_t number)
{
	struct span ips = sample->callchain.ips;
	uint64_t ip;

	span_skip(&ips, 8 * number);
	ip = span_u64(&ips);
	ck_assert(!ips.failed);
	return ip;
}
