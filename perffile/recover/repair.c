#include "perffile/recover/repair.h"

#include "perffile/feature/feature.h"

#include <stdlib.h>
#include <string.h>

enum {
	ATTR_BYTES_MAX = 4096, /* far more than any kernel's */
	TABLE_SCAN_BYTES = 64 << 20,
	CHUNK_BYTES = 256 * 1024,
	LOOK_BYTES = 4096,
};

/* Reads @len bytes at @offset. Returns false unless it could read them all. */
static bool read_at(struct source *source, uint64_t offset, void *to, size_t len)
{
	return offset <= source->size && len <= source->size - offset &&
	       source_read(source, offset, to, len, NULL) == (ssize_t)len;
}

static bool is_inside(const struct section *section, const struct source *source)
{
	return section->offset <= source->size && section->size <= source->size - section->offset;
}

static bool is_attr_size(uint64_t size)
{
	return size >= ATTR_BYTES_V0 && size <= ATTR_BYTES_MAX && size % 8 == 0;
}

/* Returns the size in the attr at @offset, or 0 if it cannot be read. */
static uint64_t attr_size_at(const struct header *header, struct source *source, uint64_t offset)
{
	uint32_t words[2] = {0};
	struct span s = span_make(words, sizeof(words), header->swap);

	if (!read_at(source, offset, words, sizeof(words)))
		return 0;
	(void)span_u32(&s);
	return span_u32(&s);
}

/* Whether an attr and the section of its ids are at @offset, @attr_size bytes in all. */
static bool entry_fits(const struct header *header, struct source *source, uint64_t offset,
		       uint64_t attr_size)
{
	uint64_t size = attr_size_at(header, source, offset);
	uint64_t words[2];
	struct span s = span_make(words, sizeof(words), header->swap);
	struct section ids;

	if (offset < HEADER_BYTES_OLD || !is_attr_size(size) || size + SECTION_BYTES > attr_size ||
	    !read_at(source, offset + attr_size - SECTION_BYTES, words, sizeof(words)))
		return false;
	ids.offset = span_u64(&s);
	ids.size = span_u64(&s);
	return ids.size % sizeof(uint64_t) == 0 && is_inside(&ids, source);
}

static void repair_attr_size(struct header *header, struct source *source)
{
	const uint64_t attr_size =
		attr_size_at(header, source, header->attrs.offset) + SECTION_BYTES;

	if (is_attr_size(header->attr_size - SECTION_BYTES))
		return;
	if (!entry_fits(header, source, header->attrs.offset, attr_size))
		return;
	header->attr_size = attr_size;
	header->bent++;
}

/* Returns how many attrs entries follow each other in [offset, end). */
static uint64_t count_entries(const struct header *header, struct source *source, uint64_t offset,
			      uint64_t end)
{
	uint64_t nr = 0;

	while (nr < EVENTS_MAX && end - offset >= header->attr_size &&
	       entry_fits(header, source, offset, header->attr_size)) {
		offset += header->attr_size;
		nr++;
	}
	return nr;
}

/* The attrs end where the data starts, so their size or their offset follows from the data's. */
static void repair_attrs(struct header *header, struct source *source)
{
	struct section *attrs = &header->attrs;
	const uint64_t data = header->data.offset, size = header->attr_size;

	if (is_inside(attrs, source) && attrs->size >= size && attrs->size % size == 0 &&
	    entry_fits(header, source, attrs->offset, size))
		return;
	if (entry_fits(header, source, attrs->offset, size)) {
		uint64_t end = data > attrs->offset && data <= source->size ? data : source->size;

		attrs->size = size * count_entries(header, source, attrs->offset, end);
		header->bent++;
	} else if (attrs->size >= size && attrs->size < data && attrs->size % size == 0 &&
		   entry_fits(header, source, data - attrs->size, size)) {
		attrs->offset = data - attrs->size;
		header->bent++;
	}
}

static void repair_data(struct header *header, const struct source *source)
{
	const struct section *attrs = &header->attrs;
	struct section *data = &header->data;
	const uint64_t attrs_end = attrs->offset + attrs->size;

	if (!is_inside(attrs, source))
		return;
	if (data->offset > source->size || data->offset < HEADER_BYTES_OLD ||
	    (data->offset >= attrs->offset && data->offset < attrs_end)) {
		data->offset = attrs_end;
		header->bent++;
	}
	if (data->size > UINT64_MAX - data->offset) {
		data->size = source->size - data->offset;
		header->bent++;
	}
}

void repair_sections(struct header *header, struct source *source)
{
	repair_attr_size(header, source);
	if (is_attr_size(header->attr_size - SECTION_BYTES))
		repair_attrs(header, source);
	repair_data(header, source);
}

/*
 * Whether the @nr entries in @s are sections inside the file; @strictly: the first at @next, each
 * other one where the one before ends.
 */
static bool entries_fit(struct source *source, struct span s, unsigned nr, bool strictly,
			uint64_t next)
{
	for (unsigned i = 0; i < nr; i++) {
		struct section section = {.offset = span_u64(&s)};

		section.size = span_u64(&s);
		if (!is_inside(&section, source) || (strictly && section.offset != next))
			return false;
		next = section.offset + section.size;
	}
	return true;
}

/* Whether a table of @nr entries is at @offset; @strictly: its sections follow it directly. */
static bool table_fits(const struct header *header, struct source *source, uint64_t offset,
		       unsigned nr, bool strictly)
{
	uint64_t words[2 * HEADER_FEATURE_BITS];
	const size_t len = (size_t)nr * SECTION_BYTES;

	return read_at(source, offset, words, len) &&
	       entries_fit(source, span_make(words, len, header->swap), nr, strictly, offset + len);
}

