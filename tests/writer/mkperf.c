#include "tests/writer/mkperf.h"

#include "tests/writer/mkperf_buffer.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* Sizes of the file format; tools/perf/util/header.h. */
enum {
	ATTR_BYTES_MIN = 64,
	ATTR_BYTES_DEFAULT = 128,
	BUILD_ID_BYTES = 20,
	RECORD_MAX = 65535,
};

enum {
	BUILD_ID_HAS_SIZE = 1 << 15, /* misc of a build id */
	EVENT_UPDATE_NAME = 2,
};

struct mkperf *mkperf_new(const struct mkperf_options *options)
{
	struct mkperf *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	if (options)
		m->options = *options;
	if (!m->options.attr_size)
		m->options.attr_size = ATTR_BYTES_DEFAULT;
	m->failed = m->options.attr_size < ATTR_BYTES_MIN;
	m->data = m->out = &m->streams[0];
	return m;
}

/* ---- putting values ---- */

bool mkperf_buffer_add(struct mkperf_buffer *buffer, const void *bytes, size_t len)
{
	if (len == 0)
		return true;
	if (!array_grow(buffer->bytes, buffer->room, buffer->len + len))
		return false;
	if (bytes)
		memcpy(buffer->bytes + buffer->len, bytes, len);
	else
		memset(buffer->bytes + buffer->len, 0, len);
	buffer->len += len;
	return true;
}

void mkperf_bytes(struct mkperf *m, const void *bytes, size_t len)
{
	if (!mkperf_buffer_add(m->out, bytes, len))
		m->failed = true;
}

void mkperf_u8(struct mkperf *m, uint8_t value)
{
	mkperf_bytes(m, &value, sizeof(value));
}

void mkperf_u16(struct mkperf *m, uint16_t value)
{
	value = m->options.swap ? __builtin_bswap16(value) : value;
	mkperf_bytes(m, &value, sizeof(value));
}

void mkperf_u32(struct mkperf *m, uint32_t value)
{
	value = m->options.swap ? __builtin_bswap32(value) : value;
	mkperf_bytes(m, &value, sizeof(value));
}

void mkperf_u64(struct mkperf *m, uint64_t value)
{
	value = m->options.swap ? __builtin_bswap64(value) : value;
	mkperf_bytes(m, &value, sizeof(value));
}

void mkperf_words(struct mkperf *m, const uint64_t *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		mkperf_u64(m, words ? words[i] : 0);
}

/* Pads what follows @start in the buffer to a multiple of @to bytes. */
static void pad(struct mkperf *m, size_t start, size_t to)
{
	size_t over = (m->out->len - start) % to;

	mkperf_bytes(m, NULL, over ? to - over : 0);
}

void mkperf_string(struct mkperf *m, const char *str)
{
	size_t start = m->out->len;

	mkperf_bytes(m, str, strlen(str) + 1);
	pad(m, start, 8);
}

/* ---- attrs ---- */

static uint8_t reverse_bits(uint8_t byte)
{
	uint8_t reversed = 0;

	for (unsigned bit = 0; bit < 8; bit++)
		reversed = (uint8_t)(reversed | (byte >> bit & 1) << (7 - bit));
	return reversed;
}

/*
 * The flags are a bit-field: a big-endian compiler fills each byte from its top bit down, and a
 * field of two bits (precise_ip, 15 and 16) has its upper bit first.
 */
static void put_flags(struct mkperf *m, uint64_t flags)
{
	const bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint8_t bytes[8];

	if (m->options.swap != host_is_big) {
		uint64_t precise = flags >> 15 & 3;

		flags &= ~(UINT64_C(3) << 15);
		flags |= (precise >> 1 | (precise & 1) << 1) << 15;
	}
	for (unsigned i = 0; i < 8; i++) {
		bytes[i] = (uint8_t)(flags >> (8 * i));
		if (m->options.swap != host_is_big)
			bytes[i] = reverse_bits(bytes[i]);
	}
	mkperf_bytes(m, bytes, sizeof(bytes));
}

