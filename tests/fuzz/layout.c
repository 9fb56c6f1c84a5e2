#include "tests/fuzz/layout.h"

#include <string.h>

/* Offsets in the header of a file: tools/perf/util/header.h, struct perf_file_header. */
enum {
	PIPE_HEADER = 16,
	HEADER = 104,
	AT_ATTR_SIZE = 16,
	AT_ATTRS = 24,
	AT_DATA = 40,
	AT_FEATURES = 72,
	NR_FEATURES = 256,
	SECTION = 16,
	RECORD_ATTR = 64,
	ATTRS_MAX = 64,
};

uint64_t layout_get(const struct layout *layout, size_t at, size_t width)
{
	uint64_t value = 0;

	if (at > layout->size || width > layout->size - at)
		return 0;
	for (size_t i = 0; i < width; i++)
		value |= (uint64_t)layout->bytes[at + i] << 8 * (layout->swap ? width - 1 - i : i);
	return value;
}

void layout_put(struct layout *layout, size_t at, size_t width, uint64_t value)
{
	if (at > layout->size || width > layout->size - at)
		return;
	for (size_t i = 0; i < width; i++)
		layout->bytes[at + i] = (uint8_t)(value >> 8 * (layout->swap ? width - 1 - i : i));
}

static void find_sections(struct layout *layout)
{
	uint64_t data = layout_get(layout, AT_DATA, 8), size = layout_get(layout, AT_DATA + 8, 8);
	uint64_t attrs = layout_get(layout, AT_ATTRS, 8),
		 attrs_size = layout_get(layout, AT_ATTRS + 8, 8);

	if (data < HEADER || data > layout->size)
		data = HEADER;
	layout->first = data;
	layout->end = size && size < layout->size - data ? data + size : layout->size;
	layout->attr_size = layout_get(layout, AT_ATTR_SIZE, 8);
	if (attrs > layout->size || layout->attr_size < SECTION || layout->attr_size > 4096 ||
	    attrs_size > layout->size - attrs)
		return;
	layout->attrs = attrs;
	layout->nr_attrs = attrs_size / layout->attr_size;
	if (layout->nr_attrs > ATTRS_MAX)
		layout->nr_attrs = ATTRS_MAX;
}

bool layout_find(struct layout *layout, uint8_t *bytes, size_t size, size_t room)
{
	*layout = (struct layout){.bytes = bytes, .size = size, .room = room};
	if (size < PIPE_HEADER)
		return false;
	if (memcmp(bytes, "2ELIFREP", 8) == 0)
		layout->swap = true;
	else if (memcmp(bytes, "PERFILE2", 8) != 0)
		return false;
	layout->pipe = layout_get(layout, 8, 8) == PIPE_HEADER;
	if (!layout->pipe && size < HEADER)
		return false;
	if (layout->pipe) {
		layout->first = PIPE_HEADER;
		layout->end = size;
	} else {
		find_sections(layout);
	}
	return true;
}

size_t layout_next(const struct layout *layout, size_t at)
{
	size_t size = layout_get(layout, at + 6, 2);

	if (size < LAYOUT_RECORD_HEADER || size > layout->end - at)
		return layout->end;
	return at + size;
}

size_t layout_nr_records(const struct layout *layout)
{
	size_t nr = 0;

	for (size_t at = layout->first; at < layout->end; at = layout_next(layout, at))
		nr++;
	return nr;
}

size_t layout_record(const struct layout *layout, size_t number)
{
	size_t at = layout->first;

	while (at < layout->end && number-- > 0)
		at = layout_next(layout, at);
	return at;
}

size_t layout_attr(const struct layout *layout, size_t number)
{
	if (!layout->pipe)
		return number < layout->nr_attrs ? layout->attrs + number * layout->attr_size : 0;
	for (size_t at = layout->first; at < layout->end; at = layout_next(layout, at)) {
		if (layout_get(layout, at, 4) == RECORD_ATTR && number-- == 0)
			return at + LAYOUT_RECORD_HEADER;
	}
	return 0;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* The offset at @at, if it leads behind @place, follows what was moved. */
static void move_offset(struct layout *layout, size_t at, size_t place, uint64_t delta)
{
	uint64_t offset = layout_get(layout, at, 8);

	if (offset >= place)
		layout_put(layout, at, 8, offset + delta);
}

/* The table of sections behind the data: one entry for each bit. */
static size_t nr_feature_sections(const struct layout *layout)
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_FEATURES / 8; i++)
		nr += (size_t)__builtin_popcount(layout->bytes[AT_FEATURES + i]);
	return nr;
}

/* The offsets in the header, still at the old places, grow by @delta if they lead behind @place. */
static void move_sections(struct layout *layout, size_t place, uint64_t delta)
{
	for (size_t i = 0; i < nr_feature_sections(layout); i++)
		move_offset(layout, layout->end + i * SECTION, place, delta);
	for (size_t i = 0; i < layout->nr_attrs; i++)
		move_offset(layout, layout->attrs + (i + 1) * layout->attr_size - SECTION, place,
			    delta);
	move_offset(layout, AT_ATTRS, place, delta);
	if (layout_get(layout, AT_DATA + 8, 8))
		layout_put(layout, AT_DATA + 8, 8, layout->end - layout->first + delta);
}

bool layout_replace(struct layout *layout, size_t at, size_t old_len, const void *from, size_t len)
{
	size_t behind = at + old_len;

	if (at < layout->first || behind > layout->end || layout->size - old_len > layout->room ||
	    len > layout->room - (layout->size - old_len))
		return false;
	if (!layout->pipe && old_len != len)
		move_sections(layout, behind, (uint64_t)len - old_len);
	memmove(layout->bytes + at + len, layout->bytes + behind, layout->size - behind);
	if (from)
		memcpy(layout->bytes + at, from, len);
	else
		memset(layout->bytes + at, 0, len);
	layout->size = layout->size - old_len + len;
	layout->end = layout->end - old_len + len;
	if (layout->attrs >= behind)
		layout->attrs = layout->attrs - old_len + len;
	return true;
}
