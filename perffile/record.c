#include "perffile/record.h"

#include "perffile/body.h"
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

static const struct record_kind record_kinds[RECORD_NAMED_MAX] = {
	[RECORD_MMAP] = {"MMAP", decode_mmap},
	[RECORD_LOST] = {"LOST", decode_lost},
	[RECORD_COMM] = {"COMM", decode_comm},
	[RECORD_EXIT] = {"EXIT", decode_task},
	[RECORD_THROTTLE] = {"THROTTLE", decode_throttle},
	[RECORD_UNTHROTTLE] = {"UNTHROTTLE", decode_throttle},
	[RECORD_FORK] = {"FORK", decode_task},
	[RECORD_READ] = {"READ", decode_pid_tid},
	[RECORD_SAMPLE] = {"SAMPLE", NULL}, /* laid out by its event: sample.c */
	[RECORD_MMAP2] = {"MMAP2", decode_mmap2},
	[RECORD_AUX] = {"AUX", decode_aux},
	[RECORD_ITRACE_START] = {"ITRACE_START", decode_pid_tid},
	[RECORD_LOST_SAMPLES] = {"LOST_SAMPLES", decode_lost_samples},
	[RECORD_SWITCH] = {"SWITCH", NULL}, /* its misc says all */
	[RECORD_SWITCH_CPU_WIDE] = {"SWITCH_CPU_WIDE", decode_switch_cpu_wide},
	[RECORD_NAMESPACES] = {"NAMESPACES", decode_namespaces},
	[RECORD_KSYMBOL] = {"KSYMBOL", decode_ksymbol},
	[RECORD_BPF_EVENT] = {"BPF_EVENT", decode_bpf_event},
	[RECORD_CGROUP] = {"CGROUP", decode_cgroup},
	[RECORD_TEXT_POKE] = {"TEXT_POKE", decode_text_poke},
	[RECORD_AUX_OUTPUT_HW_ID] = {"AUX_OUTPUT_HW_ID", decode_hw_id},
	[RECORD_CALLCHAIN_DEFERRED] = {"CALLCHAIN_DEFERRED", decode_deferred},
	/* What these say of the recording itself is acted on when they are framed: meta.c,
	   stream.c. */
	[RECORD_HEADER_ATTR] = {"HEADER_ATTR", NULL},
	[RECORD_HEADER_EVENT_TYPE] = {"HEADER_EVENT_TYPE", NULL},
	[RECORD_HEADER_TRACING_DATA] = {"HEADER_TRACING_DATA", NULL},
	[RECORD_HEADER_BUILD_ID] = {"HEADER_BUILD_ID", NULL},
	[RECORD_FINISHED_ROUND] = {"FINISHED_ROUND", NULL},
	[RECORD_ID_INDEX] = {"ID_INDEX", decode_id_index},
	[RECORD_AUXTRACE_INFO] = {"AUXTRACE_INFO", decode_auxtrace_info},
	[RECORD_AUXTRACE] = {"AUXTRACE", decode_auxtrace},
	[RECORD_AUXTRACE_ERROR] = {"AUXTRACE_ERROR", decode_auxtrace_error},
	[RECORD_THREAD_MAP] = {"THREAD_MAP", decode_thread_map},
	[RECORD_CPU_MAP] = {"CPU_MAP", NULL},
	[RECORD_STAT_CONFIG] = {"STAT_CONFIG", decode_stat_config},
	[RECORD_STAT] = {"STAT", decode_stat},
	[RECORD_STAT_ROUND] = {"STAT_ROUND", decode_stat_round},
	[RECORD_EVENT_UPDATE] = {"EVENT_UPDATE", decode_event_update},
	[RECORD_TIME_CONV] = {"TIME_CONV", decode_time_conv},
	[RECORD_HEADER_FEATURE] = {"HEADER_FEATURE", NULL},
	[RECORD_COMPRESSED] = {"COMPRESSED", NULL},
	[82] = {"FINISHED_INIT", NULL},
	[RECORD_COMPRESSED2] = {"COMPRESSED2", NULL},
	[84] = {"BPF_METADATA", NULL},
	[85] = {"SCHEDSTAT_CPU", NULL},
	[86] = {"SCHEDSTAT_DOMAIN", NULL},
};

