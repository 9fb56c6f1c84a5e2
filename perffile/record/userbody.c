/* Bodies of the records that perf itself writes: tools/lib/perf/include/perf/event.h. */
#include "perffile/record/body.h"

/* u64 nr, then @entry_bytes for each. */
static void decode_list(struct span *s, struct record *rec, size_t entry_bytes)
{
	rec->list = (struct record_list){.nr = span_u64(s)};
	if (!span_holds(s, rec->list.nr, entry_bytes))
		span_fail(s);
	else
		rec->list.entries = span_take(s, rec->list.nr * entry_bytes);
}

void userbody_id_index(struct span *s, struct record *rec)
{
	enum { ENTRY_BYTES = 32 }; /* u64 id, idx, cpu, tid */

	decode_list(s, rec, ENTRY_BYTES);
}

void userbody_thread_map(struct span *s, struct record *rec)
{
	enum { ENTRY_BYTES = 24 }; /* u64 pid, char comm[16] */

	decode_list(s, rec, ENTRY_BYTES);
}

void userbody_stat_config(struct span *s, struct record *rec)
{
	enum { ENTRY_BYTES = 16 }; /* u64 tag, u64 value */

	decode_list(s, rec, ENTRY_BYTES);
}

void userbody_auxtrace_info(struct span *s, struct record *rec)
{
	rec->auxtrace_info.type = span_u32(s);
	(void)span_u32(s);
	rec->auxtrace_info.priv = span_take(s, span_left(s));
}

void userbody_auxtrace(struct span *s, struct record *rec)
{
	rec->auxtrace = (struct record_auxtrace){.len = span_u64(s)};
	rec->auxtrace.offset = span_u64(s);
	rec->auxtrace.reference = span_u64(s);
	rec->auxtrace.idx = span_u32(s);
	rec->tid = span_u32(s);
	rec->cpu = span_u32(s);
	rec->has |= HAS_TID | HAS_CPU;
}

/* u32 type, code, cpu, pid, tid, fmt, u64 ip, [u64 time from fmt 1 on], then the message. */
void userbody_auxtrace_error(struct span *s, struct record *rec)
{
	uint32_t format;

	rec->auxtrace_error = (struct record_auxtrace_error){.type = span_u32(s)};
	rec->auxtrace_error.code = span_u32(s);
	rec->cpu = span_u32(s);
	rec->pid = span_u32(s);
	rec->tid = span_u32(s);
	format = span_u32(s);
	span_skip(s, 8);
	rec->has |= HAS_PID | HAS_TID | HAS_CPU;
	if (format >= 1) {
		rec->time = span_u64(s);
		rec->has |= HAS_TIME;
	}
	rec->auxtrace_error.message = span_cstr(s, &rec->auxtrace_error.message_len);
}

void userbody_stat(struct span *s, struct record *rec)
{
	rec->stat_value.id = span_u64(s);
	rec->cpu = span_u32(s);
	rec->has |= HAS_CPU;
	rec->stat_value.thread = span_u32(s);
	rec->stat_value.value = span_u64(s);
	rec->stat_value.enabled = span_u64(s);
	rec->stat_value.running = span_u64(s);
}

void userbody_stat_round(struct span *s, struct record *rec)
{
	rec->stat_round.type = span_u64(s);
	rec->time = span_u64(s);
	rec->has |= HAS_TIME;
}

void userbody_event_update(struct span *s, struct record *rec)
{
	rec->event_update.type = span_u64(s);
	rec->event_update.id = span_u64(s);
	rec->event_update.data = span_take(s, span_left(s));
}

void userbody_time_conv(struct span *s, struct record *rec)
{
	rec->time_conv.shift = span_u64(s);
	rec->time_conv.mult = span_u64(s);
	rec->time_conv.zero = span_u64(s);
	if (!span_holds(s, 3, 8))
		return;
	rec->time_conv.cycles = span_u64(s);
	rec->time_conv.mask = span_u64(s);
	span_u8(s); /* whether zero is valid: perf writes the record only then */
	rec->time_conv.is_short = span_u8(s);
}
