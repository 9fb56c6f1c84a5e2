#include "tests/writer/mkperf_copy.h"

#include <linux/perf_event.h>
#include <string.h>

enum {
	SECTION_BYTES = 16,
	RECORD_HEADER = 8,
	MMAP_BUILD_ID = 1 << 14, /* misc of MMAP2 */
	EVENTS_MAX = 64,
};

/* The fields of a sample up to the raw data. */
#define COPIED_FIELDS ((((uint64_t)PERF_SAMPLE_RAW << 1) - 1) | PERF_SAMPLE_IDENTIFIER)

/* Bytes yet to be copied; a read past their end makes the copy fail. */
struct from {
	const uint8_t *pos, *end;
	bool failed;
};

static uint64_t take(struct from *from, size_t width)
{
	uint64_t value = 0;

	if ((size_t)(from->end - from->pos) < width) {
		from->failed = true;
		from->pos = from->end;
		return 0;
	}
	for (size_t i = 0; i < width; i++)
		((uint8_t *)&value)[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : 8 - width + i] =
			from->pos[i];
	from->pos += width;
	return value;
}

static size_t left(const struct from *from)
{
	return (size_t)(from->end - from->pos);
}

/* The next @len bytes on their own. */
static struct from part(struct from *from, uint64_t len)
{
	struct from taken = *from;

	if (len > left(from)) {
		from->failed = true;
		len = left(from);
	}
	taken.end = taken.pos + len;
	from->pos += len;
	return taken;
}

/* A field of so many bytes, from one byte order to the other. */
static void copy(struct mkperf *m, struct from *from, size_t width)
{
	uint64_t value = take(from, width);

	if (width == 2)
		mkperf_u16(m, (uint16_t)value);
	else if (width == 4)
		mkperf_u32(m, (uint32_t)value);
	else
		mkperf_u64(m, value);
}

/* As it is: text, and what has no byte order. */
static void copy_bytes(struct mkperf *m, struct from *from, uint64_t len)
{
	struct from bytes = part(from, len);

	mkperf_bytes(m, bytes.pos, left(&bytes));
}

/* Fields by @layout: a digit is a width, 'q' is words to the end, 'b' is bytes to the end. */
static void copy_fields(struct mkperf *m, struct from *from, const char *layout)
{
	for (; *layout; layout++) {
		if (*layout == 'b')
			copy_bytes(m, from, left(from));
		else if (*layout == 'q')
			while (left(from) > 0 && !from->failed)
				copy(m, from, 8);
		else
			copy(m, from, (size_t)(*layout - '0'));
	}
}

/* ---- records ---- */

struct copier {
	struct mkperf *m;
	uint64_t sample_type; /* of all events */
	uint64_t flags;
	bool failed;
};

static const struct {
	uint32_t type;
	const char *layout; /* of the body, up to the trailer */
} layouts[] = {
	{PERF_RECORD_MMAP, "44888b"},
	{PERF_RECORD_LOST, "88"},
	{PERF_RECORD_COMM, "44b"},
	{PERF_RECORD_EXIT, "44448"},
	{PERF_RECORD_THROTTLE, "888"},
	{PERF_RECORD_UNTHROTTLE, "888"},
	{PERF_RECORD_FORK, "44448"},
	{PERF_RECORD_READ, "44q"},
	{PERF_RECORD_MMAP2, "44888448844b"},
	{PERF_RECORD_AUX, "888"},
	{PERF_RECORD_ITRACE_START, "44"},
	{PERF_RECORD_LOST_SAMPLES, "8"},
	{PERF_RECORD_SWITCH, ""},
	{PERF_RECORD_SWITCH_CPU_WIDE, "44"},
	{PERF_RECORD_NAMESPACES, "44q"},
	{PERF_RECORD_KSYMBOL, "8422b"},
	{PERF_RECORD_BPF_EVENT, "224b"},
	{PERF_RECORD_CGROUP, "8b"},
	{PERF_RECORD_TEXT_POKE, "822b"},
	{68, ""},    /* FINISHED_ROUND */
	{69, "q"},   /* ID_INDEX */
	{73, "8b"},  /* THREAD_MAP: nobody looks at its entries */
	{74, "b"},   /* CPU_MAP: nor at this */
	{78, "88b"}, /* EVENT_UPDATE */
	{79, "88888b"},
	{82, ""}, /* FINISHED_INIT */
};

