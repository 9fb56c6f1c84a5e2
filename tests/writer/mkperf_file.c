/* The recording as a whole: header, sections, files. */
#include "tests/writer/mkperf_buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Sizes of the file format; tools/perf/util/header.h. */
enum {
	FILE_HEADER_BYTES = 104,
	PIPE_HEADER_BYTES = 16,
	SECTION_ENTRY_BYTES = 16,
	EVENT_TYPE_NAME_BYTES = 64,
	EVENT_TYPE_BYTES = 8 + EVENT_TYPE_NAME_BYTES,
};

static const uint64_t magic = 0x32454c4946524550; /* PERFILE2 */
static const char magic_v1[] = "PERFFILE";	  /* in both byte orders */

/* Bytes of the section that has the names in a PERFFILE. */
static uint64_t event_types_size(const struct mkperf *m)
{
	uint64_t size = 0;

	for (size_t i = 0; i < m->nr_events && m->options.v1; i++)
		size += m->events[i].name ? EVENT_TYPE_BYTES : 0;
	return size;
}

uint64_t mkperf_offset(const struct mkperf *m)
{
	uint64_t offset = FILE_HEADER_BYTES;

	if (m->options.pipe)
		return PIPE_HEADER_BYTES + m->data->len;
	for (size_t i = 0; i < m->nr_events; i++)
		offset += m->events[i].nr_ids * 8 + m->options.attr_size + m->options.attr_padding +
			  SECTION_ENTRY_BYTES;
	return offset + event_types_size(m) + m->data->len;
}

/* The features that are there, in words of as many bits as the writer's unsigned long has. */
static void put_bitmap(struct mkperf *m)
{
	const unsigned bits_per_word = m->options.long32 ? 32 : 64;

	for (unsigned first = 0; first < MKPERF_FEATURE_MAX; first += bits_per_word) {
		uint64_t bits = 0;

		for (unsigned bit = 0; bit < bits_per_word && !m->options.unfinished; bit++)
			bits |= (uint64_t)m->has_feature[first + bit] << bit;
		if (m->options.long32)
			mkperf_u32(m, (uint32_t)bits);
		else
			mkperf_u64(m, bits);
	}
}

static void put_file_header(struct mkperf *m, uint64_t attrs_offset, uint64_t data_offset,
			    uint64_t data_size)
{
	uint64_t entry = m->options.attr_size + m->options.attr_padding + SECTION_ENTRY_BYTES;
	uint64_t types_size = event_types_size(m);

	if (m->options.v1)
		mkperf_bytes(m, magic_v1, sizeof(magic_v1) - 1);
	else
		mkperf_u64(m, magic);
	mkperf_u64(m, FILE_HEADER_BYTES);
	mkperf_u64(m, entry);
	mkperf_u64(m, attrs_offset);
	mkperf_u64(m, entry * m->nr_events);
	mkperf_u64(m, data_offset);
	mkperf_u64(m, m->options.unfinished ? 0 : data_size);
	mkperf_u64(m, types_size ? data_offset - types_size : 0);
	mkperf_u64(m, types_size);
	put_bitmap(m);
}

/* A PERFFILE's names: {u64 config, char name[64]}. */
static void put_event_types(struct mkperf *m)
{
	for (size_t i = 0; i < m->nr_events && m->options.v1; i++) {
		const struct mkperf_event *event = &m->events[i];
		size_t len = event->name ? strlen(event->name) : 0;

		if (!event->name)
			continue;
		if (len >= EVENT_TYPE_NAME_BYTES)
			m->failed = true;
		mkperf_u64(m, event->config);
		mkperf_bytes(m, event->name, len);
		mkperf_bytes(m, NULL, EVENT_TYPE_NAME_BYTES - len % EVENT_TYPE_NAME_BYTES);
	}
}

/* The ids of all events, then the attrs, each with the place of its ids. */
static void put_events(struct mkperf *m)
{
	uint64_t ids_offset = m->out->len;

	for (size_t i = 0; i < m->nr_events; i++)
		mkperf_words(m, m->events[i].ids, m->events[i].nr_ids);
	for (size_t i = 0; i < m->nr_events; i++) {
		mkperf_attr(m, &m->events[i]);
		for (uint32_t k = 0; k < m->options.attr_padding; k++)
			mkperf_u8(m, 0xff); /* to be seen if it is taken for the attr's */
		mkperf_u64(m, ids_offset);
		mkperf_u64(m, m->events[i].nr_ids * 8);
		ids_offset += m->events[i].nr_ids * 8;
	}
}

