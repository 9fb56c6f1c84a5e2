#include "perffile/record.h"

#include "perffile/decode.h"
#include "perffile/sample.h"

/*
 * A record type: its name and how its body is read. @decode takes the body off the cursor, up to
 * where the trailer may start, and sets failed if it is too short. A new type is a row here.
 */
struct record_kind {
	const char *name;
	void (*decode)(struct span *body, struct record *rec);
};

static void read_pid_tid(struct span *s, struct record *rec)
{
	rec->pid = span_u32(s);
	rec->tid = span_u32(s);
	rec->has |= HAS_PID | HAS_TID;
}

/*
 * A string is zero-padded to a multiple of 8 bytes, but other writers pad more or less, so what
 * follows it is found from the record's end.
 */
static const char *read_string(struct span *s, size_t *len)
{
	const char *str = span_cstr(s, len);

	return str ? str : "";
}

static void decode_mmap(struct span *s, struct record *rec)
{
	read_pid_tid(s, rec);
	rec->mmap = (struct record_mmap){.start = span_u64(s)};
	rec->mmap.len = span_u64(s);
	rec->mmap.pgoff = span_u64(s);
	rec->mmap.filename = read_string(s, &rec->mmap.filename_len);
}

/* Where MMAP2 has device and inode, misc bit 14 puts a build id: u8 size, 3 bytes, then the id. */
static void read_build_id(struct span s, struct build_id *id)
{
	id->len = span_u8(&s);
	span_skip(&s, 3);
	span_bytes(&s, id->bytes, sizeof(id->bytes));
	if (id->len > sizeof(id->bytes))
		id->len = sizeof(id->bytes);
}

static void decode_mmap2(struct span *s, struct record *rec)
{
	enum { UNION_BYTES = 24 };
	struct span file;

	read_pid_tid(s, rec);
	rec->mmap = (struct record_mmap){.start = span_u64(s)};
	rec->mmap.len = span_u64(s);
	rec->mmap.pgoff = span_u64(s);
	file = span_take(s, UNION_BYTES);
	if (rec->misc & MISC_MMAP_BUILD_ID)
		read_build_id(file, &rec->mmap.build_id);
	rec->mmap.prot = span_u32(s);
	rec->mmap.flags = span_u32(s);
	rec->mmap.filename = read_string(s, &rec->mmap.filename_len);
}

static void decode_comm(struct span *s, struct record *rec)
{
	read_pid_tid(s, rec);
	rec->comm.comm = read_string(s, &rec->comm.comm_len);
}

/* The order is pid, ppid, tid, ptid. */
static void decode_task(struct span *s, struct record *rec)
{
	rec->pid = span_u32(s);
	rec->task.ppid = span_u32(s);
	rec->tid = span_u32(s);
	rec->task.ptid = span_u32(s);
	rec->task.time = span_u64(s);
	rec->time = rec->task.time;
	rec->has |= HAS_PID | HAS_TID | HAS_TIME;
}

static void decode_lost(struct span *s, struct record *rec)
{
	rec->lost.id = span_u64(s);
	rec->lost.lost = span_u64(s);
}

static void decode_lost_samples(struct span *s, struct record *rec)
{
	rec->lost = (struct record_lost){.lost = span_u64(s)};
}

static void decode_throttle(struct span *s, struct record *rec)
{
	rec->time = span_u64(s);
	rec->has |= HAS_TIME;
	rec->throttle.id = span_u64(s);
	rec->throttle.stream_id = span_u64(s);
}

static void decode_read(struct span *s, struct record *rec)
{
	read_pid_tid(s, rec);
}

