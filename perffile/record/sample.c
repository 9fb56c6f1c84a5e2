#include "perffile/record/sample.h"

#include "perffile/format.h"
#include "perffile/record/offcpu.h"

/* A field of a SAMPLE: @read takes it from @s. Every field starts on an 8-byte word. */
struct sample_field {
	uint64_t bit;
	void (*read)(struct span *s, struct record *rec); /* NULL: read_words() reads it */
};

static inline uint64_t take_word(const uint8_t **at, bool swap)
{
	uint64_t word;

	memcpy(&word, *at, sizeof(word));
	*at += sizeof(word);
	return swap ? __builtin_bswap64(word) : word;
}

/* The two halves of the next word, in the order of the bytes. */
static inline void take_halves(const uint8_t **at, bool swap, uint32_t halves[2])
{
	memcpy(halves, *at, 2 * sizeof(*halves));
	*at += 2 * sizeof(*halves);
	if (swap) {
		halves[0] = __builtin_bswap32(halves[0]);
		halves[1] = __builtin_bswap32(halves[1]);
	}
}

/*
 * Reads the one-word fields, which come before all others, in ABI order, from @at, where all of
 * them are. @swap is a constant, for speed.
 */
__attribute__((always_inline)) static inline void take_words(const uint8_t *at, bool swap,
							     struct record *rec)
{
	const uint64_t type = rec->event->attr.sample_type;
	struct record_sample *sample = &rec->sample;
	uint32_t halves[2];

	if (type & SAMPLE_IDENTIFIER)
		sample->id = take_word(&at, swap);
	if (type & SAMPLE_IP)
		sample->ip = take_word(&at, swap);
	if (type & SAMPLE_TID) {
		take_halves(&at, swap, halves);
		rec->pid = halves[0];
		rec->tid = halves[1];
		rec->has |= HAS_PID | HAS_TID;
	}
	if (type & SAMPLE_TIME) {
		rec->time = take_word(&at, swap);
		rec->has |= HAS_TIME;
	}
	if (type & SAMPLE_ADDR)
		sample->addr = take_word(&at, swap);
	if (type & SAMPLE_ID)
		sample->id = take_word(&at, swap);
	if (type & SAMPLE_STREAM_ID)
		sample->stream_id = take_word(&at, swap);
	if (type & SAMPLE_CPU) {
		take_halves(&at, swap, halves);
		rec->cpu = halves[0];
		rec->has |= HAS_CPU;
	}
	if (type & SAMPLE_PERIOD)
		sample->period = take_word(&at, swap);
}

/* Reads the one-word fields from @s, which is left after them. Fails if they are not there. */
static inline void read_words(struct span *s, struct record *rec)
{
	const size_t len = rec->event->layout.words_bytes;

	if (span_left(s) < len) {
		span_fail(s);
		return;
	}
	if (s->swap)
		take_words(s->pos, true, rec);
	else
		take_words(s->pos, false, rec);
	s->pos += len;
}

/* Number of words: one for each bit set. */
static size_t words(uint64_t bits)
{
	return (size_t)__builtin_popcountll(bits);
}

/* Bytes of one value, with what read_format adds to each. */
static size_t value_bytes(uint64_t format)
{
	return 8 * (1 + words(format & (READ_ID | READ_LOST)));
}

/* One value or, with READ_GROUP, one for each member, with the times once, before the values. */
static void read_values(struct span *s, struct record *rec)
{
	struct sample_read *read = &rec->sample.read;
	uint64_t format = rec->event->attr.read_format;
	uint64_t nr = format & READ_GROUP ? span_u64(s) : 1;

	read->given = true;
	read->format = format;
	if (!(format & READ_GROUP)) {
		/* value, [enabled], [running], [id], [lost]: split by sample_read_next() */
		read->values = span_take(s, value_bytes(format) +
						    8 * words(format & (READ_TOTAL_TIME_ENABLED |
									READ_TOTAL_TIME_RUNNING)));
		return;
	}
	if (format & READ_TOTAL_TIME_ENABLED)
		read->enabled = span_u64(s);
	if (format & READ_TOTAL_TIME_RUNNING)
		read->running = span_u64(s);
	if (!span_holds(s, nr, value_bytes(format)))
		span_fail(s);
	else
		read->values = span_take(s, nr * value_bytes(format));
}

bool sample_read_next(struct sample_read *read, struct read_value *value)
{
	*value = (struct read_value){0};
	if (span_left(&read->values) == 0)
		return false;
	value->value = span_u64(&read->values);
	if (!(read->format & READ_GROUP)) {
		if (read->format & READ_TOTAL_TIME_ENABLED)
			read->enabled = span_u64(&read->values);
		if (read->format & READ_TOTAL_TIME_RUNNING)
			read->running = span_u64(&read->values);
	}
	if (read->format & READ_ID)
		value->id = span_u64(&read->values);
	if (read->format & READ_LOST)
		(void)span_u64(&read->values);
	return true;
}