static void copy_trailer(struct copier *c, struct from *from)
{
	if (c->sample_type & PERF_SAMPLE_TID)
		copy_fields(c->m, from, "44");
	if (c->sample_type & PERF_SAMPLE_TIME)
		copy(c->m, from, 8);
	if (c->sample_type & PERF_SAMPLE_ID)
		copy(c->m, from, 8);
	if (c->sample_type & PERF_SAMPLE_STREAM_ID)
		copy(c->m, from, 8);
	if (c->sample_type & PERF_SAMPLE_CPU)
		copy_fields(c->m, from, "44");
	if (c->sample_type & PERF_SAMPLE_IDENTIFIER)
		copy(c->m, from, 8);
}

static size_t trailer_bytes(const struct copier *c)
{
	const uint64_t bits = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	if (!(c->flags & MKPERF_ATTR_SAMPLE_ID_ALL))
		return 0;
	return 8 * (size_t)__builtin_popcountll(c->sample_type & bits);
}

static void copy_sample(struct copier *c, struct from *from)
{
	const uint64_t type = c->sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		copy(c->m, from, 8);
	if (type & PERF_SAMPLE_IP)
		copy(c->m, from, 8);
	if (type & PERF_SAMPLE_TID)
		copy_fields(c->m, from, "44");
	if (type & PERF_SAMPLE_TIME)
		copy(c->m, from, 8);
	if (type & PERF_SAMPLE_ADDR)
		copy(c->m, from, 8);
	if (type & PERF_SAMPLE_ID)
		copy(c->m, from, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		copy(c->m, from, 8);
	if (type & PERF_SAMPLE_CPU)
		copy_fields(c->m, from, "44");
	if (type & PERF_SAMPLE_PERIOD)
		copy(c->m, from, 8);
	if (type & PERF_SAMPLE_RAW && type & (PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN))
		c->failed = true;
	copy_fields(c->m, from, type & PERF_SAMPLE_RAW ? "4b" : "q");
}

static void copy_body(struct copier *c, uint32_t type, uint16_t misc, struct from *from)
{
	struct from body = *from;

	if (type == PERF_RECORD_SAMPLE) {
		copy_sample(c, from);
		return;
	}
	if (type < 64)
		body = part(from, left(from) - trailer_bytes(c));
	else
		from->pos = from->end;
	if (type == PERF_RECORD_MMAP2 && misc & MMAP_BUILD_ID) {
		copy_fields(c->m, &body, "44888");
		copy_bytes(c->m, &body, 24);
		copy_fields(c->m, &body, "44b");
	}
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (layouts[i].type != type)
			continue;
		if (left(&body) > 0)
			copy_fields(c->m, &body, layouts[i].layout);
		c->failed = c->failed || body.failed;
		if (type < 64 && trailer_bytes(c))
			copy_trailer(c, from);
		return;
	}
	c->failed = true;
}

static void copy_records(struct copier *c, struct from *from)
{
	while (left(from) > 0 && !c->failed) {
		uint32_t type = (uint32_t)take(from, 4);
		uint16_t misc = (uint16_t)take(from, 2);
		uint64_t size = take(from, 2);
		struct from body;

		if (size < RECORD_HEADER) {
			c->failed = true;
			return;
		}
		body = part(from, size - RECORD_HEADER);
		mkperf_begin(c->m, type, misc);
		copy_body(c, type, misc, &body);
		mkperf_end(c->m);
		c->failed = c->failed || body.failed || from->failed || left(&body) > 0;
	}
}

/* ---- events and features ---- */

/* The recording's own bytes, and where its sections lie. */
struct original {
	struct from whole;
	uint64_t entry, attrs, nr_attrs, data, data_size;
	uint64_t bitmap[4];
};

static struct from at(const struct original *original, uint64_t offset, uint64_t len)
{
	struct from from = original->whole;

	(void)part(&from, offset);
	return part(&from, len);
}

static bool read_header(struct original *original)
{
	struct from from = original->whole;
	uint64_t magic = take(&from, 8), size = take(&from, 8);

	original->entry = take(&from, 8);
	original->attrs = take(&from, 8);
	original->nr_attrs = original->entry ? take(&from, 8) / original->entry : 0;
	original->data = take(&from, 8);
	original->data_size = take(&from, 8);
	(void)part(&from, SECTION_BYTES);
	for (unsigned i = 0; i < 4; i++)
		original->bitmap[i] = take(&from, 8);
	return magic == 0x32454c4946524550 && size == 104 && original->nr_attrs &&
	       original->nr_attrs <= EVENTS_MAX && !from.failed;
}

