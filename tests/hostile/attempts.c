/*
 * attempts NAME SIZE: writes the attempt of that name into the working directory and prints the
 * arguments with which readperf is to be called there.
 * attempts --list: the names, each with what it is.
 */
#include "tests/hostile/attempts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "attempts: %s: %s\n", what, why);
	exit(1);
}

struct mkperf *attempt_new(int kind)
{
	static const uint64_t id = 1;
	const struct mkperf_options options = {
		.packing.type = kind == ATTEMPT_PACKED ? MKPERF_RECORD_COMPRESSED : 0};
	struct mkperf *m = mkperf_new(&options);

	if (!m)
		fail("perf.data", "no memory");
	mkperf_event(m, &(struct mkperf_event){
				.type = 1, /* software: cpu-clock */
				.sample_period = 1000,
				/* IP, TID, TIME, CPU, ID; CALLCHAIN */
				.sample_type = 0xc7 | (kind == ATTEMPT_CHAINS ? 0x20 : 0),
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.ids = &id,
				.nr_ids = 1,
			});
	return m;
}

void attempt_save(struct mkperf *m)
{
	if (!mkperf_save(m, "perf.data"))
		fail("perf.data", "cannot be written");
	mkperf_free(m);
}

void *attempt_open(const char *name)
{
	FILE *file = fopen(name, "w");

	if (!file)
		fail(name, strerror(errno));
	return file;
}

struct mkperf_id attempt_at(uint64_t time)
{
	return (struct mkperf_id){.time = time};
}

void attempt_sample(struct mkperf *m, uint32_t pid, uint64_t ip, uint64_t time)
{
	mkperf_sample(m, &(struct mkperf_sample){
				 .misc = 2, .pid = pid, .tid = pid, .ip = ip, .time = time});
}

void attempt_map(struct mkperf *m, uint32_t pid, uint64_t start, uint64_t len, const char *file,
		 uint64_t time)
{
	const struct mkperf_id at = attempt_at(time);

	mkperf_mmap(m, &at,
		    &(struct mkperf_mmap){.misc = 2,
					  .pid = pid,
					  .tid = pid,
					  .start = start,
					  .len = len,
					  .filename = file});
}

static const struct attempt *const lists[] = {attempts_processes, attempts_records,
					      attempts_symbols};

static void print_list(void)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (const struct attempt *at = lists[i]; at->name; at++)
			printf("%s\t%s\n", at->name, at->about);
}

static const struct attempt *find(const char *name)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (const struct attempt *at = lists[i]; at->name; at++)
			if (strcmp(at->name, name) == 0)
				return at;
	fail(name, "is no attempt");
	return NULL;
}

int main(int argc, char **argv)
{
	const struct attempt *attempt;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		print_list();
		return 0;
	}
	if (argc != 3)
		fail("usage", "attempts NAME SIZE, attempts --list");
	attempt = find(argv[1]);
	attempt->write((uint32_t)strtoul(argv[2], NULL, 10));
	puts(attempt->args);
	return 0;
}