static const struct record_kind record_kinds[RECORD_NAMED_MAX] = {
	[RECORD_MMAP] = {"MMAP", decode_mmap},
	[RECORD_LOST] = {"LOST", decode_lost},
	[RECORD_COMM] = {"COMM", decode_comm},
	[RECORD_EXIT] = {"EXIT", decode_task},
	[RECORD_THROTTLE] = {"THROTTLE", decode_throttle},
	[RECORD_UNTHROTTLE] = {"UNTHROTTLE", decode_throttle},
	[RECORD_FORK] = {"FORK", decode_task},
	[RECORD_READ] = {"READ", decode_read},
	[RECORD_SAMPLE] = {"SAMPLE", NULL}, /* laid out by its event: sample.c */
	[RECORD_MMAP2] = {"MMAP2", decode_mmap2},
	[RECORD_AUX] = {"AUX", NULL},
	[12] = {"ITRACE_START", NULL},
	[RECORD_LOST_SAMPLES] = {"LOST_SAMPLES", decode_lost_samples},
	[14] = {"SWITCH", NULL},
	[15] = {"SWITCH_CPU_WIDE", NULL},
	[16] = {"NAMESPACES", NULL},
	[17] = {"KSYMBOL", NULL},
	[18] = {"BPF_EVENT", NULL},
	[19] = {"CGROUP", NULL},
	[20] = {"TEXT_POKE", NULL},
	[21] = {"AUX_OUTPUT_HW_ID", NULL},
	[22] = {"CALLCHAIN_DEFERRED", NULL},
	[64] = {"HEADER_ATTR", NULL},
	[65] = {"HEADER_EVENT_TYPE", NULL},
	[RECORD_HEADER_TRACING_DATA] = {"HEADER_TRACING_DATA", NULL},
	[67] = {"HEADER_BUILD_ID", NULL},
	[RECORD_FINISHED_ROUND] = {"FINISHED_ROUND", NULL},
	[69] = {"ID_INDEX", NULL},
	[70] = {"AUXTRACE_INFO", NULL},
	[RECORD_AUXTRACE] = {"AUXTRACE", NULL},
	[72] = {"AUXTRACE_ERROR", NULL},
	[73] = {"THREAD_MAP", NULL},
	[74] = {"CPU_MAP", NULL},
	[75] = {"STAT_CONFIG", NULL},
	[76] = {"STAT", NULL},
	[77] = {"STAT_ROUND", NULL},
	[78] = {"EVENT_UPDATE", NULL},
	[79] = {"TIME_CONV", NULL},
	[80] = {"HEADER_FEATURE", NULL},
	[81] = {"COMPRESSED", NULL},
	[82] = {"FINISHED_INIT", NULL},
	[83] = {"COMPRESSED2", NULL},
	[84] = {"BPF_METADATA", NULL},
	[85] = {"SCHEDSTAT_CPU", NULL},
	[86] = {"SCHEDSTAT_DOMAIN", NULL},
};

const char *record_type_name(uint32_t type)
{
	return type < RECORD_NAMED_MAX ? record_kinds[type].name : NULL;
}

/*
 * The trailer counts from the record's end. Some old writers synthesize records without one even
 * though sample_id_all is set: then the body reaches into its place, and there is none.
 */
static void decode_trailer(struct record *rec, const struct span *body, const struct span *rest)
{
	uint16_t trailer_bytes = rec->event->layout.trailer_bytes;
	struct span trailer = *body;

	if (trailer_bytes == 0 || span_left(rest) < trailer_bytes)
		return;
	trailer.pos = trailer.end - trailer_bytes;
	sample_trailer_decode(rec, trailer);
}

static enum decode_result decode_other(struct record *rec, const struct span *body,
				       struct event_set *events)
{
	struct span rest = *body;

	if (rec->type < RECORD_NAMED_MAX && record_kinds[rec->type].decode) {
		record_kinds[rec->type].decode(&rest, rec);
		if (rest.failed)
			return DECODE_DAMAGED;
	}
	if (rec->type >= RECORD_USER_FIRST)
		return DECODE_OK;
	rec->event = events_of_record(events, body);
	if (rec->event)
		decode_trailer(rec, body, &rest);
	return DECODE_OK;
}

enum decode_result decode_record(struct record *rec, const struct raw_record *raw, bool swap,
				 struct event_set *events)
{
	struct span body = raw_body(raw, swap);

	rec->nr = raw->nr;
	rec->file_offset = raw_file_offset(raw);
	rec->type = raw->type;
	rec->misc = raw->misc;
	rec->size = raw->size;
	rec->has = 0;
	rec->event = NULL;
	if (raw->type != RECORD_SAMPLE)
		return decode_other(rec, &body, events);
	rec->event = events_of_sample(events, &body);
	if (!rec->event)
		return DECODE_UNKNOWN_ID;
	return sample_decode(rec, body) ? DECODE_OK : DECODE_DAMAGED;
}