static void read_callchain(struct span *s, struct record *rec)
{
	uint64_t nr = span_u64(s);

	if (!span_holds(s, nr, sizeof(uint64_t)))
		span_fail(s);
	else
		rec->sample.callchain.ips = span_take(s, nr * sizeof(uint64_t));
}

/* u32 size, then bytes; together they fill whole words. */
static void read_raw(struct span *s, struct record *rec)
{
	uint32_t size = span_u32(s);

	rec->sample.extra.raw = span_take(s, size);
}

/*
 * u64 nr, [u64 hw_idx], nr entries, [nr counters]. The attr alone does not tell whether the
 * optional parts are there: see decode_branchy().
 */
static void read_branch_stack(struct span *s, struct record *rec)
{
	enum { ENTRY_BYTES = 24 };
	struct branch_stack *branches = &rec->sample.extra.branches;
	bool has_hw_idx = branches->hw_idx == 0, has_counters = branches->nr != 0;
	uint64_t nr = span_u64(s);

	branches->nr = nr;
	branches->hw_idx = has_hw_idx ? span_u64(s) : UINT64_MAX;
	if (!span_holds(s, nr, ENTRY_BYTES)) {
		span_fail(s);
		return;
	}
	branches->entries = span_take(s, nr * ENTRY_BYTES);
	if (has_counters && span_holds(s, nr, sizeof(uint64_t)))
		branches->counters = span_take(s, nr * sizeof(uint64_t));
}

static void read_regs(struct span *s, struct sample_regs *regs, uint64_t mask)
{
	regs->abi = span_u64(s);
	if (regs->abi)
		regs->values = span_take(s, 8 * words(mask));
}

static void read_regs_user(struct span *s, struct record *rec)
{
	read_regs(s, &rec->sample.extra.regs_user, rec->event->attr.sample_regs_user);
}

static void read_regs_intr(struct span *s, struct record *rec)
{
	read_regs(s, &rec->sample.extra.regs_intr, rec->event->attr.sample_regs_intr);
}

/* u64 size and, unless it is 0, bytes[size] and u64 dyn_size, the number of valid bytes. */
static void read_stack_user(struct span *s, struct record *rec)
{
	uint64_t size = span_u64(s), valid;
	struct span bytes;

	if (size == 0)
		return;
	bytes = span_take(s, size);
	valid = span_u64(s);
	if (valid > size)
		span_fail(s);
	else
		rec->sample.extra.stack_user = span_take(&bytes, valid);
	rec->sample.extra.is_stack_short = valid < size;
}

static void read_weight(struct span *s, struct record *rec)
{
	rec->sample.extra.weight = span_u64(s);
}

static void read_data_src(struct span *s, struct record *rec)
{
	rec->sample.extra.data_src = span_u64(s);
}

static void read_transaction(struct span *s, struct record *rec)
{
	rec->sample.extra.transaction = span_u64(s);
}

static void read_phys_addr(struct span *s, struct record *rec)
{
	rec->sample.extra.phys_addr = span_u64(s);
}

static void read_cgroup(struct span *s, struct record *rec)
{
	rec->sample.extra.cgroup = span_u64(s);
}

static void read_data_page_size(struct span *s, struct record *rec)
{
	rec->sample.extra.data_page_size = span_u64(s);
}

static void read_code_page_size(struct span *s, struct record *rec)
{
	rec->sample.extra.code_page_size = span_u64(s);
}

static void read_aux(struct span *s, struct record *rec)
{
	uint64_t size = span_u64(s);

	rec->sample.extra.aux = span_take(s, size);
}

/* In ABI order, which is not the order of the bits. */
static const struct sample_field sample_fields[] = {
	{SAMPLE_IDENTIFIER, NULL},
	{SAMPLE_IP, NULL},
	{SAMPLE_TID, NULL},
	{SAMPLE_TIME, NULL},
	{SAMPLE_ADDR, NULL},
	{SAMPLE_ID, NULL},
	{SAMPLE_STREAM_ID, NULL},
	{SAMPLE_CPU, NULL},
	{SAMPLE_PERIOD, NULL},
	{SAMPLE_READ, read_values},
	{SAMPLE_CALLCHAIN, read_callchain},
	{SAMPLE_RAW, read_raw},
	{SAMPLE_BRANCH_STACK, read_branch_stack},
	{SAMPLE_REGS_USER, read_regs_user},
	{SAMPLE_STACK_USER, read_stack_user},
	{SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT, read_weight},
	{SAMPLE_DATA_SRC, read_data_src},
	{SAMPLE_TRANSACTION, read_transaction},
	{SAMPLE_REGS_INTR, read_regs_intr},
	{SAMPLE_PHYS_ADDR, read_phys_addr},
	{SAMPLE_CGROUP, read_cgroup},
	{SAMPLE_DATA_PAGE_SIZE, read_data_page_size},
	{SAMPLE_CODE_PAGE_SIZE, read_code_page_size},
	{SAMPLE_AUX, read_aux}, /* new fields have always been added before it */
};