const char *record_type_name(uint32_t type)
{
	return type < RECORD_NAMED_MAX ? record_kinds[type].name : NULL;
}

bool record_type_may_exist(uint32_t type)
{
	return type > 0 && type <= UINT16_MAX;
}

bool raw_tracing_data(const struct raw_record *raw, bool swap, struct span *data)
{
	enum { PERF_BYTES = 16 }; /* of the record as perf writes it, at most */
	struct span body = raw_body(raw, swap);

	if (raw->type != RECORD_HEADER_TRACING_DATA || raw->size <= PERF_BYTES)
		return false;
	*data = span_take(&body, span_u32(&body));
	return !body.failed;
}

uint64_t raw_payload_bytes(const struct raw_record *raw, bool swap)
{
	enum { AUXTRACE_BYTES = 48 };
	struct span body = raw_body(raw, swap), inside;

	if (raw->type == RECORD_AUXTRACE && raw->size == AUXTRACE_BYTES)
		return span_u64(&body);
	if (raw->type == RECORD_HEADER_TRACING_DATA && !raw_tracing_data(raw, swap, &inside))
		return span_u32(&body);
	return 0;
}

size_t record_string_offset(uint32_t type)
{
	switch (type) {
	case RECORD_MMAP:
		return 32;
	case RECORD_MMAP2:
		return 64;
	case RECORD_COMM:
	case RECORD_CGROUP:
		return 8;
	case RECORD_KSYMBOL:
		return 16;
	default:
		return 0;
	}
}

bool record_has_trailer(uint32_t type, struct span body, uint16_t trailer_bytes)
{
	size_t offset = record_string_offset(type);

	if (offset) {
		span_skip(&body, offset);
		(void)span_cstr(&body, NULL);
	}
	return !body.failed && span_left(&body) >= trailer_bytes;
}

/*
 * The trailer counts from the record's end. Some old writers synthesize records without one even
 * though sample_id_all is set: then the body reaches into its place, and there is none. Returns its
 * bytes.
 */
static size_t decode_trailer(struct record *rec, const struct span *body, const struct span *rest)
{
	uint16_t trailer_bytes = rec->event->layout.trailer_bytes;
	struct span trailer = *body;

	if (trailer_bytes == 0 || span_left(rest) < trailer_bytes)
		return 0;
	trailer.pos = trailer.end - trailer_bytes;
	sample_trailer_decode(rec, trailer);
	return trailer_bytes;
}

static enum decode_result decode_other(struct record *rec, const struct span *body,
				       struct event_set *events, size_t *nr_rest)
{
	/* Not copied as a whole: that would wait for its parts, which were stored a moment ago. */
	struct span rest = span_make(body->pos, span_left(body), body->swap);

	if (rec->type < RECORD_NAMED_MAX && record_kinds[rec->type].decode) {
		record_kinds[rec->type].decode(&rest, rec);
		if (rest.failed)
			return DECODE_DAMAGED;
	} else if (!record_type_name(rec->type) && !record_type_may_exist(rec->type)) {
		return DECODE_DAMAGED;
	}
	*nr_rest = span_left(&rest);
	if (rec->type >= RECORD_USER_FIRST)
		return DECODE_OK;
	rec->event = events_of_record(events, body);
	if (rec->event)
		*nr_rest -= decode_trailer(rec, body, &rest);
	return DECODE_OK;
}

enum decode_result decode_record(struct record *rec, const struct raw_record *raw, bool swap,
				 struct event_set *events, size_t *rest)
{
	const struct span body = raw_body(raw, swap);

	rec->nr = raw->nr;
	rec->file_offset = raw_file_offset(raw);
	rec->type = raw->type;
	rec->misc = raw->misc;
	rec->size = raw->size;
	rec->has = 0;
	rec->event = NULL;
	if (raw->type != RECORD_SAMPLE)
		return decode_other(rec, &body, events, rest);
	rec->event = events_of_sample(events, &body);
	if (!rec->event)
		return DECODE_UNKNOWN_ID;
	return sample_decode(rec, &body, rest) ? DECODE_OK : DECODE_DAMAGED;
}
