/*
 * Records: readperf/record.h over struct record. Which fields a type has, and where they are, is a
 * table; what samples have depends on their event, too.
 */
#include "lib/handles.h"
#include "perffile/format.h"

#include <readperf/record.h>

#include <string.h>

/* ---- which fields there are ------------------------------------------------------------------ */

#define NUMBER(field, name) [READPERF_FIELD_##field] = {name, READPERF_KIND_NUMBER}
#define TEXT(field, name)   [READPERF_FIELD_##field] = {name, READPERF_KIND_TEXT}
#define BYTES(field, name)  [READPERF_FIELD_##field] = {name, READPERF_KIND_BYTES}
#define WORDS(field, name)  [READPERF_FIELD_##field] = {name, READPERF_KIND_WORDS}

static const struct named_field {
	const char *name;
	enum readperf_field_kind kind;
} names[] = {
	NUMBER(PID, "pid"),
	NUMBER(TID, "tid"),
	NUMBER(TIME, "time"),
	NUMBER(CPU, "cpu"),
	NUMBER(IP, "ip"),
	NUMBER(ADDR, "addr"),
	NUMBER(PERIOD, "period"),
	NUMBER(ID, "id"),
	NUMBER(STREAM_ID, "stream_id"),
	WORDS(CALLCHAIN, "callchain"),
	BYTES(RAW, "raw"),
	WORDS(BRANCHES, "branches"),
	WORDS(REGS_USER, "regs_user"),
	WORDS(REGS_INTR, "regs_intr"),
	BYTES(STACK_USER, "stack_user"),
	NUMBER(WEIGHT, "weight"),
	NUMBER(DATA_SRC, "data_src"),
	NUMBER(TRANSACTION, "transaction"),
	NUMBER(PHYS_ADDR, "phys_addr"),
	NUMBER(CGROUP, "cgroup"),
	NUMBER(DATA_PAGE_SIZE, "data_page_size"),
	NUMBER(CODE_PAGE_SIZE, "code_page_size"),
	BYTES(AUX, "aux"),
	WORDS(VALUES, "values"),
	NUMBER(ENABLED, "enabled"),
	NUMBER(RUNNING, "running"),
	NUMBER(LEN, "len"),
	NUMBER(PGOFF, "pgoff"),
	NUMBER(PROT, "prot"),
	NUMBER(FLAGS, "flags"),
	TEXT(FILENAME, "filename"),
	BYTES(BUILD_ID, "build_id"),
	NUMBER(MAJ, "maj"),
	NUMBER(MIN, "min"),
	NUMBER(INO, "ino"),
	NUMBER(INO_GENERATION, "ino_generation"),
	TEXT(COMM, "comm"),
	NUMBER(PPID, "ppid"),
	NUMBER(PTID, "ptid"),
	NUMBER(LOST, "lost"),
	NUMBER(OFFSET, "offset"),
	NUMBER(NEXT_PREV_PID, "next_prev_pid"),
	NUMBER(NEXT_PREV_TID, "next_prev_tid"),
	WORDS(NAMESPACES, "namespaces"),
	NUMBER(KIND, "kind"),
	TEXT(NAME, "name"),
	BYTES(TAG, "tag"),
	TEXT(PATH, "path"),
	BYTES(OLD_BYTES, "old_bytes"),
	BYTES(NEW_BYTES, "new_bytes"),
	NUMBER(HW_ID, "hw_id"),
	NUMBER(COOKIE, "cookie"),
	NUMBER(NR, "nr"),
	BYTES(ENTRIES, "entries"),
	NUMBER(REFERENCE, "reference"),
	NUMBER(IDX, "idx"),
	WORDS(PRIV, "priv"),
	NUMBER(CODE, "code"),
	TEXT(MESSAGE, "message"),
	NUMBER(VALUE, "value"),
	NUMBER(THREAD, "thread"),
	BYTES(DATA, "data"),
	NUMBER(TIME_SHIFT, "time_shift"),
	NUMBER(TIME_MULT, "time_mult"),
	NUMBER(TIME_ZERO, "time_zero"),
	NUMBER(VAR2_W, "var2_w"),
	NUMBER(VAR3_W, "var3_w"),
};

enum { NR_NAMES = sizeof(names) / sizeof(names[0]) };

const char *readperf_field_name(int field)
{
	return field > 0 && field < NR_NAMES ? names[field].name : NULL;
}

