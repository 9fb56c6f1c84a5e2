#include "perffile/sample.h"

#include "perffile/format.h"

/* A field of a SAMPLE: @read takes it off the cursor. Every field starts on an 8-byte word. */
struct sample_field {
	uint64_t bit;
	void (*read)(struct span *s, struct record *rec);
};

static void read_identifier(struct span *s, struct record *rec)
{
	rec->sample.id = span_u64(s);
}

static void read_ip(struct span *s, struct record *rec)
{
	rec->sample.ip = span_u64(s);
}

static void read_tid(struct span *s, struct record *rec)
{
	rec->pid = span_u32(s);
	rec->tid = span_u32(s);
	rec->has |= HAS_PID | HAS_TID;
}

static void read_time(struct span *s, struct record *rec)
{
	rec->time = span_u64(s);
	rec->has |= HAS_TIME;
}

static void read_addr(struct span *s, struct record *rec)
{
	rec->sample.addr = span_u64(s);
}

static void read_stream_id(struct span *s, struct record *rec)
{
	rec->sample.stream_id = span_u64(s);
}

static void read_cpu(struct span *s, struct record *rec)
{
	rec->cpu = span_u32(s);
	(void)span_u32(s);
	rec->has |= HAS_CPU;
}

static void read_period(struct span *s, struct record *rec)
{
	rec->sample.period = span_u64(s);
}

/* Each of the bits given stands for one word. */
static size_t words(uint64_t bits)
{
	return (size_t)__builtin_popcountll(bits);
}

/* read_format: one value, or with READ_GROUP one for each member; nothing of it is used yet. */
static void read_values(struct span *s, struct record *rec)
{
	uint64_t format = rec->event->attr.read_format;
	uint64_t nr = format & READ_GROUP ? span_u64(s) : 1;
	uint64_t times = format & (READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING);
	size_t value_bytes = 8 * (1 + words(format & (READ_ID | READ_LOST)));

	span_skip(s, 8 * words(times));
	if (!span_holds(s, nr, value_bytes))
		span_fail(s);
	else
		span_skip(s, nr * value_bytes);
}

static void read_callchain(struct span *s, struct record *rec)
{
	uint64_t nr = span_u64(s);

	if (!span_holds(s, nr, sizeof(uint64_t)))
		span_fail(s);
	else
		rec->sample.callchain.ips = span_take(s, nr * sizeof(uint64_t));
}

/* The order of the ABI, which is not the order of the bits. */
static const struct sample_field sample_fields[] = {
	{SAMPLE_IDENTIFIER, read_identifier},
	{SAMPLE_IP, read_ip},
	{SAMPLE_TID, read_tid},
	{SAMPLE_TIME, read_time},
	{SAMPLE_ADDR, read_addr},
	{SAMPLE_ID, read_identifier},
	{SAMPLE_STREAM_ID, read_stream_id},
	{SAMPLE_CPU, read_cpu},
	{SAMPLE_PERIOD, read_period},
	{SAMPLE_READ, read_values},
	{SAMPLE_CALLCHAIN, read_callchain},
};

enum { NR_FIELDS = sizeof(sample_fields) / sizeof(sample_fields[0]) };
_Static_assert((int)NR_FIELDS <= (int)SAMPLE_FIELDS_MAX, "layout.fields must hold every field");

/* The trailer's fields, in its order; those of a SAMPLE that every record can have. */
static const uint64_t trailer_bits[] = {SAMPLE_TID,	  SAMPLE_TIME, SAMPLE_ID,
					SAMPLE_STREAM_ID, SAMPLE_CPU,  SAMPLE_IDENTIFIER};

enum { NR_TRAILER_BITS = sizeof(trailer_bits) / sizeof(trailer_bits[0]) };

/* Bytes of the trailer from the field @bit on, to the record's end; 0 if it is not there. */
static uint16_t trailer_from(uint64_t sample_type, uint64_t bit)
{
	uint16_t bytes = 0;

	if (!(sample_type & bit))
		return 0;
	for (size_t i = NR_TRAILER_BITS; i-- > 0;) {
		bytes = (uint16_t)(bytes + (sample_type & trailer_bits[i] ? 8 : 0));
		if (trailer_bits[i] == bit)
			break;
	}
	return bytes;
}

/* Bytes of a SAMPLE's body before the field @bit; UINT16_MAX if it is not there. */
static uint16_t sample_offset(uint64_t sample_type, uint64_t bit)
{
	uint16_t offset = 0;

	if (!(sample_type & bit))
		return UINT16_MAX;
	for (size_t i = 0; i < NR_FIELDS && sample_fields[i].bit != bit; i++)
		offset = (uint16_t)(offset + (sample_type & sample_fields[i].bit ? 8 : 0));
	return offset;
}

uint16_t sample_id_offset(uint64_t sample_type)
{
	if (sample_type & SAMPLE_IDENTIFIER)
		return 0;
	return sample_offset(sample_type, SAMPLE_ID);
}

uint16_t sample_trailer_id(uint64_t sample_type)
{
	if (sample_type & SAMPLE_IDENTIFIER)
		return 8;
	return trailer_from(sample_type, SAMPLE_ID);
}

void sample_layout_make(struct sample_layout *layout, const struct attr *attr)
{
	*layout = (struct sample_layout){0};
	for (size_t i = 0; i < NR_FIELDS; i++) {
		if (attr->sample_type & sample_fields[i].bit)
			layout->fields[layout->nr_fields++] = &sample_fields[i];
	}
	layout->time_offset = sample_offset(attr->sample_type, SAMPLE_TIME);
	if (!(attr->flags & ATTR_SAMPLE_ID_ALL))
		return;
	for (size_t i = 0; i < NR_TRAILER_BITS; i++) {
		if (attr->sample_type & trailer_bits[i])
			layout->trailer_bytes = (uint16_t)(layout->trailer_bytes + 8);
	}
	layout->trailer_time = trailer_from(attr->sample_type, SAMPLE_TIME);
}

bool sample_decode(struct record *rec, struct span body)
{
	const struct sample_layout *layout = &rec->event->layout;

	rec->sample = (struct record_sample){
		.period = rec->event->attr.sample_period,
		.callchain.ips = {.pos = body.end, .end = body.end, .swap = body.swap},
	};
	for (unsigned i = 0; i < layout->nr_fields; i++)
		layout->fields[i]->read(&body, rec);
	return !body.failed;
}

void sample_trailer_decode(struct record *rec, struct span s)
{
	uint64_t sample_type = rec->event->attr.sample_type;

	if (sample_type & SAMPLE_TID) {
		uint32_t pid = span_u32(&s), tid = span_u32(&s);

		if (!(rec->has & HAS_PID))
			rec->pid = pid;
		if (!(rec->has & HAS_TID))
			rec->tid = tid;
		rec->has |= HAS_PID | HAS_TID;
	}
	if (sample_type & SAMPLE_TIME)
		read_time(&s, rec);
	if (sample_type & SAMPLE_ID)
		(void)span_u64(&s);
	if (sample_type & SAMPLE_STREAM_ID)
		(void)span_u64(&s);
	if (sample_type & SAMPLE_CPU)
		read_cpu(&s, rec);
}