enum { NR_FIELDS = sizeof(sample_fields) / sizeof(sample_fields[0]), FIRST_EXTRA = 11 };
_Static_assert((int)NR_FIELDS < (int)SAMPLE_FIELDS_MAX, "layout.fields must hold them all");

/* Not a field: completes the others of an off-CPU sample after they were read. */
static const struct sample_field offcpu_field = {0, offcpu_decode};

/* The trailer's fields, in order: the fields of a SAMPLE that every record can have. */
static const uint64_t trailer_bits[] = {SAMPLE_TID,	  SAMPLE_TIME, SAMPLE_ID,
					SAMPLE_STREAM_ID, SAMPLE_CPU,  SAMPLE_IDENTIFIER};

enum { NR_TRAILER_BITS = sizeof(trailer_bits) / sizeof(trailer_bits[0]) };

/* Bytes from field @bit of a trailer to the record's end; 0 if it has no such field. */
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

/* Bytes of a SAMPLE's body before field @bit; UINT16_MAX if it has no such field. */
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

uint16_t sample_trailer_id(const struct attr *attr)
{
	if (!(attr->flags & ATTR_SAMPLE_ID_ALL))
		return 0;
	if (attr->sample_type & SAMPLE_IDENTIFIER)
		return 8;
	return trailer_from(attr->sample_type, SAMPLE_ID);
}

/* Bytes of @field in a SAMPLE of @attr if its lists are empty; sets *@varies if it has a list. */
static uint16_t least_bytes(const struct attr *attr, uint64_t field, bool *varies)
{
	const uint64_t format = attr->read_format;
	const uint64_t times = format & (READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING);

	if (field == SAMPLE_READ && !(format & READ_GROUP))
		return (uint16_t)(value_bytes(format) + 8 * words(times));
	*varies = field & (SAMPLE_READ | SAMPLE_CALLCHAIN | SAMPLE_RAW | SAMPLE_BRANCH_STACK |
			   SAMPLE_REGS_USER | SAMPLE_REGS_INTR | SAMPLE_STACK_USER | SAMPLE_AUX);
	if (field == SAMPLE_READ)
		return (uint16_t)(8 + 8 * words(times));
	return field == SAMPLE_RAW ? 4 : 8;
}

/* Sets which sizes a SAMPLE of @attr can have. */
static void measure(struct sample_layout *layout, const struct attr *attr)
{
	unsigned nr_varying = attr->sample_type & SAMPLE_UNKNOWN ? 2 : 0;

	layout->least = RECORD_HEADER_BYTES;
	for (size_t i = 0; i < NR_FIELDS; i++) {
		uint64_t field = sample_fields[i].bit & attr->sample_type;
		bool varies = false;
		uint16_t bytes = field ? least_bytes(attr, field, &varies) : 0;

		nr_varying += varies;
		if (field == SAMPLE_CALLCHAIN && nr_varying == 1)
			layout->chain_offset = layout->least;
		layout->least = (uint16_t)(layout->least + bytes);
	}
	layout->varies = nr_varying > 0;
	if (nr_varying != 1)
		layout->chain_offset = 0;
}

/* Sets where the one-word fields are that most answers need. */
static void find_words(struct sample_layout *layout, uint64_t sample_type)
{
	const uint64_t needed = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME;

	layout->time_offset = sample_offset(sample_type, SAMPLE_TIME);
	layout->ip_offset = sample_offset(sample_type, SAMPLE_IP);
	layout->tid_offset = sample_offset(sample_type, SAMPLE_TID);
	layout->cpu_offset = sample_offset(sample_type, SAMPLE_CPU);
	layout->period_offset = sample_offset(sample_type, SAMPLE_PERIOD);
	layout->plain_chain = layout->nr_fields == 1 && sample_type & SAMPLE_CALLCHAIN;
	layout->plain = (layout->nr_fields == 0 || layout->plain_chain) &&
			(sample_type & (needed | SAMPLE_ADDR)) == needed;
}