void mkperf_attr(struct mkperf *m, const struct mkperf_event *event)
{
	size_t start = m->out->len;

	mkperf_u32(m, event->type);
	mkperf_u32(m, m->options.attr_size);
	mkperf_u64(m, event->config);
	mkperf_u64(m, event->sample_period);
	mkperf_u64(m, event->sample_type);
	mkperf_u64(m, event->read_format);
	put_flags(m, event->flags);
	mkperf_u64(m, 0); /* wakeup_events, bp_type */
	mkperf_u64(m, event->config1);
	mkperf_u64(m, event->config2); /* 64 */
	mkperf_u64(m, event->branch_sample_type);
	mkperf_u64(m, event->sample_regs_user);
	mkperf_u32(m, event->sample_stack_user);
	mkperf_u32(m, (uint32_t)event->clockid);
	mkperf_u64(m, event->sample_regs_intr); /* 96 */
	mkperf_u32(m, 0);			/* aux_watermark */
	mkperf_u16(m, event->sample_max_stack);
	mkperf_u16(m, 0);
	mkperf_bytes(m, NULL, 16); /* aux_sample_size, aux_action, sig_data: 112 */
	mkperf_u64(m, event->config3);
	if (m->failed)
		return;
	if (m->out->len - start > m->options.attr_size)
		m->out->len = start + m->options.attr_size;
	else
		mkperf_bytes(m, NULL, m->options.attr_size - (m->out->len - start));
}

/* ---- records ---- */

void mkperf_begin(struct mkperf *m, uint32_t type, uint16_t misc)
{
	m->out = m->data;
	m->begun = m->data->len;
	mkperf_u32(m, type);
	mkperf_u16(m, misc);
	mkperf_u16(m, 0); /* the size, known at the end */
}

void mkperf_end(struct mkperf *m)
{
	size_t len = m->data->len - m->begun;
	uint16_t size = (uint16_t)len;

	if (len > RECORD_MAX)
		m->failed = true;
	if (m->failed)
		return;
	size = m->options.swap ? __builtin_bswap16(size) : size;
	memcpy(m->data->bytes + m->begun + 6, &size, sizeof(size));
}

void mkperf_record(struct mkperf *m, uint32_t type, uint16_t misc, const void *body, size_t len)
{
	mkperf_begin(m, type, misc);
	mkperf_bytes(m, body, len);
	mkperf_end(m);
}

void mkperf_payload(struct mkperf *m, const void *bytes, size_t len)
{
	mkperf_bytes(m, bytes, len);
}

void mkperf_stream(struct mkperf *m, unsigned number)
{
	if (number >= MKPERF_STREAMS) {
		m->failed = true;
		return;
	}
	m->data = m->out = &m->streams[number];
}

void mkperf_join(struct mkperf *m, unsigned lost)
{
	for (unsigned i = 1; i < MKPERF_STREAMS; i++) {
		struct mkperf_buffer *stream = &m->streams[i];

		if (!(lost >> i & 1) &&
		    !mkperf_buffer_add(&m->streams[0], stream->bytes, stream->len))
			m->failed = true;
		free(stream->bytes);
		*stream = (struct mkperf_buffer){0};
	}
	mkperf_stream(m, 0);
}

void mkperf_round(struct mkperf *m)
{
	mkperf_record(m, MKPERF_RECORD_ROUND, 0, NULL, 0);
}

static uint64_t first_id(const struct mkperf_event *event)
{
	return event->nr_ids ? event->ids[0] : 0;
}

/* ---- events ---- */

void mkperf_event_records(struct mkperf *m, const struct mkperf_event *event)
{
	mkperf_begin(m, MKPERF_RECORD_ATTR, 0);
	mkperf_attr(m, event);
	mkperf_words(m, event->ids, event->nr_ids);
	mkperf_end(m);
	if (!event->name)
		return;
	mkperf_begin(m, MKPERF_RECORD_EVENT_UPDATE, 0);
	mkperf_u64(m, EVENT_UPDATE_NAME);
	mkperf_u64(m, first_id(event));
	mkperf_string(m, event->name);
	mkperf_end(m);
}

unsigned mkperf_event(struct mkperf *m, const struct mkperf_event *event)
{
	struct mkperf_event *copy;
	uint64_t *ids = NULL;

	if (!array_grow(m->events, m->events_room, m->nr_events + 1)) {
		m->failed = true;
		return 0;
	}
	copy = &m->events[m->nr_events];
	*copy = *event;
	copy->name = event->name ? strdup(event->name) : NULL;
	if (event->nr_ids)
		ids = malloc(event->nr_ids * sizeof(*ids));
	if (ids)
		memcpy(ids, event->ids, event->nr_ids * sizeof(*ids));
	copy->ids = ids;
	if ((event->nr_ids && !ids) || (event->name && !copy->name))
		m->failed = true;
	if (m->data->len && !m->options.pipe) /* would move the data section */
		m->failed = true;
	m->nr_events++;
	if (m->options.pipe && !m->options.late && !m->failed)
		mkperf_event_records(m, copy);
	return (unsigned)m->nr_events - 1;
}

const struct mkperf_event *mkperf_event_at(const struct mkperf *m, unsigned number)
{
	return &m->events[number];
}

/* ---- features ---- */