/* The section of feature @bit; empty if there is none. */
static struct from feature(const struct original *original, unsigned bit)
{
	uint64_t nr = 0, offset;
	struct from table;

	for (unsigned i = 0; i < bit; i++)
		nr += original->bitmap[i / 64] >> (i % 64) & 1;
	if (!(original->bitmap[bit / 64] >> (bit % 64) & 1))
		return (struct from){0};
	table = at(original, original->data + original->data_size + nr * SECTION_BYTES,
		   SECTION_BYTES);
	offset = take(&table, 8);
	return at(original, offset, take(&table, 8));
}

/* The names that EVENT_DESC has, in the events' order. */
static void read_names(const struct original *original, const char *names[EVENTS_MAX])
{
	struct from from = feature(original, MKPERF_EVENT_DESC);
	uint64_t nr = take(&from, 4), attr_size = take(&from, 4);

	for (uint64_t i = 0; i < nr && i < EVENTS_MAX && !from.failed; i++) {
		uint64_t nr_ids;
		struct from name;

		(void)part(&from, attr_size);
		nr_ids = take(&from, 4);
		name = part(&from, take(&from, 4));
		(void)part(&from, nr_ids * 8);
		if (memchr(name.pos, 0, left(&name)))
			names[i] = (const char *)name.pos;
	}
}

static void copy_event(struct copier *c, const struct original *original, uint64_t number,
		       const char *name)
{
	struct from from =
		at(original, original->attrs + number * original->entry, original->entry);
	struct mkperf_event event = {.name = name, .type = (uint32_t)take(&from, 4)};
	uint64_t ids[256], size = take(&from, 4), offset;

	event.config = take(&from, 8);
	event.sample_period = take(&from, 8);
	event.sample_type = take(&from, 8);
	event.read_format = take(&from, 8);
	event.flags = take(&from, 8);
	(void)take(&from, 8); /* wakeup_events, bp_type */
	event.config1 = take(&from, 8);
	from = at(original, original->attrs + number * original->entry + size, SECTION_BYTES);
	offset = take(&from, 8);
	event.nr_ids = take(&from, 8) / 8;
	from = at(original, offset, event.nr_ids * 8);
	for (size_t i = 0; i < event.nr_ids && i < 256; i++)
		ids[i] = take(&from, 8);
	event.ids = ids;
	if (event.nr_ids > 256 || from.failed || (number && event.sample_type != c->sample_type) ||
	    event.sample_type & ~COPIED_FIELDS)
		c->failed = true;
	c->sample_type = event.sample_type;
	c->flags = event.flags;
	if (!c->failed)
		mkperf_event(c->m, &event);
}

static void copy_features(struct copier *c, const struct original *original)
{
	static const unsigned strings[] = {MKPERF_HOSTNAME, MKPERF_OSRELEASE, MKPERF_VERSION,
					   MKPERF_ARCH};
	struct from ids = feature(original, MKPERF_BUILD_ID);

	for (unsigned i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct from from = feature(original, strings[i]);

		if (left(&from) < 5)
			continue;
		mkperf_feature_begin(c->m, strings[i]);
		copy_fields(c->m, &from, "4b");
		mkperf_feature_end(c->m);
	}
	while (left(&ids) > 0 && !ids.failed) {
		uint64_t misc, size, pid;
		struct from entry;

		(void)take(&ids, 4);
		misc = take(&ids, 2);
		size = take(&ids, 2);
		entry = part(&ids, size < RECORD_HEADER ? 0 : size - RECORD_HEADER);
		if (left(&entry) < 30)
			break;
		pid = take(&entry, 4);
		mkperf_build_id(c->m, (uint16_t)misc, (int32_t)pid, entry.pos, 20,
				(const char *)entry.pos + 24);
	}
}

struct mkperf *mkperf_copy(const uint8_t *bytes, size_t len, const struct mkperf_options *options)
{
	struct original original = {.whole = {.pos = bytes, .end = bytes + len}};
	struct copier c = {.m = mkperf_new(options)};
	const char *names[EVENTS_MAX] = {0};
	struct from data;

	if (!c.m || !read_header(&original)) {
		mkperf_free(c.m);
		return NULL;
	}
	read_names(&original, names);
	for (uint64_t i = 0; i < original.nr_attrs; i++)
		copy_event(&c, &original, i, names[i]);
	copy_features(&c, &original);
	mkperf_event_desc(c.m);
	data = at(&original, original.data, original.data_size);
	copy_records(&c, &data);
	if (!c.failed)
		return c.m;
	mkperf_free(c.m);
	return NULL;
}
