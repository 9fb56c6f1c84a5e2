#include "perffile/meta.h"

#include "perffile/record/decode.h"

#include <stdlib.h>

/* tools/perf/util/event.h of ChromeOS: 69 is HOSTNAME (feature 3), and so on up to 80. */
enum { OLD_FIRST = 69, OLD_LAST = 80, OLD_TO_FEATURE = 66 };

enum { UPDATE_NAME = 2 };

/* u64 config, char name[64]: perf before 3.9. */
static int event_type(struct event_set *events, struct span body)
{
	uint64_t config = span_u64(&body);

	if (body.failed)
		return 0;
	return events_name_config(events, SIZE_MAX, config, (const char *)body.pos,
				  span_left(&body)) < 0
		       ? -1
		       : 1;
}

/* u64 type, u64 id, then the new value; only names are used. */
static int event_update(struct event_set *events, struct span body)
{
	uint64_t type = span_u64(&body), id = span_u64(&body);

	if (body.failed)
		return 0;
	if (type != UPDATE_NAME)
		return 1;
	return events_rename(events, id, (const char *)body.pos, span_left(&body)) < 0 ? -1 : 1;
}

/* u64 number, then the section; the record that ends the list has none. */
static int header_feature(struct event_set *events, struct features *features, struct span body)
{
	uint64_t number = span_u64(&body);

	if (body.failed)
		return 0;
	if (span_left(&body) == 0 || number >= HEADER_FEATURE_BITS)
		return 1;
	return features_read_section(features, events, (unsigned)number, body) < 0 ? -1 : 1;
}

/* Reads the section TRACING_DATA, which follows its record. Returns as meta_apply(). */
static int trailing_tracing_data(struct event_set *events, struct features *features,
				 struct stream *stream, bool swap, struct error *err)
{
	enum { TRACING_MAX = 256 << 20 };
	uint64_t len = stream->outer.reader.skip;
	uint8_t *bytes;
	ssize_t got;
	int rc = -1;

	if (len > TRACING_MAX)
		return 0;
	bytes = malloc((size_t)len + 1);
	if (!bytes)
		return error_nomem(err, "reading the tracing data");
	got = stream_payload(stream, bytes, (size_t)len, err);
	if (got >= 0)
		rc = features_read_section(features, events, FEATURE_TRACING_DATA,
					   span_make(bytes, (size_t)got, swap));
	free(bytes);
	if (got >= 0 && rc < 0)
		return error_nomem(err, "reading the tracing data");
	return rc < 0 ? -1 : 1;
}

static int tracing_data(struct event_set *events, struct features *features, struct stream *stream,
			const struct raw_record *raw, bool swap, struct error *err)
{
	struct span inside;

	if (!raw_tracing_data(raw, swap, &inside))
		return trailing_tracing_data(events, features, stream, swap, err);
	if (features_read_section(features, events, FEATURE_TRACING_DATA, inside) < 0)
		return error_nomem(err, "reading the tracing data");
	return 1;
}

static int apply(struct event_set *events, struct features *features, const struct raw_record *raw,
		 bool swap)
{
	struct span whole = span_make(raw->bytes, raw->size, swap), body = raw_body(raw, swap);

	switch (raw->type) {
	case RECORD_HEADER_ATTR:
		return events_add(events, body);
	case RECORD_HEADER_EVENT_TYPE:
		return event_type(events, body);
	case RECORD_HEADER_BUILD_ID:
		return features_read_build_id(features, &whole) < 0 ? -1 : 1;
	case RECORD_EVENT_UPDATE:
		return event_update(events, body);
	case RECORD_HEADER_FEATURE:
		return header_feature(events, features, body);
	default:
		return 1;
	}
}

int meta_apply(struct event_set *events, struct features *features, struct stream *stream,
	       const struct raw_record *raw, bool swap, struct error *err)
{
	int rc;

	if (raw->type == RECORD_HEADER_TRACING_DATA)
		return tracing_data(events, features, stream, raw, swap, err);
	rc = apply(events, features, raw, swap);
	return rc < 0 ? error_nomem(err, "reading what the recording says of itself") : rc;
}

bool meta_has_effect(const struct raw_record *raw)
{
	switch (raw->type) {
	case RECORD_HEADER_ATTR:
	case RECORD_HEADER_EVENT_TYPE:
	case RECORD_HEADER_TRACING_DATA:
	case RECORD_HEADER_BUILD_ID:
	case RECORD_EVENT_UPDATE:
	case RECORD_HEADER_FEATURE:
		return true;
	default:
		return false;
	}
}

bool meta_is_old_pipe(const struct raw_record *first)
{
	return first->type >= OLD_FIRST && first->type < OLD_LAST;
}

unsigned meta_old_feature(struct raw_record *raw)
{
	unsigned number;

	if (raw->type < OLD_FIRST || raw->type > OLD_LAST)
		return 0;
	number = raw->type - OLD_TO_FEATURE;
	raw->type = RECORD_HEADER_FEATURE;
	return number;
}

int meta_apply_old(struct event_set *events, struct features *features,
		   const struct raw_record *raw, unsigned number, bool swap, struct error *err)
{
	if (features_read_section(features, events, number, raw_body(raw, swap)) < 0)
		return error_nomem(err, "reading what the recording says of itself");
	return 1;
}