/* Returns where in the file the table is that is in the @len bytes from @offset on; 0 if none. */
static uint64_t table_among(const struct header *header, unsigned nr, struct source *source,
			    const uint8_t *bytes, size_t len, uint64_t offset)
{
	const size_t table_len = (size_t)nr * SECTION_BYTES;

	for (size_t at = 0; at + sizeof(uint64_t) <= len; at++) {
		struct span s = span_make(bytes + at, len - at, header->swap);
		const uint64_t behind = offset + at + table_len;

		if (span_peek_u64(&s, 0) != behind)
			continue;
		/* Only a candidate at the end of these bytes is read again: there may be many. */
		if (span_left(&s) >= table_len ? entries_fit(source, s, nr, true, behind)
					       : table_fits(header, source, offset + at, nr, true))
			return offset + at;
	}
	return 0;
}

/*
 * Searches backwards from the end of the file to @first. Chunks overlap, so that words across their
 * ends are found. Returns the table's offset, or 0 if there is none.
 */
static uint64_t find_table(const struct header *header, unsigned nr, struct source *source,
			   uint64_t first)
{
	enum { OVERLAP = sizeof(uint64_t) - 1 };
	uint8_t *bytes = malloc(CHUNK_BYTES + OVERLAP);
	uint64_t found = 0, end = source->size;

	if (end > TABLE_SCAN_BYTES && first < end - TABLE_SCAN_BYTES)
		first = end - TABLE_SCAN_BYTES;
	while (bytes && !found && end > first) {
		uint64_t offset = end - first > CHUNK_BYTES ? end - CHUNK_BYTES : first;
		size_t len = (size_t)(end - offset);

		len += source->size - end < OVERLAP ? (size_t)(source->size - end) : OVERLAP;
		if (!read_at(source, offset, bytes, len))
			break;
		found = table_among(header, nr, source, bytes, len, offset);
		end = offset;
	}
	free(bytes);
	return found;
}

uint64_t repair_table(struct header *header, unsigned nr_features, struct source *source)
{
	struct section *data = &header->data;
	const uint64_t end = data->offset + data->size;
	uint64_t table;

	if (data->offset > source->size ||
	    (data->size > 0 && table_fits(header, source, end, nr_features, false)))
		return end;
	table = find_table(header, nr_features, source, data->offset);
	if (!table)
		return end;
	data->size = table - data->offset;
	header->bent++;
	return table;
}

/* Whether records start at @offset. */
static bool records_at(const struct plausibility *plausible, struct source *source, uint64_t offset,
		       uint64_t end)
{
	uint8_t bytes[LOOK_BYTES];
	size_t len = end - offset < LOOK_BYTES ? (size_t)(end - offset) : LOOK_BYTES;

	return read_at(source, offset, bytes, len) &&
	       plausible_chain(plausible, span_make(bytes, len, plausible->swap),
			       len < end - offset ? END_OPEN : END_LOOSE) != CHAIN_NONE;
}

void repair_data_offset(struct header *header, struct source *source,
			const struct plausibility *plausible)
{
	struct section *data = &header->data;
	const uint64_t start = header->attrs.offset + header->attrs.size;
	uint64_t end = data->size ? data->offset + data->size : source->size;

	if (end > source->size)
		end = source->size;
	if (!is_inside(&header->attrs, source) || data->offset == start || start >= end ||
	    records_at(plausible, source, data->offset, end) ||
	    !records_at(plausible, source, start, end))
		return;
	if (data->size)
		data->size += data->offset - start;
	data->offset = start;
	header->bent++;
}

/*
 * Adds an event of @attr and @ids, as a HEADER_ATTR record has them. Returns 1, 0 if they are
 * invalid, -1 if memory is out.
 */
static int add_described(struct event_set *set, struct span attr, struct span ids)
{
	const size_t attr_len = span_left(&attr), ids_len = span_left(&ids);
	uint8_t *body = malloc(attr_len + ids_len + 1);
	int rc;

	if (!body)
		return -1;
	memcpy(body, attr.pos, attr_len);
	if (ids_len)
		memcpy(body + attr_len, ids.pos, ids_len);
	rc = events_add(set, span_make(body, attr_len + ids_len, attr.swap));
	free(body);
	return rc;
}

/* u32 nr, u32 attr_size, nr x {attr, u32 nr_ids, string name, u64 ids[nr_ids]}. */
static int add_all_described(struct event_set *set, struct span *s)
{
	const uint32_t nr = span_u32(s), attr_size = span_u32(s);

	if (nr > EVENTS_MAX || !is_attr_size(attr_size))
		return 0;
	for (uint32_t i = 0; i < nr; i++) {
		struct span attr = span_take(s, attr_size), ids;
		const uint32_t nr_ids = span_u32(s);
		int rc;

		(void)format_string(s);
		ids = span_take(s, (uint64_t)nr_ids * sizeof(uint64_t));
		if (s->failed)
			return 0;
		rc = add_described(set, attr, ids);
		if (rc <= 0)
			return rc;
	}
	return (int)nr;
}

int repair_events(struct event_set *set, const struct header *header, struct source *source,
		  struct error *err)
{
	const struct section *section = &header->features[FEATURE_EVENT_DESC];
	struct span s;
	void *bytes;
	int nr;

	if (section->offset == 0)
		return 0;
	bytes = section_load(section, source, header->swap, &s, err);
	if (!bytes)
		return -1;
	nr = add_all_described(set, &s);
	free(bytes);
	return nr < 0 ? error_nomem(err, "reading the events") : nr;
}