int readperf_field_kind(int field)
{
	return field > 0 && field < NR_NAMES ? (int)names[field].kind : 0;
}

/* ---- where they are -------------------------------------------------------------------------- */

enum field_form { FORM_U16, FORM_U32, FORM_U64, FORM_TEXT, FORM_SPAN, FORM_TAG };

struct field_place {
	uint16_t type; /* of the record */
	uint8_t field, form;
	uint16_t offset; /* in struct record */
	uint64_t needs;	 /* SAMPLE_ bits, one of which the event of a sample must have; 0: none */
};

#define AT(type, field, form, member)                               \
	{                                                           \
		RECORD_##type, READPERF_FIELD_##field, FORM_##form, \
			offsetof(struct record, member), 0          \
	}
#define SAMPLED(bit, field, form, member)                                    \
	{                                                                    \
		RECORD_SAMPLE, READPERF_FIELD_##field, FORM_##form,          \
			offsetof(struct record, sample.member), SAMPLE_##bit \
	}

#define MAPPED(type)                                                   \
	AT(type, ADDR, U64, mmap.start), AT(type, LEN, U64, mmap.len), \
		AT(type, PGOFF, U64, mmap.pgoff), AT(type, FILENAME, TEXT, mmap.filename)
#define TASK(type)                                                      \
	AT(type, PPID, U32, task.ppid), AT(type, PTID, U32, task.ptid), \
		AT(type, TIME, U64, task.time)
#define LIST(type) AT(type, NR, U64, list.nr), AT(type, ENTRIES, SPAN, list.entries)

