#include "perffile/input/header.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct section read_section(struct span *s)
{
	struct section section;

	section.offset = span_u64(s);
	section.size = span_u64(s);
	return section;
}

static bool is_header_size(uint64_t size)
{
	return size == HEADER_BYTES || size == HEADER_BYTES_OLD || size == HEADER_BYTES_PIPE;
}

/* Whether @s, after magic and size, is a file header: the data starts where the attrs end. */
static bool is_file_header(struct span s)
{
	uint64_t attr_size = span_u64(&s);
	struct section attrs = read_section(&s), data = read_section(&s);

	return attr_size >= ATTR_BYTES_V0 + SECTION_BYTES && attrs.size % attr_size == 0 &&
	       attrs.offset >= HEADER_BYTES && attrs.offset + attrs.size == data.offset;
}

bool header_is_magic(uint64_t magic)
{
	return magic == FORMAT_MAGIC2 || magic == __builtin_bswap64(FORMAT_MAGIC2);
}

bool header_is_any_magic(uint64_t magic)
{
	return header_is_magic(magic) || magic == FORMAT_MAGIC1;
}

/*
 * Finds the byte order and the kind from the first 16 bytes and moves @s behind them. PERFILE2
 * shows the byte order itself. PERFFILE, of perf before 3.9, has the same bytes in both orders, but
 * the header's size is valid in one order only.
 */
static int read_magic(struct header *header, struct span *s, const struct source *source,
		      uint64_t *size, struct error *err)
{
	uint64_t magic = span_u64(s), word = span_u64(s);

	if (!header_is_any_magic(magic))
		return error_at(err, ERROR_FORMAT, 0,
				"%s: is not a perf.data file: neither PERFILE2 nor PERFFILE at "
				"byte 0",
				source->name);
	if (s->failed)
		return error_at(err, ERROR_FORMAT, 8,
				"%s: ends within its header: the header size at byte 8 is missing",
				source->name);
	header->swap = magic == __builtin_bswap64(FORMAT_MAGIC2) ||
		       (magic == FORMAT_MAGIC1 && !is_header_size(word));
	*size = header->swap ? __builtin_bswap64(word) : word;
	s->swap = header->swap;
	if (magic != FORMAT_MAGIC1 && !is_header_size(*size) && is_file_header(*s)) {
		*size = HEADER_BYTES;
		header->bent++;
	}
	header->pipe = *size == HEADER_BYTES_PIPE;
	if (!is_header_size(*size))
		return error_at(err, ERROR_FORMAT, 8,
				"%s: header size %" PRIu64 " at byte 8, expected %d, %d or %d",
				source->name, *size, HEADER_BYTES, HEADER_BYTES_OLD,
				HEADER_BYTES_PIPE);
	return 0;
}

static bool has_feature(const uint64_t *bitmap, unsigned bit)
{
	return bitmap[bit / 64] >> (bit % 64) & 1;
}

/* Whether @bitmap has unknown features: a sign that its words were read in the wrong order. */
static bool is_strange(const uint64_t *bitmap)
{
	return bitmap[0] >> (FEATURE_LAST + 1) != 0 || bitmap[1] != 0 || bitmap[3] != 0;
}

/*
 * The bitmap consists of unsigned longs: 32-bit big-endian perf stored words of 4 bytes, which
 * change places if read as words of 8 bytes. perf always writes HOSTNAME, which shows the right
 * order.
 */
static void read_bitmap(uint64_t *bitmap, struct span *s)
{
	uint64_t halves[HEADER_FEATURE_BITS / 64];

	for (size_t i = 0; i < HEADER_FEATURE_BITS / 64; i++) {
		bitmap[i] = span_u64(s);
		halves[i] = bitmap[i] << 32 | bitmap[i] >> 32;
	}
	if (!s->swap || has_feature(bitmap, FEATURE_HOSTNAME))
		return;
	if (has_feature(halves, FEATURE_HOSTNAME) || (is_strange(bitmap) && !is_strange(halves)))
		memcpy(bitmap, halves, sizeof(halves));
}

unsigned header_nr_features(const struct header *header)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < HEADER_FEATURE_BITS; i++)
		nr += has_feature(header->bitmap, i);
	return nr;
}

