/* Changes to records, attrs and sections of a recording that leave the rest as it was. */
#include "tests/fuzz/mutate.h"

#include <linux/perf_event.h>
#include <string.h>

enum { RECORD_MAX = 65528 }; /* bytes that a record can have, a multiple of 8 */

static size_t pick_record(struct mutation *m)
{
	return layout_record(&m->layout, mutate_below(&m->random, layout_nr_records(&m->layout)));
}

/* A number's place in the body of the record at @at, a multiple of @width; 0 if it has none. */
static size_t pick_field(struct mutation *m, size_t at, size_t width)
{
	size_t end = layout_next(&m->layout, at), body = at + LAYOUT_RECORD_HEADER;

	if (body >= end || end - body < width)
		return 0;
	return body + mutate_below(&m->random, (end - body) / width) * width;
}

static size_t pick_width(struct mutation *m)
{
	return mutate_random(&m->random) & 1 ? 8 : 4;
}

/* ---- whole records --------------------------------------------------------------------------- */

/* The records of the run of some of @from that starts at @at. Returns its end. */
static size_t end_of_run(struct mutation *m, const struct layout *from, size_t at)
{
	uint64_t nr = 1 + mutate_below(&m->random, 8);

	while (at < from->end && nr-- > 0)
		at = layout_next(from, at);
	return at;
}

static void drop_records(struct mutation *m)
{
	size_t at = pick_record(m);

	layout_replace(&m->layout, at, end_of_run(m, &m->layout, at) - at, NULL, 0);
}

/* Puts a copy of records of @from, this recording or the other one, before some record. */
static void insert_from(struct mutation *m, const struct layout *from)
{
	uint8_t copy[RECORD_MAX];
	size_t at = layout_record(from, mutate_below(&m->random, layout_nr_records(from)));
	size_t len = end_of_run(m, from, at) - at;

	if (len > sizeof(copy))
		return;
	memcpy(copy, from->bytes + at, len);
	layout_replace(&m->layout, pick_record(m), 0, copy, len);
}

static void repeat_records(struct mutation *m)
{
	insert_from(m, &m->layout);
}

static void splice_records(struct mutation *m)
{
	if (m->other && m->other->end && m->other->swap == m->layout.swap)
		insert_from(m, m->other);
}

static void move_records(struct mutation *m)
{
	uint8_t copy[RECORD_MAX];
	size_t at = pick_record(m), len = end_of_run(m, &m->layout, at) - at;

	if (len > sizeof(copy))
		return;
	memcpy(copy, m->layout.bytes + at, len);
	if (layout_replace(&m->layout, at, len, NULL, 0))
		layout_replace(&m->layout, pick_record(m), 0, copy, len);
}

/* A record of any type over numbers of any kind. */
static void new_record(struct mutation *m)
{
	enum { WORDS_MAX = 24 };
	static const uint8_t zeros[8 * (WORDS_MAX + 1)];
	size_t words = mutate_below(&m->random, WORDS_MAX), at = pick_record(m);

	if (!layout_replace(&m->layout, at, 0, zeros, 8 * (words + 1)))
		return;
	layout_put(&m->layout, at, 4, mutate_below(&m->random, 90));
	layout_put(&m->layout, at + 4, 2, mutate_random(&m->random) & 0xe007);
	layout_put(&m->layout, at + 6, 2, 8 * (words + 1));
	for (size_t i = 1; i <= words; i++)
		layout_put(&m->layout, at + 8 * i, 8,
			   mutate_random(&m->random) & 3
				   ? layout_get(&m->layout, pick_field(m, pick_record(m), 8), 8)
				   : mutate_interesting(&m->random));
}

/* ---- parts of records ------------------------------------------------------------------------ */

static void change_type(struct mutation *m)
{
	uint64_t type = mutate_below(&m->random, 96);

	layout_put(&m->layout, pick_record(m), 4, type < 90 ? type : mutate_random(&m->random));
}

static void change_misc(struct mutation *m)
{
	layout_put(&m->layout, pick_record(m) + 4, 2, mutate_random(&m->random) & 0xe007);
}

/* So that what follows is no record. */
static void change_size(struct mutation *m)
{
	layout_put(&m->layout, pick_record(m) + 6, 2, mutate_interesting(&m->random));
}

static void change_field(struct mutation *m)
{
	size_t width = pick_width(m), at = pick_field(m, pick_record(m), width);
	uint64_t value = layout_get(&m->layout, at, width);

	if (at == 0)
		return;
	switch (mutate_below(&m->random, 4)) {
	case 0:
		value = mutate_interesting(&m->random);
		break;
	case 1:
		value += mutate_below(&m->random, 33) - 16;
		break;
	case 2:
		value ^= 1ULL << mutate_below(&m->random, 8 * width);
		break;
	default: /* as in another place */
		value = layout_get(&m->layout, pick_field(m, pick_record(m), width), width);
	}
	layout_put(&m->layout, at, width, value);
}

/* Bytes put into or taken out of a record's body, its size following. */
static void resize_record(struct mutation *m)
{
	size_t at = pick_record(m), place = pick_field(m, at, 8), end, size;
	size_t more = 8 * mutate_below(&m->random, 9), less = 0;

	if (place == 0)
		return;
	end = layout_next(&m->layout, at);
	if (mutate_random(&m->random) & 1) {
		less = more < end - place ? more : end - place;
		more = 0;
	}
	size = end - at - less + more;
	if (size <= RECORD_MAX && layout_replace(&m->layout, place, less, NULL, more))
		layout_put(&m->layout, at + 6, 2, size);
}

/* ---- the same in all records ----------------------------------------------------------------- */