static const struct field_place places[] = {
	SAMPLED(IP, IP, U64, ip),
	SAMPLED(ADDR, ADDR, U64, addr),
	SAMPLED(ID | SAMPLE_IDENTIFIER, ID, U64, id),
	SAMPLED(STREAM_ID, STREAM_ID, U64, stream_id),
	SAMPLED(CALLCHAIN, CALLCHAIN, SPAN, callchain.ips),
	SAMPLED(RAW, RAW, SPAN, extra.raw),
	SAMPLED(BRANCH_STACK, BRANCHES, SPAN, extra.branches.entries),
	SAMPLED(REGS_USER, REGS_USER, SPAN, extra.regs_user.values),
	SAMPLED(REGS_INTR, REGS_INTR, SPAN, extra.regs_intr.values),
	SAMPLED(STACK_USER, STACK_USER, SPAN, extra.stack_user),
	SAMPLED(WEIGHT | SAMPLE_WEIGHT_STRUCT, WEIGHT, U64, extra.weight),
	SAMPLED(WEIGHT_STRUCT, VAR2_W, U64, extra.weight),
	SAMPLED(WEIGHT_STRUCT, VAR3_W, U64, extra.weight),
	SAMPLED(DATA_SRC, DATA_SRC, U64, extra.data_src),
	SAMPLED(TRANSACTION, TRANSACTION, U64, extra.transaction),
	SAMPLED(PHYS_ADDR, PHYS_ADDR, U64, extra.phys_addr),
	SAMPLED(CGROUP, CGROUP, U64, extra.cgroup),
	SAMPLED(DATA_PAGE_SIZE, DATA_PAGE_SIZE, U64, extra.data_page_size),
	SAMPLED(CODE_PAGE_SIZE, CODE_PAGE_SIZE, U64, extra.code_page_size),
	SAMPLED(AUX, AUX, SPAN, extra.aux),
	MAPPED(MMAP),
	MAPPED(MMAP2),
	AT(MMAP2, PROT, U32, mmap.prot),
	AT(MMAP2, FLAGS, U32, mmap.flags),
	AT(COMM, COMM, TEXT, comm.comm),
	TASK(FORK),
	TASK(EXIT),
	AT(LOST, ID, U64, lost.id),
	AT(LOST, LOST, U64, lost.lost),
	AT(LOST_SAMPLES, LOST, U64, lost.lost),
	AT(THROTTLE, ID, U64, throttle.id),
	AT(THROTTLE, STREAM_ID, U64, throttle.stream_id),
	AT(UNTHROTTLE, ID, U64, throttle.id),
	AT(UNTHROTTLE, STREAM_ID, U64, throttle.stream_id),
	AT(AUX, OFFSET, U64, aux.offset),
	AT(AUX, LEN, U64, aux.len),
	AT(AUX, FLAGS, U64, aux.flags),
	AT(SWITCH_CPU_WIDE, NEXT_PREV_PID, U32, cpu_switch.next_prev_pid),
	AT(SWITCH_CPU_WIDE, NEXT_PREV_TID, U32, cpu_switch.next_prev_tid),
	AT(NAMESPACES, NR, U64, namespaces.nr),
	AT(NAMESPACES, NAMESPACES, SPAN, namespaces.entries),
	AT(KSYMBOL, ADDR, U64, ksymbol.addr),
	AT(KSYMBOL, LEN, U32, ksymbol.len),
	AT(KSYMBOL, KIND, U16, ksymbol.type),
	AT(KSYMBOL, FLAGS, U16, ksymbol.flags),
	AT(KSYMBOL, NAME, TEXT, ksymbol.name),
	AT(BPF_EVENT, KIND, U16, bpf_event.type),
	AT(BPF_EVENT, FLAGS, U16, bpf_event.flags),
	AT(BPF_EVENT, ID, U32, bpf_event.id),
	AT(BPF_EVENT, TAG, TAG, bpf_event.tag),
	AT(CGROUP, CGROUP, U64, cgroup.id),
	AT(CGROUP, PATH, TEXT, cgroup.path),
	AT(TEXT_POKE, ADDR, U64, text_poke.addr),
	AT(TEXT_POKE, OLD_BYTES, SPAN, text_poke.old_bytes),
	AT(TEXT_POKE, NEW_BYTES, SPAN, text_poke.new_bytes),
	AT(AUX_OUTPUT_HW_ID, HW_ID, U64, hw_id),
	AT(CALLCHAIN_DEFERRED, COOKIE, U64, deferred.cookie),
	AT(CALLCHAIN_DEFERRED, CALLCHAIN, SPAN, deferred.ips),
	LIST(ID_INDEX),
	LIST(THREAD_MAP),
	LIST(STAT_CONFIG),
	AT(AUXTRACE, LEN, U64, auxtrace.len),
	AT(AUXTRACE, OFFSET, U64, auxtrace.offset),
	AT(AUXTRACE, REFERENCE, U64, auxtrace.reference),
	AT(AUXTRACE, IDX, U32, auxtrace.idx),
	AT(AUXTRACE_INFO, KIND, U32, auxtrace_info.type),
	AT(AUXTRACE_INFO, PRIV, SPAN, auxtrace_info.priv),
	AT(AUXTRACE_ERROR, KIND, U32, auxtrace_error.type),
	AT(AUXTRACE_ERROR, CODE, U32, auxtrace_error.code),
	AT(AUXTRACE_ERROR, MESSAGE, TEXT, auxtrace_error.message),
	AT(STAT, ID, U64, stat_value.id),
	AT(STAT, VALUE, U64, stat_value.value),
	AT(STAT, ENABLED, U64, stat_value.enabled),
	AT(STAT, RUNNING, U64, stat_value.running),
	AT(STAT, THREAD, U32, stat_value.thread),
	AT(STAT_ROUND, KIND, U64, stat_round.type),
	AT(EVENT_UPDATE, KIND, U64, event_update.type),
	AT(EVENT_UPDATE, ID, U64, event_update.id),
	AT(EVENT_UPDATE, DATA, SPAN, event_update.data),
	AT(TIME_CONV, TIME_SHIFT, U64, time_conv.shift),
	AT(TIME_CONV, TIME_MULT, U64, time_conv.mult),
	AT(TIME_CONV, TIME_ZERO, U64, time_conv.zero),
};

/* Whether a field of a sample was recorded; fields after the chain are set only if some are. */
static bool is_sampled(const struct record *rec, const struct field_place *place)
{
	const struct event *event = rec->event;

	if (!place->needs)
		return true;
	if (!event || !(event->attr.sample_type & place->needs))
		return false;
	return place->offset < offsetof(struct record, sample.extra) || event->layout.has_extra;
}

/* Returns the place of @field in @rec, NULL if it does not have it. */
static const struct field_place *find_place(const struct record *rec, int field)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i].type == rec->type && places[i].field == field &&
		    is_sampled(rec, &places[i]))
			return &places[i];
	return NULL;
}

