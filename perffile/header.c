#include "perffile/header.h"

#include <inttypes.h>
#include <stdlib.h>

static struct section read_section(struct span *s)
{
	struct section section;

	section.offset = span_u64(s);
	section.size = span_u64(s);
	return section;
}

/* Decides byte order and kind by the first 16 bytes; @s stands behind them afterwards. */
static int read_magic(struct header *header, struct span *s, const struct source *source,
		      uint64_t *size, struct error *err)
{
	uint64_t magic = span_u64(s);

	if (magic == __builtin_bswap64(FORMAT_MAGIC2))
		s->swap = true;
	else if (magic == FORMAT_MAGIC1)
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: is a PERFFILE recording of a perf before 3.9, "
				 "which is not read yet",
				 source->name);
	else if (magic != FORMAT_MAGIC2)
		return error_set(err, ERROR_FORMAT,
				 "%s: is not a perf.data file: no PERFILE2 at byte 0",
				 source->name);
	header->swap = s->swap;
	*size = span_u64(s);
	if (s->failed)
		return error_set(err, ERROR_FORMAT,
				 "%s: ends after %" PRIu64 " bytes, inside the file header of %d",
				 source->name, source->size, HEADER_BYTES);
	if (*size == HEADER_BYTES_PIPE)
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: is in perf's pipe format, which is not read yet",
				 source->name);
	if (*size != HEADER_BYTES && *size != HEADER_BYTES_OLD)
		return error_set(err, ERROR_FORMAT,
				 "%s: header size %" PRIu64 " at byte 8, expected %d or %d",
				 source->name, *size, HEADER_BYTES, HEADER_BYTES_OLD);
	return 0;
}

/*
 * The table of feature sections stands right behind the data: an entry for each set bit, in
 * ascending order, known to us or not. A table that is cut off loses features, not records.
 */
static int read_features(struct header *header, const uint64_t *bitmap, const struct source *source,
			 struct error *err)
{
	struct section table = {.offset = header->data.offset + header->data.size};
	struct span s;
	void *bytes;

	for (int i = 0; i < HEADER_FEATURE_BITS; i++)
		table.size += (bitmap[i / 64] >> (i % 64) & 1) ? SECTION_BYTES : 0;
	if (header->data.size == 0 || table.size == 0)
		return 0;
	bytes = section_load(&table, source, header->swap, &s, err);
	if (!bytes)
		return -1;
	for (int i = 0; i < HEADER_FEATURE_BITS; i++) {
		struct section section;

		if (!(bitmap[i / 64] >> (i % 64) & 1))
			continue;
		section = read_section(&s);
		if (s.failed || section.offset > source->size ||
		    section.size > source->size - section.offset)
			header->missing_features++;
		if (!s.failed && section.offset < source->size)
			header->features[i] = section;
	}
	free(bytes);
	return 0;
}

static int check_sections(const struct header *header, const struct source *source,
			  struct error *err)
{
	if (header->attr_size == 0)
		return error_set(err, ERROR_FORMAT,
				 "%s: attr size 0 at byte 16: the recorder died before it wrote "
				 "what the events are",
				 source->name);
	if (header->attr_size < ATTR_BYTES_V0 + SECTION_BYTES)
		return error_set(err, ERROR_FORMAT,
				 "%s: attr size %" PRIu64 " at byte 16, expected %d or more",
				 source->name, header->attr_size, ATTR_BYTES_V0 + SECTION_BYTES);
	if (header->attrs.offset >= source->size || header->attrs.size < header->attr_size)
		return error_set(err, ERROR_FORMAT,
				 "%s: no events: the attrs section at byte %" PRIu64 " has %" PRIu64
				 " bytes, the file %" PRIu64,
				 source->name, header->attrs.offset, header->attrs.size,
				 source->size);
	if (header->data.offset > source->size ||
	    header->data.size > UINT64_MAX - header->data.offset)
		return error_set(err, ERROR_FORMAT,
				 "%s: the data section starts at byte %" PRIu64
				 ", behind the end of the file at %" PRIu64,
				 source->name, header->data.offset, source->size);
	return 0;
}

int header_read(struct header *header, const struct source *source, struct error *err)
{
	uint8_t bytes[HEADER_BYTES];
	uint64_t bitmap[HEADER_FEATURE_BITS / 64] = {0}, size = 0;
	ssize_t got = source_read(source, 0, bytes, sizeof(bytes), err);
	struct span s;

	*header = (struct header){0};
	if (got < 0)
		return -1;
	s = span_make(bytes, (size_t)got, false);
	if (read_magic(header, &s, source, &size, err) < 0)
		return -1;
	header->attr_size = span_u64(&s);
	header->attrs = read_section(&s);
	header->data = read_section(&s);
	(void)read_section(&s); /* event_types: only files of the first perfs use it */
	for (int i = 0; size == HEADER_BYTES && i < HEADER_FEATURE_BITS / 64; i++)
		bitmap[i] = span_u64(&s);
	if (s.failed)
		return error_set(err, ERROR_FORMAT,
				 "%s: ends after %zd bytes, inside the file header of %" PRIu64,
				 source->name, got, size);
	if (check_sections(header, source, err) < 0)
		return -1;
	return read_features(header, bitmap, source, err);
}

void *section_load(const struct section *section, const struct source *source, bool swap,
		   struct span *span, struct error *err)
{
	uint64_t left = section->offset < source->size ? source->size - section->offset : 0;
	uint64_t size = section->size < left ? section->size : left;
	void *bytes = malloc(size ? size : 1);
	ssize_t got;

	if (!bytes) {
		error_nomem(err, "reading a section of the recording");
		return NULL;
	}
	got = source_read(source, section->offset, bytes, size, err);
	if (got < 0) {
		free(bytes);
		return NULL;
	}
	*span = span_make(bytes, (size_t)got, swap);
	return bytes;
}
