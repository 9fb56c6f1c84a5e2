#include "perffile/recover/plausible.h"

#include "perffile/input/block.h"
#include "perffile/order/reader.h"
#include "perffile/record/decode.h"
#include "perffile/record/recordtype.h"
#include "perffile/record/sample.h"

enum {
	SURE_RECORDS = 3,    /* this many make a chain */
	STEPS_MAX = 16,	     /* records tested */
	MISC_UNUSED = 0x0ff8 /* bits that no kernel sets */
};

/* The longest time between two records that follow each other: a day, in ns. */
#define APART_MAX UINT64_C(86400000000000)

enum opinion {
	NO_RECORD,
	POSSIBLE, /* decodes, or has an unknown type */
	SURE,
	NOT_WHOLE,
};

/* A record at the start of the bytes tested. */
struct plausible_record {
	struct raw_record raw;
	struct record rec;
	uint64_t payload; /* bytes of data that follow it */
};

bool plausible_new_type(uint32_t type, uint16_t size)
{
	enum { NEW_END = 256, SIMPLEPERF_FIRST = 32768, SIMPLEPERF_END = 33024 };
	const bool near = (type > RECORD_CALLCHAIN_DEFERRED && type < RECORD_USER_FIRST) ||
			  (type >= RECORD_NAMED_MAX && type < NEW_END) ||
			  (type >= SIMPLEPERF_FIRST && type < SIMPLEPERF_END);

	return near && size >= RECORD_HEADER_BYTES && size % 8 == 0;
}

/* Whether the id in @candidate's trailer belongs to its event, or there is none. */
static bool trailer_fits(const struct plausibility *plausible,
			 const struct plausible_record *candidate)
{
	const struct event *event = candidate->rec.event;
	uint16_t back;
	struct span body;
	uint64_t id;

	if (!event)
		return plausible->finder->set->nr_events == 0;
	back = sample_trailer_id(&event->attr);
	if (back == 0 || event->nr_ids == 0)
		return true;
	body = raw_body(&candidate->raw, plausible->swap);
	if (span_left(&body) < back)
		return false;
	body.pos = body.end - back;
	id = span_u64(&body);
	return id == 0 ? candidate->rec.time == 0
		       : events_by_id(plausible->finder->set, id) == event;
}

/* Whether all bytes of a SAMPLE belong to its fields, and its id belongs to its event. */
static bool sample_fits(const struct plausibility *plausible,
			const struct plausible_record *candidate, size_t rest)
{
	const struct event *event = candidate->rec.event;

	if (rest >= 8 && !(event->attr.sample_type & SAMPLE_UNKNOWN))
		return false;
	return event->nr_ids == 0 || sample_id_offset(event->attr.sample_type) == UINT16_MAX ||
	       events_by_id(plausible->finder->set, candidate->rec.sample.id) == event;
}

/* Whether the size of perf's own record fits its contents, as far as these are tested. */
static bool user_fits(const struct plausible_record *candidate, bool swap)
{
	struct span body = raw_body(&candidate->raw, swap);
	uint64_t size;

	switch (candidate->raw.type) {
	case RECORD_HEADER_ATTR:
		span_skip(&body, 4);
		size = span_u32(&body);
		return size == 0 ||
		       (size >= ATTR_BYTES_V0 && size % 8 == 0 && size <= span_left(&body) + 8);
	case RECORD_COMPRESSED2:
		size = span_u64(&body);
		return size == 0 || (size <= span_left(&body) && span_left(&body) - size < 8);
	case RECORD_HEADER_BUILD_ID:
		return true;
	default:
		return candidate->raw.misc == 0;
	}
}

static bool fits(const struct plausibility *plausible, const struct plausible_record *candidate,
		 size_t rest)
{
	const struct raw_record *raw = &candidate->raw;

	if (!record_sizes_allow(plausible->sizes, raw->type, raw->size))
		return false;
	if (raw->type >= RECORD_USER_FIRST)
		return user_fits(candidate, plausible->swap);
	if (raw->misc & MISC_UNUSED)
		return false;
	if (raw->type == RECORD_SAMPLE)
		return sample_fits(plausible, candidate, rest);
	/* READ, SWITCH and others are not decoded to their end. */
	if (record_type_string(raw->type) && rest >= STRING_SLACK)
		return false;
	return trailer_fits(plausible, candidate);
}

