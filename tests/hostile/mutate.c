/*
 * mutate IN OUT SEED: a damaged copy of a recording, the same for the same seed.
 * mutate --cut IN OUT SEED: a copy that is cut off at a random place of its records.
 *
 * Prints one line: what was done, the byte at which, and how many SAMPLE records of IN end before
 * that. IN is a recording in file format and this machine's byte order, whose records lie side by
 * side: compressed ones count as what they are.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEADER_BYTES = 104,
	DATA_OFFSET_AT = 40, /* of the data section's offset and size */
	DATA_SIZE_AT = 48,
	BLOCK_MAX = 4096, /* bytes that are cut out or repeated, */
	BLOCK_PART = 100, /* and so many parts of all there are */
};

struct input {
	uint8_t *bytes;
	size_t len;
	size_t data, data_end; /* where records are */
};

enum kind { FLIP, WORD, SIZE, TYPE, CUT_OUT, REPEAT, TRUNCATE, HEADER, NR_KINDS };

static const char *const kind_names[NR_KINDS] = {"flip",    "word",   "size",	  "type",
						 "cut-out", "repeat", "truncate", "header"};

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *fmt, ...)
{
	va_list args;

	fputs("mutate: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t end)
{
	return end ? (size_t)(next_random(state) % end) : 0;
}

static void read_input(struct input *in, const char *path)
{
	FILE *file = fopen(path, "rb");
	uint64_t data, size;
	long len;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (len = ftell(file)) < HEADER_BYTES)
		fail("%s: cannot be read, or is too short", path);
	rewind(file);
	in->len = (size_t)len;
	in->bytes = malloc(in->len + BLOCK_MAX);
	if (!in->bytes || fread(in->bytes, 1, in->len, file) != in->len)
		fail("%s: %s", path, strerror(errno));
	fclose(file);
	memcpy(&data, in->bytes + DATA_OFFSET_AT, sizeof(data));
	memcpy(&size, in->bytes + DATA_SIZE_AT, sizeof(size));
	if (memcmp(in->bytes, "PERFILE2", 8) != 0 || data > in->len || size > in->len - data)
		fail("%s: not a whole recording in file format", path);
	in->data = (size_t)data;
	in->data_end = (size_t)(data + size);
}

static struct perf_event_header record_at(const struct input *in, size_t at)
{
	struct perf_event_header header = {0};

	if (in->data_end - at >= sizeof(header))
		memcpy(&header, in->bytes + at, sizeof(header));
	if (header.size < sizeof(header) || header.size > in->data_end - at)
		fail("no record at byte %zu", at);
	return header;
}

/* SAMPLE records that end at byte @end or before. */
static size_t samples_before(const struct input *in, size_t end)
{
	size_t nr = 0, at = in->data;

	while (at < in->data_end) {
		struct perf_event_header header = record_at(in, at);

		at += header.size;
		if (at > end)
			break;
		nr += header.type == PERF_RECORD_SAMPLE;
	}
	return nr;
}

/* Where a record starts, each with the same probability. */
static size_t random_record(const struct input *in, uint64_t *state)
{
	size_t nr = 0, place = in->data;

	for (size_t at = in->data; at < in->data_end; at += record_at(in, at).size) {
		if (below(state, ++nr) == 0)
			place = at;
	}
	return place;
}

/* What programs stumble over. */
static uint64_t strange_word(uint64_t *state)
{
	static const uint64_t words[] = {
		0,
		1,
		7,
		8,
		UINT64_MAX,
		INT64_MAX,
		UINT32_MAX,
		INT32_MAX,
		UINT16_MAX,
		INT16_MAX,
		0x8000,
		0x80000000,
		1u << 20,
		UINT64_C(1) << 40,
		UINT64_C(1) << 63,
		0x4141414141414141,
	};
	size_t number = below(state, sizeof(words) / sizeof(words[0]) + 2);

	return number < sizeof(words) / sizeof(words[0]) ? words[number] : next_random(state);
}

static void put(struct input *in, size_t at, const void *bytes, size_t len)
{
	if (at + len <= in->len)
		memcpy(in->bytes + at, bytes, len);
}

static void cut_out(struct input *in, size_t at, size_t len)
{
	if (len > in->data_end - at)
		len = in->data_end - at;
	memmove(in->bytes + at, in->bytes + at + len, in->len - at - len);
	in->len -= len;
}

static void repeat(struct input *in, size_t at, size_t len)
{
	if (len > in->data_end - at)
		len = in->data_end - at;
	memmove(in->bytes + at + len, in->bytes + at, in->len - at);
	in->len += len;
}

static size_t block_bytes(const struct input *in, uint64_t *state)
{
	size_t most = (in->data_end - in->data) / BLOCK_PART;

	return 1 + below(state, most < BLOCK_MAX ? most : BLOCK_MAX - 1);
}

/* Damages @in in the way @kind; returns where. */
static size_t mutate(struct input *in, enum kind kind, uint64_t *state)
{
	size_t at = in->data + below(state, in->data_end - in->data);
	uint64_t word = strange_word(state);
	uint16_t size = (uint16_t)(below(state, 2) ? word : next_random(state));
	uint32_t type = (uint32_t)(below(state, 2) ? below(state, 128) : word);

	switch (kind) {
	case FLIP:
		for (size_t i = 0, nr = 1 + below(state, 8); i < nr; i++)
			in->bytes[at + below(state, in->len - at < 64 ? in->len - at : 64)] ^=
				(uint8_t)(1 << below(state, 8));
		break;
	case WORD:
		put(in, at &= ~(size_t)7, &word, sizeof(word));
		break;
	case SIZE:
		at = random_record(in, state);
		put(in, at + 6, &size, sizeof(size));
		break;
	case TYPE:
		at = random_record(in, state);
		put(in, at, &type, sizeof(type));
		break;
	case CUT_OUT:
		cut_out(in, at, block_bytes(in, state));
		break;
	case REPEAT:
		repeat(in, at, block_bytes(in, state));
		break;
	case TRUNCATE:
		in->len = at;
		break;
	default: /* all words of the header but those of the magic and of the features' bits */
		at = 8 + 8 * below(state, 8);
		put(in, at, &word, sizeof(word));
		break;
	}
	return at;
}

int main(int argc, char **argv)
{
	bool cut = argc > 1 && strcmp(argv[1], "--cut") == 0;
	struct input in;
	enum kind kind = TRUNCATE;
	uint64_t state;
	size_t at, nr;
	FILE *out;

	argv += cut;
	argc -= cut;
	if (argc != 4)
		fail("usage: mutate [--cut] IN OUT SEED");
	read_input(&in, argv[1]);
	state = strtoull(argv[3], NULL, 10) * 0x2545f4914f6cdd1d;
	if (!cut)
		kind = (enum kind)below(&state, NR_KINDS);
	nr = samples_before(&in, SIZE_MAX);
	if (kind == TRUNCATE) {
		at = in.data + below(&state, in.data_end - in.data);
		nr = samples_before(&in, at);
		in.len = at;
	} else {
		at = mutate(&in, kind, &state);
	}
	out = fopen(argv[2], "wb");
	if (!out || fwrite(in.bytes, 1, in.len, out) != in.len || fclose(out) != 0)
		fail("%s: %s", argv[2], strerror(errno));
	free(in.bytes);
	printf("%s %zu %zu\n", kind_names[kind], at, nr);
	return 0;
}