/* The table has an entry for each set bit, in ascending order, also of unknown features. */
int header_read_features(struct header *header, uint64_t offset, struct source *source,
			 struct error *err)
{
	struct section table = {0};
	struct span s;
	void *bytes;

	table.offset = offset;
	table.size = (uint64_t)header_nr_features(header) * SECTION_BYTES;
	bytes = section_load(&table, source, header->swap, &s, err);
	if (!bytes)
		return -1;
	for (int i = 0; i < HEADER_FEATURE_BITS; i++) {
		struct section section;

		if (!has_feature(header->bitmap, (unsigned)i))
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

uint64_t header_end(const struct header *header)
{
	const uint64_t table = (uint64_t)header_nr_features(header) * SECTION_BYTES;
	uint64_t end = header->data.offset + header->data.size + table;

	for (int i = 0; i < HEADER_FEATURE_BITS; i++) {
		const struct section *section = &header->features[i];

		if (section->offset + section->size > end)
			end = section->offset + section->size;
	}
	return end;
}

/* perf writes the header when it starts, and again, with the size of the data, when it ends. */
static int check_unfinished(const struct header *header, const struct source *source,
			    struct error *err)
{
	if (header->data.size > 0 ||
	    (header->attrs.size >= header->attr_size && header->data.offset <= source->size))
		return 0;
	return error_set(err, ERROR_FORMAT,
			 "%s: was never closed by its recorder, which ended before it had "
			 "described its events: the %" PRIu64 " bytes cannot be read",
			 source->name, source->size);
}

int header_check(const struct header *header, const struct source *source, struct error *err)
{
	if (header->attr_size == 0)
		return error_at(err, ERROR_FORMAT, 16,
				"%s: attr size 0 at byte 16: the recorder died before it "
				"described its events",
				source->name);
	if (header->attr_size < ATTR_BYTES_V0 + SECTION_BYTES)
		return error_at(err, ERROR_FORMAT, 16,
				"%s: attr size %" PRIu64 " at byte 16, expected %d or more",
				source->name, header->attr_size, ATTR_BYTES_V0 + SECTION_BYTES);
	if (check_unfinished(header, source, err) < 0)
		return -1;
	if (header->attrs.offset >= source->size)
		return error_at(err, ERROR_FORMAT, header->attrs.offset,
				"%s: is truncated: its events should be at byte %" PRIu64
				", but it has only %" PRIu64 " bytes",
				source->name, header->attrs.offset, source->size);
	if (header->attrs.size < header->attr_size)
		return error_at(
			err, ERROR_FORMAT, header->attrs.offset,
			"%s: has no descriptions of its events: the header gives them "
			"%" PRIu64 " bytes at byte %" PRIu64 ", expected %" PRIu64 " or more",
			source->name, header->attrs.size, header->attrs.offset, header->attr_size);
	if (header->data.offset > source->size ||
	    header->data.size > UINT64_MAX - header->data.offset)
		return error_at(err, ERROR_FORMAT, header->data.offset,
				"%s: the data section starts at byte %" PRIu64
				", beyond the end of the file at %" PRIu64,
				source->name, header->data.offset, source->size);
	return 0;
}

/* Reads what follows magic and size in a file's header. */
static int read_file_header(struct header *header, struct span *s, uint64_t size,
			    const struct source *source, struct error *err)
{
	header->attr_size = span_u64(s);
	header->attrs = read_section(s);
	header->data = read_section(s);
	header->event_types = read_section(s);
	if (size == HEADER_BYTES)
		read_bitmap(header->bitmap, s);
	if (!s->failed)
		return 0;
	return error_set(err, ERROR_FORMAT,
			 "%s: ends after %zu bytes, inside the file header of %" PRIu64,
			 source->name, source->head_len, size);
}

int header_read(struct header *header, const struct source *source, struct error *err)
{
	struct span s = span_make(source->head, source->head_len, false);
	uint64_t size = 0;

	*header = (struct header){0};
	if (read_magic(header, &s, source, &size, err) < 0)
		return -1;
	if (!header->pipe)
		return read_file_header(header, &s, size, source, err);
	header->data.offset = HEADER_BYTES_PIPE;
	return 0;
}
