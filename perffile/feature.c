#include "perffile/feature.h"

#include "util/array.h"

#include <stdlib.h>

/* A section: how to read it. @read returns -1 only if memory is out. */
struct feature_kind {
	enum feature number;
	int (*read)(struct features *features, struct event_set *events, struct span *s);
};

/* u32 length, with the NUL and the padding, then the bytes. */
static struct span read_string(struct span *s)
{
	uint32_t len = span_u32(s);

	return span_take(s, len);
}

/* u32 nr, u32 attr_size, nr x {attr, u32 nr_ids, string name, u64 ids[nr_ids]}: the i-th entry
 * names the i-th event. */
static int read_event_desc(struct features *features, struct event_set *events, struct span *s)
{
	uint32_t nr = span_u32(s), attr_size = span_u32(s);

	(void)features;
	for (uint32_t i = 0; i < nr && i < events->nr_events && !s->failed; i++) {
		uint32_t nr_ids;
		struct span name;

		span_skip(s, attr_size);
		nr_ids = span_u32(s);
		name = read_string(s);
		span_skip(s, (uint64_t)nr_ids * sizeof(uint64_t));
		if (!s->failed &&
		    events_set_name(events, i, (const char *)name.pos, span_left(&name)))
			return -1;
	}
	return 0;
}

/* A record: header, s32 pid, u8 id[20], u8 size (if misc says so), 3 bytes, filename. */
static int read_build_id(struct features *features, struct span *s)
{
	struct named_build_id entry = {.id.len = sizeof(entry.id.bytes)};
	struct span body;
	uint32_t name;
	uint16_t size;

	(void)span_u32(s);
	entry.misc = span_u16(s);
	size = span_u16(s);
	if (size < RECORD_HEADER_BYTES) {
		span_fail(s);
		return 0;
	}
	body = span_take(s, size - (uint64_t)RECORD_HEADER_BYTES);
	span_skip(&body, 4);
	span_bytes(&body, entry.id.bytes, sizeof(entry.id.bytes));
	if (entry.misc & MISC_BUILD_ID_SIZE) {
		entry.id.len = span_u8(&body);
		if (entry.id.len > sizeof(entry.id.bytes))
			entry.id.len = sizeof(entry.id.bytes);
		span_skip(&body, 3);
	} else {
		span_skip(&body, 4);
	}
	if (body.failed)
		return 0;
	name = intern(&features->strings, (const char *)body.pos, span_left(&body));
	if (name == INTERN_NOMEM ||
	    !array_grow(features->build_ids, features->room, features->nr_build_ids + 1))
		return -1;
	entry.filename = intern_get(&features->strings, name);
	features->build_ids[features->nr_build_ids++] = entry;
	return 0;
}

static int read_build_ids(struct features *features, struct event_set *events, struct span *s)
{
	(void)events;
	while (span_left(s) >= RECORD_HEADER_BYTES) {
		if (read_build_id(features, s) < 0)
			return -1;
	}
	return 0;
}

static const struct feature_kind feature_kinds[] = {
	{FEATURE_EVENT_DESC, read_event_desc},
	{FEATURE_BUILD_ID, read_build_ids},
};

int features_read(struct features *features, struct event_set *events, const struct header *header,
		  const struct source *source, struct error *err)
{
	for (size_t i = 0; i < sizeof(feature_kinds) / sizeof(feature_kinds[0]); i++) {
		const struct section *section = &header->features[feature_kinds[i].number];
		struct span s;
		void *bytes;
		int rc;

		if (section->size == 0)
			continue;
		bytes = section_load(section, source, header->swap, &s, err);
		if (!bytes)
			return -1;
		rc = feature_kinds[i].read(features, events, &s);
		free(bytes);
		if (rc < 0)
			return error_nomem(err, "reading the recording's features");
	}
	return 0;
}

void features_free(struct features *features)
{
	free(features->build_ids);
	intern_free(&features->strings);
	*features = (struct features){0};
}