/* Behind the data: a table with a section for each feature, then the sections. */
static void put_features(struct mkperf *m)
{
	uint64_t offset = m->out->len;

	for (unsigned bit = 0; bit < MKPERF_FEATURE_MAX; bit++)
		offset += m->has_feature[bit] ? SECTION_ENTRY_BYTES : 0;
	for (unsigned bit = 0; bit < MKPERF_FEATURE_MAX; bit++) {
		if (!m->has_feature[bit])
			continue;
		mkperf_u64(m, offset);
		mkperf_u64(m, m->features[bit].len);
		offset += m->features[bit].len;
	}
	for (unsigned bit = 0; bit < MKPERF_FEATURE_MAX; bit++)
		mkperf_bytes(m, m->features[bit].bytes, m->features[bit].len);
}

static void put_file(struct mkperf *m, const struct mkperf_buffer *data)
{
	uint64_t nr_ids = 0;

	for (size_t i = 0; i < m->nr_events; i++)
		nr_ids += m->events[i].nr_ids;
	m->data = &m->streams[0];
	put_file_header(m, FILE_HEADER_BYTES + nr_ids * 8, mkperf_offset(m) - m->data->len,
			data->len);
	put_events(m);
	put_event_types(m);
	mkperf_bytes(m, data->bytes, data->len);
	if (!m->options.unfinished)
		put_features(m);
}

static void put_pipe(struct mkperf *m, const struct mkperf_buffer *data)
{
	mkperf_u64(m, magic);
	mkperf_u64(m, PIPE_HEADER_BYTES);
	mkperf_bytes(m, data->bytes, data->len);
}

/* Packs the records of each stream in their place. */
static void pack_streams(struct mkperf *m)
{
	for (unsigned i = 0; i < MKPERF_STREAMS && m->options.packing.type; i++) {
		struct mkperf_buffer packed = {0};

		if (!mkperf_pack(&packed, &m->streams[i], &m->options.packing, m->options.swap))
			m->failed = true;
		free(m->streams[i].bytes);
		m->streams[i] = packed;
	}
}

/* What a pipe says of itself, behind all other records. */
static void put_last(struct mkperf *m)
{
	for (size_t i = 0; i < m->nr_events; i++)
		mkperf_event_records(m, &m->events[i]);
	m->out = m->data;
	mkperf_bytes(m, m->last.bytes, m->last.len);
}

const uint8_t *mkperf_finish(struct mkperf *m, size_t *len)
{
	if (!m->result.len && !m->failed) {
		if (m->options.pipe && m->options.late)
			put_last(m);
		pack_streams(m);
		m->out = &m->result;
		if (m->options.pipe)
			put_pipe(m, &m->streams[0]);
		else
			put_file(m, &m->streams[0]);
	}
	if (m->failed)
		return NULL;
	*len = m->result.len;
	return m->result.bytes;
}

static bool write_file(const char *path, const uint8_t *bytes, size_t len)
{
	FILE *file = fopen(path, "w");
	bool written;

	if (!file)
		return false;
	written = len == 0 || fwrite(bytes, 1, len, file) == len;
	return fclose(file) == 0 && written;
}

bool mkperf_save_cut(struct mkperf *m, const char *path, size_t len)
{
	size_t whole;
	const uint8_t *bytes = mkperf_finish(m, &whole);

	return bytes && write_file(path, bytes, len < whole ? len : whole);
}

bool mkperf_save(struct mkperf *m, const char *path)
{
	return mkperf_save_cut(m, path, SIZE_MAX);
}

bool mkperf_save_directory(struct mkperf *m, const char *path)
{
	char name[4096];
	bool ok = mkdir(path, 0777) == 0;
	unsigned nr = MKPERF_STREAMS;

	snprintf(name, sizeof(name), "%s/data", path);
	ok = ok && mkperf_save(m, name);
	while (nr > 1 && m->streams[nr - 1].len == 0)
		nr--;
	for (unsigned i = 1; i < nr && ok; i++) {
		snprintf(name, sizeof(name), "%s/data.%u", path, i - 1);
		ok = write_file(name, m->streams[i].bytes, m->streams[i].len);
	}
	return ok;
}