void sample_layout_make(struct sample_layout *layout, const struct attr *attr)
{
	*layout = (struct sample_layout){0};
	for (size_t i = 0; i < NR_FIELDS; i++) {
		if (!(attr->sample_type & sample_fields[i].bit))
			continue;
		/* An unknown field of a newer kernel is before AUX, which cannot be found then. */
		if (sample_fields[i].bit == SAMPLE_AUX && attr->sample_type & SAMPLE_UNKNOWN)
			break;
		if (sample_fields[i].read)
			layout->fields[layout->nr_fields++] = &sample_fields[i];
		else
			layout->words_bytes = (uint16_t)(layout->words_bytes + 8);
		if (i >= FIRST_EXTRA)
			layout->has_extra = true;
	}
	if (offcpu_may_be(attr))
		layout->fields[layout->nr_fields++] = &offcpu_field;
	measure(layout, attr);
	find_words(layout, attr->sample_type);
	if (!(attr->flags & ATTR_SAMPLE_ID_ALL))
		return;
	for (size_t i = 0; i < NR_TRAILER_BITS; i++) {
		if (attr->sample_type & trailer_bits[i])
			layout->trailer_bytes = (uint16_t)(layout->trailer_bytes + 8);
	}
	layout->trailer_time = trailer_from(attr->sample_type, SAMPLE_TIME);
}

/*
 * As decode_fields() of an event that has more than one-word fields. The body comes in registers: a
 * copy of the span, whose members were stored a moment ago, would wait for all stores before.
 */
__attribute__((noinline)) static bool decode_all(struct record *rec, const uint8_t *bytes,
						 size_t len, bool swap, size_t *rest)
{
	const struct sample_layout *layout = &rec->event->layout;
	struct span s = span_make(bytes, len, swap);

	read_words(&s, rec);
	for (unsigned i = 0; i < layout->nr_fields; i++)
		layout->fields[i]->read(&s, rec);
	*rest = span_left(&s);
	return !s.failed;
}

/*
 * Reads all fields; *@rest gets the bytes left of @body. Most samples have only one-word fields,
 * which are read by a cursor that stays in registers.
 */
static bool decode_fields(struct record *rec, const struct span *body, size_t *rest)
{
	struct span s;

	if (rec->event->layout.nr_fields)
		return decode_all(rec, body->pos, span_left(body), body->swap, rest);
	s = span_make(body->pos, span_left(body), body->swap);
	read_words(&s, rec);
	*rest = span_left(&s);
	return !s.failed;
}

/* Whether there are such ABIs of registers: words of other fields were not taken for them. */
static bool has_known_abis(const struct sample_extra *extra)
{
	enum { LAST_ABI = 2 };

	return extra->regs_user.abi <= LAST_ABI && extra->regs_intr.abi <= LAST_ABI;
}

/* Decodes a sample with or without the optional parts of its branch stack. */
static bool decode_variant(struct record *rec, const struct span *body, bool hw_idx, bool counters,
			   size_t *rest)
{
	rec->sample.extra = (struct sample_extra){
		.branches = {.hw_idx = hw_idx ? 0 : UINT64_MAX, .nr = counters}};
	return decode_fields(rec, body, rest);
}

/*
 * The kernel omits hw_idx if there is no branch data (but writes it with an empty stack), and
 * writes counters only if the PMU supplied some, as requested by any member of the group. So the
 * variant that ends at the record's end is right, if what it takes for the ABI of registers can be
 * one; if there is none, use the attr's.
 */
__attribute__((noinline)) static bool decode_branchy(struct record *rec, const struct span *body,
						     size_t *rest)
{
	uint64_t type = rec->event->attr.branch_sample_type;
	const bool hw_idx = type & BRANCH_HW_INDEX, counters = type & BRANCH_COUNTERS;
	const struct {
		bool hw_idx, counters;
	} variants[] = {{hw_idx, counters}, {false, counters}, {hw_idx, !counters}};

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		if (decode_variant(rec, body, variants[i].hw_idx, variants[i].counters, rest) &&
		    *rest == 0 && has_known_abis(&rec->sample.extra))
			return true;
	}
	return decode_variant(rec, body, hw_idx, counters, rest);
}

bool sample_decode(struct record *rec, const struct span *body, size_t *rest)
{
	struct record_sample *sample = &rec->sample;

	sample->ip = sample->addr = sample->id = sample->stream_id = 0;
	sample->period = rec->event->attr.sample_period;
	sample->read.given = false;
	sample->callchain.ips =
		(struct span){.pos = body->end, .end = body->end, .swap = body->swap};
	if (rec->event->attr.sample_type & SAMPLE_BRANCH_STACK)
		return decode_branchy(rec, body, rest);
	if (rec->event->layout.has_extra)
		sample->extra = (struct sample_extra){0};
	return decode_fields(rec, body, rest);
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
	if (sample_type & SAMPLE_TIME) {
		rec->time = span_u64(&s);
		rec->has |= HAS_TIME;
	}
	if (sample_type & SAMPLE_ID)
		(void)span_u64(&s);
	if (sample_type & SAMPLE_STREAM_ID)
		(void)span_u64(&s);
	if (sample_type & SAMPLE_CPU) {
		rec->cpu = span_u32(&s);
		(void)span_u32(&s);
		rec->has |= HAS_CPU;
	}
}