/* Begins a record of a pipe that is in place of a feature, or of a part of one. */
static void begin_feature(struct mkperf *m, uint32_t type, uint16_t misc)
{
	if (m->options.late)
		m->data = &m->last;
	mkperf_begin(m, type, misc);
}

static void end_feature(struct mkperf *m)
{
	mkperf_end(m);
	if (m->options.late)
		m->data = &m->streams[0];
}

void mkperf_feature_begin(struct mkperf *m, unsigned bit)
{
	if (m->options.pipe) {
		begin_feature(m, MKPERF_RECORD_FEATURE, 0);
		mkperf_u64(m, bit);
		return;
	}
	m->has_feature[bit] = true;
	m->out = &m->features[bit];
}

void mkperf_feature_end(struct mkperf *m)
{
	if (m->options.pipe)
		end_feature(m);
	m->out = m->data;
}

/* A feature's string: its length with NUL and padding to 64, then as many bytes. */
static void put_feature_string(struct mkperf *m, const char *str)
{
	size_t len = strlen(str) + 1, padded = (len + 63) / 64 * 64;

	mkperf_u32(m, (uint32_t)padded);
	mkperf_bytes(m, str, len);
	mkperf_bytes(m, NULL, padded - len);
}

void mkperf_feature_string(struct mkperf *m, unsigned bit, const char *str)
{
	mkperf_feature_begin(m, bit);
	put_feature_string(m, str);
	mkperf_feature_end(m);
}

void mkperf_tracing(struct mkperf *m, const struct mkperf_tracepoints *systems, uint32_t nr)
{
	mkperf_feature_begin(m, MKPERF_TRACING_DATA);
	mkperf_bytes(m, "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0", 20);
	mkperf_bytes(m, "header_page", 12);
	mkperf_u64(m, 0);
	mkperf_bytes(m, "header_event", 13);
	mkperf_u64(m, 0);
	mkperf_u32(m, 0);
	mkperf_u32(m, nr);
	for (uint32_t i = 0; i < nr; i++) {
		mkperf_bytes(m, systems[i].system, strlen(systems[i].system) + 1);
		mkperf_u32(m, systems[i].nr);
		for (uint32_t number = 0; number < systems[i].nr; number++) {
			const char *format = systems[i].formats[number];

			mkperf_u64(m, strlen(format));
			mkperf_bytes(m, format, strlen(format));
		}
	}
	mkperf_feature_end(m);
}

void mkperf_event_desc(struct mkperf *m)
{
	mkperf_feature_begin(m, MKPERF_EVENT_DESC);
	mkperf_u32(m, (uint32_t)m->nr_events);
	mkperf_u32(m, m->options.attr_size);
	for (size_t i = 0; i < m->nr_events; i++) {
		const struct mkperf_event *event = &m->events[i];

		mkperf_attr(m, event);
		mkperf_u32(m, (uint32_t)event->nr_ids);
		put_feature_string(m, event->name ? event->name : "");
		mkperf_words(m, event->ids, event->nr_ids);
	}
	mkperf_feature_end(m);
}

/* In a file the table is a row of records without a type in the feature's section. */
void mkperf_build_id(struct mkperf *m, uint16_t misc, int32_t pid, const uint8_t *id, uint8_t len,
		     const char *filename)
{
	size_t name_len = (strlen(filename) + 1 + 63) / 64 * 64;

	misc = (uint16_t)(misc | BUILD_ID_HAS_SIZE);
	if (m->options.pipe) {
		begin_feature(m, MKPERF_RECORD_BUILD_ID, misc);
	} else {
		mkperf_feature_begin(m, MKPERF_BUILD_ID);
		mkperf_u32(m, 0);
		mkperf_u16(m, misc);
		mkperf_u16(m, (uint16_t)(36 + name_len));
	}
	mkperf_u32(m, (uint32_t)pid);
	mkperf_bytes(m, id, len);
	mkperf_bytes(m, NULL, (size_t)(BUILD_ID_BYTES - len));
	mkperf_u8(m, len);
	mkperf_bytes(m, NULL, 3);
	mkperf_bytes(m, filename, strlen(filename));
	mkperf_bytes(m, NULL, name_len - strlen(filename));
	if (m->options.pipe)
		end_feature(m);
	else
		mkperf_feature_end(m);
}

void mkperf_free(struct mkperf *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nr_events; i++) {
		free((char *)(uintptr_t)m->events[i].name);
		free((uint64_t *)(uintptr_t)m->events[i].ids);
	}
	free(m->events);
	for (unsigned bit = 0; bit < MKPERF_FEATURE_MAX; bit++)
		free(m->features[bit].bytes);
	for (unsigned i = 0; i < MKPERF_STREAMS; i++)
		free(m->streams[i].bytes);
	free(m->last.bytes);
	free(m->result.bytes);
	free(m);
}