/* Reads the header at @s. Returns NO_RECORD if it is invalid, else POSSIBLE or NOT_WHOLE. */
static enum opinion read_header(const struct plausibility *plausible, struct span s,
				struct plausible_record *candidate)
{
	struct raw_record *raw = &candidate->raw;
	const size_t left = span_left(&s);

	if (left < RECORD_HEADER_BYTES)
		return NOT_WHOLE;
	*raw = (struct raw_record){.bytes = s.pos};
	raw->type = span_u32(&s);
	raw->misc = span_u16(&s);
	raw->size = span_u16(&s);
	if (raw->size < RECORD_HEADER_BYTES ||
	    (!record_type_name(raw->type) && !plausible_new_type(raw->type, raw->size)))
		return NO_RECORD;
	if (raw->size > left)
		return record_sizes_allow(plausible->sizes, raw->type, raw->size) ||
				       !record_type_name(raw->type)
			       ? NOT_WHOLE
			       : NO_RECORD;
	return POSSIBLE;
}

static enum opinion check_record(const struct plausibility *plausible, struct span s,
				 struct plausible_record *candidate)
{
	struct block no_block = {.packed = true};
	enum opinion opinion = read_header(plausible, s, candidate);
	size_t rest = 0;

	candidate->rec.has = 0;
	candidate->payload = 0;
	if (opinion != POSSIBLE || !record_type_name(candidate->raw.type))
		return opinion;
	candidate->raw.block = &no_block;
	opinion = NO_RECORD;
	if (decode_record(&candidate->rec, &candidate->raw, plausible->swap, plausible->finder,
			  &rest) == DECODE_OK)
		opinion = fits(plausible, candidate, rest) ? SURE : POSSIBLE;
	candidate->raw.block = NULL;
	candidate->payload = raw_payload_bytes(&candidate->raw, plausible->swap);
	return opinion;
}

/* Whether the time of @rec, if it has one, is near *@last, which is then updated. */
static bool near(uint64_t *last, const struct record *rec)
{
	const uint64_t before = *last;

	if (!(rec->has & HAS_TIME) || rec->time == 0)
		return true;
	*last = rec->time;
	return before == 0 ||
	       (rec->time > before ? rec->time - before : before - rec->time) <= APART_MAX;
}

static enum record_chain at_end(enum plausible_end end, bool whole, bool enough)
{
	if (end == END_OPEN)
		return CHAIN_MORE;
	return enough && (whole || end == END_LOOSE) ? CHAIN_HOLDS : CHAIN_NONE;
}

static enum record_chain follow(const struct plausibility *plausible, struct span s,
				enum plausible_end end, bool strict)
{
	struct plausible_record candidate;
	uint64_t time = 0;
	unsigned nr_sure = 0;

	for (unsigned step = 0; step < STEPS_MAX; step++) {
		const bool enough = nr_sure > 0 || !strict;
		enum opinion opinion;

		if (span_left(&s) == 0)
			return at_end(end, true, enough);
		opinion = check_record(plausible, s, &candidate);
		if (opinion == NOT_WHOLE)
			return at_end(end, false, enough);
		if (opinion == NO_RECORD)
			return CHAIN_NONE;
		if (opinion == SURE && near(&time, &candidate.rec) && ++nr_sure == SURE_RECORDS)
			return CHAIN_HOLDS;
		span_skip(&s, candidate.raw.size);
		if (candidate.payload > span_left(&s))
			return nr_sure > 0 && end != END_EXACT ? CHAIN_HOLDS : CHAIN_NONE;
		span_skip(&s, candidate.payload);
	}
	return strict ? CHAIN_NONE : CHAIN_HOLDS;
}

enum record_chain plausible_chain(const struct plausibility *plausible, struct span s,
				  enum plausible_end end)
{
	return follow(plausible, s, end, true);
}

enum record_chain plausible_next(const struct plausibility *plausible, struct span s,
				 enum plausible_end end)
{
	return follow(plausible, s, end, false);
}