/* A pid, an address or an id becomes another one wherever it stands. */
static void rename_number(struct mutation *m)
{
	struct layout *layout = &m->layout;
	size_t width = pick_width(m), from = pick_field(m, pick_record(m), width);
	uint64_t old = layout_get(layout, from, width), value = mutate_interesting(&m->random);

	if (mutate_random(&m->random) & 1)
		value = layout_get(layout, pick_field(m, pick_record(m), width), width);
	for (size_t at = layout->first; at + width <= layout->end && old; at += width)
		if (layout_get(layout, at, width) == old)
			layout_put(layout, at, width, value);
}

/* Times, or whatever lies about as high as some number, are moved from some record on. */
static void shift_numbers(struct mutation *m)
{
	struct layout *layout = &m->layout;
	size_t place = pick_field(m, pick_record(m), 8);
	uint64_t middle = layout_get(layout, place, 8), delta = mutate_interesting(&m->random);

	if (middle < 1 << 20)
		return;
	for (size_t at = pick_record(m); at + 8 <= layout->end; at += 8) {
		uint64_t value = layout_get(layout, at, 8);

		if (value > middle / 2 && value - middle / 2 < middle)
			layout_put(layout, at, 8, value + delta);
	}
}

/* ---- attrs ----------------------------------------------------------------------------------- */

#define ATTR_AT(field) offsetof(struct perf_event_attr, field)

enum { ATTR_FLAGS = ATTR_AT(read_format) + 8 };

static size_t pick_attr(struct mutation *m)
{
	size_t nr = m->layout.pipe ? 8 : m->layout.nr_attrs, attr;

	attr = layout_attr(&m->layout, mutate_below(&m->random, nr));
	return attr ? attr : layout_attr(&m->layout, 0);
}

static void change_attr(struct mutation *m)
{
	static const uint8_t fields[] = {ATTR_AT(type),
					 ATTR_AT(config),
					 ATTR_AT(sample_period),
					 ATTR_AT(sample_type),
					 ATTR_AT(sample_type),
					 ATTR_AT(read_format),
					 ATTR_FLAGS,
					 ATTR_AT(branch_sample_type),
					 ATTR_AT(sample_regs_user),
					 ATTR_AT(sample_stack_user),
					 ATTR_AT(sample_regs_intr)};
	size_t attr = pick_attr(m), at = attr + fields[mutate_below(&m->random, sizeof(fields))];

	if (attr == 0)
		return;
	if (mutate_random(&m->random) & 3)
		layout_put(&m->layout, at, 8,
			   layout_get(&m->layout, at, 8) ^ 1ULL << mutate_below(&m->random, 26));
	else
		layout_put(&m->layout, at, 8, mutate_interesting(&m->random));
}

/* The fields of 8 bytes that a sample starts with, in the order in which they stand. */
static const uint64_t leading[] = {PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,   PERF_SAMPLE_TID,
				   PERF_SAMPLE_TIME,	   PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
				   PERF_SAMPLE_STREAM_ID,  PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD};

/* All samples get one of these fields, or lose it: attrs and records agree. */
static void lay_samples_out(struct mutation *m)
{
	struct layout *layout = &m->layout;
	size_t attr = layout_attr(layout, 0), offset = LAYOUT_RECORD_HEADER;
	uint64_t type = layout_get(layout, attr + ATTR_AT(sample_type), 8),
		 bit = leading[mutate_below(&m->random, 9)], had = type & bit;
	size_t nr_left = 512; /* more would take long, as each moves what follows */

	if (attr == 0)
		return;
	for (size_t i = 0; leading[i] != bit; i++)
		offset += type & leading[i] ? 8 : 0;
	for (size_t i = 0; (attr = layout_attr(layout, i)) != 0 && i < 8; i++) {
		type = layout_get(layout, attr + ATTR_AT(sample_type), 8);
		layout_put(layout, attr + ATTR_AT(sample_type), 8, had ? type & ~bit : type | bit);
	}
	for (size_t at = layout->first, next; at < layout->end && nr_left; at = next) {
		size_t size = layout_next(layout, at) - at;

		next = at + size;
		if (layout_get(layout, at, 4) != PERF_RECORD_SAMPLE || size < offset + 8 ||
		    size + 8 > RECORD_MAX)
			continue;
		if (!layout_replace(layout, at + offset, had ? 8 : 0, NULL, had ? 0 : 8))
			return;
		size = had ? size - 8 : size + 8;
		layout_put(layout, at + 6, 2, size);
		next = at + size;
		nr_left--;
	}
}

/* ---- sections -------------------------------------------------------------------------------- */

/* A number in one of the sections behind the records, or in their table. */
static void change_section(struct mutation *m)
{
	struct layout *layout = &m->layout;
	size_t width = pick_width(m), room = layout->size - layout->end, at;

	if (room < width || layout->pipe)
		return;
	at = layout->end + mutate_below(&m->random, room / width) * width;
	layout_put(layout, at, width,
		   mutate_random(&m->random) & 1
			   ? mutate_interesting(&m->random)
			   : layout_get(layout, at, width) + mutate_below(&m->random, 17) - 8);
}

const struct mutator mutate_records[] = {
	{"drop records", drop_records},	      {"repeat records", repeat_records},
	{"splice records", splice_records},   {"move records", move_records},
	{"a new record", new_record},	      {"change a type", change_type},
	{"change misc", change_misc},	      {"change a size", change_size},
	{"change a field", change_field},     {"change a field", change_field},
	{"resize a record", resize_record},   {"rename a number", rename_number},
	{"shift numbers", shift_numbers},     {"change an attr", change_attr},
	{"lay samples out", lay_samples_out}, {"change a section", change_section},
};
const unsigned mutate_nr_records = sizeof(mutate_records) / sizeof(mutate_records[0]);
