/*
 * repeat [-r] IN OUT TIMES: a recording TIMES as long, for the benchmarks; -r: without
 * FINISHED_ROUNDs, so that all of it is to be sorted at once.
 *
 * The data section's records that carry a time are written TIMES over, each repetition later by
 * the recording's duration; FINISHED_ROUNDs stay where they are among them; what has no time
 * (records that perf synthesized) is written once. Processes start, map files and end again in
 * each repetition, so the answers are those of IN with every count multiplied.
 *
 * Reads what perf record writes here: file format, this machine's byte order, sample_id_all.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FIRST_USER_TYPE = 64,
	FINISHED_ROUND = 68,
	AUXTRACE = 71,
	COMPRESSED = 81,
	COMPRESSED2 = 83,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_BITS = 256,
	IDS_SECTION_BYTES = 16,
};

struct section {
	uint64_t offset, size; /* bytes of the file */
};

/* The first 104 bytes of a recording. */
struct file_header {
	uint64_t magic, size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[FEATURE_BITS / 64];
};

/* Where the events keep their time: the same place for all of them. */
struct layout {
	size_t sample_time;  /* bytes from a SAMPLE's start */
	size_t trailer_time; /* bytes back from another record's end */
};

/* The recording, mapped privately: its times may be changed in place. */
struct input {
	const char *path;
	bool no_rounds;
	uint8_t *bytes;
	uint64_t size;
	struct file_header header;
	struct layout layout;
};

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *fmt, ...)
{
	va_list args;

	fputs("repeat: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static void map_input(struct input *in, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		fail("%s: %s", path, strerror(errno));
	in->path = path;
	in->size = (uint64_t)st.st_size;
	if (in->size < sizeof(in->header))
		fail("%s: too short for a recording", path);
	in->bytes = mmap(NULL, in->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (in->bytes == MAP_FAILED)
		fail("%s: %s", path, strerror(errno));
	close(fd);
}

static bool inside(const struct input *in, struct section part)
{
	return part.offset <= in->size && part.size <= in->size - part.offset;
}

static void read_header(struct input *in)
{
	struct file_header *header = &in->header;

	memcpy(header, in->bytes, sizeof(*header));
	if (memcmp(in->bytes, "PERFILE2", 8) != 0 || header->size != sizeof(*header))
		fail("%s: not a recording in file format and this byte order", in->path);
	if (!inside(in, header->attrs) || !inside(in, header->data) || !header->data.size)
		fail("%s: a section lies outside the file", in->path);
	if (header->attrs.offset > header->data.offset)
		fail("%s: events behind the data are not supported", in->path);
	if (header->attr_size < PERF_ATTR_SIZE_VER0 + IDS_SECTION_BYTES)
		fail("%s: attr size %llu", in->path, (unsigned long long)header->attr_size);
}

static struct layout layout_of(uint64_t sample_type)
{
	static const uint64_t before[] = {PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID};
	static const uint64_t after[] = {PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
					 PERF_SAMPLE_IDENTIFIER};
	struct layout layout = {sizeof(struct perf_event_header), sizeof(uint64_t)};

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		layout.sample_time += sample_type & before[i] ? 8 : 0;
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++)
		layout.trailer_time += sample_type & after[i] ? 8 : 0;
	return layout;
}

static void read_layout(struct input *in)
{
	const struct file_header *header = &in->header;
	uint64_t stride = header->attr_size, count = header->attrs.size / stride;

	if (!count)
		fail("%s: no events", in->path);
	for (uint64_t i = 0; i < count; i++) {
		struct perf_event_attr attr = {0};
		uint64_t len = stride - IDS_SECTION_BYTES;
		struct layout layout;

		memcpy(&attr, in->bytes + header->attrs.offset + i * stride,
		       len < sizeof(attr) ? len : sizeof(attr));
		if (!attr.sample_id_all || !(attr.sample_type & PERF_SAMPLE_TIME))
			fail("%s: event %llu records no times", in->path, (unsigned long long)i);
		layout = layout_of(attr.sample_type);
		if (i > 0 && memcmp(&layout, &in->layout, sizeof(layout)) != 0)
			fail("%s: the events keep their time in different places", in->path);
		in->layout = layout;
	}
}

/* The record at @pos of the data section, which ends at @end; exits if it is no whole record. */
static struct perf_event_header record_at(const struct input *in, const uint8_t *pos,
					  const uint8_t *end)
{
	struct perf_event_header rec = {0};

	if ((size_t)(end - pos) >= sizeof(rec))
		memcpy(&rec, pos, sizeof(rec));
	if (rec.size < sizeof(rec) || rec.size > end - pos)
		fail("%s: broken record at byte %td", in->path, pos - in->bytes);
	if (rec.type == AUXTRACE || rec.type == COMPRESSED || rec.type == COMPRESSED2)
		fail("%s: record type %u is not supported", in->path, rec.type);
	return rec;
}

/* Where @rec keeps its time, NULL if it has none; that the time is 0 means none, too. */
static uint8_t *time_place(const struct layout *layout, struct perf_event_header rec, uint8_t *pos)
{
	uint8_t *place = pos + rec.size - layout->trailer_time;
	uint64_t time;

	if (rec.type >= FIRST_USER_TYPE)
		return NULL;
	if (rec.type == PERF_RECORD_SAMPLE)
		place = pos + layout->sample_time;
	if (place < pos + sizeof(rec) || place + sizeof(time) > pos + rec.size)
		return NULL;
	memcpy(&time, place, sizeof(time));
	return time ? place : NULL;
}

/* Where the body of FORK, EXIT, THROTTLE and UNTHROTTLE repeats the time; else NULL. */
static uint8_t *body_time_place(struct perf_event_header rec, uint8_t *pos)
{
	switch (rec.type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return rec.size >= 32 ? pos + 24 : NULL;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return rec.size >= 16 ? pos + 8 : NULL;
	default:
		return NULL;
	}
}

static void shift_time(uint8_t *place, uint64_t by)
{
	uint64_t time;

	if (!place)
		return;
	memcpy(&time, place, sizeof(time));
	time += by;
	memcpy(place, &time, sizeof(time));
}

/* ns from one repetition's first record to the next one's. */
static uint64_t duration(const struct input *in)
{
	uint8_t *pos = in->bytes + in->header.data.offset, *end = pos + in->header.data.size;
	uint64_t first = UINT64_MAX, last = 0;

	while (pos < end) {
		struct perf_event_header rec = record_at(in, pos, end);
		uint8_t *place = time_place(&in->layout, rec, pos);
		uint64_t time;

		if (place) {
			memcpy(&time, place, sizeof(time));
			first = time < first ? time : first;
			last = time > last ? time : last;
		}
		pos += rec.size;
	}
	if (!last)
		fail("%s: no record has a time", in->path);
	return last - first + 1000;
}

static void write_bytes(FILE *out, const void *bytes, size_t len)
{
	if (fwrite(bytes, 1, len, out) != len)
		fail("cannot write: %s", strerror(errno));
}

/* Writes one repetition and leaves the mapped times later by @shift. Returns the bytes written. */
static uint64_t write_records(const struct input *in, FILE *out, bool first, uint64_t shift)
{
	uint8_t *pos = in->bytes + in->header.data.offset, *end = pos + in->header.data.size;
	uint64_t written = 0;

	while (pos < end) {
		struct perf_event_header rec = record_at(in, pos, end);
		uint8_t *place = time_place(&in->layout, rec, pos);

		if (rec.type == FINISHED_ROUND ? !in->no_rounds : first || place) {
			write_bytes(out, pos, rec.size);
			written += rec.size;
		}
		if (place) {
			shift_time(body_time_place(rec, pos), shift);
			shift_time(place, shift);
		}
		pos += rec.size;
	}
	return written;
}

/* Moves the feature sections, which follow the data, by @growth and the last sample's time. */
static void move_features(const struct input *in, uint64_t growth, uint64_t later)
{
	uint64_t table = in->header.data.offset + in->header.data.size;

	for (unsigned bit = 0; bit < FEATURE_BITS; bit++) {
		struct section part;

		if (!(in->header.features[bit / 64] >> (bit % 64) & 1))
			continue;
		if (table + sizeof(part) > in->size)
			fail("%s: the feature table is cut short", in->path);
		memcpy(&part, in->bytes + table, sizeof(part));
		if (bit == FEATURE_SAMPLE_TIME && inside(in, part) && part.size == 16)
			shift_time(in->bytes + part.offset + 8, later);
		if (part.offset >= table)
			part.offset += growth;
		memcpy(in->bytes + table, &part, sizeof(part));
		table += sizeof(part);
	}
}

static void write_repeated(struct input *in, FILE *out, unsigned long times)
{
	struct file_header *header = &in->header;
	uint64_t shift = duration(in), size = 0, data_end = header->data.offset + header->data.size;

	write_bytes(out, in->bytes, header->data.offset);
	for (unsigned long i = 0; i < times; i++)
		size += write_records(in, out, i == 0, shift);
	move_features(in, size - header->data.size, (times - 1) * shift);
	write_bytes(out, in->bytes + data_end, in->size - data_end);
	header->data.size = size;
	if (fseek(out, 0, SEEK_SET) != 0)
		fail("cannot seek: %s", strerror(errno));
	write_bytes(out, header, sizeof(*header));
}

int main(int argc, char **argv)
{
	struct input in = {0};
	unsigned long times;
	FILE *out;

	if (argc > 1 && strcmp(argv[1], "-r") == 0) {
		in.no_rounds = true;
		argv++;
		argc--;
	}
	if (argc != 4 || (times = strtoul(argv[3], NULL, 10)) == 0)
		fail("usage: repeat [-r] IN OUT TIMES");
	map_input(&in, argv[1]);
	read_header(&in);
	read_layout(&in);
	out = fopen(argv[2], "wb");
	if (!out)
		fail("%s: %s", argv[2], strerror(errno));
	write_repeated(&in, out, times);
	if (fclose(out) != 0)
		fail("%s: %s", argv[2], strerror(errno));
	munmap(in.bytes, in.size);
	return 0;
}