static const void *value_at(const struct record *rec, const struct field_place *place)
{
	return (const char *)rec + place->offset;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_mmap2(const struct record *rec)
{
	return rec->type == RECORD_MMAP2;
}

/* Numbers that most records have, or samples; returns -1 if @field is none of these. */
static int common_number(const struct record *rec, int field, uint64_t *value)
{
	const bool sample = rec->type == RECORD_SAMPLE;

	switch (field) {
	case READPERF_FIELD_PID:
		*value = rec->pid;
		return (rec->has & HAS_PID) != 0;
	case READPERF_FIELD_TID:
		*value = rec->tid;
		return (rec->has & HAS_TID) != 0;
	case READPERF_FIELD_TIME:
		*value = rec->time;
		return rec->has & HAS_TIME ? 1 : -1;
	case READPERF_FIELD_CPU:
		*value = rec->cpu;
		return (rec->has & HAS_CPU) != 0;
	case READPERF_FIELD_PERIOD:
		*value = sample ? rec->sample.period : 0;
		return sample;
	default:
		return -1;
	}
}

/* Numbers of a file that was mapped; returns -1 if @field is none of these. */
static int file_number(const struct record *rec, int field, uint64_t *value)
{
	const struct file_id *file = &rec->mmap.file;

	switch (field) {
	case READPERF_FIELD_MAJ:
		*value = file->maj;
		break;
	case READPERF_FIELD_MIN:
		*value = file->min;
		break;
	case READPERF_FIELD_INO:
		*value = file->ino;
		break;
	case READPERF_FIELD_INO_GENERATION:
		*value = file->generation;
		break;
	default:
		return -1;
	}
	return !(rec->misc & MISC_MMAP_BUILD_ID);
}

/* How long a sample's counters were enabled and ran; returns -1 if @field is none of these. */
static int counter_time(const struct record *rec, int field, uint64_t *value)
{
	const bool enabled = field == READPERF_FIELD_ENABLED;
	struct sample_read read = rec->sample.read;
	struct read_value first;

	if (rec->type != RECORD_SAMPLE || (!enabled && field != READPERF_FIELD_RUNNING))
		return -1;
	if (!read.given ||
	    !(read.format & (enabled ? READ_TOTAL_TIME_ENABLED : READ_TOTAL_TIME_RUNNING)))
		return 0;
	/* of a single counter they come after its value */
	if (!(read.format & READ_GROUP))
		sample_read_next(&read, &first);
	*value = enabled ? read.enabled : read.running;
	return 1;
}

/* The part of a sample's weight that @field is; @word itself if it is none. */
static uint64_t weight_part(const struct record *rec, int field, uint64_t word)
{
	switch (field) {
	case READPERF_FIELD_WEIGHT:
		return rec->event->attr.sample_type & SAMPLE_WEIGHT_STRUCT ? word & UINT32_MAX
									   : word;
	case READPERF_FIELD_VAR2_W:
		return word >> 32 & UINT16_MAX;
	case READPERF_FIELD_VAR3_W:
		return word >> 48;
	default:
		return word;
	}
}

int readperf_record_number(const struct readperf_record *record, int field, uint64_t *value)
{
	const struct record *rec = handles_record(record);
	const struct field_place *place;
	int has;

	*value = 0;
	has = common_number(rec, field, value);
	if (has < 0 && is_mmap2(rec))
		has = file_number(rec, field, value);
	if (has < 0)
		has = counter_time(rec, field, value);
	if (has >= 0) {
		*value = has ? *value : 0;
		return has;
	}
	*value = 0;
	place = find_place(rec, field);
	if (!place || place->form > FORM_U64)
		return 0;
	if (place->form == FORM_U16)
		*value = *(const uint16_t *)value_at(rec, place);
	else if (place->form == FORM_U32)
		*value = *(const uint32_t *)value_at(rec, place);
	else
		*value = weight_part(rec, field, *(const uint64_t *)value_at(rec, place));
	return 1;
}

size_t readperf_records_numbers(const struct readperf_record *const *records, size_t nr, int field,
				uint64_t *values, uint8_t *has)
{
	size_t nr_with = 0;

	for (size_t i = 0; i < nr; i++) {
		const int with = readperf_record_number(records[i], field, &values[i]);

		if (has)
			has[i] = (uint8_t)with;
		nr_with += (size_t)with;
	}
	return nr_with;
}

const char *readperf_record_text(const struct readperf_record *record, int field)
{
	const struct record *rec = handles_record(record);
	const struct field_place *place = find_place(rec, field);

	return place && place->form == FORM_TEXT ? *(const char *const *)value_at(rec, place)
						 : NULL;
}

const unsigned char *readperf_record_bytes(const struct readperf_record *record, int field,
					   size_t *len)
{
	const struct record *rec = handles_record(record);
	const struct field_place *place = find_place(rec, field);
	const struct span *span;

	*len = 0;
	if (is_mmap2(rec) && field == READPERF_FIELD_BUILD_ID) {
		*len = rec->mmap.build_id.len;
		return *len ? rec->mmap.build_id.bytes : NULL;
	}
	if (!place || readperf_field_kind(field) != READPERF_KIND_BYTES)
		return NULL;
	if (place->form == FORM_TAG) {
		*len = sizeof(rec->bpf_event.tag);
		return rec->bpf_event.tag;
	}
	span = value_at(rec, place);
	*len = span_left(span);
	return span->pos;
}

/* The values of a sample's counters, each with its id. */
static size_t copy_values(const struct record *rec, uint64_t *words, size_t room)
{
	struct sample_read read = rec->sample.read;
	struct read_value value;
	size_t nr = 0;

	while (sample_read_next(&read, &value)) {
		if (nr < room)
			words[nr] = value.value;
		if (nr + 1 < room)
			words[nr + 1] = value.id;
		nr += 2;
	}
	return nr;
}

/* Puts the next words of @span into @words, at most three. Returns how many. */
static size_t take_words(struct span *span, int field, uint64_t words[3])
{
	struct branch_entry branch;

	if (field != READPERF_FIELD_BRANCHES) {
		if (!span_holds(span, 1, sizeof(uint64_t)))
			return 0;
		words[0] = span_u64(span);
		return 1;
	}
	if (!sample_branch_next(span, &branch))
		return 0;
	words[0] = branch.from;
	words[1] = branch.to;
	words[2] = branch.flags;
	return 3;
}

size_t readperf_record_words(const struct readperf_record *record, int field, uint64_t *words,
			     size_t room)
{
	const struct record *rec = handles_record(record);
	const struct field_place *place = find_place(rec, field);
	size_t nr = 0, nr_taken;
	uint64_t taken[3];
	struct span span;

	if (rec->type == RECORD_SAMPLE && field == READPERF_FIELD_VALUES)
		return rec->sample.read.given ? copy_values(rec, words, room) : 0;
	if (!place || readperf_field_kind(field) != READPERF_KIND_WORDS)
		return 0;
	memcpy(&span, value_at(rec, place), sizeof(span));
	while ((nr_taken = take_words(&span, field, taken)) > 0)
		for (size_t i = 0; i < nr_taken; i++, nr++)
			if (nr < room)
				words[nr] = taken[i];
	return nr;
}

int readperf_record_has(const struct readperf_record *record, int field)
{
	const struct record *rec = handles_record(record);
	uint64_t number;

	if (readperf_field_kind(field) == READPERF_KIND_NUMBER)
		return readperf_record_number(record, field, &number);
	if (field == READPERF_FIELD_BUILD_ID)
		return is_mmap2(rec) && rec->mmap.build_id.len > 0;
	if (field == READPERF_FIELD_VALUES)
		return rec->type == RECORD_SAMPLE && rec->sample.read.given;
	return find_place(rec, field) != NULL;
}

/* ---- the header ------------------------------------------------------------------------------ */

uint32_t readperf_record_type(const struct readperf_record *record)
{
	return handles_record(record)->type;
}

const char *readperf_record_type_name(uint32_t type)
{
	return record_type_name(type);
}

uint16_t readperf_record_misc(const struct readperf_record *record)
{
	return handles_record(record)->misc;
}

int readperf_record_cpumode(const struct readperf_record *record)
{
	return (int)record_cpumode(handles_record(record));
}

uint32_t readperf_record_size(const struct readperf_record *record)
{
	return handles_record(record)->size;
}

uint64_t readperf_record_index(const struct readperf_record *record)
{
	return handles_record(record)->nr;
}

uint64_t readperf_record_offset(const struct readperf_record *record)
{
	return handles_record(record)->file_offset;
}

int readperf_record_is_late(const struct readperf_record *record)
{
	return handles_record(record)->late;
}

const struct readperf_event *readperf_record_event(const struct readperf_record *record)
{
	return handles_public_event(handles_record(record)->event);
}
