/*
 * fleet DIR NUMBER RECORDING...: writes so many recordings into DIR/0, DIR/1, ..., which stand for
 * versions of a program. Each is one of the given recordings, which perf has made, changed in
 * place: on one of some hosts with one of some kernels, on some day, its samples with periods of
 * their own, or those of tracepoints with times.
 *
 * What changes depends on the version, or on the kernel, and on chance. The same numbers give the
 * same bytes.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	VERSIONS = 10,
	HOSTS = 40,
	KERNELS = 3,
	DAYS = 90,
	HEADER = 104, /* bytes of a file's header */
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FIRST_DAY = 1700006400, /* seconds since 1970 */
};

struct recording {
	uint8_t *bytes;
	size_t len;
};

static void fail(const char *what)
{
	fprintf(stderr, "fleet: %s\n", what);
	exit(1);
}

static uint64_t mix(uint64_t z)
{
	z += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t word(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static struct recording read_recording(const char *path)
{
	FILE *in = fopen(path, "rb");
	struct recording recording = {0};
	struct stat st;

	if (!in || fstat(fileno(in), &st) < 0)
		fail(path);
	recording.len = (size_t)st.st_size;
	recording.bytes = malloc(recording.len);
	if (recording.len < HEADER || !recording.bytes ||
	    fread(recording.bytes, 1, recording.len, in) != recording.len)
		fail(path);
	fclose(in);
	return recording;
}

/* Puts @len bytes where feature @number, a string, is: there is room, perf pads it to 64 bytes. */
static void set_feature(struct recording *copy, unsigned number, const char *text, size_t len)
{
	const uint64_t data = word(copy->bytes + 40), size = word(copy->bytes + 48),
		       bits = word(copy->bytes + 72);
	uint64_t section = data + size, at;

	if (!(bits & UINT64_C(1) << number))
		return;
	for (unsigned i = 0; i < number; i++)
		section += bits >> i & 1 ? 16 : 0;
	at = word(copy->bytes + section) + 4;
	memcpy(copy->bytes + at, text, len);
}

/* Where fields of samples of @type are, bytes from the record's start. */
struct fields {
	size_t ip, time, period;
};

/* Returns false if one of them is not there. */
static bool find_fields(uint64_t type, struct fields *fields)
{
	static const uint64_t wanted = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	static const uint64_t between[] = {PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
					   PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU};

	fields->ip = type & PERF_SAMPLE_IDENTIFIER ? 16 : 8;
	fields->time = fields->ip + (type & PERF_SAMPLE_TID ? 16 : 8);
	fields->period = fields->time;
	for (size_t i = 0; i < sizeof(between) / sizeof(between[0]); i++)
		fields->period += type & between[i] ? 8 : 0;
	return (type & wanted) == wanted;
}

static void put_word(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* From a quarter to double what it was: by version and function, and by chance in each run. */
static void vary_period(uint8_t *record, const struct fields *fields, uint64_t run)
{
	const uint64_t was = word(record + fields->period), ip = word(record + fields->ip),
		       by_function = mix(ip >> 7 ^ run % VERSIONS << 48) % 100,
		       by_chance = mix(run ^ ip) % 75;

	put_word(record + fields->period, was / 4 + was * (by_function + by_chance) / 100);
}

/* Waits are longer, by kernel and by chance. */
static void vary_time(uint8_t *record, const struct fields *fields, uint64_t first, uint64_t run)
{
	const uint64_t since = word(record + fields->time) - first,
		       percent = 100 + mix(run) % HOSTS % KERNELS * 10 + mix(run + 1) % 20;

	put_word(record + fields->time, first + since * percent / 100);
}

static void vary_samples(struct recording *copy, uint64_t run)
{
	const uint64_t type = word(copy->bytes + word(copy->bytes + 24) + 24);
	uint8_t *at = copy->bytes + word(copy->bytes + 40), *end = at + word(copy->bytes + 48);
	struct fields fields;
	uint64_t first = 0;

	if (!find_fields(type, &fields))
		return;
	while (at + 8 <= end && word(at) >> 48 >= 8) {
		if ((uint32_t)word(at) == PERF_RECORD_SAMPLE) {
			first = first ? first : word(at + fields.time);
			if (type & PERF_SAMPLE_RAW)
				vary_time(at, &fields, first, run);
			else
				vary_period(at, &fields, run);
		}
		at += word(at) >> 48;
	}
}

/* The number behind the host's name, which nobody reads, makes each recording another one. */
static void set_host(struct recording *copy, uint64_t run)
{
	const uint64_t host = mix(run) % HOSTS;
	char name[64] = "";

	snprintf(name, sizeof(name), "host-%02u", (unsigned)host);
	snprintf(name + 8, sizeof(name) - 8, "%u", (unsigned)run);
	set_feature(copy, FEATURE_HOSTNAME, name, 40);
	snprintf(name, sizeof(name), "6.%u.0", (unsigned)(host % KERNELS * 6 + 1));
	set_feature(copy, FEATURE_OSRELEASE, name, strlen(name) + 1);
}

static void write_run(const char *dir, uint64_t run, const struct recording *of)
{
	struct recording copy = {malloc(of->len), of->len};
	const struct timespec day = {.tv_sec = FIRST_DAY + (time_t)(mix(run + 7) % DAYS) * 86400};
	char path[4096];
	FILE *out;

	if (!copy.bytes)
		fail("no memory");
	memcpy(copy.bytes, of->bytes, of->len);
	set_host(&copy, run);
	vary_samples(&copy, run);
	snprintf(path, sizeof(path), "%s/%u", dir, (unsigned)(run % VERSIONS));
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%u/%06u.data", dir, (unsigned)(run % VERSIONS),
		 (unsigned)run);
	out = fopen(path, "wb");
	if (!out || fwrite(copy.bytes, 1, copy.len, out) != copy.len || fclose(out) != 0 ||
	    utimensat(AT_FDCWD, path, (struct timespec[]){day, day}, 0) < 0)
		fail(path);
	free(copy.bytes);
}

int main(int argc, char **argv)
{
	const uint64_t nr = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
	struct recording recordings[16];
	unsigned nr_recordings = 0;

	if (!nr)
		fail("usage: fleet DIR NUMBER RECORDING...");
	for (int i = 3; i < argc && nr_recordings < 16; i++)
		recordings[nr_recordings++] = read_recording(argv[i]);
	for (uint64_t run = 0; run < nr; run++)
		write_run(argv[1], run, &recordings[run / VERSIONS % nr_recordings]);
	while (nr_recordings)
		free(recordings[--nr_recordings].bytes);
	return 0;
}
